package capnptext

import (
	"strconv"

	"github.com/durashim/durashim/internal/config/source"
)

// value reads a value, a type, or a reference: their syntax is one.
func (p *parser) value() (*expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	e, err := p.operand()
	if err != nil {
		return nil, err
	}
	for e.kind == exprName || e.kind == exprMember || e.kind == exprImport {
		if !p.accept(tokOperator, ".") {
			break
		}
		name, err := p.ident("a name after '.'")
		if err != nil {
			return nil, err
		}
		if p.depth++; p.depth > maxDepth { // resolving a.b.c recurses
			return nil, source.Errorf(name.pos, "the name has more than %d parts", maxDepth)
		}
		defer p.leave()
		e = &expr{kind: exprMember, pos: name.pos, text: name.text, base: e}
	}
	return e, nil
}

func (p *parser) operand() (*expr, error) {
	t := p.next()
	e := &expr{pos: t.pos, text: t.text}
	switch t.kind {
	case tokString:
		e.kind = exprString
		for p.peek().kind == tokString { // adjacent strings are one
			e.text += p.next().text
		}
		return e, nil
	case tokBinary:
		e.kind = exprBinary
		return e, nil
	case tokInteger, tokFloat:
		return number(t, false)
	case tokIdent:
		if (t.text == "import" || t.text == "embed") && p.peek().kind == tokString {
			path := p.next()
			e.kind, e.text, e.pos = exprImport, path.text, path.pos
			if t.text == "embed" {
				e.kind = exprEmbed
			}
			return e, nil
		}
		e.kind = exprName
		return e, nil
	case tokOperator:
		switch t.text {
		case ".":
			name, err := p.ident("a name after '.'")
			if err != nil {
				return nil, err
			}
			return &expr{kind: exprName, pos: t.pos, text: name.text, absolute: true}, nil
		case "-":
			n := p.next()
			if n.kind == tokInteger || n.kind == tokFloat {
				e, err := number(n, true)
				if err == nil {
					e.pos = t.pos
				}
				return e, err
			}
			return nil, source.Errorf(n.pos, "expected a number after '-', found %v", n)
		}
	case tokPunct:
		switch t.text {
		case "(":
			return p.tuple(t.pos)
		case "[":
			return p.list(t.pos)
		}
	}
	return nil, source.Errorf(t.pos, "expected a value, found %v%s", t, spaceHint(t))
}

// spaceHint explains the one trap of the syntax: operators are taken as long as
// possible, so a reference must not follow '=' directly.
func spaceHint(t token) string {
	if t.kind == tokOperator {
		return " (operators must be separated by a blank)"
	}
	return ""
}

func number(t token, neg bool) (*expr, error) {
	e := &expr{pos: t.pos, text: t.text, neg: neg}
	if t.kind == tokFloat {
		f, err := strconv.ParseFloat(t.text, 64)
		if err != nil {
			return nil, source.Errorf(t.pos, "invalid number %s", t.text)
		}
		if neg {
			f = -f
		}
		e.kind, e.float = exprFloat, f
		return e, nil
	}
	base, digits := 10, t.text
	switch {
	case len(t.text) > 2 && t.text[:2] == "0x":
		base, digits = 16, t.text[2:]
	case len(t.text) > 1 && t.text[0] == '0':
		base, digits = 8, t.text[1:]
	}
	n, err := strconv.ParseUint(digits, base, 64)
	if err != nil {
		if ne, ok := err.(*strconv.NumError); !ok || ne.Err != strconv.ErrRange {
			return nil, source.Errorf(t.pos, "invalid number %s", t.text)
		}
		e.overflow = true
	}
	e.kind, e.num = exprInteger, n
	return e, nil
}

// tuple reads `( name = value, ... )`, the cursor being behind the parenthesis.
// A tuple of one value without a name is that value.
func (p *parser) tuple(pos source.Pos) (*expr, error) {
	e := &expr{kind: exprTuple, pos: pos}
	for !p.accept(tokPunct, ")") {
		f := fieldExpr{pos: p.peek().pos}
		if p.is(tokPunct, ",") {
			return nil, source.Errorf(f.pos, "expected a field before ','")
		}
		var err error
		if p.peek().kind == tokIdent && p.tokens[p.i+1].kind == tokOperator && p.tokens[p.i+1].text[0] == '=' {
			f.name = p.next().text
			if err := p.expect(tokOperator, "="); err != nil {
				op := p.peek()
				return nil, source.Errorf(op.pos, "expected '=', found %v%s", op, spaceHint(op))
			}
		}
		if f.value, err = p.value(); err != nil {
			return nil, err
		}
		e.fields = append(e.fields, f)
		if !p.accept(tokPunct, ",") && !p.is(tokPunct, ")") {
			return nil, source.Errorf(p.peek().pos, "expected ',' or ')', found %v", p.peek())
		}
	}
	if len(e.fields) == 1 && e.fields[0].name == "" {
		return e.fields[0].value, nil
	}
	return e, nil
}

// list reads `[ value, ... ]`, the cursor being behind the bracket.
func (p *parser) list(pos source.Pos) (*expr, error) {
	e := &expr{kind: exprList, pos: pos}
	for !p.accept(tokPunct, "]") {
		if p.is(tokPunct, ",") {
			return nil, source.Errorf(p.peek().pos, "expected a value before ','")
		}
		item, err := p.value()
		if err != nil {
			return nil, err
		}
		e.items = append(e.items, item)
		if !p.accept(tokPunct, ",") && !p.is(tokPunct, "]") {
			return nil, source.Errorf(p.peek().pos, "expected ',' or ']', found %v", p.peek())
		}
	}
	return e, nil
}
