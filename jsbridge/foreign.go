package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// errForeign is what code of a context gets when it uses something that belongs
// to another one. The text depends on whether an object runs the code, whoever
// owns the thing; kind is how the real runtime calls it (all measured on workerd).
func errForeign(user *IOContext, kind string) *durable.Error {
	const (
		start  = "Cannot perform I/O on behalf of a different "
		things = ". I/O objects (such as streams, request/response bodies, and others) created in the context of one "
		limits = " This is a limitation of Cloudflare Workers which allows us to improve overall performance. (I/O type: "
	)
	if user.act != nil {
		return &durable.Error{Name: "Error", Message: start + "Durable Object" + things +
			"Durable Object cannot be accessed from a different Durable Object in the same isolate." + limits + kind + ")"}
	}
	return &durable.Error{Name: "Error", Message: start + "request" + things +
		"request handler cannot be accessed from a different request's handler." + limits + kind + ")"}
}

// inContext throws while the script loads: there is nothing yet that an object of
// I/O could belong to.
func (iso *Isolate) inContext() {
	if iso.cur.ctx == &iso.startup {
		iso.throw(errGlobalScope)
	}
}

// number returns what tells the context from all others of its isolate.
func (c *IOContext) number() int64 {
	if c.id == 0 {
		c.iso.contexts++
		c.id = c.iso.contexts
	}
	return c.id
}

// owner implements webapi.Env.Owner.
func (iso *Isolate) owner() int64 {
	if iso.cur == nil {
		return 0
	}
	iso.inContext()
	return iso.cur.ctx.number()
}

// foreign implements webapi.Env.Foreign.
func (iso *Isolate) foreign(owner int64, kind string) goja.Value {
	if iso.cur == nil || owner == iso.cur.ctx.id {
		return nil
	}
	return iso.errorValue(errForeign(iso.cur.ctx, kind))
}

// checkForeign throws unless the code that runs now belongs to a context.
func (iso *Isolate) checkForeign(ctx *IOContext, kind string) {
	if iso.cur.ctx != ctx {
		iso.throw(errForeign(iso.cur.ctx, kind))
	}
}
