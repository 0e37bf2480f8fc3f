package htmlrewriter

import (
	"strings"
	"testing"
)

// rewrite runs a document through a Rewriter in pieces of the given sizes; the
// handlers change something of every kind.
func rewrite(t testing.TB, doc string, sizes []byte, touch bool) string {
	r, err := New("utf-8")
	if err != nil {
		t.Fatal(err)
	}
	sel, err := ParseSelector("a, .x > b, p:not(:first-child)")
	if err != nil {
		t.Fatal(err)
	}
	if touch {
		r.On(sel, Wants{Element: true, Comments: true})
		r.OnDocument(Wants{Doctype: true, End: true})
	}
	var out strings.Builder
	n := 0
	drain := func() bool {
		for {
			call, ok, err := r.Next()
			if err != nil {
				out.Reset() // how much came out before depends on the pieces
				out.WriteString(err.Error())
				return false
			}
			if !ok {
				break
			}
			n++
			text := func(s string) Content { return Content{Text: s} }
			switch call.Kind {
			case KindElement:
				switch len(r.TagName()+r.Text()) + n%5 {
				case 1:
					r.Before(text("<B>"))
					r.After(text("<A>"))
					r.Append(text("<E>"))
					r.Prepend(text("<P>"))
				case 2:
					r.Remove()
				case 3:
					if err := r.SetAttribute("x", `"v"`); err != nil {
						t.Error(err)
					}
				case 4:
					r.SetInnerContent(text("I"))
				case 5:
					r.RemoveAndKeepContent()
					_ = r.OnEndTag(true) // an element without an end tag may refuse
				}
			case KindComment:
				r.Replace(text("C"))
			case KindEnd:
				r.Append(text("."))
			}
		}
		for _, s := range r.Take() {
			out.Write(s.Bytes)
		}
		return true
	}
	for i := 0; len(doc) > 0; i++ {
		k := len(doc)
		if len(sizes) > 0 {
			k = min(k, 1+int(sizes[i%len(sizes)])%7)
		}
		r.Write([]byte(doc[:k]))
		doc = doc[k:]
		if !drain() {
			return out.String()
		}
	}
	r.End()
	drain()
	return out.String()
}

var documents = []string{
	`<!doctype html><p>a<p class=x>b<b>c</b><!-- d --></p><a href="x>y" q/>e</a>`,
	`<script><!--<script>"</script>"--></script><a>`, `<svg><![CDATA[a]]b]]><title><a></title></svg>`,
	`<title>x</titl</title><textarea></textarea >`, `<a x=>y</a><a =1 b='2'c></a/><br/>`, "<a\x00é\xff></\x00a>", "<!-", "<a x='", "</", "<!---->",
	`<p><a><b></p></a>`, `<select><xmp>`, `<div class="y x"><b>q</b></div>`, `<plaintext><a>`, `</a b><?x><!x>`,
}

func TestChunksDoNotShow(t *testing.T) {
	for _, doc := range documents {
		want := rewrite(t, doc, nil, true)
		for _, sizes := range [][]byte{{0}, {1}, {2, 0, 5}, {6, 3}} {
			if got := rewrite(t, doc, sizes, true); got != want {
				t.Errorf("%q in pieces %v:\n got %q\nwant %q", doc, sizes, got, want)
			}
		}
	}
}

func TestUntouchedPasses(t *testing.T) {
	for _, doc := range documents {
		if got := rewrite(t, doc, []byte{2, 1}, false); got != doc && !strings.Contains(got, "ambiguous") {
			t.Errorf("%q became %q", doc, got)
		}
	}
}

// FuzzChunks: how a document is cut into pieces must not show in what comes out,
// and what no handler touches must pass unchanged.
func FuzzChunks(f *testing.F) {
	for _, doc := range documents {
		f.Add(doc, []byte{0, 3})
	}
	f.Fuzz(func(t *testing.T, doc string, sizes []byte) {
		if got, want := rewrite(t, doc, sizes, true), rewrite(t, doc, nil, true); got != want {
			t.Errorf("%q in pieces %v:\n got %q\nwant %q", doc, sizes, got, want)
		}
		if got := rewrite(t, doc, sizes, false); got != doc && !strings.Contains(got, "ambiguous") {
			t.Errorf("untouched %q became %q", doc, got)
		}
	})
}

func FuzzSelector(f *testing.F) {
	for _, s := range []string{"a > b, *|c.d#e", `[x~="y" i]:not(a, [b]):nth-child(2n + 1)`, `\31 x`, ":nth-of-type(-n+", "[a|=b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sel, err := ParseSelector(text)
		if (sel == nil) == (err == nil) {
			t.Fatalf("%q: %v and %v", text, sel, err)
		}
		if err != nil {
			return
		}
		for _, chain := range sel.list {
			if len(chain) == 0 {
				t.Errorf("%q has an empty chain", text)
			}
		}
	})
}

func BenchmarkRewrite(b *testing.B) {
	doc := []byte(strings.Repeat(`<div class="a b"><p id=x>some text &amp; more</p><a href="/y">z</a></div>`, 1000))
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := New("utf-8")
		if err != nil {
			b.Fatal(err)
		}
		sel, err := ParseSelector("div.a > a[href^='/']")
		if err != nil {
			b.Fatal(err)
		}
		r.On(sel, Wants{Element: true})
		r.Write(doc)
		r.End()
		n := 0
		for {
			_, ok, err := r.Next()
			if err != nil {
				b.Fatal(err)
			}
			if !ok {
				break
			}
			n++
			if err := r.SetAttribute("x", "y"); err != nil {
				b.Fatal(err)
			}
		}
		r.Take()
		if n != 1000 {
			b.Fatal(n)
		}
	}
}
