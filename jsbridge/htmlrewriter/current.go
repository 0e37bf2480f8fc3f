package htmlrewriter

import "strings"

// current is the token that the handlers are called with.
type current struct {
	on       bool
	kind     Kind
	tok      token
	mut      mutations
	name     string // of a tag, in lower case
	rename   string // the new name of a tag
	text     string
	changed  bool // the text of a comment, or the attributes
	decoded  bool
	last     bool
	ns       namespace
	attrs    []Attr
	gotAttrs bool
	pairless bool // the element has no end tag
	push     element
	endMut   mutations // of the end tag to come
	endUsed  bool
	onEnd    any
}

// Attr is an attribute of the current element.
type Attr struct {
	Name, Value string
	raw         []byte // as it stands in the source; nil when it was set
	original    string // the name as it was written first
}

func (c *current) attributes(cs charset) []Attr {
	if !c.gotAttrs {
		c.gotAttrs = true
		raw := c.tok.raw
		if len(c.tok.attrs) > 0 {
			c.attrs = make([]Attr, len(c.tok.attrs))
		}
		for i, a := range c.tok.attrs {
			c.attrs[i] = Attr{Name: lowerASCII(cs.text(a.name.of(raw))), Value: cs.text(a.value.of(raw)), raw: a.all.of(raw)}
			c.attrs[i].original = string(a.name.of(raw))
		}
	}
	return c.attrs
}

// finish writes the current token and ends it.
func (r *Rewriter) finish() {
	c := &r.cur
	show := r.hidden == 0
	switch c.kind {
	case KindText:
		if show {
			r.out.token(&c.mut, func() {
				if c.decoded {
					r.out.text(c.text)
				} else {
					r.out.bytes(c.tok.raw)
				}
			})
		}
	case KindComment:
		if show {
			r.out.token(&c.mut, func() {
				if c.changed {
					r.out.bytes([]byte("<!--"))
					r.out.text(c.text)
					r.out.bytes([]byte("-->"))
				} else {
					r.out.bytes(c.tok.raw)
				}
			})
		}
	case KindDoctype:
		if show {
			r.out.bytes(c.tok.raw)
		}
	case KindElement:
		if show {
			r.out.token(&c.mut, r.writeStart)
		}
		r.pushCurrent()
	case KindEndTag:
		if show {
			r.out.token(&c.mut, func() {
				if c.rename == "" {
					r.out.bytes(c.tok.raw)
					return
				}
				r.out.bytes([]byte("</"))
				r.out.text(c.rename)
				r.out.bytes([]byte(">"))
			})
		}
	case KindEnd:
		r.out.contents(c.mut.after)
	}
	r.cur = current{}
}

func (r *Rewriter) writeStart() {
	c := &r.cur
	if c.rename == "" && !c.changed {
		r.out.bytes(c.tok.raw)
		return
	}
	r.out.bytes([]byte("<"))
	if c.rename != "" {
		r.out.text(c.rename)
	} else {
		r.out.bytes(c.tok.name.of(c.tok.raw))
	}
	attrs := c.attributes(r.out.charset)
	for i := range attrs {
		a := &attrs[i]
		r.out.bytes([]byte(" "))
		if a.raw != nil {
			r.out.bytes(a.raw)
			continue
		}
		r.out.text(a.original)
		r.out.bytes([]byte(`="`))
		r.out.text(strings.ReplaceAll(a.Value, `"`, "&quot;"))
		r.out.bytes([]byte(`"`))
	}
	switch {
	case !c.tok.selfClosing:
		r.out.bytes([]byte(">"))
	case len(attrs) > 0:
		r.out.bytes([]byte(" />"))
	default:
		r.out.bytes([]byte("/>"))
	}
}

// pushCurrent opens the current element.
func (r *Rewriter) pushCurrent() {
	c := &r.cur
	if c.pairless {
		if c.push.exact != nil {
			r.scratch = append(r.scratch, c.push.exact[:2*len(c.push.exact)])
		}
		return
	}
	if c.endUsed || c.rename != "" || c.onEnd != nil {
		end := &elementEnd{rename: c.rename, handler: c.onEnd}
		if c.endUsed {
			m := c.endMut
			end.mutations = &m
		}
		c.push.end = end
	}
	if c.push.hides {
		r.hidden++
	}
	for _, h := range c.push.active {
		r.active[h]++
	}
	r.stack = append(r.stack, c.push)
}
