package builtin

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// reference decodes UTF-8 the way the Encoding Standard writes it down, one
// byte at a time.
func reference(b []byte) []uint16 {
	var out []rune
	need, seen, r := 0, 0, rune(0)
	lo, hi := byte(0x80), byte(0xbf)
	for i := 0; i < len(b); i++ {
		c := b[i]
		if need == 0 {
			switch {
			case c < 0x80:
				out = append(out, rune(c))
			case c >= 0xc2 && c <= 0xdf:
				need, r = 1, rune(c&0x1f)
			case c >= 0xe0 && c <= 0xef:
				if c == 0xe0 {
					lo = 0xa0
				}
				if c == 0xed {
					hi = 0x9f
				}
				need, r = 2, rune(c&0xf)
			case c >= 0xf0 && c <= 0xf4:
				if c == 0xf0 {
					lo = 0x90
				}
				if c == 0xf4 {
					hi = 0x8f
				}
				need, r = 3, rune(c&7)
			default:
				out = append(out, utf8.RuneError)
			}
			continue
		}
		if c < lo || c > hi {
			need, seen, r, lo, hi = 0, 0, 0, 0x80, 0xbf
			out = append(out, utf8.RuneError)
			i--
			continue
		}
		lo, hi = 0x80, 0xbf
		r = r<<6 | rune(c&0x3f)
		if seen++; seen == need {
			out = append(out, r)
			need, seen, r = 0, 0, 0
		}
	}
	if need > 0 {
		out = append(out, utf8.RuneError)
	}
	return utf16.Encode(out)
}

func FuzzDecodeUTF8(f *testing.F) {
	for _, s := range []string{"", "abc", "h\u00e9\u20ac\U0001f600", "\xe2\x82", "\xf0\x9f\x98A", "\xed\xa0\x80", "\xc0\x80\xff", "\xf4\x90\x80\x80"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, want := decodeUTF8(b), reference(b)
		if string(utf16.Decode(got)) != string(utf16.Decode(want)) || len(got) != len(want) {
			t.Fatalf("decodeUTF8(%x) = %x, want %x", b, got, want)
		}
		if utf8.Valid(b) {
			s := goja.StringFromUTF16(got)
			if back := encodeUTF8(s); !bytes.Equal(back, b) {
				t.Fatalf("%x came back as %x", b, back)
			}
			if n := utf8Length(s); n != len(b) {
				t.Fatalf("utf8Length = %d for %d bytes", n, len(b))
			}
		}
	})
}

func FuzzEncodings(f *testing.F) {
	f.Add([]byte("abc"), "YW Jj=x")
	f.Add([]byte{0xff, 0xfe, 0}, "zz0")
	f.Add([]byte{}, "\u20ac-_+/")
	f.Fuzz(func(t *testing.T, b []byte, text string) {
		for _, enc := range []string{"latin1", "hex", "base64", "base64url", "utf16le"} {
			in := b
			if enc == "utf16le" {
				in = b[:len(b)/2*2]
			}
			s, ok := encodeBytes(in, enc)
			if !ok {
				t.Fatalf("encoding %s is unknown", enc)
			}
			back, ok := decodeString(s, enc)
			if !ok || !bytes.Equal(back, in) {
				t.Fatalf("%s: %x became %q and came back as %x", enc, in, s, back)
			}
		}
		// Any text decodes to something no longer than it may be; proper text
		// decodes as the standard library does.
		s := goja.StringFromUTF16(utf16.Encode([]rune(text)))
		b64, _ := decodeString(s, "base64")
		if len(b64) > s.Length()*3/4 {
			t.Fatalf("base64 of %q is %d bytes", text, len(b64))
		}
		if std, err := base64.StdEncoding.Strict().DecodeString(text); err == nil && !strings.ContainsAny(text, "\r\n") && !bytes.Equal(std, b64) {
			t.Fatalf("base64 of %q = %x, want %x", text, b64, std)
		}
		hx, _ := decodeString(s, "hex")
		if std, err := hex.DecodeString(text); err == nil && !bytes.Equal(std, hx) {
			t.Fatalf("hex of %q = %x, want %x", text, hx, std)
		}
	})
}

func TestIndexOf(t *testing.T) {
	for _, c := range []struct {
		hay, needle      string
		from, step, i, l int
	}{
		{"abcabc", "c", 3, 1, 5, 2},
		{"abcabc", "abc", 0, 1, 0, 0},
		{"xaxa", "a", 0, 2, -1, -1},
		{"xxaa", "aa", 0, 2, 2, -1},
		{"abc", "zzzzzz", 0, 1, -1, -1},
		{"abc", "a", 9, 1, -1, 0},
	} {
		if got := indexFrom([]byte(c.hay), []byte(c.needle), c.from, c.step); got != c.i {
			t.Errorf("indexFrom(%q, %q, %d, %d) = %d, want %d", c.hay, c.needle, c.from, c.step, got, c.i)
		}
		if got := lastIndexFrom([]byte(c.hay), []byte(c.needle), c.from, c.step); got != c.l {
			t.Errorf("lastIndexFrom(%q, %q, %d, %d) = %d, want %d", c.hay, c.needle, c.from, c.step, got, c.l)
		}
	}
}
