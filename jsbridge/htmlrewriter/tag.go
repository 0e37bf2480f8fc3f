package htmlrewriter

// tag reads a start or an end tag (https://html.spec.whatwg.org/multipage/parsing.html#tag-open-state
// and the states after it).
func (z *tokenizer) tag(kind tokenKind) (token, bool) {
	b := z.buf
	i := 1
	if kind == tokenEnd {
		i = 2
	}
	start := i
	for i < len(b) && !isSpace(b[i]) && b[i] != '/' && b[i] != '>' {
		i++
	}
	name := span{start, i}
	attrs, selfClosing := z.attrs[:0], false
	for {
		for i < len(b) && (isSpace(b[i]) || b[i] == '/') {
			selfClosing = b[i] == '/'
			i++
		}
		if i >= len(b) {
			return z.incomplete()
		}
		if b[i] == '>' {
			break
		}
		selfClosing = false
		var a attrSpan
		var ok bool
		if a, i, ok = attribute(b, i); !ok {
			return z.incomplete()
		}
		attrs = append(attrs, a)
	}
	z.attrs = attrs
	t := z.take(kind, i+1)
	t.name, t.attrs, t.selfClosing = name, attrs, selfClosing
	return t, true
}

// attribute reads an attribute that begins at i. ok is false when the input
// ends before the tag does.
func attribute(b []byte, i int) (a attrSpan, next int, ok bool) {
	start := i
	i++ // a name may begin with '='
	for i < len(b) && !isSpace(b[i]) && b[i] != '/' && b[i] != '>' && b[i] != '=' {
		i++
	}
	a.name = span{start, i}
	a.value, a.all = span{i, i}, a.name
	j := i
	for j < len(b) && isSpace(b[j]) {
		j++
	}
	if j >= len(b) {
		return a, i, false
	}
	if b[j] != '=' {
		return a, i, true
	}
	for j++; j < len(b) && isSpace(b[j]); j++ {
	}
	if j >= len(b) {
		return a, i, false
	}
	switch q := b[j]; q {
	case '>':
		a.noValue = true
		return a, j, true
	case '"', '\'':
		j++
		from := j
		for j < len(b) && b[j] != q {
			j++
		}
		if j >= len(b) {
			return a, i, false
		}
		a.value, a.all.to = span{from, j}, j+1
		return a, j + 1, true
	}
	from := j
	for j < len(b) && !isSpace(b[j]) && b[j] != '>' {
		j++
	}
	a.value, a.all.to = span{from, j}, j
	return a, j, j < len(b)
}
