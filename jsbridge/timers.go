package jsbridge

import (
	"container/heap"
	"math"
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/internal/sched"
)

// timers are an isolate's setTimeout and setInterval. They fire in the order of
// (due time, order of setting), which the timers of the machine do not promise.
type timers struct {
	next int64
	byID map[int64]*jsTimer
	heap timerHeap
}

type jsTimer struct {
	iso   *Isolate
	id    int64
	due   time.Time
	every time.Duration // > 0: setInterval
	frame *frame
	run   func()
	host  sched.Timer
	index int
}

// maxDelay is the longest delay that fits the platform's 32-bit milliseconds;
// a longer one counts as 1 (https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html).
const maxDelay = math.MaxInt32

// set starts a timer of the code that runs now.
func (iso *Isolate) setTimer(ms float64, repeat bool, run func()) int64 {
	ts := &iso.timers
	if ts.byID == nil {
		ts.byID = make(map[int64]*jsTimer)
	}
	if !(ms >= 0 && ms <= maxDelay) {
		ms = 0
	}
	d := time.Duration(math.Trunc(ms)) * time.Millisecond
	ts.next++
	t := &jsTimer{id: ts.next, due: iso.now.Add(d), frame: iso.cur, run: run}
	if repeat {
		t.every = max(d, time.Millisecond)
	}
	ts.byID[t.id] = t
	t.iso = iso
	t.frame.ctx.own(t)
	iso.arm(t)
	return t.id
}

func (iso *Isolate) arm(t *jsTimer) {
	heap.Push(&iso.timers.heap, t)
	kind, label := sched.Needed, "setTimeout"
	if t.every > 0 {
		kind, label = sched.Background, "setInterval"
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
	delete(t.iso.timers.byID, t.id)
	t.host.Stop()
	if t.index >= 0 {
		heap.Remove(&t.iso.timers.heap, t.index)
	}
}

// fireThrough runs t and the timers that come before it.
func (iso *Isolate) fireThrough(t *jsTimer) {
	for t.index >= 0 {
		u := heap.Pop(&iso.timers.heap).(*jsTimer)
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
			delete(iso.timers.byID, t.id)
			t.frame.ctx.disown(t)
		} else {
			t.due = iso.now.Add(t.every)
			iso.arm(t)
		}
		t.run()
	})
}

func (iso *Isolate) installTimers() {
	g := iso.rt.GlobalObject()
	start := func(repeat bool) func(goja.FunctionCall) goja.Value {
		return func(c goja.FunctionCall) goja.Value {
			fn, ok := goja.AssertFunction(c.Argument(0))
			if !ok {
				name := "setTimeout"
				if repeat {
					name = "setInterval"
				}
				panic(iso.rt.NewTypeError("Failed to execute '%s' on 'ServiceWorkerGlobalScope': parameter 1 is not of type 'function'.", name))
			}
			var args []goja.Value
			if len(c.Arguments) > 2 {
				args = append(args, c.Arguments[2:]...)
			}
			ms := 0.0
			if d := c.Argument(1); !goja.IsUndefined(d) {
				ms = d.ToFloat()
			}
			return iso.rt.ToValue(iso.setTimer(ms, repeat, func() {
				if _, ex := iso.call(fn, goja.Undefined(), args...); ex != nil {
					iso.uncaught("Uncaught " + iso.describe(ex.Value()))
				}
			}))
		}
	}
	clear := func(c goja.FunctionCall) goja.Value {
		if v := c.Argument(0); !goja.IsUndefined(v) && !goja.IsNull(v) {
			iso.clearTimer(v.ToInteger())
		}
		return goja.Undefined()
	}
	iso.method(g, "setTimeout", 1, start(false))
	iso.method(g, "setInterval", 1, start(true))
	iso.method(g, "clearTimeout", 0, clear)
	iso.method(g, "clearInterval", 0, clear)
	iso.method(g, "queueMicrotask", 1, func(c goja.FunctionCall) goja.Value {
		fn, ok := goja.AssertFunction(c.Argument(0))
		if !ok {
			panic(iso.rt.NewTypeError("Failed to execute 'queueMicrotask' on 'ServiceWorkerGlobalScope': parameter 1 is not of type 'function'."))
		}
		iso.microtask(func() {
			if _, ex := iso.call(fn, goja.Undefined()); ex != nil {
				iso.uncaught("Uncaught " + iso.describe(ex.Value()))
			}
		})
		return goja.Undefined()
	})
}

// microtask runs f as a promise job.
func (iso *Isolate) microtask(f func()) {
	p, resolve, _ := iso.rt.NewPromise()
	_ = resolve(nil)
	iso.then(iso.rt.ToValue(p), func(goja.Value) { f() }, nil)
}

type timerHeap []*jsTimer

func (h timerHeap) Len() int { return len(h) }
func (h timerHeap) Less(i, j int) bool {
	if !h[i].due.Equal(h[j].due) {
		return h[i].due.Before(h[j].due)
	}
	return h[i].id < h[j].id
}
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *timerHeap) Push(x any) {
	t := x.(*jsTimer)
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
