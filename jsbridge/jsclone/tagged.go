package jsclone

import (
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

// taggedClass is equal to the class of all plain objects; it is by where its
// bytes are that tagged objects are known.
var taggedClass = strings.Clone(classObject)

// NewTagged makes an object with the given prototype and a Go value that nobody
// but [Codec.Tag] sees. It returns nil where goja or Go are of a version whose
// structures are not known; the caller then needs another way.
func (c *Codec) NewTagged(proto *goja.Object, tag any) *goja.Object {
	m := &c.make
	if m.empty == nil {
		return nil
	}
	b := &taggedBlock{tag: tag}
	m.attach(&b.object, m.l.plain, &b.base, taggedClass, proto)
	b.base.values = make(map[unistring.String]goja.Value)
	return &b.object
}

// Tag returns the Go value of an object that [Codec.NewTagged] made, and nil for
// every other, such as one that inherits from it or a proxy for it.
func (c *Codec) Tag(o *goja.Object) any {
	l := c.l
	impl := l.impl(o)
	if c.make.empty == nil || impl.tab != l.plain ||
		unsafe.StringData((*baseObject)(impl.data).class) != unsafe.StringData(taggedClass) {
		return nil
	}
	return (*taggedBlock)(unsafe.Pointer(o)).tag
}
