package webapi

import (
	"math"
	"strconv"

	"github.com/dop251/goja"
)

// illegalInvocation is the text for a method whose receiver is of the wrong
// class. It is thrown at once, also by methods that return promises.
const illegalInvocation = "Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details."

// throw throws a JavaScript value out of a Go function that a script called.
func (a *API) throw(v goja.Value) {
	panic(v)
}

func (a *API) throwTypeError(msg string) {
	panic(a.typeError(msg))
}

func (a *API) typeError(msg string) *goja.Object {
	return a.rt.NewTypeError("%s", msg)
}

// newError makes an error of a built-in class such as "RangeError".
func (a *API) newError(class, msg string) *goja.Object {
	o, err := a.rt.New(a.intrinsics[class], a.rt.ToValue(msg))
	if err != nil {
		panic(err)
	}
	return o
}

// this returns the attachment of the receiver, or throws.
func this[T any](a *API, v goja.Value) T {
	s, ok := lookup[T](a, v)
	if !ok {
		a.throwTypeError(illegalInvocation)
	}
	return s
}

// need returns argument i of a call of class.method. A missing argument is an
// error; an explicit undefined is not.
func (a *API) need(args []goja.Value, i int, class, method, typ string) goja.Value {
	if i >= len(args) {
		a.badParam(i, class, method, typ)
	}
	return args[i]
}

func (a *API) badParam(i int, class, method, typ string) {
	a.throwTypeError("Failed to execute '" + method + "' on '" + class + "': parameter " + strconv.Itoa(i+1) + " is not of type '" + typ + "'.")
}

// needCtor is need for a constructor.
func (a *API) needCtor(args []goja.Value, i int, class, typ string) goja.Value {
	if i >= len(args) {
		a.badCtorParam(i, class, typ)
	}
	return args[i]
}

func (a *API) badCtorParam(i int, class, typ string) {
	a.throwTypeError("Failed to construct '" + class + "': constructor parameter " + strconv.Itoa(i+1) + " is not of type '" + typ + "'.")
}

func (a *API) badField(dict, field, typ string) {
	a.throwTypeError("Incorrect type for the '" + field + "' field on '" + dict + "': the provided value is not of type '" + typ + "'.")
}

// jsString is ToString. Unlike goja's it refuses symbols, as the language
// demands of an implicit conversion.
func (a *API) jsString(v goja.Value) goja.Value {
	if o, ok := v.(*goja.Object); ok {
		v = o.ToString()
	}
	switch v := v.(type) {
	case goja.String:
		return v
	case *goja.Symbol:
		a.throwTypeError("Cannot convert a Symbol value to a string")
	}
	return a.rt.ToValue(v.String())
}

// str is ToString followed by a conversion to well-formed UTF-8: lone
// surrogates become U+FFFD.
func (a *API) str(v goja.Value) string {
	return a.jsString(v).String()
}

// number is ToNumber, refusing symbols.
func (a *API) number(v goja.Value) float64 {
	if _, ok := v.(*goja.Symbol); ok {
		a.throwTypeError("Cannot convert a Symbol value to a number")
	}
	return v.ToFloat()
}

// int32 converts to a 32-bit integer the way workerd's bindings do: not a
// number is 0, fractions are cut off, what does not fit is an error.
func (a *API) int32(v goja.Value) int {
	f := a.number(v)
	if math.IsNaN(f) {
		return 0
	}
	f = math.Trunc(f)
	if f < math.MinInt32 || f > math.MaxInt32 {
		a.throwTypeError("Value out of range. Must be between -2147483648 and 2147483647 (inclusive).")
	}
	return int(f)
}

// isObject tells whether v is an object, functions included.
func isObject(v goja.Value) bool {
	_, ok := v.(*goja.Object)
	return ok
}

func isNullish(v goja.Value) bool {
	return v == nil || goja.IsUndefined(v) || goja.IsNull(v)
}

func isUndefined(v goja.Value) bool {
	return v == nil || goja.IsUndefined(v)
}

// dict returns an options argument as an object, nil if it was left out.
func (a *API) dict(args []goja.Value, i int, bad func()) *goja.Object {
	if i >= len(args) || isNullish(args[i]) {
		return nil
	}
	o, ok := args[i].(*goja.Object)
	if !ok {
		bad()
	}
	return o
}

// field reads a member of a dictionary, undefined if the dictionary is absent.
func field(o *goja.Object, name string) goja.Value {
	if o == nil {
		return goja.Undefined()
	}
	v := o.Get(name)
	if v == nil {
		return goja.Undefined()
	}
	return v
}

// bytesOf returns the memory of an ArrayBuffer, typed array or DataView.
// The slice aliases it.
func (a *API) bytesOf(v goja.Value) ([]byte, bool) {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil, false
	}
	switch x := o.ExportType(); x {
	case typeBytes:
		b, ok := o.Export().([]byte)
		return b, ok
	case typeArrayBuffer:
		return o.Export().(goja.ArrayBuffer).Bytes(), true
	default:
		if !isViewType(x) && !a.isDataView(o) {
			return nil, false
		}
	}
	var b []byte
	if err := a.rt.ExportTo(o, &b); err != nil {
		return nil, false
	}
	return b, true
}

// copyOf is bytesOf with a copy made, for data that must not change later.
func (a *API) copyOf(v goja.Value) ([]byte, bool) {
	b, ok := a.bytesOf(v)
	if !ok {
		return nil, false
	}
	return append(make([]byte, 0, len(b)), b...), true
}

// uint8Array makes a Uint8Array that owns b.
func (a *API) uint8Array(b []byte) *goja.Object {
	o, err := a.rt.New(a.intrinsics["Uint8Array"], a.rt.ToValue(a.rt.NewArrayBuffer(b)))
	if err != nil {
		panic(err)
	}
	return o
}

func (a *API) arrayBuffer(b []byte) goja.Value {
	return a.rt.ToValue(a.rt.NewArrayBuffer(b))
}

// promise returns a promise settled with what f returns or throws.
func (a *API) promise(f func() goja.Value) goja.Value {
	p, resolve, reject := a.rt.NewPromise()
	var v goja.Value
	if ex := a.rt.Try(func() { v = f() }); ex != nil {
		must(reject(ex.Value()))
	} else {
		must(resolve(v))
	}
	return a.rt.ToValue(p)
}

func itoa(i int) string { return strconv.Itoa(i) }
