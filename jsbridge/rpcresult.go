package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// rpcResult is the outcome of a call, to be. It stands for a promise and becomes
// one when a script looks: most calls are only awaited, and that goes without.
type rpcResult struct {
	number  int    // among the subrequests
	frame   *frame // of the caller
	state   goja.PromiseState
	value   goja.Value // the result or the error
	waiting []waiter
	native  *deferred // nil until it is needed

	calledAt  []goja.StackFrame // the script's stack when it made the call
	through   *durable.Stub     // of a pipelined call: the object that errors name; nil for none
	stubs     []*rpcStub        // in the value
	discarded bool              // nobody wants the stubs
	looked    bool              // a script waits for it, or has
	name      string            // of the call, for [Undisposed]
	pipe      pipe              // of the call
	cancel    stopper           // cancels the call when its context ends; may be nil
}

// discard disposes of the stubs in the result.
func (r *rpcResult) discard() {
	r.discarded = true
	disposeAll(r.stubs)
}

// waiter is an await of an RpcPromise: the functions that the engine passes to
// its then method.
type waiter struct {
	frame    *frame
	ok, fail goja.Callable
}

// look notes that a script waits for the result.
func (r *rpcResult) look() {
	if r.looked {
		return
	}
	r.looked = true
	if u := r.frame.ctx.iso.undisposed(); u != nil {
		u.look(r.stubs)
	}
}

func (iso *Isolate) newResult() *rpcResult {
	iso.cur.ctx.inFlight++
	if iso.cur.ctx.act != nil {
		iso.cur.ctx.act.Pin()
	}
	return &rpcResult{frame: iso.cur}
}

// settle settles the result within a turn, with what make returns or throws.
func (r *rpcResult) settle(make func() goja.Value) {
	iso := r.frame.ctx.iso
	r.frame.ctx.inFlight--
	if r.cancel != nil {
		r.frame.ctx.disown(r.cancel)
	}
	if act := r.frame.ctx.act; act != nil {
		act.Unpin()
	}
	r.state = goja.PromiseStateFulfilled
	if ex := iso.rt.Try(func() { r.value = make() }); ex != nil {
		r.state, r.value = goja.PromiseStateRejected, ex.Value()
	}
	for _, c := range r.pipe.close() {
		c.here = true
	}
	if r.native == nil && r.state == goja.PromiseStateRejected && len(r.waiting) == 0 {
		r.promise() // for the report if nobody handles it
	} else if r.native != nil {
		r.settleNative()
	}
	waiting := r.waiting
	r.waiting = nil
	for _, w := range waiting {
		r.wake(w)
	}
}

func (r *rpcResult) settleNative() {
	if r.state == goja.PromiseStateRejected {
		r.native.must(r.native.reject(r.value))
	} else {
		r.native.must(r.native.resolve(r.value))
	}
}

// promise returns the promise of the result.
func (r *rpcResult) promise() goja.Value {
	if r.native == nil {
		r.native = r.frame.ctx.iso.newDeferred()
		if r.state != goja.PromiseStatePending {
			r.settleNative()
		}
	}
	return r.native.promise
}

func (r *rpcResult) wake(w waiter) {
	if w.frame.ctx != r.frame.ctx && w.frame.ctx != r.frame.ctx.iso.turnFrame.ctx {
		w.frame.post(func() { r.wake(w) }) // other contexts have turns of their own
		return
	}
	fn := w.ok
	if r.state == goja.PromiseStateRejected {
		fn = w.fail
	}
	if _, err := fn(goja.Undefined(), r.value); err != nil {
		panic(err) // functions of the engine throw nothing: a forced end
	}
}

// then is the then method of RpcPromise and RpcProperty.
func (r *rpcResult) then(c goja.FunctionCall) goja.Value {
	iso := r.frame.ctx.iso
	r.look()
	if r.native == nil && iso.isAwait(c) {
		ok, _ := goja.AssertFunction(c.Arguments[0])
		fail, _ := goja.AssertFunction(c.Arguments[1])
		w := waiter{iso.cur, ok, fail}
		if r.state == goja.PromiseStatePending {
			r.waiting = append(r.waiting, w)
		} else {
			r.wake(w)
		}
		return goja.Undefined() // nobody sees it
	}
	return on(iso.js.promiseThen, r.promise(), c.Argument(0), c.Argument(1))
}

// isAwait reports whether a then method was called by the engine itself, for an
// await or to resolve a promise: no script is running.
func (iso *Isolate) isAwait(c goja.FunctionCall) bool {
	if len(c.Arguments) != 2 || !isNative(c.Arguments[0]) || !isNative(c.Arguments[1]) {
		return false
	}
	iso.rpc.frames = iso.rt.CaptureCallStack(3, iso.rpc.frames[:0])
	for i := range iso.rpc.frames {
		if src := iso.rpc.frames[i].SrcName(); src != "<native>" && src != "" {
			return false
		}
	}
	return true
}

// isNative reports whether v is a function of Go.
func isNative(v goja.Value) bool {
	o, ok := v.(*goja.Object)
	return ok && o.ExportType() == typeNative
}
