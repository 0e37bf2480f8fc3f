package jsbridge

import (
	"errors"
	"strings"
	"weak"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/jsbridge/jsclone"
)

// errorOf turns a thrown value into the error that travels. object is the id
// that durableObjectId shall name, "" for none. A value that cannot even be
// looked at (a revoked proxy) gives what looking at it throws.
func (iso *Isolate) errorOf(v goja.Value, object string) (e *durable.Error) {
	if ex := iso.rt.Try(func() { e = iso.examine(v, object) }); ex != nil {
		second := ex.Value()
		if ex := iso.rt.Try(func() { e = iso.examine(second, object) }); ex != nil {
			e = &durable.Error{Name: "Error", Message: "a value was thrown that cannot be looked at"}
		}
	}
	return e
}

func (iso *Isolate) examine(v goja.Value, object string) *durable.Error {
	e := &durable.Error{Name: "Error"}
	o, isObject := v.(*goja.Object)
	if !isObject {
		// Anything can be thrown; a value that is no object becomes an Error
		// with its text (measured on workerd).
		e.Message = v.String()
		if s, ok := v.(*goja.Symbol); ok {
			e.Message = "Symbol(" + s.String() + ")"
		}
		return e
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
	e.Overloaded, e.Retryable = truthy("overloaded"), truthy("retryable")
	e.Stack = text("stack", "")
	e.ThrownAt = iso.places.of(o)

	message, name, isDOM := iso.api.DOMExceptionOf(o)
	if isDOM {
		e.Name, e.Message = name, message
		e.Thrown, _ = iso.clone.Encode(nil, v, iso.cloning.thrown)
		return e
	}
	if iso.compat("enhanced_error_serialization") && !isFunction(o) {
		e.Thrown, _ = iso.clone.Encode(nil, v, iso.cloning.thrown)
	}
	if e.Thrown == nil {
		// Legacy errors, and those with something in them that cannot be sent,
		// are reduced to class and text.
		e.Name, e.Message = iso.plainError(o)
		return e
	}
	e.Name, e.Message = text("name", "Error"), text("message", "")
	if object != "" && iso.keepsProperties(o) {
		e.ObjectID = object
	}
	return e
}

// keepsProperties reports whether a property that the host adds to a thrown
// object travels with it: not if it is frozen, nor if its kind travels without
// own properties (a Map, for example).
func (iso *Isolate) keepsProperties(o *goja.Object) bool {
	if o.ExportType() == typeProxy || !on(iso.js.isExtensible, nil, o).ToBoolean() {
		return false
	}
	switch o.ClassName() {
	case "Array", "Error":
		return true
	}
	return o.ExportType() == typePlain
}

// tunneled are the classes that an error keeps when only its text travels
// (measured on workerd).
var tunneled = []string{"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "AggregateError"}

// plainError reduces a thrown object to a class and a text.
func (iso *Isolate) plainError(o *goja.Object) (name, message string) {
	text := ""
	if o.ClassName() == "Error" || isFunction(o) {
		_ = iso.rt.Try(func() { text = o.String() })
	} else if o.ClassName() == "Array" {
		text = "[object Array]"
	} else {
		text = "#<" + iso.constructorName(o) + ">"
	}
	for _, class := range tunneled {
		if rest, ok := strings.CutPrefix(text, class); ok {
			if rest == "" {
				return class, ""
			}
			if rest, ok := strings.CutPrefix(rest, ": "); ok {
				return class, rest
			}
		}
	}
	return "Error", text
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
	var de *jsclone.DepthError
	if errors.As(err, &de) {
		return iso.construct(iso.js.errors["RangeError"], iso.rt.ToValue(de.Error()))
	}
	var e *durable.Error
	if !errors.As(err, &e) {
		e = &durable.Error{Name: "Error", Message: err.Error()}
	}
	return iso.thrownError(e, nil)
}

// thrownError makes the value of an error that came from elsewhere. calledAt is
// the stack of the call that it ends, for the error's own stack: the caller never
// sees the frames of the callee (measured on workerd). It must be called in a
// turn.
func (iso *Isolate) thrownError(e *durable.Error, calledAt []goja.StackFrame) goja.Value {
	o := iso.thrownValue(e)
	set := func(name string, on bool, v any) {
		if on {
			// A frozen error cannot carry it.
			_ = iso.rt.Try(func() { _ = o.Set(name, v) })
		}
	}
	set("retryable", e.Retryable, true)
	set("overloaded", e.Overloaded, true)
	set("durableObjectId", e.ObjectID != "", e.ObjectID)
	set("remote", e.Remote, true)
	set("durableObjectReset", e.Reset, true)
	if e.Remote {
		iso.places.note(o, e.Place())
	}
	if calledAt != nil {
		iso.localStack(o, calledAt)
	}
	return o
}

func (iso *Isolate) thrownValue(e *durable.Error) *goja.Object {
	if e.Thrown != nil {
		v, err := iso.clone.Decode(e.Thrown, iso.cloning.decode)
		if o, ok := v.(*goja.Object); ok && err == nil {
			return o
		}
	}
	ctor, args := iso.js.errorCtor, []goja.Value{iso.rt.ToValue(e.Message)}
	switch e.Name {
	case "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError":
		ctor = iso.js.errors[e.Name]
	case "AggregateError":
		ctor = iso.js.errors[e.Name]
		args = append([]goja.Value{iso.rt.NewArray()}, args...)
	}
	return iso.construct(ctor, args...)
}

// thrownPlaces knows where the errors that came from elsewhere last were thrown. A
// script cannot see it: its stack is that of its own call, as in the real runtime.
type thrownPlaces struct {
	last [16]struct {
		err weak.Pointer[goja.Object]
		at  string
	}
	next int
}

func (p *thrownPlaces) note(o goja.Value, at string) {
	if o, ok := o.(*goja.Object); ok && at != "" {
		l := &p.last[p.next%len(p.last)]
		l.err, l.at = weak.Make(o), at
		p.next++
	}
}

func (p *thrownPlaces) of(v goja.Value) string {
	o, ok := v.(*goja.Object)
	if !ok || p.next == 0 {
		return ""
	}
	w := weak.Make(o)
	for i := range p.last {
		if p.last[i].err == w {
			return p.last[i].at
		}
	}
	return ""
}

// thrownAt is the line that follows a stack when the place is known.
func thrownAt(place string) string {
	if place == "" {
		return ""
	}
	return "\n    thrown at " + place
}

// localStack gives an error that came from elsewhere the stack of its call.
func (iso *Isolate) localStack(o *goja.Object, frames []goja.StackFrame) {
	if stack := o.Get("stack"); stack == nil || goja.IsUndefined(stack) {
		return // not an error
	}
	var b strings.Builder
	_ = iso.rt.Try(func() { b.WriteString(on(iso.js.errorToString, o).String()) })
	for i := range frames {
		f := &frames[i]
		if f.SrcName() == "<native>" {
			continue
		}
		b.WriteString("\n    at async ")
		pos := f.Position().String()
		if fn := f.FuncName(); fn != "" && fn != "<anonymous>" {
			b.WriteString(fn + " (" + pos + ")")
		} else {
			b.WriteString(pos)
		}
	}
	_ = iso.rt.Try(func() { _ = o.Set("stack", b.String()) })
}

// remote marks an error as thrown by the callee's code.
func remote(e *durable.Error) *durable.Error {
	if e.Remote {
		return e
	}
	c := *e
	c.Remote = true
	return &c
}

// compat reports whether a compatibility flag is on.
func (iso *Isolate) compat(flag string) bool {
	return iso.cfg.Compat == nil || iso.cfg.Compat(flag)
}
