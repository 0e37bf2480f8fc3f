package cli

import (
	"strings"
	"testing"
)

// A test that leaves a result undisposed gets a warning, or fails.
func TestUndisposed(t *testing.T) {
	dir := writeProject(t, map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "A", "class_name": "A"}]},
			"migrations": [{"tag": "v1", "new_sqlite_classes": ["A"]}]}`,
		"main.ts": "",
		"main.js": `import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject { open() { return { close() {} }; } }
export default {};`,
		"a.test.js": `import assert from "node:assert";
import { env } from "cloudflare:workers";
import { undisposed } from "durashim:test";
const a = () => env.A.getByName("x");
export const keeps = { async test() { await a().open(); await a().open(); } };
export const disposes = { async test() { using door = await a().open(); await door.close(); assert.deepStrictEqual(undisposed(), []); } };`,
	})
	const warning = `    WARNING: An RPC result was not disposed properly: .close of A("x").open(), received by a.test.js (2 times)` + "\n"
	for option, want := range map[string]string{
		"warn":   warning + "[ PASS ] a.test.js:keeps",
		"fail":   "[ FAIL ] a.test.js:keeps",
		"ignore": "[ TEST ] a.test.js:keeps\n[ PASS ] a.test.js:keeps",
	} {
		_, stderr, code := durashim(t, "test", dir, "--undisposed", option)
		if !strings.Contains(stderr, want) || (code == 0) != (option != "fail") {
			t.Errorf("%s: status %d, want %q:\n%s", option, code, want, stderr)
		}
		if strings.Contains(stderr, warning) == (option == "ignore") || !strings.Contains(stderr, "[ PASS ] a.test.js:disposes") {
			t.Errorf("%s:\n%s", option, stderr)
		}
	}
	if _, stderr, code := durashim(t, "test", dir, "--undisposed", "no"); code == 0 || !strings.Contains(stderr, `--undisposed must be warn, fail or ignore, not "no"`) {
		t.Errorf("status %d\n%s", code, stderr)
	}
}
