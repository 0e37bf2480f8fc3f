package webapi

import (
	"strings"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

// CacheStore is what caches keep their responses in. It may be used by several
// runtimes at once. The cache named "" is caches.default.
type CacheStore interface {
	// Match returns the response that is stored for a GET of url, nil if there
	// is none that is fresh. header is that of the request.
	Match(cache, url string, header httpmsg.Header) *httpmsg.Response
	// Put stores a response, whose body is bytes, if its headers allow that.
	Put(cache, url string, res *httpmsg.Response)
	// Delete reports whether there was something to delete.
	Delete(cache, url string) bool
}

// cacheStorage is the attachment of caches, cacheState that of a Cache.
type (
	cacheStorage struct {
		slot
	}
	cacheState struct {
		slot
		name string
	}
)

// maxCacheName is how long the name of a cache may be, in bytes.
const maxCacheName = 1024

func init() {
	classSpecs[classCacheStorage] = classSpec{name: "CacheStorage", parent: noParent, init: func(a *API, c *class) {
		c.promising("open", func(call goja.FunctionCall) goja.Value {
			name := a.str(a.need(call.Arguments, 0, "CacheStorage", "open", "string"))
			if len(name) > maxCacheName {
				a.throwTypeError("Cache name is too long.")
			}
			return a.instance(classCache, &cacheState{name: "open:" + name})
		}, isA[*cacheStorage])
		for _, name := range []string{"match", "has", "delete", "keys"} {
			c.promising(name, a.unimplemented(name, "CacheStorage"), isA[*cacheStorage])
		}
	}}
	classSpecs[classCache] = classSpec{name: "Cache", parent: noParent, init: func(a *API, c *class) {
		c.promising("match", a.cacheMatch, isA[*cacheState])
		c.promising("put", a.cachePut, isA[*cacheState])
		c.promising("delete", a.cacheDelete, isA[*cacheState])
		for _, name := range []string{"add", "addAll", "matchAll", "keys"} {
			c.promising(name, a.unimplemented(name, "Cache"), isA[*cacheState])
		}
	}}
}

// cachesObject is the global caches.
func (a *API) cachesObject() *goja.Object {
	o := a.instance(classCacheStorage, &cacheStorage{})
	ownReadOnly(o, "default", a.instance(classCache, &cacheState{}))
	return o
}

// unimplemented makes a method that the real runtime does not have either.
func (a *API) unimplemented(method, class string) native {
	return func(goja.FunctionCall) goja.Value {
		a.throw(a.newError("Error", "Failed to execute '"+method+"' on '"+class+"': the method is not implemented."))
		return nil
	}
}

// isA tells whether v has an attachment of the type.
func isA[T any](a *API, v goja.Value) bool {
	_, ok := lookup[T](a, v)
	return ok
}

// promising adds a method that returns a promise of what f returns or throws;
// only a wrong receiver is an error at once.
func (c *class) promising(name string, f native, receiver func(a *API, v goja.Value) bool) {
	c.method(name, func(call goja.FunctionCall) goja.Value {
		a := c.api
		if !receiver(a, call.This) {
			a.throwTypeError(illegalInvocation)
		}
		return a.promise(func() goja.Value { return f(call) })
	})
}

// cacheRequest reads the request that a method of Cache is about.
func (a *API) cacheRequest(call goja.FunctionCall, method string) *request {
	const types = "Request or string"
	v := a.need(call.Arguments, 0, "Cache", method, types)
	if r, ok := lookup[*request](a, v); ok {
		return r
	}
	raw := a.str(v)
	u, ok := parseURL(raw, "")
	if !ok {
		a.throwTypeError("Invalid URL: " + raw)
	}
	return &request{method: "GET", url: u.Href(false), headers: &headers{}}
}

// cacheQuery reads the options of match and delete.
func (a *API) cacheQuery(call goja.FunctionCall, method string) (ignoreMethod bool) {
	o := a.dict(call.Arguments, 1, func() { a.badParam(1, "Cache", method, "CacheQueryOptions") })
	for _, name := range []string{"ignoreSearch", "ignoreVary", "cacheName"} {
		if !isUndefined(field(o, name)) {
			a.throw(a.newError("Error", "The '"+name+"' field on 'CacheQueryOptions' is not implemented."))
		}
	}
	return field(o, "ignoreMethod").ToBoolean()
}

// cacheStore returns the store, or throws what the real runtime does without.
func (a *API) cacheStore() CacheStore {
	if a.env.Cache == nil {
		a.throw(a.newError("Error", "No Cache was configured"))
	}
	return a.env.Cache
}

func (a *API) cacheMatch(call goja.FunctionCall) goja.Value {
	r := a.cacheRequest(call, "match")
	if ignore := a.cacheQuery(call, "match"); r.method != "GET" && !ignore {
		return goja.Undefined()
	}
	name := this[*cacheState](a, call.This).name
	res := a.cacheStore().Match(name, withoutFragment(r.url), r.headers.list)
	if res == nil {
		return goja.Undefined()
	}
	return a.NewResponse(res)
}

func (a *API) cacheDelete(call goja.FunctionCall) goja.Value {
	r := a.cacheRequest(call, "delete")
	if ignore := a.cacheQuery(call, "delete"); r.method != "GET" && !ignore {
		return a.rt.ToValue(false)
	}
	name := this[*cacheState](a, call.This).name
	return a.rt.ToValue(a.cacheStore().Delete(name, withoutFragment(r.url)))
}

func (a *API) cachePut(call goja.FunctionCall) goja.Value {
	r := a.cacheRequest(call, "put")
	res, ok := lookup[*response](a, a.need(call.Arguments, 1, "Cache", "put", "Response"))
	if !ok {
		a.badParam(1, "Cache", "put", "Response")
	}
	if r.method != "GET" {
		a.throwTypeError("Cannot cache response to non-GET request.")
	}
	if res.status == 206 {
		a.throwTypeError("Cannot cache response to a range request (206 Partial Content).")
	}
	for _, v := range res.headers.list.Values("Vary") {
		for _, name := range strings.Split(v, ",") {
			if strings.TrimSpace(name) == "*" {
				a.throwTypeError("Cannot cache response with 'Vary: *' header.")
			}
		}
	}
	if res.body.isUsed(a) {
		a.throwTypeError(bodyUsedText)
	}
	if res.status == 304 {
		// The real runtime takes it and does nothing.
		return goja.Undefined()
	}
	cache := this[*cacheState](a, call.This).name
	return a.consume(&res.body, func(data []byte) goja.Value {
		m := &httpmsg.Response{Status: res.status, StatusText: res.statusText, Header: res.headers.list.Clone(), Body: httpmsg.BytesBody(append([]byte(nil), data...))}
		if res.body.none() {
			m.Body = httpmsg.NoBody()
		}
		a.cacheStore().Put(cache, withoutFragment(r.url), m)
		return goja.Undefined()
	})
}

func withoutFragment(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}
