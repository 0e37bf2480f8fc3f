package conformance

import "slices"

// Row is one case with its results and what they mean.
type Row struct {
	Case, Area, File string
	Result           Result  // on the runtime under test
	Other            *Result // on the runtime it is compared with; nil if there is none
	Listed           *Difference
	ListedAs         string // the name in the entry that covers the case
	Verdict          Verdict
}

// Verdict says whether a case did what it should.
type Verdict string

// The verdicts. A case is good when it passed or, in a comparison, when both
// runtimes agree.
const (
	Same     Verdict = "same"     // good, and not listed
	Known    Verdict = "known"    // not good, and listed
	New      Verdict = "new"      // not good, and not listed
	Outdated Verdict = "outdated" // good, but listed
)

// Bad reports whether the verdict fails a run.
func (v Verdict) Bad() bool { return v == New || v == Outdated }

// Compare puts results side by side, in the order of the first list. others is
// nil when there is nothing to compare with. A file that could not be run on one
// runtime counts as failed there for every case that the other one knows.
func Compare(results, others []Result, compared bool) (rows []Row) {
	if !compared {
		for _, r := range results {
			rows = append(rows, Row{Case: r.Case, Area: r.Area, File: r.File, Result: r})
		}
		return rows
	}
	seen := map[string]bool{}
	for _, list := range [][]Result{results, others} {
		for _, r := range list {
			if seen[r.Case] {
				continue
			}
			seen[r.Case] = true
			a, b := lookup(results, r), lookup(others, r)
			if r.Test == "" && (a == nil || b == nil) && expanded(results, others, r.File) {
				continue // its cases have rows of their own
			}
			rows = append(rows, Row{Case: r.Case, Area: r.Area, File: r.File, Result: *orMissing(a, r), Other: orMissing(b, r)})
		}
	}
	order := map[string]int{}
	for _, r := range slices.Concat(results, others) {
		if _, ok := order[r.File]; !ok {
			order[r.File] = len(order)
		}
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return order[a.File] - order[b.File] })
	return rows
}

// lookup finds the result of the same case, or else of its whole file.
func lookup(list []Result, r Result) *Result {
	var whole *Result
	for i := range list {
		if list[i].Case == r.Case {
			return &list[i]
		}
		if list[i].File == r.File && list[i].Test == "" {
			whole = &list[i]
		}
	}
	if whole == nil {
		return nil
	}
	failed := *whole
	failed.Case, failed.Test = r.Case, r.Test
	return &failed
}

// expanded reports whether either runtime has results for single cases of a file.
func expanded(a, b []Result, file string) bool {
	return slices.ContainsFunc(slices.Concat(a, b), func(r Result) bool { return r.File == file && r.Test != "" })
}

func orMissing(r *Result, like Result) *Result {
	if r != nil {
		return r
	}
	like.Passed, like.Duration, like.Error = false, 0, "there is no such test here"
	return &like
}

// Judge fills in what is listed and the verdicts. An entry for a whole file or a
// pattern is outdated for every case that it covers and that is good.
func Judge(rows []Row, known Differences) {
	for i := range rows {
		r := &rows[i]
		r.Listed, r.ListedAs = known.find(r.File, r.Case)
		switch {
		case r.good() && r.Listed == nil:
			r.Verdict = Same
		case r.good():
			r.Verdict = Outdated
		case r.Listed != nil:
			r.Verdict = Known
		default:
			r.Verdict = New
		}
	}
}

func (r *Row) good() bool {
	if r.Other != nil {
		return r.Result.Passed == r.Other.Passed
	}
	return r.Result.Passed
}
