package sched

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Epoch is where a virtual clock starts unless told otherwise: the same
// instant in every run, so that times which a program stores or prints are the
// same too.
var Epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// Virtual is the scheduler whose time is a number. See the package comment.
//
// Any number of goroutines may wait at once. One of them, the driver, runs the
// work of all; when its own wait ends, another that waits takes over.
type Virtual struct {
	driver chan struct{} // the seat: holds a token while a goroutine drives
	wake   chan struct{} // something has changed while the driver slept
	bound  int           // MaxJumps
	most   int           // MaxWork

	mu      sync.Mutex
	now     time.Time
	ready   []task // work at the present instant; ready[:head] has run
	head    int
	timers  [kinds]Queue[*virtualTimer]
	seq     uint64   // of the last timer
	settled []func() // called, one by one, when nothing more can run at the present instant
	outside int
	manual  bool
	members []*member
	guests  []*guest
	strays  []*stray
	moments uint64       // counts when guests ran on
	guest   *virtualLoop // the loop of guests' beginnings
	current *virtualLoop // whose work is running
}

type task struct {
	loop *virtualLoop
	f    func()
}

var _ Scheduler = (*Virtual)(nil)

// NewVirtual returns a scheduler whose clock starts at the given time and moves
// by itself only while somebody waits; see [Virtual.Manual].
func NewVirtual(start time.Time) *Virtual {
	v := &Virtual{
		driver: make(chan struct{}, 1),
		wake:   make(chan struct{}, 1),
		bound:  MaxJumps,
		most:   MaxWork,
		now:    start,
	}
	v.guest = &virtualLoop{v: v, name: "Go functions", done: make(chan struct{})}
	return v
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
// in order, each at its own time. It returns when all of that is done. The error
// is the context's cause, or a *StallError when timers re-arm themselves, or work
// posts work, for ever without any time passing. Like [Scheduler].Wait it must not be called by
// work that runs; see [Virtual.AdvanceFunc].
func (v *Virtual) Advance(ctx context.Context, d time.Duration) error {
	done := make(chan struct{})
	v.AdvanceFunc(d, "advance", func() { close(done) })
	return v.Wait(ctx, done)
}

// AdvanceFunc asks for a move of the clock by d, even if it is manual, and calls
// f when everything that fell due on the way has run, that at the end of the way
// included. The clock moves while somebody waits. f is bound by the rules of
// AfterFunc.
func (v *Virtual) AdvanceFunc(d time.Duration, label string, f func()) {
	v.AfterFunc(d, ByHand, label, func() { v.whenSettled(f) })
}

// Settle runs what can run at the present instant, without moving the clock. The
// errors are those of Advance.
func (v *Virtual) Settle(ctx context.Context) error {
	done := make(chan struct{})
	v.whenSettled(func() { close(done) })
	return v.Wait(ctx, done)
}

func (v *Virtual) whenSettled(f func()) {
	v.mu.Lock()
	v.settled = append(v.settled, f)
	v.mu.Unlock()
	v.signal()
}

// Wait implements [Scheduler].
func (v *Virtual) Wait(ctx context.Context, done <-chan struct{}) error {
	if isClosed(done) {
		return nil
	}
	if g, _ := ctx.Value(guestKey{v}).(*guest); g != nil {
		return v.waitGuest(ctx, done, g)
	}
	if m := v.member(ctx); m != nil {
		return v.waitMember(ctx, done, m)
	}
	defer v.stray(done)()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ended(ctx, done)
	case v.driver <- struct{}{}:
		// Deferred, so that a piece of work that panics leaves the seat free.
		defer func() { <-v.driver }()
		return v.drive(ctx, done, nil, nil)
	}
}

// progress counts what a wait has seen without ending.
type progress struct {
	jumps   int    // moves of the clock by itself
	repeats int    // those of them for repeated timers alone
	atOnce  int    // timers that ran since the clock moved last
	work    int    // pieces of work that ran since then, or since something came from outside
	loop    string // that ran the last piece
	host    *guest // that has its way first; nil for none
}

// drive runs work until done is closed or, for a member or a guest, until it is its
// turn. The caller holds the driver's seat.
func (v *Virtual) drive(ctx context.Context, done <-chan struct{}, m *member, w *guestWait) error {
	var n progress
	var turn chan struct{}
	cancelled := ctx.Done()
	// Whether the wait of those is over is found out in order, among the others.
	switch {
	case m != nil:
		turn, done, cancelled = m.wake, nil, nil
	case w != nil:
		turn, done, cancelled = w.granted, nil, nil
	}
	var host *guest // what patience is for
	var patience <-chan time.Time
	var grace <-chan time.Time // set while nothing but another goroutine can help
	last := false              // the grace is over; look once more
	for {
		select {
		case <-turn:
			return nil
		case <-done:
			return nil
		default:
		}
		if turn == nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		f, next := v.next(&n)
		if n.host != host {
			if host, patience = n.host, nil; host != nil {
				patience = time.After(GuestGrace)
			}
		}
		switch next {
		case run:
			grace, last = nil, false
			f()
			v.ran()
			continue
		case sleep:
			grace, last = nil, false
			n.work = 0
		case stalled:
			if last {
				return v.stall(n)
			}
			if grace == nil {
				grace = time.After(StallGrace)
			}
		case giveUp:
			if m == nil {
				return v.stall(n)
			}
			if v.give(v.stall(n)) {
				n = progress{}
				continue
			}
		}
		select {
		case <-v.wake:
		case <-turn:
			return nil
		case <-done:
			return nil
		case <-cancelled:
			return ended(ctx, done)
		case <-patience:
			v.mu.Lock()
			host.loose = true
			v.mu.Unlock()
		case <-grace:
			// Something may have come in the meantime, too: on a busy machine
			// this goroutine hears of both late.
			last = true
		}
	}
}

// ran notes that a piece of work has ended.
func (v *Virtual) ran() {
	v.mu.Lock()
	if l := v.current; l != nil && l.closed {
		close(l.done)
	}
	v.current = nil
	v.mu.Unlock()
}

// step is what a driver is to do next.
type step uint8

const (
	run     step = iota // call the function
	sleep               // another goroutine will bring something
	stalled             // nothing is left, but another goroutine might bring something
	giveUp              // nothing is left, or it goes on for ever
)

// next picks the next piece of work, and moves the clock if it has to.
func (v *Virtual) next(n *progress) (func(), step) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if n.host = nil; v.busy() {
		return nil, sleep
	}
	if n.host = v.hosting(); n.host != nil {
		return nil, sleep
	}
	if v.head < len(v.ready) {
		if n.work >= v.most {
			return nil, giveUp
		}
		n.work++
		n.loop = v.ready[v.head].loop.name
		f := v.ready[v.head].f
		v.current = v.ready[v.head].loop
		v.ready[v.head] = task{}
		v.head++
		return f, run
	}
	v.ready, v.head = v.ready[:0], 0
	first := v.first()
	if first != nil && !first.at.After(v.now) {
		if n.atOnce >= v.bound {
			return nil, giveUp
		}
		n.atOnce++
		return first.take(), run
	}
	if len(v.settled) > 0 {
		f := v.settled[0]
		v.settled = slices.Delete(v.settled, 0, 1)
		return f, run
	}
	byHand := v.timers[ByHand].First() != nil
	needed := v.timers[Needed].First() != nil
	repeated := v.timers[Repeated].First() != nil && n.repeats < MaxRepeats
	switch {
	case v.outside > 0 || slices.ContainsFunc(v.guests, v.running):
		return nil, sleep
	case !byHand && v.manual:
		return nil, sleep
	case !byHand && !needed && !repeated && len(v.members) > 0:
		return nil, giveUp
	case !byHand && !needed && !repeated:
		return nil, stalled
	case !byHand && n.jumps >= v.bound:
		return nil, giveUp
	case !byHand:
		n.jumps++
		if !needed {
			n.repeats++
		}
	}
	// The clock may go on: to the first timer of all, not beyond what it goes for.
	v.now = first.at
	n.atOnce, n.work = 1, 0
	return first.take(), run
}

// AfterFunc implements [Scheduler].
func (v *Virtual) AfterFunc(d time.Duration, k Kind, label string, f func()) Timer {
	v.mu.Lock()
	v.seq++
	t := &virtualTimer{v: v, at: v.now.Add(max(d, 0)), seq: v.seq, kind: k, label: label, f: f}
	v.timers[k].Push(t)
	v.mu.Unlock()
	v.signal()
	return t
}

// Outside implements [Scheduler].
func (v *Virtual) Outside() func() {
	v.mu.Lock()
	v.outside++
	v.mu.Unlock()
	return sync.OnceFunc(func() {
		v.mu.Lock()
		v.outside--
		v.mu.Unlock()
		v.signal()
	})
}

// signal wakes the driver if it sleeps. A token that nobody needed costs the
// next sleeper one more look.
func (v *Virtual) signal() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// NewLoop implements [Scheduler].
func (v *Virtual) NewLoop(name string) Loop {
	return &virtualLoop{v: v, name: name, done: make(chan struct{})}
}

type virtualLoop struct {
	v      *Virtual
	name   string
	closed bool
	done   chan struct{}
}

func (l *virtualLoop) Done() <-chan struct{} { return l.done }

func (l *virtualLoop) Post(f func()) bool {
	v := l.v
	v.mu.Lock()
	if l.closed {
		v.mu.Unlock()
		return false
	}
	if v.head > 1024 && v.head*2 > len(v.ready) {
		v.compact(func(task) bool { return false })
	}
	v.ready = append(v.ready, task{l, f})
	v.mu.Unlock()
	v.signal()
	return true
}

func (l *virtualLoop) Close() {
	v := l.v
	v.mu.Lock()
	defer v.mu.Unlock()
	if l.closed {
		return
	}
	if l.closed = true; v.current != l {
		close(l.done)
	}
	// Perhaps nobody will ever drive again: the work must not stay alive.
	v.compact(func(t task) bool { return t.loop == l })
}

// compact moves the pending work to the front of its slice and leaves out what
// drop names.
func (v *Virtual) compact(drop func(task) bool) {
	n := copy(v.ready, slices.DeleteFunc(v.ready[v.head:], drop))
	clear(v.ready[n:]) // or the closures would stay alive
	v.ready, v.head = v.ready[:n], 0
}
