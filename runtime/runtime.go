package runtime

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/remote"
	"github.com/durashim/durashim/internal/config"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
	"github.com/durashim/durashim/jsbridge"
	"github.com/durashim/durashim/jsbridge/webapi"
)

// Runtime is a project that runs. All methods are safe for use by many
// goroutines.
type Runtime struct {
	opts     Options
	dir      string
	cfg      *config.Config
	sched    *sched.Owned
	random   *random.Source
	log      *slog.Logger
	faults   *durable.Faults
	timeline *durable.Timeline
	leaks    jsbridge.Undisposed
	engine   *durable.Engine
	workers  []*worker
	stores   *stores
	cache    webapi.CacheStore // of all workers; nil: there is none, as in workerd
	// outbounds and transports lead out of the process.
	outboundMu sync.Mutex // guards outbounds and transports
	outbounds  map[string]*outbound
	transports []*http.Transport
	exports    exports  // Go values that scripts hold
	held       heldRefs // scripts' values that Go holds

	client *remote.Client // to the process that has the objects; nil: this one
	hostMu sync.Mutex
	host   *Host // that serves the objects to others; nil: none

	incarnations atomic.Uint64
	closed       atomic.Bool
	closeOnce    sync.Once
	closeErr     error
}

// Open starts the project at path: a directory with a wrangler.jsonc,
// wrangler.json or wrangler.toml, such a file, or a workerd configuration in
// Cap'n Proto text. Errors name file and place.
func Open(path string, o Options) (*Runtime, error) {
	cfg, err := load(path, o)
	if err != nil {
		return nil, err
	}
	return open(cfg, o)
}

// OpenConfig starts a configuration that is loaded already.
func OpenConfig(cfg *config.Config, o Options) (*Runtime, error) { return open(cfg, o) }

func open(cfg *config.Config, o Options) (*Runtime, error) { return openWith(cfg, o, &stores{}) }

// cacheBytes bounds the bodies in the cache of a wrangler project.
const cacheBytes = 128 << 20

// openWith starts a project whose storages are those of another one.
func openWith(cfg *config.Config, o Options, s *stores) (*Runtime, error) {
	rt := &Runtime{opts: o, dir: cfg.Dir, cfg: cfg, log: o.Logger, faults: &durable.Faults{}, stores: s.use()}
	if rt.log == nil {
		rt.log = slog.New(slog.DiscardHandler)
	}
	if o.Clock != nil {
		rt.sched = sched.NewOwned(o.Clock.v)
	} else {
		rt.sched = sched.NewOwned(sched.NewReal())
	}
	if o.Seed != nil {
		rt.random = random.Seeded(*o.Seed)
	} else {
		rt.random = random.New()
	}
	if o.Record {
		rt.timeline = durable.NewTimeline(rt.sched.Now())
	}
	if cfg.Format == config.FormatWrangler {
		// As wrangler's own local runtime has it.
		rt.cache = webapi.NewMemoryCache(rt.sched.Now, cacheBytes)
	}
	rt.engine = &durable.Engine{Scheduler: rt.sched, Random: rt.random, Backoff: o.Backoff, Timeline: rt.timeline,
		Repeats: durable.NewRepeats(rt.repeated)}
	rt.faults.Prepare = rt.prepareFault
	if err := rt.start(); err != nil {
		_ = rt.Close()
		return nil, err
	}
	return rt, nil
}

func (rt *Runtime) start() error {
	prepared := make(chan struct{})
	go func() {
		defer close(prepared)
		jsbridge.Prepare()
	}()
	defer func() { <-prepared }() // no goroutine outlives what started it
	if err := rt.cfg.Validate(); err != nil {
		return err
	}
	if err := unsupported(rt.cfg); err != nil {
		return err
	}
	if err := rt.connect(); err != nil {
		return err
	}
	for _, s := range rt.cfg.Services {
		if s.Worker == nil {
			continue
		}
		w, err := rt.newWorker(s.Name.Value, s.Worker, rt.opts.Isolates)
		if err != nil {
			return err
		}
		rt.workers = append(rt.workers, w)
	}
	if len(rt.workers) == 0 {
		return fmt.Errorf("%s: the configuration has no worker", rt.cfg.Path)
	}
	first := rt.workers[0]
	for _, entry := range rt.opts.ExtraEntries {
		w, err := rt.extraWorker(first, entry)
		if err != nil {
			return err
		}
		rt.workers = append(rt.workers, w)
	}
	for _, w := range rt.workers {
		if err := w.bind(); err != nil {
			return err
		}
	}
	// Before anything runs: a namespace that may crash starts apart.
	if err := rt.faults.Add(rt.opts.Faults...); err != nil {
		return err
	}
	for _, w := range rt.workers {
		if err := w.build(); err != nil {
			return err
		}
		if err := w.start(); err != nil {
			return err
		}
	}
	return nil
}

// extraWorker makes a worker from an entry file that sees what the first worker
// sees, and that worker itself as SELF.
func (rt *Runtime) extraWorker(first *worker, entry string) (*worker, error) {
	cfg := *first.cfg
	cfg.Main = config.Text{Value: filepath.Join(rt.dir, entry), Pos: first.cfg.Main.Pos}
	cfg.Namespaces = nil
	name := filepath.ToSlash(entry)
	w, err := rt.newWorker(name, &cfg, 1)
	if err != nil {
		return nil, err
	}
	w.borrowed = first
	return w, nil
}

// unsupported reports what the configuration asks for and durashim lacks.
func unsupported(c *config.Config) error {
	var all []config.Unsupported
	all = append(all, c.Unsupported...)
	for _, e := range c.Extensions {
		all = append(all, config.Unsupported{Name: "Config.extensions", Pos: e.Pos})
	}
	for _, s := range c.Services {
		all = append(all, s.Unsupported...)
		if s.Worker == nil {
			continue
		}
		all = append(all, s.Worker.Unsupported...)
		for _, t := range s.Worker.Tails {
			all = append(all, config.Unsupported{Name: "Worker.tails", Pos: t.Pos})
		}
		for _, t := range s.Worker.StreamingTails {
			all = append(all, config.Unsupported{Name: "Worker.streamingTails", Pos: t.Pos})
		}
		if m := s.Worker.ModuleFallback; m.IsSet() {
			all = append(all, config.Unsupported{Name: "Worker.moduleFallback", Pos: m.Pos})
		}
		for _, n := range s.Worker.Namespaces {
			all = append(all, n.Unsupported...)
		}
		for _, b := range s.Worker.Bindings {
			all = append(all, b.Unsupported...)
		}
	}
	var errs []error
	for _, u := range all {
		errs = append(errs, fmt.Errorf("%s: durashim does not implement %s", u.Pos, u.Name))
	}
	return errors.Join(errs...)
}

func (rt *Runtime) worker(name string) *worker {
	for _, w := range rt.workers {
		if w.name == name {
			return w
		}
	}
	return nil
}

func (rt *Runtime) testHost(loop sched.Loop) *jsbridge.TestHost {
	if !rt.opts.Tests {
		return nil
	}
	h := &jsbridge.TestHost{Faults: rt.faults, Loop: loop, Timeline: rt.timeline, Linger: rt.opts.Linger, Undisposed: &rt.leaks}
	if rt.opts.Clock != nil {
		h.Clock = rt.opts.Clock.v
	}
	return h
}

// Close ends everything that runs: calls in flight fail, what was confirmed is
// kept, scripts' references in Go's hands are closed, and Go functions in the
// hands of scripts see their contexts end. It returns the first error of closing
// the storage.
//
// A turn of JavaScript that is running is waited for, so that nothing is written
// afterwards; one that does not end is given up by the rules of [Options].Limits,
// by default after 31 seconds. Go functions that scripts have called are not
// waited for. Close must not be called by what a turn calls, such as
// [Options].Console.
func (rt *Runtime) Close() error {
	rt.closeOnce.Do(func() {
		rt.closed.Store(true)
		rt.closeConnections()
		for _, w := range rt.workers {
			w.mu.Lock()
			for _, s := range w.slots {
				s.loop.Close()
			}
			w.mu.Unlock()
		}
		for _, w := range rt.workers {
			w.drain()
		}
		for _, w := range rt.workers {
			w.failCalls(errClosed)
		}
		rt.sched.Close()
		rt.closeExports()
		rt.held.close()
		for _, w := range rt.workers {
			w.forget()
		}
		for _, t := range rt.transports {
			t.CloseIdleConnections()
		}
		rt.closeErr = rt.stores.release()
	})
	return rt.closeErr
}

// Faults returns the faults in force, to add to them or to clear them.
func (rt *Runtime) Faults() *durable.Faults { return rt.faults }

// Timeline returns the record of all calls; nil unless [Options.Record] is set.
func (rt *Runtime) Timeline() *durable.Timeline { return rt.timeline }

// Undisposed lists the stubs that requests have received in the results of calls
// and have not disposed of by their end, in the order of those ends. It is nil
// unless [Options].Tests is set; see [jsbridge.Undisposed] for what counts.
func (rt *Runtime) Undisposed() []jsbridge.UndisposedStub {
	return rt.leaks.List()
}

// Clock returns the virtual clock; nil when the project runs on the machine's.
func (rt *Runtime) Clock() *VirtualClock { return rt.opts.Clock }

// Bindings lists the names of the Durable Object bindings of the first worker.
func (rt *Runtime) Bindings() (names []string) {
	for _, b := range rt.workers[0].env {
		if b.Namespace != nil {
			names = append(names, b.Name)
		}
	}
	return names
}

func (rt *Runtime) unknownBinding(name string) error {
	known := "there are none"
	if n := rt.Bindings(); len(n) > 0 {
		known = "there are " + strings.Join(n, ", ")
	}
	return fmt.Errorf("%s: worker %s has no Durable Object binding %q (%s)", rt.cfg.Path, rt.workers[0].name, name, known)
}
