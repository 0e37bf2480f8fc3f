package jsclone

import (
	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

func (e *Encoder) regexp(o *goja.Object, impl *iface) error {
	flags := on(e.c.regexpFlags, o).String()
	bits, ok := structclone.RegExpFlags(flags)
	if !ok {
		return &CloneError{Message: "RegExp with unknown flags " + flags + " could not be cloned."}
	}
	e.seen.add(o, e.W.RegExp())
	// The getter named source escapes slashes in a way of goja's own.
	e.regexpSource(*field[goja.String](impl.data, e.l.regexpText))
	e.W.RegExpFlags(bits)
	return nil
}

// regexpSource writes the pattern as the property source gives it in V8: a slash
// outside a class and the ends of lines are escaped. A pattern with wide
// characters stays in two bytes even where escaping removed the last of them.
func (e *Encoder) regexpSource(text goja.String) {
	n := text.Length()
	if n == 0 {
		e.W.OneByte("(?:)")
		return
	}
	out := make([]uint16, 0, n)
	escaped, class, wide := false, false, false
	for i := range n {
		u := text.CharAt(i)
		wide = wide || u > 0xff
		replaced := ""
		switch {
		case u == '\n':
			replaced = `\n`
		case u == '\r':
			replaced = `\r`
		case u == 0x2028:
			replaced = `\u2028`
		case u == 0x2029:
			replaced = `\u2029`
		case u == '/' && !escaped && !class:
			replaced = `\/`
		case u == '[' && !escaped:
			class = true
		case u == ']' && !escaped:
			class = false
		}
		if replaced == "" {
			out = append(out, u)
		} else {
			if escaped {
				out = out[:len(out)-1] // the backslash that is there serves
			}
			for _, c := range []byte(replaced) {
				out = append(out, uint16(c))
			}
		}
		escaped = u == '\\' && !escaped
	}
	if !wide {
		e.W.UTF16(out)
		return
	}
	e.W.TwoByteHeader(len(out))
	for _, u := range out {
		e.W.TwoByteUnit(u)
	}
}
