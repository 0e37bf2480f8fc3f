package jsclone

import (
	"fmt"
	"strconv"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"

	"github.com/durashim/durashim/internal/structclone"
)

// Decoder is a decoding under way, as a hook sees it.
type Decoder struct {
	// R is where the payload of a host object comes from, through its Raw
	// methods and [Decoder.Value]. The codec ends the host object itself.
	R structclone.Reader

	c     *Codec
	opts  *Options
	t     structclone.Token
	objs  []goja.Value // by number; nil while an object is not made yet
	units []uint16
	names []unistring.String // of the objects under way, a stack
	host  uint32             // number of the host object being read
	size  int                // properties of the object before
	pair  [2]goja.Value
}

// Decode makes the value that data holds. What follows the value in data is
// left alone, as V8 does; see [structclone.Reader.Offset].
//
// A message that is not well formed gives a *structclone.SyntaxError,
// *structclone.UnknownTagError or *structclone.VersionError; one that holds what
// goja lacks, such as a Float16Array, an [*UnsupportedError]; a RegExp that goja
// cannot compile, the *goja.Exception.
func (c *Codec) Decode(data []byte, opts Options) (v goja.Value, err error) {
	d := c.decoder()
	d.opts = &opts
	max := opts.MaxDepth
	if max <= 0 {
		max = DefaultMaxDepth
	}
	if len(data) > 0 && data[0] != 0xff && opts.Headerless {
		d.R.ResetBody(data, max)
	} else if err := d.R.Reset(data, max); err != nil {
		c.releaseDecoder(d)
		return nil, err
	}
	if ex := c.rt.Try(func() { v, err = d.Value() }); ex != nil {
		v, err = nil, ex
	}
	c.releaseDecoder(d)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// UnsupportedError reports a value that the message holds and goja does not
// have.
type UnsupportedError struct {
	What   string // such as "Float16Array"
	Offset int
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("structured clone: %s at offset %d is not supported by the JavaScript engine", e.What, e.Offset)
}

// HostTagError reports a host object that no hook knows.
type HostTagError struct {
	Tag    uint32
	Offset int
}

func (e *HostTagError) Error() string {
	return fmt.Sprintf("structured clone: host object %d at offset %d is of an unknown type", e.Tag, e.Offset)
}

func (c *Codec) decoder() *Decoder {
	if n := len(c.dec); n > 0 {
		d := c.dec[n-1]
		c.dec = c.dec[:n-1]
		return d
	}
	return &Decoder{c: c}
}

func (c *Codec) releaseDecoder(d *Decoder) {
	d.R.ResetBody(nil, 0)
	d.t = structclone.Token{}
	d.opts, d.size = nil, 0
	d.pair = [2]goja.Value{}
	clear(d.objs)
	d.objs = d.objs[:0]
	if cap(d.objs) > 4096 {
		d.objs = nil
	}
	clear(d.names[:cap(d.names)])
	d.names = d.names[:0]
	if cap(d.names) > 1024 {
		d.names = nil
	}
	if cap(d.units) > 4096 {
		d.units = nil
	}
	if len(c.dec) < 4 {
		c.dec = append(c.dec, d)
	}
}

// Value reads one value: inside a hook, the next of the payload.
func (d *Decoder) Value() (goja.Value, error) {
	if err := d.R.Next(&d.t); err != nil {
		return nil, err
	}
	return d.value()
}

// Runtime returns the runtime for which values are made.
func (d *Decoder) Runtime() *goja.Runtime { return d.c.rt }

// SetHost makes obj known as the host object that the hook is about to return,
// so that values in its payload may refer to it.
func (d *Decoder) SetHost(obj goja.Value) { d.objs[d.host] = obj }

// Values that are asked for all the time.
var (
	undefined = goja.Undefined()
	null      = goja.Null()
)

// value makes the value that begins with the current token.
func (d *Decoder) value() (goja.Value, error) {
	t, rt := &d.t, d.c.rt
	switch t.Kind {
	case structclone.KindUndefined:
		return undefined, nil
	case structclone.KindNull:
		return null, nil
	case structclone.KindBool:
		return rt.ToValue(t.Bool), nil
	case structclone.KindInt:
		return d.c.integer(t.Int), nil
	case structclone.KindDouble:
		return d.c.number(t.Num), nil
	case structclone.KindString:
		return d.str(t.Str), nil
	case structclone.KindObject:
		return d.object()
	case structclone.KindDenseArray:
		return d.denseArray()
	case structclone.KindBigInt:
		return rt.ToValue(t.Big), nil
	case structclone.KindBackRef:
		if int(t.ID) < len(d.objs) && d.objs[t.ID] != nil {
			return d.objs[t.ID], nil
		}
		return nil, &structclone.SyntaxError{Offset: t.Offset, Tag: '^', Reason: "reference to an object that cannot be referred to"}
	}
	return d.rareValue()
}

// reserve keeps a place for the object of the current token, whose number is the
// next one.
func (d *Decoder) reserve(v goja.Value) {
	for uint32(len(d.objs)) < d.t.ID {
		d.objs = append(d.objs, nil)
	}
	d.objs = append(d.objs, v)
}

func (d *Decoder) str(s structclone.String) goja.Value {
	if s.IsASCII() {
		if len(s.Bytes) == 0 {
			return emptyString
		}
		if len(s.Bytes) <= maxCachedString {
			return d.c.strings.get(s.Bytes)
		}
		return d.c.l.newASCII(s.Bytes)
	}
	d.units = s.AppendUTF16(d.units[:0])
	return goja.StringFromUTF16(d.units)
}

var emptyString goja.Value = goja.StringFromUTF16(nil)

// key makes the name of a property from the current token.
func (d *Decoder) key() unistring.String {
	switch t := &d.t; t.Kind {
	case structclone.KindString:
		return d.c.keys.get(t.Str)
	case structclone.KindInt:
		return unistring.String(strconv.FormatInt(t.Int, 10))
	default:
		return unistring.String(d.c.rt.ToValue(t.Num).String())
	}
}

// object fills a fresh object in place: nothing can see it before it is done,
// and no setter of its prototype may run.
func (d *Decoder) object() (goja.Value, error) {
	l := d.c.l
	// The objects of a list tend to be alike.
	o := d.c.make.newObject(d.size)
	d.reserve(o)
	data := l.impl(o).data
	props := *field[map[unistring.String]goja.Value](data, l.props)
	base := len(d.names)
	for {
		if err := d.R.Next(&d.t); err != nil {
			return nil, err
		}
		if d.t.Kind == structclone.KindEnd {
			break
		}
		name := d.key()
		v, err := d.Value()
		if err != nil {
			return nil, err
		}
		before := len(props)
		props[name] = v
		if len(props) != before {
			d.names = append(d.names, name)
		}
	}
	names := d.names[base:]
	d.size = len(names)
	*field[[]unistring.String](data, l.names) = d.c.make.keep(names)
	d.names = d.names[:base]
	return o, nil
}

// denseArray fills a fresh array in place, as object does.
func (d *Decoder) denseArray() (goja.Value, error) {
	l := d.c.l
	o, elems := d.c.make.newArray(int(d.t.Int))
	d.reserve(o)
	filled := 0
	for i := range elems {
		if err := d.R.Next(&d.t); err != nil {
			return nil, err
		}
		if d.t.Kind == structclone.KindHole {
			continue
		}
		v, err := d.value()
		if err != nil {
			return nil, err
		}
		elems[i] = v
		filled++
	}
	*field[int](l.impl(o).data, l.objCount) = filled
	return o, d.properties(o, true)
}

// properties reads keys and values up to the end and defines them on o.
func (d *Decoder) properties(o *goja.Object, enumerable bool) error {
	for {
		if err := d.R.Next(&d.t); err != nil {
			return err
		}
		if d.t.Kind == structclone.KindEnd {
			return nil
		}
		name := d.key().String()
		v, err := d.Value()
		if err != nil {
			return err
		}
		if err := define(o, name, v, enumerable); err != nil {
			return err
		}
	}
}

func define(o *goja.Object, name string, v goja.Value, enumerable bool) error {
	return o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.ToFlag(enumerable))
}
