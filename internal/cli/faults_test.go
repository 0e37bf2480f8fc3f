package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
)

// faultProject writes a project with tests, and returns its directory and a
// function that writes a file beside it.
func faultProject(t *testing.T) (dir string, file func(name, text string) string) {
	dir = t.TempDir()
	file = func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	file("wrangler.json", `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
		"durable_objects": {"bindings": [{"name": "C", "class_name": "C"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["C"]}]}`)
	file("main.js", `import { DurableObject } from "cloudflare:workers";
export class C extends DurableObject { add() { return 1; } fetch() { return new Response("hi"); } }
export default { fetch(req, env) { return env.C.getByName("a").fetch(req); } };`)
	file("a.test.js", `
import assert from "node:assert";
import { timeline } from "durashim:test";
export const a = { async test(_, env) { await env.C.getByName("a").add(); assert.strictEqual(timeline.calls()[0].attempts, 2); } };
export const b = { async test(_, env) { await env.C.getByName("b").add(); assert.strictEqual(timeline.calls()[0].attempts, 1); } };
`)
	return dir, file
}

// The plans of a file are in force in every test; one that acts in none of them
// fails the run and tells what it met.
func TestFaultsOfAFile(t *testing.T) {
	dir, file := faultProject(t)
	faults := file("faults.jsonc", `[ { "fault": "refuseRequest", "object": "a" } ] // in one test only
`)
	if _, stderr, code := durashim(t, "test", dir, "--faults", faults); code != 0 || !strings.Contains(stderr, "2 passed, 0 failed") {
		t.Errorf("status %d\n%s", code, stderr)
	}
	file("faults.jsonc", `[
  { "fault": "refuseRequest", "object": "a" },
  { "fault": "dropReply", "method": "ad" },
  { "fault": "crashAfter", "attempt": 3 } ]`)
	_, stderr, code := durashim(t, "test", dir, "--faults", faults)
	for _, want := range []string{"2 passed, 0 failed",
		faults + ":3:3: this fault never acted: reply dropped after the method finished, method ad\n  calls made while it was in force:\n    C(\"a\").add by a.test.js, once: another method",
		faults + ":4:3: this fault never acted: host crashed after the method finished, attempt 3\n  calls made while it was in force:\n    C(\"a\").add by a.test.js, once: no attempt 3: it had 2 at most",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("output lacks %q\n%s", want, stderr)
		}
	}
	if code != 1 {
		t.Errorf("status %d", code)
	}
	for text, want := range map[string]string{
		`[{"fault": "dropRepli"}]`:                   `:1:12: there is no fault "dropRepli" (did you mean "dropReply"?)`,
		`[{"fault": "dropReply", "namespace": "D"}]`: `:1:2: fault (reply dropped after the method finished, namespace D): there is no namespace "D"`,
	} {
		file("faults.jsonc", text)
		if _, stderr, code := durashim(t, "test", dir, "--faults", faults); code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d\n%s", text, code, stderr)
		}
	}
	if _, stderr, code := durashim(t, "test", dir, "--faults", filepath.Join(dir, "none")); code != 1 || !strings.Contains(stderr, "none: no such file") {
		t.Errorf("no file: status %d\n%s", code, stderr)
	}
}

// In one world for all tests, the plans begin anew with each test.
func TestFaultsOfAFileInOneWorld(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "c.capnp")
	for name, text := range map[string]string{
		"c.capnp": `using Workerd = import "/workerd/workerd.capnp";
const c :Workerd.Config = (services = [(name = "w", worker = (compatibilityDate = "2026-11-01",
  modules = [(name = "w.js", esModule = embed "w.js")],
  durableObjectNamespaces = [(className = "C", uniqueKey = "c", enableSql = true)], durableObjectStorage = (inMemory = void),
  bindings = [(name = "C", durableObjectNamespace = "C")]))]);`,
		"w.js": `import { DurableObject } from "cloudflare:workers";
import assert from "node:assert";
import { timeline } from "durashim:test";
export class C extends DurableObject { add() {} }
export const quiet = { test() {} };
const test = { async test(_, env) { await env.C.getByName("a").add(); assert.strictEqual(timeline.calls().at(-1).attempts, 2); } };
export const one = test, two = test;`,
		"f.jsonc": `[{"fault": "refuseRequest", "method": "add"}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, stderr, code := durashim(t, "test", config, "--faults", filepath.Join(dir, "f.jsonc")); code != 0 || !strings.Contains(stderr, "3 passed, 0 failed") {
		t.Errorf("status %d\n%s", code, stderr)
	}
}

// The help names every fault and every field.
func TestFaultHelp(t *testing.T) {
	words := regexp.MustCompile(`\w+`).FindAllString(faultHelp, -1)
	for _, name := range append(durable.FaultNames(), "namespace", "object", "method", "caller", "call", "attempt", "times", "for", "probability", "delay", "duration") {
		if !slices.Contains(words, name) {
			t.Errorf("the help lacks %q", name)
		}
	}
	for _, command := range []string{"serve", "test"} {
		if stdout, _, _ := durashim(t, command, "--help"); !strings.Contains(stdout, faultHelp) || !strings.Contains(stdout, "--faults file") {
			t.Errorf("the help of %s lacks the faults", command)
		}
	}
}

// The server obeys the plans of a file, and reports at its end those that never
// acted.
func TestServeFaults(t *testing.T) {
	dir, file := faultProject(t)
	faults := file("faults.jsonc", `[{"fault": "refuseRequest", "method": "fetch", "times": "always"}, {"fault": "crashAfter", "method": "add"}]`)
	file("main.js", `import { DurableObject } from "cloudflare:workers";
export class C extends DurableObject { fetch() { return new Response("hi"); } }
export default { async fetch(req, env) {
  try { return await env.C.getByName("a", { retry: { maxRetries: 0 } }).fetch(req); } catch (e) { return new Response(e.message + " " + e.retryable); }
} };`)
	s := start(t, dir, "--port", "0", "--persist-to", ":memory:", "--faults", faults)
	if got := get(t, s.url()+"/"); got != "Network connection lost. true" {
		t.Errorf("got %q", got)
	}
	s.stop()
	s.expect(s.err, regexp.QuoteMeta(faults+":1:68: this fault never acted: host crashed after the method finished, method add"))
	s.expect(s.err, `C\("a"\)\.fetch by w, once: another method`)
	if code := <-s.status; code != 0 {
		t.Errorf("status %d", code)
	}
}
