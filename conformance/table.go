package conformance

import (
	"fmt"
	"maps"
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
