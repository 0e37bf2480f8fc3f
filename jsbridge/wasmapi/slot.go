package wasmapi

import (
	"reflect"
	"strconv"

	"github.com/dop251/goja"
)

// slot ties a Go value to an object. It sits in a property under a symbol that
// no script gets to see, as if it were a JavaScript value. A WeakMap would not
// do: goja's hold their values whether or not the key is reachable, and the
// values here lead back to their keys.
type slot struct {
	goja.Value // undefined
	owner      *goja.Object
	v          any
}

func (a *API) bind(o *goja.Object, v any) {
	must(o.DefineDataPropertySymbol(a.slotSym, &slot{goja.Undefined(), o, v}, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
}

var proxyType = reflect.TypeFor[goja.Proxy]()

// of returns the Go value of an object of this package.
func of[T any](a *API, v goja.Value) (t T, ok bool) {
	o, isObject := v.(*goja.Object)
	if !isObject || o.ExportType() == proxyType {
		return t, false
	}
	s, isSlot := o.GetSymbol(a.slotSym).(*slot)
	if !isSlot || s.owner != o { // the latter is an object that inherits from one of ours
		return t, false
	}
	t, ok = s.v.(T)
	return t, ok
}

// hideSlot wraps the built-ins that list symbols.
func (a *API) hideSlot() {
	object := a.rt.Get("Object").(*goja.Object)
	a.wrapLister(object, "getOwnPropertySymbols")
	a.wrapLister(a.rt.Get("Reflect").(*goja.Object), "ownKeys")
	const descriptors = "getOwnPropertyDescriptors"
	original := object.Get(descriptors).Export().(native)
	a.replace(object, descriptors, func(c goja.FunctionCall) goja.Value {
		v := original(c)
		if o, ok := v.(*goja.Object); ok {
			_ = o.DeleteSymbol(a.slotSym)
		}
		return v
	})
}

func (a *API) wrapLister(holder *goja.Object, name string) {
	original := holder.Get(name).Export().(native)
	a.replace(holder, name, func(c goja.FunctionCall) goja.Value {
		v := original(c)
		list, ok := v.(*goja.Object)
		if !ok {
			return v
		}
		if _, ours := of[any](a, c.Argument(0)); !ours {
			return v
		}
		var kept []any
		for i := range int(list.Get("length").ToInteger()) {
			if k := list.Get(strconv.Itoa(i)); !k.SameAs(a.slotSym) {
				kept = append(kept, k)
			}
		}
		return a.rt.NewArray(kept...)
	})
}

func (a *API) replace(holder *goja.Object, name string, f native) {
	must(holder.DefineDataProperty(name, a.function(name, 1, f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}
