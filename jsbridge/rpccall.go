package jsbridge

import (
	"slices"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// call starts an RPC call and returns its RpcPromise. Arguments that cannot be
// sent reject the promise; nothing is thrown, unless the script is still loading.
func (s *jsStub) call(path []string, args []goja.Value) goja.Value {
	s.iso.inContext()
	r := &rpcRef{iso: s.iso}
	if s.object != nil && s.iso.compat("enhanced_error_serialization") {
		r.target = s.object
	}
	r.result = s.iso.startCall(s, durable.RPC, path, args, r)
	return r.wrap()
}

// send implements remoteEnd.
func (s *jsStub) send(d *rpcResult, kind durable.Kind, path []string, m message, r *rpcRef) {
	n := len(path) - 1
	op := durable.Op{Kind: kind, Method: path[n], Path: path[:n], Args: m.data, Refs: m.durableRefs(), Replayable: m.refs == nil, Origin: d, Pipe: &d.pipe}
	d.calledAt = s.iso.callers()
	done := func(res durable.Result, err *durable.Error) {
		d.answered(res, err)
		m.drop() // what the callee has not taken
	}
	leave(d.frame, func() {
		if s.object != nil {
			call := s.object.Call(op, done)
			if r != nil {
				r.call = call
			}
			if d.frame.ctx.act != nil && d.state == goja.PromiseStatePending {
				// An object that is lost does not go on calling others.
				d.cancel = objectCall{call}
				d.frame.ctx.own(d.cancel)
			}
			return
		}
		rpc, ok := s.service.(RPCService)
		if !ok {
			done(durable.Result{}, errNotImplemented("RPC on this binding").(*durable.Error))
			return
		}
		rpc.Call(op, done)
	}, m.drop)
}

// objectCall is a call of an object, which ends with the object that made it.
type objectCall struct{ *durable.Call }

func (c objectCall) stop() { c.Cancel(errContextOver) }

// answered settles the result with the end of a call. It may be called from any
// goroutine.
func (r *rpcResult) answered(res durable.Result, err *durable.Error) {
	settle := func() {
		if r.state != goja.PromiseStatePending {
			// A call that hung on another one, which has failed.
			if res.Refs != nil {
				res.Refs.Drop()
			}
			return
		}
		r.settle(func() goja.Value { return r.received(res, err) })
	}
	if res.Refs == nil {
		r.frame.post(settle)
		return
	}
	posted := r.frame.ctx.iso.Loop.Post(func() {
		if r.frame.ctx.dead != nil {
			res.Refs.Drop() // nobody is there to take them
			return
		}
		r.frame.enter(settle)
	})
	if !posted {
		res.Refs.Drop()
	}
}

// callers returns the stack of the present call.
func (iso *Isolate) callers() []goja.StackFrame {
	iso.rpc.frames = iso.rt.CaptureCallStack(stackDepth, iso.rpc.frames[:0])
	return slices.Clone(iso.rpc.frames)
}

// stackDepth is how many frames of the caller an error of the callee shows.
const stackDepth = 10

// received makes the value of a call, or throws its error.
func (r *rpcResult) received(res durable.Result, err *durable.Error) goja.Value {
	f := r.frame
	iso := f.ctx.iso
	if err != nil {
		if err.Remote && r.through != nil {
			c := *err
			c.ObjectID = r.through.Target().ID.String()
			err = &c
		}
		if err.Remote && f.ctx.act != nil && iso.compat("enhanced_error_serialization") {
			// Within an object an error names that object (measured on workerd).
			c := *err
			c.ObjectID = f.ctx.act.ID().String()
			err = &c
		}
		panic(iso.thrownError(err, r.calledAt))
	}
	v, stubs, derr := iso.decodeRPC(receivedMessage(res.Value, res.Refs))
	if derr != nil {
		iso.throw(derr)
	}
	if r.stubs = stubs; r.discarded {
		disposeAll(stubs)
	}
	if u := iso.undisposed(); u != nil && !r.discarded {
		u.receive(r, v)
	}
	iso.disposable(v, stubs)
	return v
}
