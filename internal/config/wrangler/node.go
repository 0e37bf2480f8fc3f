// Package wrangler reads wrangler configuration files
// (https://developers.cloudflare.com/workers/wrangler/configuration/): JSON with
// comments and trailing commas, and TOML. It knows which fields there are, what
// type each has, and which of them a named environment inherits. What the
// fields mean is not its business.
package wrangler

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/durashim/durashim/internal/config/source"
)

// Kind is the type of a Node.
type Kind int

// The kinds of Node. A TOML date or time is a String.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String names the kind with its article, as error messages want it.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// Node is a value of a JSON or TOML document together with its place.
type Node struct {
	Kind Kind
	Pos  source.Pos
	// Text is the value of a String, or the JSON text of a Number.
	Text string
	// Bool is the value of a Bool.
	Bool    bool
	Items   []*Node
	Members []*Member
}

// Member is one member of an Object, in the order of the file.
type Member struct {
	Name string
	// Pos is the place of the name.
	Pos   source.Pos
	Value *Node
}

// Get returns the value of a member, or nil if n is nil, is not an Object, or
// has no such member.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	for _, m := range n.Members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// JSON returns the value as compact JSON text, members in the order of the file.
func (n *Node) JSON() string {
	var b strings.Builder
	n.writeJSON(&b)
	return b.String()
}

func (n *Node) writeJSON(b *strings.Builder) {
	switch n.Kind {
	case Null:
		b.WriteString("null")
	case Bool:
		if n.Bool {
			b.WriteString("true")
		} else {
			b.WriteString("false")
		}
	case Number:
		b.WriteString(n.Text)
	case String:
		writeString(b, n.Text)
	case Array:
		b.WriteByte('[')
		for i, item := range n.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.writeJSON(b)
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i, m := range n.Members {
			if i > 0 {
				b.WriteByte(',')
			}
			writeString(b, m.Name)
			b.WriteByte(':')
			m.Value.writeJSON(b)
		}
		b.WriteByte('}')
	}
}

// writeString writes a JSON string without the HTML escapes that encoding/json
// adds by default, since the text is shown to JavaScript as it is.
func writeString(b *strings.Builder, s string) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string always encodes
	}
	b.Write(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
}
