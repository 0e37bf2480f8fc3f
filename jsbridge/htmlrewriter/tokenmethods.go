package htmlrewriter

import "strings"

// The methods of the token that a call is due for. Which of them a kind has is
// the caller's business.

// Removed tells whether the current token is removed.
func (r *Rewriter) Removed() bool {
	return r.cur.mut.removed || r.cur.kind == KindElement && r.hidden > 0
}

// Before inserts before the current token.
func (r *Rewriter) Before(c Content) { r.cur.mut.before = append(r.cur.mut.before, c) }

// After inserts after the current token, an element's end tag included.
func (r *Rewriter) After(c Content) {
	m := &r.cur.mut
	if r.cur.kind == KindElement && !r.cur.pairless {
		r.cur.endUsed = true
		m = &r.cur.endMut
	}
	m.after = prepend(m.after, c)
}

// Prepend inserts after an element's start tag.
func (r *Rewriter) Prepend(c Content) {
	if !r.cur.pairless {
		r.cur.mut.after = prepend(r.cur.mut.after, c)
	}
}

// Append inserts before an element's end tag, or at the end of the document.
func (r *Rewriter) Append(c Content) {
	switch {
	case r.cur.kind == KindEnd:
		r.cur.mut.after = append(r.cur.mut.after, c)
	case !r.cur.pairless:
		r.cur.endUsed = true
		r.cur.endMut.before = append(r.cur.endMut.before, c)
	}
}

// dropContent removes what is between an element's tags, and what handlers have
// put there.
func (r *Rewriter) dropContent() {
	if r.cur.pairless {
		return
	}
	r.cur.push.hides = true
	r.cur.mut.after = nil
	r.cur.endMut.before = nil
}

// Replace puts something in the place of the current token, of the whole element
// if it is one.
func (r *Rewriter) Replace(c Content) {
	r.cur.mut.replace(c)
	r.removeElement()
}

// Remove removes the current token, the whole element if it is one.
func (r *Rewriter) Remove() {
	r.cur.mut.removed = true
	r.removeElement()
}

func (r *Rewriter) removeElement() {
	if r.cur.kind == KindElement && !r.cur.pairless {
		r.dropContent()
		r.cur.endUsed = true
		r.cur.endMut.removed = true
	}
}

// RemoveAndKeepContent removes an element's tags.
func (r *Rewriter) RemoveAndKeepContent() {
	r.cur.mut.removed = true
	if !r.cur.pairless {
		r.cur.endUsed = true
		r.cur.endMut.removed = true
	}
}

// SetInnerContent replaces what is between an element's tags.
func (r *Rewriter) SetInnerContent(c Content) {
	if !r.cur.pairless {
		r.dropContent()
		r.Prepend(c)
	}
}

// OnEndTag asks for a call at the element's end tag; it replaces what was asked
// before. An element without an end tag gives an error.
func (r *Rewriter) OnEndTag(handler any) error {
	if r.cur.pairless {
		return parserError("No end tag.")
	}
	r.cur.onEnd = handler
	return nil
}

// TagName is the name of an element or of an end tag, in lower case.
func (r *Rewriter) TagName() string {
	if r.cur.rename != "" {
		return lowerASCII(r.cur.rename)
	}
	return r.out.charset.text([]byte(r.cur.name))
}

// SetTagName renames a tag; of an element both.
func (r *Rewriter) SetTagName(name string) error {
	switch {
	case name == "":
		return parserError("Tag name can't be empty.")
	case !isLetter(name[0]):
		return parserError("The first character of the tag name should be an ASCII alphabetical character.")
	}
	if i := strings.IndexAny(name, " \n\r\t\f/>"); i >= 0 {
		return parserError("`" + name[i:i+1] + "` character is forbidden in the tag name")
	}
	if !r.out.charset.canEncode(name) {
		return parserError("The tag name contains a character that can't be represented in the document's character encoding.")
	}
	r.cur.rename = name
	return nil
}

// Namespace is the URI of the element's namespace.
func (r *Rewriter) Namespace() string { return r.cur.ns.uri() }

// Attrs are the attributes of the current element, in the order of the source.
func (r *Rewriter) Attrs() []Attr { return r.cur.attributes(r.out.charset) }

// Attribute returns the first attribute of a name, in any case.
func (r *Rewriter) Attribute(name string) (string, bool) {
	return attrValue(r.Attrs(), lowerASCII(name))
}

// SetAttribute changes the first attribute of a name, or adds one.
func (r *Rewriter) SetAttribute(name, value string) error {
	if name == "" {
		return parserError("Attribute name can't be empty.")
	}
	if i := strings.IndexAny(name, " \n\r\t\f/>="); i >= 0 {
		return parserError("`" + name[i:i+1] + "` character is forbidden in the attribute name")
	}
	name = lowerASCII(name)
	if !r.out.charset.canEncode(name) {
		return parserError("The attribute name contains a character that can't be represented in the document's character encoding.")
	}
	attrs := r.Attrs()
	r.cur.changed = true
	for i := range attrs {
		if attrs[i].Name == name {
			attrs[i].Value, attrs[i].raw = value, nil
			return nil
		}
	}
	r.cur.attrs = append(attrs, Attr{Name: name, Value: value, original: name})
	return nil
}

// RemoveAttribute removes all attributes of a name. It tells whether there was
// one.
func (r *Rewriter) RemoveAttribute(name string) bool {
	name = lowerASCII(name)
	attrs := r.Attrs()
	kept := attrs[:0]
	for _, a := range attrs {
		if a.Name != name {
			kept = append(kept, a)
		}
	}
	if len(kept) == len(attrs) {
		return false
	}
	r.cur.attrs, r.cur.changed = kept, true
	return true
}

// Text is the text of the current text or comment.
func (r *Rewriter) Text() string {
	if c := &r.cur; c.kind == KindComment && !c.changed {
		return r.out.charset.text(c.tok.text.of(c.tok.raw))
	}
	return r.cur.text
}

// LastInTextNode tells whether the current text ends here.
func (r *Rewriter) LastInTextNode() bool { return r.cur.last }

// SetComment changes the text of a comment.
func (r *Rewriter) SetComment(text string) error {
	if strings.Contains(text, "-->") || strings.Contains(text, "--!>") {
		return parserError("Comment text shouldn't contain a comment-closing sequence.")
	}
	r.cur.text, r.cur.changed = text, true
	return nil
}

// Doctype returns the parts of a document type declaration; one that is missing
// is nil.
func (r *Rewriter) Doctype() (name, public, system *string) {
	return parseDoctype(r.out.charset.text(r.cur.tok.raw))
}

func parseDoctype(raw string) (name, public, system *string) {
	s := strings.TrimSuffix(raw[len("<!doctype"):], ">")
	const space = " \t\r\n\f"
	s = strings.TrimLeft(s, space)
	if s == "" {
		return nil, nil, nil
	}
	n := strings.IndexAny(s, space)
	if n < 0 {
		n = len(s)
	}
	lower := lowerASCII(s[:n])
	name = &lower
	s = strings.TrimLeft(s[n:], space)
	if len(s) < 6 {
		return name, nil, nil
	}
	word := lowerASCII(s[:6])
	s = strings.TrimLeft(s[6:], space)
	id := func() *string {
		if s == "" || s[0] != '"' && s[0] != '\'' {
			return nil
		}
		v, rest, _ := strings.Cut(s[1:], s[:1])
		s = strings.TrimLeft(rest, space)
		return &v
	}
	switch word {
	case "public":
		if public = id(); public != nil {
			system = id()
		}
	case "system":
		system = id()
	}
	return name, public, system
}
