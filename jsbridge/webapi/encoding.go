package webapi

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dop251/goja"
	"golang.org/x/text/transform"
)

type textEncoder struct{ slot }

// textDecoder is the attachment of a TextDecoder.
type textDecoder struct {
	slot
	encoding         string
	fatal, ignoreBOM bool
	// pending are the bytes of an unfinished character, bomSeen tells that the
	// start of the stream is behind us. Both live from one decode call with
	// stream: true to the next.
	pending []byte
	bomSeen bool
	// legacy decodes everything that is not UTF-8 or UTF-16.
	legacy transform.Transformer
}

func init() {
	classSpecs[classTextEncoder] = classSpec{
		name: "TextEncoder", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) { a.attach(call.This, &textEncoder{}) },
		init: func(a *API, c *class) {
			c.method("encode", func(call goja.FunctionCall) goja.Value {
				this[*textEncoder](a, call.This)
				if v := call.Argument(0); !isUndefined(v) {
					return a.uint8Array([]byte(a.str(v)))
				}
				return a.uint8Array([]byte{})
			})
			c.method("encodeInto", a.encodeInto)
			c.getter("encoding", func(v goja.Value) goja.Value {
				this[*textEncoder](a, v)
				return a.rt.ToValue("utf-8")
			})
		},
	}
	classSpecs[classTextDecoder] = classSpec{
		name: "TextDecoder", parent: noParent, construct: newTextDecoder,
		init: func(a *API, c *class) {
			c.method("decode", a.textDecode)
			c.getter("encoding", func(v goja.Value) goja.Value { return a.rt.ToValue(this[*textDecoder](a, v).encoding) })
			c.getter("fatal", func(v goja.Value) goja.Value { return a.rt.ToValue(this[*textDecoder](a, v).fatal) })
			c.getter("ignoreBOM", func(v goja.Value) goja.Value { return a.rt.ToValue(this[*textDecoder](a, v).ignoreBOM) })
		},
	}
}

// encodeInto writes as many whole characters as fit
// (https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto).
func (a *API) encodeInto(call goja.FunctionCall) goja.Value {
	this[*textEncoder](a, call.This)
	src := a.str(a.need(call.Arguments, 0, "TextEncoder", "encodeInto", "String"))
	target := a.need(call.Arguments, 1, "TextEncoder", "encodeInto", "Uint8Array")
	o, ok := target.(*goja.Object)
	if !ok || o.ExportType() != typeBytes {
		a.badParam(1, "TextEncoder", "encodeInto", "Uint8Array")
	}
	dst, _ := a.bytesOf(target)
	read, written := 0, 0
	for _, r := range src {
		n := utf8.RuneLen(r)
		if written+n > len(dst) {
			break
		}
		utf8.EncodeRune(dst[written:], r)
		written += n
		read += utf16.RuneLen(r)
	}
	res := a.rt.NewObject()
	must(res.Set("read", read))
	must(res.Set("written", written))
	return res
}

func newTextDecoder(a *API, call goja.ConstructorCall) {
	label := "utf-8"
	if v := call.Argument(0); !isUndefined(v) {
		label = a.str(v)
	}
	d := &textDecoder{}
	if opt := a.dict(call.Arguments, 1, func() { a.badCtorParam(1, "TextDecoder", "ConstructorOptions") }); opt != nil {
		d.fatal = field(opt, "fatal").ToBoolean()
		d.ignoreBOM = field(opt, "ignoreBOM").ToBoolean()
	} else if len(call.Arguments) > 1 && goja.IsNull(call.Arguments[1]) {
		a.throwTypeError("Cannot initialize N7workerd3api11TextDecoder18ConstructorOptionsE with required members from an undefined or null value.")
	}
	var ok bool
	if d.encoding, d.legacy, ok = lookupEncoding(label); !ok {
		a.throw(a.newError("RangeError", `"`+label+`" is not a valid encoding.`))
	}
	a.attach(call.This, d)
}

func (a *API) textDecode(call goja.FunctionCall) goja.Value {
	d := this[*textDecoder](a, call.This)
	var input []byte
	if v := call.Argument(0); !isUndefined(v) {
		var ok bool
		if input, ok = a.bytesOf(v); !ok {
			a.badParam(0, "TextDecoder", "decode", "Array")
		}
	}
	opt := a.dict(call.Arguments, 1, func() { a.badParam(1, "TextDecoder", "decode", "DecodeOptions") })
	text, ok := d.decode(input, field(opt, "stream").ToBoolean())
	if !ok {
		a.throwTypeError("Failed to decode input.")
	}
	return a.rt.ToValue(text)
}

// decode decodes the next piece of input; more tells that there is going to be
// another. It returns false if the input is malformed and the decoder fatal;
// the decoder then starts afresh.
func (d *textDecoder) decode(input []byte, more bool) (string, bool) {
	if len(d.pending) > 0 {
		input = append(d.pending, input...)
		d.pending = nil
	}
	rest := 0
	if more {
		rest = d.unfinished(input)
		d.pending = append([]byte(nil), input[len(input)-rest:]...)
		input = input[:len(input)-rest]
	}
	bomSeen := d.bomSeen
	d.bomSeen = more && (bomSeen || len(input) > 0)
	var text string
	valid := true
	switch d.encoding {
	case "utf-8":
		if !bomSeen && !d.ignoreBOM && len(input) >= 3 && string(input[:3]) == "\xef\xbb\xbf" {
			input = input[3:]
		}
		if d.fatal {
			valid = utf8.Valid(input)
		}
		if valid {
			text = scrubUTF8(input)
		}
	case "utf-16le", "utf-16be":
		text, valid = d.decodeUTF16(input, !bomSeen && !d.ignoreBOM)
	default:
		text, valid = d.decodeLegacy(input, more)
	}
	if !valid {
		d.pending, d.bomSeen = nil, false
		return "", false
	}
	return text, true
}

// unfinished returns how many bytes at the end of input are the start of a
// character that later input may complete.
func (d *textDecoder) unfinished(input []byte) int {
	switch d.encoding {
	case "utf-8":
		for n := 1; n <= 3 && n <= len(input); n++ {
			tail := input[len(input)-n:]
			if utf8.RuneStart(tail[0]) {
				if tail[0] >= 0xC2 && tail[0] <= 0xF4 && !utf8.FullRune(tail) {
					return n
				}
				return 0
			}
		}
	case "utf-16le", "utf-16be":
		n := len(input) % 2
		if len(input) >= n+2 {
			if u := d.unit(input[len(input)-n-2:]); u >= 0xD800 && u < 0xDC00 {
				n += 2
			}
		}
		return n
	}
	return 0
}

func (d *textDecoder) unit(b []byte) uint16 {
	if d.encoding == "utf-16be" {
		return uint16(b[0])<<8 | uint16(b[1])
	}
	return uint16(b[1])<<8 | uint16(b[0])
}

func (d *textDecoder) decodeUTF16(input []byte, stripBOM bool) (string, bool) {
	units := make([]uint16, 0, len(input)/2)
	for i := 0; i+1 < len(input); i += 2 {
		units = append(units, d.unit(input[i:]))
	}
	if stripBOM && len(units) > 0 && units[0] == 0xFEFF {
		units = units[1:]
	}
	runes := utf16.Decode(units)
	if len(input)%2 == 1 {
		runes = append(runes, utf8.RuneError)
	}
	if d.fatal {
		n := 0
		for _, r := range runes {
			n += utf16.RuneLen(r)
			if r == utf8.RuneError && (n > len(units) || units[n-1] != uint16(utf8.RuneError)) {
				return "", false
			}
		}
	}
	return string(runes), true
}

// btoa and atob are the forgiving base64 of the web
// (https://infra.spec.whatwg.org/#forgiving-base64).
func (a *API) btoa(call goja.FunctionCall) goja.Value {
	s := a.str(a.need(call.Arguments, 0, "ServiceWorkerGlobalScope", "btoa", "String"))
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xFF {
			a.throwDOM("btoa() can only operate on characters in the Latin1 (ISO/IEC 8859-1) range.", "InvalidCharacterError")
		}
		b = append(b, byte(r))
	}
	return a.rt.ToValue(base64.StdEncoding.EncodeToString(b))
}

func (a *API) atob(call goja.FunctionCall) goja.Value {
	s := a.str(a.need(call.Arguments, 0, "ServiceWorkerGlobalScope", "atob", "string"))
	b, ok := decodeBase64(s)
	if !ok {
		a.throwDOM("atob() called with invalid base64-encoded data. (Only whitespace, '+', '/', alphanumeric ASCII, and up to two terminal '=' signs when the input data length is divisible by 4 are allowed.)", "InvalidCharacterError")
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return a.rt.ToValue(string(runes))
}

// decodeBase64 ignores ASCII white space and accepts missing padding.
func decodeBase64(s string) ([]byte, bool) {
	s = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\n', '\f', '\r':
			return -1
		}
		return r
	}, s)
	if len(s)%4 == 0 {
		s = strings.TrimSuffix(s, "=")
		s = strings.TrimSuffix(s, "=")
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	return b, err == nil
}
