package cli

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/durashim/durashim/durable"
)

// The types of durashim:test name every fault, and no other.
func TestTypesNameEveryFault(t *testing.T) {
	text, err := os.ReadFile("../../types/durashim-test.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile(`readonly (\w+): (Timed)?Fault;`).FindAllStringSubmatch(string(text), -1) {
		got = append(got, m[1])
		if durable.FaultTakesDuration(m[1]) != (m[2] != "") {
			t.Errorf("%s: takes a time: %v", m[1], durable.FaultTakesDuration(m[1]))
		}
	}
	slices.Sort(got)
	if want := durable.FaultNames(); !slices.Equal(got, want) {
		t.Errorf("the types have %v, want %v", got, want)
	}
	for o := durable.Pending; o <= durable.Other; o++ {
		if !regexp.MustCompile(`"` + o.String() + `"`).Match(text) {
			t.Errorf("the types lack the outcome %q", o)
		}
	}
}
