package shimtest_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
func (r *recorder) Error(a ...any)            { r.failed = true; fmt.Fprintln(&r.text, a...) }

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

// keepArtifacts sets go test's -artifacts for a test.
func keepArtifacts(t *testing.T, keep string) {
	t.Helper()
	f := flag.Lookup("test.artifacts")
	before := f.Value.String()
	if err := f.Value.Set(keep); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(before) }) // it was that
}

// With -artifacts a failed test leaves its timelines, as text and as pages, for
// each of its worlds; without, neither files nor words about them.
func TestArtifactsOfAFailedTest(t *testing.T) {
	for _, c := range []struct {
		keep  string
		fails bool
		want  []string
	}{
		{"true", true, []string{"timeline-2.html", "timeline-2.txt", "timeline.html", "timeline.txt"}},
		{"true", false, nil},
		{"false", true, nil},
	} {
		keepArtifacts(t, c.keep)
		r := &recorder{TB: t, dir: t.TempDir()}
		lostReplies(t, r)
		w := lostReplies(t, r)
		if c.fails {
			w.AssertCall("addOne").Runs(7)
		}
		r.end()
		files, err := os.ReadDir(r.dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			names = append(names, f.Name())
			text, err := os.ReadFile(filepath.Join(r.dir, f.Name()))
			want := map[string]string{".html": "its reply was lost", ".txt": "FAULT: reply dropped"}[filepath.Ext(f.Name())]
			if err != nil || !strings.Contains(string(text), want) || !strings.Contains(r.text.String(), filepath.Join(r.dir, f.Name())) {
				t.Errorf("%v: %s, or the log:\n%s\n%s", err, f.Name(), text, r.text.String())
			}
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("artifacts %s, failed %v: got %q, want %q", c.keep, c.fails, names, c.want)
		}
		if len(names) == 0 && strings.Contains(r.text.String(), "picture") {
			t.Errorf("the log speaks of pictures:\n%s", r.text.String())
		}
	}
}

// The timeline of a call is printed once, however many checks fail.
func TestAssertPrintsTheTimelineOnce(t *testing.T) {
	rec := &recorder{TB: t}
	w := lostReplies(t, rec)
	w.AssertCall("addOne").Attempts(7).Runs(8).Faults(9)
	if text := rec.text.String(); strings.Count(text, "shimtest: ") != 3 || strings.Count(text, "attempt 1  sent") != 1 {
		t.Errorf("got\n%s", text)
	}
	rec.end()
}

// fatal is a recorder whose Fatalf ends the function that calls New.
type fatal struct{ recorder }

func (f *fatal) Fatalf(format string, a ...any) { f.Logf(format, a...); panic(f) }

func TestNewNamesTheDirectory(t *testing.T) {
	f := &fatal{recorder{TB: t}}
	func() {
		defer func() { _ = recover() }()
		shimtest.New(f, "nowhere")
	}()
	abs, err := filepath.Abs("nowhere")
	if err != nil || !strings.Contains(f.text.String(), "nowhere is "+abs) {
		t.Errorf("%v: got %s", err, f.text.String())
	}
}
