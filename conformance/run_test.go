package conformance_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/conformance"
	"github.com/durashim/durashim/internal/cli"
)

const runnerCases = "testdata/runner"

func find(t *testing.T, names ...string) (files []conformance.File) {
	t.Helper()
	for _, name := range names {
		f, err := conformance.Find(runnerCases, filepath.Join(runnerCases, name+".wd-test"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f...)
	}
	return files
}

// summary writes results as "case: pass" or "case: the error's first line".
func summary(results []conformance.Result) string {
	var b strings.Builder
	for _, r := range results {
		state, _, _ := strings.Cut(r.Error, "\n")
		if r.Passed {
			state = "pass"
		}
		b.WriteString(r.Case + ": " + state + "\n")
	}
	return b.String()
}

func run(t *testing.T, r conformance.Runner, o conformance.Options, names ...string) []conformance.Result {
	t.Helper()
	results, _, err := conformance.Run(t.Context(), find(t, names...), r, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// runners are the runtimes that must give the same answers.
func runners(t *testing.T) map[string]conformance.Runner {
	m := map[string]conformance.Runner{"in process": conformance.InProcess{}}
	if path := os.Getenv("DURASHIM_WORKERD"); path != "" {
		m["real"] = conformance.Binary{Path: path}
	} else {
		t.Log("DURASHIM_WORKERD names no binary; only this process is tested")
	}
	return m
}

// TestMain lets this program be the command durashim for TestOwnProgram.
func TestMain(m *testing.M) {
	if os.Getenv("CONFORMANCE_TEST_COMMAND") != "" {
		os.Exit(cli.Main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// durashim's own command test speaks the protocol and knows the flags.
func TestOwnProgram(t *testing.T) {
	t.Setenv("CONFORMANCE_TEST_COMMAND", "1")
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	files := find(t, "good", "two", "empty")
	disk, err := conformance.Find("cases", "cases/kv/disk-without-sql.wd-test")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, disk...)
	own, results, err := conformance.Run(t.Context(), files, conformance.InProcess{}, conformance.Binary{Path: path}, conformance.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, want := summary(results), summary(own)
	got = strings.ReplaceAll(got, filepath.Base(path)+": exit status 1", "No tests found!")
	if len(own) < 13 || got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestRunners(t *testing.T) {
	for name, r := range runners(t) {
		t.Run(name, func(t *testing.T) {
			got := summary(run(t, r, conformance.Options{}, "good", "two", "empty"))
			want := "good:default: pass\ngood:fails: AssertionError [ERR_ASSERTION]: one is not two\ngood:inert: pass\ngood:rejects: pass\ngood:swallows: pass\n" +
				"two:one:default: pass\ntwo:one:x: pass\ntwo:two:default: pass\ntwo:two:x: pass\nempty: No tests found!\n"
			got = cleaned(got)
			if got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// cleaned takes away what the real binary prints around an error.
func cleaned(s string) string {
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		if name, state, ok := strings.Cut(line, ": "); ok && strings.Contains(state, "AssertionError") {
			line = name + ": " + state[strings.Index(state, "AssertionError"):]
		}
		if strings.HasPrefix(line, "empty: ") && strings.Contains(line, "exit status") {
			line = "empty: No tests found!"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// A file that cannot be loaded fails alone, with its reason.
func TestUnloadable(t *testing.T) {
	for name, r := range runners(t) {
		t.Run(name, func(t *testing.T) {
			results := run(t, r, conformance.Options{}, "broken", "good", "unloadable")
			if len(results) != 7 {
				t.Fatalf("got %d results:\n%s", len(results), summary(results))
			}
			for i, file := range map[int]string{0: "broken", 6: "unloadable"} {
				if r := results[i]; r.Case != file || r.Test != "" || r.Passed || r.Error == "" {
					t.Errorf("result %d: %+v", i, r)
				}
			}
			if !results[1].Passed {
				t.Errorf("the file between failed too: %+v", results[1])
			}
		})
	}
}

// A test that hangs fails with the reason, and so do those after it; the rest of
// the suite goes on.
func TestHang(t *testing.T) {
	for name, r := range runners(t) {
		t.Run(name, func(t *testing.T) {
			results := run(t, r, conformance.Options{Timeout: 2 * time.Second, Jobs: 2}, "hangs", "spins", "two")
			got := map[string]string{}
			for _, r := range results {
				got[r.Case] = r.Error
			}
			if got["hangs:a"] != "" || got["two:one:x"] != "" {
				t.Errorf("a test that does not hang failed:\n%s", summary(results))
			}
			for _, c := range []string{"hangs:b", "spins:default"} {
				if !strings.HasPrefix(got[c], "the file did not end within 2s") {
					t.Errorf("%s: %q", c, got[c])
				}
			}
			if e, ok := got["hangs:c"]; name == "in process" && (!ok || !strings.HasPrefix(e, "not run: ")) {
				t.Errorf("hangs:c: %q", e)
			}
		})
	}
}

// A program that does not speak the protocol, or does not exist, is a failure of
// every file.
func TestOtherPrograms(t *testing.T) {
	for _, path := range []string{"/bin/false", "/nonexistent/program"} {
		results := run(t, conformance.Binary{Path: path}, conformance.Options{}, "good", "two")
		if len(results) != 2 || results[0].Passed || results[1].Passed || results[0].Error == "" {
			t.Errorf("%s: %+v", path, results)
		}
	}
}

func TestWant(t *testing.T) {
	for name, r := range runners(t) {
		t.Run(name, func(t *testing.T) {
			want := func(id string) bool { return id == "good:inert" }
			if got := summary(run(t, r, conformance.Options{Want: want}, "broken", "empty", "good", "two")); got != "good:inert: pass\n" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := conformance.Run(ctx, find(t, "good"), conformance.InProcess{}, nil, conformance.Options{}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestInertCases(t *testing.T) {
	plain := run(t, conformance.InProcess{}, conformance.Options{}, "good", "broken")
	mutated := run(t, conformance.InProcess{Mutate: true}, conformance.Options{}, "good", "broken")
	inert, unchecked := conformance.InertCases(plain, mutated)
	if got := summary(inert); got != "good:inert: pass\ngood:swallows: pass\n" {
		t.Errorf("inert: %s", got)
	}
	if got := summary(unchecked); got != "good:fails: fails with its own assertions already\nbroken: fails with its own assertions already\n" {
		t.Errorf("unchecked: %s", got)
	}
}

// Slow files wait on a virtual clock in this process, and give what they give in
// real time.
func TestSlow(t *testing.T) {
	files, err := conformance.Find("testdata/runner/slow/..", "testdata/runner/slow")
	if err != nil || len(files) != 1 || !files[0].Slow() {
		t.Fatalf("%v %v", files, err)
	}
	results, _, err := conformance.Run(t.Context(), files, conformance.InProcess{}, nil, conformance.Options{Timeout: 20 * time.Second})
	if got := summary(results); err != nil || got != "slow/hour:default: pass\n" {
		t.Errorf("%v, got %s", err, got)
	}
	results, _, err = conformance.Run(t.Context(), files, conformance.InProcess{RealTime: true}, nil, conformance.Options{Timeout: 200 * time.Millisecond})
	if got := summary(results); err != nil || got != "slow/hour:default: the file did not end within 200ms\n" {
		t.Errorf("in real time: %v, got %s", err, got)
	}
}
