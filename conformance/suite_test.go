package conformance_test

import (
	"context"
	"os"
	"path"
	"slices"
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
	for _, name := range known.Missing(files) {
		t.Errorf("%s lists %q, but there is no such file", conformance.DifferencesFile, name)
	}
	if testing.Short() {
		files = slices.DeleteFunc(files, conformance.File.Slow)
	}
	return files, known
}

// once runs files in this process, each a single time however many tests look at
// the results.
var once struct {
	mu   sync.Mutex
	runs map[string]func() []conformance.Result
}

func inProcess(f conformance.File) []conformance.Result {
	once.mu.Lock()
	run, ok := once.runs[f.Name]
	if !ok {
		run = sync.OnceValue(func() []conformance.Result {
			results, _, _ := conformance.Run(context.Background(), []conformance.File{f}, conformance.InProcess{}, nil, conformance.Options{Timeout: 2 * time.Minute})
			return results
		})
		if once.runs == nil {
			once.runs = map[string]func() []conformance.Result{}
		}
		once.runs[f.Name] = run
	}
	once.mu.Unlock()
	return run()
}

// ran is a runner that gives the results of inProcess.
type ran struct{ conformance.InProcess }

func (ran) Run(_ context.Context, f conformance.File, want func(string) bool) []conformance.Result {
	return slices.DeleteFunc(slices.Clone(inProcess(f)), func(r conformance.Result) bool { return !want(r.Case) })
}

// checkRow fails for a case that is not as it should be.
func checkRow(t *testing.T, row conformance.Row) {
	switch {
	case row.Other != nil && !row.Other.Passed:
		// What the suite says is what the real runtime does.
		t.Errorf("the case does not hold on the real runtime: %s", row.Other.Error)
	case row.Verdict == conformance.Outdated:
		t.Errorf("does what it should, but %s lists %q", conformance.DifferencesFile, row.ListedAs)
	case row.Verdict == conformance.New:
		t.Error(row.Result.Error)
	}
}

// TestCases runs the suite in this process, and holds the README's table against
// the result.
func TestCases(t *testing.T) {
	files, known := suite(t)
	var mu sync.Mutex
	rep := &conformance.Report{Runner: "durashim"}
	t.Run("cases", func(t *testing.T) {
		for _, f := range files {
			t.Run(f.Name, func(t *testing.T) {
				t.Parallel()
				results := inProcess(f)
				rows := conformance.Compare(results, nil, false)
				conformance.Judge(rows, known)
				for _, row := range rows {
					t.Run(strings.TrimPrefix(strings.TrimPrefix(row.Case, f.Name), ":"), func(t *testing.T) { checkRow(t, row) })
				}
				for _, name := range known.Unknown([]conformance.File{f}, results) {
					if !strings.Contains(name, "*") { // a pattern may be about another file
						t.Errorf("%s lists %q, but there is no such case", conformance.DifferencesFile, name)
					}
				}
				mu.Lock()
				rep.Rows = append(rep.Rows, rows...)
				mu.Unlock()
			})
		}
	})
	t.Run("README", func(t *testing.T) { checkTable(t, files, rep) })
}

// checkTable compares the README's table with a run. The table is of a run with the
// real runtime beside, which knows the cases of files that cannot be loaded here;
// of these areas only the number of good cases is compared. Areas that were not run
// completely, or in which something is wrong already, are not looked at.
func checkTable(t *testing.T, files []conformance.File, rep *conformance.Report) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- fidelity:begin -->", "<!-- fidelity:end -->"
	_, rest, ok := strings.Cut(string(text), begin)
	table, _, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("README.md lacks %s or %s", begin, end)
	}
	got := conformance.ParseTable(table)
	if len(got) == 0 {
		t.Fatal("README.md has no fidelity table")
	}
	const advice = "run `go run ./cmd/durashim conformance --oracle npm --table` and put its output into README.md"
	run, partial := map[string]bool{}, map[string]bool{}
	for _, row := range rep.Rows {
		run[row.File] = true
		if row.Verdict.Bad() {
			partial[row.Area] = true
		}
	}
	areas := map[string]bool{}
	for _, f := range files {
		areas[f.Area()] = true
		partial[f.Area()] = partial[f.Area()] || !run[f.Name]
	}
	for area := range got {
		if !areas[area] && area != "all" && !(testing.Short() && path.Base(area) == "slow") {
			t.Errorf("README.md has the area %s, which is not in the suite: %s", area, advice)
		}
	}
	unloaded := map[string]bool{}
	for _, row := range rep.Rows {
		if row.Result.Test == "" {
			unloaded[row.Area] = true
		}
	}
	for _, c := range rep.Areas() {
		want, known := c.Same, c.Known
		if have, ok := got[c.Area]; partial[c.Area] {
			continue
		} else if !ok || have.Same != want || (!unloaded[c.Area] && have.Known != known) || have.Cases != have.Same+have.Known {
			t.Errorf("README.md says of %s %+v, this run %+v: %s", c.Area, have, c, advice)
		}
	}
	var sum conformance.AreaCount
	for area, c := range got {
		if area != "all" {
			sum.Cases, sum.Same, sum.Known = sum.Cases+c.Cases, sum.Same+c.Same, sum.Known+c.Known
		}
	}
	sum.Area = "all"
	if got["all"] != sum {
		t.Errorf("the sum in README.md is %+v, not %+v", sum, got["all"])
	}
}

// TestRealRuntime compares the suite, case by case, with the real binary.
func TestRealRuntime(t *testing.T) {
	binary := os.Getenv("DURASHIM_WORKERD")
	if binary == "" {
		t.Skip("DURASHIM_WORKERD does not name a workerd binary")
	}
	if _, err := os.Stat(binary); err != nil {
		t.Fatalf("DURASHIM_WORKERD: %v", err)
	}
	files, known := suite(t)
	results, others, err := conformance.Run(t.Context(), files, ran{}, conformance.Binary{Path: binary}, conformance.Options{Timeout: 2 * time.Minute, Jobs: 4})
	if err != nil {
		t.Fatal(err)
	}
	rows := conformance.Compare(results, others, true)
	conformance.Judge(rows, known)
	for _, row := range rows {
		t.Run(row.Case, func(t *testing.T) { checkRow(t, row) })
	}
}

// TestNoInertCases makes sure that every case that passes has asserted something.
func TestNoInertCases(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the suite a second time")
	}
	files, _ := suite(t)
	plain, mutated, err := conformance.Run(t.Context(), files, ran{}, conformance.InProcess{Mutate: true}, conformance.Options{})
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
