package capnptext

import (
	"strconv"
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

// maxDepth bounds how deep values nest, so that a hostile file cannot exhaust
// the stack.
const maxDepth = 200

type exprKind int

const (
	exprString  exprKind = iota
	exprBinary           // text
	exprInteger          // num, neg
	exprFloat            // float
	exprTuple            // fields
	exprList             // items
	exprName             // text; absolute for .text
	exprMember           // base.text
	exprImport           // text is the path
	exprEmbed            // text is the path
)

// expr is a value, a type, or a reference, as written.
type expr struct {
	kind     exprKind
	pos      source.Pos
	text     string
	absolute bool
	num      uint64
	neg      bool
	overflow bool
	float    float64
	fields   []fieldExpr
	items    []*expr
	args     []*expr // of a type: List(args)
	base     *expr
}

type fieldExpr struct {
	name  string // "" for a value without a name
	pos   source.Pos
	value *expr
}

// String writes a reference as it stands in the file.
func (e *expr) String() string {
	switch e.kind {
	case exprName:
		if e.absolute {
			return "." + e.text
		}
		return e.text
	case exprMember:
		return e.base.String() + "." + e.text
	case exprImport:
		return "import " + strconv.Quote(e.text)
	}
	return "the value"
}

// decl is a constant or an alias.
type decl struct {
	name  string
	pos   source.Pos
	file  *file
	typ   *expr // nil for an alias
	value *expr

	// For a constant, once it has been evaluated:
	state  evalState
	result *Value
	typeOf string
}

type evalState int

const (
	notStarted evalState = iota
	inProgress
	finished
)

type parser struct {
	file   *file
	tokens []token
	i      int
	depth  int
	hasID  bool
}

func (p *parser) peek() token { return p.tokens[p.i] }

func (p *parser) next() token {
	t := p.tokens[p.i]
	if t.kind != tokEOF {
		p.i++
	}
	return t
}

func (p *parser) is(kind tokenKind, text string) bool {
	t := p.peek()
	return t.kind == kind && t.text == text
}

func (p *parser) accept(kind tokenKind, text string) bool {
	if p.is(kind, text) {
		p.i++
		return true
	}
	return false
}

func (p *parser) expect(kind tokenKind, text string) error {
	if !p.accept(kind, text) {
		return source.Errorf(p.peek().pos, "expected '%s', found %v", text, p.peek())
	}
	return nil
}

func (p *parser) ident(what string) (token, error) {
	t := p.peek()
	if t.kind != tokIdent {
		return t, source.Errorf(t.pos, "expected %s, found %v", what, t)
	}
	return p.next(), nil
}

// parseFile reads all declarations of p.file.
func (p *parser) parseFile() error {
	for {
		t := p.peek()
		var err error
		switch {
		case t.kind == tokEOF:
			return nil
		case t.kind == tokIdent && t.text == "using":
			err = p.using()
		case t.kind == tokIdent && t.text == "const":
			err = p.constant()
		case t.kind == tokOperator && t.text == "@":
			err = p.fileID()
		case t.kind == tokOperator && t.text == "$":
			err = p.annotations()
		case t.kind == tokIdent && (t.text == "struct" || t.text == "enum" || t.text == "interface" || t.text == "annotation"):
			return source.Errorf(t.pos, "'%s' declares a type, which is not supported in a configuration: only 'using' and 'const' are", t.text)
		default:
			return source.Errorf(t.pos, "expected 'using' or 'const', found %v%s", t, source.DidYouMean(t.text, []string{"using", "const"}))
		}
		if err == nil {
			err = p.expect(tokPunct, ";")
		}
		if err != nil {
			return err
		}
	}
}

// fileID reads `@0x...`, which only compiled schemas need.
func (p *parser) fileID() error {
	at := p.next()
	id := p.next()
	n, err := strconv.ParseUint(id.text, 0, 64)
	if id.kind != tokInteger || err != nil || n>>63 == 0 {
		return source.Errorf(id.pos, "invalid file ID: want a 64-bit number with its top bit set, as in @0x8123456789abcdef")
	}
	if p.hasID {
		return source.Errorf(at.pos, "a file can have only one ID")
	}
	p.hasID = true
	return nil
}

// annotations reads `$Name(...)`, which says something to compilers alone.
func (p *parser) annotations() error {
	for p.accept(tokOperator, "$") {
		if _, err := p.value(); err != nil {
			return err
		}
		if p.is(tokPunct, "(") {
			if _, err := p.value(); err != nil {
				return err
			}
		}
	}
	return nil
}

// using reads `using NAME = TARGET` or `using TARGET`, which takes the name of
// the target's last part.
func (p *parser) using() error {
	p.next()
	d := &decl{file: p.file}
	if p.peek().kind == tokIdent && p.tokens[p.i+1].kind == tokOperator && p.tokens[p.i+1].text == "=" {
		name := p.next()
		p.next()
		d.name, d.pos = name.text, name.pos
	}
	var err error
	at := p.peek().pos
	if d.value, err = p.value(); err != nil {
		return err
	}
	switch d.value.kind {
	case exprName, exprMember, exprImport:
	default:
		return source.Errorf(at, "expected a name or an import")
	}
	if d.name == "" {
		if d.value.kind != exprMember {
			return source.Errorf(at, "'using' without '=' must name a declaration of another file")
		}
		d.name, d.pos = d.value.text, d.value.pos
	}
	return p.declare(d)
}

// constant reads `const NAME :TYPE = VALUE`.
func (p *parser) constant() error {
	p.next()
	name, err := p.ident("the name of the constant")
	if err != nil {
		return err
	}
	if c := name.text[0]; c >= 'A' && c <= 'Z' {
		return source.Errorf(name.pos, "the name of a constant must begin with a lower-case letter")
	}
	if strings.Contains(name.text, "_") {
		return source.Errorf(name.pos, "the name of a constant must not contain an underscore")
	}
	d := &decl{name: name.text, pos: name.pos, file: p.file}
	if p.accept(tokOperator, "@") {
		p.next()
	}
	if err := p.expect(tokOperator, ":"); err != nil {
		return err
	}
	if d.typ, err = p.value(); err != nil {
		return err
	}
	if p.accept(tokPunct, "(") { // List(T)
		arg, err := p.typeArgument()
		if err != nil {
			return err
		}
		d.typ.args = arg
	}
	if err := p.expect(tokOperator, "="); err != nil {
		return err
	}
	if d.value, err = p.value(); err != nil {
		return err
	}
	if p.is(tokOperator, "$") {
		if err := p.annotations(); err != nil {
			return err
		}
	}
	return p.declare(d)
}

// typeArgument reads what stands in the parentheses of List(T).
func (p *parser) typeArgument() ([]*expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	t, err := p.value()
	if err != nil {
		return nil, err
	}
	if p.accept(tokPunct, "(") {
		if t.args, err = p.typeArgument(); err != nil {
			return nil, err
		}
	}
	return []*expr{t}, p.expect(tokPunct, ")")
}

func (p *parser) declare(d *decl) error {
	if first := p.file.decls[d.name]; first != nil {
		return source.Errorf(d.pos, "'%s' is already defined at line %d", d.name, first.pos.Line)
	}
	p.file.decls[d.name] = d
	p.file.order = append(p.file.order, d)
	return nil
}

func (p *parser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return source.Errorf(p.peek().pos, "the file nests deeper than %d levels", maxDepth)
	}
	return nil
}

func (p *parser) leave() { p.depth-- }
