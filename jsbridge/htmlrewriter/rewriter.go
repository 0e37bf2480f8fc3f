package htmlrewriter

// Kind says what a handler is called with.
type Kind uint8

const (
	// KindElement is a start tag.
	KindElement Kind = iota
	// KindText is a piece of text; the last of a text is empty or the rest of
	// an unfinished character.
	KindText
	// KindComment is a comment.
	KindComment
	// KindDoctype is a document type declaration.
	KindDoctype
	// KindEndTag is an end tag, for what [Rewriter.OnEndTag] was given.
	KindEndTag
	// KindEnd is the end of the document.
	KindEnd
)

// Call is a call of a handler that is due.
type Call struct {
	Kind Kind
	// Handler is the index that [Rewriter.On] or [Rewriter.OnDocument] gave.
	Handler int
	// EndTag is what was passed to OnEndTag; only for KindEndTag.
	EndTag any
}

// Wants says which kinds a handler takes.
type Wants struct{ Element, Comments, Text, Doctype, End bool }

// Rewriter rewrites one document. Write and Next alternate: Next returns the
// calls that are due until it needs more input. While a call is due, the methods
// of the token are valid; the next call of Next ends that. A Rewriter belongs to
// one goroutine at a time.
type Rewriter struct {
	z        tokenizer
	sim      treeSim
	match    matcher
	handlers []Wants
	docs     []int // the handlers of the document
	active   []int // for each handler, how many open elements it matched
	out      output
	stack    []element
	root     siblings
	hidden   int // how many open elements have their content removed
	err      error

	cur     current
	calls   []pending
	called  int
	inText  bool // a handler saw a part of the current text, and not its end
	decoder decoder
	ended   bool
	scratch []bits
}

// pending is a call, or a step before one.
type pending struct {
	Call
	tag *elementEnd
}

// siblings counts the children of an element.
type siblings struct {
	count int
	kinds []kindCount
}

type kindCount struct {
	name string
	n    int
}

func (s *siblings) add(name string) (nth, kind int) {
	s.count++
	for i := range s.kinds {
		if s.kinds[i].name == name {
			s.kinds[i].n++
			return s.count, s.kinds[i].n
		}
	}
	s.kinds = append(s.kinds, kindCount{name, 1})
	return s.count, 1
}

// element is an open element.
type element struct {
	name         string
	children     siblings
	exact, above bits
	active       []int // the handlers that it matched, in their order
	hides        bool
	end          *elementEnd
}

// elementEnd is what an element's handlers want of its end tag.
type elementEnd struct {
	mutations *mutations
	rename    string
	handler   any
}

// New returns a Rewriter for a document in an encoding given by its label in the
// Encoding standard. It fails for one that is unknown or no superset of ASCII.
func New(label string) (*Rewriter, error) {
	cs, err := charsetOf(label)
	if err != nil {
		return nil, err
	}
	return &Rewriter{out: output{charset: cs}}, nil
}

// Selector is a parsed list of selectors. It may be shared.
type Selector struct{ list selector }

// ParseSelector parses a list of selectors. The error is an [*Error].
func ParseSelector(text string) (*Selector, error) {
	list, err := parseSelector(text)
	if err != nil {
		return nil, err
	}
	return &Selector{list}, nil
}

// On adds a handler for elements and what is in them, and returns its index. All
// handlers must be added before the first Write.
func (r *Rewriter) On(s *Selector, w Wants) int {
	r.handlers, r.active = append(r.handlers, w), append(r.active, 0)
	r.match.add(s.list, len(r.handlers)-1)
	return len(r.handlers) - 1
}

// OnDocument adds a handler for the whole document.
func (r *Rewriter) OnDocument(w Wants) int {
	r.handlers, r.active = append(r.handlers, w), append(r.active, 0)
	r.docs = append(r.docs, len(r.handlers)-1)
	return len(r.handlers) - 1
}

// Write adds input, which it copies.
func (r *Rewriter) Write(p []byte) { r.z.write(p) }

// End says that there is no more input.
func (r *Rewriter) End() { r.z.eof = true }

// Take returns the output since the last Take.
func (r *Rewriter) Take() []Segment {
	segs := r.out.segs
	r.out.segs = nil
	return segs
}

// Next goes on to the next call that is due. ok is false when there is none
// before more input comes, or at all after End.
func (r *Rewriter) Next() (call Call, ok bool, err error) {
	if r.err != nil {
		return Call{}, false, r.err
	}
	for {
		if r.called < len(r.calls) {
			p := r.calls[r.called]
			r.called++
			if p.tag != nil {
				r.applyEnd(p.tag)
				if p.EndTag == nil {
					continue
				}
			}
			return p.Call, true, nil
		}
		if r.cur.on {
			r.finish()
		}
		r.calls, r.called = r.calls[:0], 0
		t, more := r.z.next()
		switch {
		case more:
			if err := r.begin(t); err != nil {
				r.err = err
				return Call{}, false, err
			}
		case !r.z.eof || r.ended:
			return Call{}, false, nil
		case r.inText:
			r.endText()
		default:
			r.ended = true
			r.cur = current{on: true, kind: KindEnd}
			for _, h := range r.docs {
				if r.handlers[h].End {
					r.due(KindEnd, h)
				}
			}
		}
	}
}

func (r *Rewriter) due(k Kind, handler int) {
	r.calls = append(r.calls, pending{Call: Call{Kind: k, Handler: handler}})
}

// each calls f for the handlers of all open elements that want a kind, each once
// and in the order they were added, then for those of the document.
func (r *Rewriter) each(wants func(Wants) bool, f func(h int)) {
	for h := range r.handlers {
		if wants(r.handlers[h]) && r.active[h] > 0 {
			f(h)
		}
	}
	for _, h := range r.docs {
		if wants(r.handlers[h]) {
			f(h)
		}
	}
}

// begin takes up a token and lists the calls it needs.
func (r *Rewriter) begin(t token) error {
	if t.kind == tokenStart && !t.treed {
		t.treed = true
		var err error
		if t.mode, t.ns, err = r.sim.start(lowerName(t.name.of(t.raw)), &t); err != nil {
			return err
		}
	}
	if t.kind != tokenText && r.inText {
		// The end of the text comes first; the token waits.
		r.z.unread(t)
		r.endText()
		return nil
	}
	r.cur = current{on: true, tok: t}
	c := &r.cur
	switch t.kind {
	case tokenText:
		c.kind = KindText
		r.each(func(w Wants) bool { return w.Text }, func(h int) { r.due(KindText, h) })
		if len(r.calls) > 0 {
			r.inText, c.decoded = true, true
			c.text = r.decoder.decode(r.out.charset, t.raw, false)
			if c.text == "" {
				r.cur, r.calls = current{}, r.calls[:0]
			}
		}
	case tokenComment:
		c.kind = KindComment
		r.each(func(w Wants) bool { return w.Comments }, func(h int) { r.due(KindComment, h) })
	case tokenDoctype:
		c.kind = KindDoctype
		for _, h := range r.docs {
			if r.handlers[h].Doctype {
				r.due(KindDoctype, h)
			}
		}
	case tokenStart:
		r.beginStart()
	case tokenEnd:
		r.beginEnd()
	case tokenRaw:
		if r.hidden == 0 {
			r.out.bytes(t.raw)
		}
		r.cur = current{}
		r.z.foreign = r.sim.ns() != nsHTML
	}
	return nil
}

// endText makes the calls that end a text.
func (r *Rewriter) endText() {
	r.inText = false
	r.cur = current{on: true, kind: KindText, decoded: true, last: true, text: r.decoder.decode(r.out.charset, nil, true)}
	r.each(func(w Wants) bool { return w.Text }, func(h int) { r.due(KindText, h) })
}

func (r *Rewriter) beginStart() {
	c := &r.cur
	c.kind = KindElement
	t := &c.tok
	c.name = lowerName(t.name.of(t.raw))
	mode, ns := t.mode, t.ns
	c.ns = ns
	r.z.foreign = r.sim.ns() != nsHTML
	if n := len(t.attrs); n > 0 && t.attrs[n-1].noValue {
		// Where a value is missing, lol-html forgets that raw text follows.
		mode = modeData
	}
	if mode != modeData {
		r.z.mode, r.z.end, r.z.script = mode, c.name, scriptData
	}
	c.pairless = ns == nsHTML && voidElements[c.name] || ns != nsHTML && t.selfClosing
	if len(r.match.compounds) == 0 {
		c.push = element{name: c.name}
		return
	}
	var parent *element
	sib := &r.root
	if n := len(r.stack); n > 0 {
		parent = &r.stack[n-1]
		sib = &parent.children
	}
	e := subject{name: c.name, attrs: c.attributes(r.out.charset)}
	e.nth, e.kind = sib.add(c.name)
	words := (len(r.match.compounds) + 63) / 64
	var exact bits
	if n := len(r.scratch); n > 0 {
		exact = r.scratch[n-1]
		r.scratch = r.scratch[:n-1]
	} else {
		exact = make(bits, 2*words)
	}
	c.push = element{name: c.name, exact: exact[:words], above: exact[words : 2*words]}
	r.match.match(&e, parent, c.push.exact, c.push.above, func(h int) {
		for _, a := range c.push.active {
			if a == h {
				return
			}
		}
		c.push.active = append(c.push.active, h)
		if r.handlers[h].Element {
			r.due(KindElement, h)
		}
	})
}

// beginEnd closes elements and lists what their handlers want of the tag.
func (r *Rewriter) beginEnd() {
	c := &r.cur
	c.kind = KindEndTag
	t := &c.tok
	c.name = lowerName(t.name.of(t.raw))
	r.sim.end(c.name)
	r.z.foreign = r.sim.ns() != nsHTML
	i := len(r.stack) - 1
	for i >= 0 && r.stack[i].name != c.name {
		i--
	}
	if i < 0 {
		return
	}
	for k := len(r.stack) - 1; k >= i; k-- {
		e := &r.stack[k]
		if e.hides {
			r.hidden--
		}
		for _, h := range e.active {
			r.active[h]--
		}
		if e.end != nil {
			r.calls = append(r.calls, pending{Call: Call{Kind: KindEndTag, EndTag: e.end.handler}, tag: e.end})
		}
		if e.exact != nil {
			r.scratch = append(r.scratch, e.exact[:2*len(e.exact)])
		}
		*e = element{}
	}
	r.stack = r.stack[:i]
}

func (r *Rewriter) applyEnd(e *elementEnd) {
	if e.mutations != nil {
		r.cur.mut = *e.mutations
	}
	if e.rename != "" {
		r.cur.rename = e.rename
	}
}
