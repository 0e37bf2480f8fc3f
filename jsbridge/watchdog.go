package jsbridge

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/inflight"
	"github.com/durashim/durashim/internal/sched"
)

// watchdog ends a turn that takes too long. It is the only part of an isolate
// that another goroutine touches.
type watchdog struct {
	mu     sync.Mutex
	rt     *goja.Runtime
	limit  time.Duration
	timer  TurnTimer
	active bool
	stale  int // firings that belong to turns which have ended

	strikes, patience int    // interrupts of this turn, and how many it may ignore
	onStuck           func() // called once, on a goroutine of its own

	// ctx ends with the turn limit; WebAssembly runs under it. It serves all
	// turns until one hits the limit.
	ctx    context.Context
	cancel context.CancelCauseFunc
}

// rearm is how often a turn over its limit is interrupted again: the first
// interrupt may have hit a moment between two jobs.
const rearm = 20 * time.Millisecond

func (w *watchdog) init(rt *goja.Runtime, l Limits) {
	w.rt, w.limit = rt, l.Turn
	w.patience = max(int(l.Patience/rearm), 1)
	w.timer = l.CPU(w.fire)
}

func (w *watchdog) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active, w.strikes = true, 0
	w.timer.Reset(w.limit)
}

// fire interrupts the turn.
func (w *watchdog) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stale > 0 {
		w.stale--
		return
	}
	if !w.active {
		return
	}
	if w.cancel != nil {
		w.cancel(errTurn)
		w.ctx, w.cancel = nil, nil
	}
	w.rt.Interrupt(errTurn)
	if w.strikes++; w.strikes == w.patience && w.onStuck != nil {
		go w.onStuck()
	}
	w.timer.Reset(rearm)
}

// context returns the context that ends when the present turn hits its limit.
func (w *watchdog) context() context.Context {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx == nil {
		w.ctx, w.cancel = context.WithCancelCause(context.Background())
	}
	return w.ctx
}

// clear takes back an interrupt that hit nothing.
func (w *watchdog) clear() { w.rt.ClearInterrupt() }

func (w *watchdog) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.active = false
	if !w.timer.Stop() {
		// It has fired, and fire waits for the lock that we hold: it must not
		// hit the next turn.
		w.stale++
	}
	w.rt.ClearInterrupt()
}

var errTurn = errors.New("turn limit")

// errAbandoned is why an isolate that was given up runs nothing any more.
var errAbandoned = errors.New("the isolate was given up")

// OnStuck sets what is called, on a goroutine of its own, when a turn does not
// end although its limit is over: it is in a built-in function that no interrupt
// reaches. The isolate should then be given up with [Isolate.Abandon].
func (iso *Isolate) OnStuck(f func()) {
	iso.watch.mu.Lock()
	defer iso.watch.mu.Unlock()
	iso.watch.onStuck = f
}

// Abandon gives the isolate up: the calls of its exports that are in flight fail
// with err, and when the stuck turn ends after all, nothing of it counts. It may
// be called from any goroutine. The caller closes the loop.
func (iso *Isolate) Abandon(err *durable.Error) {
	iso.abandoned.Store(true)
	iso.live.Fail(err)
}

// NewAbandoned returns an isolate without a script that is given up already: it
// stands in for one that nobody must keep in memory. The loop must be closed.
func NewAbandoned(loop sched.Loop, err *durable.Error) *Isolate {
	iso := &Isolate{Loop: loop}
	iso.Abandon(err)
	return iso
}

// track notes a call that must be answered even when the isolate is given up.
// answered reports whether the answer is still wanted; tracked is false when the
// isolate has been given up, then the call has failed already.
func (iso *Isolate) track(fail func(*durable.Error)) (answered func() bool, tracked bool) {
	e := &inflight.Entry[*durable.Error]{Fail: fail}
	if !iso.live.Add(e) {
		fail(errClosed)
		return nil, false
	}
	return func() bool { return iso.live.Remove(e) }, true
}
