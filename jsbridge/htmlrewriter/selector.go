package htmlrewriter

import "strings"

// A selector is a list of alternatives, each a chain of compounds from the
// outermost ancestor to the element itself.
type selector [][]compound

type compound struct {
	child bool // the element before must be the parent, not just an ancestor
	tests []test
}

type testKind uint8

const (
	testType testKind = iota
	testID
	testClass
	testAttr
	testNthChild
	testNthOfType
	testNot
	testNever
)

type test struct {
	kind  testKind
	name  string // lower case for types and attributes
	op    byte   // 0, '=', '~', '^', '$', '*', '|'
	value string
	fold  bool
	a, b  int      // :nth-child(an+b)
	not   [][]test // compounds, none of which may match
}

// foldedAttrs are the attributes whose values HTML compares in any case
// (https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors).
var foldedAttrs = words(`accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir
	direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize noshade
	nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink`)

var (
	errEmpty       = parserError("The selector is empty.")
	errSyntax      = parserError("Unsupported syntax in selector.")
	errUnexpected  = parserError("Unexpected token in selector.")
	errEnd         = parserError("Unexpected end of selector.")
	errPseudo      = parserError("Unsupported pseudo-class or pseudo-element in selector.")
	errNamespace   = parserError("Selectors with explicit namespaces are not supported.")
	errDangling    = parserError("Dangling combinator in selector.")
	errClass       = parserError("Invalid or unescaped class name in selector.")
	errAttrName    = parserError("Missing attribute name in attribute selector.")
	errAttrToken   = parserError("Unexpected token in the attribute selector.")
	errCombinatorF = func(c byte) error {
		return parserError("Unsupported combinator `" + string(c) + "` in selector.")
	}
)

// parseSelector parses a selector list.
func parseSelector(text string) (selector, error) {
	p := &selectorParser{s: text}
	var sel selector
	for {
		chain, err := p.complex()
		if err != nil {
			return nil, err
		}
		sel = append(sel, chain)
		if p.skip(); p.i >= len(p.s) {
			return sel, nil
		}
		p.i++ // the comma that complex stopped at
	}
}

type selectorParser struct {
	s     string
	i     int
	depth int // how many :not() are open
}

// maxNot is how deep :not() may be nested (measured on workerd). It also bounds
// the stack that parsing and matching take.
const maxNot = 75

func (p *selectorParser) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// skip skips spaces and comments; spaced tells whether there was a space.
func (p *selectorParser) skip() (spaced bool) {
	for p.i < len(p.s) {
		switch {
		case isSpace(p.s[p.i]):
			spaced = true
			p.i++
		case strings.HasPrefix(p.s[p.i:], "/*"):
			n := strings.Index(p.s[p.i+2:], "*/")
			if n < 0 {
				p.i = len(p.s)
			} else {
				p.i += n + 4
			}
		default:
			return spaced
		}
	}
	return spaced
}

func (p *selectorParser) complex() ([]compound, error) {
	var chain []compound
	child := false
	p.skip()
	for {
		tests, err := p.compound()
		switch {
		case err == errEmpty && len(chain) > 0:
			return nil, errDangling
		case err != nil:
			return nil, err
		}
		chain = append(chain, compound{child: child, tests: tests})
		child = false
		spaced := p.skip()
		switch c := p.peek(); {
		case p.i >= len(p.s), c == ',':
			return chain, nil
		case c == '>':
			p.i++
			p.skip()
			child = true
		case c == '+' || c == '~':
			p.i++
			if p.skip(); p.i >= len(p.s) {
				return nil, errDangling
			}
			return nil, errCombinatorF(c)
		case !spaced || !p.startsCompound():
			return nil, errUnexpected
		}
	}
}

func (p *selectorParser) startsCompound() bool {
	c := p.peek()
	return c == '*' || c == '.' || c == '#' || c == '[' || c == ':' || c == '|' || p.startsName()
}

// compound parses simple selectors that stand together. It gives errEmpty where
// none is.
func (p *selectorParser) compound() ([]test, error) {
	tests := []test{}
	found, err := p.typeSelector(&tests)
	if err != nil {
		return nil, err
	}
	for {
		var t test
		switch p.peek() {
		case '#':
			p.i++
			if !p.startsName() {
				p.i--
				if !found {
					return nil, errEmpty
				}
				return nil, errUnexpected
			}
			t = test{kind: testID, value: p.name()}
		case '.':
			p.i++
			switch {
			case p.i >= len(p.s):
				return nil, errEnd
			case p.startsName():
				t = test{kind: testClass, value: p.name()}
			case p.peek() >= '0' && p.peek() <= '9': // a number, no class
				if !found {
					return nil, errEmpty
				}
				return nil, errUnexpected
			default:
				return nil, errClass
			}
		case '[':
			p.i++
			t, err = p.attribute()
		case ':':
			p.i++
			t, err = p.pseudo()
		default:
			if !found {
				return nil, errEmpty
			}
			return tests, nil
		}
		if err != nil {
			return nil, err
		}
		tests, found = append(tests, t), true
	}
}

// typeSelector parses an element's name or '*'.
func (p *selectorParser) typeSelector(tests *[]test) (found bool, err error) {
	start := p.i
	any, name := p.peek() == '*', ""
	switch {
	case any:
		p.i++
	case p.startsName():
		name = p.name()
		if p.peek() == '(' { // a function is no name
			p.i = start
			return false, nil
		}
	case p.peek() != '|':
		return false, nil
	}
	if p.peek() == '|' && !strings.HasPrefix(p.s[p.i:], "|=") {
		prefixed := name != ""
		p.i++
		switch {
		case prefixed:
			return false, errNamespace
		case p.peek() == '*':
			p.i++
			if !any { // |* is the elements without a namespace: none
				*tests = append(*tests, test{kind: testNever})
			}
			return true, nil
		case p.startsName():
			if name = p.name(); !any {
				*tests = append(*tests, test{kind: testNever})
			}
		default:
			return false, errUnexpected
		}
	} else if any {
		return true, nil
	}
	*tests = append(*tests, test{kind: testType, name: strings.ToLower(name)})
	return true, nil
}

func (p *selectorParser) attribute() (test, error) {
	t := test{kind: testAttr}
	p.skip()
	switch {
	case p.i >= len(p.s), p.peek() == ']':
		return t, errEnd
	case p.peek() == '*' || p.startsName() && p.namespacedName():
		return t, errNamespace
	case p.peek() == '|':
		p.i++
	}
	if !p.startsName() {
		return t, errAttrName
	}
	t.name = strings.ToLower(p.name())
	p.skip()
	switch c := p.peek(); {
	case c == 0:
		return t, errEnd
	case c == ']':
		p.i++
		return t, nil
	case c == '=':
		t.op = c
		p.i++
	case strings.IndexByte("~^$*|", c) >= 0 && p.i+1 < len(p.s) && p.s[p.i+1] == '=':
		t.op = c
		p.i += 2
	default:
		return t, errAttrToken
	}
	p.skip()
	var ok bool
	switch c := p.peek(); {
	case p.i >= len(p.s), c == ']':
		return t, errEnd
	case c == '"' || c == '\'':
		if t.value, ok = p.quoted(); !ok {
			return t, errAttrToken
		}
	case p.startsName():
		t.value = p.name()
	default:
		return t, errAttrToken
	}
	t.fold = foldedAttrs[t.name]
	p.skip()
	if c := lowerByte(p.peek()); c == 'i' || c == 's' {
		t.fold = c == 'i'
		p.i++
		p.skip()
	}
	if p.i < len(p.s) { // a missing bracket at the end is forgiven
		if p.peek() != ']' {
			return t, errUnexpected
		}
		p.i++
	}
	return t, nil
}

// namespacedName looks whether a name with a prefix comes.
func (p *selectorParser) namespacedName() bool {
	start := p.i
	defer func() { p.i = start }()
	p.name()
	return p.peek() == '|' && !strings.HasPrefix(p.s[p.i:], "|=")
}

func (p *selectorParser) pseudo() (test, error) {
	t := test{}
	if p.peek() == ':' {
		p.i++
		if p.i >= len(p.s) {
			return t, errEnd
		}
		return t, errPseudo
	}
	if p.i >= len(p.s) {
		return t, errEnd
	}
	if !p.startsName() {
		return t, errUnexpected
	}
	name := strings.ToLower(p.name())
	if p.peek() != '(' {
		switch name {
		case "first-child":
			return test{kind: testNthChild, b: 1}, nil
		case "first-of-type":
			return test{kind: testNthOfType, b: 1}, nil
		}
		return t, errPseudo
	}
	p.i++
	switch name {
	case "nth-child", "nth-of-type":
		t.kind = testNthChild
		if name == "nth-of-type" {
			t.kind = testNthOfType
		}
		end := strings.IndexByte(p.s[p.i:], ')')
		arg := p.s[p.i:]
		if end >= 0 {
			arg = arg[:end]
		}
		p.i = min(p.i+len(arg)+1, len(p.s))
		var err error
		t.a, t.b, err = parseNth(arg)
		return t, err
	case "not":
		t.kind = testNot
		if p.depth++; p.depth > maxNot {
			return t, errSyntax
		}
		defer func() { p.depth-- }()
		for {
			p.skip()
			tests, err := p.compound()
			if err != nil {
				return t, err
			}
			t.not = append(t.not, tests)
			spaced := p.skip()
			switch c := p.peek(); {
			case p.i >= len(p.s):
				return t, nil
			case c == ')':
				p.i++
				return t, nil
			case c == ',':
				p.i++
			case c == '>' || c == '+' || c == '~' || spaced:
				return t, errPseudo
			default:
				return t, errUnexpected
			}
		}
	}
	return t, errPseudo
}
