package wasm

import (
	"fmt"
	"unicode/utf8"
)

// reader reads the binary format. The first mistake sticks: after it every
// read returns zero, and err tells what it was.
type reader struct {
	data []byte
	pos  int
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = &CompileError{Offset: r.pos, Text: fmt.Sprintf(format, args...)}
		r.pos = len(r.data)
	}
}

func (r *reader) more() bool { return r.err == nil && r.pos < len(r.data) }

func (r *reader) byte() byte {
	if r.pos >= len(r.data) {
		r.fail("unexpected end")
		return 0
	}
	b := r.data[r.pos]
	r.pos++
	return b
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.data)-r.pos {
		r.fail("unexpected end")
		return nil
	}
	b := r.data[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	return b
}

// uleb reads an unsigned LEB128 of at most the given bits.
func (r *reader) uleb(bits uint) uint64 {
	var v uint64
	for shift := uint(0); ; shift += 7 {
		b := r.byte()
		if r.err != nil {
			return 0
		}
		if shift+7 > bits && b>>(bits-shift) != 0 {
			r.fail("number too large")
			return 0
		}
		v |= uint64(b&0x7f) << shift
		if b&0x80 == 0 {
			return v
		}
	}
}

func (r *reader) u32() uint32 { return uint32(r.uleb(32)) }

// sleb reads a signed LEB128 of at most the given bits.
func (r *reader) sleb(bits uint) int64 {
	var v int64
	for shift := uint(0); ; {
		b := r.byte()
		if r.err != nil {
			return 0
		}
		v |= int64(b&0x7f) << shift
		shift += 7
		if b&0x80 == 0 {
			if shift < 64 && b&0x40 != 0 {
				v |= -1 << shift
			}
			return v
		}
		if shift >= bits {
			r.fail("number too large")
			return 0
		}
	}
}

// count reads the length of a list, each of whose elements takes at least a
// byte, so that a wrong length cannot ask for much memory.
func (r *reader) count() int {
	n := r.u32()
	if uint64(n) > uint64(len(r.data)-r.pos) {
		r.fail("a list of %d elements does not fit", n)
		return 0
	}
	return int(n)
}

func (r *reader) name() string {
	b := r.bytes(int(r.u32()))
	if !utf8.Valid(b) {
		r.fail("a name is not UTF-8")
	}
	return string(b)
}

// value reads a value type.
func (r *reader) value() ValueType {
	switch t := ValueType(r.byte()); t {
	case I32, I64, F32, F64, V128, Funcref, Externref, Exnref:
		return t
	default:
		if r.err == nil {
			r.pos--
			r.fail("%v is not supported", t)
		}
		return I32
	}
}

func (r *reader) values() []ValueType {
	ts := make([]ValueType, r.count())
	for i := range ts {
		ts[i] = r.value()
	}
	return ts
}

func (r *reader) limits() (l Limits) {
	flag := r.byte()
	if flag > 3 {
		r.pos--
		r.fail("limits of kind %d are not supported", flag)
	}
	l.Min = r.uleb(32)
	if l.HasMax = flag&1 != 0; l.HasMax {
		l.Max = r.uleb(32)
	}
	l.Shared = flag&2 != 0
	return l
}

// memory reads the type of a memory.
func (r *reader) memory() Limits {
	l := r.limits()
	if l.Shared {
		r.fail("shared memories are not supported")
	}
	return l
}

func (r *reader) table() (t TableType) {
	if r.pos < len(r.data) && r.data[r.pos] == 0x40 {
		r.fail("tables with an initial value are not supported")
	}
	t.Elem = r.value()
	t.Limits = r.limits()
	return t
}

func (r *reader) global() (t GlobalType) {
	t.Value = r.value()
	switch r.byte() {
	case 0:
	case 1:
		t.Mutable = true
	default:
		r.fail("a global is neither mutable nor not")
	}
	return t
}
