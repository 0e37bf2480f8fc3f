package wasm

// Opcodes that the rewriter knows by name.
const (
	opUnreachable = 0x00
	opLoop        = 0x03
	opIf          = 0x04
	opEnd         = 0x0b
	opCall        = 0x10
	opDrop        = 0x1a
	opLocalGet    = 0x20
	opGlobalSet   = 0x24
	opI32Eqz      = 0x45
	opI32Sub      = 0x6b
	opGlobalGet   = 0x23
	opTableGet    = 0x25
	opTableSet    = 0x26
	opI32Const    = 0x41
	opI64Const    = 0x42
	opF32Const    = 0x43
	opF64Const    = 0x44
	opRefNull     = 0xd0
	opRefFunc     = 0xd2
	opPrefix      = 0xfc
	subTableGrow  = 15
	subTableSize  = 16
	blockVoid     = 0x40
)

// scope is what an instruction may refer to. The rewritten module has more
// functions, tables, globals and types than the original; a reference to one of
// those would pass the engine's validation, so it is caught here.
type scope struct {
	types, funcs, tables, globals int
	tags                          int
}

// opSet notes what a function contains, to tell apart traps that the engine
// reports alike.
type opSet uint8

const (
	hasDiv opSet = 1 << iota
	hasRem
	hasTrunc
	hasCallIndirect
	hasCall
)

func (r *reader) index(what string, n int) uint32 {
	i := r.u32()
	if int64(i) >= int64(n) {
		r.fail("%s %d does not exist", what, i)
	}
	return i
}

func (r *reader) memarg() {
	if align := r.u32(); align&0x40 != 0 {
		r.fail("several memories are not supported")
	}
	r.uleb(32)
}

func (r *reader) blockType(s *scope) {
	if r.pos < len(r.data) {
		switch t := ValueType(r.data[r.pos]); t {
		case blockVoid, I32, I64, F32, F64, V128, Funcref, Externref, Exnref:
			r.pos++
			return
		}
	}
	if i := r.sleb(33); i < 0 || i >= int64(s.types) {
		r.fail("block type %d does not exist", i)
	}
}

// instr reads one instruction with its immediates and adds to ops what it is.
func (r *reader) instr(s *scope, ops *opSet) (op byte) {
	op = r.byte()
	switch {
	case op == 0x02 || op == opLoop || op == opIf:
		r.blockType(s)
	case op == 0x06 || op == 0x07 || op == 0x09 || op == 0x18 || op == 0x19:
		r.pos--
		r.fail("exception handling of the old form (try, catch) is not supported")
	case op == 0x08:
		r.index("tag", s.tags)
	case op == 0x0c || op == 0x0d:
		r.u32()
	case op == 0x0e:
		for n := r.count() + 1; n > 0 && r.err == nil; n-- {
			r.u32()
		}
	case op == 0x10 || op == 0x12:
		*ops |= hasCall
		r.index("function", s.funcs)
	case op == 0x11 || op == 0x13:
		*ops |= hasCall | hasCallIndirect
		r.index("type", s.types)
		r.index("table", s.tables)
	case op == 0x1c:
		r.values()
	case op == 0x1f:
		r.tryTable(s)
	case op >= 0x20 && op <= 0x22:
		r.u32()
	case op == opGlobalGet || op == 0x24:
		r.index("global", s.globals)
	case op == opTableGet || op == opTableSet:
		r.index("table", s.tables)
	case op >= 0x28 && op <= 0x3e:
		r.memarg()
	case op == 0x3f || op == 0x40:
		r.byte()
	case op == opI32Const:
		r.sleb(32)
	case op == opI64Const:
		r.sleb(64)
	case op == opF32Const:
		r.bytes(4)
	case op == opF64Const:
		r.bytes(8)
	case op == 0x6d || op == 0x6e || op == 0x7f || op == 0x80:
		*ops |= hasDiv
	case op == 0x6f || op == 0x70 || op == 0x81 || op == 0x82:
		*ops |= hasRem
	case op >= 0xa8 && op <= 0xab || op >= 0xae && op <= 0xb1:
		*ops |= hasTrunc
	case op == opRefNull:
		r.value()
	case op == opRefFunc:
		r.index("function", s.funcs)
	case op == opPrefix:
		r.bulk(s)
	case op == 0xfd:
		r.simd()
	case op == 0xfe:
		r.atomic()
	case op <= 0x01, op == 0x05, op == 0x0a, op == opEnd, op == 0x0f, op == 0x1a, op == 0x1b,
		op >= 0x45 && op <= 0xc4, op == 0xd1:
		// no immediates
	default:
		r.pos--
		r.fail("instruction 0x%02x is not supported", op)
	}
	return op
}

func (r *reader) tryTable(s *scope) {
	r.blockType(s)
	for n := r.count(); n > 0 && r.err == nil; n-- {
		switch kind := r.byte(); {
		case kind <= 1:
			r.index("tag", s.tags)
		case kind > 3:
			r.fail("catch of kind %d does not exist", kind)
		}
		r.u32()
	}
}

// bulk reads what follows prefix 0xfc.
func (r *reader) bulk(s *scope) {
	switch sub := r.u32(); {
	case sub <= 7:
	case sub == 8:
		r.u32()
		r.byte()
	case sub == 9 || sub == 13:
		r.u32()
	case sub == 10:
		r.bytes(2)
	case sub == 11:
		r.byte()
	case sub == 12:
		r.u32()
		r.index("table", s.tables)
	case sub == 14:
		r.index("table", s.tables)
		r.index("table", s.tables)
	case sub >= subTableGrow && sub <= 17:
		r.index("table", s.tables)
	default:
		r.fail("instruction 0xfc %d is not supported", sub)
	}
}

// simd reads what follows prefix 0xfd.
func (r *reader) simd() {
	switch sub := r.u32(); {
	case sub <= 11 || sub == 92 || sub == 93:
		r.memarg()
	case sub == 12 || sub == 13:
		r.bytes(16)
	case sub >= 21 && sub <= 34:
		r.byte()
	case sub >= 84 && sub <= 91:
		r.memarg()
		r.byte()
	case sub > 255:
		r.fail("relaxed SIMD is not supported")
	}
}

// atomic reads what follows prefix 0xfe.
func (r *reader) atomic() {
	switch sub := r.u32(); {
	case sub == 3:
		r.byte()
	case sub <= 2 || sub >= 0x10 && sub <= 0x4e:
		r.memarg()
	default:
		r.fail("instruction 0xfe %d is not supported", sub)
	}
}

// constExpr reads a constant expression up to its end. Functions that it
// mentions are reported to ref.
func (r *reader) constExpr(s *scope, ref func(uint32)) (code []byte) {
	start := r.pos
	var ops opSet
	for r.err == nil {
		at := r.pos
		switch r.instr(s, &ops) {
		case opEnd:
			return r.data[start:r.pos]
		case opRefFunc:
			if r.err == nil {
				sub := reader{data: r.data, pos: at + 1}
				ref(sub.u32())
			}
		}
	}
	return nil
}

// yieldAfter is how many rounds of loops and calls pass between two visits to
// Go. Shorter than a millisecond in most code, long enough to cost nothing.
const yieldAfter = 10_000

// instrument copies a function's body (locals and code) and adds to each loop,
// and to each function that calls others, a countdown that ends in a call of
// the function that yields. Both come right after what the module itself has.
func instrument(dst, body []byte, base int, s *scope) ([]byte, opSet, error) {
	r := reader{data: body}
	for n := r.count(); n > 0 && r.err == nil; n-- {
		r.u32()
		r.value()
	}
	count := appendULEB(nil, uint64(s.globals+countGlobal))
	check := append([]byte{opGlobalGet}, count...)
	check = append(check, opI32Const, 1, opI32Sub, opGlobalSet)
	check = append(check, count...)
	check = append(check, opGlobalGet)
	check = append(check, count...)
	check = append(check, opI32Eqz, opIf, blockVoid, opCall)
	check = appendULEB(check, uint64(s.funcs))
	check = append(check, opEnd)

	dst = append(dst, body[:r.pos]...)
	entry, from := len(dst), r.pos
	var ops opSet
	for r.more() {
		if r.instr(s, &ops) == opLoop {
			dst = append(append(dst, body[from:r.pos]...), check...)
			from = r.pos
		}
	}
	if r.err != nil {
		e := r.err.(*CompileError)
		e.Offset += base
		return nil, 0, e
	}
	dst = append(dst, body[from:]...)
	if ops&hasCall != 0 {
		dst = append(dst, check...)
		copy(dst[entry+len(check):], dst[entry:])
		copy(dst[entry:], check)
	}
	return dst, ops, nil
}
