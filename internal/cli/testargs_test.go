package cli

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
)

// What durashim test takes: nothing (the present directory), a directory, a test
// file; and what it says of anything else.
func TestArguments(t *testing.T) {
	file := filepath.Join(inventory, "test", "http.test.ts")
	if _, stderr, code := durashim(t, "test", file); code != 0 || !strings.HasSuffix(stderr, "\n3 passed, 0 failed\n") || !strings.Contains(stderr, "[ PASS ] test/http.test.ts:listSetAndAdd") {
		t.Errorf("a file: status %d\n%s", code, stderr)
	}
	if _, stderr, code := durashim(t, "test", file, "aBad"); code != 0 || !strings.HasSuffix(stderr, "\n1 passed, 0 failed\n") {
		t.Errorf("a file and a filter: status %d\n%s", code, stderr)
	}
	alone := filepath.Join(t.TempDir(), "a.test.ts")
	if err := os.WriteFile(alone, []byte("export default {};"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{alone}, "a.test.ts: neither its directory nor one above it has a wrangler file"},
		{[]string{filepath.Join(inventory, "src", "index.ts")}, "index.ts is no test file: those are named *.test.ts, .tsx, .js, .jsx or .mjs"},
		{[]string{"addOne"}, "addOne: no such file or directory; to run some of the tests of the project here: durashim test . addOne"},
		{[]string{inventory, "--isolates=0"}, "--isolates must be at least 1, not 0"},
		{[]string{inventory, "--isolates=-2"}, "--isolates must be at least 1, not -2"},
		{[]string{inventory, "a", "b"}, "accepts at most 2 arg(s)"},
	} {
		if _, stderr, code := durashim(t, append([]string{"test"}, c.args...)...); code != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: status %d, want %q\n%s", c.args, code, c.want, stderr)
		}
	}
	t.Chdir(inventory)
	if _, stderr, code := durashim(t, "test"); code != 0 || !strings.HasSuffix(stderr, "\n6 passed, 0 failed\n") {
		t.Errorf("no argument: status %d\n%s", code, stderr)
	}
}

// The help names every outcome.
func TestOutcomesAreDocumented(t *testing.T) {
	stdout, _, _ := durashim(t, "test", "--help")
	for o := durable.Pending; o <= durable.Other; o++ {
		if !strings.Contains(stdout, "    "+o.String()+" ") || !strings.Contains(stdout, o.Meaning()) {
			t.Errorf("the help lacks %q", o)
		}
	}
}

func TestVersion(t *testing.T) {
	stdout, _, code := durashim(t, "version")
	if code != 0 || !strings.HasPrefix(stdout, "durashim ") || !strings.HasSuffix(stdout, "follows workerd 2026-11-17\n") {
		t.Errorf("status %d: %q", code, stdout)
	}
	commit := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "amd64"}, {Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"}}
	for want, info := range map[string]*debug.BuildInfo{
		"durashim v1.2.3 (go1.26 /), follows workerd 2026-11-17":                                     {GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}},
		"durashim at commit 0123456789ab, modified (go1.26 linux/amd64), follows workerd 2026-11-17": {GoVersion: "go1.26", Main: debug.Module{Version: "(devel)"}, Settings: commit},
	} {
		if got := versionText(info, true); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := versionText(nil, false); !strings.HasPrefix(got, "durashim of an unknown version (") {
		t.Errorf("got %q", got)
	}
}

// What a test prints stands below it, indented, every line.
func TestConsoleIsIndented(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01"}`,
		"main.ts":       `export default { test() { console.log("one\ntwo"); console.error("three"); } };`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stdout, stderr, code := durashim(t, "test", dir)
	if code != 0 || stdout != "    one\n    two\n    three\n" {
		t.Errorf("status %d, %q\n%s", code, stdout, stderr)
	}
}

// A loop around calls that are retried anyway is warned of below the test, in the
// log and in the timeline.
func TestLayersAreWarnedOf(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "A", "class_name": "A"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["A"]}]}`,
		"main.ts": `import { DurableObject } from "cloudflare:workers"; export class A extends DurableObject { m() {} fetch() { return new Response("ok"); } } export default {};`,
		"a.test.ts": `import { faults, timeline } from "durashim:test";
import assert from "node:assert";
const loop = (call: (a: any) => Promise<unknown>) => ({ async test(_: unknown, env: any) {
  faults.refuseRequest({ times: Infinity });
  for (let i = 0; i < 3; i++) {
    try { await call(env.A.getByName("a")); } catch {}
  }
  assert.deepStrictEqual(timeline.calls().map((c) => c.repeats?.round), [undefined, 2, 3]);
} });
export const rpc = loop((a) => a.m());
export const http = loop((a) => a.fetch("http://a.example/x", { method: "POST", body: "b" }));
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, stderr, code := durashim(t, "test", dir)
	for _, want := range []string{
		"\n    level=WARN msg=\"retries multiply: the application repeats a call that is retried by itself\" namespace=A object=a method=m at=",
		"    WARNING: retries multiply: 3 × 5 = 15 attempts: the application at a.test.ts:10:34 made A(\"a\").m() 3 times",
		"    WARNING: retries multiply: 3 × 5 = 15 attempts: the application at a.test.ts:11:35 made A(\"a\").fetch() 3 times",
	} {
		if code != 0 || strings.Count(stderr, want) != 1 {
			t.Errorf("status %d, lacks %q\n%s", code, want, stderr)
		}
	}
}

// A module that is nowhere is not an invitation to set the bundler's options.
func TestMissingModule(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01"}`,
		"main.ts":       `import x from "no-such-module"; export default { x };`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, stderr, code := durashim(t, "test", dir)
	if code != 1 || strings.Contains(stderr, "external") || !strings.Contains(stderr, "note: durashim provides no such module, and it is not installed in node_modules") {
		t.Errorf("status %d\n%s", code, stderr)
	}
}
