package urlpattern

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

type partKind int

const (
	partText partKind = iota
	partRegexp
	partSegment // everything up to the delimiter
	partAny
)

// part is a piece of a component's pattern.
type part struct {
	kind                partKind
	value               string // of text and of a regular expression
	modifier            string // "", "?", "*" or "+"
	name, prefix, after string
}

// syntax is how a component is divided.
type syntax struct {
	delimiter, prefix string
	ignoreCase        bool
}

var (
	plainSyntax = syntax{}
	hostSyntax  = syntax{delimiter: "."}
	pathSyntax  = syntax{delimiter: "/", prefix: "/"}
)

// segment is the regular expression of a segment.
func (s syntax) segment() string {
	return "[^" + escapeRegexp(s.delimiter) + "]+?"
}

const anything = ".*"

// partParser turns tokens into parts (https://urlpattern.spec.whatwg.org/#parse-a-pattern-string).
type partParser struct {
	syntax
	tokens  []token
	at      int
	encode  func(string) (string, error)
	parts   []part
	pending strings.Builder // text that has not become a part yet
	number  int             // the name of the next group without one
}

func parseParts(input string, s syntax, encode func(string) (string, error)) ([]part, error) {
	tokens, err := tokenize([]rune(input), false)
	if err != nil {
		return nil, err
	}
	p := &partParser{syntax: s, tokens: tokens, encode: encode}
	for p.at < len(p.tokens) {
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	return p.parts, nil
}

// take consumes a token of the kind.
func (p *partParser) take(k tokenKind) *token {
	if p.at < len(p.tokens) && p.tokens[p.at].kind == k {
		p.at++
		return &p.tokens[p.at-1]
	}
	return nil
}

// matcher consumes what may follow a name.
func (p *partParser) matcher(name *token) *token {
	if t := p.take(tokRegexp); t != nil || name != nil {
		return t
	}
	return p.take(tokAsterisk)
}

func (p *partParser) modifier() string {
	for _, k := range []tokenKind{tokModifier, tokAsterisk} {
		if t := p.take(k); t != nil {
			return t.value
		}
	}
	return ""
}

func (p *partParser) text() string {
	var b strings.Builder
	for {
		t := p.take(tokChar)
		if t == nil {
			t = p.take(tokEscaped)
		}
		if t == nil {
			return b.String()
		}
		b.WriteString(t.value)
	}
}

func (p *partParser) next() error {
	char := p.take(tokChar)
	name := p.take(tokName)
	match := p.matcher(name)
	if name != nil || match != nil {
		prefix := ""
		if char != nil {
			prefix = char.value
		}
		if prefix != p.prefix {
			p.pending.WriteString(prefix)
			prefix = ""
		}
		if err := p.flush(); err != nil {
			return err
		}
		return p.add(prefix, name, match, "", p.modifier())
	}
	fixed := char
	if fixed == nil {
		fixed = p.take(tokEscaped)
	}
	if fixed != nil {
		p.pending.WriteString(fixed.value)
		return nil
	}
	if p.take(tokOpen) != nil {
		prefix := p.text()
		name := p.take(tokName)
		match := p.matcher(name)
		after := p.text()
		if p.take(tokClose) == nil {
			return errSyntax
		}
		return p.add(prefix, name, match, after, p.modifier())
	}
	if err := p.flush(); err != nil {
		return err
	}
	if p.take(tokEnd) == nil {
		return errSyntax
	}
	return nil
}

// flush makes a part of the pending text.
func (p *partParser) flush() error {
	if p.pending.Len() == 0 {
		return nil
	}
	v, err := p.encode(p.pending.String())
	p.pending.Reset()
	p.parts = append(p.parts, part{kind: partText, value: v})
	return err
}

func (p *partParser) add(prefix string, name, match *token, after, modifier string) error {
	if name == nil && match == nil && modifier == "" {
		p.pending.WriteString(prefix)
		return nil
	}
	if err := p.flush(); err != nil {
		return err
	}
	if name == nil && match == nil {
		if prefix == "" {
			return nil
		}
		v, err := p.encode(prefix)
		p.parts = append(p.parts, part{kind: partText, value: v, modifier: modifier})
		return err
	}
	n := part{kind: partSegment, modifier: modifier}
	if match != nil {
		switch {
		case match.kind == tokAsterisk || match.value == anything:
			n.kind = partAny
		case match.value != p.segment():
			n.kind, n.value = partRegexp, match.value
		}
	}
	if name != nil {
		n.name = name.value
	} else {
		n.name = strconv.Itoa(p.number)
		p.number++
	}
	for _, other := range p.parts {
		if other.name == n.name {
			return errSyntax
		}
	}
	var err1, err2 error
	n.prefix, err1 = p.encode(prefix)
	n.after, err2 = p.encode(after)
	if err1 != nil || err2 != nil {
		return errSyntax
	}
	p.parts = append(p.parts, n)
	return nil
}

// expression is the regular expression of the parts, with the names of its
// groups in order (https://urlpattern.spec.whatwg.org/#generate-a-regular-expression-and-name-list).
func (s syntax) expression(parts []part) (source string, names []string) {
	var b strings.Builder
	b.WriteByte('^')
	for _, p := range parts {
		if p.kind == partText {
			if p.modifier == "" {
				b.WriteString(escapeRegexp(p.value))
			} else {
				b.WriteString("(?:" + escapeRegexp(p.value) + ")" + p.modifier)
			}
			continue
		}
		names = append(names, p.name)
		v := p.value
		switch p.kind {
		case partSegment:
			v = s.segment()
		case partAny:
			v = anything
		}
		prefix, after := escapeRegexp(p.prefix), escapeRegexp(p.after)
		once := p.modifier == "" || p.modifier == "?"
		switch {
		case prefix == "" && after == "" && once:
			b.WriteString("(" + v + ")" + p.modifier)
		case prefix == "" && after == "":
			b.WriteString("((?:" + v + ")" + p.modifier + ")")
		case once:
			b.WriteString("(?:" + prefix + "(" + v + ")" + after + ")" + p.modifier)
		default:
			b.WriteString("(?:" + prefix + "((?:" + v + ")(?:" + after + prefix + "(?:" + v + "))*)" + after + ")")
			if p.modifier == "*" {
				b.WriteByte('?')
			}
		}
	}
	b.WriteByte('$')
	return b.String(), names
}

// pattern is the normalised text of the parts (https://urlpattern.spec.whatwg.org/#generate-a-pattern-string).
func (s syntax) pattern(parts []part) string {
	var b strings.Builder
	for i, p := range parts {
		if p.kind == partText {
			if p.modifier == "" {
				b.WriteString(escapePattern(p.value))
			} else {
				b.WriteString("{" + escapePattern(p.value) + "}" + p.modifier)
			}
			continue
		}
		custom := !isDigit(p.name[0])
		group := p.after != "" || p.prefix != "" && p.prefix != s.prefix
		if !group && custom && p.kind == partSegment && p.modifier == "" && i+1 < len(parts) {
			if next := parts[i+1]; next.prefix == "" && next.after == "" {
				if next.kind == partText {
					group = startsName(next.value)
				} else {
					group = isDigit(next.name[0])
				}
			}
		}
		var prev *part
		if i > 0 {
			prev = &parts[i-1]
		}
		if !group && p.prefix == "" && prev != nil && prev.kind == partText && s.prefix != "" && strings.HasSuffix(prev.value, s.prefix) {
			group = true
		}
		if group {
			b.WriteByte('{')
		}
		b.WriteString(escapePattern(p.prefix))
		if custom {
			b.WriteString(":" + p.name)
		}
		switch {
		case p.kind == partRegexp:
			b.WriteString("(" + p.value + ")")
		case p.kind == partSegment && !custom:
			b.WriteString("(" + s.segment() + ")")
		case p.kind == partAny && !custom && (prev == nil || prev.kind == partText || prev.modifier != "" || group || p.prefix != ""):
			b.WriteByte('*')
		case p.kind == partAny:
			b.WriteString("(" + anything + ")")
		}
		if p.kind == partSegment && custom && startsName(p.after) {
			b.WriteByte('\\')
		}
		b.WriteString(escapePattern(p.after))
		if group {
			b.WriteByte('}')
		}
		b.WriteString(p.modifier)
	}
	return b.String()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// startsName tells whether text that follows a name would become part of it.
func startsName(text string) bool {
	c, n := utf8.DecodeRuneInString(text)
	return n > 0 && isNameRune(c, false)
}

func escapeRegexp(s string) string  { return escape(s, `.+*?^${}()[]|/\`) }
func escapePattern(s string) string { return escape(s, `+*?:{}()\`) }

// escape puts a backslash before each of the characters.
func escape(s, chars string) string {
	if !strings.ContainsAny(s, chars) {
		return s
	}
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(chars, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
