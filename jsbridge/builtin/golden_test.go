package builtin

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// The goldens under testdata hold what the real runtime answered to each
// snippet. To make them anew, after a change to the snippets or for a newer
// release, run from this directory
//
//	go test -run TestGolden -workerd /path/to/workerd
//
// which runs every testdata/*.cases on that binary and writes *.golden.json.
var workerd = flag.String("workerd", "", "make the goldens anew with this workerd binary")

// A .cases file has one snippet on each line: an expression, or, after ": ",
// the body of an async function. Lines that start with // are comments;
// "//! TEXT" says why the next snippet's answer is known to differ here, and
// the test fails as soon as it no longer does.
type snippet struct {
	src     string
	differs string
}

type golden struct {
	Src string `json:"src"`
	Out string `json:"out"`
}

func readCases(t *testing.T, file string) []snippet {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []snippet
	differs := ""
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := strings.TrimSpace(sc.Text())
		if why, ok := strings.CutPrefix(line, "//!"); ok {
			differs = strings.TrimSpace(why)
			continue
		}
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		out = append(out, snippet{line, differs})
		differs = ""
	}
	return out
}

func (s snippet) function() string {
	if body, ok := strings.CutPrefix(s.src, ": "); ok {
		return "async () => {" + body + "\n}"
	}
	return "async () => (" + s.src + "\n)"
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.cases")
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata/*.cases: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".cases")
		t.Run(name, func(t *testing.T) {
			cases := readCases(t, file)
			goldenFile := "testdata/" + name + ".golden.json"
			if *workerd != "" {
				regenerate(t, cases, goldenFile)
			}
			data, err := os.ReadFile(goldenFile)
			if err != nil {
				t.Fatal(err)
			}
			var want []golden
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatalf("%s: %v", goldenFile, err)
			}
			if len(want) != len(cases) {
				t.Fatalf("%s has %d answers for %d snippets; make it anew", goldenFile, len(want), len(cases))
			}
			w := newWorld(t)
			if name == consoleFile {
				w.useConsole(t)
			}
			bad := 0
			for i, c := range cases {
				if want[i].Src != c.src {
					t.Fatalf("%s: answer %d is for %q, not %q; make it anew", goldenFile, i, want[i].Src, c.src)
				}
				got := w.eval(t, c.function())
				switch {
				case c.differs == "" && got != want[i].Out:
					bad++
					t.Errorf("%s\n--- got\n%s\n--- want\n%s", c.src, got, want[i].Out)
				case c.differs != "" && got == want[i].Out:
					t.Errorf("%s\nis said to differ (%s), but agrees", c.src, c.differs)
				}
			}
			t.Logf("%d snippets, %d failed", len(cases), bad)
		})
	}
}

// The snippets of console.cases are lists of arguments for console.log; their
// answers are what the real runtime prints, ours is what Set.Format returns.
const consoleFile = "console"

// noFrames does to a printed text what noFrames of prelude.js does.
func noFrames(text string) string {
	return frameLines.ReplaceAllStringFunc(text, func(m string) string {
		end := ""
		if strings.HasSuffix(m, " {") {
			end = " {"
		}
		return m[:strings.Index(m, "at ")] + "at *" + end
	})
}

var frameLines = regexp.MustCompile(`(\n *at [^\n]*)+`)

const testModules = `assert strict:assert/strict util events path buffer querystring string_decoder async_hooks`

// A world is a runtime with the modules bound to the names that snippets use.
type world struct {
	rt      *goja.Runtime
	set     *Set
	tracker *contextTracker
	run     goja.Callable
}

func newWorld(t testing.TB) *world {
	t.Helper()
	rt := goja.New()
	tracker := &contextTracker{}
	rt.SetAsyncContextTracker(tracker)
	host := rt.NewObject()
	must(t, host.Set("getAsyncContext", func(goja.FunctionCall) goja.Value {
		if tracker.current == nil {
			return goja.Undefined()
		}
		return tracker.current
	}))
	must(t, host.Set("setAsyncContext", func(c goja.FunctionCall) goja.Value {
		tracker.current = c.Argument(0)
		return goja.Undefined()
	}))
	w := &world{rt: rt, set: New(rt, host), tracker: tracker}
	for _, m := range strings.Fields(testModules) {
		local, spec, ok := strings.Cut(m, ":")
		if !ok {
			spec = local
		}
		o, err := w.set.Load("node:" + spec)
		if err != nil {
			t.Fatal(err)
		}
		def := o.Get("default")
		must(t, rt.Set(local, def))
		must(t, rt.Set("ns_"+local, o))
	}
	prelude, err := os.ReadFile("testdata/prelude.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rt.RunScript("prelude.js", string(prelude)); err != nil {
		t.Fatal(err)
	}
	run, ok := goja.AssertFunction(rt.Get("answer"))
	if !ok {
		t.Fatal("prelude.js defines no function answer")
	}
	w.run = run
	return w
}

// eval runs one snippet's function until its promise settles; all there is to
// wait for are microtasks.
func (w *world) eval(t testing.TB, fn string) string {
	t.Helper()
	f, err := w.rt.RunScript("snippet.js", "("+fn+")")
	if err != nil {
		return "SyntaxError: " + err.Error()
	}
	v, err := w.run(goja.Undefined(), f)
	if err != nil {
		return "uncaught: " + err.Error()
	}
	p, ok := v.Export().(*goja.Promise)
	if !ok {
		t.Fatalf("answer returned no promise but %v", v)
	}
	switch p.State() {
	case goja.PromiseStateFulfilled:
		return p.Result().String()
	case goja.PromiseStateRejected:
		return "rejected: " + p.Result().String()
	}
	return "never settled"
}

// useConsole makes eval format the list that a snippet returns.
func (w *world) useConsole(t testing.TB) {
	t.Helper()
	must(t, w.rt.Set("print", func(call goja.FunctionCall) goja.Value {
		var args []goja.Value
		must(t, w.rt.ExportTo(call.Argument(0), &args))
		s, err := w.set.Format(args...)
		must(t, err)
		return w.rt.ToValue(noFrames(s))
	}))
	v, err := w.rt.RunScript("console.js", "(async (f) => print(await f()))")
	must(t, err)
	w.run, _ = goja.AssertFunction(v)
}

type contextTracker struct{ current goja.Value }

func (c *contextTracker) Grab() any     { return c.current }
func (c *contextTracker) Resumed(v any) { c.current, _ = v.(goja.Value) }
func (c *contextTracker) Exited()       { c.current = nil }

func regenerate(t *testing.T, cases []snippet, file string) {
	t.Helper()
	dir := t.TempDir()
	var js strings.Builder
	for _, m := range strings.Fields(testModules) {
		local, spec, ok := strings.Cut(m, ":")
		if !ok {
			spec = local
		}
		fmt.Fprintf(&js, "import %s from 'node:%s';\nimport * as ns_%s from 'node:%s';\n", local, spec, local, spec)
	}
	prelude, err := os.ReadFile("testdata/prelude.js")
	if err != nil {
		t.Fatal(err)
	}
	js.Write(prelude)
	js.WriteString("\nconst cases = [\n")
	for _, c := range cases {
		js.WriteString(c.function() + ",\n")
	}
	loop := "console.log('@@' + JSON.stringify(await answer(f)));"
	if strings.Contains(file, consoleFile+".") {
		loop = "const v = await f(); console.log('@<'); console.log(...v); console.log('@>');"
	}
	js.WriteString("];\nexport default { async test() { for (const f of cases) {" + loop + "} } };\n")
	must(t, os.WriteFile(filepath.Join(dir, "t.js"), []byte(js.String()), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "t.wd-test"), []byte(`using Workerd = import "/workerd/workerd.capnp";
const unitTests :Workerd.Config = ( services = [ ( name = "t", worker = (
  modules = [ (name = "worker", esModule = embed "t.js") ],
  compatibilityDate = "2026-11-01", compatibilityFlags = ["nodejs_compat"] ) ) ] );
`), 0o600))
	cmd := exec.Command(*workerd, "test", filepath.Join(dir, "t.wd-test"))
	cmd.Env = append(os.Environ(), "TZ=UTC")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, stderr.String())
	}
	var got []golden
	for _, text := range strings.Split(string(out), "@<\n")[1:] {
		text, _, _ = strings.Cut(text, "\n@>")
		got = append(got, golden{cases[len(got)].src, noFrames(text)})
	}
	for line := range strings.Lines(string(out)) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "@@")
		if !ok {
			continue
		}
		var s string
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		got = append(got, golden{cases[len(got)].src, s})
	}
	if len(got) != len(cases) {
		t.Fatalf("%d answers for %d snippets\n%s", len(got), len(cases), stderr.String())
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	must(t, enc.Encode(got))
	must(t, os.WriteFile(file, buf.Bytes(), 0o644))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
