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
