package webapi

import (
	"reflect"

	"github.com/dop251/goja"
)

// slot is embedded in every Go value that is attached to an object. It is
// stored as if it were a JavaScript value, which spares a wrapper object per
// instance; should it ever reach a script it behaves like undefined.
type slot struct {
	goja.Value
	owner *goja.Object
}

func (s *slot) base() *slot { return s }

// state is any attached Go value.
type state interface {
	goja.Value
	base() *slot
}

var proxyType = reflect.TypeFor[goja.Proxy]()

// attach ties s to o, which must not have an attachment yet.
func (a *API) attach(o *goja.Object, s state) {
	b := s.base()
	b.Value = goja.Undefined()
	b.owner = o
	if err := o.DefineDataPropertySymbol(a.slotSym, s, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
		panic(err)
	}
}

// lookup returns what is attached to v if it is of type T. A Proxy has nothing
// attached, like in workerd, and is not even asked: its traps would get to see
// the symbol.
func lookup[T any](a *API, v goja.Value) (T, bool) {
	var none T
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() == proxyType {
		return none, false
	}
	s, ok := o.GetSymbol(a.slotSym).(state)
	if !ok || s.base().owner != o {
		// The second case is an object that merely inherits from an instance.
		return none, false
	}
	t, ok := s.(T)
	return t, ok
}

// hideSlot wraps the built-ins that list symbols, so that the symbol of the
// attachment stays unknown to scripts.
func (a *API) hideSlot() {
	object := a.rt.Get("Object").ToObject(a.rt)
	reflectObj := a.rt.Get("Reflect").ToObject(a.rt)
	a.wrapLister(object, "getOwnPropertySymbols")
	a.wrapLister(reflectObj, "ownKeys")

	// A global that nobody has read yet is an accessor; whoever asks for its
	// descriptor is to see what it will be.
	for _, holder := range []*goja.Object{object, reflectObj} {
		const descriptor = "getOwnPropertyDescriptor"
		original := nativeFunc(holder.Get(descriptor))
		a.replace(holder, descriptor, 2, func(call goja.FunctionCall) goja.Value {
			if call.Argument(0) == a.rt.GlobalObject() {
				if name, ok := call.Argument(1).(goja.String); ok {
					a.rt.GlobalObject().Get(name.String())
				}
			}
			return original(call)
		})
	}

	const descriptors = "getOwnPropertyDescriptors"
	original := nativeFunc(object.Get(descriptors))
	a.replace(object, descriptors, 1, func(call goja.FunctionCall) goja.Value {
		if g := a.rt.GlobalObject(); call.Argument(0) == g {
			for _, name := range g.Keys() {
				g.Get(name)
			}
		}
		res := original(call)
		if o, ok := res.(*goja.Object); ok {
			_ = o.DeleteSymbol(a.slotSym)
		}
		return res
	})
}

// wrapLister replaces a built-in that returns an array of keys.
func (a *API) wrapLister(holder *goja.Object, name string) {
	original := nativeFunc(holder.Get(name))
	a.replace(holder, name, 1, func(call goja.FunctionCall) goja.Value {
		res := original(call)
		list, ok := res.(*goja.Object)
		if !ok {
			return res
		}
		n := int(list.Get("length").ToInteger())
		kept := make([]any, 0, n)
		for i := range n {
			if k := list.Get(itoa(i)); !k.SameAs(a.slotSym) {
				kept = append(kept, k)
			}
		}
		if len(kept) == n {
			return res
		}
		return a.rt.NewArray(kept...)
	})
}

// replace puts a Go function in the place of a built-in, with its name, length
// and attributes.
func (a *API) replace(holder *goja.Object, name string, length int, f func(goja.FunctionCall) goja.Value) {
	fn := a.function(name, f)
	_ = fn.DefineDataProperty("length", a.rt.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = holder.DefineDataProperty(name, fn, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// nativeFunc returns the Go function behind a built-in, which can be called
// without the detour through the interpreter.
func nativeFunc(v goja.Value) func(goja.FunctionCall) goja.Value {
	return v.Export().(func(goja.FunctionCall) goja.Value)
}

// attachment is a Go value of another part of the runtime.
type attachment struct {
	slot
	data any
}

// Attach ties a Go value to an object, which must not have one yet, without
// anything that scripts could see. Other parts of the runtime make their
// platform objects with it.
func (a *API) Attach(o *goja.Object, data any) { a.attach(o, &attachment{data: data}) }

// Attached returns what was tied to v with Attach, nil if nothing was. A Proxy
// has nothing attached.
func (a *API) Attached(v goja.Value) any {
	if s, ok := lookup[*attachment](a, v); ok {
		return s.data
	}
	return nil
}

// IsPlatformObject tells whether v is an object of the platform: one that this
// package made, or one with an attachment.
func (a *API) IsPlatformObject(v goja.Value) bool {
	_, ok := lookup[state](a, v)
	return ok
}
