package webapi

import (
	"strings"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

// response is the attachment of a Response.
type response struct {
	slot
	status     int
	statusText string
	body       body
	headers    *headers
	cf         cfValue
	url        string
	redirected bool
	isError    bool
	webSocket  goja.Value
	encodeBody string
}

func (r *response) parts() (*body, *headers) { return &r.body, r.headers }

const responseInitTypes = "InitializerDict or Response"

func init() {
	classSpecs[classResponse] = classSpec{
		name: "Response", parent: classBody,
		construct: func(a *API, call goja.ConstructorCall) {
			x := a.extractBody(call.Argument(0))
			r := a.newResponse(x, call.Argument(1), func() { a.badCtorParam(1, "Response", responseInitTypes) })
			a.attach(call.This, r)
		},
		init: initResponseClass,
	}
}

func initResponseClass(a *API, c *class) {
	get := func(name string, f func(*response) goja.Value) {
		c.getter(name, func(v goja.Value) goja.Value { return f(this[*response](a, v)) })
	}
	c.method("clone", func(call goja.FunctionCall) goja.Value {
		r := this[*response](a, call.This)
		if !isNullish(r.webSocket) {
			a.throwTypeError("Cannot clone a response to a WebSocket handshake.")
		}
		n := &response{status: r.status, statusText: r.statusText, url: r.url, redirected: r.redirected, isError: r.isError, encodeBody: r.encodeBody}
		n.cf.json = r.cf.json
		n.body = a.cloneBody(&r.body)
		n.headers = &headers{list: r.headers.list.Clone(), immutable: r.headers.immutable}
		return a.instance(classResponse, n)
	})
	get("status", func(r *response) goja.Value { return a.rt.ToValue(r.status) })
	get("statusText", func(r *response) goja.Value { return a.rt.ToValue(r.statusText) })
	get("headers", func(r *response) goja.Value { return a.headersObject(r.headers) })
	get("ok", func(r *response) goja.Value { return a.rt.ToValue(r.status >= 200 && r.status < 300) })
	get("redirected", func(r *response) goja.Value { return a.rt.ToValue(r.redirected) })
	get("url", func(r *response) goja.Value { return a.rt.ToValue(r.url) })
	get("webSocket", func(r *response) goja.Value {
		if isNullish(r.webSocket) {
			return goja.Null()
		}
		return r.webSocket
	})
	get("cf", func(r *response) goja.Value { return a.cfObject(&r.cf) })
	get("type", func(r *response) goja.Value {
		if r.isError {
			return a.rt.ToValue("error")
		}
		return a.rt.ToValue("default")
	})
	c.static("error", func(goja.FunctionCall) goja.Value {
		return a.instance(classResponse, &response{isError: true, headers: &headers{}})
	})
	c.static("redirect", func(call goja.FunctionCall) goja.Value {
		raw := a.str(a.need(call.Arguments, 0, "Response", "redirect", "string"))
		status := 302
		if v := call.Argument(1); !isUndefined(v) {
			status = a.int32(v)
		}
		switch status {
		case 301, 302, 303, 307, 308:
		default:
			a.throw(a.newError("RangeError", itoa(status)+" is not a redirect status code. It must be one of: 301, 302, 303, 307, or 308."))
		}
		u, ok := parseURL(raw, "")
		if !ok {
			a.throwTypeError("Unable to parse URL: " + raw)
		}
		h := &headers{immutable: true}
		h.list.Add("Location", u.Href(false))
		return a.instance(classResponse, &response{status: status, headers: h})
	})
	c.static("json", func(call goja.FunctionCall) goja.Value {
		v := a.need(call.Arguments, 0, "Response", "json", "Value")
		// What JSON cannot express becomes the text "undefined".
		text := a.stringifyJSON(v).String()
		x := extracted{body{payload: httpmsg.BytesBody([]byte(text))}, "application/json"}
		r := a.newResponse(x, call.Argument(1), func() { a.badParam(1, "Response", "json", responseInitTypes) })
		return a.instance(classResponse, r)
	})
}

// newResponse is the common part of the constructor and of Response.json
// (https://fetch.spec.whatwg.org/#initialize-a-response).
func (a *API) newResponse(x extracted, init goja.Value, bad func()) *response {
	r := &response{status: 200, headers: &headers{}}
	if src, ok := lookup[*response](a, init); ok {
		r.status, r.statusText, r.encodeBody = src.status, src.statusText, src.encodeBody
		r.headers.list = src.headers.list.Clone()
		r.cf.json, r.webSocket = src.cf.json, src.webSocket
	} else if o := a.dict([]goja.Value{init}, 0, bad); o != nil {
		a.applyResponseInit(r, o)
	}
	if !isNullish(r.webSocket) {
		if r.status != 101 {
			a.throw(a.newError("RangeError", "Responses with a WebSocket must have status code 101."))
		}
	} else if r.status < 200 || r.status > 599 {
		a.throw(a.newError("RangeError", "Responses may only be constructed with status codes in the range 200 to 599, inclusive."))
	}
	switch r.status {
	case 101, 204, 205, 304:
		if data, ok := x.payload.Bytes(); !x.none() && (!ok || len(data) > 0 || x.stream != nil) {
			a.throwTypeError("Response with null body status (101, 204, 205, or 304) cannot have a body.")
		}
	}
	r.body = x.body
	setContentType(r.headers, x.contentType)
	return r
}

func (a *API) applyResponseInit(r *response, o *goja.Object) {
	const dict = "InitializerDict"
	if v := field(o, "status"); !isUndefined(v) {
		r.status = a.int32(v)
	}
	if v := field(o, "statusText"); !isUndefined(v) {
		r.statusText = a.str(v)
		if strings.ContainsFunc(r.statusText, func(c rune) bool { return c < ' ' }) {
			a.throwTypeError("Invalid statusText")
		}
	}
	if v := field(o, "headers"); !isUndefined(v) {
		list, ok := a.headerInit(v)
		if !ok {
			a.badField(dict, "headers", headersInitTypes)
		}
		r.headers.list = list
	}
	a.cfInit(o, dict, &r.cf)
	if v := field(o, "webSocket"); !isNullish(v) {
		if a.env.IsWebSocket == nil || !a.env.IsWebSocket(v) {
			a.badField(dict, "webSocket", "WebSocket")
		}
		r.webSocket = v
	}
	if v := field(o, "encodeBody"); !isUndefined(v) {
		if r.encodeBody = a.str(v); r.encodeBody != "manual" && r.encodeBody != "automatic" {
			a.throwTypeError("encodeBody: unexpected value: " + r.encodeBody)
		}
	}
}
