package jsclone

import (
	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

// errorObject makes an Error from the enhanced form. Its own properties become
// enumerable, the stack among them, as in workerd; the message does not.
func (d *Decoder) errorObject() (goja.Value, error) {
	kind, id := d.t.Error, d.t.ID
	d.reserve(nil)
	var name goja.Value
	var err error
	if kind == structclone.ErrorNamed {
		if name, err = d.Value(); err != nil {
			return nil, err
		}
	}
	if err := d.R.Next(&d.t); err != nil {
		return nil, err
	}
	if d.t.Kind != structclone.KindString {
		// Such an error can be written and not be read, in workerd too.
		return nil, &CloneError{Message: "Deserialization failed: error message is not a string"}
	}
	o, err := d.newError(kind, d.str(d.t.Str))
	if err != nil {
		return nil, err
	}
	d.objs[id] = o
	if name != nil {
		if err := define(o, "name", name, true); err != nil {
			return nil, err
		}
	}
	// The object that holds the properties has a number but is never referred to.
	if err := d.R.Next(&d.t); err != nil {
		return nil, err
	}
	d.reserve(nil)
	for {
		if err := d.R.Next(&d.t); err != nil {
			return nil, err
		}
		if d.t.Kind == structclone.KindEnd {
			return o, nil
		}
		key := d.key().String()
		v, err := d.Value()
		if err != nil {
			return nil, err
		}
		if key == "stack" && d.opts.LocalErrorStack {
			continue
		}
		if err := define(o, key, v, true); err != nil {
			return nil, err
		}
	}
}

// newError makes an error with a message and nothing else of its own but the
// stack of this moment. message may be nil.
func (d *Decoder) newError(kind structclone.ErrorKind, message goja.Value) (*goja.Object, error) {
	rt, class := d.c.rt, kind.Name()
	ctor := d.c.classes[class]
	known := ctor != nil
	if !known {
		ctor = d.c.classes["Error"]
	}
	var args []goja.Value
	if kind == structclone.ErrorAggregate {
		args = append(args, rt.NewArray())
	}
	if message != nil {
		args = append(args, message)
	}
	o, err := rt.New(ctor, args...)
	if err != nil {
		return nil, err
	}
	if kind == structclone.ErrorAggregate {
		// The list of errors comes with the properties, if there is one.
		if err := o.Delete("errors"); err != nil {
			return nil, err
		}
	}
	if !known {
		err = define(o, "name", rt.ToValue(class), false)
	}
	return o, err
}

// legacyError makes an Error from V8's form, whose parts come in any order.
func (d *Decoder) legacyError() (goja.Value, error) {
	id := d.t.ID
	d.reserve(nil)
	// The cause may refer to the error, so the error is made first and gets its
	// prototype when the class is known.
	o, err := d.newError(structclone.ErrorPlain, nil)
	if err != nil {
		return nil, err
	}
	d.objs[id] = o
	if !d.opts.LocalErrorStack {
		if err := define(o, "stack", undefined, false); err != nil {
			return nil, err
		}
	}
	for {
		if err := d.R.Next(&d.t); err != nil {
			return nil, err
		}
		if d.t.Kind == structclone.KindEnd {
			return o, nil
		}
		switch d.t.Field {
		case structclone.FieldClass:
			err = o.SetPrototype(d.c.errorProto(d.t.Error))
		case structclone.FieldMessage:
			err = define(o, "message", d.str(d.t.Str), false)
		case structclone.FieldStack:
			if !d.opts.LocalErrorStack {
				err = define(o, "stack", d.str(d.t.Str), false)
			}
		case structclone.FieldCause:
			var v goja.Value
			if v, err = d.Value(); err == nil {
				err = define(o, "cause", v, false)
			}
		}
		if err != nil {
			return nil, err
		}
	}
}
