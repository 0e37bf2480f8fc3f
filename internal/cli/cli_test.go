package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

const inventory = "../../examples/inventory"

// durashim runs the command.
func durashim(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, err bytes.Buffer
	code = Main(t.Context(), args, &out, &err)
	return out.String(), err.String(), code
}

func TestExamples(t *testing.T) {
	for dir, passed := range map[string]int{inventory: 6, "../../examples/wasm": 3} {
		_, stderr, code := durashim(t, "test", dir)
		if want := fmt.Sprintf("\n%d passed, 0 failed\n", passed); code != 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d\n%s", dir, code, stderr)
		}
	}
}

// The README shows what the command prints and what the test kit's own test
// does.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, stderr, _ := durashim(t, "test", inventory)
	shown := fenced(t, string(readme), "timeline")
	for _, block := range regexp.MustCompile(`(?m)^#`).Split(shown, -1)[1:] {
		if !strings.Contains(stderr, indent("#"+block)) {
			t.Errorf("README shows this timeline, which the command does not print:\n#%s", block)
		}
	}
	code, err := os.ReadFile("../../shimtest/shimtest_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(code), fenced(t, string(readme), "example")) {
		t.Error("README's first example is not the test in shimtest/shimtest_test.go")
	}
}

// fenced returns the code block between two markers.
func fenced(t *testing.T, text, marker string) string {
	t.Helper()
	_, rest, ok1 := strings.Cut(text, "<!-- "+marker+":begin -->\n")
	block, _, ok2 := strings.Cut(rest, "<!-- "+marker+":end -->")
	if !ok1 || !ok2 {
		t.Fatalf("no %s block", marker)
	}
	_, block, _ = strings.Cut(block, "\n")
	return strings.TrimSuffix(strings.TrimSpace(block), "```")
}

func TestResults(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file("wrangler.json", `{"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01",
		"durable_objects": {"bindings": [{"name": "C", "class_name": "C"}]}, "migrations": [{"tag": "v1", "new_sqlite_classes": ["C"]}]}`)
	file("main.ts", `import { DurableObject } from "cloudflare:workers"; export class C extends DurableObject {} export default {};`)
	_, stderr, code := durashim(t, "test", dir)
	if code != 1 || !strings.Contains(stderr, "No tests found!") {
		t.Errorf("no tests: status %d\n%s", code, stderr)
	}
	file("functions.test.ts", "export async function addsOne() {}")
	if _, stderr, code := durashim(t, "test", dir); code != 1 || !strings.Contains(stderr, "functions.test.ts exports no test; one looks like this") {
		t.Errorf("a test file without tests: status %d\n%s", code, stderr)
	}
	if err := os.Remove(filepath.Join(dir, "functions.test.ts")); err != nil {
		t.Fatal(err)
	}

	file("a.test.ts", `
export const passes = { async test(c: unknown, env: unknown, ctx: any) { ctx.waitUntil(new Promise((r) => setTimeout(r, 60_000))); } };
export const throws = { test() {
  throw new TypeError("oops");
} };
export const waitUntilFails = { test(c: unknown, env: unknown, ctx: any) { ctx.waitUntil(Promise.reject(new Error("later"))); } };
export const unusedFault = { async test() { (await import("durashim:test")).faults.dropReply({ method: "nothing" }); } };
export const forgotAwait = { test(c: unknown, env: any) { env.SELF.nothing; Promise.reject(new RangeError("unheard")); } };
export const neverEnds = { test() { return new Promise(() => {}); } };
`)
	_, stderr, code = durashim(t, "test", dir)
	for _, want := range []string{
		"[ PASS ] a.test.ts:passes", "[ FAIL ] a.test.ts:throws", "TypeError: oops", "a.test.ts:4:",
		"[ FAIL ] a.test.ts:waitUntilFails", "later",
		"[ FAIL ] a.test.ts:unusedFault", "this fault never acted: reply dropped after the method finished, method nothing",
		"[ FAIL ] a.test.ts:forgotAwait", "RangeError: unheard",
		"[ FAIL ] a.test.ts:neverEnds", "the wait can never end", "1 passed, 5 failed",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("output lacks %q\n%s", want, stderr)
		}
	}
	if code != 1 {
		t.Errorf("status %d", code)
	}
	if _, stderr, code = durashim(t, "test", dir, "^a.test.ts:passes$"); code != 0 {
		t.Errorf("filtered: status %d\n%s", code, stderr)
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	for _, c := range []struct {
		name, config, script string
		want                 []string
	}{
		{"syntax", "", "export default {\n  fetch( {\n", []string{"main.ts:"}},
		{"unknown import", "", "import 'nope';\nexport default {};", []string{"main.ts:1:", "nope"}},
		{"throws at load", "", "export default {};\n\nthrow new Error('at load');", []string{"at load", "main.ts:3:"}},
		{"endless await at load", "", "await new Promise(() => {});\nexport default {};", []string{"top-level await"}},
		{"class not exported", `"durable_objects": {"bindings": [{"name": "A", "class_name": "A"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["A"]}],`,
			"export default {};", []string{"wrangler.json:", `"A"`}},
		{"config field", `"mian": 1,`, "export default {};", []string{"wrangler.json:1:", "mian"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			config := `{` + c.config + `"name": "w", "main": "main.ts", "compatibility_date": "2026-11-01"}`
			for name, text := range map[string]string{"wrangler.json": config, "main.ts": c.script} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, stderr, code := durashim(t, "test", dir)
			for _, w := range c.want {
				if !strings.Contains(stderr, w) {
					t.Errorf("output lacks %q", w)
				}
			}
			if code != 1 || t.Failed() {
				t.Errorf("status %d\n%s", code, stderr)
			}
		})
	}
}

// lockedBuffer is written by the server and read by the test.
type lockedBuffer struct {
	mu   sync.Mutex
	b    bytes.Buffer
	line chan string
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.line <- string(p):
	default:
	}
	return l.b.Write(p)
}

func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stderr := &lockedBuffer{line: make(chan string, 1)}
	ended := make(chan int, 1)
	go func() {
		ended <- Main(ctx, []string{"serve", inventory, "--port", "0", "--persist-to", t.TempDir()}, io.Discard, stderr)
	}()
	ready := <-stderr.line
	url := strings.TrimSpace(ready[strings.Index(ready, "http://"):])
	do := func(method, path, body, want string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		got, err := io.ReadAll(res.Body)
		if err != nil || string(got) != want {
			t.Errorf("%s %s: %q, %v; want %q", method, path, got, err, want)
		}
	}
	do("PUT", "/items/apple", "5", `{"apple":5}`)
	do("POST", "/items/apple/add", "", `{"apple":6}`)
	do("GET", "/", "", `{"apple":6}`)
	do("GET", "/nowhere", "", "not found\n")
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("status %d\n%s", code, stderr.b.String())
	}
}

// A test that does not wait for what it starts fails: neither its faults nor its
// assertions have meant anything.
func TestForgottenAwait(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "A", "class_name": "A"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["A"]}]}`,
		"main.js": `import { DurableObject } from "cloudflare:workers";
			export class A extends DurableObject { ok() {} async slow() { await scheduler.wait(1000); } }
			export default {};`,
		"a.test.js": `import assert from "node:assert";
			import { faults } from "durashim:test";
			export const fault = { test(c, env) { faults.dropReply({ method: "slow" }); env.A.getByName("x").slow(); } };
			export const inFlight = { test(c, env) { env.A.getByName("x").slow(); } };
			export const assertion = { test(c, env) { assert.rejects(() => env.A.getByName("x").ok()); } };
			export const cleared = { test() { faults.dropReply({ method: "okk" }); faults.clear(); } };
			export const fine = { async test(c, env) { await env.A.getByName("x").slow(); } };`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, stderr, code := durashim(t, "test", dir)
	for _, want := range []string{
		"[ FAIL ] a.test.js:fault", "this fault never acted: reply dropped after the method finished, method slow",
		"[ FAIL ] a.test.js:inFlight", `A("x").slow() was still in flight when the test ended: is an await missing?`,
		"[ FAIL ] a.test.js:assertion", "Missing expected rejection",
		"[ FAIL ] a.test.js:cleared", "method okk", "[ PASS ] a.test.js:fine", "1 passed, 4 failed",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("output lacks %q", want)
		}
	}
	if code != 1 || t.Failed() {
		t.Errorf("status %d\n%s", code, stderr)
	}
}
