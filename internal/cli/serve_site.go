package cli

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/durashim/durashim/runtime"
)

const (
	// grace is how long requests in flight may take after a signal.
	grace = 30 * time.Second
	// reloadGrace is how long new requests wait for those that the old version
	// still serves. An object must not be in memory in both versions, so they
	// cannot overlap; an endless stream must not hold up a reload for ever.
	reloadGrace = 10 * time.Second

	// What a client may take before a request is complete, and how long its
	// connection is kept without one: a server that is reachable from elsewhere
	// must not run out of connections.
	headerTimeout = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	// maxHeader is the largest size of a request's headers in bytes. It leaves
	// room for what the real runtime was seen to accept.
	maxHeader = 1 << 20
)

// site is a project that is served: its listeners, and the version of it that
// runs now.
type site struct {
	app  *app
	path string
	o    serveOptions
	log  *serveLog

	listeners map[string]*listener // by the socket's name
	failed    chan error           // a listener has ended by itself

	mu       sync.Mutex
	cur      *version
	swapping chan struct{} // closed when the next version has taken over; nil while none does
}

// listener is a socket on which the site listens.
type listener struct {
	addr string // as configured
	net.Listener
	srv *http.Server
}

// version is one state of the project's sources.
type version struct {
	rt       *runtime.Runtime
	handlers map[string]http.Handler // by the socket's name
	ctx      context.Context         // ends when the version is given up
	end      context.CancelFunc
	inflight int
	idle     chan struct{} // closed when nothing is in flight; nil while nobody waits
}

// newVersion makes a version of a runtime and opens the listeners that it needs
// and that are not there yet.
func (s *site) newVersion(ctx context.Context, rt *runtime.Runtime) (*version, map[string]*listener, error) {
	sockets, err := rt.Sockets(s.o.socketAddrs)
	if err != nil {
		return nil, nil, err
	}
	if err := s.o.listenOn(sockets); err != nil {
		return nil, nil, err
	}
	v := &version{rt: rt, handlers: map[string]http.Handler{}}
	v.ctx, v.end = context.WithCancel(context.WithoutCancel(ctx))
	opened := map[string]*listener{}
	for _, k := range sockets {
		v.handlers[k.Name] = k.Handler
		if old := s.listeners[k.Name]; old != nil && old.addr == k.Address {
			continue
		}
		l, err := k.Listen(ctx)
		if err != nil {
			for _, o := range opened {
				err = errors.Join(err, o.Close())
			}
			v.end()
			return nil, nil, err
		}
		opened[k.Name] = &listener{addr: k.Address, Listener: l}
	}
	return v, opened, nil
}

// open starts the project and listens.
func (s *site) open(ctx context.Context) error {
	rt, err := runtime.Open(s.path, s.o.runtimeOptions(s.log))
	if err != nil {
		return err
	}
	if err := s.checkHost(ctx, rt); err != nil {
		return errors.Join(err, rt.Close())
	}
	v, opened, err := s.newVersion(ctx, rt)
	if err != nil {
		return errors.Join(err, rt.Close())
	}
	s.cur = v
	s.listeners = map[string]*listener{}
	s.failed = make(chan error, 1)
	s.listen(opened)
	return nil
}

// checkHost asks the host of the objects, if there is one, whether it will have
// us. A host that is not there yet may come: calls are retried.
func (s *site) checkHost(ctx context.Context, rt *runtime.Runtime) error {
	if s.o.runtime.Connect == nil {
		return nil
	}
	err := rt.CheckHost(ctx)
	if err != nil && !errors.Is(err, runtime.ErrHostRefuses) {
		s.log.logger.Warn("the objects cannot be reached yet", "error", err)
		return nil
	}
	return err
}

// listen serves on new listeners.
func (s *site) listen(opened map[string]*listener) {
	for name, l := range opened {
		if old := s.listeners[name]; old != nil {
			go func() { _ = s.stop(old) }()
		}
		s.listeners[name] = l
		l.srv = &http.Server{
			Handler:           s.log.requests(s.handler(name)),
			ErrorLog:          slog.NewLogLogger(s.log.logger.Handler(), slog.LevelDebug),
			MaxHeaderBytes:    maxHeader,
			ReadHeaderTimeout: headerTimeout,
			IdleTimeout:       idleTimeout,
			Protocols:         &http.Protocols{},
		}
		l.srv.Protocols.SetHTTP1(true)
		l.srv.Protocols.SetUnencryptedHTTP2(true)
		go func() {
			if err := l.srv.Serve(l.Listener); !errors.Is(err, http.ErrServerClosed) {
				select {
				case s.failed <- err:
				default:
				}
			}
		}()
		addr := l.Addr().String()
		if l.Addr().Network() == "tcp" {
			addr = "http://" + addr
		}
		if len(opened) == 1 && len(s.listeners) == 1 {
			s.log.say("%s is ready on %s", shown(s.path), addr)
		} else {
			s.log.say("%s: socket %q is ready on %s", shown(s.path), name, addr)
		}
	}
}

// handler sends the requests of a socket to the version that runs now.
func (s *site) handler(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		v, release := s.acquire(req.Context())
		if v == nil {
			return // the client is gone
		}
		defer release()
		h := v.handlers[name]
		if h == nil {
			http.NotFound(w, req) // the socket is being closed
			return
		}
		ctx, cancel := context.WithCancel(req.Context())
		defer cancel()
		defer context.AfterFunc(v.ctx, cancel)()
		h.ServeHTTP(w, req.WithContext(ctx))
	})
}

// acquire returns the version that runs now, after a reload in progress.
func (s *site) acquire(ctx context.Context) (*version, func()) {
	for {
		s.mu.Lock()
		if swapping := s.swapping; swapping != nil {
			s.mu.Unlock()
			select {
			case <-swapping:
				continue
			case <-ctx.Done():
				return nil, nil
			}
		}
		v := s.cur
		v.inflight++
		s.mu.Unlock()
		return v, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if v.inflight--; v.inflight == 0 && v.idle != nil {
				close(v.idle)
				v.idle = nil
			}
		}
	}
}

// run serves until ctx ends.
func (s *site) run(ctx context.Context) error {
	watchCtx, endWatch := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if s.o.watch {
			s.watch(watchCtx)
		}
	}()
	var err error
	select {
	case err = <-s.failed:
		endWatch()
	case <-ctx.Done():
		endWatch()
		<-watched                          // it shares the listeners
		limit, done := s.app.stopping(ctx) // before it is said: the second signal may follow at once
		s.log.say("stopping; requests in flight have %v to finish, a second signal ends them now", grace)
		err = s.stopAll(limit)
		done()
	}
	<-watched
	s.cur.end()
	for _, m := range s.cur.rt.Faults().Missed() {
		s.log.say("%v", m)
	}
	return errors.Join(err, s.cur.rt.Close())
}

// stopping returns a context for what is still in flight after a signal has ended
// ctx: it ends with the next signal, or after the grace.
func (a *app) stopping(ctx context.Context) (limit context.Context, done func()) {
	again := make(chan os.Signal, 1)
	signal.Notify(again, os.Interrupt, syscall.SIGTERM)
	limit, cancel := context.WithCancel(context.WithoutCancel(ctx))
	timer := a.after(grace, cancel)
	go func() {
		select {
		case <-again:
			cancel()
		case <-limit.Done():
		}
	}()
	return limit, func() {
		signal.Stop(again)
		timer.Stop()
		cancel()
	}
}

// stopAll closes all listeners and waits for the requests in flight until limit
// ends; then it cuts them off.
func (s *site) stopAll(limit context.Context) error {
	var wg sync.WaitGroup
	errs := make(chan error, len(s.listeners))
	for _, l := range s.listeners {
		wg.Go(func() {
			err := l.srv.Shutdown(limit)
			if err != nil && limit.Err() != nil {
				s.log.say("ending requests that are still in flight")
				err = l.srv.Close()
			}
			errs <- err
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

// stop closes one listener.
func (s *site) stop(l *listener) error {
	limit, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer s.app.after(grace, cancel).Stop()
	if err := l.srv.Shutdown(limit); err != nil {
		return l.srv.Close()
	}
	return nil
}
