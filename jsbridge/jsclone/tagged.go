package jsclone

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"
)

// taggedBlock is a plain object with a Go value behind it.
type taggedBlock struct {
	object goja.Object
	base   baseObject
	tag    any
}

const classObject = "Object"

// taggedClass is equal to the class of all plain objects; it is by where its
// bytes are that tagged objects are known.
var taggedClass = strings.Clone(classObject)

// NewTagged makes an object with the given prototype and a Go value that nobody
// but [Codec.Tag] sees. It returns nil where goja is of a version whose
// structures are not known; the caller then needs another way.
func (c *Codec) NewTagged(proto *goja.Object, tag any) *goja.Object {
	if !c.l.tags {
		return nil
	}
	b := &taggedBlock{tag: tag}
	*c.l.impl(&b.object) = iface{c.l.plain, unsafe.Pointer(&b.base)}
	*field[*goja.Runtime](unsafe.Pointer(&b.object), c.l.runtime) = c.rt
	b.base.class, b.base.val, b.base.prototype, b.base.extensible = taggedClass, &b.object, proto, true
	b.base.values = make(map[unistring.String]goja.Value)
	return &b.object
}

// Tag returns the Go value of an object that [Codec.NewTagged] made, and nil for
// every other, such as one that inherits from it or a proxy for it.
func (c *Codec) Tag(o *goja.Object) any {
	l := c.l
	impl := l.impl(o)
	if !l.tags || impl.tab != l.plain ||
		unsafe.StringData((*baseObject)(impl.data).class) != unsafe.StringData(taggedClass) {
		return nil
	}
	return (*taggedBlock)(unsafe.Pointer(o)).tag
}

// tryTags reports why objects cannot be tagged; object is the structure behind
// goja's plain objects.
func (l *layout) tryTags(object reflect.Type) error {
	if err := sameLayout(object, reflect.TypeFor[baseObject]()); err != nil {
		return err
	}
	f, ok := reflect.TypeFor[goja.Object]().FieldByName("runtime")
	if !ok || f.Type != reflect.TypeFor[*goja.Runtime]() || reflect.TypeFor[goja.Object]().NumField() != 2 {
		return fmt.Errorf("goja.Object.runtime")
	}
	l.runtime = f.Offset
	l.tags = true
	return nil
}
