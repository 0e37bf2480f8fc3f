package webapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The expected values under testdata/golden come from the real runtime. To
// make them again, for example after adding a line to testdata/cases:
//
//	go test ./jsbridge/webapi -run TestUpdateGoldens -workerd /path/to/workerd
//
// Without the flag that test is skipped, and TestGolden compares this package
// with what is committed.
var workerdPath = flag.String("workerd", "", "path of the workerd binary; TestUpdateGoldens rewrites testdata/golden with its answers")

// compatDate is the compatibility date that the real runtime is asked with.
const compatDate = "2026-11-01"

// snippet is one line of a file under testdata/cases: an expression, or a
// function body in braces.
type snippet struct {
	file string
	line int
	src  string
}

// function returns the source text of an async function that gives the answer.
func (s snippet) function() string {
	if strings.HasPrefix(s.src, "{ ") {
		return "async () => " + s.src
	}
	return "async () => (" + s.src + "\n)"
}

// readCases returns the snippets of every case file, by file name without
// extension.
func readCases(t testing.TB) map[string][]snippet {
	t.Helper()
	files, err := filepath.Glob("testdata/cases/*.js")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	out := map[string][]snippet{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".js")
		for i, line := range strings.Split(string(data), "\n") {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "//") {
				continue
			}
			out[name] = append(out[name], snippet{file, i + 1, line})
		}
	}
	return out
}

// askWorkerd runs a module on the real runtime and returns what it printed
// through the function `out(name, text)`.
func askWorkerd(t *testing.T, module string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	const config = `using Workerd = import "/workerd/workerd.capnp";
const unitTests :Workerd.Config = ( services = [ ( name = "t", worker = (
  modules = [ (name = "worker", esModule = embed "worker.js") ]
) ) ] );
`
	for name, text := range map[string]string{"t.wd-test": config, "worker.js": module} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(*workerdPath, "test", filepath.Join(dir, "t.wd-test"), "--compat-date="+compatDate)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("workerd: %v\n%s%s", err, stdout.Bytes(), stderr.Bytes())
	}
	answers := map[string]string{}
	for _, line := range strings.Split(stdout.String(), "\n") {
		if line == "" {
			continue
		}
		var pair [2]string
		if err := json.Unmarshal([]byte(line), &pair); err != nil {
			t.Fatalf("unexpected output %q: %v", line, err)
		}
		answers[pair[0]] = pair[1]
	}
	return answers
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestUpdateGoldens(t *testing.T) {
	if *workerdPath == "" {
		t.Skip("run with -workerd PATH to rewrite the expected values")
	}
	harness := readFile(t, "testdata/harness.js") + readFile(t, "testdata/keys.js")
	const out = "(name, text) => console.log(JSON.stringify([name, text]))"
	for name, snippets := range readCases(t) {
		var b strings.Builder
		b.WriteString(harness)
		b.WriteString("const cases = [\n")
		for _, s := range snippets {
			key, _ := json.Marshal(s.src)
			fmt.Fprintf(&b, "[%s, %s],\n", key, s.function())
		}
		b.WriteString("];\nexport default { async test() { await runCases(cases, " + out + "); } };\n")
		writeGolden(t, name, askWorkerd(t, b.String()))
	}
	shape := readFile(t, "testdata/shape.js")
	writeGolden(t, "shape", askWorkerd(t, shape+
		"export default { test() { dumpShape("+out+"); } };\n"))
}

func writeGolden(t *testing.T, name string, answers map[string]string) {
	t.Helper()
	// Maps are written with sorted keys, so a second run changes nothing.
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(answers); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("testdata/golden", name+".json"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
