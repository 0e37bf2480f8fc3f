package httpmsg

import (
	"net/http"
	"sort"
	"strings"
)

// Field is one header line: a name as it was written and its value.
type Field struct {
	Name  string
	Value string
}

// Header is an ordered list of header lines. Duplicates are kept: Set-Cookie
// lines must not be folded together, and the order within a name is part of
// the meaning of the message (RFC 9110, section 5.3).
//
// The zero value is an empty list. A Header is not safe for concurrent writes.
type Header []Field

// Get returns all values of name joined by ", ", as the Fetch standard's
// "get" does (https://fetch.spec.whatwg.org/#concept-header-list-get), and
// whether there is at least one line. Names compare without regard to case.
func (h Header) Get(name string) (string, bool) {
	first, n := "", 0
	for i := range h {
		if strings.EqualFold(h[i].Name, name) {
			if n == 0 {
				first = h[i].Value
			}
			n++
		}
	}
	if n < 2 {
		return first, n == 1
	}
	return strings.Join(h.Values(name), ", "), true
}

// Values returns the value of each line called name, in order.
func (h Header) Values(name string) []string {
	var out []string
	for i := range h {
		if strings.EqualFold(h[i].Name, name) {
			out = append(out, h[i].Value)
		}
	}
	return out
}

// Has tells whether a line called name exists.
func (h Header) Has(name string) bool {
	for i := range h {
		if strings.EqualFold(h[i].Name, name) {
			return true
		}
	}
	return false
}

// Add appends a line.
func (h *Header) Add(name, value string) {
	*h = append(*h, Field{name, value})
}

// Set gives the first line called name the value and removes the others, or
// appends a line if there is none
// (https://fetch.spec.whatwg.org/#concept-header-list-set). The name keeps the
// spelling it was first written with.
func (h *Header) Set(name, value string) {
	for i := range *h {
		if strings.EqualFold((*h)[i].Name, name) {
			(*h)[i].Value = value
			rest := (*h)[i+1:]
			kept := rest[:0]
			for _, f := range rest {
				if !strings.EqualFold(f.Name, name) {
					kept = append(kept, f)
				}
			}
			*h = (*h)[:i+1+len(kept)]
			return
		}
	}
	h.Add(name, value)
}

// Del removes every line called name.
func (h *Header) Del(name string) {
	kept := (*h)[:0]
	for _, f := range *h {
		if !strings.EqualFold(f.Name, name) {
			kept = append(kept, f)
		}
	}
	*h = kept
}

// Clone returns a copy that shares no storage with h.
func (h Header) Clone() Header {
	if h == nil {
		return nil
	}
	return append(make(Header, 0, len(h)), h...)
}

// ToHTTP writes the lines into dst, which net/http keys by canonical name.
// The order within a name is kept; the order between names is lost because
// net/http has none.
func (h Header) ToHTTP(dst http.Header) {
	for _, f := range h {
		dst.Add(f.Name, f.Value)
	}
}

// HeaderFromHTTP converts a net/http header. net/http does not remember the
// order between names, so they come out sorted: the same input must always
// give the same message.
func HeaderFromHTTP(src http.Header) Header {
	names := make([]string, 0, len(src))
	total := 0
	for name, values := range src {
		names = append(names, name)
		total += len(values)
	}
	sort.Strings(names)
	out := make(Header, 0, total)
	for _, name := range names {
		for _, value := range src[name] {
			out = append(out, Field{name, value})
		}
	}
	return out
}
