package wrangler

import (
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/durashim/durashim/internal/config/source"
)

// ParseTOML reads TOML (https://toml.io/en/v1.0.0). Dates and times become
// strings. Every error is a *source.Error with a line.
func ParseTOML(name string, text []byte) (*Node, error) {
	file := source.NewFile(name, text)
	if len(text) > maxSize {
		return nil, source.Errorf(file.Pos(0), "the file is larger than %d bytes", maxSize)
	}
	if err := checkNesting(file, text, true); err != nil {
		return nil, err
	}
	var root map[string]any
	if _, err := toml.Decode(string(text), &root); err != nil {
		return nil, tomlError(file, err)
	}
	// The library tells no positions for what it decoded, so a second pass over
	// the text, which is known to be valid by now, collects them.
	s := &tomlScanner{text: text, file: file}
	return fromTOML(root, s.scan())
}

func tomlError(file *source.File, err error) error {
	var pe toml.ParseError
	if errors.As(err, &pe) {
		pos := file.Pos(0)
		if pe.Position.Line > 0 {
			pos.Line, pos.Col = pe.Position.Line, max(pe.Position.Col, 1)
		}
		return &source.Error{Pos: pos, Msg: pe.Message}
	}
	return source.Errorf(file.Pos(0), "%v", err)
}

// fromTOML joins a decoded value with the places of its parts.
func fromTOML(v any, p *place) (*Node, error) {
	n := &Node{Pos: p.pos}
	switch v := v.(type) {
	case map[string]any:
		n.Kind = Object
		for _, m := range p.members {
			val, ok := v[m.name]
			if !ok {
				continue
			}
			node, err := fromTOML(val, m.value)
			if err != nil {
				return nil, err
			}
			n.Members = append(n.Members, &Member{Name: m.name, Pos: m.pos, Value: node})
		}
		if len(n.Members) != len(v) {
			return nil, source.Errorf(p.pos, "internal error: the places of %d keys are unknown", len(v)-len(n.Members))
		}
	case []map[string]any:
		n.Kind = Array
		for i, item := range v {
			if err := n.addItem(item, p, i); err != nil {
				return nil, err
			}
		}
	case []any:
		n.Kind = Array
		for i, item := range v {
			if err := n.addItem(item, p, i); err != nil {
				return nil, err
			}
		}
	case string:
		n.Kind, n.Text = String, v
	case bool:
		n.Kind, n.Bool = Bool, v
	case int64:
		n.Kind, n.Text = Number, strconv.FormatInt(v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, source.Errorf(p.pos, "%v has no equivalent in JSON", v)
		}
		n.Kind, n.Text = Number, strconv.FormatFloat(v, 'g', -1, 64)
	case time.Time:
		n.Kind, n.Text = String, p.text
	default:
		return nil, source.Errorf(p.pos, "internal error: a TOML value became a %T", v)
	}
	return n, nil
}

func (n *Node) addItem(v any, p *place, i int) error {
	if i >= len(p.items) {
		return source.Errorf(p.pos, "internal error: the place of item %d is unknown", i)
	}
	item, err := fromTOML(v, p.items[i])
	if err == nil {
		n.Items = append(n.Items, item)
	}
	return err
}
