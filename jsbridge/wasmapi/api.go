package wasmapi

import (
	"context"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

// Env is what the surroundings of a runtime supply.
type Env struct {
	// Context is the context of the present turn. When it is cancelled,
	// WebAssembly that runs stops soon. It is asked at each call into
	// WebAssembly and should give the same context throughout a turn. nil means
	// that nothing stops WebAssembly.
	Context func() context.Context
	// Interrupted is called when WebAssembly was stopped by the context. It
	// should end the JavaScript that called, by a panic or an interrupt. nil
	// means Runtime.Interrupt with the cause.
	Interrupted func(err error)
}

// API is the WebAssembly of one runtime.
type API struct {
	rt    *goja.Runtime
	env   Env
	store *wasm.Store
	ns    *goja.Object

	module, instance, memory, table, global, tag class
	compileError, linkError, runtimeError        *goja.Object
	js                                           intrinsics

	slotSym   *goja.Symbol
	undefined *externBox
	stack     []uint64 // scratch space of calls
	frames    []goja.StackFrame
}

type native = func(goja.FunctionCall) goja.Value

// intrinsics are built-in functions, fetched before any script can replace them.
type intrinsics struct {
	construct             native
	freeze                native
	asIntN                native
	promiseResolve        native
	promiseThen           native
	promise               *goja.Object
	errorCtor, rangeError *goja.Object
	syntaxError           *goja.Object
	isView                native
}

// Install defines the global WebAssembly on rt and returns the handle by which
// the loader makes modules. It must be called once per runtime, before any
// script runs. The namespace itself is built when it is first used.
func Install(rt *goja.Runtime, env Env) *API {
	a := &API{rt: rt, env: env, store: wasm.NewStore(), slotSym: goja.NewSymbol("")}
	if a.env.Context == nil {
		a.env.Context = context.Background
	}
	if a.env.Interrupted == nil {
		a.env.Interrupted = func(err error) { rt.Interrupt(err) }
	}
	a.loadIntrinsics()
	a.hideSlot()
	g := rt.GlobalObject()
	settle := func(v goja.Value) {
		_ = g.DefineDataProperty("WebAssembly", v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	get := rt.ToValue(func(goja.FunctionCall) goja.Value {
		ns := a.namespace()
		settle(ns)
		return ns
	})
	set := rt.ToValue(func(c goja.FunctionCall) goja.Value {
		settle(c.Argument(0))
		return goja.Undefined()
	})
	must(g.DefineAccessorProperty("WebAssembly", get, set, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return a
}

func (a *API) loadIntrinsics() {
	g := a.rt.GlobalObject()
	obj := func(v goja.Value) *goja.Object { return v.(*goja.Object) }
	fn := func(o *goja.Object, name string) native { return o.Get(name).Export().(native) }
	a.js.construct = fn(obj(g.Get("Reflect")), "construct")
	a.js.freeze = fn(obj(g.Get("Object")), "freeze")
	a.js.asIntN = fn(obj(g.Get("BigInt")), "asIntN")
	a.js.isView = fn(obj(g.Get("ArrayBuffer")), "isView")
	a.js.promise = obj(g.Get("Promise"))
	a.js.promiseResolve = fn(a.js.promise, "resolve")
	a.js.promiseThen = fn(obj(a.js.promise.Get("prototype")), "then")
	a.js.errorCtor, a.js.rangeError = obj(g.Get("Error")), obj(g.Get("RangeError"))
	a.js.syntaxError = obj(g.Get("SyntaxError"))
}

func on(f native, this goja.Value, args ...goja.Value) goja.Value {
	return f(goja.FunctionCall{This: this, Arguments: args})
}

// Owns reports whether v is an object of this package, including the functions
// that modules export. Such objects cannot be cloned by the structured-clone
// algorithm.
func (a *API) Owns(v goja.Value) bool {
	_, ok := of[any](a, v)
	return ok
}

// NewModule compiles a module that belongs to the worker and returns its
// WebAssembly.Module object. The bytes must not be changed afterwards. The
// error is a *wasm.CompileError.
func (a *API) NewModule(data []byte) (goja.Value, error) {
	m, err := wasm.Compile(data)
	if err != nil {
		return nil, err
	}
	a.namespace()
	o := a.rt.CreateObject(a.module.proto)
	a.bind(o, m)
	return o, nil
}

// must is for definitions on objects that were just made, where failure means
// a mistake in this package.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
