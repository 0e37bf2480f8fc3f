package wasmapi

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

func (a *API) globalObject(g *wasm.Global) *goja.Object {
	if o, ok := g.Data.(*goja.Object); ok {
		return o
	}
	o := a.rt.CreateObject(a.global.proto)
	a.adoptGlobal(o, g)
	return o
}

func (a *API) adoptGlobal(o *goja.Object, g *wasm.Global) {
	g.Data = o
	a.bind(o, g)
}

func (a *API) globalClass() {
	a.global = a.class("Global", "WebAssembly.Global(): ", a.newGlobal)
	this := func(c goja.FunctionCall, where string) *wasm.Global {
		return receiver[*wasm.Global](a, c, where, "Global")
	}
	value := func(g *wasm.Global, where string) goja.Value {
		if g.Type().Value == wasm.V128 {
			a.throwType("%s: Can't get the value of s128 WebAssembly.Global", where)
		}
		return a.toJS(g.Type().Value, g.Get())
	}
	p := a.global.proto
	a.method(p, "valueOf", 0, func(c goja.FunctionCall) goja.Value {
		const where = "WebAssembly.Global.valueOf()"
		return value(this(c, where), where)
	})
	// The stray parenthesis is V8's.
	const get, set = "get WebAssembly.Global.value)", "set WebAssembly.Global.value)"
	a.accessor(p, "value", func(c goja.FunctionCall) goja.Value {
		return value(this(c, get), get)
	}, func(c goja.FunctionCall) goja.Value {
		g := this(c, set)
		t := g.Type()
		if !t.Mutable {
			a.throwType("%s: Can't set the value of an immutable global.", set)
		}
		if t.Value == wasm.V128 {
			a.throwType("%s: Can't set the value of s128 WebAssembly.Global", set)
		}
		a.tidy()
		g.Set(a.globalValue(t.Value, c.Argument(0), set))
		return goja.Undefined()
	})
}

// globalValue converts a value for a global.
func (a *API) globalValue(t wasm.ValueType, v goja.Value, where string) (uint64, *wasm.Func) {
	if t == wasm.Funcref {
		ref, f, ok := a.funcref(v)
		if !ok {
			a.throwType("%s: %s", where, notAFunction)
		}
		return ref, f
	}
	return a.toWasm(t, v)
}

func (a *API) newGlobal(call goja.ConstructorCall, prefix string) {
	desc, ok := call.Argument(0).(*goja.Object)
	if !ok {
		a.throwType("%s: Argument 0 must be a global descriptor", prefix)
	}
	var t wasm.GlobalType
	if m := desc.Get("mutable"); m != nil {
		t.Mutable = m.ToBoolean()
	}
	switch stringOf(desc.Get("value")) {
	case "i32":
		t.Value = wasm.I32
	case "i64":
		t.Value = wasm.I64
	case "f32":
		t.Value = wasm.F32
	case "f64":
		t.Value = wasm.F64
	case "externref":
		t.Value = wasm.Externref
	case "anyfunc":
		t.Value = wasm.Funcref
	case "v128":
		a.throwType("%s: A global of type 'v128' cannot be created in JavaScript", prefix)
	default:
		a.throwType("%s: Descriptor property 'value' must be a WebAssembly type", prefix)
	}
	a.tidy()
	arg := call.Argument(1)
	var v uint64
	var f *wasm.Func
	switch given := defined(arg); {
	case t.Value == wasm.Externref, given, t.Value == wasm.Funcref && len(call.Arguments) > 1:
		v, f = a.globalValue(t.Value, arg, prefix)
	}
	g := a.store.NewGlobal(t, v)
	g.Hold(f)
	a.adoptGlobal(call.This, g)
}
