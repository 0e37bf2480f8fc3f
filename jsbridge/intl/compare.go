package intl

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// collator orders strings as a Collator's options say.
type collator struct {
	base, accent, variant *collate.Collator
	sensitivity           string
	upperFirst, noPunct   bool
}

func newCollator(sensitivity, caseFirst string, numericOrder, ignorePunctuation bool) *collator {
	opts := func(o ...collate.Option) *collate.Collator {
		if numericOrder {
			o = append(o, collate.Numeric)
		}
		return collate.New(language.Und, o...)
	}
	return &collator{
		base:        opts(collate.IgnoreCase, collate.IgnoreDiacritics),
		accent:      opts(collate.IgnoreCase),
		variant:     opts(),
		sensitivity: sensitivity,
		upperFirst:  caseFirst == "upper",
		noPunct:     ignorePunctuation,
	}
}

func (c *collator) compare(a, b string) int {
	if a == b {
		return 0
	}
	if c.noPunct {
		drop := func(r rune) rune {
			if unicode.IsPunct(r) || unicode.IsSpace(r) {
				return -1
			}
			return r
		}
		a, b = strings.Map(drop, a), strings.Map(drop, b)
	}
	a, b = norm.NFD.String(a), norm.NFD.String(b)
	if x := c.base.CompareString(a, b); x != 0 || c.sensitivity == "base" {
		return x
	}
	if c.sensitivity != "case" {
		if x := c.accent.CompareString(a, b); x != 0 || c.sensitivity == "accent" {
			return x
		}
		x := c.variant.CompareString(a, b)
		if c.upperFirst {
			return -x
		}
		return x
	}
	// The case of the letters counts, the marks on them do not.
	strip := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, s)
	}
	return c.variant.CompareString(strip(a), strip(b))
}

// segments returns the pieces of a text, and for words which of them are words.
func segments(text, granularity string) (pieces []string, words []bool) {
	state := -1
	for len(text) > 0 {
		var piece string
		switch granularity {
		case "word":
			piece, text, state = uniseg.FirstWordInString(text, state)
			for piece != "" {
				head := beforeStop(piece)
				pieces, words, piece = append(pieces, head), append(words, isWord(head)), piece[len(head):]
			}
			continue
		case "sentence":
			piece, text, state = uniseg.FirstSentenceInString(text, state)
		default:
			piece, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		}
		pieces = append(pieces, piece)
	}
	return pieces, words
}

func isWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// beforeStop cuts a word where a full stop or a colon stands after a letter: ICU
// does not keep words together there, as UAX #29 does.
func beforeStop(s string) string {
	var last rune
	for i, r := range s {
		if r == '.' || r == ':' {
			if i == 0 {
				return s[:1]
			}
			if unicode.IsLetter(last) {
				return s[:i]
			}
		}
		last = r
	}
	return s
}
