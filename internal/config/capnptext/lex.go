// Package capnptext reads the text form of workerd's configuration: constants
// of the types that workerd.capnp declares, in Cap'n Proto's schema language
// (https://capnproto.org/language.html). It reads declarations of constants and
// aliases, not of types.
//
// [Load] returns values that have been checked against workerd.capnp. What they
// mean is not the business of this package.
package capnptext

import (
	"bytes"
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

type tokenKind int

const (
	tokEOF tokenKind = iota
	tokIdent
	tokString  // "..." or a block of `lines
	tokBinary  // 0x"..."
	tokInteger // text is the literal
	tokFloat
	tokOperator // a run of operator characters, taken as long as possible
	tokPunct    // one of ( ) [ ] { } , ;
)

type token struct {
	kind tokenKind
	pos  source.Pos
	// text is the token as written or, for strings, the bytes it stands for.
	text string
}

// String describes the token for messages.
func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "the end of the file"
	case tokString:
		return "a string"
	case tokBinary:
		return "a binary literal"
	case tokInteger, tokFloat:
		return "the number " + t.text
	}
	return "'" + t.text + "'"
}

// operatorChars may form an operator. As in Cap'n Proto "=." is one operator,
// not two, so `text=.name` is an error and `text = .name` is not.
const operatorChars = "!$%&*+-./:<=>?@^|~"

type lexer struct {
	file *source.File
	text []byte
	i    int
}

// lex splits a file into tokens; the last one is tokEOF.
func lex(file *source.File, text []byte) ([]token, error) {
	l := &lexer{file: file, text: text}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		l.i = 3
	}
	var out []token
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		out = append(out, t)
		if t.kind == tokEOF {
			return out, nil
		}
	}
}

// space skips blanks and comments.
func (l *lexer) space() {
	for l.i < len(l.text) {
		switch l.text[l.i] {
		case ' ', '\t', '\r', '\n', '\v', '\f':
			l.i++
		case '#':
			l.line()
		default:
			return
		}
	}
}

// line skips to the end of the line and returns what it skipped.
func (l *lexer) line() string {
	start := l.i
	if n := bytes.IndexByte(l.text[l.i:], '\n'); n >= 0 {
		l.i += n + 1
		return strings.TrimSuffix(string(l.text[start:l.i-1]), "\r")
	}
	l.i = len(l.text)
	return strings.TrimSuffix(string(l.text[start:]), "\r")
}

func (l *lexer) next() (token, error) {
	l.space()
	t := token{pos: l.file.Pos(l.i)}
	if l.i >= len(l.text) {
		return t, nil
	}
	start := l.i
	switch c := l.text[l.i]; {
	case isLetter(c):
		for l.i < len(l.text) && (isLetter(l.text[l.i]) || isDigit(l.text[l.i])) {
			l.i++
		}
		t.kind, t.text = tokIdent, string(l.text[start:l.i])
		return t, nil
	case isDigit(c):
		return l.number(t)
	case c == '"':
		var err error
		t.kind = tokString
		t.text, err = l.quoted()
		return t, err
	case c == '`':
		t.kind, t.text = tokString, l.block()
		return t, nil
	case strings.IndexByte("()[]{},;", c) >= 0:
		l.i++
		t.kind, t.text = tokPunct, string(c)
		return t, nil
	case strings.IndexByte(operatorChars, c) >= 0:
		for l.i < len(l.text) && strings.IndexByte(operatorChars, l.text[l.i]) >= 0 {
			l.i++
		}
		t.kind, t.text = tokOperator, string(l.text[start:l.i])
		return t, nil
	case c == '\'':
		return t, source.Errorf(t.pos, "strings are written with double quotes")
	default:
		return t, source.Errorf(t.pos, "unexpected character %q", firstRune(l.text[l.i:]))
	}
}

func firstRune(b []byte) string {
	for _, r := range string(b[:min(len(b), 4)]) {
		return string(r)
	}
	return ""
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// block reads consecutive lines that begin with a backtick: each line with its
// line end, no escapes. Blank lines and comments may stand between them.
func (l *lexer) block() string {
	var b strings.Builder
	for l.i < len(l.text) && l.text[l.i] == '`' {
		l.i++
		b.WriteString(l.line())
		b.WriteByte('\n')
		l.space()
	}
	return b.String()
}

// quoted reads a string literal, the cursor being at its opening quote.
func (l *lexer) quoted() (string, error) {
	open := l.i
	l.i++
	var b strings.Builder
	for l.i < len(l.text) {
		switch c := l.text[l.i]; c {
		case '"':
			l.i++
			return b.String(), nil
		case '\n':
			return "", source.Errorf(l.file.Pos(open), "the string does not end on its line; write \\n, or lines that begin with a backtick")
		case '\\':
			if err := l.escape(&b); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
			l.i++
		}
	}
	return "", source.Errorf(l.file.Pos(open), "the string does not end")
}

// escape reads one escape: those of C, with \xHH of exactly two digits and up
// to three octal ones. There is no \u.
func (l *lexer) escape(b *strings.Builder) error {
	at := l.i
	l.i++
	if l.i >= len(l.text) {
		return source.Errorf(l.file.Pos(at), "the string does not end")
	}
	c := l.text[l.i]
	if i := strings.IndexByte(`abfnrtv'"\?`, c); i >= 0 {
		b.WriteByte("\a\b\f\n\r\t\v'\"\\?"[i])
		l.i++
		return nil
	}
	if c == 'x' {
		hi, lo := l.hex(l.i+1), l.hex(l.i+2)
		if hi < 0 || lo < 0 {
			return source.Errorf(l.file.Pos(at), "\\x needs two hexadecimal digits")
		}
		b.WriteByte(byte(hi<<4 | lo))
		l.i += 3
		return nil
	}
	n, digits := 0, 0
	for digits < 3 && l.i < len(l.text) && l.text[l.i] >= '0' && l.text[l.i] <= '7' {
		n = n<<3 | int(l.text[l.i]-'0')
		digits++
		l.i++
	}
	if digits == 0 {
		return source.Errorf(l.file.Pos(at), "unknown escape \\%s", firstRune(l.text[l.i:]))
	}
	b.WriteByte(byte(n)) // \400 wraps, as in Cap'n Proto
	return nil
}

// hex returns the value of the hexadecimal digit at an offset, or -1.
func (l *lexer) hex(i int) int {
	if i >= len(l.text) {
		return -1
	}
	switch c := l.text[i]; {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// number reads an integer (decimal, octal with a leading 0, hexadecimal with
// 0x), a floating-point number, or 0x"...", which is binary data in hexadecimal
// with blanks between the bytes.
func (l *lexer) number(t token) (token, error) {
	start := l.i
	if bytes.HasPrefix(l.text[l.i:], []byte(`0x"`)) {
		l.i += 2
		return l.binary(t)
	}
	for l.i < len(l.text) && (isDigit(l.text[l.i]) || isLetter(l.text[l.i]) || l.text[l.i] == '.') {
		exponent := l.text[l.i]|0x20 == 'e' && !bytes.HasPrefix(l.text[start:], []byte("0x"))
		l.i++
		if exponent && l.i < len(l.text) && (l.text[l.i] == '+' || l.text[l.i] == '-') {
			l.i++
		}
	}
	t.kind, t.text = tokInteger, string(l.text[start:l.i])
	if !strings.HasPrefix(t.text, "0x") && strings.ContainsAny(t.text, ".eE") {
		t.kind = tokFloat
	}
	return t, nil
}

func (l *lexer) binary(t token) (token, error) {
	t.kind = tokBinary
	var b strings.Builder
	for l.i++; l.i < len(l.text); {
		switch c := l.text[l.i]; {
		case c == '"':
			l.i++
			t.text = b.String()
			return t, nil
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			l.i++
		default:
			hi, lo := l.hex(l.i), l.hex(l.i+1)
			if hi < 0 || lo < 0 {
				return t, source.Errorf(l.file.Pos(l.i), "binary data is written as pairs of hexadecimal digits")
			}
			b.WriteByte(byte(hi<<4 | lo))
			l.i += 2
		}
	}
	return t, source.Errorf(t.pos, "the binary literal does not end")
}
