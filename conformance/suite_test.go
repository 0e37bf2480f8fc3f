package conformance_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/durashim/durashim/conformance"
)

// suite is the project's own suite.
func suite(t *testing.T) ([]conformance.File, conformance.Differences) {
	t.Helper()
	known, err := conformance.ReadDifferences(conformance.DifferencesFile)
	if err != nil {
		t.Fatal(err)
	}
	files, err := conformance.Find("cases", "cases")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range known.Missing(files) {
		t.Errorf("%s lists %q, but there is no such file", conformance.DifferencesFile, d.Case)
	}
	return files, known
}

// check runs files in parallel subtests and fails for every case that is not as
// it should be. It returns the report when all are done.
func check(t *testing.T, run, other conformance.Runner) *conformance.Report {
	files, known := suite(t)
	var mu sync.Mutex
	rep := &conformance.Report{Runner: run.Name()}
	t.Run("cases", func(t *testing.T) {
		for _, f := range files {
			t.Run(f.Name, func(t *testing.T) {
				t.Parallel()
				if testing.Short() && strings.HasPrefix(f.Name, "slow/") {
					t.Skip("takes half a minute")
				}
				results, others, err := conformance.Run(t.Context(), []conformance.File{f}, run, other, conformance.Options{Timeout: 2 * time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				rows := conformance.Compare(results, others, other != nil)
				conformance.Judge(rows, known)
				for _, row := range rows {
					t.Run(strings.TrimPrefix(strings.TrimPrefix(row.Case, f.Name), ":"), func(t *testing.T) { checkRow(t, row) })
				}
				for _, d := range known.Unknown([]conformance.File{f}, results) {
					t.Errorf("%s lists %q, but there is no such case", conformance.DifferencesFile, d.Case)
				}
				mu.Lock()
				rep.Rows = append(rep.Rows, rows...)
				mu.Unlock()
			})
		}
	})
	return rep
}

func checkRow(t *testing.T, row conformance.Row) {
	switch {
	case row.Other != nil && !row.Other.Passed:
		// What the suite says is what the real runtime does.
		t.Errorf("the case does not hold on the real runtime: %s", row.Other.Error)
	case row.Verdict == conformance.Outdated:
		t.Errorf("passes, but is listed in %s: remove the entry", conformance.DifferencesFile)
	case row.Verdict == conformance.New:
		t.Error(row.Result.Error)
	}
}

// TestCases runs the suite in this process, and holds the README's table against
// the result.
func TestCases(t *testing.T) {
	rep := check(t, conformance.InProcess{}, nil)
	t.Run("README", func(t *testing.T) {
		if testing.Short() {
			t.Skip("the table is of the complete suite")
		}
		checkTable(t, rep)
	})
}

func checkTable(t *testing.T, rep *conformance.Report) {
	const begin, end = "<!-- fidelity:begin -->", "<!-- fidelity:end -->"
	text, err := os.ReadFile("../README.md")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no README.md")
	} else if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), begin)
	got, _, ended := strings.Cut(rest, end)
	switch {
	case !ok:
		t.Skipf("README.md has no %s", begin)
	case !ended:
		t.Fatalf("README.md has %s without %s", begin, end)
	}
	if want := rep.Table(); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("the table in README.md is not that of this run; put this (durashim conformance --table) between the markers:\n%s", want)
	}
}

// TestRealRuntime compares the suite, case by case, with the real binary.
func TestRealRuntime(t *testing.T) {
	path := os.Getenv("DURASHIM_WORKERD")
	if path == "" {
		t.Skip("DURASHIM_WORKERD does not name a workerd binary")
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("DURASHIM_WORKERD: %v", err)
	}
	check(t, conformance.InProcess{}, conformance.Binary{Path: path})
}

// TestNoInertCases makes sure that every case that passes has asserted something.
func TestNoInertCases(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the suite twice")
	}
	files, _ := suite(t)
	plain, mutated, err := conformance.Run(context.Background(), files, conformance.InProcess{}, conformance.InProcess{Mutate: true}, conformance.Options{Jobs: 4})
	if err != nil {
		t.Fatal(err)
	}
	inert, unchecked := conformance.InertCases(plain, mutated)
	for _, c := range inert {
		t.Errorf("%s passes although all its assertions are inverted", c.Case)
	}
	if len(plain) == len(unchecked) {
		t.Error("no case was checked")
	}
}
