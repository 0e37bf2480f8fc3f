package urlpattern

import (
	"regexp"
	"strings"
)

// Regexp is a regular expression that Engine compiled.
type Regexp interface {
	// Groups matches the whole input and returns what each group captured, nil
	// for one that took no part; ok is false if the input does not match.
	Groups(input string) (groups []*string, ok bool)
}

// Engine compiles a regular expression of JavaScript, in Unicode mode.
type Engine func(source string, ignoreCase bool) (Regexp, error)

// Component is the compiled pattern of one part of a URL.
type Component struct {
	pattern string
	names   []string
	// Exactly one of these decides: an expression, or the text that the input
	// must be; nothing means that everything matches.
	exp   Regexp
	text  *string
	fold  bool
	exprs bool
}

// String returns the normalised pattern.
func (c *Component) String() string { return c.pattern }

// Names lists the names of the groups in order.
func (c *Component) Names() []string { return c.names }

// Match matches an input. groups has an entry for each name, nil for a group
// that took no part.
func (c *Component) Match(input string) (groups []*string, ok bool) {
	switch {
	case c.text != nil && c.fold:
		return nil, strings.EqualFold(*c.text, input)
	case c.text != nil:
		return nil, *c.text == input
	case c.exp != nil:
		return c.exp.Groups(input)
	}
	return []*string{&input}, true
}

// compile compiles a component (https://urlpattern.spec.whatwg.org/#compile-a-component).
func compile(input string, s syntax, encode func(string) (string, error), engine Engine) (*Component, error) {
	parts, err := parseParts(input, s, encode)
	if err != nil {
		return nil, err
	}
	c := &Component{pattern: s.pattern(parts), fold: s.ignoreCase}
	for _, p := range parts {
		c.exprs = c.exprs || p.kind == partRegexp
	}
	if len(parts) == 0 {
		c.text = new(string)
		return c, nil
	}
	var source string
	source, c.names = s.expression(parts)
	if len(parts) == 1 {
		switch p := &parts[0]; {
		case p.kind == partText && p.modifier == "":
			c.text = &p.value
			return c, nil
		case p.kind == partAny && p.modifier == "" && p.prefix == "" && p.after == "":
			return c, nil
		}
	}
	if c.exprs {
		c.exp, err = engine(source, s.ignoreCase)
	} else {
		c.exp, err = compileGo(source, s.ignoreCase)
	}
	return c, err
}

// goRegexp is an expression that patterns without their own consist of; Go
// understands it as JavaScript does.
type goRegexp struct{ re *regexp.Regexp }

// anyRune is the segment of a component that has no delimiter. Text of a pattern
// cannot look like it: its brackets are escaped.
const anyRune = "[^]+?"

func compileGo(source string, ignoreCase bool) (Regexp, error) {
	// JavaScript's class that excludes nothing is unknown to Go.
	source = strings.ReplaceAll(source, anyRune, `[\s\S]+?`)
	if ignoreCase {
		source = "(?i)" + source
	}
	re, err := regexp.Compile(source)
	if err != nil {
		return nil, errSyntax
	}
	return goRegexp{re}, nil
}

// Groups implements [Regexp].
func (r goRegexp) Groups(input string) ([]*string, bool) {
	m := r.re.FindStringSubmatchIndex(input)
	if m == nil {
		return nil, false
	}
	groups := make([]*string, 0, len(m)/2-1)
	for i := 2; i < len(m); i += 2 {
		if m[i] < 0 {
			groups = append(groups, nil)
			continue
		}
		s := input[m[i]:m[i+1]]
		groups = append(groups, &s)
	}
	return groups, true
}
