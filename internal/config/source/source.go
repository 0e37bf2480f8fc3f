// Package source holds what both configuration formats need to speak about
// places in a file: positions, errors that carry one, and suggestions for a
// misspelt name.
package source

import (
	"fmt"
	"sort"
	"unicode/utf8"
)

// Pos is a place in a configuration file. The zero Pos means "no place", for a
// value that no file states (a default, say).
type Pos struct {
	// File is the path of the file, as it was opened.
	File string
	// Line and Col count from 1; Col counts bytes, as compilers do, so that an
	// editor finds the place. Zero when only the file is known.
	Line, Col int
}

// IsValid reports whether p names a place.
func (p Pos) IsValid() bool { return p.File != "" || p.Line > 0 }

// String formats p as file:line:col, the form that editors and terminals turn
// into a link. A Pos without a line is the file alone, and the zero Pos is "-".
func (p Pos) String() string {
	switch {
	case p.Line > 0 && p.File != "":
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
	case p.Line > 0:
		return fmt.Sprintf("%d:%d", p.Line, p.Col)
	case p.File != "":
		return p.File
	}
	return "-"
}

// Error is a problem at one place of a configuration file.
type Error struct {
	Pos Pos
	Msg string
	// Err is the cause, if the problem came from elsewhere (a file that cannot
	// be read, say). Nil otherwise.
	Err error
}

// Error formats the problem as "file:line:col: message".
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// Unwrap returns the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error at p. If one of the arguments is an error, it becomes
// the cause.
func Errorf(p Pos, format string, args ...any) *Error {
	e := &Error{Pos: p, Msg: fmt.Sprintf(format, args...)}
	for _, a := range args {
		if err, ok := a.(error); ok {
			e.Err = err
		}
	}
	return e
}

// File turns byte offsets of one file's text into positions. It is read-only
// after NewFile and may be used by several goroutines.
type File struct {
	name  string
	lines []int // offset of the first byte of each line
}

// NewFile indexes the lines of text.
func NewFile(name string, text []byte) *File {
	f := &File{name: name, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Pos returns the position of a byte offset.
func (f *File) Pos(offset int) Pos {
	line := sort.SearchInts(f.lines, offset+1)
	return Pos{File: f.name, Line: line, Col: offset - f.lines[line-1] + 1}
}

// maxName bounds the names, in bytes, that Suggest works on: the comparison
// takes time by the product of the lengths.
const maxName = 100

// Suggest returns the candidate closest to name, or "" if none is close enough
// to be a likely misspelling: at most a third of the letters, and never more
// than three, may differ. Ties go to the candidate that comes first.
func Suggest(name string, candidates []string) string {
	if len(name) > maxName {
		return ""
	}
	limit := min(utf8.RuneCountInString(name)/3, 3)
	best, bestDist := "", limit+1
	for _, c := range candidates {
		if d := distance(name, c); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
}

// DidYouMean is Suggest as the tail of a message: ` (did you mean "x"?)`, or
// nothing.
func DidYouMean(name string, candidates []string) string {
	if s := Suggest(name, candidates); s != "" {
		return fmt.Sprintf(" (did you mean %q?)", s)
	}
	return ""
}

// distance counts insertions, deletions, replacements and swaps of neighbours
// (optimal string alignment), the usual typing errors.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d > 3 || d < -3 {
		return 4 // beyond every limit; spares work on absurd names
	}
	prev2 := make([]int, len(y)+1)
	prev := make([]int, len(y)+1)
	cur := make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(y)]
}
