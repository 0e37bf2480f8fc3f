package jsbridge

import (
	"errors"
	"io"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge/jsclone"
	"github.com/durashim/durashim/jsbridge/webapi"
)

// sentReadable is a ReadableStream in a message: its bytes come through a pipe.
type sentReadable struct{ body httpmsg.Body }

// sentWritable is a WritableStream in a message: its owner exports an object with
// the methods write, close and abort.
type sentWritable struct{ at reference }

// encodeBody encodes a stream, or a message with a body. It consumes the body.
func (iso *Isolate) encodeBody(e *jsclone.Encoder, o *goja.Object) (bool, error) {
	// The body must not keep a request alive whose reader may never read it.
	iso.rpc.unheld = !iso.cur.ctx.refs.serves
	defer func() { iso.rpc.unheld = false }()
	switch {
	case iso.api.IsResponse(o), iso.api.IsRequest(o):
		if o.Get("bodyUsed").ToBoolean() {
			iso.throwType(readableLocked)
		}
	}
	switch {
	case iso.api.IsResponse(o):
		if iso.api.WebSocketOf(o) != nil {
			return false, errNotImplemented("a Response with a WebSocket as a value of RPC")
		}
		m, _, err := iso.api.ResponseOf(o)
		if err != nil {
			return false, err
		}
		iso.encodeRef(e, m)
	case iso.api.IsRequest(o):
		signal := iso.api.RequestSignalOf(o)
		if signal != nil && iso.api.OriginOf(signal) == webapi.RequestSignal {
			signal = nil // it stays with the request that came in (measured on workerd)
		}
		if signal != nil && !iso.compat(abortSignalRPC) {
			return false, errNoSignals
		}
		m, err := iso.api.RequestOf(o)
		if err != nil {
			return false, err
		}
		if signal == nil {
			iso.encodeRef(e, m)
			break
		}
		e.BeginHost(tagSignalled)
		iso.writeRef(e, m)
		if err := e.Value(signal); err != nil {
			return false, err
		}
	case iso.api.IsReadableStream(o):
		body, err := iso.streamBody(o)
		if err != nil {
			return false, err
		}
		iso.encodeRef(e, sentReadable{body})
	case iso.api.IsWritableStream(o):
		if o.Get("locked").ToBoolean() {
			iso.throwType("This WritableStream is currently locked to a writer.")
		}
		iso.encodeRef(e, sentWritable{iso.export(iso.sinkOf(o))})
	default:
		return false, nil
	}
	return true, nil
}

const readableLocked = "The ReadableStream has been locked to a reader."

// streamBody takes the bytes of a ReadableStream, as the body of a request does.
func (iso *Isolate) streamBody(o *goja.Object) (httpmsg.Body, error) {
	if o.Get("locked").ToBoolean() {
		iso.throwType(readableLocked)
	}
	body, err := iso.api.StreamOf(o)
	if err != nil {
		return httpmsg.Body{}, err
	}
	stream := body.Stream()
	if stream == nil {
		return body, nil
	}
	r := &rpcReader{Reader: stream, body: body}
	if async, ok := stream.(httpmsg.AsyncReader); ok {
		return httpmsg.StreamBody(&asyncRPCReader{r, async}, body.Length()), nil
	}
	return httpmsg.StreamBody(r, body.Length()), nil
}

// rpcReader reads a stream that was sent. Whatever goes wrong at its source, the
// reader learns no more than that it broke off (measured on workerd).
type rpcReader struct {
	io.Reader
	body httpmsg.Body
}

var errStreamBroken = &durable.Error{Name: "Error", Message: "ReadableStream received over RPC disconnected prematurely."}

func (r *rpcReader) end(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return errStreamBroken
}

func (r *rpcReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	return n, r.end(err)
}

func (r *rpcReader) Close() error { return r.body.Close() }

type asyncRPCReader struct {
	*rpcReader
	async httpmsg.AsyncReader
}

func (r *asyncRPCReader) ReadAsync(done func(chunk []byte, err error)) {
	r.async.ReadAsync(func(chunk []byte, err error) { done(chunk, r.end(err)) })
}

// sinkOf makes the object that is exported for a WritableStream.
func (iso *Isolate) sinkOf(stream *goja.Object) *goja.Object {
	writer := iso.api.StreamWriter(stream)
	sink := iso.rt.NewObject()
	iso.method(sink, "write", 1, func(c goja.FunctionCall) goja.Value { return writer("write", c.Argument(0)) })
	iso.method(sink, "close", 0, func(goja.FunctionCall) goja.Value { return writer("close", goja.Undefined()) })
	iso.method(sink, "abort", 0, func(goja.FunctionCall) goja.Value {
		// The reason does not travel (measured on workerd).
		return writer("abort", iso.errorValue(errWriterGone))
	})
	return sink
}

var errWriterGone = &durable.Error{Name: "Error", Message: "WritableStream received over RPC was disconnected because the remote execution context has ended."}

// newWritable makes the WritableStream of a message; each write is a call that
// ends when the owner's stream has taken the chunk.
func (iso *Isolate) newWritable(at reference) *goja.Object {
	s := iso.newStub(iso.importRef(at))
	sink := iso.rt.NewObject()
	send := func(name string, args ...goja.Value) goja.Value {
		return iso.startCall(s, durable.RPC, []string{name}, args, nil).promise()
	}
	iso.method(sink, "write", 1, func(c goja.FunctionCall) goja.Value {
		return send("write", iso.rt.ToValue(iso.rt.NewArrayBuffer(iso.chunkBytes(c.Argument(0)))))
	})
	iso.method(sink, "close", 0, func(goja.FunctionCall) goja.Value {
		v := send("close")
		s.dispose()
		return v
	})
	iso.method(sink, "abort", 1, func(goja.FunctionCall) goja.Value {
		v := send("abort")
		s.dispose()
		return v
	})
	return iso.construct(iso.api.Intrinsic("WritableStream"), sink)
}

// chunkBytes returns the bytes of a chunk written to a stream that was sent.
func (iso *Isolate) chunkBytes(v goja.Value) []byte {
	switch o := v.(type) {
	case goja.String:
		return []byte(o.String())
	case *goja.Object:
		if b, ok := o.Export().(goja.ArrayBuffer); ok {
			return append([]byte{}, b.Bytes()...)
		}
		if b, ok := orUndefined(o.Get("buffer")).(*goja.Object); ok {
			if b, ok := b.Export().(goja.ArrayBuffer); ok {
				// An object of a script may pretend to be a view.
				data := b.Bytes()
				from, n := orUndefined(o.Get("byteOffset")).ToInteger(), orUndefined(o.Get("byteLength")).ToInteger()
				if total := int64(len(data)); from >= 0 && n >= 0 && from <= total && n <= total-from {
					return append([]byte{}, data[from:from+n]...)
				}
			}
		}
	}
	iso.throwType("This TransformStream is being used as a byte stream, but received an object of non-ArrayBuffer/ArrayBufferView " +
		"type on its writable side.")
	return nil
}

// newReadable makes the ReadableStream of a message.
func (iso *Isolate) newReadable(body httpmsg.Body) goja.Value {
	return iso.api.NewResponse(&httpmsg.Response{Status: 200, Body: body}).Get("body")
}
