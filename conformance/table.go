package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Table writes the report as a table in Markdown, followed by the reasons of the
// known differences. It depends on nothing but the verdicts, so that it is the
// same for every good run of the same suite.
func (r *Report) Table() string {
	var b strings.Builder
	b.WriteString("| Area | Cases | Same as workerd | Known differences |\n|---|--:|--:|--:|\n")
	for _, c := range r.Areas() {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", c.Area, c.Cases, c.Same+c.Outdated, c.Known+c.New)
	}
	t := r.total()
	fmt.Fprintf(&b, "| **all** | **%d** | **%d** | **%d** |\n", t.Cases, t.Same+t.Outdated, t.Known+t.New)
	listed := map[string]*Difference{}
	for _, row := range r.Rows {
		if row.Listed != nil {
			listed[row.Listed.Case] = row.Listed
		}
	}
	if len(listed) > 0 {
		b.WriteString("\n")
	}
	for _, id := range sortedKeys(listed) {
		fmt.Fprintf(&b, "- `%s`: %s *Instead:* %s\n", id, listed[id].Reason, listed[id].Workaround)
	}
	return b.String()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
