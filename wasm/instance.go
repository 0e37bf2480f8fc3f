package wasm

import (
	"context"
	"slices"
	"weak"

	"github.com/tetratelabs/wazero/api"
)

// Instance is a module that has its imports and its state.
type Instance struct {
	// Exports are the exported objects, in the order of Module.Exports: *Func,
	// *Table, *Memory, *Global or *Tag.
	Exports []any

	// Data is for the embedder.
	Data any

	module *Module
	store  *Store
	group  *group
	mod    api.Module
	halt   api.MutableGlobal

	funcs   map[uint32]*Func
	tables  map[uint32]*Table
	globals map[uint32]*Global
	memory  *Memory
	tags    map[uint32]*Tag
	refs    map[*Func]uint64
	// refOwners hold the records of references that freshRef made.
	refOwners []api.Module
	given     map[*Instance]bool // whose functions it was given
}

// Tag is an exception tag that an instance exports. The engine lets Go neither
// make nor catch exceptions, so it can only be passed to other instances.
type Tag struct {
	// Data is for the embedder.
	Data any

	typ  *FuncType
	prov provider
	inst *Instance
}

// provider is an export of the engine's.
type provider struct {
	mod  api.Module
	name string
}

func (p provider) resolve(string) api.Module { return p.mod }

// Module returns the module that this is an instance of.
func (i *Instance) Module() *Module { return i.module }

// Give tells that i is given a reference to f, as an argument or as the result
// of a Go function. f is kept alive from then on.
func (i *Instance) Give(f *Func) {
	if f.Instance != i && !i.given[f.Instance] {
		if i.given == nil {
			i.given = make(map[*Instance]bool)
		}
		i.given[f.Instance] = true
		i.group.join(f.Instance.group)
	}
}

// declared returns the position of a function in the table of references, or -1.
func (i *Instance) declared(index uint32) int {
	if k, ok := slices.BinarySearch(i.module.bin.declared, index); ok {
		return k
	}
	return -1
}

// Func returns a function by its position in the index space.
func (i *Instance) Func(index uint32) *Func {
	if f := i.funcs[index]; f != nil {
		return f
	}
	b := i.module.bin
	f := &Func{Index: index, Instance: i, typ: &b.types[b.funcs[index]]}
	f.name, f.exported = i.exportName(KindFunc, index)
	i.funcs[index] = f
	return f
}

// exportName returns a name under which the module exports something.
func (i *Instance) exportName(k Kind, index uint32) (name string, ok bool) {
	name, ok = i.module.bin.names[exportKey{k, index}]
	return name, ok
}

func (i *Instance) table(index uint32) *Table {
	if t := i.tables[index]; t != nil {
		return t
	}
	t := &Table{store: i.store, group: i.group, typ: i.module.bin.tables[index], opMod: i.mod, index: int(index)}
	t.prov.mod = i.mod
	t.prov.name, _ = i.exportName(KindTable, index)
	i.tables[index] = t
	t.keepInstance(i)
	return t
}

func (i *Instance) global(index uint32) *Global {
	if g := i.globals[index]; g != nil {
		return g
	}
	name, _ := i.exportName(KindGlobal, index)
	g := &Global{store: i.store, group: i.group, typ: i.module.bin.globals[index], keep: i}
	g.prov = provider{mod: i.mod, name: name}
	g.g = i.mod.ExportedGlobal(name)
	i.globals[index] = g
	return g
}

// fill makes the objects for the exports.
func (i *Instance) fill() {
	i.Exports = make([]any, len(i.module.Exports))
	for n, x := range i.module.Exports {
		switch x.Type.Kind {
		case KindFunc:
			i.Exports[n] = i.Func(x.Index)
		case KindTable:
			i.Exports[n] = i.table(x.Index)
		case KindMemory:
			if i.memory == nil {
				i.memory = &Memory{store: i.store, typ: x.Type.Memory, prov: provider{mod: i.mod, name: x.Name}, mem: i.mod.ExportedMemory(x.Name), group: i.group}
				i.group.add(i.memory)
			}
			i.Exports[n] = i.memory
		case KindGlobal:
			i.Exports[n] = i.global(x.Index)
		case KindTag:
			t := i.tags[x.Index]
			if t == nil {
				t = &Tag{typ: x.Type.Func, prov: provider{mod: i.mod, name: x.Name}, inst: i}
				i.tags[x.Index] = t
			}
			i.Exports[n] = t
		}
	}
}

// Start runs the module's start function, if there is one. It must be called
// once, right after [Store.Instantiate]. The errors are those of [Func.Call].
func (i *Instance) Start(ctx context.Context) error {
	b := i.module.bin
	if b.start < 0 {
		return nil
	}
	f := i.Func(uint32(b.start))
	if !f.exported {
		f.name, f.exported = hiddenStart, true
	}
	return f.Call(ctx, make([]uint64, f.typ.Slots()))
}

// finish checks what the engine leaves unchecked and makes i known.
func (i *Instance) finish() error {
	b := i.module.bin
	i.fill()
	i.store.register(i)
	if b.hiddenRefs() {
		i.store.refs.pending = append(i.store.refs.pending, weak.Make(i))
	}
	if b.holdsExterns() {
		i.store.externs.roots = append(i.store.externs.roots, weak.Make(i))
	}
	// Last, because what earlier segments wrote into imported tables stays.
	for _, seg := range b.elems {
		if seg.offset == nil {
			continue
		}
		offset, ok := i.constant(seg.offset)
		if ok && uint64(offset)+uint64(seg.n) > uint64(i.table(seg.table).Size()) {
			return &Trap{Code: TrapElementOutOfBounds, Text: trapTexts[TrapTableOutOfBounds]}
		}
	}
	return nil
}

// constant evaluates a constant expression of type i32, if it is a plain one.
func (i *Instance) constant(code []byte) (uint32, bool) {
	r := &reader{data: code}
	switch r.byte() {
	case opI32Const:
		v := uint32(r.sleb(32))
		return v, r.byte() == opEnd
	case opGlobalGet:
		g := i.globals[r.u32()]
		return uint32(g.orZero()), g != nil && r.byte() == opEnd
	}
	return 0, false
}

func (g *Global) orZero() uint64 {
	if g == nil {
		return 0
	}
	return g.Get()
}
