package prelude

import (
	"reflect"
	"sync"
	"unsafe"

	"github.com/dop251/goja"
)

// The engine formats an error's stack in its own way, on the first look at the
// property, and offers no hook. errorLayout finds the frames that an error
// object carries and the mark that the property was made, so that this package
// can put a property of its own in its place without the cost of the engine's.
//
// Everything is looked up by name and checked by type once; should a later
// version of the engine differ, layout is nil and stacks are formatted when
// the error is made.
type errorLayout struct {
	self          int // index of the field of goja.Object
	errorType     reflect.Type
	frames, added uintptr // offsets
}

var layout = sync.OnceValue(func() *errorLayout {
	o := goja.New().NewTypeError("probe")
	t := reflect.TypeOf(*o)
	f, ok := t.FieldByName("self")
	if !ok || f.Type.Kind() != reflect.Interface {
		return nil
	}
	l := &errorLayout{self: f.Index[0]}
	l.errorType = reflect.ValueOf(o).Elem().Field(l.self).Elem().Type()
	if l.errorType.Kind() != reflect.Pointer || l.errorType.Elem().Kind() != reflect.Struct {
		return nil
	}
	frames, ok1 := l.errorType.Elem().FieldByName("stack")
	added, ok2 := l.errorType.Elem().FieldByName("stackPropAdded")
	if !ok1 || !ok2 || frames.Type != reflect.TypeFor[[]goja.StackFrame]() || added.Type.Kind() != reflect.Bool ||
		len(frames.Index) != 1 || len(added.Index) != 1 {
		return nil
	}
	l.frames, l.added = frames.Offset, added.Offset
	return l
})

// parts gives the two fields of an error object, or nil for another object.
func (l *errorLayout) parts(o *goja.Object) (frames *[]goja.StackFrame, added *bool) {
	if l == nil {
		return nil, nil
	}
	self := reflect.ValueOf(o).Elem().Field(l.self).Elem()
	if self.Type() != l.errorType {
		return nil, nil
	}
	base := self.UnsafePointer()
	return (*[]goja.StackFrame)(unsafe.Add(base, l.frames)), (*bool)(unsafe.Add(base, l.added))
}
