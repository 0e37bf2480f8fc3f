package conformance_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/durashim/durashim/conformance"
	"github.com/durashim/durashim/internal/cli"
)

// command runs durashim conformance.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = cli.Main(t.Context(), append([]string{"conformance"}, args...), &out, &err)
	return status, out.String(), err.String()
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCommand(t *testing.T) {
	dir := t.TempDir()
	report, junit, html := filepath.Join(dir, "r.json"), filepath.Join(dir, "r.xml"), filepath.Join(dir, "r.html")
	status, out, errs := command(t, runnerCases, "--filter", "^good:", "--table", "--json", report, "--junit", junit, "--html", html)
	if status != 1 || !strings.Contains(errs, "new      fail      good:fails\n    AssertionError [ERR_ASSERTION]: one is not two\n") ||
		!strings.Contains(errs, "durashim: 5 cases, 4 passed, 0 known differences, 1 new, 0 outdated entries") {
		t.Errorf("status %d\n%s", status, errs)
	}
	if !strings.Contains(out, "| **all** | **5** | **4** | **1** |") {
		t.Errorf("table:\n%s", out)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Failed bool
		Cases  []struct{ Case, Verdict string }
	}
	if err := json.Unmarshal(text, &got); err != nil || !got.Failed || len(got.Cases) != 5 || got.Cases[1].Case != "good:fails" || got.Cases[1].Verdict != "new" {
		t.Errorf("%v: %s", err, text)
	}
	if text, err := os.ReadFile(junit); err != nil || !strings.Contains(string(text), `failures="1"`) {
		t.Errorf("%v: %s", err, text)
	}
	if text, err := os.ReadFile(html); err != nil || !strings.Contains(string(text), "1 case fails and should not") || !strings.Contains(string(text), "Reaches none of its assertions.") {
		t.Errorf("%v: %s", err, text)
	}
}

// --table=FILE replaces the table in a file, and nothing else.
func TestCommandTable(t *testing.T) {
	begin, end := conformance.TableBegin, conformance.TableEnd
	file := write(t, "README.md", "a\n"+begin+"\nold\n"+end+"\nb\n")
	status, out, errs := command(t, filepath.Join(runnerCases, "two.wd-test"), "--table="+file)
	text, err := os.ReadFile(file)
	want := "a\n" + begin + "\n| Area | Cases | Same as workerd | Known differences |\n|---|--:|--:|--:|\n" +
		"| . | 4 | 4 | 0 |\n| **all** | **4** | **4** | **0** |\n" + end + "\nb\n"
	if status != 0 || out != "" || err != nil || string(text) != want {
		t.Errorf("status %d, %v\n%s%s", status, err, errs, text)
	}
	file = write(t, "README.md", end+begin)
	if status, _, errs := command(t, filepath.Join(runnerCases, "two.wd-test"), "--table="+file); status != 1 || !strings.Contains(errs, "lacks the line") {
		t.Errorf("status %d\n%s", status, errs)
	}
}

// The suite's own list is about durashim, not about another program.
func TestCommandRunner(t *testing.T) {
	status, _, errs := command(t, "cases/modules/assignment.wd-test", "--runner", "/bin/false")
	if status != 1 || !strings.Contains(errs, "false: 1 cases, 0 passed, 0 known differences, 1 new, 0 outdated entries") {
		t.Errorf("status %d\n%s", status, errs)
	}
}

// The list of known differences decides, both ways.
func TestCommandDifferences(t *testing.T) {
	entry := func(id string) string { return `{"case": "` + id + `", "reason": "r", "workaround": "w"},` }
	for name, c := range map[string]struct {
		list, want string
		status     int
	}{
		"listed":   {entry("good:fails"), "4 passed, 1 known differences, 0 new, 0 outdated", 0},
		"file":     {entry("good"), "4 cases that \"good\" covers do what they should: list instead of it\n      \"good:fails\",\n", 1},
		"pattern":  {entry("good:f*"), "4 passed, 1 known differences, 0 new, 0 outdated", 0},
		"outdated": {entry("good:fails") + entry("good:inert"), `remove the entry "good:inert"`, 1},
		"no case":  {entry("good:fails") + entry("good:none"), `lists "good:none", which is no case of this suite`, 1},
		"unlisted": {"", "new      fail      good:fails", 1},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, errs := command(t, filepath.Join(runnerCases, "good.wd-test"), "--differences", write(t, "d.jsonc", "["+c.list+"]"))
			if status != c.status || !strings.Contains(errs, c.want) {
				t.Errorf("status %d\n%s", status, errs)
			}
		})
	}
}

func TestCommandMutate(t *testing.T) {
	status, _, errs := command(t, filepath.Join(runnerCases, "good.wd-test"), "--mutate")
	want := "good:inert passes although all its assertions are inverted\ngood:swallows passes although all its assertions are inverted\n" +
		"good:fails not checked: it fails with its own assertions already\n5 cases, 2 assert nothing, 1 not checked\n"
	if status != 1 || errs != want {
		t.Errorf("status %d\n%s", status, errs)
	}
}

func TestCommandOracle(t *testing.T) {
	path := os.Getenv("DURASHIM_WORKERD")
	if path == "" {
		t.Skip("DURASHIM_WORKERD does not name a workerd binary")
	}
	// Both fail good:fails, so that there is no difference.
	status, _, errs := command(t, filepath.Join(runnerCases, "good.wd-test"), filepath.Join(runnerCases, "unloadable.wd-test"), "--oracle", path)
	if status != 0 || !strings.Contains(errs, "durashim compared with "+filepath.Base(path)+": 6 cases, 6 same") {
		t.Errorf("status %d\n%s", status, errs)
	}
}

func TestCommandMistakes(t *testing.T) {
	for want, args := range map[string][]string{
		"not a regular expression":     {runnerCases, "--filter", "("},
		"written K/N":                  {runnerCases, "--shard", "2"},
		"must be positive":             {runnerCases, "--timeout", "0s"},
		"no .wd-test files":            {t.TempDir()},
		"/nonexistent":                 {runnerCases, "--runner", "/nonexistent"},
		"is a directory":               {runnerCases, "--oracle", "."},
		"runs in this process alone":   {runnerCases, "--mutate", "--runner", "/bin/true"},
		"lacks a reason or workaround": {runnerCases, "--differences", write(t, "d.jsonc", `[{"case": "x"}]`)},
	} {
		status, _, errs := command(t, args...)
		if status != 1 || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
}
