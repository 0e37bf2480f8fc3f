package wasm

// writer writes the binary format.
type writer struct{ b []byte }

func (w *writer) byte(b ...byte) { w.b = append(w.b, b...) }
func (w *writer) u32(v uint32)   { w.b = appendULEB(w.b, uint64(v)) }
func (w *writer) count(n int)    { w.b = appendULEB(w.b, uint64(n)) }
func (w *writer) name(s string)  { w.count(len(s)); w.b = append(w.b, s...) }
func (w *writer) sleb(v int64)   { w.b = appendSLEB(w.b, v) }
func (w *writer) values(ts []ValueType) {
	w.count(len(ts))
	w.b = append(w.b, typeBytes(ts)...)
}

// section writes a section; one that is empty is left out.
func (w *writer) section(id byte, n int, body []byte) {
	if n == 0 {
		return
	}
	w.byte(id)
	var head [5]byte
	h := appendULEB(head[:0], uint64(n))
	w.count(len(h) + len(body))
	w.byte(h...)
	w.byte(body...)
}

func (w *writer) funcType(t *FuncType) {
	w.byte(0x60)
	w.values(t.Params)
	w.values(t.Results)
}

func (w *writer) limits(l Limits) {
	flag := byte(0)
	if l.HasMax {
		flag |= 1
	}
	if l.Shared {
		flag |= 2
	}
	w.byte(flag)
	w.b = appendULEB(w.b, l.Min)
	if l.HasMax {
		w.b = appendULEB(w.b, l.Max)
	}
}

// table writes the type of a table that the module defines: one without a
// maximum gets that of V8, because the engine has none.
func (w *writer) table(t TableType) {
	if !t.HasMax {
		t.Max, t.HasMax = max(MaxTableSize, t.Min), true
	}
	w.byte(byte(t.Elem))
	w.limits(t.Limits)
}

func (w *writer) global(t GlobalType) {
	w.byte(byte(t.Value), 0)
	if t.Mutable {
		w.b[len(w.b)-1] = 1
	}
}

// export writes one entry of the export section.
func (w *writer) export(name string, k Kind, index uint32) {
	w.name(name)
	w.byte(byte(k))
	w.u32(index)
}

// body writes a function body without locals.
func (w *writer) body(code []byte) {
	w.count(len(code) + 2)
	w.byte(0)
	w.byte(code...)
	w.byte(opEnd)
}

var magic = []byte("\x00asm\x01\x00\x00\x00")

func appendULEB(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func appendSLEB(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
