package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"

	"github.com/durashim/durashim/internal/config"
	"github.com/durashim/durashim/internal/faultfile"
	"github.com/durashim/durashim/runtime"
	"github.com/spf13/cobra"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	env         string
	host        string
	port        int // -1: as configured
	persistTo   string
	sockets     []string
	constName   string
	logFormat   string
	watch       bool
	verbose     bool
	predictable bool
	connect     string
	key         keyFlag
	config      configFlags
	faults      string
	socketAddrs map[string]string
	runtime     runtime.Options // what config stands for
}

// inMemory is the value of --persist-to that keeps nothing on disk.
const inMemory = ":memory:"

func (a *app) serveCommand() *cobra.Command {
	o := serveOptions{port: -1}
	cmd := &cobra.Command{
		Use:   "serve [DIR|CONFIG] [CONST-NAME]",
		Short: "Answer HTTP",
		Long: `Start a project and answer HTTP/1.1 and HTTP/2 (cleartext, with prior knowledge)
until SIGINT or SIGTERM. Requests in flight then have 30 seconds to finish; a
second signal ends them at once.

DIR holds a wrangler.jsonc, wrangler.json or wrangler.toml, and is by default the
present directory; CONFIG is such a file
or a workerd configuration in Cap'n Proto text, of which CONST-NAME selects a
constant if there are several.

Where it listens: on 127.0.0.1:8787 for a wrangler project (dev.ip and dev.port in
its file, --host and --port on the command line say otherwise), on every socket of
a workerd configuration (-s gives one another address).

What it keeps: the objects' storage stays where the real runtime keeps it and can
be used by either, though not at the same time: the localDisk of a workerd
configuration, .wrangler/state/workerd beside a wrangler file. --persist-to names
another directory, or ":memory:" for none. With --connect it keeps nothing: the
objects are in another process, which durashim host has started.

What it prints: console.log, info and debug go to the standard output, console.warn
and error to the standard error, along with one line for each request.

` + faultHelp,
		Example: `  durashim serve examples/inventory
  durashim serve examples/inventory --watch --port 8080 --persist-to :memory:
  durashim serve config.capnp -s http=127.0.0.1:0 -d data=/var/lib/objects

  curl http://127.0.0.1:8787/items/apple -X PUT -d 5`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			path, err := o.projectArgs(args)
			if err != nil {
				return err
			}
			return a.serve(cmd.Context(), path, o)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVarP(&o.port, "port", "p", -1, "port to listen on instead of the configured one; 0 takes a free one")
	f.StringVar(&o.host, "host", "", "address to listen on instead of the configured one")
	f.StringVar(&o.persistTo, "persist-to", "", `directory of the objects' storage, or ":memory:"`)
	f.BoolVar(&o.runtime.PowerSafe, "power-safe", false, "make confirmed writes survive the loss of power too, at the cost of a disk flush per commit")
	f.BoolVarP(&o.watch, "watch", "w", false, "reload when the configuration or a source file changes; objects keep their storage,\nrequests in flight finish on the old version, a broken change leaves the old version running")
	f.StringVar(&o.connect, "connect", "", "`address` of the process that has the objects; see durashim host")
	o.key.add(f)
	f.StringVar(&o.env, "env", "", "environment of the wrangler file")
	f.StringVar(&o.logFormat, "log-format", "text", `"text" for people, "json" for one JSON object on each line`)
	f.StringArrayVarP(&o.sockets, "socket-addr", "s", nil, "`name=addr`: the socket of that name listens on addr")
	f.StringArrayVarP(&o.config.externals, "external-addr", "e", nil, "`name=addr`: the external service of that name is at addr")
	f.StringVar(&o.faults, "faults", "", "`file` of fault plans (see below); those that never acted are reported at the end")
	o.config.add(f)
	f.BoolVar(&o.verbose, "verbose", false, "log more, such as why an outgoing connection failed")
	f.BoolVar(&o.predictable, "predictable", false, "make all random numbers the same in every run; for tests only")
	return cmd
}

// projectArgs reads the arguments DIR|CONFIG and CONST-NAME.
func (o *serveOptions) projectArgs(args []string) (path string, err error) {
	switch len(args) {
	case 0:
		if !config.HasWranglerFile(".") {
			return "", errors.New("the present directory has no wrangler file: name the project's directory, DIR, or its configuration, CONFIG")
		}
		return ".", nil
	case 2:
		o.constName = args[1]
	}
	return args[0], nil
}

// shown is the path of a project as it is told to people: one such as "." says
// nothing.
func shown(path string) string {
	switch filepath.Base(path) {
	case ".", "..":
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
	}
	return path
}

// check reads the flags that need it.
func (o *serveOptions) check() (err error) {
	if o.socketAddrs, err = nameValues("--socket-addr", o.sockets); err != nil {
		return err
	}
	if err := o.config.apply(&o.runtime); err != nil {
		return err
	}
	if o.faults != "" {
		if o.runtime.Faults, err = faultfile.Read(o.faults); err != nil {
			return err
		}
	}
	if o.logFormat != "text" && o.logFormat != "json" {
		return fmt.Errorf(`--log-format must be "text" or "json", not %q`, o.logFormat)
	}
	if o.connect != "" {
		if o.persistTo != "" {
			return errors.New("--persist-to is for the process that has the objects, not for one with --connect")
		}
		key, err := o.key.read()
		if err != nil {
			return err
		}
		o.runtime.Connect = &runtime.Connect{Address: o.connect, Key: key}
	} else if o.key.file != "" {
		return errors.New("--key-file is of no use without --connect")
	}
	if o.port < -1 || o.port > 65535 {
		return fmt.Errorf("--port must be from 0 to 65535, not %d", o.port)
	}
	return nil
}

// runtimeOptions are the options that the flags stand for.
func (o *serveOptions) runtimeOptions(l *serveLog) runtime.Options {
	ro := o.runtime
	ro.Environment, ro.ConstName = o.env, o.constName
	ro.Logger, ro.Console = l.logger, l.console
	switch o.persistTo {
	case inMemory:
	case "":
		ro.ConfiguredStorage = true
	default:
		ro.PersistTo = o.persistTo
	}
	if o.predictable {
		ro.Seed = new(uint64)
	}
	return ro
}

// listenOn applies --host and --port.
func (o *serveOptions) listenOn(sockets []*runtime.Socket) error {
	if len(sockets) == 0 {
		return errors.New("the configuration has no socket to listen on")
	}
	if o.host == "" && o.port < 0 {
		return nil
	}
	if len(sockets) > 1 {
		return errors.New("the configuration has several sockets: give them addresses with --socket-addr instead of --host and --port")
	}
	s := sockets[0]
	host, port, err := net.SplitHostPort(s.Address)
	if err != nil {
		host, port = s.Address, "80"
	}
	if o.host != "" {
		host = o.host
	}
	if o.port >= 0 {
		port = strconv.Itoa(o.port)
	}
	s.Address = net.JoinHostPort(host, port)
	return nil
}

func (a *app) serve(ctx context.Context, path string, o serveOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	log := a.newServeLog(&o)
	s := &site{app: a, path: path, o: o, log: log}
	if err := s.open(ctx); err != nil {
		return err
	}
	return s.run(ctx)
}
