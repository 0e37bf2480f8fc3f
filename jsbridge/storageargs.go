package jsbridge

import (
	"math"
	"math/big"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable/storage"
)

// toString is ToString: unlike goja's it refuses symbols.
func (iso *Isolate) toString(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok {
		v = o.ToString()
	}
	if _, ok := v.(*goja.Symbol); ok {
		iso.throwType("Cannot convert a Symbol value to a string")
	}
	return v.String()
}

// keyOf turns an argument into a key. A lone surrogate is kept, in the three
// bytes it would take in UTF-8 (measured on workerd).
func (iso *Isolate) keyOf(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok {
		v = o.ToString()
	}
	key := iso.toString(v)
	if !strings.ContainsRune(key, utf8.RuneError) {
		return key
	}
	s, ok := v.(goja.String)
	if !ok {
		return key
	}
	var b []byte
	for n := 0; n < s.Length(); n++ {
		u := rune(s.CharAt(n))
		if u >= 0xd800 && u < 0xdc00 && n+1 < s.Length() {
			if low := rune(s.CharAt(n + 1)); low >= 0xdc00 && low < 0xe000 {
				b = utf8.AppendRune(b, 0x10000+(u-0xd800)<<10+(low-0xdc00))
				n++
				continue
			}
		}
		if u >= 0xd800 && u < 0xe000 {
			b = append(b, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0xbf, 0x80|byte(u)&0xbf)
			continue
		}
		b = utf8.AppendRune(b, u)
	}
	return string(b)
}

var typeBigInt = reflect.TypeFor[*big.Int]()

func isArray(v goja.Value) (*goja.Object, bool) {
	o, ok := v.(*goja.Object)
	return o, ok && o.ClassName() == "Array"
}

// keys reads an argument that is a key or an array of keys; list is nil for a
// single one.
func (o *operations) keys(c goja.FunctionCall, method string) (key string, list []string) {
	if len(c.Arguments) == 0 {
		o.badArgument(method, 1, "string or Array")
	}
	iso := o.i.class.iso
	a, ok := isArray(c.Arguments[0])
	if !ok {
		return iso.keyOf(c.Arguments[0]), nil
	}
	n := int(a.Get("length").ToInteger())
	list = make([]string, 0, min(n, 1024))
	for i := range n {
		list = append(list, iso.keyOf(orUndefined(a.Get(iso.rt.ToValue(i).String()))))
	}
	return "", list
}

func (o *operations) badArgument(method string, n int, want string) {
	o.i.class.iso.throwType("Failed to execute '%s' on '%s': parameter %d is not of type '%s'.", method, o.class(), n, want)
}

// options returns the options in argument n, counted from 1; nil if there are
// none.
func (o *operations) options(c goja.FunctionCall, method string, n int, want string) *goja.Object {
	v := c.Argument(n - 1)
	if goja.IsUndefined(v) || goja.IsNull(v) {
		return nil
	}
	opts, ok := v.(*goja.Object)
	if !ok {
		o.badArgument(method, n, want)
	}
	return opts
}

func flag(opts *goja.Object, name string) bool {
	return opts != nil && orUndefined(opts.Get(name)).ToBoolean()
}

// listOptions reads the options of list, for list itself and kv.list.
func (iso *Isolate) listOptions(opts *goja.Object) (l storage.ListOptions) {
	if opts == nil {
		return l
	}
	text := func(name string) *string {
		v := orUndefined(opts.Get(name))
		if goja.IsUndefined(v) {
			return nil
		}
		s := iso.keyOf(v)
		return &s
	}
	start, startAfter := text("start"), text("startAfter")
	end, prefix := text("end"), text("prefix")
	l.Reverse = flag(opts, "reverse")
	limit, limited := 0, false
	if v := orUndefined(opts.Get("limit")); !goja.IsUndefined(v) {
		limit, limited = iso.toInt32(v), true
	}
	if start != nil && startAfter != nil {
		iso.throwType("list() cannot be called with both start and startAfter values.")
	}
	if limited && limit <= 0 {
		iso.throwType("List limit must be positive.")
	}
	if start != nil {
		l.Start = *start
	}
	if prefix != nil {
		l.Prefix = *prefix
	}
	l.StartAfter, l.End, l.Limit = startAfter, end, limit
	return l
}

// toInt32 converts as workerd's bindings do: what is no number counts as 0, and
// what does not fit is an error.
func (iso *Isolate) toInt32(v goja.Value) int {
	if _, ok := v.(*goja.Symbol); ok {
		iso.throwType("Cannot convert a Symbol value to a number")
	}
	if v.ExportType() == typeBigInt {
		iso.throwType("Cannot convert a BigInt value to a number")
	}
	f := math.Trunc(v.ToFloat())
	if f < math.MinInt32 || f > math.MaxInt32 {
		iso.throwType("Value out of range. Must be between -2147483648 and 2147483647 (inclusive).")
	}
	if math.IsNaN(f) {
		return 0
	}
	return int(f)
}
