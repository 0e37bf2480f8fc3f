package loader

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Without the flag u the characters of a pattern are UTF-16 code units, and classes
// of surrogates stand for parts of emoji: [\ud800-\udbff][\udc00-\udfff]. The
// engine's library for regular expressions takes two classes of a pattern for the
// same if they differ in surrogates alone, so the second behaves as the first.
//
// To tell them apart each gets a character of its own more, behind a look ahead
// that lets surrogates alone pass: [\udc00-\udfff] becomes
// (?:(?=[\ud800-\udfff])[\udc00-\udfff\u4e02]).

const (
	anySurrogate = `[\ud800-\udfff]`
	// firstMark is the first of the characters that mark a class, every second one
	// of a block without cases.
	firstMark = 0x4e00
	maxMarks  = 0x2800
)

// tellSurrogatesApart rewrites the classes with surrogates if there are several in
// a pattern.
func tellSurrogatesApart(src string) string {
	marks := map[string]int{}
	var out strings.Builder
	for i := 0; i < len(src); {
		switch src[i] {
		case '\\':
			n := min(2, len(src)-i)
			out.WriteString(src[i : i+n])
			i += n
			continue
		case '[':
			c, n := parseClass(src[i:])
			if n == 0 {
				return src
			}
			text := src[i : i+n]
			i += n
			if len(c.surrogates) == 0 {
				out.WriteString(text)
				continue
			}
			mark, ok := marks[text]
			if !ok {
				mark = len(marks)
				marks[text] = mark
			}
			out.WriteString(c.write(firstMark + 2*mark))
			continue
		}
		out.WriteByte(src[i])
		i++
	}
	if len(marks) < 2 || len(marks) > maxMarks {
		return src
	}
	return out.String()
}

// class is a character class of a pattern without the flag u.
type class struct {
	negated    bool
	surrogates [][2]int
	rest       string // what else is in it, as the inside of a class
}

func (c class) write(mark int) string {
	surrogates := "(?=" + anySurrogate + ")[" + unit(mark)
	for _, r := range c.surrogates {
		surrogates += unit(r[0]) + "-" + unit(r[1])
	}
	surrogates += "]"
	switch {
	case c.negated && c.rest == "":
		return `(?:(?!` + surrogates + `)[\s\S])`
	case c.negated:
		return `(?:(?!` + surrogates + `)[^` + c.rest + `])`
	case c.rest == "":
		return `(?:` + surrogates + `)`
	}
	return `(?:[` + c.rest + `]|` + surrogates + `)`
}

func unit(u int) string { return fmt.Sprintf(`\u%04x`, u) }

// add puts a range of code units into the class.
func (c *class) add(lo, hi int) {
	const first, last = 0xd800, 0xdfff
	plain := func(lo, hi int) {
		if lo <= hi {
			c.rest += unit(lo) + "-" + unit(hi)
		}
	}
	if hi < first || lo > last || lo < first && hi > last {
		plain(lo, hi) // no surrogate is an end of it
		return
	}
	plain(lo, min(hi, first-1))
	c.surrogates = append(c.surrogates, [2]int{max(lo, first), min(hi, last)})
	plain(max(lo, last+1), hi)
}

// atom is a member of a class: a code unit or, if text is set, an escape that
// stands for several.
type atom struct {
	unit int
	text string
	dash bool // a hyphen that may make a range
}

// parseClass reads the class that a pattern starts with and says how long it is; 0
// if it is none, or one with an escape whose meaning is not plain.
func parseClass(src string) (class, int) {
	var c class
	i := 1
	if strings.HasPrefix(src[i:], "^") {
		c.negated = true
		i++
	}
	var atoms []atom
	for {
		switch {
		case i >= len(src):
			return class{}, 0
		case src[i] == ']':
			return c.fill(atoms), i + 1
		case src[i] == '\\':
			a, n := classEscape(src[i:])
			if n == 0 {
				return class{}, 0
			}
			atoms = append(atoms, a)
			i += n
		default:
			r, n := utf8.DecodeRuneInString(src[i:])
			i += n
			if r > 0xffff {
				high, low := utf16.EncodeRune(r)
				atoms = append(atoms, atom{unit: int(high)}, atom{unit: int(low)})
				continue
			}
			atoms = append(atoms, atom{unit: int(r), dash: r == '-'})
		}
	}
}

// fill makes the class of its atoms.
func (c class) fill(atoms []atom) class {
	for i := 0; i < len(atoms); i++ {
		a := atoms[i]
		switch {
		case i+2 < len(atoms) && atoms[i+1].dash && a.text == "" && atoms[i+2].text == "":
			if a.unit > atoms[i+2].unit {
				return class{} // an error, which the engine is to find
			}
			c.add(a.unit, atoms[i+2].unit)
			i += 2
		case a.text != "":
			c.rest += a.text
		default:
			c.add(a.unit, a.unit)
		}
	}
	return c
}

// classEscape reads the escape that a text starts with.
func classEscape(src string) (atom, int) {
	if len(src) < 2 {
		return atom{}, 0
	}
	hex := func(digits int) (atom, int) {
		if len(src) < 2+digits {
			return atom{}, 0
		}
		n, err := strconv.ParseUint(src[2:2+digits], 16, 32)
		if err != nil {
			return atom{}, 0
		}
		return atom{unit: int(n)}, 2 + digits
	}
	switch src[1] {
	case 'u':
		return hex(4)
	case 'x':
		return hex(2)
	case 'd', 'D', 'w', 'W', 's', 'S':
		return atom{text: src[:2]}, 2
	case 'b':
		return atom{unit: '\b'}, 2
	case 'f':
		return atom{unit: '\f'}, 2
	case 'n':
		return atom{unit: '\n'}, 2
	case 'r':
		return atom{unit: '\r'}, 2
	case 't':
		return atom{unit: '\t'}, 2
	case 'v':
		return atom{unit: '\v'}, 2
	case '0':
		if len(src) > 2 && src[2] >= '0' && src[2] <= '9' {
			return atom{}, 0
		}
		return atom{unit: 0}, 2
	case 'c', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return atom{}, 0
	}
	r, n := utf8.DecodeRuneInString(src[1:])
	if r > 0xffff {
		return atom{}, 0
	}
	return atom{unit: int(r)}, 1 + n
}
