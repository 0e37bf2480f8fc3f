package htmlrewriter

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// charset is the encoding of a document. The zero value is UTF-8.
type charset struct{ enc encoding.Encoding }

// charsetOf resolves a label of the Encoding standard.
func charsetOf(label string) (charset, error) {
	label = strings.ToLower(strings.Trim(label, "\t\n\f\r "))
	enc, err := htmlindex.Get(label)
	if err != nil {
		return charset{}, parserError("Unknown character encoding has been provided.")
	}
	switch name, _ := htmlindex.Name(enc); name {
	case "utf-8":
		return charset{}, nil
	case "utf-16le", "utf-16be", "iso-2022-jp", "replacement":
		return charset{}, parserError("Expected ASCII-compatible encoding.")
	}
	return charset{enc}, nil
}

// text decodes a piece of markup that is there as a whole.
func (c charset) text(b []byte) string {
	if c.enc != nil {
		if out, err := c.enc.NewDecoder().Bytes(b); err == nil {
			b = out
		}
	}
	return scrub(b)
}

// encode writes text in the document's encoding. What that lacks becomes a
// character reference.
func (c charset) encode(dst []byte, s string) []byte {
	if c.enc == nil {
		return append(dst, s...)
	}
	out, err := encoding.HTMLEscapeUnsupported(c.enc.NewEncoder()).String(s)
	if err != nil {
		return append(dst, s...)
	}
	return append(dst, out...)
}

// canEncode tells whether a name can be written in the encoding.
func (c charset) canEncode(s string) bool {
	if c.enc == nil {
		return true
	}
	_, err := c.enc.NewEncoder().String(s)
	return err == nil
}

// decoder decodes a text that comes in pieces.
type decoder struct {
	t    transform.Transformer
	tail []byte
}

// decode returns the text of as many bytes as can be told, all if last.
func (d *decoder) decode(c charset, b []byte, last bool) string {
	if len(d.tail) > 0 {
		b = append(d.tail, b...)
		d.tail = nil
	}
	if c.enc == nil {
		if !last {
			if n := unfinished(b); n > 0 {
				d.tail = append([]byte(nil), b[len(b)-n:]...)
				b = b[:len(b)-n]
			}
		}
		return scrub(b)
	}
	if d.t == nil {
		d.t = c.enc.NewDecoder()
	}
	out := make([]byte, 0, len(b)+len(b)/2+16)
	for {
		nDst, nSrc, err := d.t.Transform(out[len(out):cap(out)], b, last)
		out, b = out[:len(out)+nDst], b[nSrc:]
		if err != transform.ErrShortDst {
			break
		}
		out = append(make([]byte, 0, 2*cap(out)), out...)
	}
	if last {
		d.t = nil
	} else {
		d.tail = append([]byte(nil), b...)
	}
	return string(out)
}

// unfinished returns how many bytes at the end of b begin a character that is
// not complete.
func unfinished(b []byte) int {
	for n := 1; n <= 3 && n <= len(b); n++ {
		c := b[len(b)-n]
		if utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// scrub replaces each maximal part of an ill-formed sequence by U+FFFD.
func scrub(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			n = 1
			for k := 1; k <= 3 && k <= len(b); k++ {
				if !utf8.FullRune(b[:k]) {
					n = k
				}
			}
			out.WriteString("\uFFFD")
		} else {
			out.Write(b[:n])
		}
		b = b[n:]
	}
	return out.String()
}

var textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
