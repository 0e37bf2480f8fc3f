package wasm

import (
	"context"
	"weak"

	"github.com/tetratelabs/wazero/api"
)

// Table is a table in a store. Each has exactly one Table.
//
// The engine shows Go no tables; functions that the rewriter added to the
// module that owns the table do the work.
type Table struct {
	// Data is for the embedder.
	Data any

	store *Store
	group *group
	typ   TableType
	prov  provider
	ops   [4]api.Function // get, set, grow, size; made when first used
	opMod api.Module
	index int                    // in opMod
	keep  map[*Instance]struct{} // whose functions may be in the table
}

const (
	tableGet = iota
	tableSet
	tableGrow
	tableSize
)

var tableOps = [...]string{"get", "set", "grow", "size"}

// NewTable makes a table whose elements are null.
func (s *Store) NewTable(t TableType) (*Table, error) {
	b := &binary{tables: []TableType{t}, start: -1}
	exp := &writer{}
	exp.export("t", KindTable, 0)
	b.raw[secExport], b.rawCount[secExport] = exp.b, 1
	b.rawCount[secTable] = 1
	mod, err := s.helper(&writer{b: b.rewrite()})
	if err != nil {
		return nil, err
	}
	table := &Table{store: s, group: &group{}, typ: t, prov: provider{mod: mod, name: "t"}, opMod: mod}
	if t.Elem == Externref {
		s.externs.tables = append(s.externs.tables, weak.Make(table))
	}
	return table, nil
}

// Type returns the type that the table was made with.
func (t *Table) Type() TableType { return t.typ }

func (t *Table) op(op int, stack []uint64) bool {
	if t.ops[op] == nil {
		t.ops[op] = t.opMod.ExportedFunction(hiddenTable(tableOps[op], t.index))
	}
	err := t.ops[op].CallWithStack(context.Background(), stack)
	return err == nil || isSuccess(err)
}

// Size returns the number of elements.
func (t *Table) Size() uint32 {
	var stack [1]uint64
	t.op(tableSize, stack[:])
	return uint32(stack[0])
}

// Get returns element i, a reference, or false if there is no such element.
func (t *Table) Get(i uint32) (ref uint64, ok bool) {
	stack := [1]uint64{uint64(i)}
	ok = t.op(tableGet, stack[:])
	return stack[0], ok
}

// Set changes element i, or returns false if there is no such element. f is the
// function that ref refers to, nil for null and in tables of other values.
func (t *Table) Set(i uint32, ref uint64, f *Func) bool {
	t.keepFunc(f)
	stack := [2]uint64{uint64(i), ref}
	return t.op(tableSet, stack[:])
}

// Grow adds n elements, all ref (see [Table.Set]), and returns the size before,
// or false if the table's maximum forbids it.
func (t *Table) Grow(n uint32, ref uint64, f *Func) (before uint32, ok bool) {
	t.keepFunc(f)
	stack := [2]uint64{uint64(n), ref}
	t.op(tableGrow, stack[:])
	return uint32(stack[0]), uint32(stack[0]) != 1<<32-1
}

func (t *Table) keepFunc(f *Func) {
	if f != nil {
		t.keepInstance(f.Instance)
	}
}

func (t *Table) keepInstance(i *Instance) {
	if t.keep == nil {
		t.keep = make(map[*Instance]struct{})
	}
	t.keep[i] = struct{}{}
	t.group.join(i.group)
}

func (t *Table) current() TableType {
	c := t.typ
	c.Min = uint64(t.Size())
	return c
}
