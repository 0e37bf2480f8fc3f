package htmlrewriter

import (
	"bytes"
	"strings"
)

// matcher finds the selectors that an element matches. Each compound of each
// selector has a bit; an element's bits say which heads of selectors end at it,
// and follow from its own tests and its ancestors' bits.
type matcher struct {
	compounds []compound
	first     []bool // the compound begins a chain
	owner     []int  // the handler whose selector the compound ends, or -1
}

func (m *matcher) add(sel selector, handler int) {
	for _, chain := range sel {
		for i, c := range chain {
			m.compounds = append(m.compounds, c)
			m.first = append(m.first, i == 0)
			owner := -1
			if i == len(chain)-1 {
				owner = handler
			}
			m.owner = append(m.owner, owner)
		}
	}
}

// bits of an element that is open.
type bits []uint64

func (b bits) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bits) set(i int)      { b[i>>6] |= 1 << (i & 63) }

// subject is the element that is being matched.
type subject struct {
	name      string
	attrs     []Attr
	nth, kind int // its number among its siblings, and among those of its name
}

// match fills exact and above (the union with the ancestors' bits) and calls
// hit for each handler; parent is nil for the outermost elements.
func (m *matcher) match(e *subject, parent *element, exact, above bits, hit func(handler int)) {
	clear(exact)
	clear(above)
	if parent != nil {
		copy(above, parent.above)
	}
	for i := range m.compounds {
		c := &m.compounds[i]
		if !m.first[i] {
			if parent == nil || c.child && !parent.exact.has(i-1) || !parent.above.has(i-1) {
				continue
			}
		}
		if !matchAll(c.tests, e) {
			continue
		}
		exact.set(i)
		if h := m.owner[i]; h >= 0 {
			hit(h)
		}
	}
	for i, w := range exact {
		above[i] |= w
	}
}

func matchAll(tests []test, e *subject) bool {
	for i := range tests {
		if !tests[i].match(e) {
			return false
		}
	}
	return true
}

func (t *test) match(e *subject) bool {
	switch t.kind {
	case testType:
		return e.name == t.name
	case testID:
		v, ok := attrValue(e.attrs, "id")
		return ok && v == t.value
	case testClass:
		v, _ := attrValue(e.attrs, "class")
		return hasWord(v, t.value)
	case testAttr:
		v, ok := attrValue(e.attrs, t.name)
		return ok && t.matchValue(v)
	case testNthChild:
		return isNth(t.a, t.b, e.nth)
	case testNthOfType:
		return isNth(t.a, t.b, e.kind)
	case testNot:
		for _, c := range t.not {
			if matchAll(c, e) {
				return false
			}
		}
		return true
	}
	return false
}

func (t *test) matchValue(v string) bool {
	want := t.value
	if t.op == 0 {
		return true
	}
	if t.fold {
		v, want = lowerASCII(v), lowerASCII(want)
	}
	switch t.op {
	case '=':
		return v == want
	case '~':
		return hasWord(v, want)
	case '|':
		return v == want || strings.HasPrefix(v, want+"-")
	}
	if want == "" {
		return false
	}
	switch t.op {
	case '^':
		return strings.HasPrefix(v, want)
	case '$':
		return strings.HasSuffix(v, want)
	}
	return strings.Contains(v, want)
}

func hasWord(list, word string) bool {
	for len(list) > 0 {
		n := strings.IndexAny(list, " \t\n\r\f")
		if n < 0 {
			return list == word
		}
		if n > 0 && list[:n] == word {
			return true
		}
		list = list[n+1:]
	}
	return false
}

// isNth tells whether n is a*k+b for a k that is not negative.
func isNth(a, b, n int) bool {
	if a == 0 {
		return n == b
	}
	return (n-b)%a == 0 && (n-b)/a >= 0
}

func attrValue(attrs []Attr, name string) (string, bool) {
	for i := range attrs {
		if attrs[i].Name == name {
			return attrs[i].Value, true
		}
	}
	return "", false
}

func lowerASCII(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = lowerByte(b[i])
			}
			return string(b)
		}
	}
	return s
}

// lowerName makes a name of a tag or an attribute.
func lowerName(b []byte) string {
	if bytes.IndexFunc(b, func(r rune) bool { return r >= 'A' && r <= 'Z' }) < 0 {
		return string(b)
	}
	return lowerASCII(string(b))
}
