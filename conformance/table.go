package conformance

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Table writes the report as a table in Markdown. It depends on nothing but the
// verdicts, so that it is the same for every good run of the same suite with a
// second runtime; without one, a file that cannot be loaded counts as one case.
func (r *Report) Table() string {
	var b strings.Builder
	b.WriteString("| Area | Cases | Same as workerd | Known differences |\n|---|--:|--:|--:|\n")
	for _, c := range r.Areas() {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", c.Area, c.Cases, c.Same+c.Outdated, c.Known+c.New)
	}
	t := r.total()
	fmt.Fprintf(&b, "| **all** | **%d** | **%d** | **%d** |\n", t.Cases, t.Same+t.Outdated, t.Known+t.New)
	return b.String()
}

// The lines around a table in a file; see [Report.PutTable].
const (
	TableBegin = "<!-- fidelity:begin -->"
	TableEnd   = "<!-- fidelity:end -->"
)

// PutTable replaces what stands between [TableBegin] and [TableEnd] in a file by
// the table.
func (r *Report) PutTable(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, old, ok := CutTable(string(text))
	if !ok {
		return fmt.Errorf("%s lacks the line %s or, after it, %s", path, TableBegin, TableEnd)
	}
	after := string(text)[len(before)+len(old):]
	return os.WriteFile(path, []byte(before+"\n"+r.Table()+after), 0o644)
}

// CutTable finds the table in a file's text: before ends with [TableBegin], and
// [TableEnd] follows the table. ok is false when one of the two is missing.
func CutTable(text string) (before, table string, ok bool) {
	before, rest, begun := strings.Cut(text, TableBegin)
	table, _, ended := strings.Cut(rest, TableEnd)
	return before + TableBegin, table, begun && ended
}

// ParseTable reads the counts from a table that [Report.Table] has written, by area;
// the sum is "all". Lines that are no rows of such a table are skipped.
func ParseTable(text string) map[string]AreaCount {
	counts := map[string]AreaCount{}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), "*", ""), "|")
		if len(cells) != 6 {
			continue
		}
		c := AreaCount{Area: strings.TrimSpace(cells[1])}
		if _, err := fmt.Sscan(strings.Join(cells[2:5], " "), &c.Cases, &c.Same, &c.Known); err == nil {
			counts[c.Area] = c
		}
	}
	return counts
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
