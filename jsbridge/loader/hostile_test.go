package loader

import (
	"errors"
	"strings"
	"testing"
)

func TestHostile(t *testing.T) {
	const n = 1_000_000
	for name, c := range map[string]struct {
		src string
		ok  bool
	}{
		"parentheses":   {strings.Repeat("(", n), false},
		"closed":        {strings.Repeat("(", n) + "1" + strings.Repeat(")", n), false},
		"arrays":        {"export default " + strings.Repeat("[", n) + strings.Repeat("]", n), false},
		"objects":       {"export default " + strings.Repeat("{a:", n), false},
		"deep but sane": {"export default " + strings.Repeat("[", 4000) + strings.Repeat("]", 4000), true},
		"no text":       {"", true},
		"zero bytes":    {strings.Repeat("\x00", 100), false},
		"unclosed":      {"export default `${", false},
		"regexp":        {"export default /(/", false},
		"bad escape":    {`export default "\u{110000}"`, false},
		"two defaults":  {"export default 1; export default 2", false},
		"strict":        {"with (a) {}", false},
		"octal":         {"export default 017", false},
		"duplicate":     {"let a; let a", false},
		"await":         {"function f() { await 1 }", false},
		"return":        {"export default 1; return 1", false},
	} {
		for kind, o := range map[string]Options{
			"module": {Modules: []Module{{Name: "a.js", Contents: []byte(c.src)}}},
			"file":   {Dir: project(t, "a.js", c.src), Entry: "a.js"},
			"unused": {Modules: []Module{{Name: "m.js"}, {Name: "a.js", Contents: []byte(c.src)}}},
		} {
			if name == "regexp" && kind == "unused" {
				continue // regular expressions are looked at when they are compiled
			}
			o.NoCache = true
			_, err := Build(o)
			if (err == nil) != c.ok {
				text := "no error"
				if err != nil {
					text = err.Error()[:min(len(err.Error()), 200)]
				}
				t.Errorf("%s, %s: %s", name, kind, text)
			}
			var e *Error
			if err != nil && (!errors.As(err, &e) || e.Messages[0].File != "a.js" || e.Messages[0].Line == 0) {
				t.Errorf("%s, %s: the error names no place: %.200v", name, kind, err)
			}
		}
	}
}

func FuzzExpandProperties(f *testing.F) {
	for _, s := range []string{`\p{L}`, `[\P{Lu}a]`, `\\p{x}`, `\p{`, `\`, `[\]\p{Nd}]`, `\p{sc=Greek}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out, err := expandProperties(s)
		if err == nil && !strings.Contains(s, `\p{`) && !strings.Contains(s, `\P{`) && out != s {
			t.Errorf("%q became %q", s, out)
		}
	})
}

func FuzzGlob(f *testing.F) {
	for _, s := range []string{"**/*.txt", "a{b,c}d", "{{{", "[a-", "?*", "}\xff", "\u063d"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		re := globRegexp(s)
		if !strings.ContainsAny(s, "*?{},") && strings.ToValidUTF8(s, "") == s && !re.MatchString(s) {
			t.Errorf("%q does not match itself", s)
		}
	})
}
