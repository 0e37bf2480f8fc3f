package structclone

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSONError is a text that is no JSON (ECMA-404).
type JSONError struct {
	Offset int        // in bytes, of the first character that does not fit
	Reason JSONReason // why it does not
}

// JSONReason is V8's text for what is wrong with a JSON text.
type JSONReason string

// The reasons. All but the first three stand before " in JSON at position".
const (
	JSONToken      JSONReason = "Unexpected token" // with the character, in a value
	JSONEnd        JSONReason = "Unexpected end of JSON input"
	JSONDeep       JSONReason = "too deeply nested" // V8 knows no limit
	JSONNumber     JSONReason = "Unexpected number"
	JSONString     JSONReason = "Unexpected string"
	JSONFirstName  JSONReason = "Expected property name or '}'"
	JSONName       JSONReason = "Expected double-quoted property name"
	JSONColon      JSONReason = "Expected ':' after property name"
	JSONProperty   JSONReason = "Expected ',' or '}' after property value"
	JSONElement    JSONReason = "Expected ',' or ']' after array element"
	JSONControl    JSONReason = "Bad control character in string literal"
	JSONEscape     JSONReason = "Bad escaped character"
	JSONUnicode    JSONReason = "Bad Unicode escape"
	JSONOpen       JSONReason = "Unterminated string"
	JSONMinus      JSONReason = "No number after minus sign"
	JSONFraction   JSONReason = "Unterminated fractional number"
	JSONExponent   JSONReason = "Exponent part is missing a number"
	JSONAfterwards JSONReason = "Unexpected non-whitespace character after JSON"
)

func (e *JSONError) Error() string {
	return "no JSON at byte " + strconv.Itoa(e.Offset) + ": " + string(e.Reason)
}

// JSON writes the value of a JSON text as a [Reader] gives it, so that
// one reader makes all values. Arrays and objects may nest maxDepth deep. The error
// is a *JSONError, after which the message is of no use. The text must be UTF-8;
// surrogates that are escaped need no partners.
func (w *Writer) JSON(text string, maxDepth int) error {
	p := jsonParser{w: w, text: text, max: maxDepth}
	p.space()
	if err := p.value(0); err != nil {
		return err
	}
	if p.space(); p.pos < len(text) {
		return p.wrong(JSONAfterwards)
	}
	return nil
}

type jsonParser struct {
	w     *Writer
	text  string
	pos   int
	max   int
	units []uint16
}

func (p *jsonParser) wrong(reason JSONReason) error {
	return &JSONError{Offset: p.pos, Reason: reason}
}

// unexpected is the error for the character that is next, where a value is read.
func (p *jsonParser) unexpected() error {
	if p.pos >= len(p.text) {
		return p.wrong(JSONEnd)
	}
	switch c := p.text[p.pos]; {
	case c == '"':
		return p.wrong(JSONString)
	case c == '-' || c-'0' <= 9:
		return p.wrong(JSONNumber)
	}
	return p.wrong(JSONToken)
}

func (p *jsonParser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// next returns the next character that is no space, 0 at the end.
func (p *jsonParser) next() byte {
	p.space()
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *jsonParser) word(word string) error {
	for i := range len(word) {
		if p.pos >= len(p.text) || p.text[p.pos] != word[i] {
			return p.unexpected()
		}
		p.pos++
	}
	return nil
}

// value reads a value that begins right here.
func (p *jsonParser) value(depth int) error {
	if p.pos >= len(p.text) {
		return p.wrong(JSONEnd)
	}
	switch c := p.text[p.pos]; c {
	case '"':
		return p.str()
	case '{', '[':
		if depth >= p.max {
			return p.wrong(JSONDeep)
		}
		p.pos++
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case 't':
		p.w.Bool(true)
		return p.word("true")
	case 'f':
		p.w.Bool(false)
		return p.word("false")
	case 'n':
		p.w.Null()
		return p.word("null")
	default:
		return p.number()
	}
}

func (p *jsonParser) object(depth int) error {
	p.w.BeginObject()
	n := uint32(0)
	if p.next() == '}' {
		p.pos++
		p.w.EndObject(0)
		return nil
	}
	for {
		if p.next() != '"' {
			if n == 0 {
				return p.wrong(JSONFirstName)
			}
			return p.wrong(JSONName)
		}
		if err := p.str(); err != nil {
			return err
		}
		if p.next() != ':' {
			return p.wrong(JSONColon)
		}
		p.pos++
		p.space()
		if err := p.value(depth); err != nil {
			return err
		}
		n++
		switch p.next() {
		case ',':
			p.pos++
		case '}':
			p.pos++
			p.w.EndObject(n)
			return nil
		default:
			return p.wrong(JSONProperty)
		}
	}
}

func (p *jsonParser) array(depth int) error {
	p.w.tag(tagDense)
	p.w.id()
	// The length is known at the end: five bytes are kept for it, as many as the
	// longest has.
	at := len(p.w.buf)
	p.w.buf = append(p.w.buf, 0x80, 0x80, 0x80, 0x80, 0)
	n := uint32(0)
	if p.next() == ']' {
		p.pos++
	} else {
		for more := true; more; {
			p.space()
			if err := p.value(depth); err != nil {
				return err
			}
			n++
			switch p.next() {
			case ',':
				p.pos++
			case ']':
				p.pos++
				more = false
			default:
				return p.wrong(JSONElement)
			}
		}
	}
	for i := range 4 {
		p.w.buf[at+i] = byte(n>>(7*i)) | 0x80
	}
	p.w.buf[at+4] = byte(n >> 28)
	p.w.EndDenseArray(0, n)
	return nil
}

func (p *jsonParser) digits() int {
	from := p.pos
	for p.pos < len(p.text) && p.text[p.pos]-'0' <= 9 {
		p.pos++
	}
	return p.pos - from
}

func (p *jsonParser) number() error {
	from, negative := p.pos, p.text[p.pos] == '-'
	if negative {
		p.pos++
	}
	switch {
	case p.pos < len(p.text) && p.text[p.pos] == '0':
		if p.pos++; p.pos < len(p.text) && p.text[p.pos]-'0' <= 9 {
			return p.wrong(JSONNumber)
		}
	case p.digits() > 0:
	case negative:
		return p.wrong(JSONMinus)
	default:
		return p.unexpected()
	}
	whole := true
	if p.pos < len(p.text) && p.text[p.pos] == '.' {
		whole = false
		p.pos++
		if p.digits() == 0 {
			return p.wrong(JSONFraction)
		}
	}
	if p.pos < len(p.text) && p.text[p.pos]|0x20 == 'e' {
		whole = false
		if p.pos++; p.pos < len(p.text) && (p.text[p.pos] == '+' || p.text[p.pos] == '-') {
			p.pos++
		}
		if p.digits() == 0 {
			return p.wrong(JSONExponent)
		}
	}
	text := p.text[from:p.pos]
	if whole && !negative && len(text) < 10 {
		n := int32(0)
		for i := range len(text) {
			n = n*10 + int32(text[i]-'0')
		}
		p.w.Number(float64(n))
		return nil
	}
	f, _ := strconv.ParseFloat(text, 64) // too large is infinite, as in JavaScript
	p.w.Number(f)
	return nil
}

func (p *jsonParser) str() error {
	p.pos++
	from := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.w.OneByte(p.text[from:p.pos])
			p.pos++
			return nil
		case c < 0x20:
			return p.wrong(JSONControl)
		case c == '\\' || c >= 0x80:
			return p.longStr(from)
		}
		p.pos++
	}
	return p.wrong(JSONOpen)
}

// longStr reads a string that is not ASCII alone, or has escapes.
func (p *jsonParser) longStr(from int) error {
	units := p.units[:0]
	for _, c := range []byte(p.text[from:p.pos]) {
		units = append(units, uint16(c))
	}
	latin1 := true
	for {
		if p.pos >= len(p.text) {
			return p.wrong(JSONOpen)
		}
		c := p.text[p.pos]
		switch {
		case c == '"':
			p.pos++
			p.units = units
			p.writeUnits(units, latin1)
			return nil
		case c < 0x20:
			return p.wrong(JSONControl)
		case c == '\\':
			u, err := p.escape()
			if err != nil {
				return err
			}
			units = append(units, u)
			latin1 = latin1 && u < 256
			continue
		case c < 0x80:
			units = append(units, uint16(c))
			p.pos++
			continue
		}
		r, n := utf8.DecodeRuneInString(p.text[p.pos:])
		units = utf16.AppendRune(units, r)
		latin1 = latin1 && r < 256
		p.pos += n
	}
}

func (p *jsonParser) writeUnits(units []uint16, latin1 bool) {
	if latin1 {
		b := make([]byte, len(units))
		for i, u := range units {
			b[i] = byte(u)
		}
		p.w.OneByteBytes(b)
		return
	}
	p.w.TwoByteHeader(len(units))
	for _, u := range units {
		p.w.TwoByteUnit(u)
	}
}

func (p *jsonParser) escape() (uint16, error) {
	if p.pos++; p.pos >= len(p.text) {
		return 0, p.wrong(JSONOpen)
	}
	c := p.text[p.pos]
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		u := uint16(0)
		for range 4 {
			if p.pos++; p.pos >= len(p.text) {
				return 0, p.wrong(JSONUnicode)
			}
			d := p.text[p.pos]
			switch {
			case d-'0' <= 9:
				d -= '0'
			case d|0x20 >= 'a' && d|0x20 <= 'f':
				d = d | 0x20 - 'a' + 10
			default:
				return 0, p.wrong(JSONUnicode)
			}
			u = u<<4 | uint16(d)
		}
		p.pos++
		return u, nil
	default:
		return 0, p.wrong(JSONEscape)
	}
	p.pos++
	return uint16(c), nil
}
