package wasm

import (
	"fmt"
	"strings"
)

// ValueType is the type of a WebAssembly value, by its code in the binary
// format (https://webassembly.github.io/spec/core/binary/types.html).
type ValueType byte

// The value types. A value travels as one uint64: i32 and f32 in the low half
// (f32 and f64 as their bits), references as opaque numbers, 0 being null. A
// v128 takes two.
const (
	I32       ValueType = 0x7f
	I64       ValueType = 0x7e
	F32       ValueType = 0x7d
	F64       ValueType = 0x7c
	V128      ValueType = 0x7b
	Funcref   ValueType = 0x70
	Externref ValueType = 0x6f
	Exnref    ValueType = 0x69
)

// String returns the name that the text format uses.
func (t ValueType) String() string {
	switch t {
	case I32:
		return "i32"
	case I64:
		return "i64"
	case F32:
		return "f32"
	case F64:
		return "f64"
	case V128:
		return "v128"
	case Funcref:
		return "funcref"
	case Externref:
		return "externref"
	case Exnref:
		return "exnref"
	}
	return fmt.Sprintf("type 0x%02x", byte(t))
}

// slots is how many uint64 a value takes.
func (t ValueType) slots() int {
	if t == V128 {
		return 2
	}
	return 1
}

// Kind says what an import or export is.
type Kind byte

// The kinds, with their codes in the binary format.
const (
	KindFunc Kind = iota
	KindTable
	KindMemory
	KindGlobal
	KindTag
)

// String returns the name that the JavaScript interface uses
// (https://webassembly.github.io/spec/js-api/#enumdef-importexportkind).
func (k Kind) String() string {
	return [...]string{"function", "table", "memory", "global", "tag"}[k]
}

// FuncType is the signature of a function, or of a tag (without results).
type FuncType struct {
	Params, Results []ValueType
}

// String writes the type as "(i32, i64) -> (f32)".
func (t *FuncType) String() string {
	list := func(ts []ValueType) string {
		names := make([]string, len(ts))
		for i, t := range ts {
			names[i] = t.String()
		}
		return "(" + strings.Join(names, ", ") + ")"
	}
	return list(t.Params) + " -> " + list(t.Results)
}

func (t *FuncType) equal(o *FuncType) bool {
	return string(typeBytes(t.Params)) == string(typeBytes(o.Params)) &&
		string(typeBytes(t.Results)) == string(typeBytes(o.Results))
}

// Slots is the number of uint64 that a call needs for its parameters or its
// results, whichever is more.
func (t *FuncType) Slots() int {
	n := [2]int{}
	for i, ts := range [][]ValueType{t.Params, t.Results} {
		for _, t := range ts {
			n[i] += t.slots()
		}
	}
	return max(n[0], n[1])
}

func (t *FuncType) has(v ValueType) bool {
	for _, ts := range [][]ValueType{t.Params, t.Results} {
		for _, t := range ts {
			if t == v {
				return true
			}
		}
	}
	return false
}

func typeBytes(ts []ValueType) []byte {
	b := make([]byte, len(ts))
	for i, t := range ts {
		b[i] = byte(t)
	}
	return b
}

// Limits bound the size of a memory (in pages of 64 KiB) or of a table (in
// elements).
type Limits struct {
	Min    uint64
	Max    uint64 // if HasMax
	HasMax bool
	Shared bool // memories only
}

// TableType is the type of a table.
type TableType struct {
	Elem ValueType
	Limits
}

// GlobalType is the type of a global.
type GlobalType struct {
	Value   ValueType
	Mutable bool
}

// ExternType is the type of an import or export. Kind says which of the fields
// counts.
type ExternType struct {
	Kind   Kind
	Func   *FuncType // KindFunc, KindTag
	Table  TableType
	Memory Limits
	Global GlobalType
}

// ImportType describes an import of a module.
type ImportType struct {
	Module, Name string
	Type         ExternType
}

// ExportType describes an export of a module.
type ExportType struct {
	Name string
	Type ExternType
	// Index is the position in the index space of the kind. For functions it
	// is the name that JavaScript shows.
	Index uint32
}

// CustomSection is a custom section of a module.
type CustomSection struct {
	Name string
	Data []byte
}
