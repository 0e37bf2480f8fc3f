package jsbridge

import (
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
)

// blockLimit is how long a critical section may take (measured on workerd; it
// holds for transactions too).
const blockLimit = 30 * time.Second

func (i *instance) limitBlock() stopper {
	iso := i.class.iso
	t := iso.cfg.Scheduler.AfterFunc(blockLimit, sched.Needed, "limit of blockConcurrencyWhile", func() {
		iso.Loop.Post(func() {
			i.ctx.fail(&durable.Error{
				Name: "Error", Overloaded: true, Reset: true,
				Message: "A call to blockConcurrencyWhile() in a Durable Object waited for too long. The call was canceled and the Durable Object was reset.",
			})
		})
	})
	l := &ownedTimer{i.ctx, t}
	i.ctx.own(l)
	return l
}

// ownedTimer is a timer that ends with its context.
type ownedTimer struct {
	ctx *IOContext
	t   sched.Timer
}

func (o *ownedTimer) stop() {
	o.ctx.disown(o)
	o.t.Stop()
}

// critical runs body as a critical section: as an event of its own, never in the
// calling turn, with the input gate closed for everything but the events that
// the body waits for. When the promise that body returns is settled, finish says
// what the caller gets: what it returns, or throws. It reports false when the
// object was reset.
func (i *instance) critical(body func() goja.Value, finish func(v goja.Value, failed bool) (result func() goja.Value, ok bool)) goja.Value {
	iso := i.class.iso
	caller := iso.cur
	gate := caller.gate
	if caller.ctx != i.ctx || gate == nil {
		gate = i.act.In
	}
	d := iso.newDeferred()
	opened := gate.Section(func(section *durable.InputGate, end func()) {
		f := &frame{ctx: i.ctx, gate: section, serves: caller.serves, event: caller.event, local: caller.local, env: caller.env, exports: caller.exports}
		limit := i.limitBlock()
		// Two steps on, behind the end of the section around this one, which
		// takes one (measured on workerd: a section begun but not awaited inside
		// another starts when the caller of the outer one has gone on).
		start := func(fn func()) { iso.Loop.Post(func() { f.post(fn) }) }
		start(func() {
			settled := func(v goja.Value, failed bool) {
				limit.stop()
				result, ok := finish(v, failed)
				if !ok {
					return // whoever called is gone too
				}
				iso.Loop.Post(func() {
					// The caller goes on before the gate opens for others.
					iso.turn(d.frame, func() { d.settle(result) })
					end()
				})
			}
			var ret goja.Value
			if ex := iso.rt.Try(func() { ret = body() }); ex != nil {
				settled(ex.Value(), true)
				return
			}
			iso.then(ret, func(v goja.Value) { settled(v, false) }, func(v goja.Value) { settled(v, true) })
		})
	})
	if !opened {
		d.settle(func() goja.Value {
			iso.throw(&durable.Error{Name: "Error", Message: "blockConcurrencyWhile() calls are nested too deeply."})
			return nil
		})
	}
	return d.promise
}

// blockConcurrencyWhile runs fn as a critical section; when it fails the object
// is reset, and no catch around the call runs (measured on workerd).
func (i *instance) blockConcurrencyWhile(fn goja.Value) goja.Value {
	iso := i.class.iso
	call, ok := goja.AssertFunction(fn)
	if !ok {
		return iso.settled(func() goja.Value {
			iso.throwType("Failed to execute 'blockConcurrencyWhile' on 'DurableObjectState': parameter 1 is not of type 'function'.")
			return nil
		})
	}
	return i.critical(func() goja.Value {
		v, ex := iso.call(call, iso.rt.GlobalObject())
		if ex != nil {
			panic(ex)
		}
		return v
	}, func(v goja.Value, failed bool) (func() goja.Value, bool) {
		if failed {
			err := iso.errorOf(v, "")
			err.Reset = true
			i.ctx.fail(err)
			return nil, false
		}
		return func() goja.Value { return v }, true
	})
}
