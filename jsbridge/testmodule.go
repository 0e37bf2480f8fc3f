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
	Timeline *durable.Timeline
	// Clock is the virtual clock; nil when the world runs on the real one.
	Clock *sched.Virtual
}

var testExports = []string{"faults", "clock", "timeline"}

// newTestModule makes the exports of durashim:test:
//
//	faults.refuseRequest(where), faults.dropRequest(where), faults.dropReply(where)
//	    where: { namespace, object, method, caller, attempt, times }, all optional;
//	    times: Infinity means until cleared; without it the fault acts once
//	faults.clear()
//	clock.now, await clock.advance(ms)
//	timeline.calls(), timeline.text()
func (iso *Isolate) newTestModule(h *TestHost) *goja.Object {
	rt := iso.rt
	faults := rt.NewObject()
	for name, make := range map[string]func() durable.Fault{
		"refuseRequest": durable.RefuseRequest, "dropRequest": durable.DropRequest, "dropReply": durable.DropReply,
	} {
		iso.method(faults, name, 0, func(c goja.FunctionCall) goja.Value {
			if err := h.Faults.Add(iso.fault("faults."+name, make(), c.Argument(0))); err != nil {
				iso.throwType("%s", err.Error())
			}
			return goja.Undefined()
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

// fault reads where a fault shall act.
func (iso *Isolate) fault(fn string, f durable.Fault, v goja.Value) durable.Fault {
	if goja.IsUndefined(v) {
		return f
	}
	o, ok := v.(*goja.Object)
	if !ok {
		iso.throwType("%s: the argument must be an object such as { method: \"addOne\" }", fn)
	}
	for _, key := range o.Keys() {
		value := o.Get(key)
		text := func() string {
			if _, ok := value.Export().(string); !ok {
				iso.throwType("%s: %s must be a string", fn, key)
			}
			return value.String()
		}
		count := func() int {
			n := value.ToFloat()
			if !(n >= 1 && n == float64(int(n))) {
				iso.throwType("%s: %s must be a positive integer", fn, key)
			}
			return int(n)
		}
		switch key {
		case "namespace":
			f = f.Namespace(text())
		case "object":
			f = f.Object(text())
		case "method":
			f = f.Method(text())
		case "caller":
			f = f.Caller(text())
		case "attempt":
			f = f.Attempt(count())
		case "times":
			if value.ToFloat() > 1e9 {
				f = f.Always()
			} else {
				f = f.Times(count())
			}
		default:
			iso.throwType("%s: unknown property %q; known are namespace, object, method, caller, attempt, times", fn, key)
		}
	}
	return f
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
	if r.Err != nil {
		_ = o.Set("error", r.Err.Error())
	} else {
		_ = o.Set("error", goja.Null())
	}
	return o
}
