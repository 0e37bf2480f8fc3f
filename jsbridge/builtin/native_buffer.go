package builtin

import (
	"bytes"
	"reflect"

	"github.com/dop251/goja"
)

var bytesType = reflect.TypeFor[[]byte]()

// view returns the bytes of a Uint8Array, shared with it, or nil.
func view(v goja.Value) []byte {
	obj, ok := v.(*goja.Object)
	if !ok || obj.ExportType() != bytesType {
		return nil
	}
	b, _ := obj.Export().([]byte)
	return b
}

// bufferNative adds the parts of node:buffer that loop over bytes: goja is
// far too slow at that.
func bufferNative(rt *goja.Runtime, set func(string, func(goja.FunctionCall) goja.Value)) {
	// encode(bytes, encoding, start, end) returns the text of a range, which
	// the caller has clamped.
	set("encode", func(call goja.FunctionCall) goja.Value {
		b := view(call.Argument(0))
		start, end := int(call.Argument(2).ToInteger()), int(call.Argument(3).ToInteger())
		if start < 0 || end > len(b) || start > end {
			panic(rt.NewTypeError("a range outside of the buffer"))
		}
		s, ok := encodeBytes(b[start:end], call.Argument(1).String())
		if !ok {
			panic(rt.NewTypeError("unknown encoding %q", call.Argument(1).String()))
		}
		return s
	})
	// decode(string, encoding) returns a fresh ArrayBuffer, or undefined for
	// text that its encoding does not allow.
	set("decode", func(call goja.FunctionCall) goja.Value {
		s, _ := call.Argument(0).(goja.String)
		if s == nil {
			panic(rt.NewTypeError("decode takes a string"))
		}
		b, ok := decodeString(s, call.Argument(1).String())
		if !ok {
			return goja.Undefined()
		}
		return rt.ToValue(rt.NewArrayBuffer(b))
	})
	set("byteLength", func(call goja.FunctionCall) goja.Value {
		s, _ := call.Argument(0).(goja.String)
		if s == nil {
			panic(rt.NewTypeError("byteLength takes a string"))
		}
		return rt.ToValue(utf8Length(s))
	})
	// utf8Fit(string, room) tells how many bytes of whole characters fit.
	set("utf8Fit", func(call goja.FunctionCall) goja.Value {
		b := view(call.Argument(0))
		return rt.ToValue(wholeCharacters(b, int(call.Argument(1).ToInteger())))
	})
	set("compare", func(call goja.FunctionCall) goja.Value {
		return rt.ToValue(bytes.Compare(view(call.Argument(0)), view(call.Argument(1))))
	})
	// indexOf(bytes, needle, from, step) searches forward from an index, only
	// at multiples of step (2 for UTF-16); lastIndexOf backward.
	set("indexOf", func(call goja.FunctionCall) goja.Value {
		b, needle := view(call.Argument(0)), view(call.Argument(1))
		from, step := int(call.Argument(2).ToInteger()), int(call.Argument(3).ToInteger())
		return rt.ToValue(indexFrom(b, needle, from, step))
	})
	set("lastIndexOf", func(call goja.FunctionCall) goja.Value {
		b, needle := view(call.Argument(0)), view(call.Argument(1))
		from, step := int(call.Argument(2).ToInteger()), int(call.Argument(3).ToInteger())
		return rt.ToValue(lastIndexFrom(b, needle, from, step))
	})
	// fill(bytes, pattern) repeats the pattern, which is not empty.
	set("fill", func(call goja.FunctionCall) goja.Value {
		b, pattern := view(call.Argument(0)), view(call.Argument(1))
		for n := 0; n < len(b) && len(pattern) > 0; {
			n += copy(b[n:], pattern)
		}
		return goja.Undefined()
	})
	set("isUtf8", func(call goja.FunctionCall) goja.Value {
		return rt.ToValue(validUTF8(view(call.Argument(0))))
	})
}

func indexFrom(b, needle []byte, from, step int) int {
	for from >= 0 && from <= len(b) {
		i := bytes.Index(b[from:], needle)
		if i < 0 {
			return -1
		}
		if (from+i)%step == 0 {
			return from + i
		}
		from += i + 1
	}
	return -1
}

func lastIndexFrom(b, needle []byte, from, step int) int {
	end := min(from+len(needle), len(b))
	for end >= 0 {
		i := bytes.LastIndex(b[:end], needle)
		if i < 0 || i%step == 0 {
			return i
		}
		end = i + len(needle) - 1
	}
	return -1
}
