package webapi

import (
	"strings"

	"github.com/dop251/goja"
	whatwg "github.com/nlnwa/whatwg-url/url"
)

// urlState is the attachment of a URL object.
type urlState struct {
	slot
	u *whatwg.Url
	// params is the searchParams object, once a script asked for it.
	params *searchParams
}

// urlParser is safe for concurrent use: it holds options only.
var urlParser = whatwg.NewParser(
	// The standard put the circumflex into the path set after the library was
	// written.
	whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^')),
)

// parseURL parses a URL (https://url.spec.whatwg.org/#url-parsing). An empty
// base means none.
func parseURL(raw, base string) (*whatwg.Url, bool) {
	var u *whatwg.Url
	var err error
	if base == "" {
		u, err = urlParser.Parse(raw)
	} else {
		u, err = urlParser.ParseRef(base, raw)
	}
	if err == nil && u.OpaquePath() {
		// A space at the end of an opaque path is written %20 if something
		// follows it; the library keeps it, as the standard did before.
		if i := strings.IndexAny(raw, "?#"); i > 0 && raw[i-1] == ' ' {
			return parseURL(raw[:i-1]+"%20"+raw[i:], base)
		}
	}
	return u, err == nil
}

// setQuery replaces the query without touching the searchParams object; "" is
// no query at all.
func (s *urlState) setQuery(q string) {
	if q == "" {
		s.u.SetSearch("")
		return
	}
	s.u.SetSearch("?" + q)
}

// refresh makes the searchParams object follow a change of the query.
func (s *urlState) refresh() {
	if s.params != nil {
		s.params.list = parseQuery(strings.TrimPrefix(s.u.Search(), "?"))
	}
}

func init() {
	classSpecs[classURL] = classSpec{
		name: "URL", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) {
			u, ok := a.parseURLArgs(call.Arguments, func() { a.badCtorParam(0, "URL", "USVString") })
			if !ok {
				a.throwTypeError("Invalid URL string.")
			}
			a.attach(call.This, &urlState{u: u})
		},
		init: initURLClass,
	}
}

// parseURLArgs parses the arguments (url, base) of the constructor, canParse
// and parse.
func (a *API) parseURLArgs(args []goja.Value, missing func()) (*whatwg.Url, bool) {
	if len(args) == 0 {
		missing()
	}
	raw := a.str(args[0])
	if len(args) < 2 || isUndefined(args[1]) {
		return parseURL(raw, "")
	}
	base := a.str(args[1])
	if base == "" {
		// Given but empty is not the same as not given: no base is valid.
		return nil, false
	}
	return parseURL(raw, base)
}

func initURLClass(a *API, c *class) {
	part := func(name string, get func(*whatwg.Url) string, set func(s *urlState, v string)) {
		getter := func(v goja.Value) goja.Value { return a.rt.ToValue(get(this[*urlState](a, v).u)) }
		if set == nil {
			c.getter(name, getter)
			return
		}
		c.accessor(name, getter, func(v, x goja.Value) {
			s := this[*urlState](a, v)
			set(s, a.str(x))
		})
	}
	href := func(u *whatwg.Url) string { return u.Href(false) }
	part("origin", urlOrigin, nil)
	part("href", href, func(s *urlState, v string) {
		u, ok := parseURL(v, "")
		if !ok {
			a.throwTypeError("Failed to set the 'href' property on 'URL': the provided value is not of type 'valid URL string'.")
		}
		s.u = u
		s.refresh()
	})
	part("protocol", (*whatwg.Url).Protocol, func(s *urlState, v string) { s.u.SetProtocol(v) })
	part("username", (*whatwg.Url).Username, func(s *urlState, v string) { s.u.SetUsername(v) })
	part("password", (*whatwg.Url).Password, func(s *urlState, v string) { s.u.SetPassword(v) })
	part("host", (*whatwg.Url).Host, func(s *urlState, v string) { s.u.SetHost(v) })
	part("hostname", (*whatwg.Url).Hostname, func(s *urlState, v string) { s.u.SetHostname(v) })
	part("port", (*whatwg.Url).Port, func(s *urlState, v string) { s.u.SetPort(v) })
	part("pathname", (*whatwg.Url).Pathname, func(s *urlState, v string) { s.u.SetPathname(v) })
	part("search", (*whatwg.Url).Search, func(s *urlState, v string) {
		s.u.SetSearch(v)
		s.refresh()
	})
	part("hash", (*whatwg.Url).Hash, func(s *urlState, v string) { s.u.SetHash(v) })
	c.getter("searchParams", func(v goja.Value) goja.Value {
		s := this[*urlState](a, v)
		if s.params == nil {
			s.params = &searchParams{url: s}
			s.refresh()
			a.instance(classURLSearchParams, s.params)
		}
		return s.params.owner
	})
	text := func(call goja.FunctionCall) goja.Value { return a.rt.ToValue(href(this[*urlState](a, call.This).u)) }
	c.method("toJSON", text)
	c.method("toString", text)

	c.static("canParse", func(call goja.FunctionCall) goja.Value {
		_, ok := a.parseURLArgs(call.Arguments, func() { a.badParam(0, "URL", "canParse", "USVString") })
		return a.rt.ToValue(ok)
	})
	c.static("parse", func(call goja.FunctionCall) goja.Value {
		u, ok := a.parseURLArgs(call.Arguments, func() { a.badParam(0, "URL", "parse", "USVString") })
		if !ok {
			return goja.Null()
		}
		return a.instance(classURL, &urlState{u: u})
	})
	for _, name := range []string{"createObjectURL", "revokeObjectURL"} {
		c.static(name, func(goja.FunctionCall) goja.Value {
			a.throw(a.newError("Error", "URL."+name+"() is not implemented"))
			return nil
		})
	}
}

// urlOrigin is the serialised origin (https://url.spec.whatwg.org/#origin).
func urlOrigin(u *whatwg.Url) string {
	switch u.Scheme() {
	case "http", "https", "ws", "wss", "ftp":
		return u.Protocol() + "//" + u.Host()
	case "blob":
		if inner, ok := parseURL(u.Pathname(), ""); ok {
			if s := inner.Scheme(); s == "http" || s == "https" {
				return urlOrigin(inner)
			}
		}
	}
	return "null"
}
