package runtime_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/durashim/durashim/jsbridge"
	"github.com/durashim/durashim/runtime"
)

// A script that is stuck while it loads, where no interrupt reaches it, is an error
// and not a wait without end.
func TestStuckWhileLoading(t *testing.T) {
	fire, stuck, release := make(chan func(), 1), make(chan struct{}), make(chan struct{})
	defer close(release)
	dir := project(t, `console.log("stuck"); export default {};`)
	failed := make(chan error)
	go func() {
		rt, err := runtime.Open(dir, runtime.Options{
			Limits:  jsbridge.Limits{Patience: time.Millisecond, CPU: func(f func()) jsbridge.TurnTimer { fire <- f; return &manualCPU{} }},
			Console: func(string, string, string) { close(stuck); <-release },
		})
		if err == nil {
			_ = rt.Close()
		}
		failed <- err
	}()
	<-stuck
	(<-fire)()
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "w: the script did not start: it is stuck in a built-in function, 1ms after the limit of 30s for a turn") {
		t.Errorf("Open: %v", err)
	}
}

// While a new isolate loads in place of one that is stuck, nothing else waits for
// it: the runtime can be closed.
func TestCloseWhileAnIsolateIsReplaced(t *testing.T) {
	fire := make(chan func(), 1)
	stuck, loading, release := make(chan struct{}), make(chan struct{}), make(chan struct{})
	var loads atomic.Int32
	dir := project(t, `
import { DurableObject } from "cloudflare:workers";
console.log("load");
export class A extends DurableObject { stick() { console.log("stuck"); } }
export default {};
`, "A")
	rt, err := runtime.Open(dir, runtime.Options{
		Limits: jsbridge.Limits{Patience: time.Millisecond, CPU: func(f func()) jsbridge.TurnTimer {
			select {
			case fire <- f:
			default: // the isolate that takes over needs no timer here
			}
			return &manualCPU{}
		}},
		Console: func(_, _, text string) {
			switch {
			case text == "stuck":
				close(stuck)
				<-release
			case loads.Add(1) == 2:
				close(loading)
				<-release
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	sticking := start(t.Context(), rt.Namespace("A").GetByName("a"), "stick")
	<-stuck
	(<-fire)()
	<-loading
	if err := rt.Close(); err != nil { // the load is in the middle of it
		t.Error(err)
	}
	if err := <-sticking; err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
		t.Errorf("the stuck call: %v", err)
	}
	close(release)
}
