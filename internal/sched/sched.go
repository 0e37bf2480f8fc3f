// Package sched holds the one clock of durashim and decides in which order its
// work runs.
//
// Work runs on loops: serial executors, one for each isolate. With the real
// clock ([NewReal]) every loop has a goroutine of its own. With the virtual
// clock ([NewVirtual]) there are no goroutines at all: whoever waits for a
// result runs the work of all loops, one piece at a time, in the order of
// (time, sequence), and time jumps when nothing is left to do at the present
// instant. The same inputs then give the same order, whatever the machine.
package sched

import (
	"context"
	"time"
)

// Kind says what a timer may do to the virtual clock.
type Kind uint8

const (
	// Needed timers are what a blocked caller may be waiting for (backoff, the
	// end of a retry window, setTimeout): the virtual clock jumps to them.
	Needed Kind = iota
	// Background timers (idle eviction, alarms) run when they fall due on the way
	// to another time; they never make the clock move.
	Background
	// Repeated timers are armed anew for ever (setInterval). A blocked caller may
	// be waiting for what one does, so the virtual clock goes to them when no
	// needed timer is left, but only [MaxRepeats] times in one wait.
	Repeated
	// ByHand timers are the ends of moves that somebody asked for. The virtual
	// clock goes to them even when it may not move by itself.
	ByHand

	kinds = iota // how many there are
)

// Scheduler is a clock together with the loops that it drives. All methods are
// safe for use by many goroutines.
type Scheduler interface {
	// Now is the present time of the clock.
	Now() time.Time
	// NewLoop returns a serial executor. With the real clock its goroutine bears
	// the name as the profiler label "loop".
	NewLoop(name string) Loop
	// AfterFunc calls f once, d from now; d <= 0 means as soon as possible. f
	// must be short and must not block: it posts to a loop or completes a wait.
	// The label names the timer in errors.
	AfterFunc(d time.Duration, k Kind, label string, f func()) Timer
	// Wait blocks until done is closed; that wins over a context that ended as
	// well. With the virtual clock the caller's goroutine runs the pending work
	// meanwhile, so that work itself must never call Wait. The error is the
	// context's cause, or, with the virtual clock, a *StallError when nothing
	// that is left could ever end the wait.
	Wait(ctx context.Context, done <-chan struct{}) error
	// Outside announces input or output with the world outside (a socket, a
	// file) whose result will be posted later. The virtual clock stands still
	// until end is called; what is due already still runs. end must be called
	// after that post; only its first call counts.
	Outside() (end func())
	// Go runs f on a goroutine of its own, soon. It is for code that the work of
	// loops calls and that may call back and Wait, with the context that f gets
	// or one made from it. See [Virtual.Go] for what it means there.
	Go(ctx context.Context, f func(context.Context))
}

// Loop is a serial executor. Its methods are safe for use by many goroutines and
// from work that runs on it.
type Loop interface {
	// Post runs f after everything that was posted before it. It never blocks.
	// It reports false when the loop is closed and f will never run.
	Post(f func()) bool
	// Close drops what has not run yet. It does not wait for a piece of work
	// that is running; see Done.
	Close()
	// Done returns a channel that is closed when the loop is closed and no piece
	// of its work is running any more.
	Done() <-chan struct{}
}

// Timer is a pending AfterFunc.
type Timer interface {
	// Stop prevents f from running; it reports whether it did.
	Stop() bool
}

// isClosed reports whether a channel that only ever gets closed is.
func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// ended is what a wait returns whose context has ended: a result that is there
// wins.
func ended(ctx context.Context, done <-chan struct{}) error {
	if isClosed(done) {
		return nil
	}
	return context.Cause(ctx)
}
