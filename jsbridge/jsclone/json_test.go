package jsclone

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/structclone"
)

// The expected value is what JavaScript makes of the text as a literal.
func TestParseJSON(t *testing.T) {
	rt := goja.New()
	c, err := New(rt)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"1", "-0", "0.5e-3", "1E+400", "-1e400", "123456789", "1234567890", "-2147483648", "9007199254740993", "true", " false\n", "null", `""`, `"a"`, `"é"`, `"日本 😀 é"`,
		`"\u00e9\"\\\/\b\f\n\r\t"`, `"\ud83d\ude00"`, `"\ud83d x \ude00"`, `"\uD83D\uDE00\u0041"`, "[]", "[[],[[1]],{}]", "[1,\t2 , 3]", "{}", `{"a":1,"b":{"c":[null,"x"]}}`,
		`{"b":1,"2":2,"a":3,"1":4,"01":5,"4294967295":6}`, `{"a":1,"b":2,"a":3}`, `{"":0," ":1,"\u0061":2,"é":3,"日":4}`, `{"toString":1,"constructor":2,"length":3}`,
		"[" + strings.Repeat("1,", 300) + "1]", `["` + strings.Repeat("x", 5000) + `"]`, `[{"id":1,"t":"a"},{"id":2,"t":"a"}]`,
	} {
		got, err := c.ParseJSON(text, 100)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		want, err := rt.RunString("(" + text + ")")
		if err != nil {
			t.Fatal(err)
		}
		if a, b := describe(t, rt, got), describe(t, rt, want); a != b {
			t.Errorf("%s became %s, not %s", text, a, b)
		}
	}
	v, err := c.ParseJSON(`{"__proto__":{"x":1},"y":2}`, 10)
	if err != nil {
		t.Fatal(err)
	}
	if o := v.ToObject(rt); o.Get("x") != nil || len(o.Keys()) != 2 {
		t.Errorf("__proto__ is no property: %v", o.Keys())
	}
}

// describe tells values apart that JSON.stringify does not.
func describe(t *testing.T, rt *goja.Runtime, v goja.Value) string {
	t.Helper()
	f, err := rt.RunString(`(function show(v) {
		if (Array.isArray(v)) return "[" + v.map(show) + "]" + Object.keys(v).length;
		if (typeof v === "object" && v !== null) return "{" + Object.entries(v).map(([k, x]) => escape(k) + ":" + show(x)) + "}" + (Object.getPrototypeOf(v) === Object.prototype);
		if (typeof v === "string") return '"' + escape(v) + '"' + v.length;
		return Object.is(v, -0) ? "-0" : String(v);
	})`)
	if err != nil {
		t.Fatal(err)
	}
	fn, _ := goja.AssertFunction(f)
	s, err := fn(goja.Undefined(), v)
	if err != nil {
		t.Fatal(err)
	}
	return s.String()
}

func TestParseJSONErrors(t *testing.T) {
	c, err := New(goja.New())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]struct {
		at  int
		why structclone.JSONReason
	}{
		"": {0, structclone.JSONEnd}, " ": {1, structclone.JSONEnd}, "[1,": {3, structclone.JSONEnd}, `{"a"`: {4, structclone.JSONColon}, `"ab`: {3, structclone.JSONOpen}, "tru": {3, structclone.JSONEnd},
		"-": {1, structclone.JSONMinus}, "[1,]": {3, structclone.JSONToken}, `{"a":1,}`: {7, structclone.JSONName}, "{a:1}": {1, structclone.JSONFirstName}, "01": {1, structclone.JSONNumber},
		"1.": {2, structclone.JSONFraction}, "1e+": {3, structclone.JSONExponent}, "+1": {0, structclone.JSONToken}, ".5": {0, structclone.JSONToken}, "NaN": {0, structclone.JSONToken}, "nope": {1, structclone.JSONToken},
		"1 2": {2, structclone.JSONAfterwards}, "\"a\nb\"": {2, structclone.JSONControl}, "\"é\nb\"": {3, structclone.JSONControl}, `"\x"`: {2, structclone.JSONEscape}, `"\u00g0"`: {5, structclone.JSONUnicode},
		"[1}": {2, structclone.JSONElement}, `{"a":1]`: {6, structclone.JSONProperty}, `n"ull`: {1, structclone.JSONString}, "'a'": {0, structclone.JSONToken}, "\ufeff1": {0, structclone.JSONToken}, "[[[[1]]]]": {3, structclone.JSONDeep},
	} {
		_, err := c.ParseJSON(text, 3)
		var e *structclone.JSONError
		if !errors.As(err, &e) || e.Offset != want.at || e.Reason != want.why {
			t.Errorf("%q: %+v, want %+v", text, err, want)
		}
	}
}

func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e3,"\u00e9\ud800"],"1":null}`, `[[],{}," é日"]`, "01", `{"a":1,"a":2}`} {
		f.Add(s)
	}
	rt := goja.New()
	c, err := New(rt)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		got, err := c.ParseJSON(text, 1000)
		if valid := json.Valid([]byte(text)); valid != (err == nil) {
			t.Fatalf("%q: valid %v, but %v", text, valid, err)
		}
		if err != nil || strings.Contains(text, "__proto__") {
			return
		}
		want, err := rt.RunString("(" + text + ")")
		if err != nil {
			t.Skip(err)
		}
		if a, b := describe(t, rt, got), describe(t, rt, want); a != b {
			t.Errorf("%q became %s, not %s", text, a, b)
		}
	})
}

func BenchmarkParseJSON(b *testing.B) {
	rt := goja.New()
	c, err := New(rt)
	if err != nil {
		b.Fatal(err)
	}
	text := "[" + strings.TrimSuffix(strings.Repeat(`{"id":12,"name":"item 12","tags":["a","b","c"],"price":1.5,"note":"some more text for the size"},`, 6000), ",") + "]"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.ParseJSON(text, 100); err != nil {
			b.Fatal(err)
		}
	}
}
