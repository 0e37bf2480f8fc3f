package sched

import "time"

// virtualTimer is a timer of the virtual clock. The clock's lock guards it.
type virtualTimer struct {
	v     *Virtual
	at    time.Time
	seq   uint64
	kind  Kind
	place int // in its queue; -1 once it has run or was stopped
	label string
	f     func()
}

// Before implements [Queued]: the order is (time, sequence).
func (t *virtualTimer) Before(u *virtualTimer) bool {
	if !t.at.Equal(u.at) {
		return t.at.Before(u.at)
	}
	return t.seq < u.seq
}

// Place implements [Queued].
func (t *virtualTimer) Place() *int { return &t.place }

// Stop implements [Timer].
func (t *virtualTimer) Stop() bool {
	t.v.mu.Lock()
	defer t.v.mu.Unlock()
	if t.place < 0 {
		return false
	}
	t.take()
	return true
}

// take removes the timer and returns its function. Whoever still holds the timer
// then no longer holds what the function refers to.
func (t *virtualTimer) take() (f func()) {
	t.v.timers[t.kind].Remove(t)
	f, t.f = t.f, nil
	return f
}

// first returns the timer that falls due first; nil if none is set.
func (v *Virtual) first() (first *virtualTimer) {
	for k := range v.timers {
		if t := v.timers[k].First(); t != nil && (first == nil || t.Before(first)) {
			first = t
		}
	}
	return first
}
