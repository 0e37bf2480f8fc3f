package remote

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// encoder writes the messages: numbers as varints, texts with their length.
type encoder struct{ b []byte }

func (e *encoder) uint(v uint64)   { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)     { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) raw(p []byte)    { e.b = append(e.b, p...) }
func (e *encoder) string(s string) { e.uint(uint64(len(s))); e.b = append(e.b, s...) }
func (e *encoder) bytes(p []byte)  { e.uint(uint64(len(p))); e.b = append(e.b, p...) }

// optional keeps nil and empty apart.
func (e *encoder) optional(p []byte) {
	e.bool(p != nil)
	if p != nil {
		e.bytes(p)
	}
}

func (e *encoder) bool(v bool) {
	if v {
		e.b = append(e.b, 1)
	} else {
		e.b = append(e.b, 0)
	}
}

// decoder reads them. The first error stays; what is read after it is zero.
type decoder struct {
	b   []byte
	err error
}

var errShort = errors.New("the message is cut short")

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.b = nil
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail(errShort)
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail(errShort)
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) bool() bool {
	p := d.raw(1)
	if p == nil {
		return false
	}
	if p[0] > 1 {
		d.fail(fmt.Errorf("a truth value of %d", p[0]))
	}
	return p[0] == 1
}

// raw returns n bytes of the message itself, nil if they are not there.
func (d *decoder) raw(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail(errShort)
		return nil
	}
	p := d.b[:n:n]
	d.b = d.b[n:]
	return p
}

func (d *decoder) bytes() []byte  { return d.raw(d.uint()) }
func (d *decoder) string() string { return string(d.bytes()) }

func (d *decoder) optional() []byte {
	if !d.bool() {
		return nil
	}
	p := d.bytes()
	if p == nil && d.err == nil {
		p = []byte{}
	}
	return p
}

// maxList is how many entries a list may have: headers, names in a path.
const maxList = 1 << 14

// count reads the length of a list whose entries take at least one byte each, so
// that no length makes us allocate more than what has arrived.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) || n > maxList {
		d.fail(fmt.Errorf("a list of %d entries", n))
		return 0
	}
	return int(n)
}

// end returns the error of the whole message.
func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		d.fail(fmt.Errorf("%d bytes too many in a message", len(d.b)))
	}
	return d.err
}
