package conformance

import (
	"bufio"
	"embed"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"
	"time"
)

//go:embed report
var reportFiles embed.FS

// WriteHTML writes the report as one page that needs nothing else: it loads no
// other file, and its search works without a server. files are those that were
// run; the rule and the source of a case are read from them.
func (r *Report) WriteHTML(w io.Writer, files []File) error {
	t, err := template.ParseFS(reportFiles, "report/page.html")
	if err != nil {
		return err
	}
	p, err := r.page(files)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if err := t.Execute(out, p); err != nil {
		return err
	}
	return out.Flush()
}

// page is what the template shows.
type page struct {
	Style             template.CSS
	Script            template.JS
	Runner, Oracle    string
	Elapsed           string
	Failed            bool
	Headline          string
	Good              string // what a good case is called
	Total             AreaCount
	Areas             []AreaCount
	New               []*pageCase
	Outdated, Unknown []string
	Files             []*pageFile // those with something wrong first
}

// pageFile is a test file with its cases.
type pageFile struct {
	AreaCount
	Name string
	// Open says that the file is shown unfolded: something in it is wrong.
	Open bool
	Rows []*pageCase
}

// pageCase is a case. Details says whether there is more than one line to show.
type pageCase struct {
	ID, Case, Name, Rule string
	Verdict              Verdict
	Mine                 pageResult
	Other                *pageResult
	Brief                string // the first line of what went wrong
	Listed               *Difference
	Source               caseSource
	Details              bool
}

type pageResult struct {
	Passed      bool
	Error, Took string
}

func (r *Report) page(files []File) (*page, error) {
	style, err := reportFiles.ReadFile("report/page.css")
	if err != nil {
		return nil, err
	}
	script, err := reportFiles.ReadFile("report/page.js")
	if err != nil {
		return nil, err
	}
	p := &page{
		Style: template.CSS(style), Script: template.JS(script), // our own, not from a case
		Runner: r.Runner, Oracle: r.Oracle, Failed: r.Failed(), Total: r.total(), Areas: r.Areas(), Unknown: r.Unknown,
		Good: "passed",
	}
	if r.Oracle != "" {
		p.Good = "same"
	}
	if r.Elapsed > 0 {
		p.Elapsed = fmt.Sprintf("%.1f s", r.Elapsed.Seconds())
	}
	p.Headline = r.headline()
	for _, o := range r.outdated() {
		p.Outdated = append(p.Outdated, o.text())
	}
	code := map[string]map[string]caseSource{}
	for _, f := range files {
		code[f.Name] = sources(f)
	}
	index := map[string]*pageFile{}
	for i := range r.Rows {
		row := &r.Rows[i]
		f := index[row.File]
		if f == nil {
			f = &pageFile{Name: row.File, AreaCount: AreaCount{Area: row.Area}}
			index[row.File] = f
			p.Files = append(p.Files, f)
		}
		c := row.page(code[row.File][row.Case])
		c.ID = fmt.Sprintf("case-%d", i)
		f.add(row.Verdict)
		f.Open = f.Open || row.Verdict.Bad()
		f.Rows = append(f.Rows, c)
		if row.Verdict == New {
			p.New = append(p.New, c)
		}
	}
	slices.SortStableFunc(p.Files, func(a, b *pageFile) int {
		switch {
		case a.Open && !b.Open:
			return -1
		case b.Open && !a.Open:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return p, nil
}

// headline says in one line how the run ended.
func (r *Report) headline() string {
	t := r.total()
	var parts []string
	count := func(n int, one, many string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, fmt.Sprint(n)+" "+many)
		}
	}
	failing, many := "case fails", "cases fail"
	if r.Oracle != "" {
		failing, many = "case differs", "cases differ"
	}
	count(t.New, failing+" and should not", many+" and should not")
	count(t.Outdated, "listed difference is gone", "listed differences are gone")
	count(len(r.Unknown), "listed case does not exist", "listed cases do not exist")
	switch {
	case t.Cases == 0:
		return "No case was run"
	case len(parts) > 0:
		return strings.Join(parts, ", ")
	case t.Known == 0 && r.Oracle != "":
		return "Every case does the same on both"
	case t.Known == 0:
		return "Every case passes"
	}
	return "Every case is as it should be, but for the known differences"
}

func (row *Row) page(src caseSource) *pageCase {
	c := &pageCase{
		Case: row.Case, Name: strings.TrimPrefix(strings.TrimPrefix(row.Case, row.File), ":"), Rule: src.Rule,
		Verdict: row.Verdict, Listed: row.Listed, Mine: row.Result.page(),
	}
	if c.Name == "" {
		c.Name = path.Base(row.File) + " (the file)"
	}
	failed := !row.Result.Passed
	if row.Other != nil {
		other := row.Other.page()
		c.Other = &other
		failed = failed || !other.Passed
	}
	c.Details = failed || row.Listed != nil
	if row.Verdict != Same {
		c.Brief = row.reason()
	}
	if c.Details {
		c.Source = src
	}
	return c
}

func (r *Result) page() pageResult {
	p := pageResult{Passed: r.Passed, Error: strings.TrimSpace(r.Error)}
	if r.Duration > 0 {
		p.Took = duration(r.Duration)
	}
	return p
}

// duration is d for people: three digits are plenty.
func duration(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", d.Seconds()*1e3)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
