package webapi

import (
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/dop251/goja"
)

// param is a name and a value. The strings are bytes: percent-decoding may
// leave something that is not UTF-8, which workerd writes out again unchanged.
type param struct{ name, value string }

type paramList []param

// searchParams is the attachment of a URLSearchParams object.
type searchParams struct {
	slot
	list paramList
	// url is the URL whose query this is, nil if it stands alone.
	url *urlState
}

// parseQuery parses application/x-www-form-urlencoded text without a leading
// question mark (https://url.spec.whatwg.org/#concept-urlencoded-parser).
func parseQuery(s string) paramList {
	var out paramList
	for len(s) > 0 {
		var item string
		item, s, _ = strings.Cut(s, "&")
		if item == "" {
			continue
		}
		name, value, _ := strings.Cut(item, "=")
		out = append(out, param{unescapeQuery(name), unescapeQuery(value)})
	}
	return out
}

func unescapeQuery(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '+':
			b = append(b, ' ')
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			b = append(b, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

const upperHex = "0123456789ABCDEF"

// encode writes the list back
// (https://url.spec.whatwg.org/#concept-urlencoded-serializer).
func (l paramList) encode() string {
	var b strings.Builder
	write := func(s string) {
		for i := range len(s) {
			switch c := s[i]; {
			case c == ' ':
				b.WriteByte('+')
			case c >= '0' && c <= '9', c|0x20 >= 'a' && c|0x20 <= 'z', c == '*', c == '-', c == '.', c == '_':
				b.WriteByte(c)
			default:
				b.WriteByte('%')
				b.WriteByte(upperHex[c>>4])
				b.WriteByte(upperHex[c&15])
			}
		}
	}
	for i, p := range l {
		if i > 0 {
			b.WriteByte('&')
		}
		write(p.name)
		b.WriteByte('=')
		write(p.value)
	}
	return b.String()
}

// changed writes the list into the URL it belongs to.
func (p *searchParams) changed() {
	if p.url != nil {
		p.url.setQuery(p.list.encode())
	}
}

func init() {
	classSpecs[classURLSearchParams] = classSpec{
		name: "URLSearchParams", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) {
			p := &searchParams{}
			if v := call.Argument(0); !isUndefined(v) {
				p.list = a.paramsInit(v)
			}
			a.attach(call.This, p)
		},
		init: initSearchParamsClass,
	}
}

func (a *API) paramsInit(v goja.Value) paramList {
	o, ok := v.(*goja.Object)
	if !ok {
		return parseQuery(strings.TrimPrefix(a.str(v), "?"))
	}
	var list paramList
	if iterable(o) {
		a.rt.ForOf(o, func(item goja.Value) bool {
			pair := a.sequence(item)
			if len(pair) != 2 {
				a.throwTypeError("Invalid URL search params sequence.")
			}
			list = append(list, param{a.str(pair[0]), a.str(pair[1])})
			return true
		})
		return list
	}
	for _, key := range o.Keys() {
		list = append(list, param{a.str(a.rt.ToValue(key)), a.str(o.Get(key))})
	}
	return list
}

func initSearchParamsClass(a *API, c *class) {
	const class, typ = "URLSearchParams", "USVString"
	js := func(s string) goja.Value { return a.rt.ToValue(scrubUTF8([]byte(s))) }
	arg := func(call goja.FunctionCall, i int, method string) string {
		return a.str(a.need(call.Arguments, i, class, method, typ))
	}
	// second is the optional value of has and delete; undefined counts as
	// missing.
	second := func(call goja.FunctionCall) (string, bool) {
		if v := call.Argument(1); !isUndefined(v) {
			return a.str(v), true
		}
		return "", false
	}
	c.getter("size", func(v goja.Value) goja.Value { return a.rt.ToValue(len(this[*searchParams](a, v).list)) })
	c.method("append", func(call goja.FunctionCall) goja.Value {
		p := this[*searchParams](a, call.This)
		p.list = append(p.list, param{arg(call, 0, "append"), arg(call, 1, "append")})
		p.changed()
		return goja.Undefined()
	})
	c.method("delete", func(call goja.FunctionCall) goja.Value {
		p := this[*searchParams](a, call.This)
		name := arg(call, 0, "delete")
		value, has := second(call)
		p.list = slices.DeleteFunc(p.list, func(e param) bool { return e.name == name && (!has || e.value == value) })
		p.changed()
		return goja.Undefined()
	})
	c.method("get", func(call goja.FunctionCall) goja.Value {
		p := this[*searchParams](a, call.This)
		name := arg(call, 0, "get")
		for _, e := range p.list {
			if e.name == name {
				return js(e.value)
			}
		}
		return goja.Null()
	})
	c.method("getAll", func(call goja.FunctionCall) goja.Value {
		p := this[*searchParams](a, call.This)
		name := arg(call, 0, "getAll")
		var out []any
		for _, e := range p.list {
			if e.name == name {
				out = append(out, js(e.value))
			}
		}
		return a.rt.NewArray(out...)
	})
	c.method("has", func(call goja.FunctionCall) goja.Value {
		p := this[*searchParams](a, call.This)
		name := arg(call, 0, "has")
		value, has := second(call)
		return a.rt.ToValue(slices.ContainsFunc(p.list, func(e param) bool {
			return e.name == name && (!has || e.value == value)
		}))
	})
	c.method("set", func(call goja.FunctionCall) goja.Value {
		p := this[*searchParams](a, call.This)
		name, value := arg(call, 0, "set"), arg(call, 1, "set")
		i := slices.IndexFunc(p.list, func(e param) bool { return e.name == name })
		if i < 0 {
			p.list = append(p.list, param{name, value})
		} else {
			p.list[i].value = value
			rest := slices.DeleteFunc(p.list[i+1:], func(e param) bool { return e.name == name })
			p.list = p.list[:i+1+len(rest)]
		}
		p.changed()
		return goja.Undefined()
	})
	c.method("sort", func(call goja.FunctionCall) goja.Value {
		p := this[*searchParams](a, call.This)
		slices.SortStableFunc(p.list, func(x, y param) int { return compareUTF16(x.name, y.name) })
		p.changed()
		return goja.Undefined()
	})
	a.iteration(c, func(v goja.Value) func(int) (goja.Value, goja.Value, bool) {
		p := this[*searchParams](a, v)
		return func(i int) (goja.Value, goja.Value, bool) {
			if i >= len(p.list) {
				return nil, nil, false
			}
			return js(p.list[i].name), js(p.list[i].value), true
		}
	})
	c.method("forEach", func(call goja.FunctionCall) goja.Value {
		p := this[*searchParams](a, call.This)
		back := a.callback(call, class)
		for i := 0; i < len(p.list); i++ {
			back(js(p.list[i].value), js(p.list[i].name))
		}
		return goja.Undefined()
	})
	c.method("toString", func(call goja.FunctionCall) goja.Value {
		return a.rt.ToValue(this[*searchParams](a, call.This).list.encode())
	})
}

// compareUTF16 orders strings by UTF-16 code units, which differs from byte
// order for characters beyond the basic plane.
func compareUTF16(x, y string) int {
	return slices.Compare(utf16.Encode([]rune(x)), utf16.Encode([]rune(y)))
}
