// Command embed shows durashim inside a Go program: the stock of a warehouse is
// kept by a Durable Object, written in TypeScript, and used from Go.
//
//	go run ./examples/embed examples/inventory
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"sync"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "embed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) (err error) {
	flags := flag.NewFlagSet("embed", flag.ContinueOnError)
	listen := flags.String("listen", "", "serve HTTP on this `address` until interrupted")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: embed [-listen address] project")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return errors.New("name one project, for example examples/inventory")
	}
	rt, err := runtime.Open(flags.Arg(0), runtime.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rt.Close()) }()

	warehouse := rt.Namespace("INVENTORY").GetByName("main")
	if err := fill(ctx, warehouse); err != nil {
		return err
	}
	if err := report(ctx, warehouse, out); err != nil {
		return err
	}
	if err := refused(ctx, warehouse, out); err != nil {
		return err
	}
	if *listen == "" {
		return nil
	}
	return serve(ctx, *listen, rt, out)
}

// fill counts deliveries from many goroutines. A stub is safe for all of them,
// and the object's input gate keeps their reads and writes apart: no addition is
// lost.
func fill(ctx context.Context, warehouse *runtime.Stub) error {
	const gates, deliveries = 8, 25
	var wg sync.WaitGroup
	errs := make(chan error, gates)
	for gate := range gates {
		wg.Go(func() {
			item := []string{"apple", "pear"}[gate%2]
			for range deliveries {
				if _, err := warehouse.Call(ctx, "addOne", item); err != nil {
					errs <- fmt.Errorf("gate %d: %w", gate, err)
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	var all []error
	for err := range errs {
		all = append(all, err)
	}
	return errors.Join(all...)
}

// report prints what the object stores; results decode as with encoding/json.
func report(ctx context.Context, warehouse *runtime.Stub, out io.Writer) error {
	v, err := warehouse.Call(ctx, "items")
	if err != nil {
		return err
	}
	var stock map[string]int
	if err := v.Decode(&stock); err != nil {
		return err
	}
	for _, item := range slices.Sorted(maps.Keys(stock)) {
		fmt.Fprintf(out, "%s: %d\n", item, stock[item])
	}
	return nil
}

// refused makes a call that the object's own code rejects, and shows how a caller
// tells that from a failure of the platform.
func refused(ctx context.Context, warehouse *runtime.Stub, out io.Writer) error {
	_, err := warehouse.Call(ctx, "setQuantity", "apple", -1)
	switch {
	case err == nil:
		return errors.New("the object took a negative quantity")
	case errors.Is(err, durable.ErrRemote):
		fmt.Fprintln(out, "the object said no:", err)
	case errors.Is(err, durable.ErrRetryable):
		fmt.Fprintln(out, "the connection broke, try again:", err)
	default:
		return err
	}
	return nil
}

// serve puts the project's HTTP below /api, beside a route of the program's own.
func serve(ctx context.Context, address string, rt *runtime.Runtime, out io.Writer) error {
	mux := http.NewServeMux()
	mux.Handle("/api/", http.StripPrefix("/api", rt.Handler()))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	// The address is printed once requests are taken: the listener queues them.
	fmt.Fprintf(out, "http://%s/api/\n", l.Addr())
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		stopped <- srv.Shutdown(limit)
	}()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}
