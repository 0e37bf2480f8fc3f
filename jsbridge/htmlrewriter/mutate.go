package htmlrewriter

// Content is what a handler inserts: a text, or a stream, which the user of the
// Rewriter copies to the output where it comes to it.
type Content struct {
	Text   string
	Stream any
	HTML   bool
}

// A Segment is a piece of output: bytes or a stream.
type Segment struct {
	Bytes  []byte
	Stream any
	HTML   bool // of a stream: its text is not to be escaped
}

// mutations are the changes around a token.
type mutations struct {
	before, after, replacement []Content
	removed                    bool
}

func prepend(list []Content, c Content) []Content { return append([]Content{c}, list...) }

func (m *mutations) replace(c Content) {
	m.replacement = append(m.replacement[:0], c)
	m.removed = true
}

// output collects what is written.
type output struct {
	charset charset
	segs    []Segment
}

func (o *output) last() *Segment {
	if n := len(o.segs); n > 0 && o.segs[n-1].Stream == nil {
		return &o.segs[n-1]
	}
	o.segs = append(o.segs, Segment{})
	return &o.segs[len(o.segs)-1]
}

func (o *output) bytes(b []byte) {
	s := o.last()
	s.Bytes = append(s.Bytes, b...)
}

func (o *output) text(t string) {
	s := o.last()
	s.Bytes = o.charset.encode(s.Bytes, t)
}

func (o *output) contents(list []Content) {
	for _, c := range list {
		switch {
		case c.Stream != nil:
			o.segs = append(o.segs, Segment{Stream: c.Stream, HTML: c.HTML})
		case c.HTML:
			o.text(c.Text)
		default:
			o.text(textEscaper.Replace(c.Text))
		}
	}
}

// token writes a token with its changes; raw writes the token itself.
func (o *output) token(m *mutations, raw func()) {
	o.contents(m.before)
	if m.removed {
		o.contents(m.replacement)
	} else {
		raw()
	}
	o.contents(m.after)
}
