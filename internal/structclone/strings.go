package structclone

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

func signbit(f float64) bool { return math.Float64bits(f)>>63 != 0 }

// OneByte writes a string whose code units all lie below 256, one byte each.
// ASCII text in a Go string is such a string as it is.
func (w *Writer) OneByte(latin1 string) {
	w.tag(tagOneByte)
	w.varint(uint64(len(latin1)))
	w.buf = append(w.buf, latin1...)
}

// OneByteBytes is [Writer.OneByte] for a byte slice.
func (w *Writer) OneByteBytes(latin1 []byte) {
	w.tag(tagOneByte)
	w.varint(uint64(len(latin1)))
	w.buf = append(w.buf, latin1...)
}

// TwoByteHeader writes all but the code units of a two-byte string, which are
// to follow as units little-endian pairs of bytes; see [Writer.TwoByteUnit].
func (w *Writer) TwoByteHeader(units int) {
	n := uint64(units) * 2
	// The units must lie at an even offset of the message.
	if (w.Len()+1+uvarintLen(n))&1 != 0 {
		w.tag(tagPadding)
	}
	w.tag(tagTwoByte)
	w.varint(n)
}

// TwoByteUnit appends one code unit after [Writer.TwoByteHeader].
func (w *Writer) TwoByteUnit(u uint16) { w.buf = binary.LittleEndian.AppendUint16(w.buf, u) }

func uvarintLen(n uint64) int { return (bits.Len64(n|1) + 6) / 7 }

// UTF16 writes a string of UTF-16 code units, lone surrogates included, with
// one byte per unit when they all lie below 256, as V8 does.
func (w *Writer) UTF16(units []uint16) {
	var all uint16
	for _, u := range units {
		all |= u
	}
	if all < 0x100 {
		w.tag(tagOneByte)
		w.varint(uint64(len(units)))
		for _, u := range units {
			w.buf = append(w.buf, byte(u))
		}
		return
	}
	w.TwoByteHeader(len(units))
	for _, u := range units {
		w.buf = binary.LittleEndian.AppendUint16(w.buf, u)
	}
}

// String writes s, which holds UTF-8, in the form that V8 chooses: one byte per
// code unit when all lie below 256, else UTF-16. A byte that is not part of
// valid UTF-8 becomes U+FFFD.
func (w *Writer) String(s string) {
	if isASCII(s) {
		w.OneByte(s)
		return
	}
	units, wide := 0, false
	for _, r := range s {
		if r > 0xff {
			wide = true
		}
		if r > 0xffff {
			units++
		}
		units++
	}
	if !wide {
		w.tag(tagOneByte)
		w.varint(uint64(units))
		for _, r := range s {
			w.buf = append(w.buf, byte(r))
		}
		return
	}
	w.TwoByteHeader(units)
	for _, r := range s {
		if r > 0xffff {
			hi, lo := utf16.EncodeRune(r)
			w.TwoByteUnit(uint16(hi))
			w.TwoByteUnit(uint16(lo))
			continue
		}
		w.TwoByteUnit(uint16(r))
	}
}

func isASCII[T string | []byte](s T) bool {
	const high = 0x80
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if (s[i]|s[i+1]|s[i+2]|s[i+3]|s[i+4]|s[i+5]|s[i+6]|s[i+7])&high != 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if s[i]&high != 0 {
			return false
		}
	}
	return true
}

// Encoding says how the bytes of a [String] stand for its code units.
type Encoding uint8

// The encodings of strings in a message.
const (
	Latin1  Encoding = iota // one byte per code unit
	UTF16LE                 // two bytes per code unit, little endian
	UTF8                    // UTF-8, as older writers made it
)

// String is a string inside a message. Its bytes are a part of the message, not
// a copy: they are valid as long as the message is left alone.
type String struct {
	Bytes    []byte
	Encoding Encoding
}

// IsASCII reports whether the string consists of ASCII characters and its bytes
// are that text.
func (s String) IsASCII() bool { return s.Encoding != UTF16LE && isASCII(s.Bytes) }

// AppendUTF16 appends the string's code units to dst.
func (s String) AppendUTF16(dst []uint16) []uint16 {
	switch s.Encoding {
	case UTF16LE:
		for i := 0; i+1 < len(s.Bytes); i += 2 {
			dst = append(dst, binary.LittleEndian.Uint16(s.Bytes[i:]))
		}
	case Latin1:
		for _, b := range s.Bytes {
			dst = append(dst, uint16(b))
		}
	default:
		for b := s.Bytes; len(b) > 0; {
			r, n := utf8.DecodeRune(b)
			b = b[n:]
			dst = utf16.AppendRune(dst, r)
		}
	}
	return dst
}

// String returns the text in UTF-8. A lone surrogate becomes U+FFFD.
func (s String) String() string {
	switch {
	case s.Encoding == UTF8:
		if utf8.Valid(s.Bytes) {
			return string(s.Bytes)
		}
		return string([]rune(string(s.Bytes)))
	case s.Encoding == Latin1 && isASCII(s.Bytes):
		return string(s.Bytes)
	case s.Encoding == Latin1:
		b := make([]byte, 0, len(s.Bytes)*2)
		for _, c := range s.Bytes {
			b = utf8.AppendRune(b, rune(c))
		}
		return string(b)
	}
	b := make([]byte, 0, len(s.Bytes))
	for i := 0; i+1 < len(s.Bytes); i += 2 {
		r := rune(binary.LittleEndian.Uint16(s.Bytes[i:]))
		if utf16.IsSurrogate(r) {
			pair := rune(utf8.RuneError)
			if i+3 < len(s.Bytes) {
				pair = utf16.DecodeRune(r, rune(binary.LittleEndian.Uint16(s.Bytes[i+2:])))
			}
			if r = pair; r != utf8.RuneError {
				i += 2
			}
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b)
}

// CopyString writes a string that came from a [Reader]. One- and two-byte
// strings keep their form; a UTF-8 string gets the form that V8 would choose.
func (w *Writer) CopyString(s String) {
	switch s.Encoding {
	case Latin1:
		w.OneByteBytes(s.Bytes)
	case UTF16LE:
		w.TwoByteHeader(len(s.Bytes) / 2)
		w.buf = append(w.buf, s.Bytes...)
	default:
		w.String(s.String())
	}
}
