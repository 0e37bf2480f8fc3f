package loader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Message is one finding of the bundler.
type Message struct {
	Text     string
	File     string // relative to Dir, or the module's name; "" if the finding has no place
	Line     int    // from 1
	Column   int    // from 1, in bytes
	LineText string // the line of the source, without its newline
	Notes    []string
}

// String gives "file:line:column: text".
func (m Message) String() string {
	if m.File == "" {
		return m.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Text)
}

// Error holds everything that was wrong with the modules of a build.
type Error struct {
	Messages []Message // at least one
}

// Error lists the messages, each with the line it speaks of and a mark below
// the column.
func (e *Error) Error() string {
	var b strings.Builder
	for i, m := range e.Messages {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(m.String())
		if m.LineText != "" {
			line := strings.ReplaceAll(m.LineText, "\t", " ")
			fmt.Fprintf(&b, "\n    %s\n    %s^", line, strings.Repeat(" ", max(0, min(m.Column-1, len(line)))))
		}
		for _, n := range m.Notes {
			b.WriteString("\n    note: " + n)
		}
	}
	return b.String()
}

// jsonError checks JSON text and says where it is wrong.
func jsonError(name string, data []byte) *Message {
	var v json.RawMessage
	err := json.Unmarshal(data, &v)
	if err == nil {
		return nil
	}
	m := &Message{Text: "invalid JSON: " + err.Error(), File: name, Line: 1, Column: 1}
	var se *json.SyntaxError
	if errors.As(err, &se) {
		off := max(0, min(int(se.Offset)-1, len(data)))
		start := bytes.LastIndexByte(data[:off], '\n') + 1
		m.Line += bytes.Count(data[:off], []byte{'\n'})
		m.Column = off - start + 1
		line := data[start:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		m.LineText = strings.TrimSuffix(string(line), "\r")
	}
	return m
}
