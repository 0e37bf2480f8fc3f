package runtime_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/jsbridge"
	"github.com/durashim/durashim/runtime"
)

const forcedScript = `
import { DurableObject } from "cloudflare:workers";
export class Victim extends DurableObject {
  async abort(n) {
    await this.ctx.storage.get("x");
    try { await null; this.ctx.abort("abort " + n); console.log("still runs"); }
    catch { console.log("catch runs"); }
    finally { console.log("finally runs"); }
  }
  async spin() {
    await this.ctx.storage.get("x");
    await null;
    console.log("spin");
    for (;;) {}
  }
  async overflow() {
    await this.ctx.storage.get("x");
    await null;
    const f = (n) => f(n + 1) + 1;
    return f(0);
  }
}
export class Neighbour extends DurableObject {
  count = 0;
  async next(n) {
    await null;
    const seen = await this.ctx.storage.get("n") ?? 0;
    if (seen !== n) throw new Error("stored " + seen + ", want " + n);
    await this.ctx.storage.put("n", n + 1);
    this.count++;
    return this.count;
  }
  // goes on in the same turns in which the victims end
  async slow(k) {
    for (let i = 0; i < k; i++) await null;
    await this.ctx.storage.get("n");
    for (let i = 0; i < k; i++) await null;
    return k;
  }
}
export default {};
`

// manualCPU is a turn limit that a test fires.
type manualCPU struct{ fire func() }

func (m *manualCPU) timer(f func()) jsbridge.TurnTimer {
	m.fire = f
	return m
}

func (m *manualCPU) Reset(time.Duration) bool { return true }
func (m *manualCPU) Stop() bool               { return true }

// A thousand objects of an isolate are ended by force, each after an await; an
// object beside them in the same isolate keeps its memory and answers.
func TestForcedEndsSpareTheNeighbours(t *testing.T) {
	const rounds = 1000
	for _, c := range []struct {
		method  string
		message string
		reset   bool
	}{
		{"abort", "abort 7", true},
		{"spin", "Durable Object exceeded its CPU time limit and was reset. (A turn of JavaScript took longer than 30s.)", true},
		{"overflow", "Maximum call stack size exceeded", false},
	} {
		t.Run(c.method, func(t *testing.T) {
			cpu := &manualCPU{}
			rt := open(t, project(t, forcedScript, "Victim", "Neighbour"), func(o *runtime.Options) {
				o.Record = false
				o.Limits = jsbridge.Limits{CPU: cpu.timer}
				o.Console = func(_, _, text string) {
					if text == "spin" {
						cpu.fire()
						return
					}
					t.Errorf("console: %s", text)
				}
			})
			victims, neighbour := rt.Namespace("VICTIM"), rt.Namespace("NEIGHBOUR").GetByName("n")
			for i := range rounds {
				slow := start(t.Context(), neighbour, "slow", 3)
				_, err := victims.GetByName("v").Call(t.Context(), c.method, 7)
				var e *durable.Error
				if !errors.As(err, &e) || e.Message != c.message || e.Reset != c.reset {
					t.Fatalf("round %d: %#v", i, err)
				}
				if err := <-slow; err != nil {
					t.Fatalf("round %d: neighbour's call in flight: %v", i, err)
				}
				v, err := neighbour.Call(t.Context(), "next", i)
				if got := number(t, v, err); got != float64(i+1) {
					t.Fatalf("round %d: the neighbour counted %v: it lost its memory", i, got)
				}
			}
		})
	}
}

// start calls a method without waiting.
func start(ctx context.Context, s *runtime.Stub, method string, args ...any) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := s.Call(ctx, method, args...)
		done <- err
	}()
	return done
}
