package jsclone

import (
	"reflect"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"

	"github.com/durashim/durashim/internal/structclone"
)

// Encoder is an encoding under way, as a hook sees it.
type Encoder struct {
	// W is where the payload of a host object goes.
	W structclone.Writer

	c     *Codec
	l     *layout
	opts  *Options
	max   int
	depth int
	host  *goja.Object // the object that the hook was asked about
	seen  seenObjects
	names []unistring.String // names of the objects under way, a stack
	item  int                // of EncodeList; -1 for Encode
}

// Item returns which entry of the list of [Codec.EncodeList] is being encoded, -1
// if the value is of [Codec.Encode].
func (e *Encoder) Item() int { return e.item }

// Encode appends the clone of v to dst and returns the extended slice. On an
// error it returns dst as it was.
//
// The errors are *CloneError, *DepthError, the *goja.Exception that a getter or
// a proxy threw, and what the hook returned. An interrupt or a stack overflow in
// a getter passes through as goja's panic, so that it ends the script around
// Encode too; the codec can be used again afterwards.
func (c *Codec) Encode(dst []byte, v goja.Value, opts Options) (out []byte, err error) {
	e := c.encoder()
	e.opts = &opts
	if e.max = opts.MaxDepth; e.max <= 0 {
		e.max = DefaultMaxDepth
	}
	e.W.Reset(dst)
	e.W.Header()
	switch {
	case v == nil || !isObject(v):
		err = e.Value(v) // runs no JavaScript
	default:
		if ex := c.rt.Try(func() { err = e.Value(v) }); ex != nil {
			err = ex
		}
	}
	out = e.W.Bytes()
	c.release(e)
	if err != nil {
		return dst, err
	}
	return out, nil
}

func isObject(v goja.Value) bool {
	_, ok := v.(*goja.Object)
	return ok
}

func (c *Codec) encoder() *Encoder {
	if n := len(c.enc); n > 0 {
		e := c.enc[n-1]
		c.enc = c.enc[:n-1]
		e.item = -1
		return e
	}
	return &Encoder{c: c, l: c.l, item: -1}
}

func (c *Codec) release(e *Encoder) {
	e.W.Reset(nil)
	e.opts, e.host, e.depth = nil, nil, 0
	e.seen.reset()
	clear(e.names[:cap(e.names)])
	e.names = e.names[:0]
	if cap(e.names) > 1024 {
		e.names = nil
	}
	if len(c.enc) < 4 {
		c.enc = append(c.enc, e)
	}
}

// Value writes v: a value inside the payload of a host object. It panics with
// the *goja.Exception that a getter throws, which [Codec.Encode] catches; a hook
// lets it pass.
func (e *Encoder) Value(v goja.Value) error {
	switch v := v.(type) {
	case nil:
		e.W.Undefined()
		return nil
	case *goja.Object:
		return e.object(v)
	}
	switch t := reflect.TypeOf(v); t {
	case e.l.tASCII:
		e.W.OneByte(v.String())
		return nil
	case e.l.tInt:
		if i := v.ToInteger(); structclone.IsSmiInt(i) {
			e.W.Int32(int32(i))
		} else {
			e.W.Double(float64(i))
		}
		return nil
	case e.l.tFloat:
		e.W.Number(v.ToFloat())
		return nil
	case e.l.tBool:
		e.W.Bool(v.ToBoolean())
		return nil
	case e.l.tUnicode:
		e.W.UTF16(units(v))
		return nil
	case e.l.tBigInt:
		e.W.BigInt(e.c.bigInt(v))
		return nil
	}
	switch v := v.(type) {
	case goja.String:
		// A string that came from Go and is kept in UTF-8.
		e.W.String(v.String())
		return nil
	case *goja.Symbol:
		return &CloneError{Message: symbolText(v) + " could not be cloned."}
	}
	switch {
	case goja.IsUndefined(v):
		e.W.Undefined()
	case goja.IsNull(v):
		e.W.Null()
	default:
		return &CloneError{Message: v.String() + " could not be cloned."}
	}
	return nil
}

func symbolText(s *goja.Symbol) string { return "Symbol(" + s.String() + ")" }

// object writes an object or a reference to it.
func (e *Encoder) object(o *goja.Object) (err error) {
	if id, ok := e.seen.lookup(o); ok {
		e.W.BackRef(id)
		return nil
	}
	if e.depth++; e.depth > e.max {
		return &DepthError{Max: e.max}
	}
	l := e.l
	impl := l.impl(o)
	switch impl.tab {
	case l.plain:
		proto := *field[*goja.Object](impl.data, l.prototype)
		if *field[string](impl.data, l.class) == "Arguments" {
			err = e.c.notCloneable(o)
		} else if proto == e.c.objectProto {
			err = e.plainObject(o, impl)
		} else {
			err = e.instance(o, impl, proto)
		}
	case l.array:
		err = e.array(o, impl)
	case l.mapObj:
		err = e.mapObject(o)
	case l.set:
		err = e.setObject(o)
	default:
		err = e.rare(o, impl)
	}
	e.depth--
	return err
}

// instance writes an object of a class of scripts.
func (e *Encoder) instance(o *goja.Object, impl *iface, proto *goja.Object) error {
	if handled, err := e.askHost(o); handled || err != nil {
		return err
	}
	if e.opts.ClassInstances == ClassInstancesReject {
		return NewUnsupportedTypeError(className(proto))
	}
	return e.plainObject(o, impl)
}

// className names the class of the objects that have the given prototype, as V8
// does: by its constructor, and "Object" where that has no name.
func className(proto *goja.Object) string {
	if proto != nil {
		if ctor, ok := proto.Get("constructor").(*goja.Object); ok {
			if n, ok := ctor.Get("name").(goja.String); ok && n.Length() > 0 {
				return n.String()
			}
		}
	}
	return "Object"
}

// askHost lets the hook take the object.
func (e *Encoder) askHost(o *goja.Object) (bool, error) {
	if e.opts.EncodeHost == nil {
		return false, nil
	}
	outer := e.host
	e.host = o
	handled, err := e.opts.EncodeHost(e, o)
	e.host = outer
	return handled, err
}

// BeginHost starts the host object for the object that the hook was asked
// about; its payload follows, through W and [Encoder.Value]. From here on the
// same object anywhere in the message is a reference to this one.
func (e *Encoder) BeginHost(hostTag uint32) {
	e.seen.add(e.host, e.W.HostObject(hostTag))
}

// Runtime returns the runtime whose values are being encoded.
func (e *Encoder) Runtime() *goja.Runtime { return e.c.rt }

// plainObject writes an object by its own enumerable properties with string
// keys. Getters run in between and may change the object: the names are those at
// the beginning, what is gone by its turn is left out.
func (e *Encoder) plainObject(o *goja.Object, impl *iface) error {
	l := e.l
	names := *field[[]unistring.String](impl.data, l.names)
	if *field[int](impl.data, l.sorted) < len(names) {
		if anyIndex(names) {
			o.Keys() // puts the indexes first and in order
			names = *field[[]unistring.String](impl.data, l.names)
		}
	}
	props := *field[map[unistring.String]goja.Value](impl.data, l.props)
	e.seen.add(o, e.W.BeginObject())
	base := len(e.names)
	e.names = append(e.names, names...)
	count := uint32(0)
	for i, n := base, len(e.names); i < n; i++ {
		name := e.names[i]
		v := props[name]
		if v == nil {
			continue
		}
		if reflect.TypeOf(v) == l.tProp {
			if !*field[bool](dataOf(v), l.propEnumerable) {
				continue
			}
			if v = o.Get(name.String()); v == nil {
				continue
			}
		}
		e.key(name)
		if err := e.Value(v); err != nil {
			return err
		}
		count++
	}
	e.names = e.names[:base]
	e.W.EndObject(count)
	return nil
}

func anyIndex(names []unistring.String) bool {
	for _, n := range names {
		if n != "" && n[0] <= '9' && n[0] >= '0' {
			return true
		}
	}
	return false
}

// key writes the name of a property: a number where it is an array index.
func (e *Encoder) key(name unistring.String) {
	if u := name.AsUtf16(); u != nil {
		e.W.UTF16(u[1:])
		return
	}
	s := string(name)
	if i, ok := arrayIndex(s); ok {
		e.W.Index(i)
		return
	}
	e.W.OneByte(s)
}

// arrayIndex reports whether s is an array index as JavaScript defines it.
func arrayIndex(s string) (uint32, bool) {
	if len(s) == 0 || len(s) > 10 || s[0] > '9' || s[0] < '0' || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	var n uint64
	for i := 0; i < len(s); i++ {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + uint64(d)
	}
	return uint32(n), n < 1<<32-1
}
