package jsbridge

import (
	"slices"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// call starts an RPC call and returns its RpcPromise. Arguments that cannot be
// sent reject the promise; nothing is thrown.
func (s *jsStub) call(path []string, args []goja.Value) goja.Value {
	r := &rpcRef{iso: s.iso}
	if s.object != nil && s.iso.compat("enhanced_error_serialization") {
		r.target = s.object
	}
	r.result = s.start(durable.RPC, path, args, r)
	return r.wrap()
}

// start starts a call of what a path names, or its reading, and returns its
// result to be. r is told the call once it is under way; it may be nil.
func (s *jsStub) start(kind durable.Kind, path []string, args []goja.Value, r *rpcRef) *rpcResult {
	iso := s.iso
	d := iso.newResult()
	refuse := func(err error) *rpcResult {
		d.settle(func() goja.Value { iso.throw(err); return nil })
		return d
	}
	if err := s.foreign(d.frame); err != nil {
		return refuse(err)
	}
	n := len(path) - 1
	op := durable.Op{Kind: kind, Method: path[n], Path: path[:n], Replayable: true}
	if kind == durable.RPC {
		var err error
		if op.Args, err = iso.encodeArguments(args); err != nil {
			return refuse(err)
		}
	}
	calledAt := iso.callers()
	done := func(res durable.Result, err *durable.Error) {
		d.later(func() goja.Value { return iso.received(d.frame, res, err, calledAt) })
	}
	leave(d.frame, func() {
		if s.object != nil {
			call := s.object.Call(op, done)
			if r != nil {
				r.call = call
			}
			return
		}
		rpc, ok := s.service.(RPCService)
		if !ok {
			done(durable.Result{}, errNotImplemented("RPC on this binding").(*durable.Error))
			return
		}
		rpc.Call(op, done)
	})
	return d
}

// callers returns the stack of the present call.
func (iso *Isolate) callers() []goja.StackFrame {
	iso.rpc.frames = iso.rt.CaptureCallStack(stackDepth, iso.rpc.frames[:0])
	return slices.Clone(iso.rpc.frames)
}

// stackDepth is how many frames of the caller an error of the callee shows.
const stackDepth = 10

// received makes the value of a call, or throws its error.
func (iso *Isolate) received(f *frame, res durable.Result, err *durable.Error, calledAt []goja.StackFrame) goja.Value {
	if err != nil {
		if err.Remote && f.ctx.act != nil && iso.compat("enhanced_error_serialization") {
			// Within an object an error names that object (measured on workerd).
			c := *err
			c.ObjectID = f.ctx.act.ID().String()
			err = &c
		}
		panic(iso.thrownError(err, calledAt))
	}
	v, derr := iso.decodeRPC(res.Value)
	if derr != nil {
		iso.throw(derr)
	}
	if o, ok := v.(*goja.Object); ok {
		iso.disposer(o)
	}
	return v
}
