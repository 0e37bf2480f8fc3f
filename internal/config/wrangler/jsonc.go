package wrangler

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/durashim/durashim/internal/config/source"
)

// maxSize bounds a file, in bytes. What is larger is no configuration but a
// mistake in the path.
const maxSize = 1 << 20

// ParseJSON reads JSON with comments and trailing commas
// (https://nigeltao.github.io/blog/2021/json-with-commas-comments.html). A name
// that occurs twice in one object is an error, since one of the values would be
// lost. Every error is a *source.Error with a line.
func ParseJSON(name string, text []byte) (*Node, error) {
	file := source.NewFile(name, text)
	if len(text) > maxSize {
		return nil, source.Errorf(file.Pos(0), "the file is larger than %d bytes", maxSize)
	}
	if !utf8.Valid(text) {
		return nil, source.Errorf(file.Pos(invalidUTF8(text)), "the file is not valid UTF-8")
	}
	// A byte order mark is what some editors put first; it is no part of the
	// document. Blanked, so that offsets stay.
	if strings.HasPrefix(string(text), "\ufeff") {
		text = append([]byte("   "), text[3:]...)
	}
	if err := checkNesting(file, text, false); err != nil {
		return nil, err
	}
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, jsonError(file, err)
	}
	return fromHujson(file, &v)
}

func fromHujson(file *source.File, v *hujson.Value) (*Node, error) {
	n := &Node{Pos: file.Pos(v.StartOffset)}
	switch t := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Object
		seen := make(map[string]source.Pos, len(t.Members))
		for i := range t.Members {
			m := &t.Members[i]
			lit, ok := m.Name.Value.(hujson.Literal)
			if !ok {
				return nil, source.Errorf(file.Pos(m.Name.StartOffset), "the name of a member must be a string")
			}
			name, pos := lit.String(), file.Pos(m.Name.StartOffset)
			if first, dup := seen[name]; dup {
				return nil, source.Errorf(pos, "duplicate field %q (first at line %d, column %d)", name, first.Line, first.Col)
			}
			seen[name] = pos
			val, err := fromHujson(file, &m.Value)
			if err != nil {
				return nil, err
			}
			n.Members = append(n.Members, &Member{Name: name, Pos: pos, Value: val})
		}
	case *hujson.Array:
		n.Kind = Array
		for i := range t.Elements {
			item, err := fromHujson(file, &t.Elements[i])
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, item)
		}
	case hujson.Literal:
		switch t.Kind() {
		case 'n':
			n.Kind = Null
		case 't', 'f':
			n.Kind, n.Bool = Bool, t.Bool()
		case '"':
			n.Kind, n.Text = String, t.String()
		default:
			n.Kind, n.Text = Number, string(t)
		}
	}
	return n, nil
}

// hujsonPlace matches the beginning of the parser's messages; the library has
// no error type that tells the place.
var hujsonPlace = regexp.MustCompile(`^hujson: line (\d+), column (\d+): `)

func jsonError(file *source.File, err error) error {
	pos, msg := file.Pos(0), err.Error()
	if m := hujsonPlace.FindStringSubmatch(msg); m != nil {
		pos.Line, _ = strconv.Atoi(m[1])
		pos.Col, _ = strconv.Atoi(m[2])
		msg = msg[len(m[0]):]
	}
	return &source.Error{Pos: pos, Msg: strings.TrimPrefix(msg, "hujson: "), Err: errors.Unwrap(err)}
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8.
func invalidUTF8(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return 0
}
