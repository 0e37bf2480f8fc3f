package jsclone

import (
	"math"
	"unsafe"

	"github.com/dop251/goja"
)

// integer makes a number. goja keeps the small ones ready.
func (c *Codec) integer(n int64) goja.Value {
	if n >= -256 && n <= 255 || n < math.MinInt32 || n > math.MaxInt32 {
		return c.rt.ToValue(n)
	}
	return valueOf(c.l.intWord, unsafe.Pointer(&n))
}

// number makes a number. Whole ones and those with a name are not kept as
// floating-point numbers, or kept ready.
func (c *Codec) number(f float64) goja.Value {
	if f == math.Trunc(f) || f != f {
		return c.rt.ToValue(f)
	}
	return valueOf(c.l.floatWord, unsafe.Pointer(&f))
}

// shortString is a string that lies in the same piece of memory as its bytes.
type shortString struct {
	text string
	b    [32]byte
}

// newASCII makes a string of ASCII characters; b is not empty.
func (l *layout) newASCII(b []byte) goja.Value {
	if len(b) <= len(shortString{}.b) {
		s := new(shortString)
		s.text = unsafe.String(&s.b[0], copy(s.b[:], b))
		return valueOf(l.asciiWord, unsafe.Pointer(&s.text))
	}
	text := string(b)
	return valueOf(l.asciiWord, unsafe.Pointer(&text))
}
