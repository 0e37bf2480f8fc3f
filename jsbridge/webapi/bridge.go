package webapi

import (
	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

// NewRequest makes the Request object that a fetch() handler receives. Its
// headers cannot be changed, as on the real runtime.
func (a *API) NewRequest(m *httpmsg.Request) *goja.Object {
	redirect := m.Redirect
	if redirect == "" {
		redirect = "follow"
	}
	a.own(m.Body)
	return a.instance(classRequest, &request{
		method: m.Method, url: m.URL, redirect: redirect, cache: m.Cache,
		headers: &headers{list: m.Header, immutable: true},
		body:    a.received(m.Body.Once()),
		cf:      cfValue{json: m.CF},
	})
}

// received is a body from Go; it belongs to the current context.
func (a *API) received(p httpmsg.Body) body {
	b := body{payload: p}
	if !p.IsNone() {
		b.owner = a.owner()
	}
	return b
}

// SetRequestSignal gives a request made by NewRequest its signal, an
// AbortSignal object.
func (a *API) SetRequestSignal(req, signal *goja.Object) {
	r, ok1 := lookup[*request](a, req)
	s, ok2 := lookup[*abortSignal](a, signal)
	if !ok1 || !ok2 {
		panic("webapi: SetRequestSignal needs a Request and an AbortSignal")
	}
	r.signal = s
}

// RequestSignalOf returns the signal that a Request was made with, nil if there is
// none.
func (a *API) RequestSignalOf(req *goja.Object) *goja.Object {
	if r, ok := lookup[*request](a, req); ok && r.signal != nil {
		return a.signalObject(r.signal)
	}
	return nil
}

// RequestOf returns the message in a Request object and consumes its body, as
// fetch() does: bodyUsed becomes true. It returns a *goja.Exception holding a
// TypeError if v is no Request or its body is used.
func (a *API) RequestOf(v goja.Value) (*httpmsg.Request, error) {
	var m *httpmsg.Request
	err := a.try(func() {
		r, ok := lookup[*request](a, v)
		if !ok {
			a.throwTypeError("The provided value is not of type 'Request'.")
		}
		if r.body.isUsed(a) {
			a.throwTypeError("Cannot reconstruct a Request with a used body.")
		}
		m = r.message(a.takePayload(&r.body, false))
	})
	return m, err
}

// BuildRequest does what stub.fetch(input, init) and fetch(input, init) do
// with their arguments: the same as `new Request(input, init)`, without making
// the object. input and init may be undefined. signal is the AbortSignal object
// that governs the request, nil if there is none. What the constructor would
// throw is returned as a *goja.Exception.
func (a *API) BuildRequest(input, init goja.Value) (m *httpmsg.Request, signal *goja.Object, err error) {
	err = a.try(func() {
		r := a.buildRequest(input, init)
		m = r.message(a.takePayload(&r.body, false))
		if r.signal != nil {
			signal = a.signalObject(r.signal)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return m, signal, nil
}

// NewResponse makes the Response object that fetch() resolves to. Its headers
// cannot be changed, as on the real runtime.
func (a *API) NewResponse(m *httpmsg.Response) *goja.Object {
	a.own(m.Body)
	return a.instance(classResponse, &response{
		status: m.Status, statusText: m.StatusText, url: m.URL, redirected: m.Redirected, encodeBody: m.EncodeBody,
		headers: &headers{list: m.Header, immutable: true},
		body:    a.received(m.Body),
		cf:      cfValue{json: m.CF},
	})
}

// IsResponse tells whether v is a Response.
func (a *API) IsResponse(v goja.Value) bool {
	_, ok := lookup[*response](a, v)
	return ok
}

// IsRequest tells whether v is a Request.
func (a *API) IsRequest(v goja.Value) bool {
	_, ok := lookup[*request](a, v)
	return ok
}

// ResponseOf returns the message in a Response object and consumes its body.
// ok is false if v is no Response. err is a *goja.Exception holding a
// TypeError if the body is used.
func (a *API) ResponseOf(v goja.Value) (m *httpmsg.Response, ok bool, err error) {
	r, ok := lookup[*response](a, v)
	if !ok {
		return nil, false, nil
	}
	err = a.try(func() {
		m = &httpmsg.Response{
			Status: r.status, StatusText: r.statusText, URL: r.url, Redirected: r.redirected, EncodeBody: r.encodeBody,
			Header: r.headers.list.Clone(), CF: r.cf.json,
		}
		m.Body = a.takePayload(&r.body, true)
	})
	return m, true, err
}

// WebSocketOf returns the webSocket of a Response, nil if it has none.
func (a *API) WebSocketOf(v goja.Value) *goja.Object {
	if r, ok := lookup[*response](a, v); ok {
		if o, ok := r.webSocket.(*goja.Object); ok {
			return o
		}
	}
	return nil
}

// SetWebSocket gives a Response made by NewResponse its webSocket.
func (a *API) SetWebSocket(resp, ws *goja.Object) {
	r, ok := lookup[*response](a, resp)
	if !ok {
		panic("webapi: SetWebSocket needs a Response")
	}
	r.webSocket = ws
}

// takePayload consumes a body for sending, in a response or in a request.
func (a *API) takePayload(b *body, response bool) httpmsg.Body {
	if b.none() {
		return httpmsg.NoBody()
	}
	if b.isUsed(a) {
		a.throwTypeError(bodyUsedText)
	}
	a.checkOwner(b)
	if data, ok := a.directBytes(b); ok {
		b.used = true
		a.lockStream(b)
		return b.bytes(data)
	}
	return a.sendStream(b, response)
}

// HeadersOf returns a copy of the list in a Headers object.
func (a *API) HeadersOf(v goja.Value) (httpmsg.Header, bool) {
	h, ok := lookup[*headers](a, v)
	if !ok {
		return nil, false
	}
	return h.list.Clone(), true
}

// NewHeaders makes a Headers object that takes over the list.
func (a *API) NewHeaders(list httpmsg.Header) *goja.Object {
	return a.instance(classHeaders, &headers{list: list})
}

// try turns what f throws into an error. Inside a call from a script the
// exception must be caught by goja itself, outside of one it is a panic.
func (a *API) try(f func()) error {
	if ex := a.rt.Try(f); ex != nil {
		return ex
	}
	return nil
}
