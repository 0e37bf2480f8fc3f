package loader

import (
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// The engine takes \p{...} in a regular expression and then never matches it.
// So the property is written out as a set of characters; "source" shows that. For
// patterns that are put together at run time see Host.

func (w *walker) regexpLiteral(e *ast.RegExpLiteral) {
	e.Pattern = w.mend(e.Pattern, e.Flags, e.Idx)
}

// newRegExp takes the arguments of a call of the constructor and gives those to
// use instead.
func (w *walker) newRegExp(callee ast.Expression, args []ast.Expression) []ast.Expression {
	name, ok := callee.(*ast.Identifier)
	if !ok || !w.patterns || name.Name != "RegExp" || len(args) == 0 {
		return args
	}
	if _, ok := args[0].(*ast.RegExpLiteral); ok {
		return args
	}
	// new RegExp(a, b) becomes new RegExp(...host.pattern(a, b)): it is known then
	// what the arguments are.
	return []ast.Expression{&ast.SpreadElement{Expression: &ast.CallExpression{
		Callee: &ast.DotExpression{
			Left:       &ast.Identifier{Name: hostName, Idx: name.Idx},
			Identifier: ast.Identifier{Name: "pattern", Idx: name.Idx},
		},
		LeftParenthesis: name.Idx, ArgumentList: args, RightParenthesis: name.Idx,
	}}}
}

func (w *walker) mend(src, flags string, at file.Idx) string {
	out, err := mendPattern(src, flags)
	if err != nil && w.err == nil {
		w.err = &positionError{idx: at, text: err.Error()}
	}
	return out
}

// mendPattern writes a pattern so that the engine understands it.
func mendPattern(src, flags string) (string, error) {
	if strings.Contains(flags, "u") {
		return expandProperties(src)
	}
	return tellSurrogatesApart(src), nil
}

// patternArguments is host.pattern of the bundle's code: the arguments of RegExp
// with the pattern mended.
func patternArguments(rt *goja.Runtime, args []goja.Value) goja.Value {
	out := make([]any, len(args))
	for i, a := range args {
		out[i] = a
	}
	src, flags := "", ""
	if s, ok := args[0].(goja.String); ok && needsMending(s.String()) {
		src = s.String()
	}
	if len(args) > 1 {
		if s, ok := args[1].(goja.String); ok {
			flags = s.String()
		}
	}
	// A pattern with lone surrogates themselves has no form in UTF-8.
	if src != "" && utf8.ValidString(src) && !strings.ContainsRune(src, utf8.RuneError) {
		mended, err := mendPattern(src, flags)
		if err != nil {
			o, err2 := rt.New(rt.Get("SyntaxError"), rt.ToValue(fmt.Sprintf("Invalid regular expression: /%s/%s: Invalid property name", src, flags)))
			if err2 != nil {
				panic(rt.NewTypeError(err.Error()))
			}
			panic(o)
		}
		out[0] = mended
	}
	return rt.NewArray(out...)
}

// needsMending reports whether a source text may hold a pattern that does.
func needsMending(src string) bool {
	for {
		i := strings.IndexByte(src, '\\')
		if i < 0 || i+2 >= len(src) {
			return false
		}
		src = src[i+1:]
		switch {
		case (src[0] == 'p' || src[0] == 'P') && src[1] == '{':
			return true
		case src[0] == 'u' && (src[1] == 'd' || src[1] == 'D'):
			return true
		}
	}
}

// expandProperties replaces \p{...} and \P{...} in a pattern of Unicode mode.
func expandProperties(src string) (string, error) {
	if !strings.Contains(src, `\p{`) && !strings.Contains(src, `\P{`) {
		return src, nil
	}
	var b strings.Builder
	inClass := false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '[':
			inClass = true
		case c == ']':
			inClass = false
		case c == '\\' && i+1 < len(src):
			rest := src[i+1:]
			end := strings.IndexByte(rest, '}')
			if (rest[0] != 'p' && rest[0] != 'P') || !strings.HasPrefix(rest[1:], "{") || end < 0 {
				b.WriteByte(c) // together with the next character, below
				i++
				break
			}
			set, err := propertySet(rest[2:end], rest[0] == 'P')
			if err != nil {
				return "", err
			}
			if !inClass {
				set = "[" + set + "]"
			}
			b.WriteString(set)
			i += end + 1
			continue
		}
		b.WriteByte(src[i])
	}
	return b.String(), nil
}

// propertySets keeps the results of propertySet, each of which takes some
// milliseconds. There are few properties, so it cannot grow much.
var propertySets sync.Map

type propertyKey struct {
	name   string
	negate bool
}

// propertySet writes the characters with a property as the inside of a class.
func propertySet(name string, negate bool) (string, error) {
	key := propertyKey{name, negate}
	if s, ok := propertySets.Load(key); ok {
		return s.(string), nil
	}
	in, err := propertyTable(name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	next := rune(0) // the first character that is not written or skipped yet
	put := func(lo, hi rune) {
		if lo <= hi {
			fmt.Fprintf(&b, `\u{%x}`, lo)
			if lo < hi {
				fmt.Fprintf(&b, `-\u{%x}`, hi)
			}
		}
	}
	// Go over the runs of characters that are in or out.
	inside := in(0)
	for r := rune(1); r <= unicode.MaxRune+1; r++ {
		now := !inside
		if r <= unicode.MaxRune {
			now = in(r)
		}
		if now != inside {
			if inside != negate {
				put(next, r-1)
			}
			next, inside = r, now
		}
	}
	propertySets.Store(key, b.String())
	return b.String(), nil
}

// propertyTable finds a property by the names that ECMAScript allows.
func propertyTable(name string) (func(rune) bool, error) {
	table := func(t *unicode.RangeTable) func(rune) bool {
		return func(r rune) bool { return unicode.Is(t, r) }
	}
	key, value, ok := strings.Cut(name, "=")
	switch {
	case ok && (key == "General_Category" || key == "gc"):
		if t := category(value); t != nil {
			return table(t), nil
		}
	case ok && (key == "Script" || key == "sc"):
		if t := unicode.Scripts[value]; t != nil {
			return table(t), nil
		}
	case ok:
	case name == "Any":
		return func(rune) bool { return true }, nil
	case name == "ASCII":
		return func(r rune) bool { return r < 0x80 }, nil
	case name == "Alphabetic" || name == "Alpha":
		return func(r rune) bool { return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic) }, nil
	case name == "Uppercase" || name == "Upper":
		return func(r rune) bool { return unicode.In(r, unicode.Lu, unicode.Other_Uppercase) }, nil
	case name == "Lowercase" || name == "Lower":
		return func(r rune) bool { return unicode.In(r, unicode.Ll, unicode.Other_Lowercase) }, nil
	case emojiTables()[name] != nil:
		return table(emojiTables()[name]), nil
	case derived[name] != nil:
		return derived[name], nil
	case name == "White_Space" || name == "space":
		return table(unicode.White_Space), nil
	default:
		if t := category(name); t != nil {
			return table(t), nil
		}
		// The other tables that Go has under the names of ECMAScript; the
		// contributory ones (Other_...) are no properties there.
		if t := unicode.Properties[name]; t != nil && !strings.HasPrefix(name, "Other_") && !strings.HasPrefix(name, "Prepended_") {
			return table(t), nil
		}
	}
	return nil, fmt.Errorf(`the property \p{%s} in a regular expression is not supported by the engine`, name)
}

// category knows short and long names.
func category(name string) *unicode.RangeTable {
	if t := unicode.Categories[name]; t != nil {
		return t
	}
	return unicode.Categories[unicode.CategoryAliases[name]]
}
