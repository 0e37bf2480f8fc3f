package runtime

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/durashim/durashim/durable/remote"
	"github.com/durashim/durashim/internal/config"
)

// Connect says in which process the objects of a project are: one that runs the
// same project and serves them with a [Host]. Calls of objects go there over TCP,
// with the automatic retries; a connection that breaks is a real one. Workers run
// here, and open no storage.
//
// Faults act on such calls: at this end of the connection, and inside the objects
// if the host permits it ([Host.AllowFaults]). Calls that objects make of each other
// stay in the host and are not this runtime's; faults for them are plans of the host's.
//
// Values by reference (functions, stubs, streams) cannot cross yet; the error says so.
type Connect struct {
	// Address is host:port. It must stand for a loopback or private address: the
	// traffic is not encrypted.
	Address string
	// Key is known to both processes and is never sent: at least 16 bytes, best
	// random ones.
	Key []byte
}

// connect makes the client of a project whose objects are elsewhere. It connects
// with the first call.
func (rt *Runtime) connect() error {
	to := rt.opts.Connect
	switch {
	case to == nil:
		return nil
	case rt.opts.Clock != nil:
		return errors.New("a runtime with a virtual clock cannot connect to a host: another process does not follow its clock")
	}
	if _, _, err := net.SplitHostPort(to.Address); err != nil {
		return fmt.Errorf("the host's address %q: %w", to.Address, err)
	}
	var all []remote.NamespaceID
	for _, s := range rt.cfg.Services {
		if s.Worker == nil {
			continue
		}
		for _, c := range s.Worker.Namespaces {
			all = append(all, remoteID(s.Name.Value, c))
		}
	}
	var err error
	rt.client, err = remote.NewClient(remote.ClientConfig{
		Address: to.Address, Key: to.Key, Project: rt.projectName(), Namespaces: all,
		Scheduler: rt.sched, Random: rt.random, Logger: rt.log, Faults: rt.faults,
	})
	return err
}

func remoteID(worker string, c *config.DurableObjectNamespace) remote.NamespaceID {
	return remote.NamespaceID{Worker: worker, Class: c.ClassName.Value, Key: c.UniqueKey.Value}
}

// projectName is the name of the first worker.
func (rt *Runtime) projectName() string {
	for _, s := range rt.cfg.Services {
		if s.Worker != nil {
			return s.Name.Value
		}
	}
	return ""
}

// ErrHostRefuses is what errors.Is finds in the error of [Runtime.CheckHost] when
// to try again is of no use: the key, the project or the version is another one,
// or the address is neither loopback nor private.
var ErrHostRefuses = remote.ErrRefused

// CheckHost connects to the host once and returns why it could not: nothing
// listens there, the key is another one, it runs another project. Calls need no
// such check before them.
func (rt *Runtime) CheckHost(ctx context.Context) error {
	if rt.client == nil {
		return errors.New("the runtime is not connected to a host")
	}
	return rt.client.Check(ctx)
}

// Host serves the objects of a project to runtimes in other processes that are
// opened with [Connect]. It is safe for use by many goroutines.
//
// Each host has an incarnation of its own: a retry of a call that may have reached
// a host which is gone is rejected by the next one, unless its method is marked
// with retryable().
type Host struct {
	server *remote.Server
	rt     *Runtime
}

// NewHost returns a host that serves the objects of rt to whoever has the key: at
// least 16 bytes, best random ones. There can be one at a time; it ends with the
// runtime.
func (rt *Runtime) NewHost(key []byte) (*Host, error) {
	switch {
	case rt.opts.Clock != nil:
		return nil, errors.New("a runtime with a virtual clock cannot serve its objects: other processes do not follow its clock")
	case rt.client != nil:
		return nil, errors.New("a runtime whose objects are in another process cannot serve them")
	}
	var all []remote.Namespace
	for _, w := range rt.workers {
		for _, c := range w.cfg.Namespaces {
			ns := w.namespaces[c.ClassName.Value]
			all = append(all, remote.Namespace{NamespaceID: remoteID(w.name, c), Route: ns.route})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: the project has no Durable Object class", rt.cfg.Path)
	}
	s, err := remote.NewServer(remote.ServerConfig{
		Key: key, Project: rt.projectName(), Namespaces: all, Incarnation: rt.incarnations.Load,
		Scheduler: rt.sched, Random: rt.random, Logger: rt.log,
	})
	if err != nil {
		return nil, err
	}
	rt.hostMu.Lock()
	defer rt.hostMu.Unlock()
	if rt.host != nil || rt.closed.Load() {
		return nil, errors.New("the runtime has a host already, or is closed")
	}
	rt.host = &Host{s, rt}
	return rt.host, nil
}

// AllowFaults permits those who connect to let faults act inside the objects:
// resets, evictions, crashes and failures of storage. Whoever has the key can lose
// what objects hold in memory then. A namespace may crash from now on, so each gets
// isolates of its own: variables of its modules are not shared with the rest of the
// worker, as in production. It must be called before [Host.Serve]. The error says
// which class cannot move, because its objects are busy.
func (h *Host) AllowFaults() error {
	if err := h.rt.setApart(h.rt.named(""), nil); err != nil {
		return fmt.Errorf("faults inside the objects: %w", err)
	}
	h.server.AllowFaults()
	return nil
}

// Serve takes connections until the host is shut down or the runtime closed, which
// is no error, or the listener fails. The listener must be on a loopback or private
// address. Serve closes it.
func (h *Host) Serve(l net.Listener) error { return h.server.Serve(l) }

// Shutdown takes no more calls, waits until those in flight are answered, and
// closes all connections. When ctx ends first it cuts them off, and returns the
// context's error.
func (h *Host) Shutdown(ctx context.Context) error { return h.server.Shutdown(ctx) }

// closeConnections ends what connects the runtime to other processes.
func (rt *Runtime) closeConnections() {
	rt.hostMu.Lock()
	h := rt.host
	rt.hostMu.Unlock()
	if h != nil {
		h.server.Close()
	}
	if rt.client != nil {
		rt.client.Close()
	}
}
