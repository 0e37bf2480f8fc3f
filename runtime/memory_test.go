package runtime_test

import (
	"fmt"
	"os"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/runtime"
)

const memoryScript = `
import { DurableObject } from "cloudflare:workers";
export class Item extends DurableObject {
  ballast = new Uint8Array(4096).fill(1);
  async put() { await this.ctx.storage.put("k", "v"); }
  nothing() {}
}
export class Driver extends DurableObject {
  async fill(prefix, from, n, method) {
    for (let i = from; i < from + n; i++) await this.env.ITEM.getByName(prefix + i)[method]();
  }
}
export default {};
`

func heap() uint64 {
	goruntime.GC()
	goruntime.GC()
	var m goruntime.MemStats
	goruntime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Objects that were evicted are garbage: their instances hold 4 KiB each.
func TestEvictedInstancesAreCollected(t *testing.T) {
	const n = 10_000
	rt := open(t, project(t, memoryScript, "Item", "Driver"), func(o *runtime.Options) { o.Record = false })
	driver := rt.Namespace("DRIVER").GetByName("d")
	if _, err := driver.Call(t.Context(), "fill", "warm", 0, 10, "nothing"); err != nil {
		t.Fatal(err)
	}
	before := heap()
	if _, err := driver.Call(t.Context(), "fill", "o", 0, n, "nothing"); err != nil {
		t.Fatal(err)
	}
	alive := heap()
	if err := rt.Clock().Advance(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	after := heap()
	t.Logf("%d objects: %d bytes each in memory, %d bytes each after eviction", n, (alive-before)/n, int64(after-before)/n)
	if alive < before+n*4096 {
		t.Fatalf("the objects were not in memory: %d bytes each", (alive-before)/n)
	}
	// What stays is the entry of the id in the host's table.
	if after > before+n*1024 {
		t.Errorf("%d bytes stay of every evicted object", (after-before)/n)
	}
}

// 50000 objects with a file each are written in one process.
func TestManyObjectsOnDisk(t *testing.T) {
	if os.Getenv("DURASHIM_LONG") == "" {
		t.Skip("takes about two minutes; set DURASHIM_LONG=1 to run it")
	}
	const n, step = 50_000, 1000
	dir := project(t, memoryScript, "Item", "Driver")
	rt := open(t, dir, func(o *runtime.Options) { o.Record, o.PersistTo = false, dir+"/state" })
	for i := 0; i < n; i += step {
		if _, err := rt.Namespace("DRIVER").GetByName("d").Call(t.Context(), "fill", "o", i, step, "put"); err != nil {
			t.Fatal(err)
		}
		if err := rt.Clock().Advance(t.Context(), 11*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("no /proc to read the peak of memory from")
	}
	var peak uint64
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &peak); err == nil {
			break
		}
	}
	t.Logf("peak resident memory: %d MiB", peak/1024)
	if peak == 0 || peak > 1<<20 {
		t.Errorf("peak resident memory is %d KiB, want at most 1 GiB", peak)
	}
}
