package sched

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// MaxJumps bounds how often the virtual clock may move by itself during one
// wait, and how many timers may run in a row without the clock moving. A program
// that re-arms a timer for ever would otherwise keep the wait from ending. Moves
// on the way to the end of an [Virtual.Advance] do not count: that end comes.
const MaxJumps = 1_000_000

// MaxWork bounds how many pieces of work may run in a row without the clock moving
// or anything coming from outside. Work that posts work for ever (an object that
// calls itself without end, say) would otherwise keep the wait from ending.
const MaxWork = 5_000_000

// MaxRepeats bounds how often the virtual clock may go on for the sake of repeated
// timers alone during one wait. It is smaller than MaxJumps, since a heartbeat that
// is left on is no sign that the wait will ever end.
const MaxRepeats = 100_000

// StallGrace is how long, on the machine's clock, a wait that nothing can end
// any more gives other goroutines to bring something, before it ends with a
// [StallError]. Two goroutines that call each other's objects need it: one may
// have to wait before the other has made its call. When goroutines have joined
// ([Virtual.Join]) it is known whether one can still bring something, and there
// is no grace.
//
// In a testing/synctest bubble the grace is exact: the bubble's clock passes it
// when all goroutines of the bubble are blocked. (The Virtual must have been
// made in the bubble.)
const StallGrace = 50 * time.Millisecond

// maxStallTimers bounds the timers that a StallError lists.
const maxStallTimers = 10

// StallError is what a wait under the virtual clock ends with when it can never
// be fulfilled: no work is pending and no timer that may move the clock is set,
// or the clock has jumped [MaxJumps] times, [MaxRepeats] times for timers that
// repeat, or as many timers, or [MaxWork] pieces
// of work, have run without any time passing.
type StallError struct {
	At      time.Time // the virtual time of the stall
	Jumps   int       // how often the clock moved by itself during this wait
	Repeats int       // how often of these for the sake of repeated timers alone
	AtOnce  int       // how many timers ran last without the clock moving
	Work    int       // how many pieces of work ran last without the clock moving
	Loop    string    // the loop that ran the last of them
	Timers  []string  // the first timers that are set, with the time until each

	bound, most int // what Jumps and AtOnce, and Work, were held against
}

// Error says why the wait cannot end, and names the timers that are set.
func (e *StallError) Error() string {
	var b strings.Builder
	switch {
	case e.Jumps >= e.bound:
		fmt.Fprintf(&b, "the virtual clock jumped %d times without ending the wait", e.Jumps)
	case e.AtOnce >= e.bound:
		fmt.Fprintf(&b, "%d timers ran at one instant of the virtual clock without ending the wait", e.AtOnce)
	case e.Work >= e.most:
		fmt.Fprintf(&b, "%d pieces of work ran at one instant of the virtual clock without ending the wait, the last on the loop %q: work there keeps posting work", e.Work, e.Loop)
	case e.Repeats >= MaxRepeats:
		fmt.Fprintf(&b, "the virtual clock went on %d times for timers that repeat without ending the wait", e.Repeats)
	default:
		b.WriteString("the wait can never end: no work is pending and no timer is set that would move the virtual clock")
	}
	if len(e.Timers) > 0 {
		b.WriteString(" (timers: " + strings.Join(e.Timers, ", ") + ")")
	}
	return b.String()
}

// stall makes the error of a wait that ends unfulfilled.
func (v *Virtual) stall(n progress) *StallError {
	v.mu.Lock()
	defer v.mu.Unlock()
	e := &StallError{At: v.now, Jumps: n.jumps, Repeats: n.repeats, AtOnce: n.atOnce, Work: n.work, Loop: n.loop, bound: v.bound, most: v.most}
	var all []*virtualTimer
	for k := range v.timers {
		all = append(all, v.timers[k].All()...)
	}
	slices.SortFunc(all, func(t, u *virtualTimer) int {
		if t.Before(u) {
			return -1
		}
		return 1
	})
	for i, t := range all {
		if i == maxStallTimers {
			e.Timers = append(e.Timers, fmt.Sprintf("and %d more", len(all)-i))
			break
		}
		e.Timers = append(e.Timers, fmt.Sprintf("%s in %v", t.label, t.at.Sub(v.now)))
	}
	return e
}
