package govalue

import (
	"fmt"
	"strconv"
	"strings"
)

// PathError reports a value that cannot be encoded or decoded, with its place.
type PathError struct {
	Path   string // such as ".items[3].name"; "" is the value itself
	Reason string
	Err    error // of a hook; nil for none
}

// Unwrap returns the error of the hook.
func (e *PathError) Unwrap() error { return e.Err }

func (e *PathError) Error() string {
	at := ""
	if e.Path != "" {
		at = "at " + e.Path + ": "
	}
	return "value: " + at + e.Reason
}

// path is the way from the outermost value; it is made into text only when an
// error needs it.
type path struct {
	up    *path
	name  string
	index int
}

func (p *path) field(name string) *path { return &path{up: p, name: name, index: -1} }
func (p *path) at(i int) *path          { return &path{up: p, index: i} }

func (p *path) String() string {
	var parts []string
	for ; p != nil; p = p.up {
		switch {
		case p.index >= 0:
			parts = append(parts, "["+strconv.Itoa(p.index)+"]")
		case isIdentifier(p.name):
			parts = append(parts, "."+p.name)
		default:
			parts = append(parts, "["+strconv.Quote(p.name)+"]")
		}
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
	}
	return b.String()
}

func isIdentifier(s string) bool {
	for i, r := range s {
		letter := r == '_' || r == '$' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// wrap gives an error its place.
func (p *path) wrap(err error) error {
	return &PathError{Path: p.String(), Reason: err.Error(), Err: err}
}

func (p *path) errorf(format string, args ...any) error {
	return &PathError{Path: p.String(), Reason: fmt.Sprintf(format, args...)}
}
