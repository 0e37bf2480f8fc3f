package webapi

import (
	"github.com/dop251/goja"
)

// formData is the attachment of a FormData object.
type formData struct {
	slot
	entries []formEntry
}

// formEntry is a name with a string, or with a File object.
type formEntry struct {
	name  string
	value string
	file  *goja.Object
}

func (e *formEntry) jsValue(a *API) goja.Value {
	if e.file != nil {
		return e.file
	}
	return a.rt.ToValue(e.value)
}

func init() {
	classSpecs[classFormData] = classSpec{
		name: "FormData", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) { a.attach(call.This, &formData{}) },
		init:      initFormDataClass,
	}
}

func initFormDataClass(a *API, c *class) {
	name := func(call goja.FunctionCall, method string) string {
		return a.str(a.need(call.Arguments, 0, "FormData", method, "string"))
	}
	c.method("append", func(call goja.FunctionCall) goja.Value {
		f := this[*formData](a, call.This)
		f.entries = append(f.entries, a.formEntryOf(call, "append"))
		return goja.Undefined()
	})
	c.method("delete", func(call goja.FunctionCall) goja.Value {
		f := this[*formData](a, call.This)
		f.remove(name(call, "delete"), 0)
		return goja.Undefined()
	})
	c.method("get", func(call goja.FunctionCall) goja.Value {
		f := this[*formData](a, call.This)
		n := name(call, "get")
		for i := range f.entries {
			if f.entries[i].name == n {
				return f.entries[i].jsValue(a)
			}
		}
		return goja.Null()
	})
	c.method("getAll", func(call goja.FunctionCall) goja.Value {
		f := this[*formData](a, call.This)
		n := name(call, "getAll")
		var out []any
		for i := range f.entries {
			if f.entries[i].name == n {
				out = append(out, f.entries[i].jsValue(a))
			}
		}
		return a.rt.NewArray(out...)
	})
	c.method("has", func(call goja.FunctionCall) goja.Value {
		f := this[*formData](a, call.This)
		n := name(call, "has")
		for i := range f.entries {
			if f.entries[i].name == n {
				return a.rt.ToValue(true)
			}
		}
		return a.rt.ToValue(false)
	})
	c.method("set", func(call goja.FunctionCall) goja.Value {
		f := this[*formData](a, call.This)
		e := a.formEntryOf(call, "set")
		for i := range f.entries {
			if f.entries[i].name == e.name {
				f.entries[i] = e
				f.remove(e.name, i+1)
				return goja.Undefined()
			}
		}
		f.entries = append(f.entries, e)
		return goja.Undefined()
	})
	a.iteration(c, func(v goja.Value) func(int) (goja.Value, goja.Value, bool) {
		f := this[*formData](a, v)
		return func(i int) (goja.Value, goja.Value, bool) {
			if i >= len(f.entries) {
				return nil, nil, false
			}
			return a.rt.ToValue(f.entries[i].name), f.entries[i].jsValue(a), true
		}
	})
	c.method("forEach", func(call goja.FunctionCall) goja.Value {
		f := this[*formData](a, call.This)
		back := a.callback(call, "FormData")
		for i := 0; i < len(f.entries); i++ {
			back(f.entries[i].jsValue(a), a.rt.ToValue(f.entries[i].name))
		}
		return goja.Undefined()
	})
}

// remove deletes the entries called name from position from on.
func (f *formData) remove(name string, from int) {
	kept := f.entries[:from]
	for _, e := range f.entries[from:] {
		if e.name != name {
			kept = append(kept, e)
		}
	}
	clear(f.entries[len(kept):])
	f.entries = kept
}

// formEntryOf reads the arguments of append and set. A Blob becomes a File
// named after the field, unless a file name is given.
func (a *API) formEntryOf(call goja.FunctionCall, method string) formEntry {
	e := formEntry{name: a.str(a.need(call.Arguments, 0, "FormData", method, "string"))}
	v := a.need(call.Arguments, 1, "FormData", method, "File or Blob or string")
	b, ok := lookup[*blob](a, v)
	if !ok {
		e.value = a.str(v)
		return e
	}
	filename := call.Argument(2)
	if b.file != nil && isUndefined(filename) {
		e.file = v.(*goja.Object)
		return e
	}
	n := &blob{data: b.data, typ: b.typ, file: &fileInfo{name: e.name, lastModified: float64(a.env.Now().UnixMilli())}}
	if b.file != nil {
		n.file.lastModified = b.file.lastModified
	}
	if !isUndefined(filename) {
		n.file.name = a.str(filename)
	}
	e.file = a.instance(classFile, n)
	return e
}
