package sched

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type queued struct{ at, id, place int }

func (q *queued) Before(r *queued) bool { return q.at < r.at || q.at == r.at && q.id < r.id }
func (q *queued) Place() *int           { return &q.place }

// Whatever is pushed and removed, the first is the least of what is left.
func TestQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue[*queued]
		var model, gone []*queued
		for id := range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch what := rapid.IntRange(0, 3).Draw(t, "what"); {
			case what < 2 || len(model) == 0:
				x := &queued{at: rapid.IntRange(0, 5).Draw(t, "at"), id: id}
				q.Push(x)
				model = append(model, x)
			default:
				x := q.First()
				if what == 3 {
					x = model[rapid.IntRange(0, len(model)-1).Draw(t, "which")]
				}
				if !q.Remove(x) || q.Remove(x) || x.place != -1 {
					t.Fatalf("removing %+v", x)
				}
				model = slices.DeleteFunc(model, func(y *queued) bool { return y == x })
				gone = append(gone, x)
			}
			var want *queued
			for _, x := range model {
				if want == nil || x.Before(want) {
					want = x
				}
			}
			if got := q.First(); got != want || len(q.All()) != len(model) {
				t.Fatalf("first is %+v of %d, want %+v of %d", got, len(q.All()), want, len(model))
			}
		}
		if slices.ContainsFunc(gone, func(x *queued) bool { return slices.Contains(q.All(), x) }) {
			t.Fatal("what was removed is there")
		}
	})
}
