package runtime_test

import (
	goruntime "runtime"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

const fanOut = `
import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";
export class Cell extends DurableObject {
  static { retryable(this.prototype.set); }
  async set(v) { await this.ctx.storage.put("v", v); return v; }
  async add(v) {
    const n = (await this.ctx.storage.get("v") ?? 0) + v;
    await new Promise((r) => setTimeout(r, 5 + Math.random() * 50));
    await this.ctx.storage.put("v", n);
    return n;
  }
  async spread(depth) {
    if (depth === 0) return crypto.randomUUID();
    const names = ["a", "b", "c", "d", "e", "f"];
    const calls = names.map((n, i) => {
      const stub = this.env.CELL.getByName(n + depth);
      return i % 2 ? stub.set(i) : stub.add(i);
    });
    const results = await Promise.allSettled(calls);
    return [results.map((r) => r.status), await this.env.CELL.getByName("next" + depth).spread(depth - 1)];
  }
}
export default {};
`

// The same seed gives the same timeline, byte for byte: over three isolates,
// with one processor and with two.
func TestSameSeedSameTimeline(t *testing.T) {
	dir := project(t, fanOut, "Cell")
	once := func(seed uint64) string {
		rt := open(t, dir, func(o *runtime.Options) {
			o.Seed, o.Isolates = &seed, 3
			o.Faults = []durable.Fault{
				durable.DropReply().Times(4), durable.DropRequest().Method("add").Times(3), durable.RefuseRequest().Attempt(2).Times(3),
			}
		})
		defer rt.Close()
		if _, err := rt.Namespace("CELL").GetByName("root").Call(t.Context(), "spread", 3); err != nil {
			t.Log(err) // the faults may well make it fail; it must fail every time
		}
		return rt.Timeline().Text(nil)
	}
	want := once(42)
	if len(want) < 2000 {
		t.Fatalf("the timeline is too short to prove anything:\n%s", want)
	}
	for _, procs := range []int{1, 2} {
		before := goruntime.GOMAXPROCS(procs)
		for i := range 100 {
			if got := once(42); got != want {
				t.Fatalf("GOMAXPROCS %d, run %d:\n%s\nwant\n%s", procs, i, got, want)
			}
		}
		goruntime.GOMAXPROCS(before)
	}
	if once(43) == want {
		t.Error("another seed gives the same timeline")
	}
}
