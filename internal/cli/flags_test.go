package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The flags that test shares with serve and with the real runtime's command.
func TestConfigFlags(t *testing.T) {
	dir, shared, disk := t.TempDir(), t.TempDir(), t.TempDir()
	files(t, shared, map[string]string{"shared.capnp": `@0xd8a1b2c3d4e5f607;
const date :Text = "2026-01-01";
`})
	files(t, dir, map[string]string{"t.wd-test": `using Workerd = import "/workerd/workerd.capnp";
using Shared = import "/shared.capnp";
const config :Workerd.Config = (
  services = [ ( name = "t", worker = .worker ), ( name = "D", disk = (writable = true) ) ],
);
const worker :Workerd.Worker = (
  modules = [ ( name = "t.js", esModule = embed "t.js" ) ],
  durableObjectNamespaces = [ ( className = "Obj", uniqueKey = "k", enableSql = true ) ],
  durableObjectStorage = (localDisk = "D"),
  bindings = [ ( name = "Obj", durableObjectNamespace = "Obj" ), ( name = "DATE", text = Shared.date ) ],
);
`, "t.js": `import { DurableObject } from "cloudflare:workers";
export class Obj extends DurableObject {
  put() { return this.ctx.storage.put("k", 1); }
}
export default {
  async test(controller, env) {
    if (env.DATE !== "2026-01-01") throw new Error(env.DATE);
    await env.Obj.getByName("a").put();
  },
};
`})
	file := filepath.Join(dir, "t.wd-test")
	args := []string{"test", file, "--experimental", "--compat-date=2026-11-01", "-I", shared}
	if _, stderr, code := durashim(t, append(args, "-d", "D="+disk)...); code != 0 || !strings.Contains(stderr, "[ PASS ] t") {
		t.Fatalf("status %d\n%s", code, stderr)
	}
	if entries, err := os.ReadDir(filepath.Join(disk, "k")); err != nil || len(entries) == 0 {
		t.Errorf("-d has stored nothing: %v %v", entries, err)
	}
	// Without it storage is in memory.
	if _, stderr, code := durashim(t, args...); code != 0 {
		t.Errorf("status %d\n%s", code, stderr)
	}
	for want, args := range map[string][]string{
		"wants <name>=<value>":   {"test", file, "-d", "D"},
		"no disk service \"E\"":  {"test", file, "-I", shared, "-d", "E=" + disk},
		"shared.capnp":           {"test", file},
		"compatibility date":     {"test", file, "-I", shared, "--compat-date=tomorrow"},
		"--directory-path wants": {"serve", file, "-d", "=x"},
	} {
		if _, stderr, code := durashim(t, args...); code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d\n%s", args, code, stderr)
		}
	}
}
