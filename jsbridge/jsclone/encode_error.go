package jsclone

import (
	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

// errorObject writes an Error in the form that the options ask for.
func (e *Encoder) errorObject(o *goja.Object) error {
	if !e.c.errorProtos[o.Prototype()] {
		// It may be one of the host's, such as DOMException.
		if handled, err := e.askHost(o); handled || err != nil {
			return err
		}
	}
	if e.opts.Errors == ErrorsV8 {
		return e.legacyError(o)
	}
	// The class is told from the name, which may come from the prototype.
	name := o.Get("name")
	kind := structclone.ErrorNamed
	if s, ok := name.(goja.String); ok {
		kind = structclone.ErrorKindOf(s.String())
	}
	e.seen.add(o, e.W.Error(kind))
	if kind == structclone.ErrorNamed {
		if err := e.Value(name); err != nil {
			return err
		}
	}
	message := o.Get("message")
	if message == nil {
		message = goja.Undefined()
	}
	if err := e.Value(message); err != nil {
		return err
	}
	// Hidden properties count, indexes do not.
	var count uint32
	e.W.BeginObject()
	for _, key := range o.GetOwnPropertyNames() {
		if key == "name" || key == "message" {
			continue
		}
		if _, ok := arrayIndex(key); ok {
			continue
		}
		v := o.Get(key)
		if v == nil {
			continue
		}
		e.W.String(key)
		if err := e.Value(v); err != nil {
			return err
		}
		count++
	}
	e.W.EndObject(count)
	return nil
}

// legacyError writes an Error in V8's form.
func (e *Encoder) legacyError(o *goja.Object) error {
	kind := structclone.ErrorPlain
	if s, ok := o.Get("name").(goja.String); ok {
		kind = structclone.ErrorKindOf(s.String())
	}
	e.seen.add(o, e.W.BeginLegacyError(kind))
	own := func(key string) goja.Value {
		d := on(e.c.getOwn, nil, o, e.c.rt.ToValue(key))
		if goja.IsUndefined(d) {
			return nil
		}
		return o.Get(key)
	}
	if m := own("message"); m != nil {
		e.W.LegacyErrorMessage()
		if err := e.Value(e.c.rt.ToValue(m.String())); err != nil {
			return err
		}
	}
	if s, ok := o.Get("stack").(goja.String); ok {
		e.W.LegacyErrorStack()
		if err := e.Value(s); err != nil {
			return err
		}
	}
	if cause := own("cause"); cause != nil {
		e.W.LegacyErrorCause()
		if err := e.Value(cause); err != nil {
			return err
		}
	}
	e.W.EndLegacyError()
	return nil
}
