package wasmapi

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

func (a *API) tableObject(t *wasm.Table) *goja.Object {
	if o, ok := t.Data.(*goja.Object); ok {
		return o
	}
	o := a.rt.CreateObject(a.table.proto)
	a.adoptTable(o, t)
	return o
}

func (a *API) adoptTable(o *goja.Object, t *wasm.Table) {
	t.Data = o
	a.bind(o, t)
}

// element converts a value for a table. given tells whether there is one.
func (a *API) element(t wasm.ValueType, v goja.Value, given bool, fail string) (uint64, *wasm.Func) {
	if t == wasm.Externref {
		return a.extern(v), nil
	}
	if !given {
		return 0, nil
	}
	ref, f, ok := a.funcref(v)
	if !ok {
		a.throwType("%s", fail)
	}
	return ref, f
}

func (a *API) tableClass() {
	a.table = a.class("Table", "WebAssembly.Table(): ", a.newTable)
	this := func(c goja.FunctionCall, where string) *wasm.Table {
		return receiver[*wasm.Table](a, c, where, "Table")
	}
	p := a.table.proto
	a.accessor(p, "length", func(c goja.FunctionCall) goja.Value {
		return a.rt.ToValue(this(c, "WebAssembly.Table.length()").Size())
	}, nil)
	a.method(p, "grow", 1, func(c goja.FunctionCall) goja.Value {
		const where = "WebAssembly.Table.grow()"
		t := this(c, where)
		a.tidy()
		n := a.unsigned(c.Argument(0), argument(where, 0))
		given := defined(c.Argument(1))
		ref, f := a.element(t.Type().Elem, c.Argument(1), given, argument(where, 1)+" is invalid: "+notAFunction)
		before, ok := t.Grow(n, ref, f)
		if !ok {
			a.throwRange("%s: failed to grow table by %d", where, n)
		}
		return a.rt.ToValue(before)
	})
	index := func(t *wasm.Table, c goja.FunctionCall, where string) uint32 {
		i, size := a.unsigned(c.Argument(0), argument(where, 0)), t.Size()
		if i >= size {
			a.throwRange("%s: invalid address %d in %s table of size %d", where, i, t.Type().Elem, size)
		}
		return i
	}
	a.method(p, "set", 1, func(c goja.FunctionCall) goja.Value {
		const where = "WebAssembly.Table.set()"
		t := this(c, where)
		a.tidy()
		i := index(t, c, where)
		ref, f := a.element(t.Type().Elem, c.Argument(1), len(c.Arguments) > 1, argument(where, 1)+" is invalid for table: "+notAFunction)
		t.Set(i, ref, f)
		return goja.Undefined()
	})
	a.method(p, "get", 1, func(c goja.FunctionCall) goja.Value {
		const where = "WebAssembly.Table.get()"
		t := this(c, where)
		ref, _ := t.Get(index(t, c, where))
		return a.toJS(t.Type().Elem, ref)
	})
}

func (a *API) newTable(call goja.ConstructorCall, prefix string) {
	desc, ok := call.Argument(0).(*goja.Object)
	if !ok {
		a.throwType("%s: Argument 0 must be a table descriptor", prefix)
	}
	var t wasm.TableType
	switch stringOf(desc.Get("element")) {
	case "anyfunc":
		t.Elem = wasm.Funcref
	case "externref":
		t.Elem = wasm.Externref
	default:
		a.throwType("%s: Descriptor property 'element' must be a WebAssembly reference type", prefix)
	}
	t.Limits = a.limits(desc, prefix, wasm.MaxTableSize)
	a.tidy()
	given := defined(call.Argument(1))
	ref, f := a.element(t.Elem, call.Argument(1), given,
		prefix+": Argument 2 must be undefined or a value of type compatible with the type of the new table: "+notAFunction+".")
	table, err := a.store.NewTable(t)
	must(err)
	if ref != 0 {
		for i := range uint32(t.Min) {
			table.Set(i, ref, f)
		}
	}
	a.adoptTable(call.This, table)
}

func stringOf(v goja.Value) string {
	if !defined(v) {
		return "undefined"
	}
	return v.ToString().String()
}
