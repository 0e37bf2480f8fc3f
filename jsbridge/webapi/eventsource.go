package webapi

import (
	"mime"
	"time"

	"github.com/dop251/goja"
)

// eventSource is the attachment of an EventSource.
type eventSource struct {
	eventTarget
	api   *API
	url   string
	state int
	on    [3]*listener // onopen, onmessage, onerror
	// fetch opens the connection; nil for one over a stream, which cannot be
	// opened again.
	fetch  func(headers *goja.Object, signal *goja.Object) goja.Value
	origin goja.Value // of the messages
	lastID string
	retry  time.Duration
	// stop ends what goes on: the request, or the wait before the next.
	stop func()
	// round counts connections, so that the end of an old one does nothing.
	round int
}

const (
	sourceConnecting = iota
	sourceOpen
	sourceClosed
)

// The time before a connection is opened again, unless the server says
// otherwise, and the bounds of what it may say (measured on workerd).
const (
	sourceRetry    = 2 * time.Second
	sourceMinRetry = time.Second
	sourceMaxRetry = 10 * time.Second
)

var sourceEvents = [3]string{"open", "message", "error"}

func init() {
	classSpecs[classEventSource] = classSpec{
		name: "EventSource", parent: classEventTarget, construct: constructEventSource, init: initEventSource,
	}
	classSpecs[classOpenEvent] = classSpec{name: "OpenEvent", parent: classEvent, hidden: true}
}

func constructEventSource(a *API, call goja.ConstructorCall) {
	raw := a.str(a.needCtor(call.Arguments, 0, "EventSource", "string"))
	init := a.dict(call.Arguments, 1, func() { a.badCtorParam(1, "EventSource", "EventSourceInit") })
	credentials := field(init, "withCredentials").ToBoolean()
	var fetcher *goja.Object
	if v := field(init, "fetcher"); !isUndefined(v) {
		if a.env.IsFetcher == nil || !a.env.IsFetcher(v) {
			a.badField("EventSourceInit", "fetcher", "Fetcher")
		}
		fetcher = v.(*goja.Object)
	}
	u, ok := parseURL(raw, "")
	if !ok {
		a.throwDOM("Cannot open an EventSource to '"+raw+"'. The URL is invalid.", "SyntaxError")
	}
	if credentials {
		a.throwDOM("The init.withCredentials option is not supported. It must be false or undefined.", "NotSupportedError")
	}
	if a.env.Fetch == nil {
		a.throw(a.newError("Error", "EventSource is not implemented here: this context has no I/O"))
	}
	s := &eventSource{api: a, url: u.Href(false), retry: sourceRetry}
	s.fetch = func(headers, signal *goja.Object) goja.Value {
		options := a.rt.NewObject()
		must(options.Set("headers", headers))
		must(options.Set("signal", signal))
		return a.env.Fetch(fetcher, a.rt.ToValue(s.url), options)
	}
	a.attach(call.This, s)
	s.connect()
}

func initEventSource(a *API, c *class) {
	c.getter("url", func(v goja.Value) goja.Value { return a.rt.ToValue(this[*eventSource](a, v).url) })
	c.getter("withCredentials", func(v goja.Value) goja.Value {
		this[*eventSource](a, v)
		return a.rt.ToValue(false)
	})
	c.getter("readyState", func(v goja.Value) goja.Value { return a.rt.ToValue(this[*eventSource](a, v).state) })
	for i, typ := range sourceEvents {
		c.accessor("on"+typ, func(v goja.Value) goja.Value {
			s := this[*eventSource](a, v)
			return s.handler(s.on[i])
		}, func(v, f goja.Value) {
			s := this[*eventSource](a, v)
			s.on[i] = s.setHandler(typ, s.on[i], f)
		})
	}
	closeIt := func(call goja.FunctionCall) goja.Value {
		this[*eventSource](a, call.This).close()
		return goja.Undefined()
	}
	c.method("close", closeIt)
	if dispose, ok := a.intrinsics["Symbol"].Get("dispose").(*goja.Symbol); ok {
		c.symbolMethod(dispose, closeIt)
	}
	for i, name := range []string{"CONNECTING", "OPEN", "CLOSED"} {
		c.constant(name, i)
	}
	c.static("from", func(call goja.FunctionCall) goja.Value {
		stream := a.need(call.Arguments, 0, "EventSource", "from", "JsReadableStream")
		if !a.IsReadableStream(stream) {
			a.badParam(0, "EventSource", "from", "JsReadableStream")
		}
		if a.call(a.streams.locked, stream).ToBoolean() {
			a.throwTypeError("This ReadableStream is locked.")
		}
		s := &eventSource{api: a, state: sourceOpen, origin: goja.Null()}
		o := a.instance(classEventSource, s)
		s.read(stream.(*goja.Object))
		return o
	})
}

func (s *eventSource) close() {
	s.state = sourceClosed
	s.round++
	if stop := s.stop; stop != nil {
		s.stop = nil
		stop()
	}
}

// connect sends the request.
func (s *eventSource) connect() {
	a := s.api
	s.state = sourceConnecting
	s.round++
	round := s.round
	headers := a.rt.NewObject()
	must(headers.Set("accept", "text/event-stream"))
	must(headers.Set("cache-control", "no-cache"))
	if s.lastID != "" {
		must(headers.Set("last-event-id", s.lastID))
	}
	signal, abort := a.NewAbortSignal()
	s.stop = func() { abort(nil) }
	a.then(s.fetch(headers, signal), func(v goja.Value) {
		if s.round == round {
			s.answered(v)
		}
	}, func(reason goja.Value) {
		if s.round == round {
			s.fail(reason)
		}
	})
}

// answered looks at the response.
func (s *eventSource) answered(v goja.Value) {
	a := s.api
	r, ok := lookup[*response](a, v)
	if !ok {
		s.fail(a.typeError("fetch() gave no Response"))
		return
	}
	refuse := func(text string) { s.fail(a.NewDOMException(text, "AbortError")) }
	contentType, has := r.headers.list.Get("Content-Type")
	media, _, _ := mime.ParseMediaType(contentType)
	switch {
	case r.status < 200 || r.status > 299:
		refuse("The response status code was " + itoa(r.status) + ".")
		return
	case !has:
		refuse("No content type header was present in the response.")
		return
	case media != "text/event-stream":
		refuse("The content type '" + contentType + "' is invalid.")
		return
	}
	from := r.url
	if from == "" {
		from = s.url
	}
	s.origin = goja.Null()
	if u, ok := parseURL(from, ""); ok {
		s.origin = a.rt.ToValue(urlOrigin(u))
	}
	s.state = sourceOpen
	e := a.trustedEvent("open")
	a.instance(classOpenEvent, e)
	if _, thrown := a.dispatchTo(s, e); thrown != nil {
		s.fail(thrown)
		return
	}
	if s.state != sourceOpen {
		return
	}
	if r.body.none() {
		s.disconnected()
		return
	}
	s.read(a.bodyStream(&r.body).(*goja.Object))
}

// read takes the stream to its end.
func (s *eventSource) read(stream *goja.Object) {
	a := s.api
	parser := newEventStream(s.lastID)
	read, _ := goja.AssertFunction(a.call(a.streams.reader, stream))
	round := s.round
	var next func()
	next = func() {
		a.then(a.call(read), func(v goja.Value) {
			if s.round != round {
				return
			}
			res := v.(*goja.Object)
			if res.Get("done").ToBoolean() {
				s.disconnected()
				return
			}
			chunk, ok := s.bytes(res.Get("value"))
			if !ok {
				s.fail(a.typeError("Draining read encountered a value that cannot be converted to bytes"))
				return
			}
			if s.take(parser, chunk) {
				next()
			}
		}, func(reason goja.Value) {
			if s.round == round {
				s.fail(reason)
			}
		})
	}
	next()
}

// bytes returns what is in a chunk of the stream.
func (s *eventSource) bytes(v goja.Value) ([]byte, bool) {
	if text, ok := v.(goja.String); ok {
		return []byte(text.String()), true
	}
	return s.api.bytesOf(v)
}

// take dispatches the events of a chunk, all of them even if a listener closes
// the source. It reports whether to read on.
func (s *eventSource) take(parser *eventStream, chunk []byte) (more bool) {
	a := s.api
	var failed goja.Value
	parser.feed(chunk, func(ev streamEvent) {
		if failed != nil {
			return
		}
		e := a.trustedEvent(ev.typ)
		a.initMessageEvent(a.instance(classMessageEvent, e), a.rt.NewArray(), goja.Null(), a.rt.ToValue(ev.id), s.origin, a.rt.ToValue(ev.data))
		_, failed = a.dispatchTo(s, e)
	})
	s.lastID = parser.lastID
	if parser.retry >= 0 {
		s.retry = min(max(time.Duration(parser.retry)*time.Millisecond, sourceMinRetry), sourceMaxRetry)
	}
	if s.state == sourceClosed {
		return false
	}
	if failed != nil {
		s.fail(failed)
		return false
	}
	return true
}

// disconnected is the end of a connection. One that can be opened again is,
// after a while.
func (s *eventSource) disconnected() {
	a := s.api
	gone := a.newError("Error", "The server disconnected.")
	if s.fetch == nil || a.env.After == nil {
		s.fail(gone)
		return
	}
	s.state = sourceConnecting
	s.stop = a.env.After(s.retry, s.connect)
	s.report(gone)
}

// fail ends the source with an error.
func (s *eventSource) fail(reason goja.Value) {
	s.close()
	s.report(reason)
}

func (s *eventSource) report(reason goja.Value) {
	e := s.api.trustedEvent("error")
	e.failure = &errorFields{message: s.api.rt.ToValue(""), filename: s.api.rt.ToValue(""), err: reason}
	s.api.instance(classErrorEvent, e)
	s.api.dispatch(s, e)
}
