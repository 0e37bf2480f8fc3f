package jsbridge

import (
	"errors"
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
)

// newState makes the DurableObjectState that a constructor receives.
func (iso *Isolate) newState(i *instance) *goja.Object {
	proto := iso.prototype("DurableObjectState", nil, func(p *goja.Object) {
		iso.method(p, "waitUntil", 1, func(c goja.FunctionCall) goja.Value {
			i := receiver[*instance](iso, c)
			iso.waitUntil(c.Argument(0), i.act.Hold())
			return goja.Undefined()
		})
		iso.method(p, "blockConcurrencyWhile", 1, func(c goja.FunctionCall) goja.Value {
			return receiver[*instance](iso, c).blockConcurrencyWhile(c.Argument(0))
		})
		iso.method(p, "abort", 0, func(c goja.FunctionCall) goja.Value {
			return receiver[*instance](iso, c).abort(c)
		})
		for _, name := range []string{"acceptWebSocket", "getWebSockets", "setWebSocketAutoResponse", "getWebSocketAutoResponse",
			"getWebSocketAutoResponseTimestamp", "setHibernatableWebSocketEventTimeout", "getHibernatableWebSocketEventTimeout", "getTags"} {
			iso.method(p, name, 0, func(goja.FunctionCall) goja.Value {
				iso.throw(errNotImplemented("DurableObjectState." + name + "()"))
				return nil
			})
		}
		for _, name := range []string{"exports", "props", "facets"} {
			iso.getter(p, name, func(goja.FunctionCall) goja.Value {
				iso.throw(errNotImplemented("DurableObjectState." + name))
				return nil
			})
		}
	})
	o := iso.object(proto, i)
	_ = o.DefineDataProperty("id", iso.newID(&objectID{id: i.act.ID(), name: i.act.Name()}), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	_ = o.DefineDataProperty("storage", iso.newStorage(i), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_TRUE)
	return o
}

// waitUntil calls release when the promise is settled; a rejection is reported.
func (iso *Isolate) waitUntil(p goja.Value, release func()) {
	ctx := iso.cur.ctx
	iso.then(p, func(goja.Value) { release() }, func(v goja.Value) {
		text := iso.describe(v)
		ctx.waitFailed = errors.New(text)
		iso.uncaught("Uncaught (in waitUntil) " + text)
		release()
	})
}

// errAborted is what ctx.abort() without a reason gives.
const errAborted = "Application called abort() to reset Durable Object."

// abort resets the object. JavaScript of the object ends at once: neither catch
// nor finally runs (measured on workerd).
func (i *instance) abort(c goja.FunctionCall) goja.Value {
	iso := i.class.iso
	message := errAborted
	if r := c.Argument(0); !goja.IsUndefined(r) {
		message = r.String()
	}
	i.ctx.fail(&durable.Error{Name: "Error", Message: message, Reset: true})
	if iso.cur != nil && iso.cur.ctx == i.ctx {
		iso.rt.Interrupt(abortMark{})
	}
	return goja.Undefined()
}

// blockLimit is how long a critical section may take (measured on workerd).
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

// blockConcurrencyWhile runs fn as a critical section: as an event of its own,
// with the input gate closed for everything but the events that fn waits for.
func (i *instance) blockConcurrencyWhile(fn goja.Value) goja.Value {
	iso := i.class.iso
	call, ok := goja.AssertFunction(fn)
	if !ok {
		iso.throwType("Failed to execute 'blockConcurrencyWhile' on 'DurableObjectState': parameter 1 is not of type 'function'.")
	}
	caller := iso.cur
	gate := caller.gate
	if caller.ctx != i.ctx {
		gate = i.act.In
	}
	d := iso.newDeferred()
	opened := gate.Section(func(section *durable.InputGate, end func()) {
		f := &frame{ctx: i.ctx, gate: section, event: caller.event, local: caller.local}
		limit := i.limitBlock()
		f.post(func() {
			reject := func(v goja.Value) {
				limit.stop()
				err := iso.errorOf(v, "")
				err.Reset = true
				i.ctx.fail(err)
				// Whoever called is gone too: the catch around the call never
				// runs (measured on workerd).
			}
			ret, ex := iso.call(call, goja.Undefined())
			if ex != nil {
				reject(ex.Value())
				return
			}
			iso.then(ret, func(v goja.Value) {
				limit.stop()
				iso.Loop.Post(func() {
					// The caller goes on before the gate opens for others.
					iso.turn(d.frame, func() { d.settle(func() goja.Value { return v }) })
					end()
				})
			}, reject)
		})
	})
	if !opened {
		iso.throw(&durable.Error{Name: "Error", Message: "blockConcurrencyWhile() calls are nested too deeply."})
	}
	return d.promise
}
