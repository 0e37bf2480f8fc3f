package wrangler

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

// place is the shape of a TOML value without the values: where it and its parts
// are written.
type place struct {
	pos     source.Pos
	text    string // of a value that is neither string, array nor table
	members []*placeMember
	items   []*place
}

type placeMember struct {
	name  string
	pos   source.Pos
	value *place
}

// member returns the place of a key, and makes it if need be. For an array of
// tables it is the key of the last table, as in TOML's [[a]] ... [a.b].
func (p *place) member(name string, pos source.Pos) *place {
	if n := len(p.items); n > 0 {
		p = p.items[n-1]
	}
	for _, m := range p.members {
		if m.name == name {
			return m.value
		}
	}
	m := &placeMember{name: name, pos: pos, value: &place{pos: pos}}
	p.members = append(p.members, m)
	return m.value
}

// tomlScanner collects the places of a valid TOML document. On an invalid one
// it ends somewhere, without a panic, with places missing.
type tomlScanner struct {
	text []byte
	file *source.File
	i    int
}

type tomlKey struct {
	name string
	pos  source.Pos
}

func (s *tomlScanner) scan() *place {
	root := &place{pos: s.file.Pos(0)}
	table := root
	for {
		s.space(true)
		switch {
		case s.i >= len(s.text):
			return root
		case s.has("[["):
			at := s.file.Pos(s.i)
			s.i += 2
			keys := s.keys()
			s.accept("]]")
			table = root
			for _, k := range keys {
				table = table.member(k.name, k.pos)
			}
			item := &place{pos: at}
			table.items = append(table.items, item)
			table = item
		case s.has("["):
			at := s.file.Pos(s.i)
			s.i++
			keys := s.keys()
			s.accept("]")
			table = root
			for _, k := range keys {
				table = table.member(k.name, k.pos)
			}
			table.pos = at
		default:
			start := s.i
			s.assignment(table)
			if s.i == start {
				s.i++ // only in an invalid document
			}
		}
	}
}

func (s *tomlScanner) has(prefix string) bool {
	return bytes.HasPrefix(s.text[s.i:], []byte(prefix))
}

func (s *tomlScanner) accept(token string) bool {
	s.space(false)
	if !s.has(token) {
		return false
	}
	s.i += len(token)
	return true
}

// space skips blanks, and line ends and comments too if lines is set.
func (s *tomlScanner) space(lines bool) {
	for s.i < len(s.text) {
		switch c := s.text[s.i]; {
		case c == ' ' || c == '\t' || c == '\r':
			s.i++
		case lines && c == '\n':
			s.i++
		case lines && c == '#':
			for s.i < len(s.text) && s.text[s.i] != '\n' {
				s.i++
			}
		case s.i == 0 && s.has("\ufeff"):
			s.i += 3
		default:
			return
		}
	}
}

// keys reads a dotted key.
func (s *tomlScanner) keys() []tomlKey {
	var keys []tomlKey
	for {
		s.space(false)
		start := s.i
		if s.i >= len(s.text) {
			return keys
		}
		var name string
		switch s.text[s.i] {
		case '"':
			name = unescapeTOML(s.quoted())
		case '\'':
			name = s.quoted()
		default:
			for s.i < len(s.text) && !strings.ContainsRune(" \t\r\n.=]\"'#[,{}", rune(s.text[s.i])) {
				s.i++
			}
			name = string(s.text[start:s.i])
		}
		if s.i == start {
			return keys
		}
		keys = append(keys, tomlKey{name, s.file.Pos(start)})
		if !s.accept(".") {
			return keys
		}
	}
}

func (s *tomlScanner) assignment(table *place) {
	for _, k := range s.keys() {
		table = table.member(k.name, k.pos)
	}
	if s.accept("=") {
		s.space(false)
		s.value(table)
	}
}

// value reads a value and stores the places of its parts in p.
func (s *tomlScanner) value(p *place) {
	p.pos = s.file.Pos(s.i)
	if s.i >= len(s.text) {
		return
	}
	switch s.text[s.i] {
	case '"', '\'':
		s.quoted()
	case '[':
		s.i++
		s.list("]", func() {
			item := &place{}
			s.value(item)
			p.items = append(p.items, item)
		})
	case '{':
		s.i++
		s.list("}", func() { s.assignment(p) })
	default:
		start := s.i
		for s.i < len(s.text) && !strings.ContainsRune(",]}#\n", rune(s.text[s.i])) {
			s.i++
		}
		p.text = strings.TrimSpace(string(s.text[start:s.i]))
	}
}

// list reads what stands between brackets, up to and with the closing one.
func (s *tomlScanner) list(end string, item func()) {
	for {
		s.space(true)
		if s.i >= len(s.text) || s.accept(end) {
			return
		}
		start := s.i
		item()
		s.space(true)
		if !s.accept(",") && s.i == start {
			s.i++ // only in an invalid document
		}
	}
}

// quoted skips a string of any of the four forms and returns what stands
// between the quotes, escapes untouched.
func (s *tomlScanner) quoted() string {
	quote := s.text[s.i]
	delim := string(quote)
	if triple := strings.Repeat(delim, 3); s.has(triple) {
		delim = triple
	}
	s.i += len(delim)
	start := s.i
	for s.i < len(s.text) {
		if s.text[s.i] == '\\' && quote == '"' {
			s.i = min(s.i+2, len(s.text))
			continue
		}
		if s.has(delim) {
			end := s.i
			s.i += len(delim)
			// Up to two quotes may stand right before the closing three.
			for len(delim) == 3 && s.i < len(s.text) && s.text[s.i] == quote {
				s.i++
				end++
			}
			return string(s.text[start:end])
		}
		s.i++
	}
	return string(s.text[start:])
}

// unescapeTOML resolves the escapes of a basic string. Only keys need it.
func unescapeTOML(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[i]]
		switch {
		case digits > 0 && i+digits < len(s):
			r, _ := strconv.ParseUint(s[i+1:i+1+digits], 16, 32)
			b.WriteRune(rune(r))
			i += digits
		case strings.IndexByte("btnfre", s[i]) >= 0:
			b.WriteByte("\b\t\n\f\r\x1b"[strings.IndexByte("btnfre", s[i])])
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
