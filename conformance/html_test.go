package conformance

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// htmlOf writes the page for results of testdata/runner/good.wd-test.
func htmlOf(t *testing.T, mine, others []Result, known Differences) string {
	t.Helper()
	files, err := Find("testdata/runner", filepath.Join("testdata/runner", "good.wd-test"))
	if err != nil {
		t.Fatal(err)
	}
	rep := &Report{Runner: "mine", Elapsed: 1500 * time.Millisecond, Rows: Compare(mine, others, others != nil)}
	if others != nil {
		rep.Oracle = "theirs"
	}
	Judge(rep.Rows, known)
	var b bytes.Buffer
	if err := rep.WriteHTML(&b, files); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHTML(t *testing.T) {
	known := Differences{{Case: Names{"good:inert"}, Reason: "The engine.", Workaround: "Wait."}}
	mine := []Result{res("good:fails", "<script>alert(1)</script>"), res("good:inert", "known error"), res("good:rejects", "")}
	others := []Result{res("good:fails", ""), res("good:inert", ""), res("good:rejects", "")}
	text := htmlOf(t, mine, others, known)
	for _, want := range []string{
		"✗</span> 1 case differs and should not", "beside <b>theirs</b>", "1.5 s",
		"&lt;script&gt;alert(1)&lt;/script&gt;", "<figcaption>theirs</figcaption><pre>passed</pre>",
		"The engine. <em>Instead:</em> Wait.", "export const fails = {", "good.js:",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "<script>alert") {
		t.Error("the text of an error became markup")
	}
	if strings.Contains(text, "export const rejects") {
		t.Error("the page has the source of a case that passes")
	}
	// Nothing is loaded from elsewhere.
	if m := regexp.MustCompile(`(?i)\b(src|href)="[^#"]|url\(|@import|https?://|fetch\(|<link`).FindString(text); m != "" {
		t.Errorf("the page refers to something outside: %q", m)
	}
}

func TestHTMLGood(t *testing.T) {
	for want, known := range map[string]Differences{
		"✓</span> Every case passes":                       nil,
		"1 listed difference is gone":                      {{Case: Names{"good:rejects"}, Reason: "r", Workaround: "w"}},
		"remove the entry &#34;good:rejects&#34;: what it": {{Case: Names{"good:rejects"}, Reason: "r", Workaround: "w"}},
	} {
		if text := htmlOf(t, []Result{res("good:rejects", "")}, nil, known); !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestExportsOf(t *testing.T) {
	code := "import x from 'y';\r\n\n// Two\n//  lines.\nexport const a = {\n  test() {\n  },\n};\nexport const b = make('b');\n" +
		"export default {\n  test() {}\n};\nexport async function c() {\n}\nexport const open = {\n  test"
	got := exportsOf(code, "d/m.js")
	want := map[string]caseSource{
		"a":       {"d/m.js:5", "Two lines.", "export const a = {\n  test() {\n  },\n};"},
		"b":       {"d/m.js:9", "", "export const b = make('b');"},
		"default": {"d/m.js:10", "", "export default {\n  test() {}\n};"},
		"c":       {"d/m.js:13", "", "export async function c() {\n}"},
		"open":    {"d/m.js:15", "", "export const open = {\n  test"},
	}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s: %+v", name, got[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d exports", len(got))
	}
}

func FuzzExportsOf(f *testing.F) {
	f.Add("// a\nexport const a = {\n};\n")
	f.Add("export default {\n}\n}")
	f.Fuzz(func(t *testing.T, code string) {
		for name, src := range exportsOf(code, "m") {
			if name == "" || src.Text == "" || !strings.Contains(strings.ReplaceAll(code, "\r\n", "\n"), src.Text) {
				t.Errorf("%q: %+v", name, src)
			}
		}
	})
}
