package wasmapi

import (
	"fmt"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

// errorClass makes CompileError and its kin.
func (a *API) errorClass(name string) *goja.Object {
	var ctor *goja.Object
	ctor = a.rt.ToValue(func(call goja.ConstructorCall) *goja.Object {
		target := call.NewTarget
		if target == nil {
			target = ctor
		}
		args := make([]any, len(call.Arguments))
		for i, v := range call.Arguments {
			args[i] = v
		}
		return on(a.js.construct, goja.Undefined(), a.js.errorCtor, a.rt.NewArray(args...), target).(*goja.Object)
	}).(*goja.Object)
	a.describe(ctor, name, 1)
	must(ctor.SetPrototype(a.js.errorCtor))
	proto := ctor.Get("prototype").(*goja.Object)
	must(proto.SetPrototype(a.js.errorCtor.Get("prototype").(*goja.Object)))
	must(proto.DefineDataProperty("name", a.rt.ToValue(name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	must(proto.DefineDataProperty("message", a.rt.ToValue(""), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	must(ctor.DefineDataProperty("prototype", proto, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	return ctor
}

// newError makes an error of a class.
func (a *API) newError(class *goja.Object, text string) goja.Value {
	return on(a.js.construct, goja.Undefined(), a.js.errorCtor, a.rt.NewArray(text), class)
}

func (a *API) throw(class *goja.Object, format string, args ...any) {
	panic(a.newError(class, fmt.Sprintf(format, args...)))
}

func (a *API) throwType(format string, args ...any) {
	panic(a.rt.NewTypeError(append([]any{format}, args...)...))
}

func (a *API) throwRange(format string, args ...any) {
	a.throw(a.js.rangeError, format, args...)
}

// fail throws what ended a computation. prefix begins the text of errors that
// belong to instantiation.
func (a *API) fail(err error, prefix string) {
	switch err := err.(type) {
	case *wasm.Trap:
		switch err.Code {
		case wasm.TrapStackOverflow:
			a.throwRange("%s", err.Text)
		case wasm.TrapDataOutOfBounds, wasm.TrapElementOutOfBounds:
			a.throw(a.runtimeError, "%s: %s", prefix, err.Text)
		}
		a.throw(a.runtimeError, "%s", err.Text)
	case *wasm.LinkError:
		a.throw(a.linkError, "%s: %s", prefix, err.Error())
	case *wasm.Interrupted:
		a.env.Interrupted(err)
	default:
		// An exception of JavaScript, what ends JavaScript by force, or a fault
		// of the engine's.
		panic(err)
	}
}
