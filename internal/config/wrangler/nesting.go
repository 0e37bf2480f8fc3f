package wrangler

import (
	"bytes"

	"github.com/durashim/durashim/internal/config/source"
)

// maxDepth bounds how deep objects, arrays and dotted keys nest. Both parsers
// recurse without a limit of their own, and Go cannot recover from a stack that
// is exhausted.
const maxDepth = 200

// checkNesting returns an error if the text nests deeper than maxDepth. It needs
// only a rough idea of the syntax: strings and comments, in which brackets do not
// count. Where it loses track of an invalid document, the parser has stopped.
func checkNesting(file *source.File, text []byte, toml bool) error {
	depth, dots := 0, 0
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch c := text[i]; {
		case c == '"' || toml && c == '\'':
			i += stringLen(rest, toml) - 1
		case toml && c == '#' || !toml && bytes.HasPrefix(rest, []byte("//")):
			i += until(rest, "\n") - 1
			dots = 0
		case !toml && bytes.HasPrefix(rest, []byte("/*")):
			i += 2 + until(rest[2:], "*/") - 1
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth = max(depth-1, 0)
		case toml && c == '.':
			dots++
		case c == '\n':
			dots = 0
		}
		if depth+dots > maxDepth {
			return source.Errorf(file.Pos(min(i, len(text))), "the file nests deeper than %d levels", maxDepth)
		}
	}
	return nil
}

// until returns the offset behind the first occurrence of token, or the length
// of text if there is none.
func until(text []byte, token string) int {
	if i := bytes.Index(text, []byte(token)); i >= 0 {
		return i + len(token)
	}
	return len(text)
}

// stringLen returns the length of the string literal that text begins with.
func stringLen(text []byte, toml bool) int {
	delim := text[:1]
	if triple := bytes.Repeat(delim, 3); toml && bytes.HasPrefix(text, triple) {
		delim = triple
	}
	for i := len(delim); i < len(text); i++ {
		if text[i] == '\\' && text[0] == '"' {
			i++
		} else if bytes.HasPrefix(text[i:], delim) {
			return i + len(delim)
		}
	}
	return len(text)
}
