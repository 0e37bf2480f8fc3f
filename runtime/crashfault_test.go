package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

// crashing is a project whose objects count in memory, in a variable of the
// module, and in storage.
const crashing = `
import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";
let shared = 0;
export class A extends DurableObject {
  static { retryable(this.prototype.set); }
  memory = 0;
  async add() {
    shared++; this.memory++;
    const n = (await this.ctx.storage.get("n") ?? 0) + 1;
    this.ctx.storage.put("n", n);
    return n;
  }
  async set(n) { this.memory++; this.ctx.storage.put("n", n); return n; }
  async look() { return [shared, this.memory, await this.ctx.storage.get("n") ?? 0]; }
  async slow() { await scheduler.wait(1000); this.memory++; return "slow"; }
}
export class B extends DurableObject {
  memory = 0;
  add() { return ++this.memory; }
  kick() { this.result = this.env.A.getByName("a").slow().catch((e) => e.message); }
  async kicked() { return await this.result; }
}
export default {
  async fetch(request, env) { return new Response(String(await env.A.getByName("a").add())); }
};
`

func look(t *testing.T, rt *runtime.Runtime, binding, name string) (got [3]float64) {
	t.Helper()
	v, err := rt.Namespace(binding).GetByName(name).Call(t.Context(), "look")
	if err == nil {
		err = v.Decode(&got)
	}
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The host of a namespace crashes at each point: the announcement's rule is that
// an unmarked method whose delivery is uncertain does not run again on a host
// that cannot know, and that what was confirmed is kept.
func TestHostCrash(t *testing.T) {
	for _, late := range []bool{false, true} { // planned when the project is opened, or when its objects are in memory
		for _, c := range []struct {
			fault   durable.Fault
			method  string
			args    []any
			outcome durable.Outcome
			runs    int
			stored  float64
		}{
			{durable.CrashBefore(), "add", nil, durable.ClaimRejected, 0, 1},
			{durable.CrashDuring(), "add", nil, durable.ClaimRejected, 1, 1},
			{durable.CrashAfter(), "add", nil, durable.ClaimRejected, 1, 2},
			{durable.CrashBefore(), "set", []any{7}, durable.Recovered, 1, 7},
			{durable.CrashDuring(), "set", []any{7}, durable.Recovered, 2, 7},
			{durable.CrashAfter(), "set", []any{7}, durable.Recovered, 2, 7},
		} {
			t.Run(fmt.Sprintf("%v, %s, late %v", c.fault.Point(), c.method, late), func(t *testing.T) {
				plan := c.fault.Namespace("A").Object("a").Method(c.method)
				if c.method == "add" && !late {
					plan = plan.Call(2) // the first one sets the scene
				}
				var log strings.Builder
				rt := open(t, project(t, crashing, "A", "B"), func(o *runtime.Options) {
					o.Record, o.Logger = true, slog.New(slog.NewTextHandler(&log, nil))
					if !late {
						o.Faults = []durable.Fault{plan}
					}
				})
				a := rt.Namespace("A").GetByName("a")
				for _, first := range []interface {
					Call(context.Context, string, ...any) (runtime.Value, error)
				}{a, rt.Namespace("B").GetByName("b")} {
					if _, err := first.Call(t.Context(), "add"); err != nil {
						t.Fatal(err)
					}
				}
				if late {
					if err := rt.Faults().Add(plan); err != nil {
						t.Fatal(err)
					}
				}
				neighbour := rt.Namespace("A").GetByName("neighbour")
				if _, err := neighbour.Call(t.Context(), "set", 3); err != nil {
					t.Fatal(err)
				}
				_, err := a.Call(t.Context(), c.method, c.args...)
				calls := rt.Timeline().Calls()
				r := calls[len(calls)-1]
				if r.Outcome != c.outcome || r.Runs() != c.runs || r.Attempts() != 2 {
					t.Errorf("%v, %d runs, %d attempts: %v\n%s", r.Outcome, r.Runs(), r.Attempts(), err, rt.Timeline().Text(nil))
				}
				if c.outcome == durable.ClaimRejected && (!errors.Is(err, durable.ErrRetryable) || err.Error() != "Network connection lost.") {
					t.Errorf("the error is %v", err)
				}
				got := look(t, rt, "A", "a")
				if got[2] != c.stored {
					t.Errorf("stored: %v, want %v\n%s", got[2], c.stored, rt.Timeline().Text(nil))
				}
				if got := look(t, rt, "A", "neighbour"); got[1] != 0 || got[2] != 3 {
					t.Errorf("the neighbour on the crashed host: %v; want no memory, and 3 stored", got)
				}
				v, err := rt.Namespace("B").GetByName("b").Call(t.Context(), "add")
				if n, _ := v.Any(); err != nil || n != 2.0 {
					t.Errorf("the class that did not crash: %v, %v; want its memory kept", n, err)
				}
				if !strings.Contains(log.String(), "isolate of its own: variables of its modules are not shared") {
					t.Errorf("the log does not say that globals are not shared: %s", log.String())
				}
			})
		}
	}
}

// A crash breaks every connection to the host: calls beside it fail as well, and
// those that are marked or were never seen run on the next host. The stub lives on.
func TestHostCrashBreaksOtherCalls(t *testing.T) {
	rt := open(t, project(t, crashing, "A", "B"), func(o *runtime.Options) { o.Record = true })
	if err := rt.Faults().Add(durable.CrashDuring().Method("add")); err != nil {
		t.Fatal(err)
	}
	a, b := rt.Namespace("A").GetByName("a"), rt.Namespace("B").GetByName("b")
	if _, err := a.Call(t.Context(), "look"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Call(t.Context(), "kick"); err != nil {
		t.Fatal(err)
	}
	if _, err := rt.Namespace("A").GetByName("b").Call(t.Context(), "add"); !errors.Is(err, durable.ErrRetryable) {
		t.Errorf("the crashing call: %v", err)
	}
	v, err := b.Call(t.Context(), "kicked")
	if text, _ := v.Any(); err != nil || text != "Network connection lost." {
		t.Errorf("the call beside it: %v, %v\n%s", text, err, rt.Timeline().Text(nil))
	}
	if v, err := a.Call(t.Context(), "set", 1); err != nil {
		t.Errorf("the same stub afterwards: %v, %v", v, err)
	}
}

// A host that crashes makes no calls any more, and an object that is reset neither:
// a call that waits for its retry is over with whoever made it.
func TestLostCallerStopsCalling(t *testing.T) {
	for _, f := range []durable.Fault{durable.CrashDuring(), durable.AbortDuring()} {
		t.Run(f.Point().String(), func(t *testing.T) {
			clock := runtime.NewVirtualClock()
			rt := open(t, project(t, crashing, "A", "B"), func(o *runtime.Options) { o.Record, o.Clock = true, clock })
			if err := rt.Faults().Add(f.Namespace("B").Method("add"), durable.RefuseRequest().Method("slow").Times(3)); err != nil {
				t.Fatal(err)
			}
			b := rt.Namespace("B").GetByName("b", runtime.MaxRetries(0))
			if _, err := b.Call(t.Context(), "kick"); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Call(t.Context(), "add"); err == nil {
				t.Fatal("the caller was not lost")
			}
			// Long enough for all retries.
			if err := clock.Advance(t.Context(), 20*time.Second); err != nil {
				t.Fatal(err)
			}
			for _, r := range rt.Timeline().Calls() {
				if r.Method == "slow" && (r.Outcome != durable.Cancelled || r.Runs() != 0 || r.Attempts() != 1) {
					t.Errorf("its call: %v, %d attempts\n%s", r.Outcome, r.Attempts(), rt.Timeline().Text(nil))
				}
			}
		})
	}
}

// Plans that cannot be carried out are refused when they are made.
func TestImpossiblePlansOfAProject(t *testing.T) {
	rt := open(t, project(t, crashing, "A", "B"), func(o *runtime.Options) { o.Record = true })
	b := rt.Namespace("B").GetByName("b")
	if _, err := b.Call(t.Context(), "kick"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		f    durable.Fault
	}{
		{`there is no namespace "AA"; there are A, B`, durable.DropReply().Namespace("AA")},
		{"A shares an isolate with its worker and has to leave it before it can crash, but one of its objects is busy; make the plan before its objects are called", durable.CrashAfter().Namespace("A")},
	} {
		if err := rt.Faults().Add(c.f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.f, err, c.want)
		}
	}
	if _, err := b.Call(t.Context(), "kicked"); err != nil {
		t.Fatal(err)
	}
	if err := rt.Faults().Add(durable.CrashAfter()); err != nil {
		t.Errorf("when the calls have ended: %v", err)
	}
	rt.Faults().Clear()
	if _, err := runtime.Open(project(t, crashing, "A", "B"), runtime.Options{Faults: []durable.Fault{durable.CrashAfter().Namespace("NONE")}}); err == nil || !strings.Contains(err.Error(), `there is no namespace "NONE"`) {
		t.Errorf("Open: %v", err)
	}
}
