package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/inflight"
)

// call sends a call of an export, or of what a path on it names, to its owner.
// done is called once, on the owner's loop or the caller's. It may be called from
// any goroutine. It cannot be cancelled.
func (a address) call(kind durable.Kind, path []string, m message, done func(durable.Result, *durable.Error)) (cancel func()) {
	a.callPiped(kind, path, m, nil, done)
	return nil
}

// callPiped is call for a caller that may send more through a pipe; p may be nil.
func (a address) callPiped(kind durable.Kind, path []string, m message, p *pipe, done func(durable.Result, *durable.Error)) {
	iso := a.ctx.iso
	answered, tracked := iso.track(func(err *durable.Error) { done(durable.Result{}, err) })
	if !tracked {
		m.drop()
		return
	}
	answer := func(res durable.Result, err *durable.Error) {
		if answered() {
			done(res, err)
			m.drop() // what the callee has not taken
		} else if res.Refs != nil {
			res.Refs.Drop()
		}
	}
	posted := iso.Loop.Post(func() {
		x := a.ctx.refs.exports[a.id]
		if a.ctx.dead != nil || x == nil {
			answer(durable.Result{}, errContextOver)
			return
		}
		// A call keeps its target: the disposer waits for its end (measured on
		// workerd).
		x.count++
		a.ctx.serveRef(x, false, kind, path, m, p, func(res durable.Result, err *durable.Error) {
			answer(res, err)
			a.release(x)
		})
	})
	if !posted {
		answer(durable.Result{}, errClosed)
	}
}

// refCall is a call of an export that is being served, and the event of its
// frame.
type refCall struct {
	ctx      *IOContext
	entry    inflight.Entry[*durable.Error]
	answer   func(durable.Result, *durable.Error)
	finished bool
}

// finish ends the call. The answer leaves through the output gate; an object that
// is reset before it leaves answers with its error instead.
func (c *refCall) finish(res durable.Result, err *durable.Error) {
	drop := func() {
		if res.Refs != nil {
			res.Refs.Drop()
		}
	}
	if c.finished {
		drop()
		return
	}
	c.finished = true
	leave(&frame{ctx: c.ctx}, func() {
		if !c.ctx.refs.calls.Remove(&c.entry) {
			drop()
			return
		}
		c.answer(res, err)
	}, drop)
}

func (c *refCall) fail(err *durable.Error) { c.finish(durable.Result{}, err) }

// named returns the error as the caller sees it: it comes from elsewhere, and
// names the object that owns the export, whatever failed (measured on workerd).
func (c *refCall) named(err *durable.Error) *durable.Error {
	e := *err
	e.Remote = true
	if act := c.ctx.act; act != nil && c.ctx.iso.compat("enhanced_error_serialization") {
		e.ObjectID = act.ID().String()
	}
	return &e
}

// serveRef serves a call of an export, or, if piped, of a result. It runs on the
// context's loop, outside of turns.
func (ctx *IOContext) serveRef(x *export, piped bool, kind durable.Kind, path []string, m message, p *pipe, answer func(durable.Result, *durable.Error)) {
	iso := ctx.iso
	c := &refCall{ctx: ctx, answer: answer}
	c.entry.Fail = func(err *durable.Error) {
		if err != errContextOver {
			err = c.named(err)
		}
		answer(durable.Result{}, err)
	}
	ctx.refs.calls.Add(&c.entry)
	if act := ctx.act; act != nil {
		c.answer = func(res durable.Result, err *durable.Error) {
			act.Unpin()
			answer(res, err)
		}
		act.Pin()
	}
	op := &durable.Op{Kind: kind, Args: m.data, Refs: m.durableRefs()}
	if p != nil {
		op.Pipe = p
	}
	if n := len(path); n > 0 {
		op.Path, op.Method = path[:n-1], path[n-1]
	}
	f := &frame{ctx: ctx, gate: x.gate, event: c}
	f.enter(func() {
		iso.serve(served{op: op, root: x.target, kind: plainReceiver, self: len(path) == 0, piped: piped, finish: func(res durable.Result, err *durable.Error) {
			if err != nil {
				err = c.named(err)
			}
			c.finish(res, err)
		}})
	})
}

// canExport reports whether an object can be reached through a stub.
func (iso *Isolate) canExport(o *goja.Object) bool {
	return iso.receiverKind(o) != noReceiver
}
