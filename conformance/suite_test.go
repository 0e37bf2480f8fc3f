package conformance_test

import (
	"context"
	"maps"
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
					t.Errorf("%s lists %q, but there is no such case", conformance.DifferencesFile, name)
				}
				mu.Lock()
				rep.Rows = append(rep.Rows, rows...)
				mu.Unlock()
			})
		}
	})
	t.Run("README", func(t *testing.T) { checkTable(t, files, rep) })
}

const regenerate = "run `go run ./cmd/durashim conformance --oracle npm --table=README.md`"

// readTable reads the README's table.
func readTable(t *testing.T) map[string]conformance.AreaCount {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := conformance.CutTable(string(text))
	if !ok {
		t.Fatalf("README.md lacks %s or %s", conformance.TableBegin, conformance.TableEnd)
	}
	counts := conformance.ParseTable(table)
	if len(counts) == 0 {
		t.Fatalf("README.md has no fidelity table: %s", regenerate)
	}
	return counts
}

// checkTable makes sure that the README's table, which is of a run with the real
// runtime beside, does not say more than this run shows: an area has at least as
// many good cases and, where all files can be loaded so that their cases are known,
// at most as many differences. Cases may have been added since. Areas in which
// something is wrong already, or that were not run completely, are not looked at.
func checkTable(t *testing.T, files []conformance.File, rep *conformance.Report) {
	run, skip, unloaded := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, row := range rep.Rows {
		run[row.File] = true
		skip[row.Area] = skip[row.Area] || row.Verdict.Bad()
		unloaded[row.Area] = unloaded[row.Area] || row.Result.Test == ""
	}
	for _, f := range files {
		skip[f.Area()] = skip[f.Area()] || !run[f.Name]
	}
	here := map[string]conformance.AreaCount{}
	for _, c := range rep.Areas() {
		here[c.Area] = c
	}
	var sum conformance.AreaCount
	table := readTable(t)
	for area, c := range table {
		if area == "all" {
			continue
		}
		sum.Cases, sum.Same, sum.Known = sum.Cases+c.Cases, sum.Same+c.Same, sum.Known+c.Known
		if skip[area] || testing.Short() && path.Base(area) == "slow" {
			continue
		}
		if h := here[area]; c.Same > h.Same || c.Known < h.Known && !unloaded[area] || c.Cases != c.Same+c.Known {
			t.Errorf("README.md says of %s %d cases, %d same, %d different; here are %d good and %d different: %s", area, c.Cases, c.Same, c.Known, h.Same, h.Known, regenerate)
		}
	}
	if all := table["all"]; all.Cases != sum.Cases || all.Same != sum.Same || all.Known != sum.Known {
		t.Errorf("the sum in README.md is %+v, not %+v", all, sum)
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
	t.Parallel() // it mostly waits
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
	// With the real runtime beside, the README's table must be exactly this run's.
	t.Run("README", func(t *testing.T) {
		rep := &conformance.Report{Rows: rows}
		if rep.Failed() || testing.Short() {
			t.Skip("the table is of a complete run in which everything is as listed")
		}
		if got, want := readTable(t), conformance.ParseTable(rep.Table()); !maps.Equal(got, want) {
			t.Errorf("the table in README.md is not that of this run: %s\n%s", regenerate, rep.Table())
		}
	})
}

// TestNoInertCases makes sure that every case that passes has asserted something.
func TestNoInertCases(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the suite a second time")
	}
	t.Parallel()
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
