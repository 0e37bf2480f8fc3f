package webapi

import (
	"slices"
	"strings"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

// headers is the attachment of a Headers object. A message that nobody asked
// for its headers has one of these without an object.
type headers struct {
	slot
	list      httpmsg.Header
	immutable bool
}

// headersObject returns the object of h.
func (a *API) headersObject(h *headers) *goja.Object {
	if h.owner == nil {
		a.instance(classHeaders, h)
	}
	return h.owner
}

const headersInitTypes = "Headers or Sequence or object"

func init() {
	classSpecs[classHeaders] = classSpec{
		name: "Headers", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) {
			h := &headers{}
			if v := call.Argument(0); !isUndefined(v) {
				list, ok := a.headerInit(v)
				if !ok {
					a.badCtorParam(0, "Headers", headersInitTypes)
				}
				h.list = list
			}
			a.attach(call.This, h)
		},
		init: initHeadersClass,
	}
}

// headerInit reads what may initialise Headers: another Headers, a sequence of
// pairs or a record. It returns false for a value of another kind.
func (a *API) headerInit(v goja.Value) (httpmsg.Header, bool) {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil, false
	}
	if other, ok := lookup[*headers](a, v); ok {
		return other.list.Clone(), true
	}
	h := &headers{}
	if iterable(o) {
		a.rt.ForOf(o, func(item goja.Value) bool {
			pair := a.sequence(item)
			if len(pair) != 2 {
				a.throwTypeError("To initialize a Headers object from a sequence, each inner sequence must have exactly two elements.")
			}
			h.list.Add(a.headerName(pair[0]), a.headerValue(pair[1]))
			return true
		})
		return h.list, true
	}
	for _, key := range o.Keys() {
		h.list.Add(a.headerName(a.rt.ToValue(key)), a.headerValue(o.Get(key)))
	}
	return h.list, true
}

// iterable tells whether an object has an iterator method.
func iterable(o *goja.Object) bool {
	return !isNullish(o.GetSymbol(goja.SymIterator))
}

// sequence reads the elements of an iterable object.
func (a *API) sequence(v goja.Value) []goja.Value {
	o, ok := v.(*goja.Object)
	if !ok || !iterable(o) {
		a.throwTypeError("Incorrect type: the provided value is not of type 'Sequence'.")
	}
	var out []goja.Value
	a.rt.ForOf(o, func(item goja.Value) bool {
		out = append(out, item)
		return true
	})
	return out
}

// headerName converts and checks a name. workerd lets the empty name pass, and
// anything beyond ASCII.
func (a *API) headerName(v goja.Value) string {
	s := a.str(v)
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c == 0x7f || c < 0x7f && strings.IndexByte("\"(),/:;<=>?@[\\]{}", c) >= 0 {
			a.throwTypeError("Invalid header name.")
		}
	}
	return s
}

// headerValue converts a value, takes the white space off its ends and checks
// it. Characters beyond ASCII travel as UTF-8.
func (a *API) headerValue(v goja.Value) string {
	s := strings.Trim(a.str(v), " \t\r\n")
	if strings.ContainsAny(s, "\x00\r\n") {
		a.throwTypeError("Invalid header value.")
	}
	return s
}

func (a *API) mutable(v goja.Value) *headers {
	h := this[*headers](a, v)
	if h.immutable {
		a.throwTypeError("Can't modify immutable headers.")
	}
	return h
}

func initHeadersClass(a *API, c *class) {
	const str = "string"
	// pair reads the two arguments of set and append; workerd checks that both
	// are there before it looks at either.
	pair := func(call goja.FunctionCall, method string) (string, string) {
		name := a.jsString(a.need(call.Arguments, 0, "Headers", method, str))
		value := a.jsString(a.need(call.Arguments, 1, "Headers", method, str))
		return a.headerName(name), a.headerValue(value)
	}
	name := func(call goja.FunctionCall, method string) string {
		return a.headerName(a.need(call.Arguments, 0, "Headers", method, str))
	}
	c.method("get", func(call goja.FunctionCall) goja.Value {
		h := this[*headers](a, call.This)
		if v, ok := h.list.Get(name(call, "get")); ok {
			return a.rt.ToValue(v)
		}
		return goja.Null()
	})
	c.method("getAll", func(call goja.FunctionCall) goja.Value {
		h := this[*headers](a, call.This)
		n := a.str(a.need(call.Arguments, 0, "Headers", "getAll", str))
		if !strings.EqualFold(n, "set-cookie") {
			a.throwTypeError(`getAll() can only be used with the header name "Set-Cookie".`)
		}
		return a.stringArray(h.list.Values(n))
	})
	c.method("getSetCookie", func(call goja.FunctionCall) goja.Value {
		return a.stringArray(this[*headers](a, call.This).list.Values("set-cookie"))
	})
	c.method("has", func(call goja.FunctionCall) goja.Value {
		h := this[*headers](a, call.This)
		return a.rt.ToValue(h.list.Has(name(call, "has")))
	})
	c.method("set", func(call goja.FunctionCall) goja.Value {
		h := a.mutable(call.This)
		h.list.Set(pair(call, "set"))
		return goja.Undefined()
	})
	c.method("append", func(call goja.FunctionCall) goja.Value {
		h := a.mutable(call.This)
		h.list.Add(pair(call, "append"))
		return goja.Undefined()
	})
	c.method("delete", func(call goja.FunctionCall) goja.Value {
		h := a.mutable(call.This)
		h.list.Del(name(call, "delete"))
		return goja.Undefined()
	})
	c.method("forEach", func(call goja.FunctionCall) goja.Value {
		h := this[*headers](a, call.This)
		f := a.callback(call, "Headers")
		for _, e := range sortedHeaders(h.list) {
			f(a.rt.ToValue(e.Value), a.rt.ToValue(e.Name))
		}
		return goja.Undefined()
	})
	a.iteration(c, func(v goja.Value) func(int) (key, value goja.Value, ok bool) {
		// The entries are those of the moment the iterator was made.
		sorted := sortedHeaders(this[*headers](a, v).list)
		return func(i int) (goja.Value, goja.Value, bool) {
			if i >= len(sorted) {
				return nil, nil, false
			}
			return a.rt.ToValue(sorted[i].Name), a.rt.ToValue(sorted[i].Value), true
		}
	})
}

// sortedHeaders returns the entries as iteration shows them: names in lower
// case and sorted, values of one name joined, except Set-Cookie
// (https://fetch.spec.whatwg.org/#concept-header-list-sort-and-combine).
func sortedHeaders(list httpmsg.Header) []httpmsg.Field {
	out := make([]httpmsg.Field, 0, len(list))
	for _, f := range list {
		out = append(out, httpmsg.Field{Name: strings.ToLower(f.Name), Value: f.Value})
	}
	slices.SortStableFunc(out, func(x, y httpmsg.Field) int { return strings.Compare(x.Name, y.Name) })
	n := 0
	for i, f := range out {
		if i > 0 && n > 0 && out[n-1].Name == f.Name && f.Name != "set-cookie" {
			out[n-1].Value += ", " + f.Value
			continue
		}
		out[n] = f
		n++
	}
	return out[:n]
}

func (a *API) stringArray(list []string) goja.Value {
	items := make([]any, len(list))
	for i, s := range list {
		items[i] = s
	}
	return a.rt.NewArray(items...)
}
