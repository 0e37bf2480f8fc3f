package webapi

import (
	"math"
	"strings"

	"github.com/dop251/goja"
)

// blob is the attachment of a Blob or File. The data is never changed.
type blob struct {
	slot
	data []byte
	typ  string
	file *fileInfo
}

type fileInfo struct {
	name         string
	lastModified float64 // milliseconds since the Unix epoch
}

func init() {
	classSpecs[classBlob] = classSpec{
		name: "Blob", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) {
			b := &blob{}
			if len(call.Arguments) > 0 {
				b.data = a.blobParts(call.Argument(0), "Blob")
			}
			a.blobOptions(b, call.Arguments, 1, "Blob")
			a.attach(call.This, b)
		},
		init: initBlobClass,
	}
	classSpecs[classFile] = classSpec{
		name: "File", parent: classBlob,
		construct: func(a *API, call goja.ConstructorCall) {
			b := &blob{file: &fileInfo{}}
			if len(call.Arguments) > 0 {
				b.data = a.blobParts(call.Argument(0), "File")
			}
			b.file.name = a.str(a.needCtor(call.Arguments, 1, "File", "string"))
			opt := a.blobOptions(b, call.Arguments, 2, "File")
			if v := field(opt, "lastModified"); !isUndefined(v) {
				b.file.lastModified = wholeNumber(a.number(v))
			} else {
				b.file.lastModified = float64(a.env.Now().UnixMilli())
			}
			a.attach(call.This, b)
		},
		init: func(a *API, c *class) {
			get := func(name string, f func(*fileInfo) goja.Value) {
				c.getter(name, func(v goja.Value) goja.Value {
					b := this[*blob](a, v)
					if b.file == nil {
						a.throwTypeError(illegalInvocation)
					}
					return f(b.file)
				})
			}
			get("name", func(f *fileInfo) goja.Value { return a.rt.ToValue(f.name) })
			get("lastModified", func(f *fileInfo) goja.Value { return a.rt.ToValue(f.lastModified) })
		},
	}
}

func wholeNumber(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return math.Trunc(f)
}

// blobParts joins the parts. workerd wants a real array, no other iterable.
func (a *API) blobParts(v goja.Value, class string) []byte {
	if isUndefined(v) {
		return nil
	}
	arr, ok := v.(*goja.Object)
	if !ok || arr.ClassName() != "Array" {
		a.badCtorParam(0, class, "Array")
	}
	var data []byte
	n := int(arr.Get("length").ToInteger())
	for i := range n {
		part := arr.Get(itoa(i))
		if part == nil {
			part = goja.Undefined()
		}
		if b, ok := a.bytesOf(part); ok {
			data = append(data, b...)
		} else if b, ok := lookup[*blob](a, part); ok {
			data = append(data, b.data...)
		} else {
			data = append(data, a.str(part)...)
		}
	}
	return data
}

func (a *API) blobOptions(b *blob, args []goja.Value, i int, class string) *goja.Object {
	opt := a.dict(args, i, func() { a.badCtorParam(i, class, "Options") })
	if v := field(opt, "type"); !isUndefined(v) {
		b.typ = blobType(a.str(v))
	}
	if v := field(opt, "endings"); !isUndefined(v) {
		a.throw(a.newError("Error", "The 'endings' field on 'Options' is not implemented."))
	}
	return opt
}

// blobType is the type in lower case, or nothing if it has characters outside
// printable ASCII (https://w3c.github.io/FileAPI/#constructorBlob).
func blobType(s string) string {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > 0x7e && s[i] != 0x7f {
			return ""
		}
	}
	return strings.ToLower(s)
}

func initBlobClass(a *API, c *class) {
	c.getter("size", func(v goja.Value) goja.Value { return a.rt.ToValue(len(this[*blob](a, v).data)) })
	c.getter("type", func(v goja.Value) goja.Value { return a.rt.ToValue(this[*blob](a, v).typ) })
	c.method("slice", func(call goja.FunctionCall) goja.Value {
		b := this[*blob](a, call.This)
		start := a.blobIndex(call.Argument(0), 0, len(b.data))
		end := a.blobIndex(call.Argument(1), len(b.data), len(b.data))
		n := &blob{}
		if start < end {
			n.data = b.data[start:end:end]
		}
		if v := call.Argument(2); !isUndefined(v) {
			n.typ = blobType(a.str(v))
		}
		return a.instance(classBlob, n)
	})
	read := func(name string, convert func([]byte) goja.Value) {
		c.method(name, func(call goja.FunctionCall) goja.Value {
			b := this[*blob](a, call.This)
			return a.promise(func() goja.Value { return convert(b.data) })
		})
	}
	clone := func(b []byte) []byte { return append([]byte{}, b...) }
	read("arrayBuffer", func(data []byte) goja.Value { return a.arrayBuffer(clone(data)) })
	read("bytes", func(data []byte) goja.Value { return a.uint8Array(clone(data)) })
	// Unlike a body's text(), a blob's keeps the byte order mark.
	read("text", func(data []byte) goja.Value { return a.rt.ToValue(scrubUTF8(data)) })
	c.method("stream", func(call goja.FunctionCall) goja.Value {
		return a.blobStream(this[*blob](a, call.This))
	})
}

// blobIndex converts a slice bound; negative ones count from the end.
func (a *API) blobIndex(v goja.Value, missing, size int) int {
	if isUndefined(v) {
		return missing
	}
	f := a.number(v)
	if math.IsNaN(f) {
		return 0
	}
	f = math.Trunc(f)
	if f < 0 {
		f = max(0, f+float64(size))
	}
	return int(min(f, float64(size)))
}

// BlobOf returns the bytes and the type of a Blob, and for a File its name.
// The bytes must not be changed.
func (a *API) BlobOf(v goja.Value) (data []byte, typ, name string, ok bool) {
	b, ok := lookup[*blob](a, v)
	if !ok {
		return nil, "", "", false
	}
	if b.file != nil {
		name = b.file.name
	}
	return b.data, b.typ, name, true
}

// NewBlob makes a Blob over data, which must not be changed afterwards.
func (a *API) NewBlob(data []byte, typ string) *goja.Object {
	return a.instance(classBlob, &blob{data: data, typ: typ})
}
