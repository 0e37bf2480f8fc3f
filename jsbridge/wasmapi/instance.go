package wasmapi

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

// instantiate makes an instance, runs its start function and returns its
// exports object.
func (a *API) instantiate(m *wasm.Module, imports goja.Value, prefix string) (*wasm.Instance, *goja.Object) {
	o, isObject := imports.(*goja.Object)
	if !isObject {
		if !goja.IsUndefined(imports) {
			a.throwType("%s: Argument 1 must be an object", prefix)
		}
		if len(m.Imports) > 0 {
			a.throwType("%s: Imports argument must be present and must be an object", prefix)
		}
	}
	a.tidy()
	values := make([]goja.Value, len(m.Imports))
	for n := range m.Imports {
		values[n] = a.lookup(o, n, &m.Imports[n], prefix)
	}
	var instance *wasm.Instance
	i, err := a.store.Instantiate(m, func(n int, im *wasm.ImportType) (v any, err error) {
		err = a.thrown(func() { v = a.resolve(values[n], n, im, prefix, &instance) })
		return v, err
	})
	if err != nil {
		a.fail(err, prefix)
	}
	instance = i
	exports := a.exportsObject(i)
	if err := i.Start(a.env.Context()); err != nil {
		a.fail(err, prefix)
	}
	i.EachMemory(checkMemory)
	return i, exports
}

// lookup reads an import from the imports object.
func (a *API) lookup(imports *goja.Object, n int, im *wasm.ImportType, prefix string) goja.Value {
	module, ok := imports.Get(im.Module).(*goja.Object)
	if !ok {
		a.throwType("%s: Import #%d %q: module is not an object or function", prefix, n, im.Module)
	}
	if v := module.Get(im.Name); v != nil {
		return v
	}
	return goja.Undefined()
}

// resolve turns what was given for an import into what the store takes.
func (a *API) resolve(v goja.Value, n int, im *wasm.ImportType, prefix string, instance **wasm.Instance) any {
	mismatch := func(text string) {
		e := wasm.LinkError{Import: n, Module: im.Module, Name: im.Name, Text: text}
		a.throw(a.linkError, "%s: %s", prefix, e.Error())
	}
	switch im.Type.Kind {
	case wasm.KindFunc:
		if f, ok := of[*wasm.Func](a, v); ok {
			return f
		}
		fn, ok := goja.AssertFunction(v)
		if !ok {
			mismatch("function import requires a callable")
		}
		return a.hostFunc(fn, im.Type.Func, instance)
	case wasm.KindMemory:
		if m, ok := of[*wasm.Memory](a, v); ok {
			return m
		}
		mismatch("memory import must be a WebAssembly.Memory object")
	case wasm.KindTable:
		if t, ok := of[*wasm.Table](a, v); ok {
			return t
		}
		mismatch("table import requires a WebAssembly.Table")
	case wasm.KindTag:
		if t, ok := of[*wasm.Tag](a, v); ok {
			return t
		}
		mismatch("tag import requires a WebAssembly.Tag")
	}
	if g, ok := of[*wasm.Global](a, v); ok {
		return g
	}
	t := im.Type.Global
	if t.Mutable {
		mismatch("imported mutable global must be a WebAssembly.Global object")
	}
	if !a.numeric(t.Value, v) {
		mismatch("global import must be a number, valid Wasm reference, or WebAssembly.Global object")
	}
	ref, _ := a.toWasm(t.Value, v)
	return wasm.Value(ref)
}

// numeric reports whether v may be given for an immutable global.
func (a *API) numeric(t wasm.ValueType, v goja.Value) bool {
	switch t {
	case wasm.I32, wasm.F32, wasm.F64:
		return v.ExportType() == typeInt || v.ExportType() == typeFloat
	case wasm.I64:
		return v.ExportType() == typeBigInt
	case wasm.Externref:
		return true
	case wasm.Funcref:
		_, _, ok := a.funcref(v)
		return ok
	}
	return false
}

// exportsObject makes the frozen object of exports.
func (a *API) exportsObject(i *wasm.Instance) *goja.Object {
	o := a.rt.CreateObject(nil)
	for n, x := range i.Module().Exports {
		var v goja.Value
		switch e := i.Exports[n].(type) {
		case *wasm.Func:
			v = a.funcObject(e)
		case *wasm.Table:
			v = a.tableObject(e)
		case *wasm.Memory:
			v = a.memoryObject(e)
		case *wasm.Global:
			v = a.globalObject(e)
		case *wasm.Tag:
			v = a.tagObject(e)
		}
		must(o.DefineDataProperty(x.Name, v, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE))
	}
	on(a.js.freeze, goja.Undefined(), o)
	return o
}

// instanceView is the Go value of an Instance object.
type instanceView struct {
	i       *wasm.Instance
	exports *goja.Object
}

func (a *API) instanceClass() {
	a.instance = a.class("Instance", "", func(call goja.ConstructorCall, prefix string) {
		m, ok := of[*wasm.Module](a, call.Argument(0))
		if !ok {
			a.throwType("%s: Argument 0 must be a WebAssembly.Module", prefix)
		}
		i, exports := a.instantiate(m, call.Argument(1), prefix)
		a.bind(call.This, &instanceView{i, exports})
	})
	a.accessor(a.instance.proto, "exports", func(c goja.FunctionCall) goja.Value {
		return receiver[*instanceView](a, c, "WebAssembly.Instance.exports()", "Instance").exports
	}, nil)
}

func (a *API) tagObject(t *wasm.Tag) *goja.Object {
	if o, ok := t.Data.(*goja.Object); ok {
		return o
	}
	o := a.rt.CreateObject(a.tag.proto)
	t.Data = o
	a.bind(o, t)
	return o
}
