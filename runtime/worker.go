package runtime

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/internal/compat"
	"github.com/durashim/durashim/internal/config"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge"
	"github.com/durashim/durashim/jsbridge/loader"
)

// worker is one script with its isolates and the objects of its classes.
type worker struct {
	rt         *Runtime
	name       string
	cfg        *config.Worker
	bundle     *loader.Bundle
	env        []jsbridge.Binding
	mu         sync.Mutex            // guards slots, and the loop of each
	slots      []*slot               // the first one serves requests
	namespaces map[string]*namespace // by class
	compat     compat.Set
	borrowed   *worker // the worker whose bindings this one shares; nil for a worker of its own
}

// namespace is one class of objects.
type namespace struct {
	worker    *worker
	class     string
	ids       durable.IDFactory
	storage   *storage.Backend
	mode      durable.StorageMode
	keep      bool                           // objects are not evicted
	hosts     []atomic.Pointer[durable.Host] // one for each isolate; nil when they are in another process
	apart     bool                           // it has isolates of its own; guarded by the worker's lock once that runs
	transport durable.Transport
}

func (ns *namespace) route(t durable.Target) *durable.Host {
	n := 0
	if len(ns.hosts) > 1 {
		h := fnv.New32a()
		_, _ = h.Write(t.ID[:])
		n = int(h.Sum32() % uint32(len(ns.hosts)))
	}
	return ns.hosts[n].Load()
}

// binding returns the caller's view of the namespace under the name of a binding.
func (ns *namespace) binding(name string) *durable.Namespace {
	return &durable.Namespace{Name: name, IDs: ns.ids, Engine: ns.worker.rt.engine, Transport: ns.transport}
}

func (rt *Runtime) newWorker(name string, cfg *config.Worker, isolates int) (*worker, error) {
	w := &worker{rt: rt, name: name, cfg: cfg, namespaces: map[string]*namespace{}}
	if err := w.setCompat(); err != nil {
		return nil, err
	}
	n := max(isolates, 1)
	for _, c := range cfg.Namespaces {
		ns := &namespace{worker: w, class: c.ClassName.Value, ids: durable.NewIDFactory(c.UniqueKey.Value)}
		if c.Ephemeral {
			return nil, fmt.Errorf("%s: durashim does not implement ephemeralLocal namespaces", c.Pos)
		}
		w.namespaces[ns.class] = ns
		if rt.client != nil {
			ns.transport = rt.client.Transport(remoteID(name, c))
			continue
		}
		ns.hosts = make([]atomic.Pointer[durable.Host], n)
		ns.transport = &durable.Local{Faults: rt.faults, Route: ns.route}
		var err error
		ns.mode, ns.keep = storageMode(cfg, c), c.PreventEviction
		if ns.storage, err = rt.openStorage(cfg, c.UniqueKey.Value, ns.mode); err != nil {
			return nil, fmt.Errorf("%s: storage of class %s: %w", c.Pos, ns.class, err)
		}
	}
	// Last, so that an error leaves no loop behind.
	for i := range n {
		w.slots = append(w.slots, w.newSlot(i, nil))
	}
	return w, nil
}

// storageMode says what the storage of a class offers.
func storageMode(w *config.Worker, c *config.DurableObjectNamespace) durable.StorageMode {
	switch {
	case w.Storage.Kind == config.StorageInMemory:
		return durable.StorageMemory
	case !c.EnableSQL:
		return durable.StorageKV
	}
	return durable.StorageSQLite
}

func (rt *Runtime) openStorage(w *config.Worker, uniqueKey string, mode durable.StorageMode) (*storage.Backend, error) {
	return rt.stores.get(uniqueKey, func() (*storage.Backend, error) {
		dir, err := rt.storageDir(w)
		if err != nil {
			return nil, err
		}
		if dir == "" || mode == durable.StorageMemory {
			return storage.NewMemory(), nil
		}
		var options []storage.Option
		if rt.opts.PowerSafe {
			options = append(options, storage.WithPowerSafety())
		}
		return storage.NewDisk(filepath.Join(dir, uniqueKey), options...)
	})
}

// build bundles the script.
func (w *worker) build() error {
	o := loader.Options{Builtins: jsbridge.Builtins(w.rt.opts.Tests), Dir: w.rt.dir}
	switch {
	case w.cfg.Main.IsSet():
		rel, err := filepath.Rel(w.rt.dir, w.cfg.Main.Value)
		if err != nil {
			return err
		}
		o.Entry = rel
		if b := w.cfg.Bundle; b != nil {
			for _, r := range b.Rules {
				kind, ok := ruleKinds[r.Type.Value]
				if !ok {
					return fmt.Errorf("%s: durashim does not implement module rules of type %s", r.Pos, r.Type.Value)
				}
				rule := loader.Rule{Kind: kind, Fallthrough: r.Fallthrough}
				for _, g := range r.Globs {
					rule.Globs = append(rule.Globs, g.Value)
				}
				o.Rules = append(o.Rules, rule)
			}
			for _, d := range b.Define {
				if o.Define == nil {
					o.Define = map[string]string{}
				}
				o.Define[d.Name] = d.Value.Value
			}
			for _, a := range b.Alias {
				if o.Alias == nil {
					o.Alias = map[string]string{}
				}
				o.Alias[a.Name] = a.Value.Value
			}
			o.Tsconfig = b.TSConfig.Value
		}
	case len(w.cfg.Modules) > 0:
		for _, m := range w.cfg.Modules {
			kind, ok := moduleKinds[m.Kind]
			if !ok {
				return fmt.Errorf("%s: durashim does not implement modules of kind %s", m.Pos, m.Kind)
			}
			o.Modules = append(o.Modules, loader.Module{Name: m.Name.Value, Kind: kind, Contents: m.Content})
		}
	case w.cfg.ServiceWorkerScript.IsSet():
		return fmt.Errorf("%s: durashim does not implement service-worker scripts; use ES modules", w.cfg.ServiceWorkerScript.Pos)
	default:
		return fmt.Errorf("%s: the worker has neither main nor modules", w.cfg.Pos)
	}
	var err error
	w.bundle, err = loader.Build(o)
	return err
}

var ruleKinds = map[string]loader.Kind{
	"ESModule": loader.ESModule, "CommonJS": loader.CommonJS, "Text": loader.Text,
	"Data": loader.Data, "CompiledWasm": loader.CompiledWasm,
}

var moduleKinds = map[config.ModuleKind]loader.Kind{
	config.ModuleES: loader.ESModule, config.ModuleCommonJS: loader.CommonJS, config.ModuleText: loader.Text,
	config.ModuleJSON: loader.JSON, config.ModuleData: loader.Data, config.ModuleWasm: loader.CompiledWasm,
	moduleTypeScript: loader.TypeScript,
}

// service is an entrypoint of a worker as other workers reach it.
type service struct {
	w      *worker
	export string
}

var _ jsbridge.RPCService = service{}

// Call implements [jsbridge.RPCService].
func (s service) Call(op durable.Op, done func(durable.Result, *durable.Error)) {
	s.w.main().Call(jsbridge.Entry{Export: s.export}, op, done)
}

// Fetch implements [jsbridge.Service].
func (s service) Fetch(req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) {
	s.w.main().Fetch(s.export, req, done)
}
