package sched

import (
	"container/heap"
	"time"
)

// virtualTimer is a timer of the virtual clock. The clock's lock guards it.
type virtualTimer struct {
	v     *Virtual
	at    time.Time
	seq   uint64
	kind  Kind
	index int // in its heap; -1 once it has run or was stopped
	label string
	f     func()
}

func (t *virtualTimer) before(u *virtualTimer) bool {
	if !t.at.Equal(u.at) {
		return t.at.Before(u.at)
	}
	return t.seq < u.seq
}

// Stop implements [Timer].
func (t *virtualTimer) Stop() bool {
	t.v.mu.Lock()
	defer t.v.mu.Unlock()
	if t.index < 0 {
		return false
	}
	t.take()
	return true
}

// take removes the timer and returns its function. Whoever still holds the timer
// then no longer holds what the function refers to.
func (t *virtualTimer) take() (f func()) {
	heap.Remove(&t.v.timers[t.kind], t.index)
	f, t.f = t.f, nil
	return f
}

// first returns the timer that falls due first; nil if none is set.
func (v *Virtual) first() (first *virtualTimer) {
	for k := range v.timers {
		if t := v.timers[k].top(); t != nil && (first == nil || t.before(first)) {
			first = t
		}
	}
	return first
}

// timerHeap orders timers by (time, sequence).
type timerHeap []*virtualTimer

func (h timerHeap) top() *virtualTimer {
	if len(h) == 0 {
		return nil
	}
	return h[0]
}

func (h timerHeap) Len() int           { return len(h) }
func (h timerHeap) Less(i, j int) bool { return h[i].before(h[j]) }
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *timerHeap) Push(x any) {
	t := x.(*virtualTimer)
	t.index = len(*h)
	*h = append(*h, t)
}

func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	t.index = -1
	return t
}
