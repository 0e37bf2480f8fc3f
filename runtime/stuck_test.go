package runtime_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/jsbridge"
	"github.com/durashim/durashim/runtime"
)

// A turn is stuck in a native function that never returns. The isolate is given
// up: its calls in flight fail with an error that says so, the neighbours are
// reset, what they had stored is kept, and new calls are answered by another
// isolate.
func TestStuckIsolateIsReplaced(t *testing.T) {
	waits, stuck, release := make(chan struct{}), make(chan struct{}), make(chan struct{})
	fire := make(chan func(), 1)
	dir := project(t, `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
  count = 0;
  async next() {
    await this.ctx.storage.put("n", (await this.ctx.storage.get("n") ?? 0) + 1);
    return [++this.count, await this.ctx.storage.get("n")];
  }
  async wait() { console.log("waiting"); await new Promise(() => {}); }
  async stick() {
    await null;
    this.ctx.storage.put("n", 1000);
    console.log("stuck");
    this.ctx.storage.put("n", 2000);
  }
}
export default {};
`, "A")
	rt, err := runtime.Open(dir, runtime.Options{
		Limits: jsbridge.Limits{
			Patience: time.Millisecond,
			CPU: func(f func()) jsbridge.TurnTimer {
				select {
				case fire <- f:
				default: // the isolate that takes over needs no timer here
				}
				return &manualCPU{}
			},
		},
		Console: func(_, _, text string) {
			switch text {
			case "waiting":
				close(waits)
			case "stuck":
				close(stuck)
				<-release
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	defer close(release)
	objects := rt.Namespace("A")
	neighbour := objects.GetByName("neighbour")
	if _, err := neighbour.Call(t.Context(), "next"); err != nil {
		t.Fatal(err)
	}
	waiting := start(t.Context(), neighbour, "wait")
	<-waits
	sticking := start(t.Context(), objects.GetByName("victim"), "stick")
	<-stuck
	(<-fire)()
	for name, call := range map[string]<-chan error{"the stuck call": sticking, "a neighbour's call in flight": waiting} {
		err := <-call
		if !errors.Is(err, durable.ErrReset) || !strings.Contains(err.Error(), "the isolate was replaced") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := neighbour.Call(t.Context(), "next"); !errors.Is(err, durable.ErrReset) {
		t.Errorf("a stub that was connected to the lost neighbour: %v", err)
	}
	var got []float64
	v, err := objects.GetByName("neighbour").Call(t.Context(), "next")
	if err == nil {
		err = v.Decode(&got)
	}
	if err != nil || len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Errorf("the neighbour after the replacement: %v, %v; want a fresh count and what was stored", got, err)
	}
	v, err = objects.GetByName("victim").Call(t.Context(), "next")
	if err == nil {
		err = v.Decode(&got)
	}
	if err != nil || got[1] != 1 {
		t.Errorf("the victim after the replacement: %v, %v; the writes of its last turn were never confirmed", got, err)
	}
}
