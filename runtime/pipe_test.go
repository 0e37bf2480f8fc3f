package runtime_test

import (
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

const pipelining = `
import { DurableObject, RpcTarget } from "cloudflare:workers";
class Cursor extends RpcTarget {
  next() { return Date.now(); }
}
export class Obj extends DurableObject {
  cursor() { return new Cursor(); }
  async slow() { await scheduler.wait(20); return new Cursor(); }
  number() { return 5; }
  fails() { throw new Error("no"); }
  now() { return Date.now(); }
  async run(method) {
    const start = Date.now();
    const cursor = this.env.OBJ.getByName("far")[method]();
    const next = cursor.next();
    const at = await next - start;
    await cursor;
    return [at, Date.now() - start];
  }
  async refused(method) {
    const call = this.env.OBJ.getByName("far")[method]();
    try { return await call.next(); } catch (e) { return e.message; }
  }
}
export default {};
`

// A call of what a result names does not wait for the result to travel.
func TestPipelinedAhead(t *testing.T) {
	rt, err := runtime.Open(project(t, pipelining, "Obj"), runtime.Options{Clock: runtime.NewVirtualClock()})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	near := rt.Namespace("OBJ").GetByName("near")
	for method, want := range map[string]float64{"cursor": 0, "slow": 20} {
		rt.Faults().Add(durable.DelayReply(50 * time.Millisecond).Method(method))
		v, err := near.Call(t.Context(), "run", method)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		if err := v.Decode(&got); err != nil {
			t.Fatal(err)
		}
		if got[0] != want || got[1] != want+50 {
			t.Errorf("%s: the pipelined call ran after %v ms, the result came after %v ms; want %v and %v", method, got[0], got[1], want, want+50)
		}
	}
}

// Where the callee can do nothing with it, it waits at the caller.
func TestPipelinedOnNothing(t *testing.T) {
	rt, err := runtime.Open(project(t, pipelining, "Obj"), runtime.Options{Clock: runtime.NewVirtualClock()})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	near := rt.Namespace("OBJ").GetByName("near")
	for method, want := range map[string]string{
		"number": `The RPC receiver does not implement the method "next".`,
		"fails":  "no",
	} {
		v, err := near.Call(t.Context(), "refused", method)
		var got string
		if err == nil {
			err = v.Decode(&got)
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", method, got, err, want)
		}
	}
	// The answer is lost, and with it the right to a retry and what hangs on the
	// call.
	rt.Faults().Add(durable.DropReply().Method("cursor"))
	v, err := near.Call(t.Context(), "refused", "cursor")
	if err != nil {
		t.Fatal(err)
	}
	var got string
	if err := v.Decode(&got); err != nil || got != "Network connection lost." {
		t.Errorf("the pipelined call: %q, %v", got, err)
	}
}
