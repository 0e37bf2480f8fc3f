package inflight

import (
	"slices"
	"sync"
	"testing"
)

func TestFailAnswersWhatIsLeft(t *testing.T) {
	var l List[string]
	var got []string
	entry := func(name string) *Entry[string] {
		return &Entry[string]{Fail: func(err string) { got = append(got, name+" "+err) }}
	}
	a, b, c, d := entry("a"), entry("b"), entry("c"), entry("d")
	for _, e := range []*Entry[string]{a, b, c, d} {
		if !l.Add(e) {
			t.Fatal("an open list refuses a call")
		}
	}
	if !l.Remove(b) || l.Remove(b) {
		t.Error("a call can be removed once")
	}
	l.Fail("lost")
	if want := []string{"a lost", "c lost", "d lost"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if l.Remove(a) || l.Add(b) {
		t.Error("a failed list has no calls and takes none")
	}
}

func TestEveryCallIsAnsweredOnce(t *testing.T) {
	var l List[int]
	const n = 1000
	var answers [n]int
	var wg sync.WaitGroup
	for i := range n {
		e := &Entry[int]{Fail: func(int) { answers[i]++ }}
		wg.Go(func() {
			if !l.Add(e) || l.Remove(e) {
				answers[i]++
			}
		})
	}
	wg.Go(func() { l.Fail(1) })
	wg.Wait()
	for i, k := range answers {
		if k != 1 {
			t.Fatalf("call %d was answered %d times", i, k)
		}
	}
}
