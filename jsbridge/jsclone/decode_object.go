package jsclone

import (
	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

// rareValue makes every kind of value that is not one of the frequent ones.
func (d *Decoder) rareValue() (goja.Value, error) {
	t, c, rt := &d.t, d.c, d.c.rt
	switch t.Kind {
	case structclone.KindDate:
		return d.construct("Date", rt.ToValue(t.Num))
	case structclone.KindBoxedBool:
		return d.keep(rt.ToValue(t.Bool).ToObject(rt))
	case structclone.KindBoxedNumber:
		return d.keep(rt.ToValue(t.Num).ToObject(rt))
	case structclone.KindBoxedBigInt:
		return d.keep(rt.ToValue(t.Big).ToObject(rt))
	case structclone.KindBoxedString:
		return d.keep(d.str(t.Str).ToObject(rt))
	case structclone.KindRegExp:
		flags, ok := structclone.RegExpFlagString(uint32(t.Int))
		if !ok {
			return nil, &structclone.SyntaxError{Offset: t.Offset, Tag: 'R', Reason: "unknown flags of a RegExp"}
		}
		return d.construct("RegExp", d.str(t.Str), rt.ToValue(flags))
	case structclone.KindSparseArray:
		o := rt.NewArray()
		d.reserve(o)
		if err := o.Set("length", t.Int); err != nil {
			return nil, err
		}
		return o, d.properties(o, true)
	case structclone.KindMap:
		o, err := d.construct("Map")
		if err != nil {
			return nil, err
		}
		return o, d.entries(o, c.mapSet, 2)
	case structclone.KindSet:
		o, err := d.construct("Set")
		if err != nil {
			return nil, err
		}
		return o, d.entries(o, c.setAdd, 1)
	case structclone.KindArrayBuffer:
		return d.buffer(t.ID)
	case structclone.KindView:
		return d.view()
	case structclone.KindError:
		return d.errorObject()
	case structclone.KindLegacyError:
		return d.legacyError()
	case structclone.KindHost:
		return d.hostObject()
	}
	return nil, &UnsupportedError{What: "token", Offset: t.Offset}
}

// keep stores an object that is complete.
func (d *Decoder) keep(o *goja.Object) (goja.Value, error) {
	d.reserve(o)
	return o, nil
}

func (d *Decoder) construct(class string, args ...goja.Value) (goja.Value, error) {
	ctor := d.c.classes[class]
	if ctor == nil {
		if ctor = d.c.TypedArray(class); ctor != nil {
			d.c.classes[class] = ctor
		}
	}
	if ctor == nil {
		return nil, &UnsupportedError{What: class, Offset: d.t.Offset}
	}
	o, err := d.c.rt.New(ctor, args...)
	if err != nil {
		return nil, err
	}
	return d.keep(o)
}

// entries adds what follows to a Map or a Set by its built-in method.
func (d *Decoder) entries(o goja.Value, add native, n int) error {
	var args [2]goja.Value
	for {
		if err := d.R.Next(&d.t); err != nil {
			return err
		}
		if d.t.Kind == structclone.KindEnd {
			return nil
		}
		for i := range n {
			var err error
			if i == 0 {
				args[i], err = d.value()
			} else {
				args[i], err = d.Value()
			}
			if err != nil {
				return err
			}
		}
		d.pair = args
		add(goja.FunctionCall{This: o, Arguments: d.pair[:n]})
	}
}

// buffer makes the ArrayBuffer of the current token, which has the given number.
func (d *Decoder) buffer(id uint32) (goja.Value, error) {
	t := &d.t
	if t.Resizable {
		return nil, &UnsupportedError{What: "resizable ArrayBuffer", Offset: t.Offset}
	}
	b := d.c.rt.ToValue(d.c.rt.NewArrayBuffer(append(make([]byte, 0, len(t.Bytes)), t.Bytes...)))
	for uint32(len(d.objs)) < id {
		d.objs = append(d.objs, nil)
	}
	d.objs = append(d.objs, b)
	return b, nil
}

func (d *Decoder) view() (goja.Value, error) {
	t := &d.t
	if t.NewBuffer {
		if _, err := d.buffer(t.BufferID); err != nil {
			return nil, err
		}
	}
	buf := d.objs[t.BufferID]
	name := t.View.Type.Name()
	rt := d.c.rt
	length := t.View.Length / uint32(t.View.Type.ElementSize())
	return d.construct(name, buf, rt.ToValue(t.View.Offset), rt.ToValue(length))
}

func (d *Decoder) hostObject() (goja.Value, error) {
	t := &d.t
	tag, offset, id := uint32(t.Int), t.Offset, t.ID
	if d.opts.DecodeHost == nil {
		return nil, &HostTagError{Tag: tag, Offset: offset}
	}
	d.reserve(nil)
	outer := d.host
	d.host = id
	v, err := d.opts.DecodeHost(d, tag)
	d.host = outer
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, &HostTagError{Tag: tag, Offset: offset}
	}
	d.objs[id] = v
	return v, d.R.EndHost()
}
