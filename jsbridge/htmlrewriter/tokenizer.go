package htmlrewriter

import "bytes"

type tokenKind uint8

const (
	tokenText tokenKind = iota
	tokenStart
	tokenEnd
	tokenComment
	tokenDoctype
	tokenRaw // markup that no handler sees: "</>", an unfinished tag at the end
)

// A span is a part of a token's bytes.
type span struct{ from, to int }

func (s span) of(b []byte) []byte { return b[s.from:s.to] }

// attrSpan is an attribute in a start tag. all reaches from the name to the end
// of the value with its quotes.
type attrSpan struct {
	name, value, all span
	noValue          bool // the tag ended after '='
}

// token is a lexeme. raw aliases the tokenizer's buffer: it is valid until the
// next call of write.
type token struct {
	kind        tokenKind
	raw         []byte
	name        span // of a tag
	attrs       []attrSpan
	selfClosing bool
	text        span // of a comment
	// what the tree makes of a start tag, once it was asked
	treed bool
	mode  textMode
	ns    namespace
}

// textMode says how text is read after a start tag
// (https://html.spec.whatwg.org/multipage/parsing.html#parsing-html-fragments).
type textMode uint8

const (
	modeData textMode = iota
	modeRCDATA
	modeRawText
	modeScript
	modePlainText
	modeCDATA
)

// tokenizer cuts HTML into tokens. It keeps the bytes of a token that is not
// complete yet; a text is handed out as far as it goes.
type tokenizer struct {
	buf  []byte
	eof  bool
	mode textMode
	// end is the lower-case name of the end tag that ends the text mode.
	end string
	// script is the state inside a script (see scanScript).
	script scriptState
	// foreign tells whether CDATA sections exist here.
	foreign bool
	// stuck says that buf starts with markup that needs a '>' which no byte so
	// far is. It spares looking through a long tag again for each chunk.
	stuck bool
	again *token // given back
	attrs []attrSpan
}

// write adds input. The tokens handed out before become invalid.
func (z *tokenizer) write(p []byte) {
	if z.stuck && bytes.IndexByte(p, '>') >= 0 {
		z.stuck = false
	}
	z.buf = append(z.buf, p...)
}

// unread gives back the token that next has just returned.
func (z *tokenizer) unread(t token) { z.again = &t }

// take cuts n bytes off as a token.
func (z *tokenizer) take(kind tokenKind, n int) token {
	t := token{kind: kind, raw: z.buf[:n:n]}
	z.buf = z.buf[n:]
	return t
}

// next returns the next token; ok is false when it needs more input.
func (z *tokenizer) next() (t token, ok bool) {
	if z.again != nil {
		t, z.again = *z.again, nil
		return t, true
	}
	if len(z.buf) == 0 || z.stuck && !z.eof {
		return token{}, false
	}
	switch z.mode {
	case modePlainText:
		return z.take(tokenText, len(z.buf)), true
	case modeCDATA:
		return z.cdata()
	case modeScript:
		return z.scanScript()
	case modeRCDATA, modeRawText:
		return z.rawText()
	}
	if z.buf[0] != '<' {
		n := bytes.IndexByte(z.buf, '<')
		if n < 0 {
			n = len(z.buf)
		}
		return z.take(tokenText, n), true
	}
	return z.markup()
}

// markup reads what begins with '<' outside of raw text.
func (z *tokenizer) markup() (token, bool) {
	if len(z.buf) == 1 {
		if z.eof {
			return z.take(tokenText, 1), true
		}
		return token{}, false
	}
	switch c := z.buf[1]; {
	case isLetter(c):
		return z.tag(tokenStart)
	case c == '!':
		return z.declaration()
	case c == '?':
		return z.bogus(1)
	case c == '/':
		if len(z.buf) == 2 {
			if z.eof {
				return z.take(tokenText, 2), true
			}
			return token{}, false
		}
		switch c := z.buf[2]; {
		case isLetter(c):
			return z.tag(tokenEnd)
		case c == '>':
			return z.take(tokenRaw, 3), true
		}
		return z.bogus(2)
	}
	return z.take(tokenText, 1), true
}

// incomplete answers for markup that has not ended: at the end of the input
// nothing is made of it.
func (z *tokenizer) incomplete() (token, bool) {
	if z.eof {
		return z.take(tokenRaw, len(z.buf)), true
	}
	z.stuck = bytes.IndexByte(z.buf, '>') < 0
	return token{}, false
}

// bogus reads a comment that begins without dashes.
func (z *tokenizer) bogus(skip int) (token, bool) {
	n := bytes.IndexByte(z.buf, '>')
	if n < 0 {
		if !z.eof {
			return z.incomplete()
		}
		t := z.take(tokenComment, len(z.buf))
		t.text = span{skip, len(t.raw)}
		return t, true
	}
	t := z.take(tokenComment, n+1)
	t.text = span{skip, n}
	return t, true
}

// declaration reads what begins with "<!".
func (z *tokenizer) declaration() (token, bool) {
	switch rest := z.buf[2:]; {
	case hasPrefixFold(rest, "--"):
		return z.comment()
	case hasPrefixFold(rest, "doctype"):
		n := bytes.IndexByte(z.buf, '>')
		if n < 0 {
			if !z.eof {
				return z.incomplete()
			}
			return z.take(tokenDoctype, len(z.buf)), true
		}
		return z.take(tokenDoctype, n+1), true
	case z.foreign && bytes.HasPrefix(rest, []byte("[CDATA[")):
		z.mode = modeCDATA
		return z.take(tokenRaw, 9), true
	case !z.eof && (couldBe(rest, "--") || couldBe(rest, "doctype") || z.foreign && couldBe(rest, "[CDATA[")):
		return token{}, false
	}
	return z.bogus(2)
}

func (z *tokenizer) comment() (token, bool) {
	const open = 4 // "<!--"
	done := func(textEnd, n int) (token, bool) {
		t := z.take(tokenComment, n)
		t.text = span{open, max(textEnd, open)}
		return t, true
	}
	b := z.buf
	for i := open; ; i++ {
		n := bytes.IndexByte(b[i:], '>')
		if n < 0 {
			break
		}
		i += n
		head := b[open:i]
		switch {
		case len(head) == 0, len(head) == 1 && head[0] == '-':
			return done(open, i+1)
		case bytes.HasSuffix(head, []byte("--")):
			return done(i-2, i+1)
		case bytes.HasSuffix(head, []byte("--!")):
			return done(i-3, i+1)
		}
	}
	if !z.eof {
		return z.incomplete()
	}
	end := len(b)
	for _, tail := range []string{"--!", "--", "-"} {
		if bytes.HasSuffix(b[open:], []byte(tail)) {
			end -= len(tail)
			break
		}
	}
	return done(end, len(b))
}

// cdata reads text up to "]]>".
func (z *tokenizer) cdata() (token, bool) {
	switch n := bytes.Index(z.buf, []byte("]]>")); {
	case n == 0:
		z.mode = modeData
		return z.take(tokenRaw, 3), true
	case n > 0:
		return z.take(tokenText, n), true
	}
	n := len(z.buf)
	if !z.eof {
		for k := 2; k > 0; k-- {
			if bytes.HasSuffix(z.buf, []byte("]]")[:k]) {
				n -= k
				break
			}
		}
	}
	if n == 0 {
		return token{}, false
	}
	return z.take(tokenText, n), true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func hasPrefixFold(b []byte, lower string) bool {
	return len(b) >= len(lower) && couldBe(b[:len(lower)], lower)
}

// couldBe tells whether b is a prefix of the word, in any case.
func couldBe(b []byte, lower string) bool {
	if len(b) > len(lower) {
		return false
	}
	for i, c := range b {
		if lowerByte(c) != lower[i] {
			return false
		}
	}
	return true
}
