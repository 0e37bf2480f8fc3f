package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// DifferencesFile is the name of a suite's list of known differences.
const DifferencesFile = "differences.jsonc"

// Difference says that cases are known not to do here what they do on the real
// runtime, and why.
type Difference struct {
	// Case is what the entry is about, a single name or several:
	//
	//	kv/disk:databaseSize   a case
	//	sql/sql                a file: all its cases, also when it cannot be loaded
	//	alarms/*               every file that matches; * stands for any
	//	                       characters but / and :
	//	kv/disk:delete*        every case of the file that matches
	//
	// An entry claims that none of what it covers does what it should. When a
	// part of a file begins to work, its entry is outdated, and the cases that
	// still differ are listed by themselves; see [Report.WriteSummary].
	Case Names `json:"case"`
	// Reason says why, Workaround what a user can do about it.
	Reason     string `json:"reason"`
	Workaround string `json:"workaround"`
}

// Names is one name or pattern of cases or files, or several. In JSON it is a
// string or an array of strings.
type Names []string

// UnmarshalJSON implements [json.Unmarshaler].
func (n *Names) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, (*[]string)(n))
	}
	var one string
	if err := json.Unmarshal(text, &one); err != nil {
		return err
	}
	*n = Names{one}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (n Names) MarshalJSON() ([]byte, error) {
	if len(n) == 1 {
		return json.Marshal(n[0])
	}
	return json.Marshal([]string(n))
}

// String returns the names with commas between them.
func (n Names) String() string { return strings.Join(n, ", ") }

// Differences is a list of known differences, without duplicates.
type Differences []Difference

// ReadDifferences reads a list: a JSON array with comments and trailing commas.
// Every entry has all three fields. Errors name the file and, as far as it is
// known, the place.
func ReadDifferences(path string) (Differences, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list, err := parseDifferences(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}

func parseDifferences(text []byte) (Differences, error) {
	plain, err := hujson.Standardize(bytes.Clone(text)) // keeps line numbers
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(plain))
	dec.DisallowUnknownFields()
	var list Differences
	if err := dec.Decode(&list); err != nil {
		line := 1 + bytes.Count(plain[:dec.InputOffset()], []byte("\n"))
		return nil, fmt.Errorf("near line %d: %w", line, err)
	}
	if dec.More() {
		return nil, errors.New("there is something after the list")
	}
	seen := map[string]bool{}
	for i, d := range list {
		if len(d.Case) == 0 || slices.Contains(d.Case, "") {
			return nil, fmt.Errorf("entry %d names no case", i+1)
		}
		if strings.TrimSpace(d.Reason) == "" || strings.TrimSpace(d.Workaround) == "" {
			return nil, fmt.Errorf("entry %q lacks a reason or workaround", d.Case)
		}
		for _, name := range d.Case {
			if seen[name] {
				return nil, fmt.Errorf("the case %q is listed twice", name)
			}
			if file, _, single := strings.Cut(name, ":"); single && strings.Contains(file, "*") {
				return nil, fmt.Errorf("%q: a pattern of cases names their file in full", name)
			}
			seen[name] = true
		}
	}
	return list, nil
}

// find returns the entry that covers a case of a file (or, with an empty case, the
// file itself) and the name in it that does. Of several the most special one
// counts: the case, a pattern of cases, the file, a pattern of files.
func (l Differences) find(file, id string) (d *Difference, name string) {
	best := -1
	for i := range l {
		for _, n := range l[i].Case {
			of := file
			rank := 0
			if strings.Contains(n, ":") {
				of, rank = id, 2
			}
			if !strings.Contains(n, "*") {
				rank++
			}
			if rank > best && matches(n, of) {
				best, d, name = rank, &l[i], n
			}
		}
	}
	return d, name
}

// matches reports whether a name of an entry stands for the name of a case or file.
func matches(name, of string) bool {
	if !strings.Contains(name, "*") {
		return name == of
	}
	if first, _, _ := strings.Cut(name, "*"); !strings.HasPrefix(of, first) {
		return false // most of them, without a regular expression
	}
	re := strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, `[^/:]*`)
	return regexp.MustCompile(`^` + re + `$`).MatchString(of)
}

// Unknown returns the names of cases in the entries that are no cases of the
// files, given the results of running those files completely. Names in other files
// are not looked at.
func (l Differences) Unknown(files []File, results []Result) (unknown []string) {
	for name := range l.names() {
		file, _, single := strings.Cut(name, ":")
		if single && slices.ContainsFunc(files, func(f File) bool { return f.Name == file }) &&
			!slices.ContainsFunc(results, func(r Result) bool { return matches(name, r.Case) }) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

// Missing returns the names in the entries whose file is not among the files,
// which must be all those of the suite.
func (l Differences) Missing(files []File) (missing []string) {
	for name := range l.names() {
		file, _, _ := strings.Cut(name, ":")
		if !slices.ContainsFunc(files, func(f File) bool { return matches(file, f.Name) }) {
			missing = append(missing, name)
		}
	}
	return missing
}

// names goes through the names of all entries.
func (l Differences) names() func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, d := range l {
			for _, name := range d.Case {
				if !yield(name) {
					return
				}
			}
		}
	}
}
