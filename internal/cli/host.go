package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/durashim/durashim/durable/remote"
	"github.com/durashim/durashim/runtime"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// keyVariable is the environment variable that holds the key when no file is
// named. A key on the command line could be read by every user of the machine.
const keyVariable = "DURASHIM_KEY"

// keyFlag is the flag about the key that two processes share.
type keyFlag struct{ file string }

func (k *keyFlag) add(f *pflag.FlagSet) {
	f.StringVar(&k.file, "key-file", "", "`file` with the key that host and serve share; without it "+keyVariable+" in the environment holds the key")
}

// read returns the key.
func (k *keyFlag) read() ([]byte, error) {
	if k.file == "" {
		if key := os.Getenv(keyVariable); key != "" {
			return checkedKey("the environment variable "+keyVariable, key)
		}
		return nil, fmt.Errorf("a key is needed that both processes know: name its file with --key-file, or set %s (openssl rand -hex 32 makes one)", keyVariable)
	}
	b, err := os.ReadFile(k.file)
	if err != nil {
		return nil, err
	}
	key := strings.TrimSpace(string(b))
	if key == "" {
		return nil, fmt.Errorf("%s: the key is empty", k.file)
	}
	return checkedKey(k.file, key)
}

// checkedKey returns a key that is long enough; where says where it is from.
func checkedKey(where, key string) ([]byte, error) {
	if len(key) < remote.MinKey {
		return nil, fmt.Errorf("%s: the key has %d bytes; it needs at least %d", where, len(key), remote.MinKey)
	}
	return []byte(key), nil
}

// hostOptions are the flags of host.
type hostOptions struct {
	serve  serveOptions // those that it shares with serve
	listen string
	key    keyFlag
	allow  bool // faults of those who connect act inside the objects
}

func (a *app) hostCommand() *cobra.Command {
	var o hostOptions
	cmd := &cobra.Command{
		Use:   "host [DIR|CONFIG] [CONST-NAME]",
		Short: "Keep a project's objects, for serve --connect in another process",
		Long: `Start a project and serve its objects to other processes, until SIGINT or SIGTERM.
Calls in flight then have 30 seconds to finish; a second signal ends them at once.

The other processes run the same project with serve --connect ADDRESS (or with
runtime.Options.Connect, in Go): they answer HTTP, and call the objects here over
TCP. The connection is a real one. When it breaks, or this process is killed and
started again, calls are retried by the platform's rules, and a method that is not
marked with retryable() never runs twice.

Both sides need the same key of at least 16 bytes, in a file or in the environment
variable DURASHIM_KEY. It is never sent, but the traffic is not encrypted: only
loopback and private addresses are accepted.

The plans of serve --connect --faults FILE act at that end of the connection. Those
that act inside the objects (abort*, crash*, evictBefore, failWrite and
storageUnavailable) need --allow-faults here. Calls that the objects make of each
other do not cross the connection: their plans are those of --faults here.`,
		Example: `  openssl rand -hex 32 >key
  durashim host examples/inventory --key-file key
  durashim serve examples/inventory --connect 127.0.0.1:8788 --key-file key`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := o.serve.projectArgs(args)
			if err != nil {
				return err
			}
			return a.host(cmd.Context(), path, &o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.listen, "listen", "127.0.0.1:8788", "`address` to listen on, loopback or private; port 0 takes a free one")
	o.key.add(f)
	f.StringVar(&o.serve.persistTo, "persist-to", "", `directory of the objects' storage, or ":memory:"`)
	f.BoolVar(&o.serve.runtime.PowerSafe, "power-safe", false, "make confirmed writes survive the loss of power too, at the cost of a disk flush per commit")
	f.StringVar(&o.serve.env, "env", "", "environment of the wrangler file")
	f.StringVar(&o.serve.logFormat, "log-format", "text", `"text" for people, "json" for one JSON object on each line`)
	f.StringArrayVarP(&o.serve.config.externals, "external-addr", "e", nil, "`name=addr`: the external service of that name is at addr")
	o.serve.config.add(f)
	f.BoolVar(&o.allow, "allow-faults", false, "let those who connect reset, evict and crash objects and make their storage fail, by plans")
	f.StringVar(&o.serve.faults, "faults", "", "`file` of fault plans for the calls that objects here make of each other; see serve --help")
	f.BoolVar(&o.serve.verbose, "verbose", false, "log more, such as who connects")
	return cmd
}

func (a *app) host(ctx context.Context, path string, o *hostOptions) (err error) {
	o.serve.port = -1
	if err := o.serve.check(); err != nil {
		return err
	}
	key, err := o.key.read()
	if err != nil {
		return err
	}
	log := a.newServeLog(&o.serve)
	rt, err := runtime.Open(path, o.serve.runtimeOptions(log))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rt.Close()) }()
	h, err := rt.NewHost(key)
	if err != nil {
		return err
	}
	if o.allow {
		if err := h.AllowFaults(); err != nil {
			return err
		}
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", o.listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	if err := remote.CheckListener(l); err != nil {
		return errors.Join(fmt.Errorf("--listen: %w", err), l.Close())
	}
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(l) }()
	log.say("%s: the objects are ready on %s", shown(path), l.Addr())
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	limit, done := a.stopping(ctx) // before it is said: the second signal may follow at once
	log.say("stopping; calls in flight have %v to finish, a second signal ends them now", grace)
	defer done()
	defer func() {
		for _, m := range rt.Faults().Missed() {
			log.say("%v", m)
		}
	}()
	if h.Shutdown(limit) != nil {
		log.say("ended calls that were still in flight")
	}
	return <-failed
}
