package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"github.com/durashim/durashim/runtime"
	"github.com/spf13/cobra"
)

type serveOptions struct {
	env       string
	host      string
	port      int
	persistTo string
}

// inMemory is the value of --persist-to that keeps nothing on disk.
const inMemory = ":memory:"

func (a *app) serveCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve DIR|CONFIG",
		Short: "Answer HTTP",
		Long: `Start the project and answer HTTP until SIGINT or SIGTERM; requests in flight
then have 30 seconds to finish.

The objects' storage is kept where the real runtime keeps it: in
.wrangler/state/workerd under the project's directory.`,
		Example: "  durashim serve examples/inventory\n  durashim serve examples/inventory --port 8080 --persist-to :memory:",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.serve(cmd.Context(), args[0], o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.env, "env", "e", "", "environment of the wrangler file")
	f.StringVar(&o.host, "host", "127.0.0.1", "address to listen on")
	f.IntVarP(&o.port, "port", "p", 8787, "port to listen on; 0 takes a free one")
	f.StringVar(&o.persistTo, "persist-to", "", `directory of the objects' storage, or ":memory:"`)
	return cmd
}

// grace is how long requests in flight may take after a signal.
const grace = 30 * time.Second

func (a *app) serve(ctx context.Context, path string, o serveOptions) error {
	log := slog.New(slog.NewTextHandler(a.err, nil))
	ro := runtime.Options{
		Environment: o.env, Logger: log,
		Console: func(_, _, text string) { fmt.Fprintln(a.out, text) },
	}
	switch o.persistTo {
	case inMemory:
	case "":
		dir, err := projectDir(path)
		if err != nil {
			return err
		}
		ro.PersistTo = filepath.Join(dir, ".wrangler", "state", "workerd")
	default:
		ro.PersistTo = o.persistTo
	}
	l, err := net.Listen("tcp", net.JoinHostPort(o.host, strconv.Itoa(o.port)))
	if err != nil {
		return err
	}
	rt, err := runtime.Open(path, ro)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	fmt.Fprintf(a.err, "durashim: %s is ready on http://%s\n", path, l.Addr())
	srv := &http.Server{Handler: a.logged(rt.Handler()), ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError)}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		fmt.Fprintln(a.err, "durashim: stopping")
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		err = srv.Shutdown(limit)
	}
	return errors.Join(err, rt.Close())
}

// logged prints a line for each request.
func (a *app) logged(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		start := a.sched.Now()
		rec := &statusRecorder{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(rec, req)
		took := a.sched.Now().Sub(start)
		fmt.Fprintf(a.err, "%s %s %d %.1fms\n", req.Method, req.URL.RequestURI(), rec.status, float64(took)/float64(time.Millisecond))
	})
}

type statusRecorder struct {
	http.ResponseWriter
	status int
}

func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the real writer.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
