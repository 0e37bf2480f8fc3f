package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// DifferencesFile is the name of a suite's list of known differences.
const DifferencesFile = "differences.jsonc"

// Difference is a case that is known not to do here what it does on the real
// runtime.
type Difference struct {
	// Case is the id of a case, or the name of a file that cannot be run at all.
	Case string `json:"case"`
	// Reason says why, Workaround what a user can do about it.
	Reason     string `json:"reason"`
	Workaround string `json:"workaround"`
}

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
		switch {
		case d.Case == "":
			return nil, fmt.Errorf("entry %d names no case", i+1)
		case strings.TrimSpace(d.Reason) == "", strings.TrimSpace(d.Workaround) == "":
			return nil, fmt.Errorf("entry %q lacks a reason or workaround", d.Case)
		case seen[d.Case]:
			return nil, fmt.Errorf("the case %q is listed twice", d.Case)
		}
		seen[d.Case] = true
	}
	return list, nil
}

func (l Differences) find(id string) *Difference {
	for i := range l {
		if l[i].Case == id {
			return &l[i]
		}
	}
	return nil
}

// Unknown returns the entries that name no case of the files, given the results
// of running those files completely. Entries for other files are not looked at.
func (l Differences) Unknown(files []File, results []Result) (unknown Differences) {
	for _, d := range l {
		name, _, _ := strings.Cut(d.Case, ":")
		if slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) && name != d.Case &&
			!slices.ContainsFunc(results, func(r Result) bool { return r.Case == d.Case }) {
			unknown = append(unknown, d)
		}
	}
	return unknown
}

// Missing returns the entries whose file is not among the files, which must be
// all those of the suite.
func (l Differences) Missing(files []File) (missing Differences) {
	for _, d := range l {
		name, _, _ := strings.Cut(d.Case, ":")
		if !slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
			missing = append(missing, d)
		}
	}
	return missing
}
