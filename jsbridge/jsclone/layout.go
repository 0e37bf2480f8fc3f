package jsclone

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"
)

// goja has no public way to tell a Map from a plain object, to see whether an
// array has properties beside its elements, or to walk the properties of an
// object without copying each name; through what there is, a clone would take
// several times as long. layout therefore finds the parts of goja's objects that
// the codec looks at. It is made by reflection and checks the name and the type
// of everything it uses, so that a goja that differs is refused by New and not
// misread.
type layout struct {
	self uintptr // *goja.Object: the implementation, an interface

	// within baseObject, with which plain objects and arrays begin
	class, prototype, extensible, props, names, sorted uintptr
	// within arrayObject
	elems, length, objCount, propCount, lengthWritable uintptr
	// within regexpObject
	regexpText uintptr
	// within valueProperty
	propEnumerable uintptr

	// The implementations, by the word that tells them apart in an interface.
	plain, array, sparse, boxed, str, date, regexp, mapObj, set, buffer, typed, view, err,
	templated, guarded, protoArray, proxy, goMap, goSlice unsafe.Pointer

	// Types of primitive values.
	tInt, tFloat, tBool, tASCII, tUnicode, tBigInt, tUndefined, tProp reflect.Type
	// The same for those that are made here, as they are in an interface.
	intWord, floatWord, asciiWord unsafe.Pointer

	// tags says that objects can be tagged, see taggedBlock.
	tags    bool
	tagsErr error // why they cannot
	runtime uintptr
}

// iface is how Go lays out an interface that has methods.
type iface struct {
	tab  unsafe.Pointer
	data unsafe.Pointer
}

// impl returns the implementation behind an object.
func (l *layout) impl(o *goja.Object) *iface {
	return (*iface)(unsafe.Add(unsafe.Pointer(o), l.self))
}

func field[T any](base unsafe.Pointer, offset uintptr) *T { return (*T)(unsafe.Add(base, offset)) }

func dataOf(v goja.Value) unsafe.Pointer { return (*iface)(unsafe.Pointer(&v)).data }

// units returns the code units of a string that is stored as UTF-16, without
// the mark with which goja begins them.
func units(v goja.Value) []uint16 { return (*(*[]uint16)(dataOf(v)))[1:] }

var theLayout = sync.OnceValues(findLayout)

func findLayout() (l *layout, err error) {
	defer func() {
		if x := recover(); x != nil {
			l, err = nil, fmt.Errorf("jsclone: this version of goja is laid out differently: %v", x)
		}
	}()
	l = &layout{}
	rt := goja.New()
	sample := func(src string) *goja.Object {
		v, err := rt.RunString("(" + src + ")")
		if err != nil {
			panic(err)
		}
		return v.(*goja.Object)
	}
	self, ok := reflect.TypeFor[goja.Object]().FieldByName("self")
	if !ok || self.Type.Kind() != reflect.Interface || self.Type.NumMethod() == 0 {
		panic("goja.Object.self")
	}
	l.self = self.Offset

	implType := func(o *goja.Object) reflect.Type {
		return reflect.ValueOf(o).Elem().FieldByIndex(self.Index).Elem().Type().Elem()
	}
	offset := func(t reflect.Type, name string, want reflect.Type) uintptr {
		f, ok := t.FieldByName(name)
		if !ok || f.Type != want {
			panic(t.String() + "." + name)
		}
		return f.Offset
	}
	plain := sample("{}")
	base := implType(plain)
	l.class = offset(base, "class", reflect.TypeFor[string]())
	l.prototype = offset(base, "prototype", reflect.TypeFor[*goja.Object]())
	l.extensible = offset(base, "extensible", reflect.TypeFor[bool]())
	l.props = offset(base, "values", reflect.TypeFor[map[unistring.String]goja.Value]())
	l.names = offset(base, "propNames", reflect.TypeFor[[]unistring.String]())
	l.sorted = offset(base, "lastSortedPropLen", reflect.TypeFor[int]())

	arr := implType(sample("[]"))
	if b := offset(arr, "baseObject", base); b != 0 {
		panic("arrayObject.baseObject")
	}
	l.elems = offset(arr, "values", reflect.TypeFor[[]goja.Value]())
	l.length = offset(arr, "length", reflect.TypeFor[uint32]())
	l.objCount = offset(arr, "objCount", reflect.TypeFor[int]())
	l.propCount = offset(arr, "propValueCount", reflect.TypeFor[int]())
	lengthProp, ok := arr.FieldByName("lengthProp")
	if !ok || lengthProp.Type.Kind() != reflect.Struct {
		panic("arrayObject.lengthProp")
	}
	l.lengthWritable = lengthProp.Offset + offset(lengthProp.Type, "writable", reflect.TypeFor[bool]())
	l.regexpText = offset(implType(sample("/a/")), "source", reflect.TypeFor[goja.String]())

	for _, s := range []struct {
		src string
		dst *unsafe.Pointer
	}{
		{"{}", &l.plain}, {"[]", &l.array}, {"(()=>{const a=[];a[4294967294]=1;return a})()", &l.sparse},
		{"Object(1)", &l.boxed}, {"Object('s')", &l.str}, {"new Date(0)", &l.date}, {"/a/", &l.regexp},
		{"new Map", &l.mapObj}, {"new Set", &l.set}, {"new ArrayBuffer(1)", &l.buffer},
		{"new Uint8Array(1)", &l.typed}, {"new DataView(new ArrayBuffer(1))", &l.view},
		{"new Error", &l.err}, {"Math", &l.templated},
		{"RegExp.prototype", &l.guarded}, {"new Proxy({},{})", &l.proxy},
		{"Array.prototype", &l.protoArray},
	} {
		*s.dst = l.impl(sample(s.src)).tab
	}

	l.goMap = l.impl(rt.ToValue(map[string]any{}).(*goja.Object)).tab
	l.goSlice = l.impl(rt.ToValue([]any{}).(*goja.Object)).tab

	// The properties of plain objects are found in order; one that has an
	// attribute unset is wrapped.
	o := sample("Object.defineProperty({b:1,a:2},'h',{value:3})")
	data := l.impl(o).data
	names, props := *field[[]unistring.String](data, l.names), *field[map[unistring.String]goja.Value](data, l.props)
	if len(names) != 3 || names[0] != "b" || names[1] != "a" || props["a"].ToInteger() != 2 {
		panic("order of properties")
	}
	l.tProp = reflect.TypeOf(props["h"])
	if l.tProp.Kind() != reflect.Pointer || l.tProp.Elem().Kind() != reflect.Struct {
		panic("valueProperty")
	}
	l.propEnumerable = offset(l.tProp.Elem(), "enumerable", reflect.TypeFor[bool]())

	prim := func(src string) goja.Value {
		v, err := rt.RunString(src)
		if err != nil {
			panic(err)
		}
		return v
	}
	str := func(src string) reflect.Type { return reflect.TypeOf(prim(src)) }
	l.tInt, l.tFloat, l.tBool = str("1"), str("1.5"), str("true")
	l.tASCII, l.tUnicode, l.tBigInt = str("'a'"), str("'\u20ac'"), str("1n")
	l.tUndefined = reflect.TypeOf(goja.Undefined())
	if l.tASCII.Kind() != reflect.String || l.tUnicode.Kind() != reflect.Slice || l.tUnicode.Elem().Kind() != reflect.Uint16 {
		panic("strings")
	}
	if l.tInt.Kind() != reflect.Int64 || l.tFloat.Kind() != reflect.Float64 {
		panic("numbers")
	}
	word := func(v goja.Value) unsafe.Pointer { return (*iface)(unsafe.Pointer(&v)).tab }
	l.intWord, l.floatWord, l.asciiWord = word(prim("1")), word(prim("1.5")), word(prim("'a'"))
	euro, _ := rt.RunString("'\u20ac'")
	if u := units(euro); len(u) != 1 || u[0] != 0x20ac {
		panic("two-byte strings")
	}
	l.tagsErr = l.tryTags(base)
	return l, nil
}
