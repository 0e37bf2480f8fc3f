// Package valuetext writes values in structured-clone format as JavaScript
// literals for people.
package valuetext

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/durashim/durashim/internal/structclone"
)

// Host reads the payload of an object of the platform and returns its text;
// false means that it has none and the payload was not read.
type Host func(r *structclone.Reader, tag uint32) (text string, ok bool)

// maxDepth limits the nesting that is looked into.
const maxDepth = 100

// Arguments writes the arguments of a call (an array in structured-clone format),
// cut at about max bytes. It never fails: what it cannot show becomes "...".
func Arguments(args []byte, max int) string {
	if args == nil {
		return ""
	}
	var r structclone.Reader
	if r.Reset(args, maxDepth) != nil {
		return "..."
	}
	p := printer{r: &r, max: max}
	var t structclone.Token
	if r.Next(&t) != nil || t.Kind != structclone.KindDenseArray {
		return "..."
	}
	p.items(int(t.Int))
	if p.full {
		return p.b.String() + "..."
	}
	return p.b.String()
}

// Value writes one value as [Arguments] does; nil is undefined. host may be nil.
func Value(data []byte, max int, host Host) string {
	var r structclone.Reader
	if data == nil {
		return "undefined"
	}
	if r.Reset(data, maxDepth) != nil {
		return "..."
	}
	p := printer{r: &r, max: max, host: host}
	p.value()
	if p.full {
		return p.b.String() + "..."
	}
	return p.b.String()
}

type printer struct {
	r    *structclone.Reader
	host Host
	b    strings.Builder
	max  int
	full bool // the text was cut, or the rest cannot be read
}

func (p *printer) add(s string) {
	if p.full {
		return
	}
	if p.b.Len()+len(s) > p.max {
		p.full = true
		return
	}
	p.b.WriteString(s)
}

// items prints the elements of an array whose start has been read, and reads its
// end.
func (p *printer) items(n int) {
	for i := 0; i < n && !p.full; i++ {
		if i > 0 {
			p.add(", ")
		}
		p.value()
	}
	p.rest(n)
}

// rest reads keys and values up to the end of an object, of which some entries
// have been printed.
func (p *printer) rest(printed int) {
	var t structclone.Token
	for !p.full {
		if p.r.Next(&t) != nil {
			p.full = true
			return
		}
		if t.Kind == structclone.KindEnd {
			return
		}
		if printed > 0 {
			p.add(", ")
		}
		printed++
		if t.Kind == structclone.KindString {
			p.key(p.start(t.Str))
		} else {
			p.token(&t)
		}
		p.add(": ")
		p.value()
	}
}

func (p *printer) value() {
	var t structclone.Token
	if p.full {
		return
	}
	if p.r.Next(&t) != nil {
		p.full = true
		return
	}
	p.token(&t)
}

func (p *printer) token(t *structclone.Token) {
	switch t.Kind {
	case structclone.KindUndefined:
		p.add("undefined")
	case structclone.KindNull:
		p.add("null")
	case structclone.KindHole:
	case structclone.KindBool:
		p.add(strconv.FormatBool(t.Bool))
	case structclone.KindInt:
		p.add(strconv.FormatInt(t.Int, 10))
	case structclone.KindDouble:
		p.add(jsNumber(t.Num))
	case structclone.KindBigInt:
		if t.Big.BitLen() > 4*p.max {
			p.full = true // more digits than fit; they would be slow to compute
			return
		}
		p.add(t.Big.String() + "n")
	case structclone.KindString:
		p.text(p.start(t.Str))
	case structclone.KindDenseArray:
		p.add("[")
		p.items(int(t.Int))
		p.add("]")
	case structclone.KindObject:
		p.add("{")
		p.rest(0)
		p.add("}")
	case structclone.KindRegExp:
		flags, _ := structclone.RegExpFlagString(uint32(t.Int))
		p.add("/" + p.start(t.Str) + "/" + flags)
	case structclone.KindArrayBuffer:
		p.add(fmt.Sprintf("ArrayBuffer(%d)", len(t.Bytes)))
	case structclone.KindView:
		p.add(t.View.Type.Name())
		if n := t.View.Type.ElementSize(); n > 0 && !t.View.LengthTracking {
			p.add(fmt.Sprintf("(%d)", int(t.View.Length)/n))
		}
	case structclone.KindDate:
		p.date(t.Num)
	case structclone.KindHost:
		p.hosted(uint32(t.Int))
	case structclone.KindMap:
		p.add("Map {")
		p.entries(true)
	case structclone.KindSet:
		p.add("Set {")
		p.entries(false)
	default:
		// Less common values would only make the line long.
		p.full = true
	}
}

// hosted prints an object of the platform.
func (p *printer) hosted(tag uint32) {
	if p.host != nil {
		if text, ok := p.host(p.r, tag); ok && p.r.EndHost() == nil {
			p.add(text)
			return
		}
	}
	p.full = true // where it ends is not known
}

// entries prints those of a Map or a Set, up to its end.
func (p *printer) entries(pairs bool) {
	var t structclone.Token
	for i := 0; !p.full; i++ {
		if p.r.Next(&t) != nil {
			p.full = true
			return
		}
		if t.Kind == structclone.KindEnd {
			p.add("}")
			return
		}
		if i > 0 {
			p.add(", ")
		}
		if p.token(&t); pairs {
			p.add(" => ")
			p.value()
		}
	}
}

// start converts as much of a string as could fit: it may have megabytes. What is
// left out makes it too long to fit all the same.
func (p *printer) start(s structclone.String) string {
	const perRune = 4 // bytes at most, in each of the encodings
	s.Bytes = s.Bytes[:min(len(s.Bytes), perRune*p.max)]
	return s.String()
}

func (p *printer) date(ms float64) {
	if math.IsNaN(ms) {
		p.add("new Date(NaN)")
		return
	}
	p.add("new Date(" + jsNumber(ms) + ")")
}

// text prints a string, or as much of it as fits.
func (p *printer) text(s string) {
	const cutShort = "\""
	room := p.max - p.b.Len() - len(cutShort)
	if len(s) <= room {
		if q := strconv.Quote(s); len(q) <= room+len(cutShort) {
			p.add(q)
			return
		}
	}
	var q strings.Builder
	q.WriteString(cutShort)
	for _, r := range s {
		quoted := strconv.Quote(string(r))
		quoted = quoted[1 : len(quoted)-1]
		if q.Len()+len(quoted) > room {
			break
		}
		q.WriteString(quoted)
	}
	if q.Len() > len(cutShort) {
		p.add(q.String())
	}
	p.full = true
}

// key prints the name of a property, as JavaScript would need it written.
func (p *printer) key(s string) {
	for i, r := range s {
		if !(r == '_' || r == '$' || unicode.IsLetter(r) || i > 0 && unicode.IsDigit(r)) {
			p.text(s)
			return
		}
	}
	if s == "" {
		p.text(s)
		return
	}
	p.add(s)
}

// jsNumber writes a number as JavaScript does, but for the sign of zero, which
// it keeps (ECMAScript, Number::toString).
func jsNumber(f float64) string {
	switch abs := math.Abs(f); {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case abs != 0 && (abs < 1e-6 || abs >= 1e21):
		// Go pads exponents to two digits.
		mantissa, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		return mantissa + "e" + exp[:1] + strings.TrimLeft(exp[1:], "0")
	}
	return strconv.FormatFloat(f, 'f', -1, 64) // "NaN" too
}
