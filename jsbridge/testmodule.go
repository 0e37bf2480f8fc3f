package jsbridge

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
)

// TestHost is what durashim:test controls.
type TestHost struct {
	Faults   *durable.Faults
	Timeline *durable.Timeline
	// Linger keeps the context of a test alive when its promise is fulfilled, so
	// that what it did not wait for goes on and can fail.
	Linger bool
	// Clock is the virtual clock; nil when the world runs on the real one.
	Clock *sched.Virtual
}

var testExports = []string{"faults", "clock", "timeline"}

// faultMakers are the points of durashim:test's faults; those of delayed take
// the delay in milliseconds before the rest.
var (
	faultMakers = map[string]func() durable.Fault{
		"refuseRequest": durable.RefuseRequest, "dropRequest": durable.DropRequest,
		"dropConnection": durable.DropConnection, "dropReply": durable.DropReply,
		"overload": durable.Overload, "evictBefore": durable.EvictBefore, "duplicate": durable.Duplicate,
		"abortBefore": durable.AbortBefore, "abortDuring": durable.AbortDuring, "abortAfter": durable.AbortAfter,
	}
	delayMakers = map[string]func(time.Duration) durable.Fault{
		"delayRequest": durable.DelayRequest, "delayReply": durable.DelayReply,
	}
)

// newTestModule makes the exports of durashim:test:
//
//	faults.refuseRequest(where), .dropRequest, .dropConnection, .dropReply, .overload,
//	    .abortBefore, .abortDuring, .abortAfter, .evictBefore, .duplicate
//	faults.delayRequest(ms, where), faults.delayReply(ms, where)
//	    where: { namespace, object, method, caller, call, attempt, times, for, probability },
//	    all optional; call: the n-th one that matches; times: Infinity means until
//	    cleared; for: so many ms from the first hit on; without either the fault acts
//	    once. What each leads to is the table of [durable.FaultPoint].
//	faults.clear()
//	clock.now, await clock.advance(ms)
//	timeline.calls(), timeline.text()
//
// A plan that can never act is a TypeError when it is made.
func (iso *Isolate) newTestModule(h *TestHost) *goja.Object {
	rt := iso.rt
	faults := rt.NewObject()
	add := func(fn string, f durable.Fault, where goja.Value) goja.Value {
		if err := h.Faults.Add(iso.fault(fn, f, where)); err != nil {
			iso.throwType("%s", err.Error())
		}
		return goja.Undefined()
	}
	for _, name := range slices.Sorted(maps.Keys(faultMakers)) {
		make := faultMakers[name]
		iso.method(faults, name, 0, func(c goja.FunctionCall) goja.Value {
			return add("faults."+name, make(), c.Argument(0))
		})
	}
	for _, name := range slices.Sorted(maps.Keys(delayMakers)) {
		make := delayMakers[name]
		iso.method(faults, name, 1, func(c goja.FunctionCall) goja.Value {
			fn := "faults." + name
			return add(fn, make(iso.faultMillis(fn, "the delay", c.Argument(0))), c.Argument(1))
		})
	}
	iso.method(faults, "clear", 0, func(goja.FunctionCall) goja.Value {
		h.Faults.Clear()
		return goja.Undefined()
	})

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
	return m
}

// faultKeys are the properties of where, in the order in which they are applied:
// for comes before times, which limits it.
var faultKeys = []string{"namespace", "object", "method", "caller", "call", "attempt", "probability", "for", "times"}

// fault reads where and how often a fault shall act.
func (iso *Isolate) fault(fn string, f durable.Fault, v goja.Value) durable.Fault {
	if goja.IsUndefined(v) {
		return f
	}
	o, ok := v.(*goja.Object)
	if !ok {
		iso.throwType("%s: the argument must be an object such as { method: \"addOne\" }", fn)
	}
	for _, key := range o.Keys() {
		if !slices.Contains(faultKeys, key) {
			iso.throwType("%s: unknown property %q; known are %s", fn, key, strings.Join(faultKeys, ", "))
		}
	}
	for _, key := range faultKeys {
		if value := o.Get(key); value != nil && !goja.IsUndefined(value) {
			f = iso.restrict(fn, f, key, value)
		}
	}
	return f
}

// restrict applies one property of where.
func (iso *Isolate) restrict(fn string, f durable.Fault, key string, value goja.Value) durable.Fault {
	text := func() string {
		if _, ok := value.Export().(string); !ok {
			iso.throwType("%s: %s must be a string", fn, key)
		}
		return value.String()
	}
	count := func() int {
		n, ok := faultNumber(value)
		if !(ok && n >= 1 && n == float64(int(n))) {
			iso.throwType("%s: %s must be a positive integer", fn, key)
		}
		return int(n)
	}
	switch key {
	case "namespace":
		return f.Namespace(text())
	case "object":
		return f.Object(text())
	case "method":
		return f.Method(text())
	case "caller":
		return f.Caller(text())
	case "call":
		return f.Call(count())
	case "attempt":
		return f.Attempt(count())
	case "for":
		return f.For(iso.faultMillis(fn, key, value))
	case "probability":
		p, ok := faultNumber(value)
		if !ok {
			iso.throwType("%s: probability must be a number", fn)
		}
		return f.Probability(p)
	}
	if n, ok := faultNumber(value); ok && math.IsInf(n, 1) {
		return f.Always()
	}
	return f.Times(count())
}

// faultMillis reads a duration in milliseconds.
func (iso *Isolate) faultMillis(fn, what string, v goja.Value) time.Duration {
	ms, ok := faultNumber(v)
	if !(ok && ms > 0 && ms < 1e12) {
		iso.throwType("%s: %s must be a positive number of milliseconds", fn, what)
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// faultNumber returns a value that is a number, without converting others.
func faultNumber(v goja.Value) (float64, bool) {
	switch n := v.Export().(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
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
