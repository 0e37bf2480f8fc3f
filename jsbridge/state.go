package jsbridge

import (
	"errors"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// newState makes the DurableObjectState that a constructor receives.
func (iso *Isolate) newState(i *instance) *goja.Object {
	proto := iso.prototype("DurableObjectState", nil, func(p *goja.Object) {
		iso.method(p, "waitUntil", 1, func(c goja.FunctionCall) goja.Value {
			receiver[*instance](iso, c)
			if len(c.Arguments) == 0 {
				iso.throwType("Failed to execute 'waitUntil' on 'DurableObjectState': parameter 1 is not of type 'Promise'.")
			}
			iso.waitUntil(c.Argument(0), iso.cur.ctx.hold()) // whoever's ctx it is (measured on workerd)
			return goja.Undefined()
		})
		iso.method(p, "blockConcurrencyWhile", 1, func(c goja.FunctionCall) goja.Value {
			receiver[*instance](iso, c)
			// Whoever's ctx it is, the object whose code runs now is blocked
			// (measured on workerd, which has no proper error for a worker).
			self := iso.cur.ctx.inst
			if self == nil {
				iso.throw(errForeign(iso.cur.ctx, "ActorCacheInterface"))
			}
			return self.blockConcurrencyWhile(c.Argument(0))
		})
		for _, name := range []string{"acceptWebSocket", "getWebSockets", "setWebSocketAutoResponse", "getWebSocketAutoResponse",
			"getWebSocketAutoResponseTimestamp", "setHibernatableWebSocketEventTimeout", "getHibernatableWebSocketEventTimeout", "getTags"} {
			iso.method(p, name, 0, func(goja.FunctionCall) goja.Value {
				iso.throw(errNotImplemented("DurableObjectState." + name + "()"))
				return nil
			})
		}
		iso.method(p, "abort", 0, func(c goja.FunctionCall) goja.Value {
			return receiver[*instance](iso, c).abort(c)
		})
		iso.getter(p, "exports", func(goja.FunctionCall) goja.Value {
			return iso.contextExports()
		})
		iso.getter(p, "props", func(c goja.FunctionCall) goja.Value {
			return iso.contextProps(receiver[*instance](iso, c).ctx)
		})
		iso.getter(p, "facets", func(goja.FunctionCall) goja.Value {
			iso.throw(errNotImplemented("DurableObjectState.facets"))
			return nil
		})
	})
	o := iso.object(proto, i)
	own := func(name string, v goja.Value) {
		_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	own("storage", iso.newStorage(i))
	own("id", iso.newID(&objectID{id: i.act.ID(), named: i.act.Name() != "", name: i.act.Name(), ids: i.act.IDs()}))
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
		message = iso.toString(r)
	}
	if o := c.Argument(1); !goja.IsUndefined(o) && !goja.IsNull(o) {
		if _, ok := o.(*goja.Object); !ok {
			iso.throwType("Failed to execute 'abort' on 'DurableObjectState': parameter 2 is not of type 'AbortOptions'.")
		}
	}
	iso.checkForeign(i.ctx, "ActorCacheInterface")
	i.ctx.fail(&durable.Error{Name: "Error", Message: message, Reset: true})
	if iso.cur != nil && iso.cur.ctx == i.ctx {
		iso.rt.Interrupt(abortMark{})
	}
	return goja.Undefined()
}
