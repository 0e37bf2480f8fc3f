package htmlrewriter

import "strings"

type namespace uint8

const (
	nsHTML namespace = iota
	nsSVG
	nsMathML
)

func (n namespace) uri() string {
	return [...]string{"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"}[n]
}

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

var (
	voidElements = words("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
	// breakouts are the start tags that end foreign content.
	breakouts = words(`b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing
		menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var`)
	svgIntegration  = words("foreignobject desc title")
	mathIntegration = words("mi mo mn ms mtext")
	textModes       = map[string]textMode{
		"title": modeRCDATA, "textarea": modeRCDATA, "plaintext": modePlainText, "script": modeScript,
		"style": modeRawText, "iframe": modeRawText, "xmp": modeRawText, "noembed": modeRawText, "noframes": modeRawText, "noscript": modeRawText,
	}
)

// level is a namespace that was entered. An HTML level inside foreign content
// keeps its open elements, because the end tag of the integration point counts
// only when none is left.
type level struct {
	ns   namespace
	exit string
	open []string
}

// treeSim knows as much of tree construction as tokenizing needs: where text is
// raw, and where CDATA sections exist.
type treeSim struct {
	levels []level
	guard  guard
}

func (s *treeSim) ns() namespace {
	if len(s.levels) == 0 {
		return nsHTML
	}
	return s.levels[len(s.levels)-1].ns
}

func (s *treeSim) enter(ns namespace, exit string) {
	s.levels = append(s.levels, level{ns: ns, exit: exit})
}

func (s *treeSim) leave() { s.levels = s.levels[:len(s.levels)-1] }

// start takes account of a start tag and returns how to read on, and the
// namespace of the element.
func (s *treeSim) start(name string, t *token) (textMode, namespace, error) {
	if err := s.guard.start(name); err != nil {
		return modeData, nsHTML, err
	}
	ns := s.ns()
	if ns != nsHTML && (breakouts[name] || name == "font" && hasAttr(t, "color", "size", "face")) {
		for s.ns() != nsHTML {
			s.leave()
		}
		ns = nsHTML
	}
	switch {
	case name == "svg" || name == "math":
		ns = nsSVG
		if name == "math" {
			ns = nsMathML
		}
		if !t.selfClosing {
			s.enter(ns, name)
		}
	case ns == nsHTML:
		if n := len(s.levels); n > 0 && !voidElements[name] {
			s.levels[n-1].open = append(s.levels[n-1].open, name)
		}
		return textModes[name], ns, nil
	case !t.selfClosing && (ns == nsSVG && svgIntegration[name] || ns == nsMathML && (mathIntegration[name] || htmlAnnotation(name, t))):
		s.enter(nsHTML, name)
	}
	return modeData, ns, nil
}

// end takes account of an end tag.
func (s *treeSim) end(name string) {
	s.guard.end(name)
	n := len(s.levels)
	if n == 0 {
		return
	}
	top := &s.levels[n-1]
	if top.ns != nsHTML {
		if name == top.exit || name == "p" || name == "br" {
			s.leave()
		}
		return
	}
	for i := len(top.open) - 1; i >= 0; i-- {
		if top.open[i] == name {
			top.open = top.open[:i]
			return
		}
	}
	if len(top.open) == 0 && name == top.exit {
		s.leave()
	}
}

func hasAttr(t *token, names ...string) bool {
	for _, a := range t.attrs {
		for _, n := range names {
			if b := a.name.of(t.raw); len(b) == len(n) && couldBe(b, n) {
				return true
			}
		}
	}
	return false
}

// htmlAnnotation tells whether the tag is an annotation-xml that holds HTML.
func htmlAnnotation(name string, t *token) bool {
	if name != "annotation-xml" {
		return false
	}
	for _, a := range t.attrs {
		if b := a.name.of(t.raw); len(b) == 8 && couldBe(b, "encoding") {
			v := strings.ToLower(string(a.value.of(t.raw)))
			return v == "text/html" || v == "application/xhtml+xml"
		}
	}
	return false
}

// guard finds markup where only a tree could tell whether a tag counts.
type guard struct {
	where     guardPlace
	templates int
}

type guardPlace uint8

const (
	guardNowhere guardPlace = iota
	guardSelect
	guardTemplate // in a template in a select
	guardFrameset
)

func (g *guard) start(name string) error {
	switch g.where {
	case guardNowhere:
		switch name {
		case "select":
			g.where = guardSelect
		case "frameset":
			g.where = guardFrameset
		}
	case guardSelect:
		switch name {
		case "select", "textarea", "input", "keygen":
			g.where = guardNowhere
		case "template":
			g.where, g.templates = guardTemplate, 1
		case "script":
		default:
			return ambiguous(name)
		}
	case guardTemplate:
		if name == "template" {
			g.templates++
			return nil
		}
		return ambiguous(name)
	case guardFrameset:
		if name != "noframes" {
			return ambiguous(name)
		}
	}
	return nil
}

func (g *guard) end(name string) {
	switch {
	case g.where == guardSelect && name == "select":
		g.where = guardNowhere
	case g.where == guardTemplate && name == "template":
		if g.templates--; g.templates == 0 {
			g.where = guardSelect
		}
	}
}

func ambiguous(name string) error {
	if textModes[name] == modeData {
		return nil
	}
	return &Error{Text: "Parser error: The parser has encountered a text content tag (`<" + name + ">`) in the context where it is ambiguous whether this tag " +
		"should be ignored or not. And, thus, it is unclear whether consequent content should be parsed as raw text or HTML markup.\n\n" +
		"This error occurs due to the limited capabilities of the streaming parsing. However, almost all of the cases of this error are caused by a " +
		"non-conforming markup (e.g. a `<script>` element in `<select>` element)."}
}

// Error is an error of the rewriter, which scripts get as a TypeError.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

func parserError(text string) error { return &Error{Text: "Parser error: " + text} }
