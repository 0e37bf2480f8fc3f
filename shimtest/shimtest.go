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
//
// [Everywhere] places a fault at every delivery point of every call of a test
// body, one after another. [Audit] says what differs when a method runs twice.
package shimtest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

// World is a project that runs for one test, under a virtual clock, with its
// storage in memory.
type World struct {
	*runtime.Runtime
	t      testing.TB
	placed bool // the faults are those of Everywhere, which reports on its own
}

// New opens the project in dir for the test t. When the test fails, the timeline
// of its calls goes to the test's log, and with go test -artifacts, as text and as
// a page with pictures, into the test's artifact directory (t.ArtifactDir). When
// the test ends, the world is closed.
// A fault that never acted fails the test: it did not test what it meant to.
func New(t testing.TB, dir string, options ...Option) *World {
	t.Helper()
	return open(t, dir, apply(options))
}

func apply(options []Option) *settings {
	s := &settings{extra: 100, points: DefaultPoints()}
	for _, f := range options {
		f(s)
	}
	return s
}

func open(t testing.TB, dir string, s *settings) *World {
	t.Helper()
	seed := uint64(1)
	o := s.runtime
	if o.Clock == nil {
		o.Clock = runtime.NewVirtualClock() // each world has its own
	}
	if o.Seed == nil {
		o.Seed = &seed
	}
	if o.Console == nil {
		o.Console = func(worker, level, text string) { t.Logf("%s: console.%s: %s", worker, level, text) }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(logWriter{t}, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: withoutTime}))
	}
	o.Record, o.Tests = true, true
	rt, err := runtime.Open(dir, o)
	if err != nil {
		if abs, aerr := filepath.Abs(dir); aerr == nil && abs != dir && errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w (%s is %s: go test runs in the directory of the package)", err, dir, abs)
		}
		t.Fatalf("shimtest: %v", err)
	}
	w := &World{Runtime: rt, t: t}
	t.Cleanup(w.close)
	return w
}

// logWriter writes what the runtime logs to a test's log.
type logWriter struct{ t testing.TB }

func (l logWriter) Write(p []byte) (int, error) {
	l.t.Logf("%s", bytes.TrimRight(p, "\n"))
	return len(p), nil
}

// withoutTime leaves out the machine's time, which says nothing here.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

func (w *World) close() {
	if !w.placed {
		for _, m := range w.Faults().Missed() {
			w.t.Errorf("shimtest: %v", m)
		}
		if w.t.Failed() && len(w.Timeline().Calls()) > 0 {
			w.t.Logf("timeline:\n%s", w.Timeline().Text(nil))
			if err := w.artifacts(); err != nil {
				w.t.Logf("shimtest: the timeline as an artifact: %v", err)
			}
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
