package urlpattern_test

import (
	"errors"
	"regexp"
	"testing"

	"github.com/durashim/durashim/jsbridge/webapi/urlpattern"
)

// goEngine compiles the regular expressions of the tests with Go's engine.
func goEngine(source string, ignoreCase bool) (urlpattern.Regexp, error) {
	if ignoreCase {
		source = "(?i)" + source
	}
	re, err := regexp.Compile(source)
	return expression{re}, err
}

type expression struct{ *regexp.Regexp }

func (e expression) Groups(input string) ([]*string, bool) {
	m := e.FindStringSubmatch(input)
	if m == nil {
		return nil, false
	}
	var groups []*string
	for i := range m[1:] {
		groups = append(groups, &m[1+i])
	}
	return groups, true
}

func noEngine(string, bool) (urlpattern.Regexp, error) { return nil, errors.New("no engine") }

func TestGroups(t *testing.T) {
	p, err := urlpattern.ParseString("https://:sub.example.com/:id(\\d+)/*", nil, false, goEngine)
	if err != nil {
		t.Fatal(err)
	}
	res, ok := p.MatchString("https://a.example.com/12/rest/of", nil)
	if !ok {
		t.Fatal("no match")
	}
	for f, want := range map[urlpattern.Field][]string{urlpattern.Hostname: {"a"}, urlpattern.Pathname: {"12", "rest/of"}} {
		got := res[f].Groups
		if len(got) != len(want) {
			t.Fatalf("%v groups, want %v", len(got), len(want))
		}
		for i := range want {
			if *got[i] != want[i] {
				t.Errorf("%s: group %d is %q, want %q", urlpattern.Fields[f], i, *got[i], want[i])
			}
		}
	}
	if _, ok := p.MatchString("https://a.example.com/x/", nil); ok {
		t.Error("letters match digits")
	}
	if !p.HasRegExpGroups() {
		t.Error("there is a regular expression")
	}
}

// A pattern without regular expressions asks no engine.
func TestEngineIsAskedForRegularExpressionsOnly(t *testing.T) {
	for _, text := range []string{"https://h/:a/*?x=:y#{z}?", "http{s}?://*.h:*/{a}+"} {
		if _, err := urlpattern.ParseString(text, nil, false, noEngine); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := urlpattern.ParseString("https://h/(a)", nil, false, noEngine); err == nil {
		t.Error("the engine was not asked")
	}
}

// Whatever parses gives a normal form that parses again and stays as it is, and
// matching never fails.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"https://h/:a/*?x=:y#{z}?", "http{s}?://*.h:*/{a}+", "/(a|b(?:c))", "data\\:foo", "{/:a(x)}*", "/:a\\b", "[\\:\\:1]", "/é:é"} {
		f.Add(s, "https://h/a/b?x=1#z")
	}
	f.Fuzz(func(t *testing.T, text, url string) {
		_, _ = urlpattern.ParseString(text, nil, true, goEngine)
		p, err := urlpattern.New(urlpattern.Init{urlpattern.Pathname: &text}, false, goEngine)
		if err != nil {
			return
		}
		p.MatchString(url, nil)
		p.MatchInit(urlpattern.Init{urlpattern.Pathname: &url})
		first := p.Component(urlpattern.Pathname).String()
		again, err := urlpattern.New(urlpattern.Init{urlpattern.Pathname: &first}, false, goEngine)
		if err != nil {
			t.Fatalf("%q becomes %q, which is no pattern: %v", text, first, err)
		}
		if second := again.Component(urlpattern.Pathname).String(); second != first {
			t.Fatalf("%q becomes %q and then %q", text, first, second)
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := urlpattern.ParseString("https://example.com/books/:id/*", nil, false, noEngine); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	p, err := urlpattern.ParseString("https://example.com/books/:id/*", nil, false, noEngine)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := p.MatchString("https://example.com/books/12/pages", nil); !ok {
			b.Fatal("no match")
		}
	}
}
