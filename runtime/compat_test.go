package runtime_test

import (
	"strings"
	"testing"

	"github.com/durashim/durashim/runtime"
)

// A project that cannot run says where the fault is.
func TestProjectErrors(t *testing.T) {
	for _, c := range []struct{ name, config, script, want string }{
		{
			"unknown flag", `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
	"compatibility_flags": ["rpc", "warp_drive"]}`, `export default {}`,
			`wrangler.json:2:33: unknown compatibility flag "warp_drive"`,
		},
		{
			"contradiction", `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
	"compatibility_flags": ["rpc", "no_rpc"]}`, `export default {}`,
			`wrangler.json:2:33: the compatibility flags rpc and no_rpc contradict each other`,
		},
		{
			"missing class", `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
	"durable_objects": {"bindings": [{"name": "A", "class_name": "Missing"}]},
	"migrations": [{"tag": "v1", "new_sqlite_classes": ["Missing"]}]}`, `export default {}`,
			`the script exports no class "Missing"`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "wrangler.json", c.config)
			write(t, dir, "main.js", c.script)
			rt, err := runtime.Open(dir, runtime.Options{})
			if err == nil {
				_ = rt.Close()
				t.Fatal("the project starts")
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "wrangler.json:") {
				t.Errorf("error: %v\nwant: %s", err, c.want)
			}
		})
	}
}

// What travels by reference reaches other objects; a caller in Go is told that it
// cannot have it.
func TestByReferenceToGo(t *testing.T) {
	rt := open(t, project(t, `import { DurableObject, RpcTarget } from "cloudflare:workers";
		const values = { f: () => () => 1, t: () => new (class extends RpcTarget {}), s: () => new ReadableStream(),
			r: () => new Response("x") };
		export class Obj extends DurableObject {
			async give(kind) { return values[kind](); }
			async take(kind) { await this.env.OBJ.getByName("other").give2(values[kind]()); return "taken"; }
			give2() {}
			stub() { return this.env.OBJ.getByName("x"); }
		}
		export default {}`, "Obj"), nil)
	stub := rt.Namespace("OBJ").GetByName("a")
	const want = "durashim does not implement functions, RpcTargets, stubs, streams, Request and Response in results for Go"
	for _, kind := range []string{"f", "t", "s", "r"} {
		if _, err := stub.Call(t.Context(), "give", kind); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("result %s: %v", kind, err)
		}
		v, err := stub.Call(t.Context(), "take", kind)
		var message string
		if err == nil {
			err = v.Decode(&message)
		}
		if err != nil || message != "taken" {
			t.Errorf("argument %s: %q, %v", kind, message, err)
		}
	}
	if _, err := stub.Call(t.Context(), "stub"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("stub: %v", err)
	}
}
