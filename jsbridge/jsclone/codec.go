package jsclone

import (
	"fmt"
	"math/big"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

// native is a built-in function, called without the detour through the virtual
// machine: no frame, and no microtasks run when it returns.
type native = func(goja.FunctionCall) goja.Value

// Codec clones values out of and into one goja.Runtime. It keeps the built-in
// functions that it needs, so that scripts that replace them do not disturb it:
// make it before any script runs.
//
// A Codec belongs to its runtime and is used by one goroutine at a time. It may
// be entered again from a getter or a hook that runs during a call.
type Codec struct {
	rt   *goja.Runtime
	l    *layout
	json []byte // room for ParseJSON; nil while it is in use

	// TypedArray gives the constructor of typed arrays of a name, other than
	// Uint8Array, at its first use; nil if there is none. The default takes
	// what the global has then.
	TypedArray func(name string) *goja.Object

	objectProto, toString *goja.Object // Object.prototype and its toString
	errorProtos           map[*goja.Object]bool
	errorProtoByName      map[string]*goja.Object
	classes               map[string]*goja.Object // constructors by name

	functionToString                         native
	mapEach, mapSet, setEach, setAdd         native
	dateValue, regexpFlags                   native
	booleanValue, numberValue, stringValue   native
	bufferOf, offsetOf, lengthOf, typeOfView native
	viewBuffer, viewOffset, viewLength       native
	bigintValue, getOwn                      native

	// collect gathers what forEach of a Map or Set visits.
	collect  []goja.Value
	onMapKey *goja.Object
	onSetKey *goja.Object

	enc  []*Encoder // idle, for reuse
	dec  []*Decoder
	keys keyCache

	strings stringCache
	make    maker
}

// New makes the codec of a runtime. It fails when the runtime's built-in
// objects are not all there, or when goja is of a version whose objects are laid
// out in a way unknown to this package.
func New(rt *goja.Runtime) (c *Codec, err error) {
	l, err := theLayout()
	if err != nil {
		return nil, err
	}
	c = &Codec{rt: rt, l: l, classes: map[string]*goja.Object{},
		errorProtos: map[*goja.Object]bool{}, errorProtoByName: map[string]*goja.Object{}}
	defer func() {
		if x := recover(); x != nil {
			c, err = nil, fmt.Errorf("jsclone: a built-in object is missing: %v", x)
		}
	}()
	global := rt.GlobalObject()
	class := func(name string) *goja.Object {
		o := global.Get(name).(*goja.Object)
		c.classes[name] = o
		return o
	}
	proto := func(name string) *goja.Object { return class(name).Get("prototype").(*goja.Object) }
	method := func(o *goja.Object, name string) native {
		return o.Get(name).Export().(func(goja.FunctionCall) goja.Value)
	}
	object := class("Object")
	c.objectProto = object.Get("prototype").(*goja.Object)
	c.make = maker{l: l, rt: rt}
	c.strings.l = l
	c.toString = c.objectProto.Get("toString").(*goja.Object)
	c.getOwn = method(object, "getOwnPropertyDescriptor")
	getter := func(o *goja.Object, key goja.Value) native {
		d := c.getOwn(goja.FunctionCall{Arguments: []goja.Value{o, key}}).(*goja.Object)
		return method(d, "get")
	}
	c.functionToString = method(proto("Function"), "toString")

	m, s := proto("Map"), proto("Set")
	c.mapEach, c.mapSet = method(m, "forEach"), method(m, "set")
	c.setEach, c.setAdd = method(s, "forEach"), method(s, "add")
	c.dateValue = method(proto("Date"), "getTime")
	re := proto("RegExp")
	c.regexpFlags = getter(re, rt.ToValue("flags"))
	c.booleanValue = method(proto("Boolean"), "valueOf")
	c.numberValue = method(proto("Number"), "valueOf")
	c.stringValue = method(proto("String"), "valueOf")
	c.bigintValue = method(proto("BigInt"), "valueOf")

	typed := proto("Uint8Array").Prototype()
	c.bufferOf = getter(typed, rt.ToValue("buffer"))
	c.offsetOf = getter(typed, rt.ToValue("byteOffset"))
	c.lengthOf = getter(typed, rt.ToValue("byteLength"))
	c.typeOfView = getter(typed, goja.SymToStringTag)
	dv := proto("DataView")
	c.viewBuffer = getter(dv, rt.ToValue("buffer"))
	c.viewOffset = getter(dv, rt.ToValue("byteOffset"))
	c.viewLength = getter(dv, rt.ToValue("byteLength"))
	class("Symbol")
	c.TypedArray = func(name string) *goja.Object {
		o, _ := global.Get(name).(*goja.Object)
		return o
	}
	for _, name := range []string{"Error", "TypeError", "RangeError", "ReferenceError", "SyntaxError", "EvalError",
		"URIError", "AggregateError"} {
		p := proto(name)
		c.errorProtos[p] = true
		c.errorProtoByName[name] = p
	}

	c.onMapKey = rt.ToValue(func(call goja.FunctionCall) goja.Value {
		c.collect = append(c.collect, call.Argument(1), call.Argument(0))
		return goja.Undefined()
	}).(*goja.Object)
	c.onSetKey = rt.ToValue(func(call goja.FunctionCall) goja.Value {
		c.collect = append(c.collect, call.Argument(0))
		return goja.Undefined()
	}).(*goja.Object)
	return c, nil
}

// on calls a built-in method of this.
func on(f native, this goja.Value, args ...goja.Value) goja.Value {
	return f(goja.FunctionCall{This: this, Arguments: args})
}

func (c *Codec) errorProto(kind structclone.ErrorKind) *goja.Object {
	return c.errorProtoByName[kind.Name()]
}

func (c *Codec) bigInt(v goja.Value) *big.Int {
	b, _ := v.Export().(*big.Int)
	return b
}

// Encode is [Codec.Encode] with a codec made for this one call. It costs more,
// and scripts may have replaced the functions that the codec relies on.
func Encode(rt *goja.Runtime, v goja.Value, opts Options) ([]byte, error) {
	c, err := New(rt)
	if err != nil {
		return nil, err
	}
	return c.Encode(nil, v, opts)
}

// Decode is [Codec.Decode] with a codec made for this one call.
func Decode(rt *goja.Runtime, data []byte, opts Options) (goja.Value, error) {
	c, err := New(rt)
	if err != nil {
		return nil, err
	}
	return c.Decode(data, opts)
}
