package prelude

import (
	"math"

	"github.com/dop251/goja"
)

const (
	// maxString is V8's limit for the length of a string, in code units.
	maxString = 1<<29 - 24
	// maxBuffer is the size in bytes above which an ArrayBuffer is refused.
	// V8 decides by the memory that there is; Go would end the process.
	maxBuffer = 1 << 31
	// maxApply is the number of arguments that V8's stack has room for.
	maxApply = 124000

	maxSafeInteger = 1<<53 - 1
)

var typedArrays = []struct {
	name string
	size float64 // bytes for each element
}{
	{"Uint8Array", 1}, {"Int8Array", 1}, {"Uint8ClampedArray", 1},
	{"Uint16Array", 2}, {"Int16Array", 2},
	{"Uint32Array", 4}, {"Int32Array", 4}, {"Float32Array", 4},
	{"Float64Array", 8}, {"BigInt64Array", 8}, {"BigUint64Array", 8},
}

// installBuffers guards the constructors that allocate and adds what
// ArrayBuffer lacks.
func (p *Prelude) installBuffers() error {
	err := p.wrapConstructor("ArrayBuffer", 1, func(args []goja.Value) []goja.Value {
		if len(args) > 0 {
			return p.checkBuffer(args)
		}
		return args
	})
	if err != nil {
		return err
	}
	p.typed = make(map[string]func() *goja.Object, len(typedArrays))
	for _, t := range typedArrays {
		check := func(args []goja.Value) []goja.Value {
			if len(args) > 0 {
				return p.checkLength(args, t.size)
			}
			return args
		}
		if t.name == "Uint8Array" { // which the platform itself makes
			if err := p.wrapConstructor(t.name, 3, check); err != nil {
				return err
			}
			continue
		}
		native, ok := p.rt.Get(t.name).(*goja.Object)
		if !ok {
			return errMissing(t.name)
		}
		var w *goja.Object
		p.typed[t.name] = func() *goja.Object {
			if w == nil {
				var err error
				if w, err = p.wrapped(t.name, 3, native, check); err != nil {
					rethrow(err)
				}
			}
			return w
		}
		if err := p.lazyGlobal(t.name, func() goja.Value { return p.typed[t.name]() }); err != nil {
			return err
		}
	}
	proto := p.rt.Get("ArrayBuffer").ToObject(p.rt).Get("prototype").ToObject(p.rt)
	for _, m := range []string{"transfer", "transferToFixedLength"} {
		if err := hidden(proto, m, p.function(m, 0, p.transfer(m))); err != nil {
			return err
		}
	}
	getter := func(name string, f func(b goja.ArrayBuffer) goja.Value) error {
		get := p.function("get "+name, 0, func(c goja.FunctionCall) goja.Value {
			b, ok := c.This.Export().(goja.ArrayBuffer)
			if !ok {
				p.throw("TypeError", "Method get ArrayBuffer.prototype.%s called on incompatible receiver %s", name, p.show(c.This))
			}
			return f(b)
		})
		return proto.DefineAccessorProperty(name, get, nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	if err := getter("detached", func(b goja.ArrayBuffer) goja.Value { return p.rt.ToValue(b.Detached()) }); err != nil {
		return err
	}
	// Buffers of changeable size are not supported, so each has its maximum.
	if err := getter("resizable", func(goja.ArrayBuffer) goja.Value { return p.rt.ToValue(false) }); err != nil {
		return err
	}
	return getter("maxByteLength", func(b goja.ArrayBuffer) goja.Value {
		if b.Detached() {
			return p.rt.ToValue(0)
		}
		return p.rt.ToValue(len(b.Bytes()))
	})
}

// TypedArray returns a constructor such as Float64Array as programs see it,
// whatever they did to the global; nil if there is none of that name. Go code
// that makes such an object must use it: the constructors are made at first use,
// and so are the constructor properties of their prototypes.
func (p *Prelude) TypedArray(name string) *goja.Object {
	if get := p.typed[name]; get != nil {
		return get()
	}
	return nil
}

// wrapConstructor puts a constructor before the native one of a global.
func (p *Prelude) wrapConstructor(name string, length int, check func(args []goja.Value) []goja.Value) error {
	native, ok := p.rt.Get(name).(*goja.Object)
	if !ok {
		return errMissing(name)
	}
	w, err := p.wrapped(name, length, native, check)
	if err != nil {
		return err
	}
	return hidden(p.rt.GlobalObject(), name, w)
}

// wrapped makes a constructor that checks the arguments of a native one, may
// convert them, and leaves the rest to it. The engine does not tell a wrapper
// whether it was called with new, so without it the wrapper works as well, where
// V8 throws. Both share the prototype object, so that objects made by Go are
// instances as well.
func (p *Prelude) wrapped(name string, length int, native *goja.Object, check func(args []goja.Value) []goja.Value) (*goja.Object, error) {
	construct, ok := goja.AssertConstructor(native)
	if !ok {
		return nil, errMissing(name)
	}
	var w *goja.Object
	w = p.constructor(name, length, func(c goja.ConstructorCall) *goja.Object {
		args := check(c.Arguments)
		target := c.NewTarget
		if target == nil || target == w {
			target = native // the engine's short way
		}
		o, err := construct(target, args...)
		if err != nil {
			rethrow(err)
		}
		return o
	})
	return w, p.replace(name, native, w)
}

// replace gives a wrapper the properties of the native constructor and its place
// in the prototype.
func (p *Prelude) replace(name string, native, w *goja.Object) error {
	proto := native.Get("prototype").ToObject(p.rt)
	if err := w.DefineDataProperty("prototype", proto, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
		return err
	}
	if err := w.SetPrototype(native.Prototype()); err != nil {
		return err
	}
	if err := p.copyProperties(name, w, native); err != nil {
		return err
	}
	return hidden(proto, "constructor", w)
}

// copied lists the own properties of the constructors that are wrapped, apart
// from those that every function has.
var copied = map[string][]string{
	"ArrayBuffer":    {"isView"},
	"Error":          {"isError"},
	"AggregateError": nil,
	"Uint8Array":     {"fromBase64", "fromHex"},
}

func (p *Prelude) copyProperties(name string, to, from *goja.Object) error {
	for _, k := range copied[name] {
		v := from.Get(k)
		if v == nil {
			return errMissing(name + "." + k)
		}
		if err := hidden(to, k, v); err != nil {
			return err
		}
	}
	if v := from.Get("BYTES_PER_ELEMENT"); v != nil {
		return to.DefineDataProperty("BYTES_PER_ELEMENT", v, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	}
	if name == "ArrayBuffer" {
		get := p.function("get [Symbol.species]", 0, func(c goja.FunctionCall) goja.Value { return c.This })
		return to.DefineAccessorPropertySymbol(goja.SymSpecies, get, nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return nil
}

type errMissing string

func (e errMissing) Error() string { return "the engine has no global " + string(e) }

// checkBuffer refuses the length of an ArrayBuffer. An object is converted to
// its number once, so that what was checked is what the engine sees; other
// values go to the engine, which converts them and fails by itself or not.
func (p *Prelude) checkBuffer(args []goja.Value) []goja.Value {
	if o, ok := args[0].(*goja.Object); ok {
		args = replaced(args, 0, p.rt.ToValue(o.ToFloat()))
	}
	n, ok := number(args[0])
	switch {
	case !ok:
	case n > maxSafeInteger || n <= -1:
		p.throw("RangeError", "Invalid array buffer length")
	case n > maxBuffer:
		p.throw("RangeError", "Array buffer allocation failed")
	}
	return args
}

// checkLength refuses the length of a typed array, given as a number or as
// that of an array-like object.
func (p *Prelude) checkLength(args []goja.Value, size float64) []goja.Value {
	if o, ok := args[0].(*goja.Object); ok {
		switch o.ClassName() {
		case "Array": // may be sparse
			if n, ok := number(o.Get("length")); ok && n*size > maxBuffer {
				p.throw("RangeError", "Array buffer allocation failed")
			}
		case "Object":
			o, n := p.arrayLike(o)
			if n*size > maxBuffer {
				p.throw("RangeError", "Array buffer allocation failed")
			}
			return replaced(args, 0, o)
		}
		return args // buffers and typed arrays have memory behind their length
	}
	n, ok := number(args[0])
	switch {
	case !ok:
	case n > maxSafeInteger || n <= -1:
		p.throw("RangeError", "Invalid typed array length: %s", args[0].String())
	case n*size > maxBuffer:
		p.throw("RangeError", "Array buffer allocation failed")
	}
	return args
}

func number(v goja.Value) (float64, bool) {
	if v == nil {
		return 0, false
	}
	switch n := v.Export().(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	case string:
		f := v.ToFloat()
		return f, !math.IsNaN(f)
	}
	return 0, false
}

// transfer moves a buffer's bytes to a new one and detaches the old one. The
// bytes are copied only when the new one is longer.
func (p *Prelude) transfer(name string) func(goja.FunctionCall) goja.Value {
	return func(c goja.FunctionCall) goja.Value {
		b, ok := c.This.Export().(goja.ArrayBuffer)
		if !ok {
			p.throw("TypeError", "Method ArrayBuffer.prototype.%s called on incompatible receiver %s", name, p.show(c.This))
		}
		n := -1
		if a := c.Argument(0); !goja.IsUndefined(a) {
			f := a.ToFloat()
			if f > maxSafeInteger || f <= -1 {
				p.throw("RangeError", "Invalid array buffer length")
			}
			if f > maxBuffer {
				p.throw("RangeError", "Array buffer allocation failed")
			}
			n = int(a.ToInteger())
		}
		if b.Detached() {
			p.throw("TypeError", "Cannot perform ArrayBuffer.prototype.%s on a detached ArrayBuffer", name)
		}
		data := b.Bytes()
		b.Detach()
		switch {
		case n < 0 || n == len(data):
		case n < len(data):
			data = data[:n:n]
		default:
			data = append(make([]byte, 0, n), data...)[:n]
		}
		return p.rt.ToValue(p.rt.NewArrayBuffer(data))
	}
}

// installApply refuses lists of arguments that would not fit into memory.
func (p *Prelude) installApply() error {
	proto := p.rt.Get("Function").ToObject(p.rt).Get("prototype").ToObject(p.rt)
	reflect := p.rt.Get("Reflect").ToObject(p.rt)
	for _, t := range []struct {
		on     *goja.Object
		name   string
		length int
		list   int // index of the array-like argument
	}{{proto, "apply", 2, 1}, {reflect, "apply", 3, 2}, {reflect, "construct", 2, 1}} {
		native, ok := goja.AssertFunction(t.on.Get(t.name))
		if !ok {
			return errMissing(t.name)
		}
		w := p.function(t.name, t.length, func(c goja.FunctionCall) goja.Value {
			args := c.Arguments
			if o, ok := c.Argument(t.list).(*goja.Object); ok {
				o, n := p.arrayLike(o)
				if n > maxApply {
					if n >= 1<<27 {
						p.throw("RangeError", "Invalid array length")
					}
					p.throw("RangeError", "Maximum call stack size exceeded")
				}
				args = replaced(args, t.list, o)
			}
			v, err := native(c.This, args...)
			if err != nil {
				rethrow(err)
			}
			return v
		})
		if err := hidden(t.on, t.name, w); err != nil {
			return err
		}
	}
	return nil
}

// show names a value the way V8 does in the text of a TypeError.
func (p *Prelude) show(v goja.Value) string {
	o, ok := v.(*goja.Object)
	if !ok {
		return v.String()
	}
	if o.ClassName() == "Array" {
		return "[object Array]"
	}
	name := "Object"
	if c, ok := o.Get("constructor").(*goja.Object); ok {
		if n := c.Get("name"); n != nil && n.String() != "" {
			name = n.String()
		}
	}
	return "#<" + name + ">"
}
