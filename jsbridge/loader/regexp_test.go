package loader

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/dop251/goja"
)

// What the patterns match; the answers are V8's.
func TestPatterns(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{`"a😀b".match(/[\ud800-\udbff][\udc00-\udfff]/g)`, "😀"},
		{`"fred 😀".match(/[\ud800-\udbff][\udc00-\udfff]|\w+/g)`, "fred,😀"},
		{`"a😀b".match(/[^\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff]/g)`, "a,😀,b"},
		{`"x-😀-\ud83d".replace(/[\-\ud800-\udbffx][\udc00-\udfff-]|[\ud83d]/g, "_")`, "__-_"},
		{`"😀😁z".match(/(?:[😀-]|[z\ud83d])[\u{de00}\ude00-\ude10]/g)`, "😀,😁"},
		{`"1😀".match(/[\d\ud83d][\ude00]?[^\ud800-\udfff\d]?/g)`, "1,😀"},
		{`"ab😀".match(new RegExp("[\\ud800-\\udbff][\\udc00-\\udfff]|[ab]", "g"))`, "a,b,😀"},
		{`"😀".match(RegExp("[\\ud800-\\udbff]" + "[\\udc00-\\udfff]"))`, "😀"},
		{`/^\p{Emoji_Presentation}$/u.test("😀") + " " + /\p{Emoji}/u.test("a") + " " + /^\p{ExtPict}$/u.test("©")`, "true false true"},
		{`new RegExp("^(" + "\\p{Extended_Pictographic}|\\p{Emoji_Component})+$", "u").test("👨‍👩‍👧")`, "true"},
		{`["é", "_", "1", "$"].map(c => /^[$_\p{ID_Start}]$/u.test(c) + "" + /^\p{IDC}$/u.test(c))`, "truetrue,truetrue,falsetrue,truefalse"},
		{`(() => { try { return new RegExp("\\p{" + "Nope}", "gu") } catch (e) { return e.name + ": " + e.message } })()`, `SyntaxError: Invalid regular expression: /\p{Nope}/gu: Invalid property name`},
		{`[new RegExp().source, new RegExp(/a/g).flags, RegExp("a", undefined).flags, new RegExp("\\p{L}").test("p{L}"), (class extends RegExp {}).name.length]`, "(?:),g,,true,0"},
		{`(() => { const log = []; new RegExp((log.push(1), "a"), (log.push(2), "g")); return log })()`, "1,2"},
	} {
		got, err := buildAndRun(Options{Modules: []Module{{Name: "a.js", Contents: []byte("const keep = '\\\\p{L}'; export default String(" + c.expr + ")")}}})
		if err != nil || got != c.want {
			t.Errorf("%s gives %q, %v, want %q", c.expr, got, err, c.want)
		}
	}
}

func TestSurrogatesThatAreLeft(t *testing.T) {
	for _, src := range []string{"", "[", `[\ud800-\udbff]x[\ud800-\udbff]`, `[\ud800`, `[\ud800\c]x[\udc00]`, `\[\ud800]\[\udc00]`, `[a-z][\u0000-\uffff]`} {
		if out := tellSurrogatesApart(src); out != src {
			t.Errorf("%s became %s", src, out)
		}
	}
}

func TestEmojiTables(t *testing.T) {
	for name, table := range emojiTables() {
		if n := count(table); n == 0 || len(table.R16)+len(table.R32) == 0 {
			t.Errorf("%s has %d characters", name, n)
		}
	}
	if !unicode.Is(emojiTables()["EBase"], '👍') || unicode.Is(emojiTables()["Emoji"], 'x') {
		t.Error("the tables are wrong")
	}
}

func count(t *unicode.RangeTable) int {
	n := 0
	for _, r := range t.R16 {
		n += int(r.Hi-r.Lo) + 1
	}
	for _, r := range t.R32 {
		n += int(r.Hi-r.Lo) + 1
	}
	return n
}

// A pattern and a text with other characters in place of the surrogates tell what
// is to match.
func FuzzSurrogates(f *testing.F) {
	f.Add(`[\ud800-\udbff][\udc00-\udfff]`, "a😀")
	f.Add(`[^\ud83d-]|[a\ude00]{2}`, "😀-")
	f.Add(`([\ud83c\ud83d]|x)(?=[\ude00])`, "😀")
	escape := regexp.MustCompile(`\\u[dD]([89a-fA-F])`)
	other := strings.NewReplacer("8", `\ub8`, "9", `\ub9`, "a", `\uba`, "b", `\ubb`, "c", `\ubc`, "d", `\ubd`, "e", `\ube`, "f", `\ubf`)
	f.Fuzz(func(t *testing.T, src, text string) {
		ascii := func(r rune) bool { return r > 0 && r < 0x80 }
		for _, r := range text {
			if !ascii(r) && r <= 0xffff {
				return
			}
		}
		if strings.ContainsFunc(src, func(r rune) bool { return !ascii(r) }) || strings.Contains(src, "{") {
			return
		}
		out := tellSurrogatesApart(src)
		if out == src {
			return
		}
		vm := goja.New()
		v, err := vm.RunString(`(p, s, map) => {
			if (map) s = s.replace(/[\ud800-\udfff]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0x2000));
			try { return String([...s.matchAll(new RegExp(p, "g"))].map((m) => [m.index, m[0].length])) } catch { return "error" }
		}`)
		if err != nil {
			t.Fatal(err)
		}
		fn, _ := goja.AssertFunction(v)
		match := func(p string, mapped bool) string {
			res, err := fn(goja.Undefined(), vm.ToValue(p), vm.ToValue(text), vm.ToValue(mapped))
			if err != nil {
				t.Fatal(err)
			}
			return res.String()
		}
		plain := escape.ReplaceAllStringFunc(src, func(s string) string { return other.Replace(strings.ToLower(s[3:])) })
		if want, got := match(plain, true), match(out, false); got != want {
			t.Errorf("%q became %q, which finds %s, not %s (%q)", src, out, got, want, plain)
		}
	})
}
