package prelude_test

import (
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
	"github.com/durashim/durashim/jsbridge/loader"
	"github.com/durashim/durashim/jsbridge/prelude"
)

var (
	workerd = flag.String("workerd", "", "workerd binary: run the features on it and compare its answers with the recorded ones")
	update  = flag.Bool("update", false, "with -workerd: record its answers")
)

const featureFile = "testdata/features.txt"

// feature is a module and the text of what its default export is, or resolves
// to, on the real runtime.
type feature struct {
	name, code, want string
	differs          string // what the engine gives instead, for a known difference
}

// readFeatures parses blocks of "=== name", code, "--- want" and, for a known
// difference, "--- differs".
func readFeatures(t *testing.T) []feature {
	data, err := os.ReadFile(featureFile)
	if err != nil {
		t.Fatal(err)
	}
	var out []feature
	for i, block := range strings.Split("\n"+string(data), "\n=== ") {
		if i == 0 {
			continue // comments
		}
		var f feature
		f.name, block, _ = strings.Cut(block, "\n")
		block, f.differs, _ = strings.Cut(block, "\n--- differs\n")
		f.code, f.want, _ = strings.Cut(block, "\n--- want\n")
		f.want, f.differs = strings.TrimSuffix(f.want, "\n"), strings.TrimSuffix(f.differs, "\n")
		out = append(out, f)
	}
	return out
}

func TestFeatures(t *testing.T) {
	for _, f := range readFeatures(t) {
		t.Run(f.name, func(t *testing.T) {
			want := f.want
			if f.differs != "" {
				want = f.differs
			}
			if got := evaluate(t, f.code); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// evaluate runs a module through loader and prelude.
func evaluate(t *testing.T, code string) string {
	t.Helper()
	b, err := loader.Build(loader.Options{Modules: []loader.Module{{Name: "f.js", Contents: []byte(code)}}})
	if err != nil {
		return "build: " + err.Error()
	}
	rt := goja.New()
	rt.SetMaxCallStackSize(10000)
	if _, err := prelude.Install(rt, prelude.Options{}); err != nil {
		t.Fatal(err)
	}
	ns, p, err := b.Run(rt, loader.Host{})
	if err != nil {
		return "run: " + err.Error()
	}
	switch p.State() {
	case goja.PromiseStateRejected:
		return "threw " + p.Result().String()
	case goja.PromiseStatePending:
		return "pending"
	}
	v := ns.Get("default")
	if p, ok := v.Export().(*goja.Promise); ok {
		if p.State() == goja.PromiseStateRejected {
			return "threw " + p.Result().String()
		}
		v = p.Result()
	}
	return v.String()
}

// TestFeaturesOnWorkerd checks the expected values themselves.
func TestFeaturesOnWorkerd(t *testing.T) {
	if *workerd == "" {
		t.Skip("no -workerd")
	}
	features := readFeatures(t)
	dir := t.TempDir()
	var config, main strings.Builder
	config.WriteString("using Workerd = import \"/workerd/workerd.capnp\";\nconst u :Workerd.Config = (services = [(name = \"t\", worker = (modules = [\n(name = \"main.js\", esModule = embed \"main.js\"),\n")
	main.WriteString("export default { async test() { let v;\n")
	for i, f := range features {
		file := fmt.Sprintf("f%d.js", i)
		if err := os.WriteFile(filepath.Join(dir, file), []byte(f.code), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&config, "(name = \"%d/f.js\", esModule = embed %q),\n", i, file)
		fmt.Fprintf(&main, "try { v = String(await (await import(\"%d/f.js\")).default) } catch (e) { v = \"threw \" + e }\nconsole.log(\"@@%d \" + JSON.stringify(v));\n", i, i)
	}
	config.WriteString("]))]);\n")
	main.WriteString("} }\n")
	for name, text := range map[string]string{"main.js": main.String(), "c.wd-test": config.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(*workerd, "test", filepath.Join(dir, "c.wd-test"), "--experimental", "--compat-date=2026-11-01")
	cmd.Env = append(os.Environ(), "TZ=UTC")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := 0
	for _, m := range regexp.MustCompile(`(?m)^@@(\d+) (.*)$`).FindAllStringSubmatch(string(out), -1) {
		var i int
		var got string
		fmt.Sscan(m[1], &i)
		if err := json.Unmarshal([]byte(m[2]), &got); err != nil {
			t.Fatal(err)
		}
		seen++
		if f := &features[i]; got != f.want {
			if *update {
				f.want = got
			} else {
				t.Errorf("%s: workerd gives %s, recorded is %s", f.name, got, f.want)
			}
		}
	}
	if seen != len(features) {
		t.Fatalf("%d answers for %d features:\n%s", seen, len(features), out)
	}
	if *update {
		var b strings.Builder
		b.WriteString("Modules and what String() of their default export gives on workerd.\nRecord with: go test -run OnWorkerd -workerd PATH -update\n")
		for _, f := range features {
			fmt.Fprintf(&b, "\n=== %s\n%s\n--- want\n%s\n", f.name, strings.TrimSuffix(f.code, "\n"), f.want)
			if f.differs != "" {
				fmt.Fprintf(&b, "--- differs\n%s\n", f.differs)
			}
		}
		if err := os.WriteFile(featureFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
