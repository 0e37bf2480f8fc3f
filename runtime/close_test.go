package runtime_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/runtime"
)

// Closing ends the calls that are in flight, whoever waits for them.
func TestCloseEndsCalls(t *testing.T) {
	entered := make(chan struct{})
	rt, err := runtime.Open(project(t, `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
  async hang() { console.log("in"); await new Promise(() => {}); }
}
export default {};
`, "A"), runtime.Options{Console: func(_, _, _ string) { close(entered) }})
	if err != nil {
		t.Fatal(err)
	}
	call := start(t.Context(), rt.Namespace("A").GetByName("a"), "hang")
	<-entered
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-call; err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
		t.Errorf("the call in flight: %v", err)
	}
	if _, err := rt.Namespace("A").GetByName("a").Call(t.Context(), "hang"); err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
		t.Errorf("a later call: %v", err)
	}
}

// bubble runs a test in a bubble with a clock of its own, and waits for the
// bundler's goroutine, which sleeps on.
func bubble(t *testing.T, test func(t *testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		test(t)
		time.Sleep(time.Minute)
	})
}

const closing = `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
  run() {
    console.log("begin");
    this.ctx.storage.put("n", 1);
    console.log("end");
  }
  nothing() {}
}
export default {};
`

// A turn that is running ends before Close returns, so that nothing of it comes
// after what the next version of the project does.
func TestCloseWaitsForTheTurn(t *testing.T) {
	dir := project(t, closing, "A")
	bubble(t, func(t *testing.T) {
		entered := make(chan struct{})
		var ended atomic.Bool
		rt := open(t, dir, func(o *runtime.Options) {
			o.Clock = nil
			o.Console = func(_, _, text string) {
				if text == "begin" {
					close(entered)
					time.Sleep(10 * time.Second)
					return
				}
				ended.Store(true)
			}
		})
		obj := rt.Namespace("A").GetByName("a")
		run := start(t.Context(), obj, "run")
		<-entered
		waiting := start(t.Context(), obj, "nothing")
		synctest.Wait()
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
		if !ended.Load() {
			t.Error("Close returned while the turn was running")
		}
		for _, call := range []<-chan error{run, waiting} {
			if err := <-call; err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
				t.Error(err)
			}
		}
	})
}

// A turn that does not end is given up by the rules for turns.
func TestCloseGivesUpAStuckTurn(t *testing.T) {
	dir := project(t, closing, "A")
	bubble(t, func(t *testing.T) {
		entered, release := make(chan struct{}), make(chan struct{})
		rt := open(t, dir, func(o *runtime.Options) {
			o.Clock = nil
			o.Console = func(_, _, text string) { close(entered); <-release }
		})
		run := start(t.Context(), rt.Namespace("A").GetByName("a"), "run")
		<-entered
		began := time.Now()
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
		if d := time.Since(began); d > 31*time.Second {
			t.Errorf("Close took %v", d)
		}
		if err := <-run; err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
			t.Error(err)
		}
		close(release)
	})
}

// Calls that wait to be retried end, too.
func TestCloseEndsBackoff(t *testing.T) {
	dir := project(t, closing, "A")
	bubble(t, func(t *testing.T) {
		rt := open(t, dir, func(o *runtime.Options) {
			o.Clock = nil
			o.Faults = []durable.Fault{durable.RefuseRequest().Method("nothing").Times(1)}
			o.Backoff = func(int, *random.Source) time.Duration { return 9 * time.Second }
		})
		call := start(t.Context(), rt.Namespace("A").GetByName("a"), "nothing")
		synctest.Wait() // it is waiting for its retry
		began := time.Now()
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
		if err := <-call; err == nil || time.Since(began) != 0 {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
