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
		{[]string{inventory, "nothing"}, "No tests found!\nNo name of a test matches the filter \"nothing\"; there are\n    test/http.test.ts:aBadQuantityIsRefused\n"},
		{[]string{inventory, "--timeline=nodir/x.html"}, "--timeline nodir/x.html: there is no directory nodir\n"},
		{[]string{inventory, "--turn-limit=0s"}, "--turn-limit must be more than 0, not 0s"},
		{[]string{inventory, "a", "b"}, "accepts at most 2 arg(s)"},
	} {
		if _, stderr, code := durashim(t, append([]string{"test"}, c.args...)...); code != 1 || !strings.Contains(stderr, c.want) || strings.Contains(stderr, "[ PASS ]") {
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

// Two requests are no loop, not even to one object that lives on; a loop in it is,
// also when it waits between its rounds.
func TestRequestsAreNoLoop(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "A", "class_name": "A"}, {"name": "B", "class_name": "B"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["A", "B"]}]}`,
		"main.ts": `import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject { m() {} }
export class B extends DurableObject {
  async once() { await (this.env as any).A.getByName("a").m(); }
  async loop() {
    for (let i = 0; i < 2; i++) {
      try { await this.once(); } catch {}
      await new Promise((r) => setTimeout(r, 1000));
    }
  }
}
export default {};`,
		"a.test.ts": `import { faults } from "durashim:test";
export const requests = { async test(_: unknown, env: any) {
  faults.refuseRequest({ method: "m", times: Infinity });
  for (let i = 0; i < 2; i++) await env.B.getByName("b").once().then(() => {}, () => {});
} };
export const loop = { async test(_: unknown, env: any) {
  faults.refuseRequest({ method: "m", times: Infinity });
  await env.B.getByName("b").loop();
} };
`,
	})
	_, stderr, code := durashim(t, "test", dir, "requests")
	if code != 0 || strings.Contains(stderr, "multiply") {
		t.Errorf("requests: status %d\n%s", code, stderr)
	}
	_, stderr, code = durashim(t, "test", dir, "loop")
	if code != 0 || !strings.Contains(stderr, `attempts="5 so far, up to 2 × 5 = 10"`) || !strings.Contains(stderr, "WARNING: retries multiply: 2 × 5 = 10 attempts: the application at once (main.ts:4:") {
		t.Errorf("a loop: status %d\n%s", code, stderr)
	}
}

// The error of an object names its place in the source, although the stack that
// the caller sees has only the caller in it.
func TestErrorsOfObjectsNameTheirPlace(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01", "compatibility_flags": ["nodejs_compat"],
			"durable_objects": {"bindings": [{"name": "A", "class_name": "A"}, {"name": "B", "class_name": "B"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["A", "B"]}]}`,
		"main.ts": `import { DurableObject } from "cloudflare:workers";
import assert from "node:assert";
export class A extends DurableObject {
  deep(): never {
    throw new Error("deep");
  }
  equal() { assert.strictEqual(1, 2); }
}
export class B extends DurableObject {
  async nested() { await (this.env as any).A.getByName("a").deep(); }
}
export default { async fetch(_: Request, env: any) { return new Response(await env.B.getByName("b").nested()); } };`,
		"a.test.ts": `const call = (b: string, m: string) => ({ async test(_: unknown, env: any) { await env[b].getByName("x")[m](); } });
export const nested = call("B", "nested");
export const equal = call("A", "equal");
export const forgotten = { async test(_: unknown, env: any) { env.A.getByName("x").deep(); } };
export const stack = { async test(_: unknown, env: any) {
  try { await env.B.getByName("x").nested(); } catch (e) { if (/main\.ts/.test((e as Error).stack!)) throw new Error("the stack shows the callee"); }
} };`,
	})
	for name, want := range map[string][]string{
		"nested":    {"\n        thrown at main.ts:5:11\n", "method threw: deep, at main.ts:5:11\n"},
		"forgotten": {"Uncaught (in promise) Error: deep\n", "\n        thrown at main.ts:5:11\n"},
		"equal":     {"\n        thrown at main.ts:7:", ", at main.ts:7:"},
	} {
		_, stderr, code := durashim(t, "test", dir, name)
		for _, w := range want {
			if code != 1 || !strings.Contains(stderr, w) {
				t.Errorf("%s: status %d, lacks %q\n%s", name, code, w, stderr)
			}
		}
	}
	if _, stderr, code := durashim(t, "test", dir, "stack"); code != 0 {
		t.Errorf("the stack: status %d\n%s", code, stderr)
	}
	s := start(t, dir, "--port=0", "--persist-to=:memory:")
	get(t, s.url())
	s.expect(s.err, `request failed method=GET url=\S+ thrownAt=main\.ts:5:11$`)
}

// The limit of a turn can be set, so that an endless loop does not cost 30 s.
func TestTurnLimit(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01"}`,
		"main.ts":       `export default { test() { for (;;) {} } };`,
	})
	if _, stderr, code := durashim(t, "test", dir, "--turn-limit=50ms"); code != 1 || !strings.Contains(stderr, "took longer than 50ms") {
		t.Errorf("status %d\n%s", code, stderr)
	}
}

// A notice about the whole run is written once, for all classes that it is about.
func TestCrashNoticeIsWrittenOnce(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "A", "class_name": "Aa"}, {"name": "B", "class_name": "Bb"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["Aa", "Bb"]}]}`,
		"main.ts": `import { DurableObject } from "cloudflare:workers"; export class Aa extends DurableObject { m() {} } export class Bb extends DurableObject {} export default {};`,
		"a.test.ts": `import { faults } from "durashim:test";
const crash = { async test(_: unknown, env: any) { faults.crashBefore({ method: "m" }); await env.A.getByName("a").m().then(() => {}, () => {}); } };
export const one = crash, two = { ...crash };
`,
	})
	_, stderr, code := durashim(t, "test", dir)
	if code != 0 || strings.Count(stderr, "isolate of its own") != 1 || !strings.Contains(stderr, `classes="Aa, Bb" hint="a fault with a namespace leaves the other classes where they are"`) {
		t.Errorf("status %d\n%s", code, stderr)
	}
}
