package jsclone

import "github.com/dop251/goja"

// Shift is Array.prototype.shift for an array without holes, in constant time. It
// reports false, and does nothing, for everything else.
//
// It is here because the layout of goja's arrays is. goja's own shift moves all
// elements, one by one from the second call on (it forgets to count the one that
// left), so that a queue of 100,000 takes minutes; V8 moves the start of an array,
// as this does.
func (c *Codec) Shift(v goja.Value) (first goja.Value, ok bool) {
	o, isObject := v.(*goja.Object)
	if !isObject {
		return nil, false
	}
	l := c.l
	impl := l.impl(o)
	if impl.tab != l.array {
		return nil, false
	}
	a := impl.data
	elems, length, count := field[[]goja.Value](a, l.elems), field[uint32](a, l.length), field[int](a, l.objCount)
	n := len(*elems)
	if n == 0 || uint32(n) != *length || n != *count || *field[int](a, l.propCount) != 0 || !*field[bool](a, l.lengthWritable) {
		return nil, false
	}
	first = (*elems)[0]
	(*elems)[0] = nil // what was there is not kept by the part that nobody sees
	*elems = (*elems)[1:]
	*length, *count = uint32(n-1), n-1
	return first, true
}
