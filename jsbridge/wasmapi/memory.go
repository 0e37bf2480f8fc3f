package wasmapi

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

// memoryView is what JavaScript has of a memory. It hangs on the memory.
type memoryView struct {
	object *goja.Object
	// buffer is the ArrayBuffer over the memory's bytes, nil until it is asked
	// for. It is good only as long as the memory has the same size: one that
	// grows may move.
	buffer *goja.Object
	data   goja.ArrayBuffer
	size   int
}

// checkMemory detaches the buffer of a memory that has grown.
func checkMemory(m *wasm.Memory) {
	if v, ok := m.Data.(*memoryView); ok && v.buffer != nil && v.size != m.Size() {
		v.detach()
	}
}

func (v *memoryView) detach() {
	if v.buffer != nil {
		v.data.Detach()
		v.buffer = nil
		v.data = goja.ArrayBuffer{}
	}
}

func (a *API) memoryObject(m *wasm.Memory) *goja.Object {
	if v, ok := m.Data.(*memoryView); ok {
		return v.object
	}
	o := a.rt.CreateObject(a.memory.proto)
	a.adoptMemory(o, m)
	return o
}

func (a *API) adoptMemory(o *goja.Object, m *wasm.Memory) {
	m.Data = &memoryView{object: o}
	a.bind(o, m)
}

func (a *API) buffer(m *wasm.Memory) *goja.Object {
	checkMemory(m)
	v := m.Data.(*memoryView)
	if v.buffer != nil && v.data.Detached() {
		v.buffer = nil // somebody transferred it, which V8 refuses
	}
	if v.buffer == nil {
		b := m.Bytes()
		v.data, v.size = a.rt.NewArrayBuffer(b), len(b)
		v.buffer = a.rt.ToValue(v.data).(*goja.Object)
	}
	return v.buffer
}

func (a *API) memoryClass() {
	a.memory = a.class("Memory", "WebAssembly.Memory(): ", func(call goja.ConstructorCall, prefix string) {
		desc, ok := call.Argument(0).(*goja.Object)
		if !ok {
			a.throwType("%s: Argument 0 must be a memory descriptor", prefix)
		}
		if address := desc.Get("address"); defined(address) {
			switch s := address.String(); s {
			case "i32":
			case "i64":
				a.throwType("%s: memories with 64-bit addresses are not supported", prefix)
			default:
				a.throwType("%s: Unknown address type '%s'; pass 'i32' or 'i64'", prefix, s)
			}
		}
		l := a.limits(desc, prefix, wasm.MaxMemoryPages)
		if shared := desc.Get("shared"); shared != nil && shared.ToBoolean() {
			if !l.HasMax {
				a.throwType("%s: If shared is true, maximum property should be defined.", prefix)
			}
			a.throwType("%s: shared memories are not supported", prefix)
		}
		m, err := a.store.NewMemory(l)
		must(err)
		a.adoptMemory(call.This, m)
	})
	this := func(c goja.FunctionCall, where string) *wasm.Memory {
		return receiver[*wasm.Memory](a, c, where, "Memory")
	}
	p := a.memory.proto
	a.method(p, "grow", 1, func(c goja.FunctionCall) goja.Value {
		const where = "WebAssembly.Memory.grow()"
		m := this(c, where)
		n := a.unsigned(c.Argument(0), argument(where, 0))
		t := m.Type()
		if t.HasMax && uint64(n)+uint64(m.Size()/wasm.PageSize) > t.Max {
			a.throwRange("%s: Maximum memory size exceeded", where)
		}
		if n > wasm.MaxMemoryPages {
			a.throwRange("%s: Unable to grow instance memory", where)
		}
		before, ok := m.Grow(n)
		if !ok {
			a.throwRange("%s: Unable to grow instance memory", where)
		}
		m.Data.(*memoryView).detach() // even if it grew by nothing
		return a.rt.ToValue(before)
	})
	a.accessor(p, "buffer", func(c goja.FunctionCall) goja.Value {
		return a.buffer(this(c, "WebAssembly.Memory.buffer"))
	}, nil)
	a.method(p, "toFixedLengthBuffer", 0, func(c goja.FunctionCall) goja.Value {
		return a.buffer(this(c, "WebAssembly.Memory.toFixedLengthBuffer()"))
	})
	a.method(p, "toResizableBuffer", 0, func(c goja.FunctionCall) goja.Value {
		this(c, "WebAssembly.Memory.toResizableBuffer()")
		a.throwType("WebAssembly.Memory.toResizableBuffer(): resizable buffers are not supported")
		return nil
	})
}

func defined(v goja.Value) bool { return v != nil && !goja.IsUndefined(v) }

// limits reads the properties initial and maximum of a descriptor.
func (a *API) limits(desc *goja.Object, prefix string, upper uint32) (l wasm.Limits) {
	read := func(name string, lower uint32) (uint64, bool) {
		v := desc.Get(name)
		if !defined(v) {
			return 0, false
		}
		what := prefix + ": Property '" + name + "'"
		n := a.unsigned(v, what)
		if n < lower {
			a.throwRange("%s: value %d is below the lower bound %d", what, n, lower)
		}
		if n > upper {
			a.throwRange("%s: value %d is above the upper bound %d", what, n, upper)
		}
		return uint64(n), true
	}
	var ok bool
	if l.Min, ok = read("initial", 0); !ok {
		a.throwType("%s: Property 'initial' is required", prefix)
	}
	l.Max, l.HasMax = read("maximum", uint32(l.Min))
	return l
}
