package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// Entry is an export of a script as callers reach it, with what its ctx.props
// shows. At most one of the two forms of the props is set.
type Entry struct {
	Export string
	// PropsJSON are the props of a configuration, as JSON text.
	PropsJSON string
	// Props are the props of a script, in structured-clone format.
	Props []byte
}

// Call starts a call of a method of an export, or the reading of a property. It
// may be called from any goroutine; done is called once, on the loop.
func (iso *Isolate) Call(e Entry, op durable.Op, done func(durable.Result, *durable.Error)) {
	answered, tracked := iso.track(func(err *durable.Error) { done(durable.Result{}, err) })
	if !tracked {
		return
	}
	answer := func(res durable.Result, err *durable.Error) {
		if answered() {
			done(res, err)
		}
	}
	if !iso.Loop.Post(func() { iso.callEntry(e, &op, answer) }) {
		answer(durable.Result{}, errClosed)
	}
}

// rpcRequest is the event of a frame that serves a call of a service.
type rpcRequest struct {
	ctx  *IOContext
	done func(durable.Result, *durable.Error)
}

func (r *rpcRequest) finish(res durable.Result, err *durable.Error) {
	done := r.done
	if done == nil {
		return
	}
	r.done = nil
	done(res, err)
	r.ctx.onIdle = r.ctx.end
	if r.ctx.pending == 0 {
		r.ctx.end()
	}
}

func (r *rpcRequest) fail(err *durable.Error) { r.finish(durable.Result{}, err) }

// errHung is what a call gets when nothing is left that could end it (measured on
// workerd).
var errHung = &durable.Error{Name: "Error", Message: "The Workers runtime canceled this request because it detected that your Worker's code had hung " +
	"and would never generate a response. Refer to: https://developers.cloudflare.com/workers/observability/errors/"}

func (iso *Isolate) callEntry(e Entry, op *durable.Op, done func(durable.Result, *durable.Error)) {
	ctx := &IOContext{iso: iso, entry: e, refs: session{serves: true}}
	r := &rpcRequest{ctx: ctx, done: done}
	ctx.onFail = r.fail
	ctx.afterTurn = func() {
		if r.done != nil && ctx.inFlight == 0 && len(ctx.owned) == 0 && !ctx.untracked {
			ctx.fail(errHung)
		}
	}
	if iso.ruined != nil {
		r.fail(&durable.Error{Name: "Error", Message: iso.ruined.Error()})
		return
	}
	iso.turn(&frame{ctx: ctx, event: r}, func() {
		s := served{op: op, kind: classReceiver, finish: func(res durable.Result, err *durable.Error) {
			if err != nil {
				err = remote(err)
			}
			r.finish(res, err)
		}}
		ex := iso.rt.Try(func() {
			o, isClass, err := iso.entrypoint(e.Export)
			if err != nil {
				iso.throw(err)
			}
			execution := iso.newExecutionContext(ctx)
			s.root = o
			if isClass {
				s.root = iso.construct(o, execution, iso.env)
			} else {
				s.kind, s.tail = handlerReceiver, []goja.Value{iso.env, execution}
			}
		})
		if ex != nil {
			r.fail(remote(iso.errorOf(ex.Value(), "")))
			return
		}
		iso.serve(s)
	})
}

// contextProps returns ctx.props.
func (iso *Isolate) contextProps(ctx *IOContext) goja.Value {
	if ctx.props == nil {
		switch e := ctx.entry; {
		case e.Props != nil:
			v, err := iso.clone.Decode(e.Props, iso.cloning.decode)
			if err != nil {
				iso.throw(err)
			}
			ctx.props = v
		case e.PropsJSON != "":
			v, ex := iso.call(iso.js.jsonParse, goja.Undefined(), iso.rt.ToValue(e.PropsJSON))
			if ex != nil {
				panic(ex)
			}
			ctx.props = v
		default:
			ctx.props = iso.rt.NewObject()
		}
	}
	return ctx.props
}
