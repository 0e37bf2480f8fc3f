package sched

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// Owned is a scheduler whose timers end with it: what they hold would otherwise
// stay in memory until they fire, and who waits for them would wait on.
type Owned struct {
	Scheduler

	mu     sync.Mutex
	last   uint64
	timers map[*ownedTimer]struct{}
}

// NewOwned returns a scheduler that uses the clock and the loops of s.
func NewOwned(s Scheduler) *Owned { return &Owned{Scheduler: s, timers: map[*ownedTimer]struct{}{}} }

type ownedTimer struct {
	o      *Owned
	number uint64
	timer  Timer
	f      func()
}

// AfterFunc implements [Scheduler].
func (o *Owned) AfterFunc(d time.Duration, k Kind, label string, f func()) Timer {
	t := &ownedTimer{o: o, f: f}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last++
	t.number = o.last
	o.timers[t] = struct{}{}
	t.timer = o.Scheduler.AfterFunc(d, k, label, t.fire)
	return t
}

// take reports whether the timer has neither fired nor been stopped, and ends it.
func (t *ownedTimer) take() bool {
	t.o.mu.Lock()
	defer t.o.mu.Unlock()
	_, ok := t.o.timers[t]
	delete(t.o.timers, t)
	return ok
}

func (t *ownedTimer) fire() {
	if t.take() {
		t.f()
	}
}

// Stop implements [Timer].
func (t *ownedTimer) Stop() bool {
	if !t.take() {
		return false
	}
	t.timer.Stop()
	return true
}

// Close lets all timers fire at once, in the order in which they were set,
// whatever the time, so that nobody waits for them in vain. The loops that they
// belong to should be closed.
func (o *Owned) Close() {
	o.mu.Lock()
	all := slices.SortedFunc(maps.Keys(o.timers), func(a, b *ownedTimer) int { return cmp.Compare(a.number, b.number) })
	o.mu.Unlock()
	for _, t := range all {
		if t.take() {
			t.timer.Stop()
			t.f()
		}
	}
}
