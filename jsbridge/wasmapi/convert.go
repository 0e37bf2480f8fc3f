package wasmapi

import (
	"math"
	"math/big"
	"reflect"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

// incompatible is V8's text for values that have no form on the other side.
const incompatible = "type incompatibility when transforming from/to JS"

// notAFunction is what is wrong with a value that should be a function of a
// module.
const notAFunction = "function-typed object must be null (if nullable) or a Wasm function object"

// externBox is a primitive value behind an externref.
type externBox struct{ v goja.Value }

var (
	typeInt    = reflect.TypeFor[int64]()
	typeFloat  = reflect.TypeFor[float64]()
	typeBigInt = reflect.TypeFor[*big.Int]()
)

// toJS is ToJSValue (https://webassembly.github.io/spec/js-api/#tojsvalue).
func (a *API) toJS(t wasm.ValueType, v uint64) goja.Value {
	switch t {
	case wasm.I32:
		return a.rt.ToValue(int32(v))
	case wasm.I64:
		return a.rt.ToValue(big.NewInt(int64(v)))
	case wasm.F32:
		return a.rt.ToValue(float64(wasm.F32Value(v)))
	case wasm.F64:
		return a.rt.ToValue(wasm.F64Value(v))
	case wasm.Funcref:
		if f := a.store.FuncOf(v); f != nil {
			return a.funcObject(f)
		}
		return goja.Null()
	case wasm.Externref:
		switch x := a.store.ExternOf(v).(type) {
		case *goja.Object:
			return x
		case *externBox:
			return x.v
		}
		return goja.Null()
	}
	a.throwType(incompatible)
	return nil
}

// toWasm is ToWebAssemblyValue
// (https://webassembly.github.io/spec/js-api/#towebassemblyvalue). The second
// result is the function that a reference is to.
func (a *API) toWasm(t wasm.ValueType, v goja.Value) (uint64, *wasm.Func) {
	switch t {
	case wasm.I32:
		return uint64(toInt32(a.number(v))), nil
	case wasm.I64:
		return a.bigInt(v), nil
	case wasm.F32:
		return wasm.F32Bits(float32(a.number(v))), nil
	case wasm.F64:
		return wasm.F64Bits(a.number(v)), nil
	case wasm.Externref:
		return a.extern(v), nil
	case wasm.Funcref:
		if ref, f, ok := a.funcref(v); ok {
			return ref, f
		}
	}
	a.throwType(incompatible)
	return 0, nil
}

func (a *API) funcref(v goja.Value) (ref uint64, f *wasm.Func, ok bool) {
	if goja.IsNull(v) {
		return 0, nil, true
	}
	if f, ok = of[*wasm.Func](a, v); ok {
		return f.Ref(), f, true
	}
	return 0, nil, false
}

func (a *API) extern(v goja.Value) uint64 {
	switch {
	case goja.IsNull(v):
		return 0
	case goja.IsUndefined(v):
		if a.undefined == nil {
			a.undefined = &externBox{v}
		}
		return a.store.Extern(a.undefined)
	}
	if o, ok := v.(*goja.Object); ok {
		return a.store.Extern(o)
	}
	return a.store.Extern(&externBox{v})
}

// tidy forgets externrefs that are no longer used, unless a call is being
// prepared: its arguments are not in the engine yet.
func (a *API) tidy() {
	if len(a.stack) == 0 {
		a.store.Tidy()
	}
}

// number is ToNumber with V8's error texts.
func (a *API) number(v goja.Value) float64 {
	switch v.ExportType() {
	case typeInt, typeFloat:
		return v.ToFloat()
	}
	if o, ok := v.(*goja.Object); ok {
		v = o.ToNumber() // calls valueOf
		return v.ToFloat()
	}
	if _, ok := v.(*goja.Symbol); ok {
		a.throwType("Cannot convert a Symbol value to a number")
	}
	if v.ExportType() == typeBigInt {
		a.throwType("Cannot convert a BigInt value to a number")
	}
	return v.ToFloat()
}

func toInt32(f float64) uint32 {
	if math.Abs(f) < 1<<53 {
		return uint32(int64(f))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	f = math.Mod(math.Trunc(f), 1<<32)
	if f < 0 {
		f += 1 << 32
	}
	return uint32(uint64(f))
}

var mask64 = new(big.Int).SetUint64(math.MaxUint64)

// bigInt is ToBigInt64 with V8's error texts.
func (a *API) bigInt(v goja.Value) uint64 {
	b, ok := v.Export().(*big.Int)
	if !ok {
		if _, isObject := v.(*goja.Object); !isObject {
			if _, isSymbol := v.(*goja.Symbol); isSymbol {
				a.throwType("Cannot convert %s to a BigInt", primitiveText(v))
			}
			switch x := v.Export().(type) {
			case bool:
				if x {
					return 1
				}
				return 0
			case string:
			default:
				a.throwType("Cannot convert %s to a BigInt", primitiveText(v))
			}
		}
		// Strings, and objects, whose valueOf is called.
		b = a.parseBigInt(v)
	}
	if b.IsInt64() {
		return uint64(b.Int64())
	}
	return new(big.Int).And(b, mask64).Uint64()
}

func (a *API) parseBigInt(v goja.Value) *big.Int {
	if _, isObject := v.(*goja.Object); !isObject {
		var r goja.Value
		if ex := a.rt.Try(func() { r = on(a.js.asIntN, goja.Undefined(), a.rt.ToValue(64), v) }); ex != nil {
			a.throw(a.js.syntaxError, "Cannot convert %s to a BigInt", v.String())
		}
		return r.Export().(*big.Int)
	}
	return on(a.js.asIntN, goja.Undefined(), a.rt.ToValue(64), v).Export().(*big.Int)
}

func primitiveText(v goja.Value) string {
	if s, ok := v.(*goja.Symbol); ok {
		return "Symbol(" + s.String() + ")"
	}
	return v.String()
}

// unsigned converts an argument or property to an unsigned 32-bit number as V8
// does. what begins the error text.
func (a *API) unsigned(v goja.Value, what string) uint32 {
	f := a.number(v)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		a.throwType("%s must be convertible to a valid number", what)
	case f < 0:
		a.throwType("%s must be non-negative", what)
	case f > math.MaxUint32:
		a.throwType("%s must be in the unsigned long range", what)
	}
	return uint32(f)
}

func argument(where string, n int) string { return where + ": Argument " + string(rune('0'+n)) }
