// Package shimtest is the kit for testing Durable Objects with `go test`: a
// clean world for every test, faults by delivery state, a virtual clock, and the
// timeline of every call when a test fails.
//
//	func TestLostReply(t *testing.T) {
//		w := shimtest.New(t, "examples/inventory")
//		w.Fault(durable.DropReply().Method("setQuantity"))
//		...
//		w.AssertCall("setQuantity").Attempts(2).Runs(2).Outcome(durable.Recovered)
//	}
package shimtest

import (
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

// World is a project that runs for one test, under a virtual clock, with its
// storage in memory.
type World struct {
	*runtime.Runtime
	t testing.TB
}

// Option changes the options that a world is opened with.
type Option func(*runtime.Options)

// Seed sets what all random numbers of the world depend on; by default 1.
func Seed(seed uint64) Option { return func(o *runtime.Options) { o.Seed = &seed } }

// Isolates spreads the objects of each class over n isolates.
func Isolates(n int) Option { return func(o *runtime.Options) { o.Isolates = n } }

// Environment selects an environment of a wrangler file.
func Environment(name string) Option { return func(o *runtime.Options) { o.Environment = name } }

// New opens the project in dir for the test t. When the test fails, the timeline
// of its calls goes to the test's log, and as a page with pictures into the
// test's artifact directory (t.ArtifactDir; go test -artifacts keeps it). When
// the test ends, the world is closed.
// A fault that never acted fails the test: it did not test what it meant to.
func New(t testing.TB, dir string, options ...Option) *World {
	t.Helper()
	seed := uint64(1)
	o := runtime.Options{
		Clock: runtime.NewVirtualClock(), Seed: &seed, Record: true, Tests: true,
		Console: func(worker, level, text string) { t.Logf("%s: console.%s: %s", worker, level, text) },
	}
	for _, f := range options {
		f(&o)
	}
	rt, err := runtime.Open(dir, o)
	if err != nil {
		t.Fatalf("shimtest: %v", err)
	}
	w := &World{rt, t}
	t.Cleanup(w.close)
	return w
}

func (w *World) close() {
	for _, f := range w.Faults().Unused() {
		w.t.Errorf("shimtest: this fault never acted: %v", f)
	}
	if w.t.Failed() {
		w.t.Logf("timeline:\n%s", w.Timeline().Text(nil))
		if path, err := w.picture(); err != nil {
			w.t.Logf("shimtest: the timeline as a picture: %v", err)
		} else {
			w.t.Logf("the timeline as a picture: %s", path)
		}
	}
	if err := w.Close(); err != nil {
		w.t.Errorf("shimtest: closing the world: %v", err)
	}
}

// Fault puts faults into force.
func (w *World) Fault(plans ...durable.Fault) {
	w.t.Helper()
	if err := w.Faults().Add(plans...); err != nil {
		w.t.Fatalf("shimtest: %v", err)
	}
}

// Calls returns the calls of a method so far, in the order in which they
// started; "" stands for all methods.
func (w *World) Calls(method string) (calls []durable.CallRecord) {
	for _, c := range w.Timeline().Calls() {
		if method == "" || c.Method == method {
			calls = append(calls, c)
		}
	}
	return calls
}

// LastCall returns the latest call of a method; the test ends if there is none.
func (w *World) LastCall(method string) *durable.CallRecord {
	w.t.Helper()
	calls := w.Calls(method)
	if len(calls) == 0 {
		w.t.Fatalf("shimtest: nothing has called %s", method)
	}
	return &calls[len(calls)-1]
}
