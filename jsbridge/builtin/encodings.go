package builtin

import (
	"encoding/base64"
	"encoding/hex"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// encodeBytes turns bytes into text. The encodings are those of Node's Buffer:
// utf8 replaces each maximal malformed sequence by one U+FFFD, as the Encoding
// Standard does (https://encoding.spec.whatwg.org/#utf-8-decoder).
func encodeBytes(b []byte, encoding string) (goja.String, bool) {
	switch encoding {
	case "utf8", "latin1", "ascii":
		if isASCII(b) {
			return ascii(string(b)), true
		}
	}
	switch encoding {
	case "utf8":
		return goja.StringFromUTF16(decodeUTF8(b)), true
	case "latin1", "ascii":
		mask := byte(0xff)
		if encoding == "ascii" {
			mask = 0x7f
		}
		u := make([]uint16, len(b))
		for i, c := range b {
			u[i] = uint16(c & mask)
		}
		return goja.StringFromUTF16(u), true
	case "utf16le":
		u := make([]uint16, len(b)/2)
		for i := range u {
			u[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
		}
		return goja.StringFromUTF16(u), true
	case "hex":
		return ascii(hex.EncodeToString(b)), true
	case "base64":
		return ascii(base64.StdEncoding.EncodeToString(b)), true
	case "base64url":
		return ascii(base64.RawURLEncoding.EncodeToString(b)), true
	}
	return nil, false
}

// ascii makes a JavaScript string of text that is known to be ASCII. A
// StringBuilder is the one way in that neither copies units nor needs a runtime.
func ascii(s string) goja.String {
	var b goja.StringBuilder
	b.WriteUTF8String(s)
	return b.String()
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// asASCII returns the text of an ASCII string. Every other UTF-16 unit takes
// more than one byte of UTF-8, so that equal lengths prove it.
func asASCII(s goja.String) (string, bool) {
	text := s.String()
	return text, len(text) == s.Length()
}

// decodeString turns text into bytes. It fails on an unknown encoding only;
// what the text may not hold ends it or is skipped, by encoding.
func decodeString(s goja.String, encoding string) ([]byte, bool) {
	n := s.Length()
	if text, ok := asASCII(s); ok {
		switch encoding {
		case "utf8", "latin1", "ascii":
			return []byte(text), true
		case "hex":
			b := make([]byte, n/2)
			k, _ := hex.Decode(b, []byte(text[:n&^1])) // ends at the first bad digit
			return b[:k], true
		}
	}
	switch encoding {
	case "utf8":
		return encodeUTF8(s), true
	case "latin1", "ascii":
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(s.CharAt(i))
		}
		return b, true
	case "utf16le":
		b := make([]byte, 2*n)
		for i := range n {
			c := s.CharAt(i)
			b[2*i], b[2*i+1] = byte(c), byte(c>>8)
		}
		return b, true
	case "hex":
		return decodeHex(s), true
	case "base64", "base64url":
		return decodeBase64(s), true
	}
	return nil, false
}

// decodeHex reads pairs of digits up to the first that is none.
func decodeHex(s goja.String) []byte {
	n := s.Length() / 2
	b := make([]byte, 0, n)
	for i := range n {
		hi, lo := hexDigit(s.CharAt(2*i)), hexDigit(s.CharAt(2*i+1))
		if hi < 0 || lo < 0 {
			break
		}
		b = append(b, byte(hi<<4|lo))
	}
	return b
}

func hexDigit(c uint16) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// decodeBase64 takes both alphabets, skips what belongs to neither and stops
// at the first "=".
func decodeBase64(s goja.String) []byte {
	n := s.Length()
	b := make([]byte, 0, n*3/4)
	var acc uint32
	bits := 0
	for i := range n {
		c := s.CharAt(i)
		if c == '=' {
			break
		}
		v := base64Digit(c)
		if v < 0 {
			continue
		}
		acc = acc<<6 | uint32(v)
		bits += 6
		if bits >= 8 {
			bits -= 8
			b = append(b, byte(acc>>bits))
		}
	}
	return b
}

func base64Digit(c uint16) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '+' || c == '-':
		return 62
	case c == '/' || c == '_':
		return 63
	}
	return -1
}

func surrogates(hi, lo uint16) bool {
	return hi >= 0xd800 && hi < 0xdc00 && lo >= 0xdc00 && lo < 0xe000
}

// encodeUTF8 writes a lone surrogate as U+FFFD.
func encodeUTF8(s goja.String) []byte {
	n := s.Length()
	b := make([]byte, 0, n)
	for i := 0; i < n; i++ {
		c := s.CharAt(i)
		switch {
		case c < 0x80:
			b = append(b, byte(c))
		case i+1 < n && surrogates(c, s.CharAt(i+1)):
			i++
			b = utf8.AppendRune(b, (rune(c)-0xd800)<<10+rune(s.CharAt(i))-0xdc00+0x10000)
		default:
			b = utf8.AppendRune(b, rune(c)) // a lone surrogate becomes U+FFFD
		}
	}
	return b
}

func utf8Length(s goja.String) int {
	n := s.Length()
	size := 0
	for i := 0; i < n; i++ {
		c := s.CharAt(i)
		switch {
		case c < 0x80:
			size++
		case c < 0x800:
			size += 2
		case i+1 < n && surrogates(c, s.CharAt(i+1)):
			i++
			size += 4
		default:
			size += 3
		}
	}
	return size
}

// wholeCharacters is the size of the longest prefix of valid UTF-8 that ends
// at a character and is no longer than room.
func wholeCharacters(b []byte, room int) int {
	if room >= len(b) {
		return len(b)
	}
	for room > 0 && !utf8.RuneStart(b[room]) {
		room--
	}
	return max(room, 0)
}

func validUTF8(b []byte) bool { return utf8.Valid(b) }

// decodeUTF8 follows the Encoding Standard's decoder state for state: the byte
// that breaks a sequence is looked at again as the start of the next.
func decodeUTF8(b []byte) []uint16 {
	u := make([]uint16, 0, len(b))
	for i := 0; i < len(b); {
		c := b[i]
		if c < 0x80 {
			u = append(u, uint16(c))
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size <= 1 {
			u = append(u, 0xfffd)
			i += malformed(b[i:])
			continue
		}
		i += size
		if r >= 0x10000 {
			r -= 0x10000
			u = append(u, uint16(0xd800+r>>10), uint16(0xdc00+r&0x3ff))
		} else {
			u = append(u, uint16(r))
		}
	}
	return u
}

// malformed is the length of the maximal subpart at the start of b that one
// U+FFFD stands for.
func malformed(b []byte) int {
	lo, hi, need := byte(0x80), byte(0xbf), 0
	switch c := b[0]; {
	case c >= 0xc2 && c <= 0xdf:
		need = 1
	case c >= 0xe0 && c <= 0xef:
		need = 2
		if c == 0xe0 {
			lo = 0xa0
		} else if c == 0xed {
			hi = 0x9f
		}
	case c >= 0xf0 && c <= 0xf4:
		need = 3
		if c == 0xf0 {
			lo = 0x90
		} else if c == 0xf4 {
			hi = 0x8f
		}
	default:
		return 1
	}
	n := 1
	for ; need > 0 && n < len(b); need-- {
		if b[n] < lo || b[n] > hi {
			break
		}
		lo, hi = 0x80, 0xbf
		n++
	}
	return n
}
