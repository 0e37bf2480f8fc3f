package capnptext

import (
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

// maxConsts bounds a chain of constants that refer to each other.
const maxConsts = 200

// constant evaluates a constant, once.
func (l *loader) constant(d *decl) (*Value, error) {
	switch d.state {
	case finished:
		return d.result, nil
	case inProgress:
		return nil, source.Errorf(d.pos, "constant '%s' depends on itself", d.name)
	}
	if l.consts++; l.consts > maxConsts {
		return nil, source.Errorf(d.pos, "constant '%s' is reached through more than %d others", d.name, maxConsts)
	}
	defer func() { l.consts-- }()
	d.state = inProgress
	typ, err := l.typeName(d.typ, d.file)
	if err != nil {
		return nil, err
	}
	v, err := l.eval(d.value, typ, d.file)
	if err != nil {
		return nil, err
	}
	d.state, d.result, d.typeOf = finished, v, typ
	return v, nil
}

// eval checks that e is a value of a type. The recursion ends: expressions are
// finite, and constants that depend on themselves are errors.
func (l *loader) eval(e *expr, typ string, in *file) (*Value, error) {
	v, err := l.direct(e, typ, in)
	if err == nil && v == nil {
		v, err = l.implied(e, typ, in)
	}
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, source.Errorf(e.pos, "type mismatch: expected %s, found %s", typ, l.describe(e, in))
	}
	return v, nil
}

// direct evaluates without the implied field; (nil, nil) is a mismatch.
func (l *loader) direct(e *expr, typ string, in *file) (*Value, error) {
	v := &Value{Pos: e.pos, Type: typ, weight: 1}
	switch e.kind {
	case exprString:
		v.Text = e.text
		return v.when(typ == "Text" || typ == "Data"), nil
	case exprBinary:
		v.Text = e.text
		return v.when(typ == "Data"), nil
	case exprInteger:
		return l.integer(e, v)
	case exprFloat:
		v.Float = e.float
		return v.when(typ == "Float32" || typ == "Float64"), nil
	case exprEmbed:
		return l.embed(e, v, in)
	case exprList:
		return l.listValue(e, v, in)
	case exprTuple:
		return l.structValue(e, v, in)
	}
	return l.reference(e, v, in)
}

// when returns v if ok, and nil, a mismatch, if not.
func (v *Value) when(ok bool) *Value {
	if ok {
		return v
	}
	return nil
}

func (l *loader) integer(e *expr, v *Value) (*Value, error) {
	if v.Type == "Float32" || v.Type == "Float64" {
		v.Float = float64(e.num)
		if e.neg {
			v.Float = -v.Float
		}
		return v, nil
	}
	t, ok := intTypes[v.Type]
	if !ok {
		return nil, nil
	}
	limit := uint64(1)<<t.bits - 1 // 2^64 - 1 for 64 bits, as the shift gives 0
	if t.signed {
		limit >>= 1
		if e.neg {
			limit++
		}
	} else if e.neg && e.num > 0 {
		limit = 0
	}
	if e.overflow || e.num > limit {
		return nil, source.Errorf(e.pos, "the integer is out of the range of %s", v.Type)
	}
	v.Uint, v.Neg = e.num, e.neg && e.num > 0
	return v, nil
}

func (l *loader) embed(e *expr, v *Value, in *file) (*Value, error) {
	if v.Type != "Text" && v.Type != "Data" {
		return nil, nil
	}
	path, text, err := l.find(e, in)
	if err != nil {
		return nil, source.Errorf(e.pos, "cannot read the embedded file: %v", err)
	}
	v.Text, v.Embedded = string(text), path
	return v, nil
}

func (l *loader) listValue(e *expr, v *Value, in *file) (*Value, error) {
	elem, ok := strings.CutPrefix(v.Type, "List(")
	if !ok {
		return nil, nil
	}
	elem = strings.TrimSuffix(elem, ")")
	for _, item := range e.items {
		i, err := l.eval(item, elem, in)
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, i)
		if err := v.add(i); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// add counts a part of v.
func (v *Value) add(part *Value) error {
	if v.weight += part.weight; v.weight > maxWeight {
		return source.Errorf(v.Pos, "the value has more than %d parts", maxWeight)
	}
	return nil
}

func (l *loader) structValue(e *expr, v *Value, in *file) (*Value, error) {
	st := schema()[v.Type]
	if st == nil || st.enum {
		return nil, nil
	}
	for _, f := range e.fields {
		if f.name == "" {
			return nil, source.Errorf(f.pos, "the field of %s lacks its name: write name = value", v.Type)
		}
		sf := st.field(f.name)
		if sf == nil {
			return nil, source.Errorf(f.pos, "%s has no field named '%s'%s", v.Type, f.name, source.DidYouMean(f.name, st.fieldNames()))
		}
		for _, old := range v.Fields {
			switch {
			case old.Name == f.name:
				return nil, source.Errorf(f.pos, "field '%s' is already set at line %d, column %d", f.name, old.Pos.Line, old.Pos.Col)
			case old.Union && sf.union:
				return nil, source.Errorf(f.pos, "'%s' and '%s' (line %d, column %d) are members of one union: only one may be set",
					f.name, old.Name, old.Pos.Line, old.Pos.Col)
			}
		}
		val, err := l.eval(f.value, sf.typ, in)
		if err != nil {
			return nil, err
		}
		v.Fields = append(v.Fields, &FieldValue{Name: f.name, Pos: f.pos, Value: val, Union: sf.union})
		if err := v.add(val); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// reference evaluates a name: a constant, an enumerant, or true, false, void.
func (l *loader) reference(e *expr, v *Value, in *file) (*Value, error) {
	if e.kind == exprName && !e.absolute {
		if st := schema()[v.Type]; st != nil && st.enum {
			if st.field(e.text) == nil {
				return nil, source.Errorf(e.pos, "%s has no value named '%s'%s", v.Type, e.text, source.DidYouMean(e.text, st.fieldNames()))
			}
			v.Text = e.text
			return v, nil
		}
		switch e.text {
		case "true", "false":
			v.Bool = e.text == "true"
			return v.when(v.Type == "Bool"), nil
		case "void":
			return v.when(v.Type == "Void"), nil
		}
		if d := in.decls[e.text]; d != nil && d.typ != nil {
			return nil, source.Errorf(e.pos, "the name of a constant must be qualified: write '.%s' for '%s'", e.text, e.text)
		}
	}
	ent, err := l.resolve(e, in)
	if err != nil {
		return nil, err
	}
	if ent.konst == nil {
		return nil, source.Errorf(e.pos, "'%v' does not refer to a constant", e)
	}
	val, err := l.constant(ent.konst)
	if err != nil {
		return nil, err
	}
	return val.when(ent.konst.typeOf == v.Type), nil
}

// implied evaluates a value that stands for a struct with only its first field,
// as in `service = "name"`; (nil, nil) is a mismatch.
func (l *loader) implied(e *expr, typ string, in *file) (*Value, error) {
	st := schema()[typ]
	if st == nil || st.enum || e.kind == exprTuple || e.kind == exprList || e.kind == exprEmbed {
		return nil, nil
	}
	first := st.fields[0]
	if !builtin(first.typ) {
		return nil, nil
	}
	val, err := l.direct(e, first.typ, in)
	if val == nil || err != nil {
		return nil, err
	}
	v := &Value{Pos: e.pos, Type: typ, weight: 1 + val.weight}
	v.Fields = []*FieldValue{{Name: first.name, Pos: e.pos, Value: val, Union: first.union}}
	return v, nil
}

// describe names what a value is, for messages about mismatches.
func (l *loader) describe(e *expr, in *file) string {
	switch e.kind {
	case exprString:
		return "a string"
	case exprBinary:
		return "binary data"
	case exprInteger, exprFloat:
		return "a number"
	case exprTuple:
		return "a struct"
	case exprList:
		return "a list"
	case exprEmbed:
		return "an embedded file"
	}
	if ent, err := l.resolve(e, in); err == nil && ent.konst != nil {
		return "'" + e.String() + "' of type " + ent.konst.typeOf
	}
	return "'" + e.String() + "'"
}
