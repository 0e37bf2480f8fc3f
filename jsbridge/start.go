package jsbridge

import (
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/jsbridge/builtin"
	"github.com/durashim/durashim/jsbridge/jsclone"
	"github.com/durashim/durashim/jsbridge/loader"
	"github.com/durashim/durashim/jsbridge/prelude"
	"github.com/durashim/durashim/jsbridge/wasmapi"
	"github.com/durashim/durashim/jsbridge/webapi"
)

// Binding is one property of env. Exactly one of the values is set.
type Binding struct {
	Name      string
	Text      *string
	JSON      []byte
	Data      []byte
	Namespace *durable.Namespace
	Service   Service
}

// platform are the modules that durashim itself provides, with their exports.
var platform = map[string][]string{
	"cloudflare:workers":         workersExports,
	"cloudflare:durable-objects": {"retryable", "onHibernate"},
}

const testModule = "durashim:test"

// Builtins lists the modules that a script may import besides its own, with the
// names that each exports, sorted, for [loader.Options]. test adds durashim:test.
// The result must not be changed: it is the same every time.
func Builtins(test bool) map[string][]string {
	if test {
		return builtinsOfTests()
	}
	return builtins()
}

var (
	builtins        = sync.OnceValue(func() map[string][]string { return listBuiltins(nil) })
	builtinsOfTests = sync.OnceValue(func() map[string][]string { return listBuiltins(testExports) })
)

func listBuiltins(tests []string) map[string][]string {
	m := builtin.Modules()
	for name, exports := range platform {
		m[name] = slices.Clone(exports)
	}
	if tests != nil {
		m[testModule] = slices.Clone(tests)
	}
	for _, exports := range m {
		slices.Sort(exports)
	}
	return m
}

// Prepare does what the first isolate of a process needs and every other one has
// for nothing: compiling the prelude, trying out the engine. Calling it is never
// necessary; a process starts sooner when it runs beside the bundler. Safe for use
// by many goroutines.
func Prepare() {
	// Whoever needs them gets the errors, too.
	_, _ = prelude.Compile()
	_ = engineFits()
	_ = promisesFit()
}

// start fills the global scope and starts the script. It runs in the first turn.
func (iso *Isolate) start() error {
	rt := iso.rt
	var err error
	if iso.prelude, err = prelude.Install(rt, prelude.Options{NeverCollect: iso.cfg.Deterministic}); err != nil {
		return err
	}
	iso.loadIntrinsics()
	iso.marks = iso.construct(iso.js.weakSet)
	env := webapi.Env{
		Now:    func() time.Time { return iso.now },
		Random: iso.cfg.Random,
		After: func(d time.Duration, f func()) func() {
			id := iso.setTimer(float64(d.Milliseconds()), false, f)
			return func() { iso.clearTimer(id) }
		},
		ReportError: iso.reportError,
	}
	iso.ioHooks(&env)
	iso.api, err = webapi.Install(rt, env)
	if err != nil {
		return err
	}
	iso.wasm = wasmapi.Install(rt, wasmapi.Env{Context: iso.watch.context})
	if iso.clone, err = jsclone.New(rt); err != nil {
		return err
	}
	iso.clone.TypedArray = iso.prelude.TypedArray
	iso.prelude.ParseJSON = iso.clone.ParseJSON
	if err := iso.installShift(); err != nil {
		return err
	}
	iso.initCloning()
	iso.initRPC()
	rt.SetAsyncContextTracker(tracker{iso})
	iso.modules = builtin.New(rt, iso.builtinHost())
	iso.extra = map[string]*goja.Object{}
	if err := iso.loadPlatform(); err != nil {
		return err
	}
	iso.installScope()
	iso.installConsole()
	iso.installGlobals()
	if err := iso.buildEnv(); err != nil {
		return err
	}
	_, promise, err := iso.cfg.Bundle.Run(rt, loader.Host{Builtin: iso.module, Data: iso.data, Caught: iso.prelude.FixStack})
	if ex := iso.exception(err); ex != nil {
		return fmt.Errorf("%s: the script failed to load: %s", iso.cfg.Name, iso.describe(ex.Value()))
	}
	// started reports its rejection, nobody else need.
	iso.then(rt.ToValue(promise), nil, func(goja.Value) {})
	iso.loading = promise
	return nil
}

// data makes the default export of an import whose bytes stay in Go.
func (iso *Isolate) data(m *loader.DataModule) (goja.Value, error) {
	if m.Kind == loader.CompiledWasm {
		v, err := iso.wasm.NewModule(m.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		return v, nil
	}
	return iso.rt.ToValue(iso.rt.NewArrayBuffer(append([]byte(nil), m.Bytes...))), nil
}

// started reports how loading ended, after the first turn.
func (iso *Isolate) started() error {
	p := iso.loading
	iso.loading = nil
	switch p.State() {
	case goja.PromiseStateRejected:
		return fmt.Errorf("%s: the script failed to load: %s", iso.cfg.Name, iso.describe(p.Result()))
	case goja.PromiseStatePending:
		// No I/O can happen before the script is loaded, so nothing will ever
		// settle what it waits for.
		return fmt.Errorf("%s: the script failed to load: its top-level await never ends", iso.cfg.Name)
	}
	iso.exports, _ = p.Result().(*goja.Object)
	return iso.prelude.AllowCode(false)
}

// builtinHost is what the built-in modules need of the isolate.
func (iso *Isolate) builtinHost() *goja.Object {
	h := iso.rt.NewObject()
	_ = h.Set("getAsyncContext", func(goja.FunctionCall) goja.Value {
		if iso.cur == nil || iso.cur.local == nil {
			return goja.Undefined()
		}
		return iso.cur.local
	})
	_ = h.Set("setAsyncContext", func(c goja.FunctionCall) goja.Value {
		f := *iso.cur
		f.local = c.Argument(0)
		if goja.IsUndefined(f.local) {
			f.local = nil
		}
		iso.cur = &f
		return goja.Undefined()
	})
	iso.processHost(h)
	return h
}

// module returns a built-in module for an import.
func (iso *Isolate) module(specifier string) (*goja.Object, error) {
	if m := iso.extra[specifier]; m != nil {
		return m, nil
	}
	if specifier == testModule && iso.cfg.Test != nil {
		m := iso.newTestModule(iso.cfg.Test)
		iso.extra[specifier] = m
		return m, nil
	}
	return iso.modules.Load(specifier)
}

// loadPlatform makes the modules of the platform.
func (iso *Isolate) loadPlatform() error {
	iso.env = iso.rt.NewObject()
	workers, err := iso.workersModule()
	if err != nil {
		return err
	}
	iso.extra["cloudflare:workers"] = workers
	iso.js.rpcTarget = iso.baseClass("RpcTarget").Get("prototype").(*goja.Object)

	objects := iso.rt.NewObject()
	_ = objects.Set("retryable", iso.retryable())
	_ = objects.Set("onHibernate", goja.Undefined())
	iso.extra["cloudflare:durable-objects"] = objects
	return nil
}

// baseClass returns a class of cloudflare:workers.
func (iso *Isolate) baseClass(name string) *goja.Object {
	return iso.extra["cloudflare:workers"].Get(name).(*goja.Object)
}

func (iso *Isolate) buildEnv() error {
	for _, b := range iso.cfg.Env {
		var v goja.Value
		switch {
		case b.Text != nil:
			v = iso.rt.ToValue(*b.Text)
		case b.JSON != nil:
			parse, _ := goja.AssertFunction(iso.rt.GlobalObject().Get("JSON").(*goja.Object).Get("parse")) // no script has run yet
			var err error
			if v, err = parse(goja.Undefined(), iso.rt.ToValue(string(b.JSON))); err != nil {
				return fmt.Errorf("%s: binding %s: %w", iso.cfg.Name, b.Name, err)
			}
		case b.Data != nil:
			v = iso.rt.ToValue(iso.rt.NewArrayBuffer(append([]byte(nil), b.Data...)))
		case b.Namespace != nil:
			v = iso.newNamespace(b.Namespace)
		case b.Service != nil:
			v = iso.newServiceStub(b.Service)
		default:
			return fmt.Errorf("%s: binding %s has no value", iso.cfg.Name, b.Name)
		}
		_ = iso.env.Set(b.Name, v)
	}
	return nil
}

// installConsole defines console; its texts are formatted as Node.js does.
func (iso *Isolate) installConsole() {
	console := iso.rt.NewObject()
	print := func(level string) native {
		return func(c goja.FunctionCall) goja.Value {
			if iso.cfg.Console == nil {
				return goja.Undefined()
			}
			format := iso.builtinFunction("internal:format", "format")
			v, ex := iso.call(format, goja.Undefined(), c.Arguments...)
			if ex != nil {
				panic(ex)
			}
			iso.cfg.Console(level, v.String())
			return goja.Undefined()
		}
	}
	for _, level := range []string{"debug", "error", "info", "log", "warn"} {
		iso.method(console, level, 0, print(level))
	}
	// These print nothing where nobody listens with an inspector (measured on
	// workerd).
	for _, name := range []string{"dir", "dirxml", "table", "trace", "group", "groupCollapsed", "groupEnd", "clear", "count", "countReset",
		"profile", "profileEnd", "time", "timeLog", "timeEnd", "timeStamp"} {
		iso.method(console, name, 0, func(goja.FunctionCall) goja.Value { return goja.Undefined() })
	}
	iso.method(console, "assert", 0, func(c goja.FunctionCall) goja.Value {
		if c.Argument(0).ToBoolean() {
			return goja.Undefined()
		}
		rest := c.Arguments
		if len(rest) > 0 {
			rest = rest[1:]
		}
		args := append([]goja.Value{iso.rt.ToValue("Assertion failed")}, rest...)
		return print("error")(goja.FunctionCall{This: c.This, Arguments: args})
	})
	_ = console.DefineDataPropertySymbol(goja.SymToStringTag, iso.rt.ToValue("console"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = iso.rt.GlobalObject().DefineDataProperty("console", console, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

func (iso *Isolate) builtinFunction(module, name string) goja.Callable {
	m, err := iso.modules.Load(module)
	if err != nil {
		panic(iso.rt.NewGoError(err))
	}
	fn, _ := goja.AssertFunction(m.Get(name))
	return fn
}

func (iso *Isolate) installGlobals() {
	iso.installFetch()
}

// Exports lists the names that the script exports, sorted.
func (iso *Isolate) Exports() []string {
	if iso.exports == nil {
		return nil // given up
	}
	names := iso.exports.Keys()
	sort.Strings(names)
	return names
}

// hold keeps whatever the context belongs to from ending; for a request that is
// the request itself.
func (c *IOContext) hold() (release func()) {
	if c.act != nil {
		return c.act.Hold()
	}
	c.pending++
	return func() {
		c.pending--
		if c.pending == 0 && c.onIdle != nil {
			c.onIdle()
		}
	}
}
