package conformance

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The elements of JUnit's XML that continuous integration reads.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	seconds  float64
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	Time    string     `xml:"time,attr"`
	Failure *junitText `xml:"failure"`
	Skipped *junitText `xml:"skipped"`
}

type junitText struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit XML: a test suite for each file, known
// differences as skipped.
func (r *Report) WriteJUnit(w io.Writer) error {
	all := junitSuites{Name: "conformance of " + r.Runner}
	index := map[string]int{}
	for _, row := range r.Rows {
		i, ok := index[row.File]
		if !ok {
			i = len(all.Suites)
			index[row.File] = i
			all.Suites = append(all.Suites, junitSuite{Name: row.File})
		}
		s := &all.Suites[i]
		name := strings.TrimPrefix(strings.TrimPrefix(row.Case, row.File), ":")
		if name == "" {
			name = "(the file)"
		}
		seconds := row.Result.Duration.Seconds()
		c := junitCase{Class: row.File, Name: name, Time: fmt.Sprintf("%.4f", seconds)}
		switch row.Verdict {
		case Known:
			c.Skipped = &junitText{Message: row.Listed.Reason}
			s.Skipped++
			all.Skipped++
		case New, Outdated:
			c.Failure = &junitText{Message: row.reason(), Text: xmlText(row.Result.Error)}
			s.Failures++
			all.Failures++
		}
		s.Tests++
		all.Tests++
		s.seconds += seconds
		s.Cases = append(s.Cases, c)
	}
	for i := range all.Suites {
		all.Suites[i].Time = fmt.Sprintf("%.4f", all.Suites[i].seconds)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// reason says in one line what is wrong with a row.
func (r *Row) reason() string {
	if r.Verdict == Outdated {
		return "listed in " + DifferencesFile + " but does what it should"
	}
	text := r.Result.Error
	if r.Result.Passed {
		text = "passes here, but fails on the other runtime: " + r.Other.Error
	}
	first, _, _ := strings.Cut(text, "\n")
	return xmlText(first)
}

// xmlText replaces what XML cannot hold.
func xmlText(s string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x20 && c != '\n' && c != '\t' || c == 0xFFFE || c == 0xFFFF {
			return '\uFFFD'
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
