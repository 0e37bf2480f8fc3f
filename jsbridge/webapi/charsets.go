package webapi

import (
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"
)

// lookupEncoding resolves an encoding label
// (https://encoding.spec.whatwg.org/#concept-encoding-get) to the encoding's
// name. The decoder is nil for the Unicode encodings, which this package
// decodes itself.
func lookupEncoding(label string) (name string, decoder transform.Transformer, ok bool) {
	label = strings.ToLower(strings.Trim(label, "\t\n\f\r "))
	enc, err := htmlindex.Get(label)
	if err != nil {
		return "", nil, false
	}
	if name, err = htmlindex.Name(enc); err != nil || name == "replacement" {
		return "", nil, false
	}
	switch name {
	case "utf-8", "utf-16le", "utf-16be":
		return name, nil, true
	}
	if cm, ok := enc.(*charmap.Charmap); ok && strings.HasPrefix(name, "windows-") {
		return name, windowsDecoder{charmap: cm}, true
	}
	return name, enc.NewDecoder(), true
}

// windowsDecoder is a Windows code page with the holes between 0x80 and 0x9F
// filled by the control characters of the same number, as the web has it and
// golang.org/x/text has not.
type windowsDecoder struct {
	transform.NopResetter
	charmap *charmap.Charmap
}

func (d windowsDecoder) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	for _, c := range src {
		r := d.charmap.DecodeByte(c)
		if r == utf8.RuneError && c >= 0x80 && c < 0xA0 {
			r = rune(c)
		}
		if nDst+utf8.RuneLen(r) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc++
	}
	return nDst, nSrc, nil
}

// decodeLegacy decodes input in an encoding other than the Unicode ones.
func (d *textDecoder) decodeLegacy(input []byte, more bool) (string, bool) {
	var out strings.Builder
	var buf [1024]byte
	for {
		nDst, nSrc, err := d.legacy.Transform(buf[:], input, !more)
		out.Write(buf[:nDst])
		input = input[nSrc:]
		if errors.Is(err, transform.ErrShortDst) {
			continue
		}
		if more {
			d.pending = append([]byte(nil), input...)
		} else {
			d.legacy.Reset()
		}
		text := out.String()
		if err != nil && !errors.Is(err, transform.ErrShortSrc) ||
			d.fatal && strings.ContainsRune(text, utf8.RuneError) {
			d.legacy.Reset()
			return "", false
		}
		return text, true
	}
}
