package durable

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/durashim/durashim/internal/structclone"
)

// argText writes the arguments of a call (an array in structured-clone format)
// as JavaScript literals for people, cut at about max bytes. It never fails: what
// it cannot show becomes "...".
func argText(args []byte, max int) string {
	if args == nil {
		return ""
	}
	var r structclone.Reader
	if r.Reset(args, 100) != nil {
		return "..."
	}
	p := argPrinter{r: &r, max: max}
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

type argPrinter struct {
	r    *structclone.Reader
	b    strings.Builder
	max  int
	full bool // the text was cut, or the rest cannot be read
}

func (p *argPrinter) add(s string) {
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
func (p *argPrinter) items(n int) {
	for i := 0; i < n && !p.full; i++ {
		if i > 0 {
			p.add(", ")
		}
		p.value()
	}
	p.rest(0)
}

// rest reads keys and values up to the end of an object.
func (p *argPrinter) rest(printed int) {
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
			p.add(t.Str.String())
		} else {
			p.token(&t)
		}
		p.add(": ")
		p.value()
	}
}

func (p *argPrinter) value() {
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

func (p *argPrinter) token(t *structclone.Token) {
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
		p.add(strconv.FormatFloat(t.Num, 'g', -1, 64))
	case structclone.KindBigInt:
		p.add(t.Big.String() + "n")
	case structclone.KindString:
		p.text(t.Str.String())
	case structclone.KindDenseArray:
		p.add("[")
		p.items(int(t.Int))
		p.add("]")
	case structclone.KindObject:
		p.add("{")
		p.rest(0)
		p.add("}")
	case structclone.KindArrayBuffer:
		p.add(fmt.Sprintf("ArrayBuffer(%d)", len(t.Bytes)))
	default:
		// Less common values would only make the line long.
		p.full = true
	}
}

func (p *argPrinter) text(s string) {
	if len(s) > p.max {
		s = s[:p.max] // cut before quoting: the string may be megabytes
	}
	p.add(strconv.Quote(s))
}
