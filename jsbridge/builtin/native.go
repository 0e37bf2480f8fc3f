package builtin

import (
	"math/big"
	"reflect"

	"github.com/dop251/goja"
)

// Types are compared before anything is exported: exporting copies, and an
// array of four milliards of holes would take the process down.
var (
	proxyType   = reflect.TypeFor[goja.Proxy]()
	promiseType = reflect.TypeFor[*goja.Promise]()

	arrayBufferType = reflect.TypeFor[goja.ArrayBuffer]()
	mapType         = reflect.TypeFor[[][2]any]()
	setType         = reflect.TypeFor[[]any]()
	bigIntType      = reflect.TypeFor[*big.Int]()
	stringType      = reflect.TypeFor[string]()
)

// newNative builds the object behind require("internal:native"): what the
// scripts must know about a value and JavaScript cannot tell them.
func newNative(rt *goja.Runtime) *goja.Object {
	o := rt.NewObject()
	set := func(name string, fn func(goja.FunctionCall) goja.Value) {
		if err := o.Set(name, fn); err != nil {
			panic(err) // a fresh plain object takes every property
		}
	}
	set("brand", func(call goja.FunctionCall) goja.Value {
		return rt.ToValue(brand(call.Argument(0)))
	})
	set("proxyDetails", func(call goja.FunctionCall) goja.Value {
		obj, ok := call.Argument(0).(*goja.Object)
		if !ok || obj.ExportType() != proxyType {
			return goja.Undefined()
		}
		p := obj.Export().(goja.Proxy)
		return rt.NewArray(orNull(p.Target()), orNull(p.Handler()))
	})
	set("promiseDetails", func(call goja.FunctionCall) goja.Value {
		obj, ok := call.Argument(0).(*goja.Object)
		if !ok || obj.ExportType() != promiseType {
			return goja.Undefined()
		}
		p := obj.Export().(*goja.Promise)
		return rt.NewArray(int(p.State()), p.Result())
	})
	bufferNative(rt, set)
	cryptoNative(rt, set)
	diffNative(rt, set)
	return o
}

func orNull(o *goja.Object) goja.Value {
	if o == nil { // a revoked proxy
		return goja.Null()
	}
	return o
}

// brand names the internal kind of an object, which no JavaScript can forge:
// "Proxy", "Promise", "Map", "Set", "ArrayBuffer", "TypedArray", "Date",
// "Error", "Function", "Number" and so on. The engine gives no sign of weak
// collections, data views, generators and iterators: they are "Object", as
// plain objects are. Primitives have "".
func brand(v goja.Value) string {
	obj, ok := v.(*goja.Object)
	if !ok {
		return ""
	}
	switch obj.ExportType() {
	case proxyType:
		return "Proxy" // before the class, which panics once it is revoked
	case promiseType:
		return "Promise"
	case arrayBufferType:
		return "ArrayBuffer"
	}
	class := obj.ClassName()
	if class != "Object" {
		return class
	}
	switch typ := obj.ExportType(); typ {
	case mapType:
		return "Map"
	case setType:
		return "Set"
	case bigIntType:
		return "BigInt"
	case stringType:
		return "Symbol"
	default:
		if typ.Kind() == reflect.Slice {
			return "TypedArray"
		}
	}
	return class
}
