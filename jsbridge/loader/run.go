package loader

import (
	"errors"
	"fmt"

	"github.com/dop251/goja"
)

// Host is what a runtime provides to the bundle that runs in it. Its functions
// are called on the runtime's goroutine.
type Host struct {
	// Builtin gives the module object of a specifier from [Options.Builtins];
	// its properties are the exports. An error becomes a JavaScript exception.
	Builtin func(specifier string) (*goja.Object, error)
	// Data makes the default export of a .wasm or .bin import. If nil, Data
	// modules become ArrayBuffers of their own and CompiledWasm ones an error.
	Data func(m *DataModule) (goja.Value, error)
	// Caught is told each value that a catch clause of a program which mentions
	// stacks has caught, before the clause runs. It may be nil.
	Caught func(v goja.Value)
	// ImportMeta is import.meta of every module. If nil, it is an empty object
	// without prototype, as in workerd.
	ImportMeta *goja.Object
}

// Run evaluates the bundle in rt. The promise settles when the evaluation,
// top-level await included, has ended; it is fulfilled with the main module's
// namespace object, whose properties are getters that follow the module's
// bindings.
//
// If Run is called from outside of JavaScript, the microtasks have been run
// when it returns, so the namespace is there at once unless top-level await
// waits for something else; it is nil as long as the promise is pending, and
// after a rejection. The error is not nil when the wrapper itself could not be
// called, for example because the runtime was interrupted; what the modules
// throw rejects the promise.
func (b *Bundle) Run(rt *goja.Runtime, h Host) (*goja.Object, *goja.Promise, error) {
	v, err := rt.RunProgram(b.Program)
	if err != nil {
		return nil, nil, err
	}
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return nil, nil, errors.New("loader: the program is no bundle")
	}
	var ns *goja.Object
	host := rt.NewObject()
	set := func(name string, f func(goja.FunctionCall) goja.Value) {
		if err == nil {
			err = host.Set(name, f)
		}
	}
	set("exports", func(c goja.FunctionCall) goja.Value {
		ns = c.Argument(0).ToObject(rt)
		return goja.Undefined()
	})
	set("builtin", func(c goja.FunctionCall) goja.Value {
		return builtinValue(rt, &h, c.Argument(0).String())
	})
	set("data", func(c goja.FunctionCall) goja.Value {
		return dataValue(rt, &h, &b.Data[c.Argument(0).ToInteger()])
	})
	var thunks *goja.Object
	set("modules", func(c goja.FunctionCall) goja.Value {
		thunks = c.Argument(0).ToObject(rt)
		return goja.Undefined()
	})
	set("require", func(c goja.FunctionCall) goja.Value {
		m := builtinValue(rt, &h, b.resolveBuiltin(rt, c.Argument(0).String())).ToObject(rt)
		if d := m.Get("default"); d != nil {
			return d
		}
		return m
	})
	set("caught", func(c goja.FunctionCall) goja.Value {
		if h.Caught != nil {
			h.Caught(c.Argument(0))
		}
		return goja.Undefined()
	})
	set("pattern", func(c goja.FunctionCall) goja.Value {
		return patternArguments(rt, c.Arguments)
	})
	if err == nil {
		err = host.Set("pending", rt.NewObject()) // something that no module exports
	}
	if err != nil {
		return nil, nil, err
	}
	meta := h.ImportMeta
	if meta == nil {
		meta = rt.CreateObject(nil)
	}
	load := func(c goja.FunctionCall) goja.Value {
		return b.load(rt, &h, host, thunks, c.Argument(0).String())
	}
	finish := func(c goja.FunctionCall) goja.Value {
		if ns == nil {
			return goja.Undefined()
		}
		return ns
	}
	// The namespace as the value of the promise spares callers a second path
	// for modules that use top-level await.
	pv, err := fn(goja.Undefined(), host, meta, rt.ToValue(load))
	if err != nil {
		return nil, nil, err
	}
	then, ok := goja.AssertFunction(pv.ToObject(rt).Get("then"))
	if !ok {
		return nil, nil, errors.New("loader: the evaluation gave no promise")
	}
	pv, err = then(pv, rt.ToValue(finish))
	if err != nil {
		return nil, nil, err
	}
	promise, ok := pv.Export().(*goja.Promise)
	if !ok {
		return nil, nil, errors.New("loader: the evaluation gave no promise")
	}
	return ns, promise, nil
}

// throw raises a Go error as a JavaScript exception, keeping one that is
// JavaScript's already.
func throw(rt *goja.Runtime, err error) {
	var ex *goja.Exception
	if errors.As(err, &ex) {
		panic(ex.Value())
	}
	throwError(rt, err.Error())
}

func throwError(rt *goja.Runtime, msg string) {
	o, err := rt.New(rt.Get("Error"), rt.ToValue(msg))
	if err != nil {
		panic(rt.NewTypeError(msg)) // user code removed the global Error
	}
	panic(o)
}

func builtinValue(rt *goja.Runtime, h *Host, spec string) goja.Value {
	if h.Builtin == nil {
		throwError(rt, fmt.Sprintf("No such module %q.", spec))
	}
	o, err := h.Builtin(spec)
	if err != nil {
		throw(rt, err)
	}
	if o == nil {
		throwError(rt, fmt.Sprintf("No such module %q.", spec))
	}
	return o
}

func dataValue(rt *goja.Runtime, h *Host, m *DataModule) goja.Value {
	if h.Data != nil {
		v, err := h.Data(m)
		if err != nil {
			throw(rt, err)
		}
		return v
	}
	if m.Kind == CompiledWasm {
		throwError(rt, fmt.Sprintf("%s: WebAssembly modules are not supported by this host", m.Name))
	}
	// A copy: what JavaScript writes must not show in other runtimes.
	return rt.ToValue(rt.NewArrayBuffer(append([]byte(nil), m.Bytes...)))
}

// load answers import(x) with an x that was not known when the bundle was
// made. The bundle's code expects a module as require() would give it; for one
// that is part of the bundle it gets a token instead, and takes the promise of
// its evaluation from the host object (see helperFixes).
func (b *Bundle) load(rt *goja.Runtime, h *Host, host, thunks *goja.Object, spec string) goja.Value {
	if thunks != nil {
		if thunk, ok := goja.AssertFunction(thunks.Get(resolveName(b.root, spec))); ok {
			promise, err := thunk(goja.Undefined())
			if err != nil {
				panic(err)
			}
			token := rt.NewObject()
			if err := errors.Join(host.Set("pending", token), host.Set("promise", promise)); err != nil {
				throw(rt, err)
			}
			return token
		}
	}
	return asNamespace(rt, builtinValue(rt, h, b.resolveBuiltin(rt, spec)).ToObject(rt))
}

// resolveBuiltin throws what the real runtime throws for a specifier that
// leads nowhere. The importing module is not known here: a relative specifier
// counts from the main module's directory.
func (b *Bundle) resolveBuiltin(rt *goja.Runtime, spec string) string {
	switch {
	case b.builtins[spec]:
		return spec
	case b.builtins["node:"+spec]:
		return "node:" + spec
	case hostScheme(spec):
		throwError(rt, fmt.Sprintf("No such module %q.", spec))
	}
	throwError(rt, fmt.Sprintf("No such module %q.", resolveName(b.root, spec)))
	return ""
}

// asNamespace copies a module object so that esbuild's interop helper takes it
// for an ES module.
func asNamespace(rt *goja.Runtime, m *goja.Object) goja.Value {
	proto := rt.CreateObject(nil)
	if err := proto.Set("__esModule", true); err != nil {
		throw(rt, err)
	}
	ns := rt.CreateObject(proto)
	for _, k := range m.GetOwnPropertyNames() {
		if err := ns.Set(k, m.Get(k)); err != nil {
			throw(rt, err)
		}
	}
	return ns
}
