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
	if data, ok := b.payload.Bytes(); ok && b.payload.Encoding() == "" {
		b.stream = a.call(s.fromBytes, a.uint8Array(append([]byte{}, data...))).(*goja.Object)
		a.attach(b.stream, &byteSource{payload: b.payload})
		a.call(s.own, b.stream, a.rt.ToValue(b.owner))
		if b.used {
			a.call(s.seize, b.stream)
		}
		return b.stream
	}
	b.stream = a.goStream(b.payload)
	a.call(s.own, b.stream, a.rt.ToValue(b.owner))
	return b.stream
}

const chunkSize = 64 << 10

// goSource is attached to the stream over a body that Go supplies. As long as
// nobody has read from the stream, the body can be passed on without it.
type goSource struct {
	slot
	payload httpmsg.Body
}

// goStream makes a ReadableStream over a body that Go supplies.
func (a *API) goStream(payload httpmsg.Body) *goja.Object {
	if a.env.Async == nil {
		a.throw(a.newError("Error", "reading a streamed body is not implemented here: this context has no I/O"))
	}
	decoded := payload.Decoded()
	r := decoded.Stream()
	pull := func(call goja.FunctionCall) goja.Value {
		done, _ := goja.AssertFunction(call.Argument(0))
		finish := func(chunk []byte, err error) {
			switch {
			case len(chunk) > 0:
				a.call(done, a.uint8Array(chunk))
			case errors.Is(err, io.EOF):
				a.disown(payload)
				a.call(done, goja.Null())
			default:
				a.disown(payload)
				a.call(done, goja.Undefined(), a.bodyError(err))
			}
		}
		if s, ok := r.(httpmsg.AsyncReader); ok {
			post := a.later()
			s.ReadAsync(func(chunk []byte, err error) { post(func() { finish(chunk, err) }) })
			return goja.Undefined()
		}
		buf := make([]byte, chunkSize)
		n, err := 0, error(nil)
		a.env.Async(func() {
			for n == 0 && err == nil {
				n, err = r.Read(buf)
			}
		}, func() { finish(buf[:n:n], err) })
		return goja.Undefined()
	}
	cancel := func(goja.FunctionCall) goja.Value {
		a.disown(payload)
		_ = payload.Close()
		return goja.Undefined()
	}
	stream := a.call(a.loadStreams().fromGo, a.rt.ToValue(pull), a.rt.ToValue(cancel)).(*goja.Object)
	a.attach(stream, &goSource{payload: payload})
	return stream
}

// later captures the current context for a callback.
func (a *API) later() (post func(f func())) {
	if a.env.Later != nil {
		return a.env.Later()
	}
	return func(f func()) { a.env.Async(func() {}, f) }
}

// own closes a body that came from Go when the current context ends without
// having read it or passed it on.
func (a *API) own(b httpmsg.Body) {
	r := b.Stream()
	if r == nil || a.env.Own == nil {
		return
	}
	if a.owned == nil {
		a.owned = map[io.Reader]func(){}
	}
	a.owned[r] = a.env.Own(false, func() {
		delete(a.owned, r)
		_ = b.Close()
	})
}

// disown undoes own: the body was read to its end or belongs to somebody else.
func (a *API) disown(b httpmsg.Body) {
	if r := b.Stream(); r != nil {
		if release := a.owned[r]; release != nil {
			delete(a.owned, r)
			release()
		}
	}
}

// bodyError is what a script sees of an error in a body.
func (a *API) bodyError(err error) goja.Value {
	if errors.Is(err, httpmsg.ErrGzip) {
		return a.newError("TypeError", err.Error())
	}
	if a.env.ErrorValue != nil {
		if v := a.env.ErrorValue(err); v != nil {
			return v
		}
	}
	return a.connectionLost()
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
	// A String object is text, although it can be iterated.
	if o.ClassName() == "String" || o.ExportType() == proxyType {
		return nil
	}
	async := goja.Value(nil)
	if sym, ok := a.intrinsics["Symbol"].Get("asyncIterator").(*goja.Symbol); ok {
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
	return data, ok && !payload.IsNone() && payload.Encoding() == ""
}

// bytes returns the bytes of the body as a payload, which can be sent again only if
// the script gave bytes, too: not a stream over them (measured on workerd).
func (b *body) bytes(data []byte) httpmsg.Body {
	p := httpmsg.BytesBody(data)
	if b.payload.IsNone() || !b.payload.Replayable() {
		return p.Once()
	}
	return p
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
// script's stream as fast as the reader takes them. When the reader gives up,
// the script's stream is cancelled: that of a response with undefined, that of a
// request, and a stream of the platform's, with an error (measured on workerd).
func (a *API) sendStream(b *body, response bool) httpmsg.Body {
	if b.stream == nil {
		// A stream that came from Go and that no script has touched.
		b.used = true
		a.disown(b.payload)
		return b.payload
	}
	if a.streamLocked(b.stream) {
		a.throwTypeError("The ReadableStream has been locked to a reader.")
	}
	if src, ok := lookup[*goSource](a, b.stream); ok && !a.streamDisturbed(b.stream) {
		b.used = true
		a.call(a.streams.seize, b.stream)
		a.disown(src.payload)
		return src.payload
	}
	if a.env.Async == nil {
		a.throw(a.newError("Error", "sending a streamed body is not implemented here: this context has no I/O"))
	}
	b.used = true
	post := a.later()
	var cancel goja.Callable
	release := func() {}
	gone := false // the reader; cancelling ends the stream too
	pipe := httpmsg.NewPipe(func() {
		post(func() {
			gone = true
			reason := goja.Undefined()
			if !response || a.call(a.streams.native, b.stream).ToBoolean() {
				reason = a.connectionLost()
			}
			if cancel != nil {
				a.call(cancel, reason)
			}
		})
		// What else the loss of the reader causes comes before the context may
		// end for it.
		post(func() { post(func() { release() }) })
	})
	if a.env.Own != nil {
		release = a.env.Own(true, func() { pipe.CloseWithError(ErrContextOver) })
	}
	each := func(call goja.FunctionCall) goja.Value {
		chunk, ok := a.copyOf(call.Argument(0))
		if !ok {
			chunk = []byte(call.Argument(0).String())
		}
		next, _ := goja.AssertFunction(call.Argument(1))
		if pipe.WriteAsync(chunk, func(err error) {
			if err == nil {
				post(func() { a.call(next) })
			}
		}) {
			a.call(next)
		}
		return goja.Undefined()
	}
	finish := func(err error) {
		pipe.CloseWithError(err)
		if !gone {
			release()
		}
	}
	end := func(goja.FunctionCall) goja.Value {
		finish(nil)
		return goja.Undefined()
	}
	fail := func(call goja.FunctionCall) goja.Value {
		finish(a.streamError(call.Argument(0)))
		return goja.Undefined()
	}
	length := httpmsg.UnknownLength
	if v := a.call(a.streams.length, b.stream); !isUndefined(v) {
		length = v.ToInteger()
	}
	stop := a.call(a.streams.drain, b.stream, a.rt.ToValue(each), a.rt.ToValue(end), a.rt.ToValue(fail), a.rt.ToValue(b.text))
	cancel, _ = goja.AssertFunction(stop)
	return httpmsg.StreamBody(pipe, length)
}

// ErrContextOver is what the reader of a streamed body gets when the context
// that the script's stream belonged to has ended.
var ErrContextOver = errors.New("the context that wrote the stream has ended")

func (a *API) streamError(v goja.Value) error {
	if a.env.ErrorOf != nil {
		return a.env.ErrorOf(v)
	}
	return &StreamError{Reason: v.String()}
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
