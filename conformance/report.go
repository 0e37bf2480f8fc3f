package conformance

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// Report is a run that has been judged.
type Report struct {
	Runner  string        // the runtime under test
	Oracle  string        // the one it is compared with; "" for none
	Elapsed time.Duration // of the whole run; 0 if it was not measured
	Rows    []Row
	Unknown []string // names in the list of differences that are no case
}

// Failed reports whether something is not as it should be: a failure that is not
// listed, a listed case that is good, an entry that names no case, or no case at
// all.
func (r *Report) Failed() bool {
	total := r.total()
	return total.New+total.Outdated+len(r.Unknown) > 0 || total.Cases == 0
}

// AreaCount counts the cases of one area by verdict.
type AreaCount struct {
	Area                              string
	Cases, Same, Known, New, Outdated int
}

func (c *AreaCount) add(v Verdict) {
	c.Cases++
	switch v {
	case Same:
		c.Same++
	case Known:
		c.Known++
	case New:
		c.New++
	case Outdated:
		c.Outdated++
	}
}

// Areas counts the cases by area, in the order of the areas' names.
func (r *Report) Areas() []AreaCount {
	counts := map[string]*AreaCount{}
	for _, row := range r.Rows {
		c := counts[row.Area]
		if c == nil {
			c = &AreaCount{Area: row.Area}
			counts[row.Area] = c
		}
		c.add(row.Verdict)
	}
	list := make([]AreaCount, 0, len(counts))
	for _, name := range sortedKeys(counts) {
		list = append(list, *counts[name])
	}
	return list
}

func (r *Report) total() (t AreaCount) {
	for _, row := range r.Rows {
		t.add(row.Verdict)
	}
	return t
}

// WriteSummary writes the counts by area, and what fails the run.
func (r *Report) WriteSummary(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	good := "passed"
	if r.Oracle != "" {
		good = "same"
	}
	fmt.Fprintf(t, "area\tcases\t%s\tknown\tnew\toutdated\t\n", good)
	row := func(c AreaCount) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t\n", c.Area, c.Cases, c.Same, c.Known, c.New, c.Outdated)
	}
	for _, c := range r.Areas() {
		row(c)
	}
	total := r.total()
	total.Area = "total"
	row(total)
	if err := t.Flush(); err != nil {
		return err
	}
	for _, o := range r.outdated() {
		fmt.Fprintln(w, o.text())
	}
	for _, name := range r.Unknown {
		fmt.Fprintf(w, "%s lists %q, which is no case of this suite\n", DifferencesFile, name)
	}
	if total.Cases == 0 {
		fmt.Fprintln(w, "no case was run")
	}
	runtimes := r.Runner
	if r.Oracle != "" {
		runtimes += " compared with " + r.Oracle
	}
	_, err := fmt.Fprintf(w, "%s: %d cases, %d %s, %d known differences, %d new, %d outdated entries (%.1fs)\n", runtimes,
		total.Cases, total.Same, good, total.Known, total.New, total.Outdated+len(r.Unknown), r.Elapsed.Seconds())
	return err
}

// outdatedName is a name in the list of differences that covers cases which do
// what they should, and perhaps others which do not.
type outdatedName struct {
	name        string
	good, still []string
}

// outdated collects the outdated names, in the order of the cases.
func (r *Report) outdated() (list []*outdatedName) {
	index := map[string]*outdatedName{}
	for _, row := range r.Rows {
		if row.Verdict == Outdated && index[row.ListedAs] == nil {
			o := &outdatedName{name: row.ListedAs}
			index[row.ListedAs] = o
			list = append(list, o)
		}
	}
	for _, row := range r.Rows {
		switch o := index[row.ListedAs]; {
		case o == nil:
		case row.Verdict == Outdated:
			o.good = append(o.good, row.Case)
		case row.Verdict == Known:
			o.still = append(o.still, row.Case)
		}
	}
	return list
}

// text says what to do about it: for a file or a pattern, which cases to list
// instead.
func (o *outdatedName) text() string {
	switch {
	case len(o.still) == 0:
		return fmt.Sprintf("%s: remove the entry %q: what it covers does what it should", DifferencesFile, o.name)
	case len(o.good) == 1:
		return fmt.Sprintf("%s: %s does what it should: list instead of %q\n%s", DifferencesFile, o.good[0], o.name, quoted(o.still))
	}
	return fmt.Sprintf("%s: %d cases that %q covers do what they should: list instead of it\n%s", DifferencesFile, len(o.good), o.name, quoted(o.still))
}

// quoted writes names so that they can be pasted into an entry.
func quoted(names []string) string {
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "      %q,\n", n)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// WriteRow writes one line for a case, and for one that is new its errors.
func WriteRow(w io.Writer, row Row) error {
	mark := func(r *Result) string {
		if r.Passed {
			return "pass"
		}
		return "fail"
	}
	state := mark(&row.Result)
	if row.Other != nil {
		state += "/" + mark(row.Other)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-8s %-9s %s\n", row.Verdict, state, row.Case)
	if row.Verdict == New {
		b.WriteString(indented(row.Result.Error))
		if row.Other != nil {
			b.WriteString(indented(row.Other.Error))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func indented(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(s, "\n", "\n    ") + "\n"
}

// jsonResult and the types below are the format of [Report.WriteJSON].
type jsonResult struct {
	Passed bool    `json:"passed"`
	Error  string  `json:"error,omitempty"`
	Millis float64 `json:"ms"`
}

type jsonCase struct {
	Case    string      `json:"case"`
	Area    string      `json:"area"`
	File    string      `json:"file"`
	Verdict Verdict     `json:"verdict"`
	Result  jsonResult  `json:"result"`
	Oracle  *jsonResult `json:"oracle,omitempty"`
	Listed  *Difference `json:"listed,omitempty"`
}

type jsonReport struct {
	Runner  string      `json:"runner"`
	Oracle  string      `json:"oracle,omitempty"`
	Failed  bool        `json:"failed"`
	Seconds float64     `json:"seconds"`
	Areas   []AreaCount `json:"areas"`
	Cases   []jsonCase  `json:"cases"`
	Unknown []string    `json:"unknownDifferences,omitempty"`
}

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	out := jsonReport{
		Runner: r.Runner, Oracle: r.Oracle, Failed: r.Failed(), Seconds: r.Elapsed.Seconds(),
		Areas: r.Areas(), Cases: []jsonCase{}, Unknown: r.Unknown,
	}
	for _, row := range r.Rows {
		c := jsonCase{Case: row.Case, Area: row.Area, File: row.File, Verdict: row.Verdict, Listed: row.Listed, Result: toJSON(row.Result)}
		if row.Other != nil {
			o := toJSON(*row.Other)
			c.Oracle = &o
		}
		out.Cases = append(out.Cases, c)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func toJSON(r Result) jsonResult {
	return jsonResult{Passed: r.Passed, Error: r.Error, Millis: float64(r.Duration) / float64(time.Millisecond)}
}
