package wasm

import (
	"bytes"
	"slices"
	"strings"
)

// binary is a module's binary taken apart. The engine does the validation; this
// reads what it takes to describe the module and to rewrite it.
type binary struct {
	types   []FuncType
	imports []ImportType
	exports []ExportType
	custom  []CustomSection

	// The index spaces, imports first.
	funcs    []uint32 // types
	tables   []TableType
	memories []Limits
	globals  []GlobalType
	tags     []uint32 // types

	importedFuncs, importedTables, importedGlobals int

	start    int64                // function, or -1
	declared []uint32             // functions that references can be made to, sorted
	escapes  bool                 // references to functions can get out of the module
	names    map[exportKey]string // of what is exported, one each
	order    []int                // in which imports are bound
	elems    []segment
	datas    []segment
	ops      []opSet            // of the functions that are not imported
	bodies   []byte             // of the code section, instrumented
	raw      [secTag + 1][]byte // contents of the sections after their count
	rawCount [secTag + 1]int
}

type exportKey struct {
	kind  Kind
	index uint32
}

// segment is what a segment writes when the module is instantiated. Passive
// segments have no offset.
type segment struct {
	table  uint32
	offset []byte // constant expression
	n      int
}

// The sections, by their ids.
const (
	secCustom = iota
	secType
	secImport
	secFunction
	secTable
	secMemory
	secGlobal
	secExport
	secStart
	secElement
	secCode
	secData
	secDataCount
	secTag
)

func parse(data []byte) (*binary, error) {
	r := &reader{data: data}
	if !bytes.Equal(r.bytes(min(len(magic), len(data))), magic) {
		r.pos = 0
		r.err = nil
		r.fail("not a WebAssembly module")
		return nil, r.err
	}
	b := &binary{start: -1, names: make(map[exportKey]string)}
	for r.more() {
		id := r.byte()
		size := int(r.u32())
		at := r.pos
		sub := &reader{data: r.data[:len(r.data):len(r.data)], pos: at}
		if r.bytes(size); r.err != nil {
			break
		}
		sub.data = r.data[:r.pos]
		b.section(id, sub)
		if sub.err == nil && sub.pos != len(sub.data) {
			sub.fail("section %d is longer than its contents", id)
		}
		if sub.err != nil {
			return nil, sub.err
		}
	}
	if r.err == nil && len(b.ops) != len(b.funcs)-b.importedFuncs {
		r.fail("%d functions but %d bodies", len(b.funcs)-b.importedFuncs, len(b.ops))
	}
	if r.err != nil {
		return nil, r.err
	}
	for _, memory := range []bool{true, false} {
		for n := range b.imports {
			if memory == (b.imports[n].Type.Kind == KindMemory) {
				b.order = append(b.order, n)
			}
		}
	}
	slices.Sort(b.declared)
	b.declared = slices.Compact(b.declared)
	return b, nil
}

func (b *binary) scope() *scope {
	return &scope{types: len(b.types), funcs: len(b.funcs), tables: len(b.tables), globals: len(b.globals), tags: len(b.tags)}
}

func (b *binary) declare(f uint32) { b.declared = append(b.declared, f) }

func (b *binary) section(id byte, r *reader) {
	if id == secCustom {
		b.custom = append(b.custom, CustomSection{Name: r.name(), Data: r.bytes(len(r.data) - r.pos)})
		return
	}
	if id == secStart {
		b.start = int64(r.index("function", len(b.funcs)))
		return
	}
	if id > secTag {
		r.fail("section %d is not known", id)
		return
	}
	n := 0
	if id == secDataCount {
		n = int(r.u32())
	} else {
		n = r.count()
	}
	if b.raw[id] != nil {
		r.fail("section %d occurs twice", id)
		return
	}
	b.raw[id], b.rawCount[id] = r.data[r.pos:], n
	if id == secDataCount {
		return
	}
	s := b.scope()
	for i := 0; i < n && r.err == nil; i++ {
		switch id {
		case secType:
			b.typ(r)
		case secImport:
			b.imported(r)
		case secFunction:
			b.funcs = append(b.funcs, r.index("type", len(b.types)))
		case secTable:
			b.tables = append(b.tables, r.table())
		case secMemory:
			b.memories = append(b.memories, r.memory())
		case secGlobal:
			b.globals = append(b.globals, r.global())
			r.constExpr(s, b.declare)
		case secExport:
			b.export(r, s)
		case secElement:
			b.element(r, s)
		case secCode:
			b.code(r, s, i)
		case secData:
			b.data(r, s)
		case secTag:
			b.tag(r)
		}
	}
}

func (b *binary) typ(r *reader) {
	if form := r.byte(); form != 0x60 {
		r.pos--
		r.fail("types of form 0x%02x are not supported", form)
	}
	b.types = append(b.types, FuncType{Params: r.values(), Results: r.values()})
}

// functionType returns a type by index, which has been checked unless r failed.
func (b *binary) functionType(r *reader) (i uint32, t *FuncType) {
	i = r.index("type", len(b.types))
	if r.err != nil {
		return 0, &FuncType{}
	}
	return i, &b.types[i]
}

func (b *binary) tag(r *reader) uint32 {
	if r.byte() != 0 {
		r.fail("a tag is no exception")
	}
	i, _ := b.functionType(r)
	b.tags = append(b.tags, i)
	return i
}

func (b *binary) imported(r *reader) {
	im := ImportType{Module: r.name(), Name: r.name()}
	im.Type.Kind = Kind(r.byte())
	switch im.Type.Kind {
	case KindFunc:
		i, t := b.functionType(r)
		im.Type.Func = t
		b.funcs = append(b.funcs, i)
		b.importedFuncs++
	case KindTable:
		im.Type.Table = r.table()
		b.tables = append(b.tables, im.Type.Table)
		b.importedTables++
	case KindMemory:
		im.Type.Memory = r.memory()
		b.memories = append(b.memories, im.Type.Memory)
	case KindGlobal:
		im.Type.Global = r.global()
		b.globals = append(b.globals, im.Type.Global)
		b.importedGlobals++
	case KindTag:
		i := b.tag(r)
		if r.err == nil {
			im.Type.Func = &b.types[i]
		}
	default:
		r.fail("imports of kind %d are not supported", im.Type.Kind)
	}
	if r.err == nil {
		b.imports = append(b.imports, im)
		b.escapes = b.escapes || escapes(&im.Type)
	}
}

// escapes reports whether references to functions can pass through an import or
// export of this type.
func escapes(t *ExternType) bool {
	switch t.Kind {
	case KindTable:
		return t.Table.Elem == Funcref
	case KindGlobal:
		return t.Global.Value == Funcref
	case KindFunc:
		return t.Func.has(Funcref)
	}
	return false
}

func (b *binary) export(r *reader, s *scope) {
	x := ExportType{Name: r.name()}
	if strings.HasPrefix(x.Name, hidden) {
		r.fail("the name %q is reserved", x.Name)
	}
	x.Type.Kind = Kind(r.byte())
	n := 0
	switch x.Type.Kind {
	case KindFunc:
		n = s.funcs
	case KindTable:
		n = s.tables
	case KindMemory:
		n = len(b.memories)
	case KindGlobal:
		n = s.globals
	case KindTag:
		n = s.tags
	default:
		r.fail("exports of kind %d are not supported", x.Type.Kind)
		return
	}
	x.Index = r.index(x.Type.Kind.String(), n)
	if r.err != nil {
		return
	}
	switch x.Type.Kind {
	case KindFunc:
		x.Type.Func = &b.types[b.funcs[x.Index]]
		b.declare(x.Index)
	case KindTable:
		x.Type.Table = b.tables[x.Index]
	case KindMemory:
		x.Type.Memory = b.memories[x.Index]
	case KindGlobal:
		x.Type.Global = b.globals[x.Index]
	case KindTag:
		x.Type.Func = &b.types[b.tags[x.Index]]
	}
	b.exports = append(b.exports, x)
	b.names[exportKey{x.Type.Kind, x.Index}] = x.Name
	b.escapes = b.escapes || escapes(&x.Type)
}

func (b *binary) element(r *reader, s *scope) {
	flag := r.u32()
	if flag > 7 {
		r.fail("element segments of kind %d are not supported", flag)
	}
	active, explicit, exprs := flag&1 == 0, flag&2 != 0, flag&4 != 0
	var seg segment
	if active {
		if explicit {
			seg.table = r.index("table", s.tables)
		} else if s.tables == 0 {
			r.fail("table 0 does not exist")
		}
		seg.offset = r.constExpr(s, b.declare)
	}
	if explicit || !active {
		if exprs {
			r.value()
		} else {
			r.byte()
		}
	}
	seg.n = r.count()
	b.elems = append(b.elems, seg)
	for n := seg.n; n > 0 && r.err == nil; n-- {
		if exprs {
			r.constExpr(s, b.declare)
		} else {
			b.declare(r.index("function", s.funcs))
		}
	}
}

func (b *binary) code(r *reader, s *scope, i int) {
	size := int(r.u32())
	at := r.pos
	body := r.bytes(size)
	if r.err != nil {
		return
	}
	out, ops, err := instrument(nil, body, at, s)
	if err != nil {
		r.err = err
		return
	}
	b.ops = append(b.ops, ops)
	b.bodies = appendULEB(b.bodies, uint64(len(out)))
	b.bodies = append(b.bodies, out...)
}

func (b *binary) data(r *reader, s *scope) {
	var seg segment
	switch flag := r.u32(); flag {
	case 0:
		seg.offset = r.constExpr(s, b.declare)
	case 1:
	case 2:
		r.u32()
		seg.offset = r.constExpr(s, b.declare)
	default:
		r.fail("data segments of kind %d are not supported", flag)
	}
	seg.n = len(r.bytes(int(r.u32())))
	b.datas = append(b.datas, seg)
}
