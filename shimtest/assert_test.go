package shimtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/shimtest"
)

// recorder is a test that fails without consequences.
type recorder struct {
	testing.TB
	dir      string
	failed   bool
	text     strings.Builder
	cleanups []func()
}

func (r *recorder) Helper()                   {}
func (r *recorder) Failed() bool              { return r.failed }
func (r *recorder) ArtifactDir() string       { return r.dir }
func (r *recorder) Cleanup(f func())          { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Logf(f string, a ...any)   { fmt.Fprintf(&r.text, f+"\n", a...) }
func (r *recorder) Errorf(f string, a ...any) { r.failed = true; r.Logf(f, a...) }

func (r *recorder) end() {
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
}

// lostReplies makes a call whose reply is lost, in a world of its own.
func lostReplies(t *testing.T, tb testing.TB) *shimtest.World {
	w := shimtest.New(tb, "../examples/inventory")
	w.Fault(durable.DropReply().Method("addOne"))
	if _, err := w.Namespace("INVENTORY").GetByName("main").Call(t.Context(), "addOne", "apple"); err == nil {
		t.Fatal("the reply was not lost")
	}
	return w
}

func TestAssertCall(t *testing.T) {
	const lost = "Network connection lost."
	r := &recorder{TB: t, dir: t.TempDir()}
	w := lostReplies(t, r)
	w.AssertCall("addOne").Attempts(2).Runs(1).Faults(1).Outcome(durable.ClaimRejected).Error(lost)
	if r.failed {
		t.Fatalf("true assertions fail:\n%s", r.text.String())
	}
	for want, check := range map[string]func(*shimtest.CallAssert) *shimtest.CallAssert{
		"attempts: 2, want 3": func(a *shimtest.CallAssert) *shimtest.CallAssert { return a.Attempts(3) },
		"runs: 1, want 2":     func(a *shimtest.CallAssert) *shimtest.CallAssert { return a.Runs(2) },
		"faults: 1, want 0":   func(a *shimtest.CallAssert) *shimtest.CallAssert { return a.Faults(0) },
		`outcome is "claim rejected", want "recovered"`: func(a *shimtest.CallAssert) *shimtest.CallAssert {
			return a.Outcome(durable.Recovered)
		},
		`error is "Network connection lost.", want ""`: func(a *shimtest.CallAssert) *shimtest.CallAssert { return a.Error("") },
	} {
		r.failed = false
		r.text.Reset()
		check(w.AssertCall("addOne"))
		text := r.text.String()
		if !r.failed || !strings.Contains(text, `INVENTORY("main").addOne("apple"): `+want) || !strings.Contains(text, "rejected by the host") {
			t.Errorf("want %q and the timeline, got failed=%v\n%s", want, r.failed, text)
		}
	}
	r.end()
}

// A failed test leaves pages in its artifact directory, one for each world.
func TestPictureOfAFailedTest(t *testing.T) {
	r := &recorder{TB: t, dir: t.TempDir()}
	lostReplies(t, r)
	lostReplies(t, r).AssertCall("addOne").Runs(7)
	r.end()
	for _, name := range []string{"timeline.html", "timeline-2.html"} {
		page, err := os.ReadFile(filepath.Join(r.dir, name))
		if err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(page), "its reply was lost") || !strings.Contains(r.text.String(), filepath.Join(r.dir, name)) {
			t.Errorf("%s, or the log:\n%s\n%s", name, page, r.text.String())
		}
	}
	good := &recorder{TB: t, dir: t.TempDir()}
	lostReplies(t, good)
	good.end()
	if files, err := os.ReadDir(good.dir); err != nil || len(files) > 0 || good.failed {
		t.Errorf("a test that passed left %v, %v\n%s", files, err, good.text.String())
	}
}
