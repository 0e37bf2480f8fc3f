package webapi

import (
	"reflect"

	"github.com/dop251/goja"
)

var (
	typeBytes       = reflect.TypeFor[[]byte]()
	typeArrayBuffer = reflect.TypeFor[goja.ArrayBuffer]()
)

// isViewType tells whether t is what goja exports a typed array as.
func isViewType(t reflect.Type) bool {
	return t != nil && t.Kind() == reflect.Slice && isNumberKind(t.Elem().Kind())
}

// isIntegerView tells whether t belongs to a typed array of integers.
func isIntegerView(t reflect.Type) bool {
	if !isViewType(t) {
		return false
	}
	k := t.Elem().Kind()
	return k != reflect.Float32 && k != reflect.Float64
}

func isNumberKind(k reflect.Kind) bool {
	return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr
}

// isDataView asks the class, because goja exports a DataView as a plain map.
// A script that swaps the prototype of a DataView fools it, at the price of an
// error instead of a result.
func (a *API) isDataView(o *goja.Object) bool {
	tag, ok := o.GetSymbol(goja.SymToStringTag).(goja.String)
	if !ok || tag.String() != "DataView" {
		return false
	}
	var b []byte
	return a.rt.ExportTo(o, &b) == nil
}

// BufferOf returns the memory of an ArrayBuffer, or that under a typed array or
// DataView.
func (a *API) BufferOf(v goja.Value) (b goja.ArrayBuffer, ok bool) {
	o, isObject := v.(*goja.Object)
	if !isObject {
		return b, false
	}
	if b, ok = o.Export().(goja.ArrayBuffer); ok {
		return b, true
	}
	if x := o.ExportType(); x != typeBytes && !isViewType(x) && !a.isDataView(o) {
		return b, false
	}
	if o, isObject = o.Get("buffer").(*goja.Object); isObject {
		b, ok = o.Export().(goja.ArrayBuffer)
	}
	return b, ok
}
