package jsbridge

import (
	"fmt"
	"math"
	"time"

	"github.com/durashim/durashim/internal/sched"
)

// timers are an isolate's setTimeout and setInterval. They fire in the order of
// (due time, order of setting), which the timers of the machine do not promise.
type timers struct {
	next int64
	byID map[int64]*jsTimer
	due  sched.Queue[*jsTimer]
}

type jsTimer struct {
	iso   *Isolate
	id    int64
	delay time.Duration
	due   time.Time
	every time.Duration // > 0: setInterval
	frame *frame
	run   func()
	host  sched.Timer
	place int // among those due; -1 outside
}

// maxDelay is the longest delay that fits the platform's 32-bit milliseconds;
// a longer one counts as 1 (https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html).
const maxDelay = math.MaxInt32

// maxTimers is how many timers a context may have at a time (measured on
// workerd).
const maxTimers = 10_000

// set starts a timer of the code that runs now.
func (iso *Isolate) setTimer(ms float64, repeat bool, run func()) int64 {
	iso.inContext()
	ts := &iso.timers
	if ts.byID == nil {
		ts.byID = make(map[int64]*jsTimer)
	}
	if !(ms >= 0 && ms <= maxDelay) {
		ms = 0
	}
	d := time.Duration(math.Trunc(ms)) * time.Millisecond
	if iso.cur.ctx.timers++; iso.cur.ctx.timers > maxTimers {
		iso.cur.ctx.timers--
		panic(iso.api.NewDOMException(fmt.Sprintf("You have exceeded the number of active timeouts you may set. max active timeouts: %d, "+
			"current active timeouts: %d, finished timeouts: 0", maxTimers, maxTimers), "QuotaExceededError"))
	}
	ts.next++
	t := &jsTimer{id: ts.next, delay: d, due: iso.now.Add(d), frame: iso.cur.apart(), run: run}
	if repeat {
		t.every = max(d, time.Millisecond)
	}
	ts.byID[t.id] = t
	t.iso = iso
	t.frame.ctx.own(t)
	iso.arm(t)
	return t.id
}

// apart returns the frame of code that does not serve the call which started it:
// what goes wrong there is not that call's failure.
func (f *frame) apart() *frame {
	if f.event == nil {
		return f
	}
	g := *f
	g.event = nil
	return &g
}

func (iso *Isolate) arm(t *jsTimer) {
	iso.timers.due.Push(t)
	kind, label := sched.Needed, "setTimeout"
	if t.every > 0 {
		kind, label = sched.Repeated, "setInterval"
	}
	t.host = iso.cfg.Scheduler.AfterFunc(t.due.Sub(iso.cfg.Scheduler.Now()), kind, label, func() {
		iso.Loop.Post(func() { iso.fireThrough(t) })
	})
}

func (iso *Isolate) clearTimer(id int64) {
	if t := iso.timers.byID[id]; t != nil {
		t.frame.ctx.disown(t)
		t.stop()
	}
}

// stop implements stopper.
func (t *jsTimer) stop() {
	t.forget()
	t.host.Stop()
	t.iso.timers.due.Remove(t)
}

// refresh starts the timer's delay anew, also after it has fired.
func (t *jsTimer) refresh() {
	t.stop()
	t.due = t.iso.now.Add(t.delay)
	t.iso.timers.byID[t.id] = t
	t.frame.ctx.timers++
	t.frame.ctx.own(t)
	t.iso.arm(t)
}

// forget takes the timer from those that are set.
func (t *jsTimer) forget() {
	if t.iso.timers.byID[t.id] == t {
		delete(t.iso.timers.byID, t.id)
		t.frame.ctx.timers--
	}
}

// fireThrough runs t and the timers that come before it.
func (iso *Isolate) fireThrough(t *jsTimer) {
	for t.place >= 0 {
		u := iso.timers.due.First()
		iso.timers.due.Remove(u)
		u.host.Stop()
		iso.fire(u)
		if u == t {
			return
		}
	}
}

func (iso *Isolate) fire(t *jsTimer) {
	t.frame.enter(func() {
		// It may have been cleared while it waited at the gate.
		if iso.timers.byID[t.id] != t {
			return
		}
		if t.every == 0 {
			t.forget()
			t.frame.ctx.disown(t)
		} else {
			t.due = iso.now.Add(t.every)
			iso.arm(t)
		}
		t.run()
	})
}

// Before implements [sched.Queued].
func (t *jsTimer) Before(u *jsTimer) bool {
	if !t.due.Equal(u.due) {
		return t.due.Before(u.due)
	}
	return t.id < u.id
}

// Place implements [sched.Queued].
func (t *jsTimer) Place() *int { return &t.place }
