package webapi

import (
	"encoding/json"
	"strings"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

// request is the attachment of a Request.
type request struct {
	slot
	method, url     string
	redirect, cache string
	body            body
	headers         *headers
	// signal is the one given to the constructor; ownSignal one that was made
	// because a script asked for a signal that nobody gave.
	signal    *abortSignal
	ownSignal *abortSignal
	cf        cfValue
}

// cfValue is a `cf` object: kept as JSON, and as the one object that repeated
// reads return.
type cfValue struct {
	json   json.RawMessage
	object goja.Value
}

func (r *request) parts() (*body, *headers) { return &r.body, r.headers }

const requestInitTypes = "RequestInitializerDict or Request"

// methods are the HTTP methods that workerd knows; it takes no others.
var methods = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`GET HEAD POST PUT DELETE PATCH PURGE OPTIONS TRACE COPY LOCK MKCOL MOVE
		PROPFIND PROPPATCH SEARCH UNLOCK ACL REPORT MKACTIVITY CHECKOUT MERGE MSEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE
		QUERY BAN`) {
		m[name] = true
	}
	return m
}()

func init() {
	classSpecs[classRequest] = classSpec{
		name: "Request", parent: classBody,
		construct: func(a *API, call goja.ConstructorCall) {
			input := a.needCtor(call.Arguments, 0, "Request", "Request or string")
			a.attach(call.This, a.buildRequest(input, call.Argument(1)))
		},
		init: initRequestClass,
	}
}

func initRequestClass(a *API, c *class) {
	get := func(name string, f func(*request) goja.Value) {
		c.getter(name, func(v goja.Value) goja.Value { return f(this[*request](a, v)) })
	}
	c.method("clone", func(call goja.FunctionCall) goja.Value {
		r := this[*request](a, call.This)
		n := &request{method: r.method, url: r.url, redirect: r.redirect, cache: r.cache, signal: r.signal}
		n.cf.json = r.cf.json
		n.body = a.cloneBody(&r.body)
		n.headers = &headers{list: r.headers.list.Clone(), immutable: r.headers.immutable}
		return a.instance(classRequest, n)
	})
	get("method", func(r *request) goja.Value { return a.rt.ToValue(r.method) })
	get("url", func(r *request) goja.Value { return a.rt.ToValue(r.url) })
	get("headers", func(r *request) goja.Value { return a.headersObject(r.headers) })
	get("redirect", func(r *request) goja.Value { return a.rt.ToValue(r.redirect) })
	get("fetcher", func(r *request) goja.Value { return goja.Null() })
	get("signal", func(r *request) goja.Value {
		if r.signal != nil {
			return a.signalObject(r.signal)
		}
		if r.ownSignal == nil {
			r.ownSignal = &abortSignal{}
		}
		return a.signalObject(r.ownSignal)
	})
	get("cf", func(r *request) goja.Value { return a.cfObject(&r.cf) })
	get("integrity", func(r *request) goja.Value { return a.rt.ToValue("") })
	get("keepalive", func(r *request) goja.Value { return a.rt.ToValue(false) })
	get("cache", func(r *request) goja.Value {
		if r.cache == "" {
			return goja.Undefined()
		}
		return a.rt.ToValue(r.cache)
	})
}

// cloneBody shares the payload between the original and a copy. A used body
// cannot be cloned.
func (a *API) cloneBody(b *body) body {
	if b.none() {
		return body{}
	}
	if b.isUsed(a) || b.stream != nil && a.streamLocked(b.stream) {
		a.throwTypeError(bodyLockedText)
	}
	if ex := a.rt.Try(func() { a.checkOwner(b) }); ex != nil {
		b.used = true
		a.throw(ex.Value())
	}
	if data, ok := a.directBytes(b); ok {
		return body{payload: b.bytes(data), owner: a.owner()}
	}
	return a.teeBody(b)
}

func (a *API) cfObject(cf *cfValue) goja.Value {
	if cf.object == nil {
		if cf.json == nil {
			return goja.Undefined()
		}
		cf.object = a.parseJSON(string(cf.json))
	}
	return cf.object
}

// cfInit reads the cf field of an options object.
func (a *API) cfInit(init *goja.Object, dict string, cf *cfValue) {
	v := field(init, "cf")
	if isUndefined(v) {
		return
	}
	if !isObject(v) {
		a.badField(dict, "cf", "Object")
	}
	*cf = cfValue{}
	if s := a.stringifyJSON(v); !isUndefined(s) {
		cf.json = json.RawMessage(s.String())
	}
}

// buildRequest is the Request constructor
// (https://fetch.spec.whatwg.org/#dom-request) as workerd has it.
func (a *API) buildRequest(input, init goja.Value) *request {
	r := &request{method: "GET", redirect: "follow", headers: &headers{}}
	var taken *body
	if src, ok := lookup[*request](a, input); ok {
		r.url = src.url
		r.inherit(src)
		taken = &src.body
	} else {
		raw := a.str(input)
		u, ok := parseURL(raw, "")
		if !ok {
			a.throwTypeError("Invalid URL: " + raw)
		}
		r.url = u.Href(false)
	}
	if src, ok := lookup[*request](a, init); ok {
		// A request as the options lends everything but its URL.
		r.inherit(src)
		taken = &src.body
	} else if o := a.dict([]goja.Value{init}, 0, func() { a.badCtorParam(1, "Request", requestInitTypes) }); o != nil {
		if a.applyRequestInit(r, o) {
			taken = nil
		}
	}
	if taken != nil && !taken.none() {
		if taken.isUsed(a) {
			a.throwTypeError("Cannot reconstruct a Request with a used body.")
		}
		if taken.stream != nil && a.streamLocked(taken.stream) {
			a.throwTypeError("The ReadableStream has been locked to a reader.")
		}
		a.checkMethodBody(r.method, false)
		r.body = *a.take(taken)
	}
	return r
}

func (r *request) inherit(src *request) {
	r.method, r.redirect, r.cache = src.method, src.redirect, src.cache
	r.headers.list = src.headers.list.Clone()
	r.cf.json = src.cf.json
	r.signal = src.signal
}

func (a *API) checkMethodBody(method string, none bool) {
	if !none && (method == "GET" || method == "HEAD") {
		a.throwTypeError("Request with a GET or HEAD method cannot have a body.")
	}
}

// applyRequestInit applies the options in the order workerd reads them. It
// returns true if they say what the body is.
func (a *API) applyRequestInit(r *request, o *goja.Object) (hasBody bool) {
	const dict = "RequestInitializerDict"
	method, hdrs, bodyInit, redirect := field(o, "method"), field(o, "headers"), field(o, "body"), field(o, "redirect")
	field(o, "fetcher")
	if !isUndefined(method) {
		raw := a.str(method)
		if r.method = strings.ToUpper(raw); !methods[r.method] {
			a.throwTypeError("Invalid HTTP method string: " + raw)
		}
	}
	if !isUndefined(hdrs) {
		list, ok := a.headerInit(hdrs)
		if !ok {
			a.badField(dict, "headers", headersInitTypes)
		}
		r.headers.list = list
	}
	if !isUndefined(redirect) {
		if r.redirect = a.str(redirect); r.redirect != "follow" && r.redirect != "manual" {
			a.throwTypeError(`Invalid redirect value, must be one of "follow" or "manual" ("error" won't be implemented since it does not make sense at the edge; use "manual" and check the response status code).`)
		}
	}
	a.cfInit(o, dict, &r.cf)
	if v := field(o, "cache"); !isUndefined(v) {
		if r.cache = a.str(v); r.cache != "no-store" && r.cache != "no-cache" {
			a.throwTypeError("Unsupported cache mode: " + r.cache)
		}
	}
	if v := field(o, "integrity"); !isUndefined(v) && a.str(v) != "" {
		a.throwTypeError("Subrequest integrity checking is not implemented. The integrity option must be either undefined or an empty string.")
	}
	if v := field(o, "signal"); goja.IsNull(v) {
		r.signal = nil
	} else if !isUndefined(v) {
		s, ok := lookup[*abortSignal](a, v)
		if !ok {
			a.badField(dict, "signal", "AbortSignal")
		}
		r.signal = s
	}
	field(o, "encodeResponseBody")
	if isUndefined(bodyInit) {
		return false
	}
	x := a.extractBody(bodyInit)
	a.checkMethodBody(r.method, x.none())
	r.body = x.body
	setContentType(r.headers, x.contentType)
	return true
}

// setContentType adds the type that came with a body, unless the script gave
// one itself.
func setContentType(h *headers, contentType string) {
	if contentType != "" && !h.list.Has("content-type") {
		h.list.Add("Content-Type", contentType)
	}
}

// message returns the request as it travels. The fragment stays at home.
func (r *request) message(b httpmsg.Body) *httpmsg.Request {
	url, _, _ := strings.Cut(r.url, "#")
	return &httpmsg.Request{
		Method: r.method, URL: url, Header: r.headers.list.Clone(), Body: b,
		Redirect: r.redirect, Cache: r.cache, CF: r.cf.json,
	}
}
