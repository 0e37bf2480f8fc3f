package webapi_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/jsbridge/webapi"
)

// world is a runtime with the Web APIs and a timer queue that run drains.
type world struct {
	rt       *goja.Runtime
	api      *webapi.API
	now      time.Time
	timers   []timer
	reported []goja.Value
}

type timer struct {
	at time.Time
	f  func()
}

func newWorld(t testing.TB) *world { return newWorldWith(t, nil) }

func newWorldWith(t testing.TB, async func(work, done func())) *world {
	t.Helper()
	w := &world{rt: goja.New(), now: time.Unix(1_700_000_000, 0)}
	// goja has no asynchronous iteration; the runtime around this package adds
	// the symbol before anything else.
	_, err := w.rt.RunString("Object.defineProperty(Symbol, 'asyncIterator', {value: Symbol('Symbol.asyncIterator')})")
	must(t, err)
	var seed [32]byte
	api, err := webapi.Install(w.rt, webapi.Env{
		Now:    func() time.Time { return w.now },
		Random: rand.NewChaCha8(seed),
		After: func(d time.Duration, f func()) func() {
			w.timers = append(w.timers, timer{w.now.Add(d), f})
			i := len(w.timers) - 1
			return func() { w.timers[i].f = nil }
		},
		Async:       async,
		ReportError: func(v goja.Value) { w.reported = append(w.reported, v) },
	})
	if err != nil {
		t.Fatal(err)
	}
	w.api = api
	return w
}

// run runs a script and then the timers it set, in order.
func (w *world) run(t testing.TB, name, src string) goja.Value {
	t.Helper()
	v, err := w.rt.RunScript(name, src)
	if err != nil {
		t.Fatal(err)
	}
	w.drain()
	return v
}

func (w *world) drain() {
	for i := 0; i < len(w.timers); i++ {
		if tm := w.timers[i]; tm.f != nil {
			w.now = tm.at
			tm.f()
		}
	}
	w.timers = nil
}

func readGolden(t testing.TB, name string) map[string]string {
	t.Helper()
	var out map[string]string
	if err := json.Unmarshal([]byte(readFile(t, "testdata/golden/"+name+".json")), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGolden(t *testing.T) {
	harness := readFile(t, "testdata/harness.js") + readFile(t, "testdata/keys.js")
	used := map[string]bool{}
	for name, snippets := range readCases(t) {
		t.Run(name, func(t *testing.T) {
			golden := readGolden(t, name)
			for _, s := range snippets {
				want, ok := golden[s.src]
				if !ok {
					t.Errorf("%s:%d: no expected value; run TestUpdateGoldens", s.file, s.line)
					continue
				}
				w := newWorld(t)
				got := "no answer: the promise did not settle"
				must(t, w.rt.Set("out", func(_, text string) { got = text }))
				key, _ := json.Marshal(s.src)
				w.run(t, s.file, "'use strict';"+harness+"runCases([["+string(key)+", "+s.function()+"]], out);")
				if diff, ok := knownDifferences[s.src]; ok {
					used[s.src] = true
					if got == want {
						t.Errorf("%s:%d: listed as a known difference, but the answers agree", s.file, s.line)
					} else if got != diff.answer {
						t.Errorf("%s:%d: %s\n got %s\nwant %s (known difference: %s)", s.file, s.line, s.src, got, diff.answer, diff.reason)
					}
					continue
				}
				if got != want {
					t.Errorf("%s:%d: %s\n got %s\nwant %s", s.file, s.line, s.src, got, want)
				}
			}
		})
	}
	for src := range knownDifferences {
		if !used[src] {
			t.Errorf("known difference for a snippet that does not exist: %s", src)
		}
	}
}

func TestShape(t *testing.T) {
	golden := readGolden(t, "shape")
	w := newWorld(t)
	got := map[string]string{}
	must(t, w.rt.Set("out", func(name, text string) { got[name] = text }))
	w.run(t, "shape.js", readFile(t, "testdata/shape.js")+"dumpShape(out);")
	for name, want := range golden {
		if got[name] != want {
			t.Errorf("%s\n got %s\nwant %s\n%s", name, got[name], want, firstDifference(got[name], want))
		}
	}
	if len(got) != len(golden) {
		t.Errorf("%d descriptions, want %d", len(got), len(golden))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "; "), strings.Split(want, "; ")
	for i := range max(len(g), len(w)) {
		var x, y string
		if i < len(g) {
			x = g[i]
		}
		if i < len(w) {
			y = w[i]
		}
		if x != y {
			return "first difference: " + x + " | " + y
		}
	}
	return ""
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
