package jsclone

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"
)

// baseObject repeats the structure behind goja's plain objects, so that one can be
// made with a Go value beside it (see taggedBlock). The layout is checked once
// per process.
type baseObject struct {
	class             string
	val, prototype    *goja.Object
	extensible        bool
	values            map[unistring.String]goja.Value
	propNames         []unistring.String
	lastSortedPropLen int
	idxPropCount      int
	symValues         unsafe.Pointer
	privateElements   unsafe.Pointer
}

// sameLayout compares a structure of goja's with the one that repeats it.
func sameLayout(theirs, ours reflect.Type) error {
	if theirs.Kind() != reflect.Struct || theirs.Size() != ours.Size() || theirs.NumField() != ours.NumField() {
		return fmt.Errorf("%v", theirs)
	}
	for i := range ours.NumField() {
		a, b := theirs.Field(i), ours.Field(i)
		same := a.Type == b.Type
		switch b.Type.Kind() {
		case reflect.UnsafePointer:
			same = a.Type.Kind() == reflect.Pointer || a.Type.Kind() == reflect.Map
		case reflect.Struct:
			same = sameLayout(a.Type, b.Type) == nil
		}
		if !same || a.Offset != b.Offset {
			return fmt.Errorf("%v.%s", theirs, a.Name)
		}
		if a.Name != b.Name {
			return fmt.Errorf("%v.%s is called %s", theirs, b.Name, a.Name)
		}
	}
	return nil
}

// maker makes objects and arrays for one runtime.
type maker struct {
	l     *layout
	rt    *goja.Runtime
	names []unistring.String // free places
}

// newObject makes a plain object with room for so many properties.
func (m *maker) newObject(size int) *goja.Object {
	o := m.rt.NewObject()
	if size > 8 { // up to that many a map starts with
		*field[map[unistring.String]goja.Value](m.l.impl(o).data, m.l.props) = make(map[unistring.String]goja.Value, size)
	}
	return o
}

// newArray makes an array of n elements, which the caller fills in.
func (m *maker) newArray(n int) (*goja.Object, []goja.Value) {
	o := m.rt.NewArray()
	elems := make([]goja.Value, n)
	data := m.l.impl(o).data
	*field[[]goja.Value](data, m.l.elems) = elems
	*field[uint32](data, m.l.length) = uint32(n)
	return o, elems
}

// keep returns a copy of names, without room for more.
func (m *maker) keep(names []unistring.String) []unistring.String {
	n := len(names)
	switch {
	case n == 0:
		return nil
	case n > 16:
		return append(make([]unistring.String, 0, n), names...)
	case n > len(m.names):
		m.names = make([]unistring.String, 64)
	}
	kept := m.names[:n:n]
	m.names = m.names[n:]
	copy(kept, names)
	return kept
}

// valueOf makes a value out of the two words of an interface.
func valueOf(tab, data unsafe.Pointer) goja.Value {
	i := iface{tab, data}
	return *(*goja.Value)(unsafe.Pointer(&i))
}
