package prelude_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/jsbridge/prelude"
)

const descriptorFile = "testdata/descriptors.txt"

// knownDifferences are the lines of the real runtime's list that this one
// lacks, with the reason.
var knownDifferences = []struct {
	pattern, why string
}{
	{`^(SharedArrayBuffer|Float16Array)\b`, "the engine has no shared memory and no such elements"},
	{`^ArrayBuffer\.prototype\.resize\b`, "no buffers of changeable size"},
	{`^RegExp\.(\$|input|last|left|right)`, "static properties of the last match"},
	{`^(AsyncDisposableStack|Atomics|DisposableStack|FinalizationRegistry|WeakRef) w-c`, "made at the first look: an accessor until then"},
	{`^(Big|U?[iI]nt(8C|16|32)|Int8|Uint8C|Float)\w*Array w-c`, "made at the first look: an accessor until then"},
	{`^Function\.prototype\.(arguments|caller)`, "names of the engine's accessors"},
}

func TestDescriptors(t *testing.T) {
	src, err := os.ReadFile("testdata/descriptors.js")
	if err != nil {
		t.Fatal(err)
	}
	if *workerd != "" && *update {
		recordDescriptors(t, string(src))
	}
	want, err := os.ReadFile(descriptorFile)
	if err != nil {
		t.Fatal(err)
	}
	rt := goja.New()
	if _, err := prelude.Install(rt, prelude.Options{}); err != nil {
		t.Fatal(err)
	}
	v, err := rt.RunString(string(src) + "; dump()")
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for line := range strings.Lines(v.String()) {
		have[strings.TrimSpace(line)] = true
	}
	used := make([]bool, len(knownDifferences))
next:
	for line := range strings.Lines(string(want)) {
		line = strings.TrimSpace(line)
		if have[line] || line == "" {
			continue
		}
		for i, k := range knownDifferences {
			if regexp.MustCompile(k.pattern).MatchString(line) {
				used[i] = true
				continue next
			}
		}
		t.Errorf("missing: %s", line)
	}
	for i, k := range knownDifferences {
		if !used[i] {
			t.Errorf("%s is listed as a difference (%s) but is none", k.pattern, k.why)
		}
	}
}

func recordDescriptors(t *testing.T, src string) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"w.js":      src + "\nexport default { test() { console.log(dump()) } }",
		"c.wd-test": "using Workerd = import \"/workerd/workerd.capnp\";\nconst u :Workerd.Config = (services = [(name = \"t\", worker = (modules = [(name = \"w.js\", esModule = embed \"w.js\")]))]);",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(*workerd, "test", filepath.Join(dir, "c.wd-test"), "--experimental", "--compat-date=2026-11-01").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(descriptorFile, out, 0o644); err != nil {
		t.Fatal(err)
	}
}
