package runtime_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

// In a bubble of testing/synctest the machine's clock is the bubble's: the whole
// runtime runs in it, on the goroutines of its loops, and seconds of backoff and
// setTimeout cost nothing. The runtime must be opened and closed in the bubble.
func TestSynctest(t *testing.T) {
	dir := project(t, `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
  async slow(ms) { await scheduler.wait(ms); return Date.now(); }
  async count() { const n = (await this.ctx.storage.get("n") ?? 0) + 1; await this.ctx.storage.put("n", n); return n; }
}
export default {};
`, "A")
	synctest.Test(t, func(t *testing.T) {
		rt, err := runtime.Open(dir, runtime.Options{Record: true})
		if err != nil {
			t.Fatal(err)
		}
		defer rt.Close()
		start := time.Now()
		stub := rt.Namespace("A").GetByName("a")
		v, err := stub.Call(t.Context(), "slow", 3_600_000)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took != time.Hour {
			t.Errorf("an hour took %v", took)
		}
		if ms := number(t, v, err); ms != float64(start.Add(time.Hour).UnixMilli()) {
			t.Errorf("Date.now() was %v", ms)
		}
		// All five attempts fail, with the waits between them.
		if err := rt.Faults().Add(durable.RefuseRequest().Times(5)); err != nil {
			t.Fatal(err)
		}
		start = time.Now()
		if _, err := stub.Call(t.Context(), "count"); !errors.Is(err, durable.ErrRetryable) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took < 3*time.Second || took > 10*time.Second {
			t.Errorf("five attempts took %v", took)
		}
		v, err = stub.Call(t.Context(), "count")
		if n := number(t, v, err); n != 1 {
			t.Errorf("counted %v", n)
		}
		// Idle objects leave memory without anybody waiting for that.
		time.Sleep(time.Minute)
		synctest.Wait()
	})
}
