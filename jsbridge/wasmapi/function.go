package wasmapi

import (
	"context"
	"strconv"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

// funcObject returns the JavaScript function of a function, always the same: an
// Exported Function (https://webassembly.github.io/spec/js-api/#exported-function).
func (a *API) funcObject(f *wasm.Func) *goja.Object {
	if o, ok := f.Data.(*goja.Object); ok {
		return o
	}
	t := f.Type()
	slots := t.Slots()
	plain := convertible(t)
	o := a.function(strconv.Itoa(int(f.Index)), len(t.Params), func(c goja.FunctionCall) goja.Value {
		if !plain {
			a.throwType(incompatible)
		}
		return a.call(f, t, slots, c.Arguments)
	})
	a.bind(o, f)
	f.Data = o
	return o
}

// convertible reports whether a function can be called from JavaScript or be
// one at all.
func convertible(t *wasm.FuncType) bool {
	for _, ts := range [][]wasm.ValueType{t.Params, t.Results} {
		for _, t := range ts {
			if t == wasm.V128 || t == wasm.Exnref {
				return false
			}
		}
	}
	return true
}

func (a *API) call(f *wasm.Func, t *wasm.FuncType, slots int, args []goja.Value) goja.Value {
	a.tidy()
	base := len(a.stack)
	for range slots {
		a.stack = append(a.stack, 0)
	}
	stack := a.stack[base : base+slots : base+slots]
	done := false
	defer func() {
		a.stack = a.stack[:base]
		if !done {
			// JavaScript may go on after an exception.
			f.Instance.EachMemory(checkMemory)
		}
	}()
	for i, pt := range t.Params {
		v := goja.Undefined()
		if i < len(args) {
			v = args[i]
		}
		var g *wasm.Func
		if stack[i], g = a.toWasm(pt, v); g != nil {
			f.Instance.Give(g)
		}
	}
	if err := f.Call(a.env.Context(), stack); err != nil {
		a.fail(err, "")
		return goja.Undefined()
	}
	done = true
	f.Instance.EachMemory(checkMemory)
	switch len(t.Results) {
	case 0:
		return goja.Undefined()
	case 1:
		return a.toJS(t.Results[0], stack[0])
	}
	list := make([]any, len(t.Results))
	for i, rt := range t.Results {
		list[i] = a.toJS(rt, stack[i])
	}
	return a.rt.NewArray(list...)
}

// hostFunc makes a JavaScript function callable for WebAssembly. instance is
// set once the instance that imports it exists.
func (a *API) hostFunc(fn goja.Callable, t *wasm.FuncType, instance *(*wasm.Instance)) wasm.HostFunc {
	plain := convertible(t)
	return func(_ context.Context, stack []uint64) error {
		if i := *instance; i != nil {
			i.EachMemory(checkMemory)
		}
		if !plain {
			return a.thrown(func() { a.throwType(incompatible) })
		}
		var args []goja.Value
		if len(t.Params) > 0 {
			args = make([]goja.Value, len(t.Params))
			for i, pt := range t.Params {
				args[i] = a.toJS(pt, stack[i])
			}
		}
		v, err := fn(goja.Undefined(), args...)
		if err != nil || len(t.Results) == 0 {
			return err
		}
		return a.thrown(func() { a.results(t.Results, v, stack, *instance) })
	}
}

// thrown returns the exception that f throws.
func (a *API) thrown(f func()) error {
	if ex := a.rt.Try(f); ex != nil {
		return ex
	}
	return nil
}

func (a *API) results(ts []wasm.ValueType, v goja.Value, stack []uint64, i *wasm.Instance) {
	put := func(n int, v goja.Value) {
		var g *wasm.Func
		if stack[n], g = a.toWasm(ts[n], v); g != nil && i != nil {
			i.Give(g)
		}
	}
	if len(ts) == 1 {
		put(0, v)
		return
	}
	list := a.list(v)
	if len(list) != len(ts) {
		a.throwType("multi-return length mismatch")
	}
	for n, v := range list {
		put(n, v)
	}
}

// list reads an iterable.
func (a *API) list(v goja.Value) (list []goja.Value) {
	o, ok := v.(*goja.Object)
	if !ok && v.ExportType() == nil || !ok && v.ExportType().Kind().String() != "string" {
		a.throwType("%s %s is not iterable (cannot read property Symbol(Symbol.iterator))", typeOf(v), primitiveText(v))
	}
	if ok {
		if next := o.GetSymbol(goja.SymIterator); next == nil || goja.IsUndefined(next) || goja.IsNull(next) {
			a.throwType("object is not iterable (cannot read property Symbol(Symbol.iterator))")
		}
	}
	a.rt.ForOf(v, func(v goja.Value) bool {
		list = append(list, v)
		return true
	})
	return list
}

func typeOf(v goja.Value) string {
	switch {
	case goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "object"
	}
	if _, ok := v.(*goja.Symbol); ok {
		return "symbol"
	}
	switch v.Export().(type) {
	case bool:
		return "boolean"
	case int64, float64:
		return "number"
	}
	return "bigint"
}
