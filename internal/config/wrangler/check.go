package wrangler

import (
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

// shape is the type that a field must have.
type shape struct {
	kind   Kind
	any    bool     // every type is allowed
	elem   *shape   // of an Array, or of the members of an open Object
	fields []member // of an Object with known fields; nil for an open one
	also   *shape   // an alternative, tried when the kind does not fit
	oneOf  []string // the words allowed for a String; nil for all
}

type member struct {
	name     string
	shape    *shape
	required bool
}

var (
	anything = &shape{any: true}
	str      = &shape{kind: String}
	num      = &shape{kind: Number}
	boolean  = &shape{kind: Bool}
	strs     = list(str)
)

func list(elem *shape) *shape                { return &shape{kind: Array, elem: elem} }
func mapOf(elem *shape) *shape               { return &shape{kind: Object, elem: elem} }
func object(fields ...member) *shape         { return &shape{kind: Object, fields: fields} }
func words(w ...string) *shape               { return &shape{kind: String, oneOf: w} }
func either(a, b *shape) *shape              { c := *a; c.also = b; return &c }
func field(name string, s *shape) member     { return member{name, s, false} }
func mustField(name string, s *shape) member { return member{name, s, true} }

// check compares a value with a shape. path names the value in messages
// ("durable_objects.bindings[0].name"). The error is a *source.Error.
func check(n *Node, s *shape, path string) error {
	if s.any {
		return nil
	}
	if n.Kind != s.kind {
		if s.also != nil {
			if s.also.any || n.Kind == s.also.kind {
				return check(n, s.also, path)
			}
			return source.Errorf(n.Pos, "%q must be %v or %v, not %v", path, s.kind, s.also.kind, n.Kind)
		}
		return source.Errorf(n.Pos, "%q must be %v, not %v", path, s.kind, n.Kind)
	}
	switch s.kind {
	case String:
		return checkWord(n, s, path)
	case Array:
		for i, item := range n.Items {
			if err := check(item, s.elem, index(path, i)); err != nil {
				return err
			}
		}
	case Object:
		return checkObject(n, s, path)
	}
	return nil
}

func checkWord(n *Node, s *shape, path string) error {
	if s.oneOf == nil {
		return nil
	}
	for _, w := range s.oneOf {
		if n.Text == w {
			return nil
		}
	}
	return source.Errorf(n.Pos, "%q must be one of %s, not %q%s",
		path, strings.Join(s.oneOf, ", "), n.Text, source.DidYouMean(n.Text, s.oneOf))
}

func checkObject(n *Node, s *shape, path string) error {
	for _, m := range n.Members {
		elem := s.elem
		if s.fields != nil {
			f := lookup(s.fields, m.Name)
			if f == nil {
				return source.Errorf(m.Pos, "unknown field %q in %q%s", m.Name, path, source.DidYouMean(m.Name, names(s.fields)))
			}
			elem = f.shape
		}
		if err := check(m.Value, elem, path+"."+m.Name); err != nil {
			return err
		}
	}
	for _, f := range s.fields {
		if f.required && n.Get(f.name) == nil {
			return source.Errorf(n.Pos, "%q lacks the field %q", path, f.name)
		}
	}
	return nil
}

func lookup(fields []member, name string) *member {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

func names(fields []member) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.name)
	}
	return out
}
