package runtime

import (
	"context"
	"net/http"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/govalue"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/internal/structclone"
	"github.com/durashim/durashim/internal/valuetext"
	"github.com/durashim/durashim/jsbridge"
)

// Value is what a method returned. The zero Value is undefined. It is safe for
// use by many goroutines.
//
// A Value that may hold something by reference (functions, RpcTargets, stubs,
// streams, requests, responses) has to be closed; for others Close does nothing.
type Value struct {
	data []byte
	refs *references // nil when everything is in data
}

// value takes over a result.
func (rt *Runtime) value(ctx context.Context, res durable.Result) Value {
	v := Value{data: res.Value}
	if res.Refs != nil {
		v.refs = rt.receive(ctx, res.Refs)
	}
	return v
}

// Decode stores the value in what target points to, by the rules of
// encoding/json's tags. A value that does not fit is an error that names the
// place in it.
//
// What came by reference decodes into variables of these types, or of interfaces
// that they implement:
//
//	function, RpcTarget, stub of a service   *Ref
//	stub of an object                        *Stub
//	ReadableStream                           io.ReadCloser
//	WritableStream                           io.WriteCloser
//	Request, Response                        *http.Request, *http.Response
//	Headers                                  http.Header
//
// The context of the call governs reading and writing streams, too. They belong
// to the Value: closing it ends them.
func (v Value) Decode(target any) error {
	if v.data == nil {
		v.data = undefined
	}
	return govalue.UnmarshalHost(v.data, target, v.refs.decodeHost, describe)
}

// undefined is the message of the zero Value.
var undefined = []byte{0xff, structclone.Version, '_'}

// Data returns the value in V8's structured-clone format, in which what came by
// reference only has a number; nil for the zero Value. It must not be modified.
func (v Value) Data() []byte { return v.data }

// Any returns the value as a Go value: float64 for every number, string, bool,
// nil for null and undefined, map[string]any, []any, []byte, time.Time,
// *big.Int, and what [Value.Decode] lists for what came by reference.
func (v Value) Any() (any, error) {
	var x any
	err := v.Decode(&x)
	return x, err
}

// Close gives up what the value holds by reference: its references are closed and
// its streams end. Only the first call does something, and the error is always
// nil.
func (v Value) Close() error {
	v.refs.close()
	return nil
}

// Kind is the type of a value, by its name in JavaScript.
type Kind string

// Kinds of values. Typed arrays have the name of their class, such as
// "Uint8Array".
const (
	KindUndefined      Kind = "undefined"
	KindNull           Kind = "null"
	KindBoolean        Kind = "boolean"
	KindNumber         Kind = "number"
	KindBigInt         Kind = "bigint"
	KindString         Kind = "string"
	KindObject         Kind = "Object"
	KindArray          Kind = "Array"
	KindMap            Kind = "Map"
	KindSet            Kind = "Set"
	KindDate           Kind = "Date"
	KindRegExp         Kind = "RegExp"
	KindError          Kind = "Error"
	KindArrayBuffer    Kind = "ArrayBuffer"
	KindRPCStub        Kind = "RpcStub"
	KindReadableStream Kind = "ReadableStream"
	KindWritableStream Kind = "WritableStream"
	KindRequest        Kind = "Request"
	KindResponse       Kind = "Response"
	KindHeaders        Kind = "Headers"
	KindBlob           Kind = "Blob"
	KindDOMException   Kind = "DOMException"
	KindFetcher        Kind = "Fetcher" // the stub of an object or a service
)

// Kind returns the type of the value.
func (v Value) Kind() Kind {
	var r structclone.Reader
	var t structclone.Token
	if v.data == nil || r.Reset(v.data, 1) != nil || r.Next(&t) != nil {
		return KindUndefined
	}
	switch t.Kind {
	case structclone.KindNull:
		return KindNull
	case structclone.KindBool:
		return KindBoolean
	case structclone.KindInt, structclone.KindDouble:
		return KindNumber
	case structclone.KindBigInt:
		return KindBigInt
	case structclone.KindString:
		return KindString
	case structclone.KindDenseArray, structclone.KindSparseArray:
		return KindArray
	case structclone.KindMap:
		return KindMap
	case structclone.KindSet:
		return KindSet
	case structclone.KindDate:
		return KindDate
	case structclone.KindRegExp:
		return KindRegExp
	case structclone.KindError, structclone.KindLegacyError:
		return KindError
	case structclone.KindArrayBuffer:
		// A view comes with its buffer.
		if r.Next(&t) == nil && t.Kind == structclone.KindView {
			return Kind(t.View.Type.Name())
		}
		return KindArrayBuffer
	case structclone.KindView:
		return Kind(t.View.Type.Name())
	case structclone.KindHost:
		return v.refs.kindOf(&r, uint32(t.Int))
	case structclone.KindUndefined, structclone.KindHole:
		return KindUndefined
	}
	return KindObject // boxed primitives, too
}

// IsNull reports whether the value is null.
func (v Value) IsNull() bool { return v.Kind() == KindNull }

// IsUndefined reports whether the value is undefined, as that of a method that
// returns nothing is.
func (v Value) IsUndefined() bool { return v.Kind() == KindUndefined }

// maxText is how long the text of a value may be, in bytes.
const maxText = 200

// String returns the value as a JavaScript literal for people, cut at about 200
// bytes. What came by reference is shown as [RpcStub], for example.
func (v Value) String() string {
	if v.data == nil {
		return "undefined"
	}
	return valuetext.Value(v.data, maxText, func(r *structclone.Reader, tag uint32) (string, bool) {
		return "[" + string(v.refs.kindOf(r, tag)) + "]", true
	})
}

// describe implements [govalue.DescribeHost].
func describe(v any) string {
	switch v.(type) {
	case *Ref:
		return "an RpcStub"
	case *Stub:
		return "the stub of an object"
	case *streamReader:
		return "a ReadableStream"
	case *streamWriter:
		return "a WritableStream"
	case *http.Request:
		return "a Request"
	case *http.Response:
		return "a Response"
	case http.Header:
		return "a Headers object"
	}
	return ""
}

// kindOf returns the kind of a host object, whose payload it reads. r may be nil.
func (r *references) kindOf(rd *structclone.Reader, tag uint32) Kind {
	v, err := jsbridge.ReadHost(rd, tag)
	if err != nil {
		return KindObject
	}
	switch v := v.(type) {
	case httpmsg.Header:
		return KindHeaders
	case *govalue.Error:
		return KindDOMException
	case []byte:
		return KindBlob
	case jsbridge.HostRef:
		return r.kindAt(int(v))
	}
	return KindObject
}

func (r *references) kindAt(i int) Kind {
	if r == nil {
		return KindObject
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i < 0 || i >= len(r.kinds) {
		return KindObject
	}
	return r.kinds[i]
}

// kindOfEntry returns the kind of an entry of a message's table.
func kindOfEntry(entry any) Kind {
	switch entry.(type) {
	case jsbridge.Ref:
		return KindRPCStub
	case jsbridge.SentReadable:
		return KindReadableStream
	case jsbridge.SentWritable:
		return KindWritableStream
	case *httpmsg.Response:
		return KindResponse
	case *httpmsg.Request:
		return KindRequest
	case *durable.Stub, jsbridge.Service:
		return KindFetcher
	}
	return KindObject
}
