package loader

import (
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

// defaultRules are wrangler's own.
var defaultRules = []Rule{
	{Kind: Text, Globs: []string{"**/*.txt", "**/*.html", "**/*.sql"}},
	{Kind: Data, Globs: []string{"**/*.bin"}},
	{Kind: CompiledWasm, Globs: []string{"**/*.wasm"}},
}

type compiledRule struct {
	kind  Kind
	globs []*regexp.Regexp
}

// compileRules puts the user's rules before the default ones. As in wrangler,
// a rule of the user's that does not fall through removes later rules of its
// kind.
func compileRules(user []Rule) []compiledRule {
	var out []compiledRule
	closed := map[Kind]bool{}
	for _, r := range append(append([]Rule{}, user...), defaultRules...) {
		if closed[r.Kind] {
			continue
		}
		c := compiledRule{kind: r.Kind}
		for _, g := range r.Globs {
			c.globs = append(c.globs, globRegexp(strings.TrimSuffix(g, "?module")))
		}
		out = append(out, c)
		if !r.Fallthrough {
			closed[r.Kind] = true
		}
	}
	return out
}

// kindOf applies the rules to an import specifier or path. Wrangler matches
// specifiers too, so "../x.txt" is looked at without its leading dots.
func (p *plugin) kindOf(spec string) (Kind, bool) {
	name := strings.TrimPrefix(path.Clean("/"+spec), "/")
	for _, r := range p.rules {
		for _, g := range r.globs {
			if g.MatchString(name) {
				return r.kind, true
			}
		}
	}
	return ESModule, false
}

// globRegexp translates a glob: "**/" is any number of directories, "*" and
// "?" stay within one, "{a,b}" is a choice.
func globRegexp(glob string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	depth := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '{' && strings.Contains(glob[i:], "}"):
			b.WriteString("(?:")
			depth++
		case c == ',' && depth > 0:
			b.WriteString("|")
		case c == '}' && depth > 0:
			b.WriteString(")")
			depth--
		default:
			_, size := utf8.DecodeRuneInString(glob[i:])
			b.WriteString(regexp.QuoteMeta(glob[i : i+size]))
			i += size - 1
		}
	}
	for ; depth > 0; depth-- {
		b.WriteString(")")
	}
	b.WriteString("$")
	re, err := regexp.Compile(b.String())
	if err != nil {
		// Only bytes that are no UTF-8 get here: such a name matches itself.
		return regexp.MustCompile("^" + regexp.QuoteMeta(strings.ToValidUTF8(glob, "\uFFFD")) + "$")
	}
	return re
}
