package wasmapi

import (
	"github.com/dop251/goja"
)

// class is a constructor of the namespace.
type class struct{ ctor, proto *goja.Object }

// class makes a class. construct gives the new object its Go value; it gets the
// prefix of its error texts.
func (a *API) class(name, withoutNew string, construct func(call goja.ConstructorCall, prefix string)) class {
	full := "WebAssembly." + name
	ctor := a.rt.ToValue(func(call goja.ConstructorCall) *goja.Object {
		if a.calledWithoutNew(call) {
			a.throwType("%s%s must be invoked with 'new'", withoutNew, full)
		}
		construct(call, full+"()")
		return nil
	}).(*goja.Object)
	a.describe(ctor, name, 1)
	c := class{ctor: ctor, proto: ctor.Get("prototype").(*goja.Object)}
	must(ctor.DefineDataProperty("prototype", c.proto, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	must(c.proto.DefineDataPropertySymbol(goja.SymToStringTag, a.rt.ToValue(full), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return c
}

// calledWithoutNew tells `X()` from `new X()`. goja reports no new.target for
// either, but only a plain call has a frame of its own on the call stack.
func (a *API) calledWithoutNew(call goja.ConstructorCall) bool {
	if call.NewTarget != nil {
		return false
	}
	a.frames = a.rt.CaptureCallStack(1, a.frames[:0])
	return len(a.frames) == 0 || a.frames[0].SrcName() == "<native>"
}

func (a *API) describe(fn *goja.Object, name string, length int) {
	must(fn.DefineDataProperty("length", a.rt.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	must(fn.DefineDataProperty("name", a.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

func (a *API) function(name string, length int, f native) *goja.Object {
	fn := a.rt.ToValue(f).(*goja.Object)
	a.describe(fn, name, length)
	return fn
}

func (a *API) method(o *goja.Object, name string, length int, f native) {
	must(o.DefineDataProperty(name, a.function(name, length, f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

func (a *API) accessor(o *goja.Object, name string, get, set native) {
	var setter goja.Value
	if set != nil {
		setter = a.function("set "+name, 1, set)
	}
	must(o.DefineAccessorProperty(name, a.function("get "+name, 0, get), setter, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

// receiver returns the Go value of a method's this. where begins the error
// text; its form varies in V8.
func receiver[T any](a *API, c goja.FunctionCall, where, class string) T {
	t, ok := of[T](a, c.This)
	if !ok {
		a.throwType("%s: Receiver is not a WebAssembly.%s", where, class)
	}
	return t
}
