package sched

import (
	"context"
	"slices"
)

// party is a goroutine that has joined the clock. The clock's lock guards it.
type party struct {
	waits []*partyWait
}

// partyWait is a wait in progress of a party.
type partyWait struct {
	ctx  context.Context
	done <-chan struct{}
}

// over says that the wait has ended although its goroutine may not know yet: it
// counts as running again.
func (w *partyWait) over() bool { return isClosed(w.done) || w.ctx.Err() != nil }

// running reports whether the party may do something without the clock's help.
func (p *party) running() bool {
	return len(p.waits) == 0 || slices.ContainsFunc(p.waits, (*partyWait).over)
}

// partyKey finds the party of a clock in a context.
type partyKey struct{ v *Virtual }

// Join announces a goroutine that uses the clock along with others: until leave
// is called, the clock stands still and no wait is given up while that goroutine
// is somewhere else than in [Virtual.Wait] (or Advance, or Settle) with the
// context that Join returns. Goroutines that all join before the first of them
// waits therefore see the clock move only when all of them wait, however slow
// one of them is, and a deadlock among them is noticed at once. Without Join the
// clock knows nothing of goroutines that are not waiting; see [StallGrace].
//
// A goroutine that joined must leave before it blocks on anything else that
// another one brings (a channel, a sync.WaitGroup): the clock would stand still
// for ever. Only the first call of leave counts.
func (v *Virtual) Join(ctx context.Context) (joined context.Context, leave func()) {
	p := &party{}
	v.mu.Lock()
	v.parties = append(v.parties, p)
	v.mu.Unlock()
	return context.WithValue(ctx, partyKey{v}, p), func() {
		v.mu.Lock()
		if i := slices.Index(v.parties, p); i >= 0 {
			v.parties = slices.Delete(v.parties, i, i+1)
		}
		v.mu.Unlock()
		v.signal()
	}
}

// enter notes that a party waits; the result ends that.
func (v *Virtual) enter(ctx context.Context, done <-chan struct{}) (exit func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.parties) == 0 {
		return func() {}
	}
	p, _ := ctx.Value(partyKey{v}).(*party)
	if p == nil {
		return func() {}
	}
	w := &partyWait{ctx, done}
	p.waits = append(p.waits, w)
	v.signal()
	return func() {
		v.mu.Lock()
		i := slices.Index(p.waits, w)
		p.waits = slices.Delete(p.waits, i, i+1)
		v.mu.Unlock()
	}
}
