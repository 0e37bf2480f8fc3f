package wasm

import (
	"weak"

	"github.com/tetratelabs/wazero/api"
)

// externTable holds the Go values behind references of type externref. The
// engine knows numbers only and does not tell when one is forgotten, so now and
// then, while no WebAssembly runs, all tables and globals that can hold such
// references are searched for the numbers in use.
type externTable struct {
	values  []any // by number, from 1 on; nil is free
	free    []uint64
	number  map[any]uint64        // of values that are comparable
	limit   int                   // of values in use, that starts a search
	tables  []weak.Pointer[Table] // that Go made
	globals []weak.Pointer[Global]
	roots   []weak.Pointer[Instance]
}

// externLimit is the least number of values that makes a search worth while.
const externLimit = 64

// Extern returns a reference to a Go value. The value stays reachable as long
// as the reference is in a table or a global, and in any case until the next
// [Store.Tidy]. Equal values share one number; null, the number 0, is for nil
// alone.
//
// The value must be of a comparable type.
func (s *Store) Extern(v any) uint64 {
	if v == nil {
		return 0
	}
	t := &s.externs
	if n, ok := t.number[v]; ok {
		return n
	}
	if t.number == nil {
		t.number = make(map[any]uint64)
		t.limit = externLimit
	}
	var n uint64
	if last := len(t.free) - 1; last >= 0 {
		n = t.free[last]
		t.free = t.free[:last]
		t.values[n-1] = v
	} else {
		t.values = append(t.values, v)
		n = uint64(len(t.values))
	}
	t.number[v] = n
	return n
}

// ExternOf returns the Go value of a reference; nil for null.
func (s *Store) ExternOf(ref uint64) any {
	if ref == 0 || ref > uint64(len(s.externs.values)) {
		return nil
	}
	return s.externs.values[ref-1]
}

// Tidy forgets values of references that are no longer in use, if it is time for
// that. The caller must hold no references (numbers) of its own.
func (s *Store) Tidy() {
	if s.depth == 0 && len(s.externs.number) >= s.externs.limit && s.externs.limit > 0 {
		s.sweepExterns()
	}
}

// sweepExterns forgets the values that no table and no global refers to.
func (s *Store) sweepExterns() {
	t := &s.externs
	used := make([]bool, len(t.values)+1)
	searched := 0
	mark := func(ref uint64) {
		searched++
		if ref < uint64(len(used)) {
			used[ref] = true
		}
	}
	t.tables = live(t.tables, func(x *Table) { x.each(mark) })
	t.globals = live(t.globals, func(g *Global) { mark(g.Get()) })
	t.roots = live(t.roots, func(i *Instance) {
		for _, x := range i.externTables() {
			x.each(mark)
		}
		for _, g := range i.externGlobals() {
			mark(g.Get())
		}
	})
	for i, v := range t.values {
		if v != nil && !used[i+1] {
			t.values[i] = nil
			delete(t.number, v)
			t.free = append(t.free, uint64(i+1))
		}
	}
	// A search costs as much as there are places to search.
	t.limit = max(externLimit, 2*len(t.number), searched/16)
}

// live calls f for those that still exist and returns them.
func live[T any](list []weak.Pointer[T], f func(*T)) []weak.Pointer[T] {
	kept := list[:0]
	for _, p := range list {
		if v := p.Value(); v != nil {
			kept = append(kept, p)
			f(v)
		}
	}
	clear(list[len(kept):])
	return kept
}

func (t *Table) each(f func(uint64)) {
	for i := range t.Size() {
		ref, _ := t.Get(i)
		f(ref)
	}
}

// externTables returns the tables of the instance's own that hold references.
func (i *Instance) externTables() (ts []*Table) {
	b := i.module.bin
	for k := b.importedTables; k < len(b.tables); k++ {
		if b.tables[k].Elem == Externref {
			ts = append(ts, i.table(uint32(k)))
		}
	}
	return ts
}

func (i *Instance) externGlobals() (gs []api.Global) {
	b := i.module.bin
	for k := b.importedGlobals; k < len(b.globals); k++ {
		if b.globals[k].Value == Externref {
			gs = append(gs, i.mod.ExportedGlobal(hiddenGlobal(k)))
		}
	}
	return gs
}

func (b *binary) holdsExterns() bool {
	for _, t := range b.tables[b.importedTables:] {
		if t.Elem == Externref {
			return true
		}
	}
	for _, g := range b.globals[b.importedGlobals:] {
		if g.Value == Externref {
			return true
		}
	}
	return false
}
