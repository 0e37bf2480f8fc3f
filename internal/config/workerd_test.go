package config

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// workerd runs the real binary on a file, if DURASHIM_WORKERD names one, and
// returns what it prints.
func workerd(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	bin := os.Getenv("DURASHIM_WORKERD")
	if bin == "" {
		t.Skip("DURASHIM_WORKERD is not set")
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestTextAgainstWorkerd reads the same literals with workerd: the value must be
// the same, or the error must be on the same line.
func TestTextAgainstWorkerd(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "w.js", `export default { test(c, env) { console.log("ENV" + JSON.stringify(env)); } };`)
	write(t, dir, "e.txt", "embedded\n")
	write(t, dir, "o.capnp", `const v :Text = "other"; using Back = import "c.wd-test";`)
	for _, expr := range []string{
		`"a\n\t\x41\101\"\\\a\b\f\v\r\?\0z"`, `"\'"`, `"\q"`, `"\e"`, `"\u0041"`, `"\xg1"`, `"\x4"`, `"\8"`, `"\7\18\400"`, `"\xff"`,
		`"tab	in"`, `"a` + "\n" + `b"`, `'abc'`, `"a" "b"` + "\n" + `"c"`, `"a" # c` + "\n" + `"b"`,
		"\n`one \"x\" \\n\n# c\n\n  `two\n", "\"x\" `line\n", "`crlf\r\n", `("p")`, `(("p"))`, `("p", "q")`, `("p",)`, `5`, `-5`, `true`, `void`, `[]`, `()`,
		`.later`, `. later`, `later`, `.nope`, `.text`, `Workerd`, `Workerd.Config`, `O.v`, `O.Back.later`, `O.nope`, `import "o.capnp".v`, `(import "o.capnp").v`,
		`import "none".v`, `embed "e.txt"`, `embed "none"`, `embed "e.txt" "x"`, `embed 5`, `0x"41"`, `"a" 5`, `"a"; text = "b"`, `"a", , json = "1"`, `"a",`, `"a" json = "1"`,
		`"a", txt = "b"`, `"a", "b"`, `"\`, `"`,
	} {
		text := capnpHead + `using O = import "o.capnp";
const unitTests :Workerd.Config = (services = [(name = "t", worker = .w)]);
const w :Workerd.Worker = (modules = [(name = "w", esModule = embed "w.js")], compatibilityDate = "2026-11-01", bindings = [(name = "a", text = ` + expr + `)]);
const later :Text = "L" "M"; const text :Data = "d";
`
		path := write(t, dir, "c.wd-test", text)
		out, err := workerd(t, dir, "test", "c.wd-test")
		c, gotErr := Load(path)
		if err != nil {
			m := regexp.MustCompile(`(?m)^c\.wd-test:(\d+):`).FindStringSubmatch(out)
			var e *Error
			if m == nil {
				t.Errorf("%s: workerd says no place: %s", expr, out)
			} else if !errors.As(gotErr, &e) || strconv.Itoa(e.Pos.Line) != m[1] {
				t.Errorf("%s\n  got    %v\n  workerd %s", expr, gotErr, out)
			}
			continue
		}
		if gotErr != nil {
			t.Errorf("%s\n  got    %v\n  workerd accepts: %s", expr, gotErr, out)
			continue
		}
		var env map[string]string
		_, line, _ := strings.Cut(out, "ENV")
		line, _, _ = strings.Cut(line, "\n")
		if err := json.Unmarshal([]byte(line), &env); err != nil {
			t.Fatalf("%s: %v in %q", expr, err, out)
		}
		got := strings.ToValidUTF8(c.Service("t").Worker.Binding("a").Text.Value, "\ufffd")
		if got != env["a"] {
			t.Errorf("%s = %q, workerd has %q", expr, got, env["a"])
		}
	}
}

// TestMigrationsAgainstWorkerd compares the unique keys with the directories
// that workerd makes, and the vars with the env that it shows.
func TestMigrationsAgainstWorkerd(t *testing.T) {
	for _, fields := range []string{
		`"migrations":[]`,
		`"migrations":[{"tag":"1","new_classes":["A"]},{"tag":"2","renamed_classes":[{"from":"A","to":"B"}]}]`,
		`"migrations":[{"tag":"1","new_sqlite_classes":["A","B","C"]},{"tag":"2","deleted_classes":["B","C"]},{"tag":"3","new_classes":["C"]}]`,
		`"migrations":[{"tag":"1","new_sqlite_classes":["A"],"new_classes":["A"]}]`,
		`"migrations":[{"tag":"1","deleted_classes":["A"]}]`,
		`"exports":{"C":{"type":"durable-object","storage":"sqlite"},"A":{"type":"durable-object","state":"renamed","renamed_to":"C"}}`,
		`"exports":{"A":{"type":"durable-object"}}`,
	} {
		dir := t.TempDir()
		write(t, dir, "w.js", `import { DurableObject } from "cloudflare:workers";
			export class A extends DurableObject {} export class B extends A {} export class C extends A {}
			export default { test(c, env) { console.log("ENV" + JSON.stringify(env)); } };`)
		path := write(t, dir, "wrangler.json", `{"name":"w","main":"w.js","no_bundle":true,"compatibility_date":"2026-11-01",
			"vars":{"Z":"z","J":{"a":[1,null,"<x>"]},"N":2.5},"durable_objects":{"bindings":[{"name":"X","class_name":"B"}]},`+fields+`}`)
		out, err := workerd(t, dir, "test", "wrangler.json")
		c, gotErr := Load(path)
		if (err == nil) != (gotErr == nil) {
			t.Errorf("%s\n  got    %v\n  workerd %s", fields, gotErr, out)
		}
		if err != nil || gotErr != nil {
			continue
		}
		w := c.Services[0].Worker
		var got, want []string
		for _, n := range w.Namespaces {
			got = append(got, n.UniqueKey.Value)
		}
		sort.Strings(got)
		entries, err := os.ReadDir(c.Service(w.Storage.Disk.Value).Disk.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			want = append(want, e.Name())
		}
		if g, w := strings.Join(got, " "), strings.Join(want, " "); g != w {
			t.Errorf("%s: got %s, workerd has %s", fields, g, w)
		}
		env := "ENV{"
		for _, b := range w.Bindings {
			switch b.Kind {
			case BindingText:
				env += strconv.Quote(b.Name.Value) + ":" + strconv.Quote(b.Text.Value) + ","
			case BindingJSON:
				env += strconv.Quote(b.Name.Value) + ":" + b.Text.Value + ","
			}
		}
		if !strings.Contains(out, env) {
			t.Errorf("%s: got %s, workerd prints %s", fields, env, out)
		}
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
