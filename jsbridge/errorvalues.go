package jsbridge

import (
	"errors"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/jsbridge/jsclone"
)

// errorOf turns a thrown value into the error that travels. object is the id
// that durableObjectId shall name, "" for none.
func (iso *Isolate) errorOf(v goja.Value, object string) *durable.Error {
	e := &durable.Error{Name: "Error"}
	iso.prelude.FixStack(v)
	o, isObject := v.(*goja.Object)
	if !isObject {
		// Anything can be thrown; a value that is no object becomes an Error
		// with its text (measured on workerd).
		e.Message = v.String()
		return e
	}
	if iso.compat("enhanced_error_serialization") {
		e.Thrown, _ = iso.clone.Encode(nil, v, jsclone.Options{ClassInstances: jsclone.ClassInstancesPlain, Errors: jsclone.ErrorsEnhanced})
	} else {
		e.Thrown, _ = iso.clone.Encode(nil, v, jsclone.Options{Errors: jsclone.ErrorsV8})
	}
	get := func(name string) (out goja.Value) {
		// A getter or a proxy may throw; then the property does not count.
		_ = iso.rt.Try(func() { out = o.Get(name) })
		return out
	}
	text := func(name, missing string) (s string) {
		s = missing
		if v := get(name); v != nil && !goja.IsUndefined(v) {
			_ = iso.rt.Try(func() { s = v.String() })
		}
		return s
	}
	truthy := func(name string) bool { v := get(name); return v != nil && v.ToBoolean() }
	e.Name, e.Message, e.Stack = text("name", "Error"), text("message", ""), text("stack", "")
	e.Overloaded = truthy("overloaded")
	e.Retryable = truthy("retryable")
	if _, _, dom := iso.api.DOMExceptionOf(v); !dom {
		e.ObjectID = object
	}
	return e
}

// errorValue turns an error into the value that a script sees thrown. It must be
// called in a turn.
func (iso *Isolate) errorValue(err error) goja.Value {
	var ex *goja.Exception
	if errors.As(err, &ex) {
		return ex.Value()
	}
	var ce *jsclone.CloneError
	if errors.As(err, &ce) {
		return iso.api.NewDOMException(ce.Message, ce.Name())
	}
	var e *durable.Error
	if !errors.As(err, &e) {
		e = &durable.Error{Name: "Error", Message: err.Error()}
	}
	o := iso.thrownValue(e)
	set := func(name string, on bool, v any) {
		if on {
			// A frozen error cannot carry it.
			_ = iso.rt.Try(func() { _ = o.Set(name, v) })
		}
	}
	set("retryable", e.Retryable, true)
	set("overloaded", e.Overloaded, true)
	set("remote", e.Remote, true)
	set("durableObjectReset", e.Reset, true)
	set("durableObjectId", e.ObjectID != "", e.ObjectID)
	return o
}

func (iso *Isolate) thrownValue(e *durable.Error) *goja.Object {
	if e.Thrown != nil {
		v, err := iso.clone.Decode(e.Thrown, jsclone.Options{})
		if o, ok := v.(*goja.Object); ok && err == nil {
			if e.Stack != "" {
				iso.localStack(o, e)
			}
			return o
		}
	}
	ctor := iso.js.errorCtor
	switch e.Name {
	case "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError":
		ctor = iso.rt.GlobalObject().Get(e.Name).(*goja.Object)
	}
	o := iso.construct(ctor, iso.rt.ToValue(e.Message))
	iso.localStack(o, e)
	return o
}

// localStack gives an error that came from elsewhere a stack of its own: the
// caller never sees the frames of the callee (measured on workerd).
func (iso *Isolate) localStack(o *goja.Object, e *durable.Error) {
	text := e.Name
	if e.Message != "" {
		text += ": " + e.Message
	}
	_ = o.DefineDataProperty("stack", iso.rt.ToValue(text), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// compat reports whether a compatibility flag is on.
func (iso *Isolate) compat(flag string) bool {
	return iso.cfg.Compat == nil || iso.cfg.Compat(flag)
}
