package jsbridge

import (
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
)

// TestHost is what durashim:test controls.
type TestHost struct {
	Faults   *durable.Faults
	Loop     sched.Loop // of the isolate
	Timeline *durable.Timeline
	// Undisposed collects the stubs that scripts do not dispose of; it may be nil.
	Undisposed *Undisposed
	// Linger keeps the context of a test alive when its promise is fulfilled, so
	// that what it did not wait for goes on and can fail.
	Linger bool
	// Clock is the virtual clock; nil when the world runs on the real one.
	Clock *sched.Virtual
}

var testExports = []string{"faults", "clock", "timeline", "evict", "undisposed"}

// newTestModule makes the exports of durashim:test:
//
//	faults.refuseRequest(where), .dropRequest, .dropConnection, .dropReply, .overload,
//	    .abortBefore, .abortDuring, .abortAfter, .crashBefore, .crashDuring, .crashAfter,
//	    .failWrite, .evictBefore, .duplicate
//	faults.delayRequest(ms, where), .delayReply, .storageUnavailable
//	    where: { namespace, object, method, caller, call, attempt, times, for, probability },
//	    all optional; call: the n-th one that matches; times: Infinity means until
//	    cleared; for: so many ms from the first hit on; without either the fault acts
//	    once. What each leads to is the table of [durable.FaultPoint].
//	faults.clear()
//	clock.now, await clock.advance(ms)
//	timeline.calls(), timeline.text()
//	undisposed()
//	await evict(stub)
//
// A plan that can never act is a TypeError when it is made.
func (iso *Isolate) newTestModule(h *TestHost) *goja.Object {
	rt := iso.rt
	faults := iso.newFaults(h)

	clock := rt.NewObject()
	iso.getter(clock, "now", func(goja.FunctionCall) goja.Value {
		return rt.ToValue(iso.cfg.Scheduler.Now().UnixMilli())
	})
	iso.method(clock, "advance", 1, func(c goja.FunctionCall) goja.Value {
		return iso.advance(h.Clock, c.Argument(0).ToFloat())
	})

	timeline := rt.NewObject()
	iso.method(timeline, "calls", 0, func(goja.FunctionCall) goja.Value {
		var list []any
		for _, r := range h.Timeline.Calls() {
			list = append(list, iso.callRecord(&r))
		}
		return rt.NewArray(list...)
	})
	iso.method(timeline, "text", 0, func(goja.FunctionCall) goja.Value { return rt.ToValue(h.Timeline.Text(nil)) })

	m := rt.NewObject()
	_ = m.Set("faults", faults)
	_ = m.Set("clock", clock)
	_ = m.Set("timeline", timeline)
	_ = m.Set("evict", iso.function("evict", 1, func(c goja.FunctionCall) goja.Value { return iso.evict(c.Argument(0)) }))
	_ = m.Set("undisposed", iso.function("undisposed", 0, func(goja.FunctionCall) goja.Value {
		var list []any
		if h.Undisposed != nil {
			for _, u := range h.Undisposed.List() {
				o := rt.NewObject()
				_ = o.Set("worker", u.Worker)
				_ = o.Set("export", u.Export)
				_ = o.Set("call", u.Call)
				_ = o.Set("position", u.Position)
				_ = o.Set("duplicate", u.Duplicate)
				list = append(list, o)
			}
		}
		return rt.NewArray(list...)
	}))
	return m
}

// evict removes the object of a stub from memory if it is idle; its promise says
// whether it did.
func (iso *Isolate) evict(v goja.Value) goja.Value {
	s, ok := hostOf[*jsStub](iso, v)
	if !ok || s.object == nil {
		iso.throwType("evict: the argument must be the stub of an object")
	}
	d := iso.newDeferred()
	err := s.object.Evict(func(evicted bool) {
		d.later(func() goja.Value { return iso.rt.ToValue(evicted) })
	})
	if err != nil {
		iso.throwType("evict: %s", err.Error())
	}
	return d.promise
}

// advance moves the virtual clock; its promise is fulfilled when everything that
// fell due on the way has run.
func (iso *Isolate) advance(clock *sched.Virtual, ms float64) goja.Value {
	d := iso.newDeferred()
	switch {
	case clock == nil:
		d.settle(func() goja.Value { iso.throwType("clock.advance: the clock is the real one"); return nil })
	case !(ms >= 0 && ms < 1e15):
		d.settle(func() goja.Value {
			iso.throwType("clock.advance: the time must be a number of milliseconds, not negative")
			return nil
		})
	default:
		clock.AdvanceFunc(time.Duration(ms*float64(time.Millisecond)), "clock.advance", func() { d.later(goja.Undefined) })
	}
	return d.promise
}

// callRecord shows a call to a test.
func (iso *Isolate) callRecord(r *durable.CallRecord) goja.Value {
	o := iso.rt.NewObject()
	_ = o.Set("call", r.Label())
	_ = o.Set("namespace", r.Target.Namespace)
	_ = o.Set("object", r.Target.Name)
	_ = o.Set("id", r.Target.ID.String())
	_ = o.Set("method", r.Method)
	_ = o.Set("caller", r.Caller)
	_ = o.Set("subrequest", r.Subrequest)
	_ = o.Set("attempts", r.Attempts())
	_ = o.Set("runs", r.Runs())
	_ = o.Set("faults", r.Faults())
	_ = o.Set("outcome", r.Outcome.String())
	if p := r.Repeats; p != nil {
		rep := iso.rt.NewObject()
		_ = rep.Set("first", p.First)
		_ = rep.Set("round", p.Round)
		_ = rep.Set("attemptsPerCall", p.Allowed)
		_ = rep.Set("site", p.Site)
		_ = o.Set("repeats", rep)
	} else {
		_ = o.Set("repeats", goja.Null())
	}
	if r.Err != nil {
		_ = o.Set("error", r.Err.Error())
	} else {
		_ = o.Set("error", goja.Null())
	}
	return o
}
