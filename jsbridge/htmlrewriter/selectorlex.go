package htmlrewriter

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The pieces of CSS syntax that selectors are written in
// (https://drafts.csswg.org/css-syntax-3/).

func isNameByte(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= utf8.RuneSelf
}

// startsName tells whether an identifier comes.
func (p *selectorParser) startsName() bool {
	s := p.s[p.i:]
	if s == "" {
		return false
	}
	if s[0] == '-' {
		s = s[1:]
		if s == "" {
			return false
		}
		if s[0] == '-' {
			return true
		}
	}
	c := s[0]
	if c == '\\' {
		return len(s) == 1 || s[1] != '\n'
	}
	return isLetter(c) || c == '_' || c >= utf8.RuneSelf
}

// name reads an identifier and resolves its escapes.
func (p *selectorParser) name() string {
	var b strings.Builder
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case isNameByte(c):
			b.WriteByte(c)
			p.i++
		case c == '\\' && !(p.i+1 < len(p.s) && p.s[p.i+1] == '\n'):
			p.i++
			b.WriteRune(p.escape())
		default:
			return b.String()
		}
	}
	return b.String()
}

// escape reads what follows a backslash.
func (p *selectorParser) escape() rune {
	n := 0
	for n < 6 && p.i+n < len(p.s) && strings.IndexByte("0123456789abcdefABCDEF", p.s[p.i+n]) >= 0 {
		n++
	}
	if n == 0 {
		if p.i >= len(p.s) {
			return utf8.RuneError
		}
		r, size := utf8.DecodeRuneInString(p.s[p.i:])
		p.i += size
		return r
	}
	v, _ := strconv.ParseUint(p.s[p.i:p.i+n], 16, 32) // at most 6 hexadecimal digits
	p.i += n
	if p.i < len(p.s) && isSpace(p.s[p.i]) {
		p.i++
	}
	if v == 0 || v > utf8.MaxRune || v >= 0xD800 && v < 0xE000 {
		return utf8.RuneError
	}
	return rune(v)
}

// quoted reads a string; one that is not closed ends with the selector.
func (p *selectorParser) quoted() (string, bool) {
	q := p.s[p.i]
	p.i++
	var b strings.Builder
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == q:
			return b.String(), true
		case c == '\n':
			return "", false
		case c != '\\':
			b.WriteByte(c)
		case p.peek() == '\n':
			p.i++
		case p.i < len(p.s):
			b.WriteRune(p.escape())
		}
	}
	return b.String(), true
}

// parseNth parses an+b (https://drafts.csswg.org/css-syntax-3/#anb).
func parseNth(s string) (a, b int, err error) {
	s = strings.ToLower(strings.Trim(s, " \t\r\n\f"))
	switch s {
	case "":
		return 0, 0, errEnd
	case "odd":
		return 2, 1, nil
	case "even":
		return 2, 0, nil
	}
	head, tail, isN := strings.Cut(s, "n")
	number := func(s string) (int, error) {
		if digits := strings.TrimLeft(s, "+-"); digits == "" || len(s)-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" {
			return 0, errUnexpected
		}
		n, err := strconv.Atoi(s)
		if err != nil { // far out of any document's range
			n = 1 << 30
		}
		return n, nil
	}
	if !isN {
		b, err = number(s)
		return 0, b, err
	}
	switch head {
	case "", "+":
		a = 1
	case "-":
		a = -1
	default:
		if a, err = number(head); err != nil {
			return 0, 0, err
		}
	}
	if tail == "" {
		return a, 0, nil
	}
	tail = strings.TrimLeft(tail, " \t\r\n\f")
	if tail[0] != '+' && tail[0] != '-' {
		return 0, 0, errUnexpected
	}
	digits := strings.TrimLeft(tail[1:], " \t\r\n\f")
	if digits == "" {
		return 0, 0, errEnd
	}
	if digits[0] == '+' || digits[0] == '-' {
		return 0, 0, errUnexpected
	}
	b, err = number(tail[:1] + digits)
	return a, b, err
}
