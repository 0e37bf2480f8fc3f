package wasm

import (
	"fmt"

	"github.com/tetratelabs/wazero/api"
)

// Memory is a memory in a store. Each has exactly one Memory.
type Memory struct {
	// Data is for the embedder.
	Data any

	store *Store
	group *group
	typ   Limits
	prov  provider
	mem   api.Memory
}

// NewMemory makes a memory. Sizes are in pages.
func (s *Store) NewMemory(l Limits) (*Memory, error) {
	if l.Shared {
		return nil, fmt.Errorf("shared memories are not supported")
	}
	w := &writer{b: append([]byte(nil), magic...)}
	mem, exp := &writer{}, &writer{}
	mem.limits(l)
	exp.export("m", KindMemory, 0)
	w.section(secMemory, 1, mem.b)
	w.section(secExport, 1, exp.b)
	mod, err := s.helper(w)
	if err != nil {
		return nil, err
	}
	m := &Memory{store: s, group: &group{}, typ: l, prov: provider{mod: mod, name: "m"}, mem: mod.ExportedMemory("m")}
	m.group.add(m)
	return m, nil
}

// Bytes returns the contents without a copy. After any call into WebAssembly
// and any Grow the memory may be another slice: compare lengths, as a memory
// moves only when it grows. A full memory of 4 GiB is not shown.
func (m *Memory) Bytes() []byte {
	n := m.mem.Size()
	b, _ := m.mem.Read(0, n)
	return b
}

// Size returns the size in bytes.
func (m *Memory) Size() int { return int(m.mem.Size()) }

// Grow adds pages and returns the size before, in pages, or false if the
// memory's maximum forbids it.
func (m *Memory) Grow(pages uint32) (before uint32, ok bool) { return m.mem.Grow(pages) }

// Type returns the limits that the memory was made with.
func (m *Memory) Type() Limits { return m.typ }

// current is the type with the present size, which linking goes by.
func (m *Memory) current() Limits {
	l := m.typ
	l.Min = uint64(m.Size() / PageSize)
	return l
}
