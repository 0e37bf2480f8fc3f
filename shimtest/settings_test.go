package shimtest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/durashim/durashim/runtime"
	"github.com/durashim/durashim/shimtest"
)

// The options reach the runtime, in their order, and the environment of a project
// is the one that was asked for.
func TestOptions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrangler.json": `{ "name": "w", "main": "w.js", "compatibility_date": "2026-11-01", "env": { "staging": {
  "vars": { "WHERE": "staging" },
  "durable_objects": { "bindings": [{ "name": "A", "class_name": "A" }] },
  "migrations": [{ "tag": "v1", "new_sqlite_classes": ["A"] }] } } }`,
		"w.js": `import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject { where() { return this.env.WHERE; } }
export default {};`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got runtime.Options
	w := shimtest.New(t, dir, shimtest.Seed(7), shimtest.Isolates(2), shimtest.Environment("staging"),
		shimtest.Options(func(o *runtime.Options) { got = *o }))
	if got.Seed == nil || *got.Seed != 7 || got.Isolates != 2 {
		t.Errorf("seed %v, isolates %d", got.Seed, got.Isolates)
	}
	if v, err := w.Namespace("A").GetByName("a").Call(t.Context(), "where"); err != nil || v.String() != `"staging"` {
		t.Errorf("%v, %v", v, err)
	}
}
