package wasm

import (
	"fmt"
	"runtime"
	"unsafe"
	"weak"

	"github.com/tetratelabs/wazero/api"
)

// The engine's references to functions are addresses of records. Each
// evaluation of ref.func makes another record, so addresses do not tell whether
// two references are to the same function; the first two words of the record do
// (the code, and the instance it works on). [engine.tryLayout] tries that out
// once; where it does not hold, as with the engine's interpreter, addresses
// are compared.

type refKey [2]uintptr

// keyOf returns what identifies the function of a reference.
func (e *engine) keyOf(ref uint64) refKey {
	if !e.layout() {
		return refKey{uintptr(ref)}
	}
	// The detour avoids a conversion that only looks like a mistake: the record
	// is kept alive by the instance.
	return **(**refKey)(unsafe.Pointer(&ref))
}

// tryLayout is behind engine.layout.
func (e *engine) tryLayout() bool {
	b := &binary{start: -1, escapes: true, declared: []uint32{0, 1}, types: []FuncType{{}}, funcs: []uint32{0, 0}, ops: make([]opSet, 2)}
	t, f, c := &writer{}, &writer{}, &writer{}
	t.funcType(&b.types[0])
	f.byte(0, 0)
	c.body(nil)
	c.body(nil)
	b.raw[secType], b.rawCount[secType] = t.b, 1
	b.raw[secFunction], b.rawCount[secFunction] = f.b, 2
	b.bodies = c.b
	x := &writer{}
	x.export("f", KindFunc, 0)
	b.raw[secExport], b.rawCount[secExport] = x.b, 1
	s := &Store{e: e}
	a, err := s.helper(&writer{b: b.rewrite()})
	if err != nil {
		return false
	}
	get := func(i uint64) uint64 {
		stack := [1]uint64{i}
		_ = a.ExportedFunction(hiddenRef).CallWithStack(s.background(), stack[:])
		return stack[0]
	}
	fresh, owner := s.freshRef(provider{mod: a, name: "f"}, &b.types[0])
	defer runtime.KeepAlive(owner)
	first, second := get(0), get(1)
	if first == 0 || second == 0 || fresh == first {
		return false // one address for each function
	}
	read := func(ref uint64) refKey { return **(**refKey)(unsafe.Pointer(&ref)) }
	return read(first) == read(fresh) && read(first) != read(second)
}

// refTable finds the functions that references mean.
type refTable struct {
	known   map[refKey]weak.Pointer[Func]
	pruneAt int
	pending []weak.Pointer[Instance] // whose references are not known yet
}

func (t *refTable) add(key refKey, f *Func) {
	if t.known == nil {
		t.known = make(map[refKey]weak.Pointer[Func])
		t.pruneAt = 256
	}
	if len(t.known) >= t.pruneAt {
		for key, p := range t.known {
			if p.Value() == nil {
				delete(t.known, key)
			}
		}
		t.pruneAt = max(256, 2*len(t.known))
	}
	t.known[key] = weak.Make(f)
}

// FuncOf returns the function that a reference means; nil for null. It panics
// for a number that is no reference.
func (s *Store) FuncOf(ref uint64) *Func {
	if ref == 0 {
		return nil
	}
	key := s.e.keyOf(ref)
	f := s.refs.known[key].Value()
	for f == nil && len(s.refs.pending) > 0 {
		n := len(s.refs.pending) - 1
		i := s.refs.pending[n].Value()
		s.refs.pending = s.refs.pending[:n]
		if i != nil {
			i.indexRefs()
			f = s.refs.known[key].Value()
		}
	}
	if f == nil {
		panic("wasm: a reference to an unknown function")
	}
	return f
}

// indexRefs makes the references known that can get out of an instance.
func (i *Instance) indexRefs() {
	fn := i.mod.ExportedFunction(hiddenRef)
	for k, index := range i.module.bin.declared {
		stack := [1]uint64{uint64(k)}
		if err := fn.CallWithStack(i.store.background(), stack[:]); err != nil && !isSuccess(err) {
			panic(fmt.Sprintf("wasm: reference to function %d: %v", index, err))
		}
		if f := i.Func(index); i.refs == nil || i.refs[f] == 0 {
			i.setRef(f, stack[0])
		}
	}
}

func (i *Instance) setRef(f *Func, ref uint64) {
	if i.refs == nil {
		i.refs = make(map[*Func]uint64)
	}
	i.refs[f] = ref
	i.store.refs.add(i.store.e.keyOf(ref), f)
}

// Ref returns a reference to the function.
func (f *Func) Ref() uint64 {
	i := f.Instance
	if ref := i.refs[f]; ref != 0 {
		return ref
	}
	if i.module.bin.hiddenRefs() && i.declared(f.Index) >= 0 {
		stack := [1]uint64{uint64(i.declared(f.Index))}
		_ = i.mod.ExportedFunction(hiddenRef).CallWithStack(i.store.background(), stack[:])
		i.setRef(f, stack[0])
		return stack[0]
	}
	ref, owner := i.store.freshRef(provider{mod: i.mod, name: f.name}, f.typ)
	i.refOwners = append(i.refOwners, owner)
	i.setRef(f, ref)
	return ref
}

// freshRef evaluates ref.func on an exported function, in a helper module. The
// record belongs to the helper, which must be kept as long as the reference.
func (s *Store) freshRef(p provider, t *FuncType) (ref uint64, owner api.Module) {
	w := &writer{b: append([]byte(nil), magic...)}
	types, im, fn, exp, el, code := &writer{}, &writer{}, &writer{}, &writer{}, &writer{}, &writer{}
	types.funcType(t)
	types.funcType(&FuncType{Results: []ValueType{Funcref}})
	im.name("p")
	im.name(p.name)
	im.byte(byte(KindFunc), 0)
	fn.u32(1)
	exp.export("r", KindFunc, 1)
	el.byte(3, 0, 1, 0) // declares that there are references to function 0
	code.body([]byte{opRefFunc, 0})
	w.section(secType, 2, types.b)
	w.section(secImport, 1, im.b)
	w.section(secFunction, 1, fn.b)
	w.section(secExport, 1, exp.b)
	w.section(secElement, 1, el.b)
	w.section(secCode, 1, code.b)
	mod, err := s.e.instantiate(s.e.compileHelper(w), "", p.resolve)
	if err != nil {
		panic("wasm: reference to a function: " + err.Error())
	}
	var stack [1]uint64
	_ = mod.ExportedFunction("r").CallWithStack(s.background(), stack[:])
	return stack[0], mod
}
