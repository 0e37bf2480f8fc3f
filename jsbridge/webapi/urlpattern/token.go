package urlpattern

import (
	"errors"
	"unicode"
)

type tokenKind int

const (
	tokOpen tokenKind = iota
	tokClose
	tokRegexp
	tokName
	tokChar
	tokEscaped
	tokModifier // + or ?
	tokAsterisk
	tokInvalid
	tokEnd
)

// token is a piece of a pattern. index is where it begins, in code points.
type token struct {
	kind  tokenKind
	index int
	value string
}

var errSyntax = errors.New("urlpattern: invalid pattern")

// tokenize splits a pattern (https://urlpattern.spec.whatwg.org/#tokenize-a-pattern-string).
// A lenient tokenizer makes invalid tokens where a strict one fails.
func tokenize(input []rune, lenient bool) ([]token, error) {
	tokens := make([]token, 0, len(input)+1)
	for i := 0; i < len(input); {
		t := token{index: i}
		next, ok := t.scan(input)
		if !ok {
			if !lenient {
				return nil, errSyntax
			}
			t.kind, t.value = tokInvalid, string(input[i:next])
		}
		tokens = append(tokens, t)
		i = next
	}
	return append(tokens, token{kind: tokEnd, index: len(input)}), nil
}

// scan reads one token and returns where the next begins.
func (t *token) scan(input []rune) (next int, ok bool) {
	i := t.index
	single := func(k tokenKind) (int, bool) {
		t.kind, t.value = k, string(input[i:i+1])
		return i + 1, true
	}
	switch input[i] {
	case '*':
		return single(tokAsterisk)
	case '+', '?':
		return single(tokModifier)
	case '{':
		return single(tokOpen)
	case '}':
		return single(tokClose)
	case '\\':
		if i == len(input)-1 {
			return i + 1, false
		}
		t.kind, t.value = tokEscaped, string(input[i+1:i+2])
		return i + 2, true
	case ':':
		j := i + 1
		for j < len(input) && isNameRune(input[j], j == i+1) {
			j++
		}
		t.kind, t.value = tokName, string(input[i+1:j])
		return j, j > i+1
	case '(':
		j, ok := scanRegexp(input, i+1)
		if !ok {
			return i + 1, false
		}
		t.kind, t.value = tokRegexp, string(input[i+1:j-1])
		return j, true
	}
	return single(tokChar)
}

// scanRegexp returns where the group that begins before start ends.
func scanRegexp(input []rune, start int) (end int, ok bool) {
	depth := 1
	for j := start; j < len(input); j++ {
		switch c := input[j]; {
		case c >= 0x80, j == start && c == '?':
			return 0, false
		case c == '\\':
			if j++; j >= len(input) || input[j] >= 0x80 {
				return 0, false
			}
		case c == ')':
			if depth--; depth == 0 {
				return j + 1, j > start
			}
		case c == '(':
			// Only groups that capture nothing may be nested.
			if depth++; j+1 >= len(input) || input[j+1] != '?' {
				return 0, false
			}
		}
	}
	return 0, false
}

// isNameRune tells whether c may be in the name of a group.
func isNameRune(c rune, first bool) bool {
	if c == '$' || c == '_' || unicode.IsLetter(c) || unicode.In(c, unicode.Nl, unicode.Other_ID_Start) {
		return !unicode.In(c, unicode.Pattern_Syntax) || c == '$' || c == '_'
	}
	if first {
		return false
	}
	return c == '\u200c' || c == '\u200d' || unicode.In(c, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue)
}
