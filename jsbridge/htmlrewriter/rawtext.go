package htmlrewriter

import "bytes"

// closing looks at "</" in raw text. It is the end tag that ends the text (tag
// is true), or needs more input (wait), or is text of n bytes.
func (z *tokenizer) closing() (n int, tag, wait bool) {
	b := z.buf
	n = 2
	for n < len(b) && isLetter(b[n]) {
		n++
	}
	if n == len(b) && !z.eof {
		return n, false, true
	}
	if n == len(b) {
		return n, false, false
	}
	if n-2 == len(z.end) && hasPrefixFold(b[2:], z.end) {
		if c := b[n]; isSpace(c) || c == '/' || c == '>' {
			return n, true, false
		}
	}
	return n, false, false
}

// endOfText reads the end tag of a raw text.
func (z *tokenizer) endOfText() (token, bool) {
	t, ok := z.tag(tokenEnd)
	if ok {
		z.mode, z.script = modeData, scriptData
	}
	return t, ok
}

// rawText reads the text of title, textarea, style and their like.
func (z *tokenizer) rawText() (token, bool) {
	b := z.buf
	if b[0] != '<' {
		n := bytes.IndexByte(b, '<')
		if n < 0 {
			n = len(b)
		}
		return z.take(tokenText, n), true
	}
	if len(b) == 1 && !z.eof {
		return token{}, false
	}
	if len(b) == 1 || b[1] != '/' {
		return z.take(tokenText, 1), true
	}
	switch n, tag, wait := z.closing(); {
	case wait:
		return token{}, false
	case tag:
		return z.endOfText()
	default:
		return z.take(tokenText, n), true
	}
}

// scriptState is a state of the tokenizer in a script
// (https://html.spec.whatwg.org/multipage/parsing.html#script-data-state and
// those after it).
type scriptState uint8

const (
	scriptData scriptState = iota
	scriptEscapeStart
	scriptEscapeStartDash
	scriptEscaped
	scriptEscapedDash
	scriptEscapedDashDash
	scriptDouble
	scriptDoubleDash
	scriptDoubleDashDash
)

// scanScript reads the text of a script. A text ends before each '<', and
// before the '>' that ends an escape.
func (z *tokenizer) scanScript() (token, bool) {
	b := z.buf
	i := 0
	for i < len(b) {
		c := b[i]
		switch s := z.script; s {
		case scriptEscapeStart, scriptEscapeStartDash:
			if c != '-' {
				z.script = scriptData
				if i > 0 {
					return z.take(tokenText, i), true
				}
				continue
			}
			if s == scriptEscapeStart {
				z.script = scriptEscapeStartDash
			} else {
				z.script = scriptEscapedDashDash
			}
			i++
			continue
		}
		if c == '<' {
			if i > 0 {
				return z.take(tokenText, i), true
			}
			n, t, state := z.scriptLess()
			switch state {
			case lessWait:
				return token{}, false
			case lessTag:
				return z.endOfText()
			case lessAlone:
				return z.take(t, n), true
			}
			i = n
			continue
		}
		switch z.script {
		case scriptData:
			n := bytes.IndexByte(b[i:], '<')
			if n < 0 {
				n = len(b) - i
			}
			i += n
			continue
		case scriptEscapedDashDash, scriptDoubleDashDash:
			if c == '>' {
				z.script = scriptData
				if i > 0 {
					return z.take(tokenText, i), true
				}
				continue
			}
			if c != '-' {
				z.script -= 2
			}
		case scriptEscapedDash, scriptDoubleDash:
			if c == '-' {
				z.script++
			} else {
				z.script--
			}
		default:
			if c == '-' {
				z.script++
			}
		}
		i++
	}
	return z.take(tokenText, i), true
}

type lessKind uint8

const (
	lessWait  lessKind = iota // more input is needed
	lessTag                   // the end tag of the script
	lessAlone                 // n bytes are a text of their own
	lessGoOn                  // n bytes begin a text
)

// scriptLess looks at the '<' that b begins with.
func (z *tokenizer) scriptLess() (n int, kind tokenKind, state lessKind) {
	b := z.buf
	if len(b) == 1 {
		if z.eof {
			return 1, tokenText, lessAlone
		}
		return 0, tokenText, lessWait
	}
	double := z.script >= scriptDouble
	switch c := b[1]; {
	case c == '/' && !double:
		n, tag, wait := z.closing()
		switch {
		case wait:
			return 0, tokenText, lessWait
		case tag:
			return n, tokenText, lessTag
		}
		if z.script != scriptData {
			z.script = scriptEscaped
		}
		return n, tokenText, lessAlone
	case c == '!' && z.script == scriptData:
		z.script = scriptEscapeStart
		return 2, tokenText, lessGoOn
	case z.script >= scriptEscaped && !double && isLetter(c):
		return z.scriptWord(1, scriptDouble, scriptEscaped)
	case double && c == '/':
		return z.scriptWord(2, scriptEscaped, scriptDouble)
	case double:
		z.script = scriptDouble
		return 1, tokenText, lessGoOn
	}
	if z.script != scriptData {
		z.script = scriptEscaped
	}
	return 1, tokenText, lessAlone
}

// scriptWord reads a word that changes the state if it is "script".
func (z *tokenizer) scriptWord(from int, yes, no scriptState) (n int, kind tokenKind, state lessKind) {
	const word = "script"
	b := z.buf
	for n = from; n < from+len(word); n++ {
		if n < len(b) && lowerByte(b[n]) == word[n-from] {
			continue
		}
		switch {
		case n >= len(b) && !z.eof:
			return 0, tokenText, lessWait
		case no == scriptDouble:
			z.script = no
			return n, tokenText, lessGoOn
		}
		z.script = no
		return 1, tokenText, lessAlone
	}
	if n >= len(b) && !z.eof {
		return 0, tokenText, lessWait
	}
	z.script = no
	if n < len(b) && (isSpace(b[n]) || b[n] == '/' || b[n] == '>') {
		z.script = yes
		n++
	}
	return n, tokenText, lessGoOn
}
