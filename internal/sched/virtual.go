package sched

import (
	"container/heap"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Epoch is where a virtual clock starts unless told otherwise: the same
// instant in every run, so that times which a program stores or prints are the
// same too.
var Epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// MaxJumps bounds how often the virtual clock may move by itself during one
// wait. A program that re-arms a timer for ever would otherwise keep the wait
// from ending.
const MaxJumps = 1_000_000

// StallError is what a wait under the virtual clock ends with when it can never
// be fulfilled: no work is pending and no timer that may move the clock is set,
// or the clock has jumped more than [MaxJumps] times.
type StallError struct {
	At     time.Time // the virtual time of the stall
	Jumps  int       // how often the clock moved during this wait
	Timers []string  // the timers that are set, with their times
}

func (e *StallError) Error() string {
	var b strings.Builder
	if e.Jumps >= MaxJumps {
		fmt.Fprintf(&b, "the virtual clock jumped %d times without ending the wait", e.Jumps)
	} else {
		b.WriteString("the wait can never end: no work is pending and no timer is set that would move the virtual clock")
	}
	if len(e.Timers) > 0 {
		b.WriteString(" (timers: " + strings.Join(e.Timers, ", ") + ")")
	}
	return b.String()
}

// Virtual is the scheduler whose time is a number. See the package comment.
type Virtual struct {
	mu      sync.Mutex
	now     time.Time
	ready   []task
	head    int
	needed  timerHeap // Needed and ByHand
	other   timerHeap // Background
	seq     uint64
	outside int
	manual  bool
	wake    chan struct{} // something was posted or ended while the driver slept
	driver  chan struct{} // held by the goroutine that runs the work
}

type task struct {
	loop *virtualLoop
	f    func()
}

// NewVirtual returns a scheduler whose clock starts at the given time and moves
// by itself only while somebody waits; see [Virtual.Manual].
func NewVirtual(start time.Time) *Virtual {
	return &Virtual{
		now:    start,
		wake:   make(chan struct{}, 1),
		driver: make(chan struct{}, 1),
	}
}

// Manual sets whether the clock moves only by [Virtual.Advance]. A wait then
// blocks until another goroutine moves the clock.
func (v *Virtual) Manual(manual bool) {
	v.mu.Lock()
	v.manual = manual
	v.mu.Unlock()
	v.signal()
}

// Now implements [Scheduler].
func (v *Virtual) Now() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.now
}

// Advance moves the clock by d and runs everything that falls due on the way,
// in order, each at its own time. It returns when all of that is done.
func (v *Virtual) Advance(ctx context.Context, d time.Duration) error {
	done := make(chan struct{})
	v.AfterFunc(d, ByHand, "advance", func() { close(done) })
	if err := v.Wait(ctx, done); err != nil {
		return err
	}
	return v.Settle(ctx)
}

// Settle runs what can run at the present instant, without moving the clock.
func (v *Virtual) Settle(ctx context.Context) error {
	select {
	case v.driver <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-v.driver }()
	for ctx.Err() == nil {
		t, ok := v.pop()
		if !ok {
			return nil
		}
		t.run()
	}
	return context.Cause(ctx)
}

// Wait implements [Scheduler].
func (v *Virtual) Wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case v.driver <- struct{}{}:
		defer func() { <-v.driver }()
		return v.drive(ctx, done)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// drive runs work until done is closed. The caller holds the driver's seat.
func (v *Virtual) drive(ctx context.Context, done <-chan struct{}) error {
	jumps := 0
	for {
		select {
		case <-done:
			return nil
		default:
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if t, ok := v.pop(); ok {
			t.run()
			continue
		}
		f, sleep, jumped := v.next()
		switch {
		case f != nil:
			if jumped {
				if jumps++; jumps >= MaxJumps {
					return v.stall(jumps)
				}
			}
			f()
		case sleep:
			select {
			case <-v.wake:
			case <-done:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		default:
			return v.stall(jumps)
		}
	}
}

func (v *Virtual) pop() (task, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.head == len(v.ready) {
		v.ready, v.head = v.ready[:0], 0
		return task{}, false
	}
	t := v.ready[v.head]
	v.ready[v.head] = task{}
	v.head++
	return t, true
}

func (t task) run() {
	if !t.loop.isClosed() {
		t.f()
	}
}

// next picks the timer to run when no work is pending. sleep means: nothing to
// run now, but another goroutine may bring something.
func (v *Virtual) next() (f func(), sleep, jumped bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.head < len(v.ready) {
		return nil, true, false // posted since pop: the wake signal is there
	}
	if v.outside > 0 {
		return nil, true, false
	}
	goal := v.goal()
	if goal == nil {
		return nil, v.manual, false
	}
	h := &v.needed
	if len(v.other) > 0 && (len(v.needed) == 0 || v.other[0].before(v.needed[0])) {
		h = &v.other
	}
	if (*h)[0].at.After(goal.at) {
		return nil, true, false
	}
	t := heap.Pop(h).(*virtualTimer)
	if t.at.After(v.now) {
		v.now, jumped = t.at, true
	}
	return t.f, false, jumped
}

// goal is the timer up to which the clock may go, nil if it must stand still.
func (v *Virtual) goal() *virtualTimer {
	if len(v.needed) > 0 && !v.manual {
		return v.needed[0]
	}
	// Only a move by hand counts, or what is due already.
	var first *virtualTimer
	for _, t := range v.needed {
		if (t.kind == ByHand || !t.at.After(v.now)) && (first == nil || t.before(first)) {
			first = t
		}
	}
	if first == nil && len(v.other) > 0 && !v.other[0].at.After(v.now) {
		first = v.other[0]
	}
	return first
}

func (v *Virtual) stall(jumps int) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	e := &StallError{At: v.now, Jumps: jumps}
	for _, h := range []timerHeap{v.needed, v.other} {
		for _, t := range h {
			if len(e.Timers) == 10 {
				e.Timers = append(e.Timers, "...")
				return e
			}
			e.Timers = append(e.Timers, fmt.Sprintf("%s in %v", t.label, t.at.Sub(v.now)))
		}
	}
	return e
}

// AfterFunc implements [Scheduler].
func (v *Virtual) AfterFunc(d time.Duration, k Kind, label string, f func()) Timer {
	v.mu.Lock()
	v.seq++
	t := &virtualTimer{v: v, at: v.now.Add(max(d, 0)), seq: v.seq, kind: k, label: label, f: f}
	heap.Push(v.heapOf(t), t)
	v.mu.Unlock()
	v.signal()
	return t
}

// Outside implements [Scheduler].
func (v *Virtual) Outside() func() {
	v.mu.Lock()
	v.outside++
	v.mu.Unlock()
	var once sync.Once
	return func() {
		once.Do(func() {
			v.mu.Lock()
			v.outside--
			v.mu.Unlock()
			v.signal()
		})
	}
}

func (v *Virtual) signal() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// NewLoop implements [Scheduler].
func (v *Virtual) NewLoop(string) Loop { return &virtualLoop{v: v} }

type virtualLoop struct {
	v      *Virtual
	closed bool
}

func (l *virtualLoop) Post(f func()) bool {
	v := l.v
	v.mu.Lock()
	if l.closed {
		v.mu.Unlock()
		return false
	}
	if v.head > 1024 && v.head*2 > len(v.ready) {
		n := copy(v.ready, v.ready[v.head:])
		clear(v.ready[n:])
		v.ready, v.head = v.ready[:n], 0
	}
	v.ready = append(v.ready, task{l, f})
	v.mu.Unlock()
	v.signal()
	return true
}

func (l *virtualLoop) Close() {
	l.v.mu.Lock()
	l.closed = true
	l.v.mu.Unlock()
}

func (l *virtualLoop) isClosed() bool {
	l.v.mu.Lock()
	defer l.v.mu.Unlock()
	return l.closed
}

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

func (t *virtualTimer) Stop() bool {
	t.v.mu.Lock()
	defer t.v.mu.Unlock()
	if t.index < 0 {
		return false
	}
	heap.Remove(t.v.heapOf(t), t.index)
	return true
}

func (v *Virtual) heapOf(t *virtualTimer) *timerHeap {
	if t.kind == Background {
		return &v.other
	}
	return &v.needed
}

// timerHeap orders timers by (time, sequence).
type timerHeap []*virtualTimer

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
