package capnptext

import (
	"sort"

	"github.com/durashim/durashim/internal/config/source"
)

// entity is what a name stands for: one of its fields is set.
type entity struct {
	file  *file
	konst *decl
	typ   string
}

// maxAliases bounds a chain of aliases and imports.
const maxAliases = 100

// resolve finds what a reference in a file stands for.
func (l *loader) resolve(e *expr, in *file) (entity, error) {
	if l.aliases++; l.aliases > maxAliases {
		return entity{}, source.Errorf(e.pos, "'%v' depends on itself, or on too many aliases", e)
	}
	defer func() { l.aliases-- }()
	switch e.kind {
	case exprImport:
		f, err := l.importFile(e, in)
		return entity{file: f}, err
	case exprName:
		if d := in.decls[e.text]; d != nil {
			return l.declared(d)
		}
		if builtin(e.text) && !e.absolute {
			return entity{typ: e.text}, nil
		}
		return entity{}, source.Errorf(e.pos, "not defined: %v%s", e, source.DidYouMean(e.text, in.names()))
	case exprMember:
		base, err := l.resolve(e.base, in)
		if err != nil {
			return entity{}, err
		}
		return l.member(e, base)
	}
	return entity{}, source.Errorf(e.pos, "expected a name")
}

func (l *loader) declared(d *decl) (entity, error) {
	if d.typ != nil {
		return entity{konst: d}, nil
	}
	return l.resolve(d.value, d.file)
}

// member finds the declaration e.text inside of what e.base stands for.
func (l *loader) member(e *expr, base entity) (entity, error) {
	var known []string
	switch {
	case base.file != nil && base.file.schema, base.typ != "":
		name := e.text
		if base.typ != "" {
			name = base.typ + "." + e.text
		}
		// Groups are no types that a file could name: they begin in lower case.
		if schema()[name] != nil && e.text[0] >= 'A' && e.text[0] <= 'Z' {
			return entity{typ: name}, nil
		}
		for t := range schema() {
			known = append(known, t)
		}
		sort.Strings(known)
	case base.file != nil && base.file.opaque:
		return entity{file: base.file}, nil
	case base.file != nil:
		if d := base.file.decls[e.text]; d != nil {
			return l.declared(d)
		}
		known = base.file.names()
	}
	return entity{}, source.Errorf(e.pos, "'%v' has no member named '%s'%s", e.base, e.text, source.DidYouMean(e.text, known))
}

func (f *file) names() []string {
	var out []string
	for _, d := range f.order {
		out = append(out, d.name)
	}
	return out
}

// typeName returns the canonical name of a type expression.
func (l *loader) typeName(e *expr, in *file) (string, error) {
	if e.kind == exprName && e.text == "List" && in.decls["List"] == nil {
		if len(e.args) != 1 {
			return "", source.Errorf(e.pos, "'List' needs the type of its elements: List(Text)")
		}
		elem, err := l.typeName(e.args[0], in)
		return "List(" + elem + ")", err
	}
	if e.kind != exprName && e.kind != exprMember {
		return "", source.Errorf(e.pos, "expected a type")
	}
	ent, err := l.resolve(e, in)
	if err != nil {
		return "", err
	}
	if ent.typ == "" {
		return "", source.Errorf(e.pos, "'%v' is not a type", e)
	}
	if e.args != nil {
		return "", source.Errorf(e.pos, "'%v' does not take a type in parentheses", e)
	}
	return ent.typ, nil
}
