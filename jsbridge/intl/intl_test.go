package intl

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
)

func newRuntime(t testing.TB) *goja.Runtime {
	rt := goja.New()
	if err := Install(rt, func() time.Time { return time.Unix(0, 0) }); err != nil {
		t.Fatal(err)
	}
	return rt
}

// The answers themselves are pinned by the conformance cases; these are about
// what only Go sees.
func TestScripts(t *testing.T) {
	rt := newRuntime(t)
	for src, want := range map[string]string{
		`(1234.5).toLocaleString()`:                                                   "1,234.5",
		`new Intl.DateTimeFormat("en-US", { timeZone: "UTC" }).format()`:              "1/1/1970",
		`Intl.supportedValuesOf("timeZone").length > 400`:                             "true",
		`Object.getOwnPropertyDescriptor(globalThis, "Intl").enumerable`:              "false",
		`Array.prototype.toLocaleString.length + Array.prototype.toLocaleString.name`: "0toLocaleString",
	} {
		v, err := rt.RunString(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
		} else if v.String() != want {
			t.Errorf("%s: got %s, want %s", src, v, want)
		}
	}
}

// Every zone in the table exists in the data that Go brings.
func TestZonesExist(t *testing.T) {
	z := zoneIndex()
	if len(z.listed) < 400 || len(z.canonical) < 550 {
		t.Fatalf("%d zones, %d names", len(z.listed), len(z.canonical))
	}
	for _, name := range z.canonical {
		if canonical, loc, ok := zoneOf(name); !ok || loc == nil || canonical != name {
			t.Errorf("%s: %q, %v, %v", name, canonical, loc, ok)
		}
	}
}

func FuzzNumber(f *testing.F) {
	f.Add(1234.5678, "1e3", uint8(3), uint8(0))
	f.Add(-0.0005, "-.5e-7", uint8(0), uint8(2))
	f.Fuzz(func(t *testing.T, x float64, text string, digits, kind uint8) {
		o := &numberOptions{style: "decimal", notation: []string{"standard", "compact", "scientific", "engineering"}[kind%4],
			signDisplay: "auto", grouping: "auto", roundingMode: "halfExpand", minInt: 1, maxFrac: int(digits % 21), increment: 1}
		got := o.format(fromFloat(x)).String()
		if math.IsNaN(x) != (got == "NaN") {
			t.Errorf("%v became %q", x, got)
		}
		if strings.HasPrefix(got, "-") != (math.Signbit(x) && !math.IsNaN(x)) {
			t.Errorf("%v has the wrong sign: %q", x, got)
		}
		if d, ok := parseDecimal(text); ok && len(text) < 40 {
			if s := o.format(d).String(); s == "" {
				t.Errorf("%q became nothing", text)
			}
		}
	})
}

func FuzzLocale(f *testing.F) {
	for _, s := range []string{"en-US", "zh-Hant-TW", "x", "de-de-de", "en-u-nu-arab", "sl-rozaj"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		if c, ok := canonicalLocale(tag); ok != (c != "") {
			t.Errorf("%q: %q, %v", tag, c, ok)
		}
	})
}

func FuzzSegments(f *testing.F) {
	f.Add("a.b c:d", uint8(0))
	f.Add("👨‍👩‍👧\r\n", uint8(1))
	f.Fuzz(func(t *testing.T, text string, kind uint8) {
		pieces, _ := segments(text, []string{"word", "grapheme", "sentence"}[kind%3])
		if got := strings.Join(pieces, ""); got != text {
			t.Errorf("%q came back as %q", text, got)
		}
	})
}

func BenchmarkInstall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newRuntime(b)
	}
}

func BenchmarkFirstUse(b *testing.B) {
	for b.Loop() {
		if _, err := newRuntime(b).RunString(`(1234.5).toLocaleString()`); err != nil {
			b.Fatal(err)
		}
	}
}
