package jsclone

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"
)

// A decoded message is mostly plain objects and arrays. goja makes each out of
// four to six pieces of memory: the object, its implementation, a map, the map's
// first slots, the names, the elements. Here they are one piece, which takes a
// third of the time. No two objects share a piece, so that keeping one does not
// keep the others.
//
// That rests on the layout of goja's structures, which the types below repeat,
// and on that of Go's small maps (see mapHeader). Both are checked, and the whole
// is tried out, once per process; where anything differs, goja makes the objects.

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

type arrayObject struct {
	baseObject
	values         []goja.Value
	length         uint32
	objCount       int
	propValueCount int
	lengthProp     valueProperty
}

type valueProperty struct {
	value                                      goja.Value
	writable, configurable, enumerable, access bool
	getterFunc, setterFunc                     *goja.Object
}

type objectBlock struct {
	object goja.Object
	base   baseObject
	head   mapHeader
	group  mapGroup
}

type arrayBlock struct {
	object goja.Object
	array  arrayObject
	head   mapHeader
	group  mapGroup
	name   [1]unistring.String
	elems  [4]goja.Value
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
		if a.Name != b.Name && b.Name != "access" {
			return fmt.Errorf("%v.%s is called %s", theirs, b.Name, a.Name)
		}
	}
	return nil
}

// maker makes objects and arrays for one runtime.
type maker struct {
	l       *layout
	rt      *goja.Runtime
	runtime uintptr    // offset in goja.Object
	empty   *mapHeader // nil: goja makes the objects
	object  *goja.Object
	array   *goja.Object
	names   []unistring.String // free places
	length  unsafe.Pointer     // tells a *valueProperty in an interface
}

const (
	classObject, classArray = "Object", "Array"
	nameLength              = "length"
)

// newMaker gives the maker of a runtime with the prototypes of its objects and
// arrays.
func newMaker(l *layout, rt *goja.Runtime, object, array *goja.Object) maker {
	m := maker{l: l, rt: rt, object: object, array: array}
	if l.blocks {
		// A map of its own, for a seed that nobody can guess.
		m.empty = headerOf(newMap())
		m.runtime, m.length = l.runtime, l.lengthProp
	}
	return m
}

// newMap makes a map the way that goja's are made: on the heap, without slots.
// The compiler must not see where it goes.
//
//go:noinline
func newMap() map[unistring.String]goja.Value { return make(map[unistring.String]goja.Value) }

func headerOf(m map[unistring.String]goja.Value) *mapHeader {
	return *(**mapHeader)(unsafe.Pointer(&m))
}

// fill makes a map of the memory of a header and a group.
func (m *maker) fill(h *mapHeader, g *mapGroup, dst *map[unistring.String]goja.Value) {
	*h = *m.empty
	h.group = unsafe.Pointer(g)
	g.ctrl = emptyGroup
	*(*unsafe.Pointer)(unsafe.Pointer(dst)) = unsafe.Pointer(h)
}

func (m *maker) attach(o *goja.Object, tab unsafe.Pointer, impl *baseObject, class string, proto *goja.Object) {
	*m.l.impl(o) = iface{tab, unsafe.Pointer(impl)}
	*field[*goja.Runtime](unsafe.Pointer(o), m.runtime) = m.rt
	impl.class, impl.val, impl.prototype, impl.extensible = class, o, proto, true
}

// newObject makes a plain object with room for so many properties.
func (m *maker) newObject(size int) *goja.Object {
	if m.empty == nil || size > 8 {
		o := m.rt.NewObject()
		if size > 8 {
			*field[map[unistring.String]goja.Value](m.l.impl(o).data, m.l.props) = make(map[unistring.String]goja.Value, size)
		}
		return o
	}
	b := new(objectBlock)
	m.fill(&b.head, &b.group, &b.base.values)
	m.attach(&b.object, m.l.plain, &b.base, classObject, m.object)
	return &b.object
}

// newArray makes an array of n elements, which the caller fills in.
func (m *maker) newArray(n int) (*goja.Object, []goja.Value) {
	if m.empty == nil {
		o := m.rt.NewArray()
		elems := make([]goja.Value, n)
		data := m.l.impl(o).data
		*field[[]goja.Value](data, m.l.elems) = elems
		*field[uint32](data, m.l.length) = uint32(n)
		return o, elems
	}
	b := new(arrayBlock)
	a := &b.array
	m.fill(&b.head, &b.group, &a.baseObject.values)
	m.attach(&b.object, m.l.array, &a.baseObject, classArray, m.array)
	a.lengthProp.writable = true
	a.baseObject.values[nameLength] = valueOf(m.length, unsafe.Pointer(&a.lengthProp))
	b.name[0] = nameLength
	a.propNames = b.name[:]
	if n <= len(b.elems) {
		a.values = b.elems[:n:n]
	} else {
		a.values = make([]goja.Value, n)
	}
	a.length = uint32(n)
	return &b.object, a.values
}

// valueOf makes a value out of the two words of an interface.
func valueOf(tab, data unsafe.Pointer) goja.Value {
	i := iface{tab, data}
	return *(*goja.Value)(unsafe.Pointer(&i))
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

// tryBlocks reports why objects cannot be made in one piece.
func (l *layout) tryBlocks(rt *goja.Runtime, object, array reflect.Type) (err error) {
	if !knownMaps {
		return fmt.Errorf("maps of this version of Go are not known")
	}
	if err := sameLayout(object, reflect.TypeFor[baseObject]()); err != nil {
		return err
	}
	if err := sameLayout(array, reflect.TypeFor[arrayObject]()); err != nil {
		return err
	}
	f, ok := reflect.TypeFor[goja.Object]().FieldByName("runtime")
	if !ok || f.Type != reflect.TypeFor[*goja.Runtime]() || reflect.TypeFor[goja.Object]().NumField() != 2 {
		return fmt.Errorf("goja.Object.runtime")
	}
	l.runtime = f.Offset
	if err := tryMaps(); err != nil {
		return err
	}
	arr := rt.NewArray()
	length := (*field[map[unistring.String]goja.Value](l.impl(arr).data, l.props))[nameLength]
	if reflect.TypeOf(length) != l.tProp {
		return fmt.Errorf("length of an array")
	}
	l.lengthProp = (*iface)(unsafe.Pointer(&length)).tab

	// What is made must behave as what goja makes, when it is changed, too.
	defer func() {
		if l.blocks = false; err == nil {
			l.blocks = true
		}
	}()
	l.blocks = true
	m := newMaker(l, rt, rt.NewObject().Prototype(), arr.Prototype())
	o := m.newObject(0)
	base := (*baseObject)(l.impl(o).data)
	base.values["b"], base.values["a"] = rt.ToValue(1), rt.ToValue(2)
	base.propNames = m.keep([]unistring.String{"b", "a"})
	a, elems := m.newArray(2)
	elems[0], elems[1] = o, rt.ToValue("x")
	(*arrayObject)(l.impl(a).data).objCount = 2
	for _, src := range []string{blockTest, blockTest} { // the second time on goja's own
		fn, err := rt.RunString(src)
		if err != nil {
			return err
		}
		call, _ := goja.AssertFunction(fn)
		got, err := call(nil, o, a)
		if err != nil {
			return err
		}
		if got.String() != blockWant {
			return fmt.Errorf("an object behaves differently: %v", got)
		}
		o = rt.NewObject()
		if err := o.Set("b", 1); err != nil {
			return err
		}
		if err := o.Set("a", 2); err != nil {
			return err
		}
		a = rt.NewArray(o, "x")
	}
	return nil
}

const (
	blockTest = `(function (o, a) {
	const log = [Object.keys(o), Object.getOwnPropertyNames(a), JSON.stringify(a), Object.getPrototypeOf(o) === Object.prototype, Array.isArray(a)];
	for (const k in o) o["in" + k] = 1;
	for (let i = 0; i < 20; i++) o["k" + i] = i;
	for (let i = 0; i < 20; i += 2) delete o["k" + i];
	o[3] = 3;
	a.p = 1; for (let i = 0; i < 20; i++) a["k" + i] = i;
	a.push(1, 2, 3); a.length = 4; delete a.p;
	log.push(JSON.stringify(a), Object.keys(a), a.length, Object.getOwnPropertyDescriptor(a, "length").writable, Object.isExtensible(o), a.concat([1]).length);
	return log.join(";");
})`
	blockWant = `b,a;0,1,length;[{"b":1,"a":2},"x"];true;true;` +
		`[{"3":3,"b":1,"a":2,"inb":1,"ina":1,"k1":1,"k3":3,"k5":5,"k7":7,"k9":9,"k11":11,"k13":13,"k15":15,"k17":17,"k19":19},"x",1,2];` +
		`0,1,2,3,k0,k1,k2,k3,k4,k5,k6,k7,k8,k9,k10,k11,k12,k13,k14,k15,k16,k17,k18,k19;4;true;true;5`
)
