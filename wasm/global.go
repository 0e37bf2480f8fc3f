package wasm

import (
	"math"
	"weak"

	"github.com/tetratelabs/wazero/api"
)

// Global is a global in a store. Each has exactly one Global.
//
// One that Go made exists in the engine only from when it is imported on.
type Global struct {
	// Data is for the embedder.
	Data any

	store *Store
	group *group
	typ   GlobalType
	prov  provider   // without mod: not in the engine yet
	g     api.Global // likewise
	value uint64
	keep  *Instance // whose function it holds
}

// NewGlobal makes a global. value is as [ValueType] describes; references come
// from [Func.Ref] and [Store.Extern].
func (s *Store) NewGlobal(t GlobalType, value uint64) *Global {
	g := &Global{store: s, group: &group{}, typ: t, value: value}
	if t.Value == Externref {
		s.externs.globals = append(s.externs.globals, weak.Make(g))
	}
	return g
}

// Type returns the type.
func (g *Global) Type() GlobalType { return g.typ }

// Get returns the value.
func (g *Global) Get() uint64 {
	if g.g == nil {
		return g.value
	}
	return g.g.Get()
}

// Set changes the value; it panics if the global is not mutable. A reference to
// a function must come with the function, which is then kept; otherwise f is
// nil.
func (g *Global) Set(v uint64, f *Func) {
	if !g.typ.Mutable {
		panic("wasm: the global is not mutable")
	}
	g.keep = nil
	if f != nil {
		g.keep = f.Instance
		g.group.join(f.Instance.group)
	}
	if g.g == nil {
		g.value = v
		return
	}
	g.g.(api.MutableGlobal).Set(v)
}

// link makes the global exist in the engine. A constant that is a reference
// cannot: no constant expression yields it.
func (g *Global) link() bool {
	if g.prov.mod != nil {
		return true
	}
	if g.value != 0 && !g.typ.Mutable && (g.typ.Value == Funcref || g.typ.Value == Externref) {
		return false
	}
	w := &writer{b: append([]byte(nil), magic...)}
	gs, exp := &writer{}, &writer{}
	gs.global(g.typ)
	gs.constant(g.typ.Value, g.value)
	exp.export("g", KindGlobal, 0)
	w.section(secGlobal, 1, gs.b)
	w.section(secExport, 1, exp.b)
	mod, err := g.store.helper(w)
	if err != nil {
		return false
	}
	g.prov = provider{mod: mod, name: "g"}
	g.g = mod.ExportedGlobal("g")
	if g.typ.Mutable {
		g.g.(api.MutableGlobal).Set(g.value)
	}
	return true
}

// constant writes a constant expression. References become null.
func (w *writer) constant(t ValueType, v uint64) {
	switch t {
	case I32:
		w.byte(opI32Const)
		w.sleb(int64(int32(v)))
	case I64:
		w.byte(opI64Const)
		w.sleb(int64(v))
	case F32:
		w.byte(opF32Const, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	case F64:
		w.byte(opF64Const)
		for shift := 0; shift < 64; shift += 8 {
			w.byte(byte(v >> shift))
		}
	default:
		w.byte(opRefNull, byte(t))
	}
	w.byte(opEnd)
}

// F32Value and F64Value turn bits into numbers, F32Bits and F64Bits back.
func F32Value(v uint64) float32 { return math.Float32frombits(uint32(v)) }

// F64Value is described at [F32Value].
func F64Value(v uint64) float64 { return math.Float64frombits(v) }

// F32Bits is described at [F32Value].
func F32Bits(f float32) uint64 { return uint64(math.Float32bits(f)) }

// F64Bits is described at [F32Value].
func F64Bits(f float64) uint64 { return math.Float64bits(f) }

// Hold tells that the value that the global was made with is a reference to f,
// which is then kept alive. f may be nil.
func (g *Global) Hold(f *Func) {
	if f != nil {
		g.keep = f.Instance
		g.group.join(f.Instance.group)
	}
}
