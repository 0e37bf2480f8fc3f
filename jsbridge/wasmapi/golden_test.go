package wasmapi

import (
	"os"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

func TestGolden(t *testing.T) {
	got := probe(t)
	want := strings.Split(strings.TrimSpace(read(t, "golden.txt")), "\n")
	ours := make(map[string]string)
	for _, d := range differences {
		for _, l := range d.lines {
			ours[l[0]] = l[1]
		}
	}
	for i, line := range want {
		if i >= len(got) {
			t.Fatalf("ended before %q", line)
		}
		if other, ok := ours[line]; ok {
			delete(ours, line)
			line = other
		}
		if got[i] != line {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, got[i], line)
		}
	}
	for line := range ours {
		t.Errorf("a difference to a line that workerd does not give: %s", line)
	}
	if len(got) > len(want) {
		t.Errorf("more lines than workerd's: %q", got[len(want):])
	}
}

func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// runtime returns a runtime with WebAssembly and the named modules in the
// global modules.
func runtime(t testing.TB, env Env, names ...string) *goja.Runtime {
	t.Helper()
	rt := goja.New()
	rt.SetMaxCallStackSize(10000)
	a := Install(rt, env)
	modules := rt.NewObject()
	for _, name := range names {
		m, err := a.NewModule([]byte(read(t, name+".wasm")))
		if err != nil {
			t.Fatal(err)
		}
		must(modules.Set(name, m))
	}
	must(rt.Set("modules", modules))
	return rt
}

func probe(t *testing.T) (lines []string) {
	rt := runtime(t, Env{}, "imports", "kinds", "start", "data-bounds", "elem-bounds", "extra", "multi")
	must(rt.Set("bin", rt.NewArrayBuffer([]byte(read(t, "kinds.wasm")))))
	must(rt.Set("log", func(line string) { lines = append(lines, line) }))
	if _, err := rt.RunScript("probe.js", read(t, "probe.js")); err != nil {
		t.Fatal(err)
	}
	v, err := rt.RunString("probe(modules, bin, log)")
	if err != nil {
		t.Fatalf("after %q: %.200v", lines[len(lines)-1], err)
	}
	if p := v.Export().(*goja.Promise); p.State() != goja.PromiseStateFulfilled {
		t.Fatalf("after %q: %v", lines[len(lines)-1], p.Result())
	}
	return lines
}
