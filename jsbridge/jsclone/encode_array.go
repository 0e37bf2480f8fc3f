package jsclone

import (
	"reflect"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"

	"github.com/durashim/durashim/internal/structclone"
)

// elementsKind is what V8 would call the elements of an array that was built in
// one go. V8 writes arrays by it: it keeps numbers that are not all small
// integers as doubles, and numbers among undefined as doubles with holes, for
// which it takes the sparse form.
type elementsKind uint8

const (
	anyElements elementsKind = iota
	doubleElements
	sparseElements // holes, accessors, or undefined among numbers
)

// array writes an array that goja keeps as a list. V8 takes the dense form for
// those without holes whose elements are ordinary properties; preventing
// extensions, too, makes the form sparse.
func (e *Encoder) array(o *goja.Object, impl *iface) error {
	l := e.l
	elems := *field[[]goja.Value](impl.data, l.elems)
	n := *field[uint32](impl.data, l.length)
	// goja's own counts of elements are not always right, after pop for example,
	// so the elements themselves are looked at.
	if int64(n) != int64(len(elems)) || !*field[bool](impl.data, l.extensible) {
		return e.sparseArray(o, n)
	}
	kind := e.elementsKind(elems)
	if kind == sparseElements {
		return e.sparseArray(o, n)
	}
	e.seen.add(o, e.W.BeginDenseArray(n))
	if kind == doubleElements {
		for _, v := range elems {
			e.W.Double(v.ToFloat())
		}
	} else {
		for i := uint32(0); i < n; i++ {
			// A getter further down may have changed the array since.
			elems = *field[[]goja.Value](impl.data, l.elems)
			var v goja.Value
			if int64(i) < int64(len(elems)) {
				v = elems[i]
			}
			if v == nil {
				e.W.Hole()
				continue
			}
			if reflect.TypeOf(v) == l.tProp {
				v = o.Get(indexName(i))
			}
			if err := e.Value(v); err != nil {
				return err
			}
		}
	}
	var count uint32
	// The length is a name too.
	if names := *field[[]unistring.String](impl.data, l.names); len(names) > 1 {
		var err error
		if count, err = e.properties(o, func(key string) bool { _, index := arrayIndex(key); return !index }); err != nil {
			return err
		}
	}
	e.W.EndDenseArray(count, n)
	return nil
}

func (e *Encoder) elementsKind(elems []goja.Value) elementsKind {
	l := e.l
	wide, undef, other := false, false, false
	for _, v := range elems {
		if v == nil {
			return sparseElements
		}
		switch reflect.TypeOf(v) {
		case l.tInt:
			if !wide {
				wide = !structclone.IsSmiInt(v.ToInteger())
			}
		case l.tFloat:
			if !wide {
				wide = !structclone.IsSmi(v.ToFloat())
			}
		case l.tUndefined:
			undef = true
		case l.tProp:
			return sparseElements
		default:
			other = true
		}
	}
	switch {
	case other:
		return anyElements
	case undef:
		return sparseElements
	case wide:
		return doubleElements
	}
	return anyElements
}

func (e *Encoder) sparseArray(o *goja.Object, length uint32) error {
	e.seen.add(o, e.W.BeginSparseArray(length))
	count, err := e.properties(o, nil)
	if err != nil {
		return err
	}
	e.W.EndSparseArray(count, length)
	return nil
}

// properties writes the own enumerable properties that pass the filter, by the
// way that serves every kind of object, and returns their number.
func (e *Encoder) properties(o *goja.Object, want func(string) bool) (uint32, error) {
	var count uint32
	for _, key := range o.Keys() {
		if want != nil && !want(key) {
			continue
		}
		v := o.Get(key)
		if v == nil {
			continue
		}
		e.key(unistring.NewFromString(key))
		if err := e.Value(v); err != nil {
			return 0, err
		}
		count++
	}
	return count, nil
}

func indexName(i uint32) string {
	var b [10]byte
	p := len(b)
	for {
		p--
		b[p] = byte('0' + i%10)
		if i /= 10; i == 0 {
			return string(b[p:])
		}
	}
}
