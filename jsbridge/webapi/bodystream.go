package webapi

import (
	"errors"
	"io"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

// byteSource is attached to the stream over bytes that are in memory. As long
// as nobody has read from the stream, the bytes can be taken without it.
type byteSource struct {
	slot
	payload httpmsg.Body
}

// bodyStream returns the stream over a body, made when a script asks for it.
func (a *API) bodyStream(b *body) goja.Value {
	if b.stream != nil {
		return b.stream
	}
	s := a.loadStreams()
	if data, ok := b.payload.Bytes(); ok {
		b.stream = a.call(s.fromBytes, a.uint8Array(append([]byte{}, data...))).(*goja.Object)
		a.attach(b.stream, &byteSource{payload: b.payload})
		if b.used {
			a.call(s.seize, b.stream)
		}
		return b.stream
	}
	b.stream = a.goStream(b.payload)
	return b.stream
}

const chunkSize = 64 << 10

// goStream makes a ReadableStream over a body that Go supplies.
func (a *API) goStream(payload httpmsg.Body) *goja.Object {
	if a.env.Async == nil {
		a.throw(a.newError("Error", "reading a streamed body is not implemented here: this context has no I/O"))
	}
	r := payload.Stream()
	pull := func(call goja.FunctionCall) goja.Value {
		done, _ := goja.AssertFunction(call.Argument(0))
		buf := make([]byte, chunkSize)
		n, err := 0, error(nil)
		a.env.Async(func() {
			for n == 0 && err == nil {
				n, err = r.Read(buf)
			}
		}, func() {
			switch {
			case n > 0:
				a.call(done, a.uint8Array(buf[:n:n]))
			case errors.Is(err, io.EOF):
				a.call(done, goja.Null())
			default:
				a.call(done, goja.Undefined(), a.connectionLost())
			}
		})
		return goja.Undefined()
	}
	cancel := func(goja.FunctionCall) goja.Value {
		_ = payload.Close()
		return goja.Undefined()
	}
	return a.call(a.loadStreams().fromGo, a.rt.ToValue(pull), a.rt.ToValue(cancel)).(*goja.Object)
}

// connectionLost is the error of a body that ends too early.
func (a *API) connectionLost() *goja.Object {
	e := a.newError("Error", "Network connection lost.")
	must(e.Set("retryable", true))
	return e
}

// asStream returns the stream that a body value is or can be turned into, nil
// if it is neither a stream nor iterable.
func (a *API) asStream(o *goja.Object) *goja.Object {
	if a.IsReadableStream(o) {
		if a.streamDisturbed(o) {
			a.throwTypeError("This ReadableStream is disturbed (has already been read from), and cannot be used as a body.")
		}
		if a.streamLocked(o) {
			a.throwTypeError("This ReadableStream is locked to a reader, and cannot be used as a body.")
		}
		return o
	}
	if _, boxed := o.Export().(string); boxed || o.ExportType() == proxyType {
		return nil
	}
	async := goja.Value(nil)
	if sym, ok := a.rt.Get("Symbol").ToObject(a.rt).Get("asyncIterator").(*goja.Symbol); ok {
		async = o.GetSymbol(sym)
	}
	if !iterable(o) && isNullish(async) {
		return nil
	}
	return a.call(a.loadStreams().fromIterable, o).(*goja.Object)
}

func (a *API) streamDisturbed(o *goja.Object) bool { return a.call(a.streams.disturbed, o).ToBoolean() }
func (a *API) streamLocked(o *goja.Object) bool    { return a.call(a.streams.locked, o).ToBoolean() }

// directBytes returns the bytes of a body if they can be had without reading
// its stream.
func (a *API) directBytes(b *body) ([]byte, bool) {
	payload := b.payload
	if b.stream != nil {
		src, ok := lookup[*byteSource](a, b.stream)
		if !ok || a.streamLocked(b.stream) {
			return nil, false
		}
		payload = src.payload
	}
	data, ok := payload.Bytes()
	return data, ok && !payload.IsNone()
}

// lockStream locks the stream of a body whose bytes were taken directly.
func (a *API) lockStream(b *body) {
	if b.stream != nil {
		a.call(a.streams.seize, b.stream)
	}
}

// teeBody splits the stream of a body between the body and a copy of it.
func (a *API) teeBody(b *body) body {
	stream := a.bodyStream(b)
	pair := a.call(a.streams.tee, stream).ToObject(a.rt)
	b.payload, b.stream = httpmsg.NoBody(), pair.Get("0").(*goja.Object)
	return body{stream: pair.Get("1").(*goja.Object)}
}

// consumeStream reads the stream of a body to its end and returns a promise of
// what convert makes of the bytes.
func (a *API) consumeStream(b *body, convert func([]byte) goja.Value) goja.Value {
	stream := a.bodyStream(b)
	if a.streamLocked(b.stream) {
		return a.promise(func() goja.Value {
			a.throwTypeError("This ReadableStream is currently locked to a reader.")
			return nil
		})
	}
	b.used = true
	p, resolve, reject := a.rt.NewPromise()
	var data []byte
	each := func(call goja.FunctionCall) goja.Value {
		chunk, _ := a.bytesOf(call.Argument(0))
		data = append(data, chunk...)
		next, _ := goja.AssertFunction(call.Argument(1))
		a.call(next)
		return goja.Undefined()
	}
	end := func(goja.FunctionCall) goja.Value {
		var v goja.Value
		if ex := a.rt.Try(func() { v = convert(data) }); ex != nil {
			must(reject(ex.Value()))
		} else {
			must(resolve(v))
		}
		return goja.Undefined()
	}
	fail := func(call goja.FunctionCall) goja.Value {
		must(reject(call.Argument(0)))
		return goja.Undefined()
	}
	a.call(a.streams.drain, stream, a.rt.ToValue(each), a.rt.ToValue(end), a.rt.ToValue(fail))
	return a.rt.ToValue(p)
}

// sendStream hands a stream body to the Go side. Chunks are pulled from the
// script's stream as fast as the reader takes them.
func (a *API) sendStream(b *body) httpmsg.Body {
	if b.stream == nil {
		// A stream that came from Go and that no script has touched.
		b.used = true
		return b.payload
	}
	if a.streamLocked(b.stream) {
		a.throwTypeError("The ReadableStream has been locked to a reader.")
	}
	if a.env.Async == nil {
		a.throw(a.newError("Error", "sending a streamed body is not implemented here: this context has no I/O"))
	}
	b.used = true
	pr, pw := io.Pipe()
	var cancel goja.Callable
	each := func(call goja.FunctionCall) goja.Value {
		chunk, _ := a.copyOf(call.Argument(0))
		next, _ := goja.AssertFunction(call.Argument(1))
		var err error
		a.env.Async(func() { _, err = pw.Write(chunk) }, func() {
			if err == nil {
				a.call(next)
			} else if cancel != nil {
				a.call(cancel, a.connectionLost())
			}
		})
		return goja.Undefined()
	}
	end := func(goja.FunctionCall) goja.Value {
		_ = pw.Close()
		return goja.Undefined()
	}
	fail := func(call goja.FunctionCall) goja.Value {
		_ = pw.CloseWithError(&StreamError{Reason: call.Argument(0).String()})
		return goja.Undefined()
	}
	length := httpmsg.UnknownLength
	if v := a.call(a.streams.length, b.stream); !isUndefined(v) {
		length = v.ToInteger()
	}
	stop := a.call(a.streams.drain, b.stream, a.rt.ToValue(each), a.rt.ToValue(end), a.rt.ToValue(fail))
	cancel, _ = goja.AssertFunction(stop)
	return httpmsg.StreamBody(pr, length)
}

// StreamError is what the reader of a streamed body gets when the script's
// stream failed.
type StreamError struct {
	// Reason is the script's error as text.
	Reason string
}

func (e *StreamError) Error() string { return "stream failed: " + e.Reason }

func (a *API) blobStream(b *blob) goja.Value {
	stream := a.call(a.loadStreams().fromBytes, a.uint8Array(append([]byte{}, b.data...))).(*goja.Object)
	a.attach(stream, &byteSource{payload: httpmsg.BytesBody(b.data)})
	return stream
}
