package runtime

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
	"github.com/durashim/durashim/jsbridge"
)

// slot is the place of an isolate: what is in it may be replaced.
type slot struct {
	w     *worker
	name  string
	index int        // among the hosts of the namespaces that it serves
	only  *namespace // nil: it serves the requests and all classes that are not apart
	loop  sched.Loop // guarded by the worker's lock
	iso   atomic.Pointer[jsbridge.Isolate]
	// replacing keeps two reasons for a new isolate from meeting.
	replacing atomic.Bool
	giveUp    sync.Once
	lost      sched.Loop    // that is stuck; guarded by the worker's lock until the runtime is closed
	stuck     chan struct{} // closed when the isolate is found stuck after the runtime was closed
}

func (w *worker) newSlot(index int, only *namespace) *slot {
	s := &slot{w: w, name: fmt.Sprintf("%s/%d", w.name, index), index: index, only: only, stuck: make(chan struct{})}
	if only != nil {
		s.name = fmt.Sprintf("%s/%s/%d", w.name, only.class, index)
	}
	s.loop = w.rt.sched.NewLoop(s.name)
	return s
}

// main is the isolate that serves the requests of the worker.
func (w *worker) main() *jsbridge.Isolate { return w.slots[0].iso.Load() }

// start starts the isolates and the hosts of the classes.
func (w *worker) start() error {
	for _, s := range w.slots {
		l, err := s.load(s.loop)
		if err != nil {
			return err
		}
		s.install(l)
	}
	return nil
}

// loaded is an isolate with the hosts of the classes that it serves.
type loaded struct {
	iso   *jsbridge.Isolate
	hosts map[*namespace]*durable.Host
}

// serves lists the namespaces of the isolate, by class.
func (s *slot) serves() (list []*namespace) {
	if s.only != nil {
		return []*namespace{s.only}
	}
	for _, class := range slices.Sorted(maps.Keys(s.w.namespaces)) {
		if ns := s.w.namespaces[class]; !ns.apart {
			list = append(list, ns)
		}
	}
	return list
}

// load makes an isolate and runs its script. A script that is stuck where no
// interrupt reaches it is left behind: that is an error.
func (s *slot) load(loop sched.Loop) (*loaded, error) {
	w, rt := s.w, s.w.rt
	outbound, err := w.globalOutbound()
	if err != nil {
		return nil, err
	}
	stuck := make(chan struct{})
	cfg := jsbridge.Config{
		Name: w.name, Outbound: outbound, Bundle: w.bundle, Env: w.env, Scheduler: rt.sched, Random: rt.random,
		Limits: rt.opts.Limits, Deterministic: rt.opts.Seed != nil, Test: rt.testHost(loop),
		Console: func(level, text string) {
			if rt.opts.Console != nil {
				rt.opts.Console(w.name, level, text)
			}
		},
		Uncaught: func(text string) {
			if rt.opts.Uncaught != nil {
				rt.opts.Uncaught(w.name, text)
				return
			}
			rt.log.Error("uncaught exception", "worker", w.name, "error", text)
		},
		Compat:     w.compat.On,
		Cache:      rt.cache,
		Loopback:   func(e jsbridge.Entry) jsbridge.Service { return entryService{service{w, e.Export}, e} },
		Namespaces: w.ownNamespaces(),
		Stuck:      sync.OnceFunc(func() { close(stuck) }),
	}
	var iso *jsbridge.Isolate
	done := make(chan struct{})
	go func() {
		defer close(done)
		iso, err = jsbridge.New(loop, cfg)
	}()
	select {
	case <-done:
	case <-stuck:
		limits := rt.opts.Limits.WithDefaults()
		return nil, fmt.Errorf("%s: the script did not start: it is stuck in a built-in function, %v after the limit of %v for a turn", w.name, limits.Patience, limits.Turn)
	}
	if err != nil {
		return nil, err
	}
	iso.OnRuin(func(err error) { s.replace(iso, err) })
	iso.OnStuck(func() { s.abandon(iso) })
	l := &loaded{iso, map[*namespace]*durable.Host{}}
	incarnation := rt.incarnations.Add(1)
	for _, ns := range s.serves() {
		c, missing := iso.Class(ns.class)
		if missing != nil {
			if err := w.missingClass(ns.class, missing); err != nil {
				return nil, err
			}
		}
		if ns.hosts == nil {
			continue // the objects are in another process
		}
		if missing != nil {
			l.hosts[ns] = &durable.Host{Namespace: ns.class, Loop: loop, Unavailable: w.internalError}
			continue
		}
		h := &durable.Host{
			Namespace: ns.class, IDs: ns.ids, Loop: loop, Scheduler: rt.sched, Class: c,
			Storage: ns.storage, Mode: ns.mode, KeepIdle: ns.keep, Incarnation: incarnation,
			Failed: func(id durable.ObjectID, err error) {
				rt.log.Error("storage failed", "worker", w.name, "class", ns.class, "object", id.String(), "error", err)
			},
		}
		if s.only != nil {
			h.Restart = func() { s.restart(iso, h) }
		}
		l.hosts[ns] = h
	}
	return l, nil
}

// install puts an isolate and its hosts into service.
func (s *slot) install(l *loaded) {
	for ns, h := range l.hosts {
		ns.hosts[s.index].Store(h)
	}
	s.iso.Store(l.iso)
}

// hosts are those that the slot has in service.
func (s *slot) hosts() map[*namespace]*durable.Host {
	hosts := make(map[*namespace]*durable.Host)
	for _, ns := range s.serves() {
		if ns.hosts == nil {
			continue
		}
		if h := ns.hosts[s.index].Load(); h != nil {
			hosts[ns] = h
		}
	}
	return hosts
}

// renew loads an isolate on a loop and puts it into service, with what the hosts
// before knew. When that fails, calls fail with an error that says why.
//
// Loading takes time, and no lock is held meanwhile. A runtime that was closed in
// the meantime is not started again.
func (s *slot) renew(loop sched.Loop, before map[*namespace]*durable.Host) {
	l, err := s.load(loop)
	if err != nil {
		s.w.rt.log.Error("isolate not restarted", "worker", s.w.name, "error", err)
		gone := &durable.Error{Name: "Error", Message: "durashim: the isolate could not be started again: " + err.Error(), Reset: true}
		l = &loaded{s.iso.Load(), map[*namespace]*durable.Host{}}
		for ns := range before {
			l.hosts[ns] = &durable.Host{Namespace: ns.class, Loop: loop, Unavailable: func() *durable.Error { return gone }}
		}
	}
	for ns, h := range before {
		l.hosts[ns].Succeed(h)
	}
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	if s.w.rt.closed.Load() {
		loop.Close()
		return
	}
	s.loop = loop
	s.install(l)
}

// replace starts a new isolate for one whose engine failed. Its objects are reset
// and its requests fail. It runs on the isolate's loop.
func (s *slot) replace(iso *jsbridge.Isolate, cause error) {
	if s.iso.Load() != iso || s.w.rt.closed.Load() || !s.replacing.CompareAndSwap(false, true) {
		return
	}
	defer s.replacing.Store(false)
	s.w.rt.log.Error("isolate replaced", "worker", s.w.name, "error", cause)
	before, lost := s.hosts(), isolateLost(cause)
	for _, h := range inOrder(before) {
		h.Reset(lost)
	}
	ruined := s.loop
	s.renew(s.w.rt.sched.NewLoop(s.name), before)
	ruined.Close()
	for _, h := range inOrder(before) {
		h.Abandon(lost)
	}
	iso.Abandon(lost)
}

// abandon gives an isolate up that is stuck in a turn, and starts another on a
// loop of its own. It may run on any goroutine but the isolate's.
func (s *slot) abandon(iso *jsbridge.Isolate) {
	if s.iso.Load() != iso {
		return
	}
	s.w.mu.Lock()
	closed := s.w.rt.closed.Load()
	stuck := s.loop
	if !closed {
		s.lost = stuck
	}
	s.w.mu.Unlock()
	if closed {
		s.giveUp.Do(func() { close(s.stuck) }) // Close need not wait for it
		return
	}
	if !s.replacing.CompareAndSwap(false, true) {
		return
	}
	defer s.replacing.Store(false)
	limits := s.w.rt.opts.Limits.WithDefaults()
	cause := fmt.Errorf("a turn of JavaScript did not end %v after its limit of %v", limits.Patience, limits.Turn)
	s.w.rt.log.Error("isolate given up", "worker", s.w.name, "error", cause)
	before, lost := s.hosts(), isolateLost(cause)
	s.renewApart(before)
	// From here on nothing new reaches the stuck isolate.
	stuck.Close()
	iso.Abandon(lost)
	for _, h := range inOrder(before) {
		h.Abandon(lost)
	}
}

// renewApart is renew on a new loop, for hosts whose loop may be in the middle of
// something: what they know of broken sessions is not to be touched.
func (s *slot) renewApart(before map[*namespace]*durable.Host) {
	known := make(map[*namespace]*durable.Host, len(before))
	for ns := range before {
		known[ns] = &durable.Host{}
	}
	s.renew(s.w.rt.sched.NewLoop(s.name), known)
}

// restart starts a new isolate for one whose host h has crashed, as a fault
// wanted. It runs on the isolate's loop.
func (s *slot) restart(iso *jsbridge.Isolate, h *durable.Host) {
	crashed := s.loop
	s.renew(s.w.rt.sched.NewLoop(s.name), map[*namespace]*durable.Host{s.only: h})
	crashed.Close()
	iso.Abandon(durable.ConnectionLost())
}

// errClosed is what calls in flight get when the runtime is closed.
var errClosed = durable.Closed()

// failCalls answers every call that the worker and its objects have.
func (w *worker) failCalls(err *durable.Error) {
	w.mu.Lock()
	slots := slices.Clone(w.slots)
	w.mu.Unlock()
	for _, s := range slots {
		iso := s.iso.Load()
		if iso == nil {
			continue // it did not start
		}
		iso.Abandon(err)
		for _, h := range inOrder(s.hosts()) {
			h.Abandon(err)
		}
	}
}

// drain waits until no turn of the isolates is running, or those that are have
// been given up.
func (w *worker) drain() {
	w.mu.Lock()
	slots := slices.Clone(w.slots)
	var loops []sched.Loop
	for _, s := range slots {
		loops = append(loops, s.loop)
	}
	w.mu.Unlock()
	for i, l := range loops {
		if l == slots[i].lost {
			continue // given up, and its successor is being made
		}
		select {
		case <-l.Done():
		case <-slots[i].stuck:
		}
	}
}

// forget lets go of the isolates, so that a namespace or a stub that somebody
// still holds does not keep them in memory.
func (w *worker) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.slots {
		l := &loaded{jsbridge.NewAbandoned(s.loop, errClosed), map[*namespace]*durable.Host{}}
		for ns := range s.hosts() {
			h := &durable.Host{Namespace: ns.class, Loop: s.loop, Unavailable: func() *durable.Error { return errClosed }}
			h.Abandon(errClosed)
			l.hosts[ns] = h
		}
		s.install(l)
	}
}

// isolateLost is what the neighbours of the code that brought an isolate down
// see.
func isolateLost(cause error) *durable.Error {
	return &durable.Error{Name: "Error", Message: "durashim: the isolate was replaced and all its objects were reset: " + cause.Error(), Reset: true}
}

// inOrder lists hosts by class.
func inOrder(hosts map[*namespace]*durable.Host) (list []*durable.Host) {
	for _, ns := range slices.SortedFunc(maps.Keys(hosts), byClass) {
		list = append(list, hosts[ns])
	}
	return list
}
