package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// rpcStub is what an RpcStub holds: a reference to a function, an RpcTarget or a
// plain object of a context, be it another one or the same.
type rpcStub struct {
	iso      *Isolate
	imp      *rpcImport
	disposed bool
	noted    bool // [Undisposed] has it
}

// remoteEnd is something that calls are sent to.
type remoteEnd interface {
	// usable reports why code of a frame cannot use it; nil if it can.
	usable(*frame) error
	// send sends a call of what a path names, or its reading; d gets its end. r
	// is told the call; it may be nil.
	send(d *rpcResult, kind durable.Kind, path []string, m message, r *rpcRef)
}

// startCall starts a call of what a path names, or its reading, and returns its
// result to be.
func (iso *Isolate) startCall(to remoteEnd, kind durable.Kind, path []string, args []goja.Value, r *rpcRef) *rpcResult {
	d := iso.newResult()
	var m message
	err := to.usable(d.frame)
	if _, stub := to.(*jsStub); stub && err == nil {
		d.number, err = d.frame.subrequest()
	}
	if err == nil && kind == durable.RPC {
		m, err = iso.encodeArguments(args)
	}
	if err != nil {
		d.settle(func() goja.Value { iso.throw(err); return nil })
		return d
	}
	if iso.undisposed() != nil {
		d.name = callName(to, kind, path)
	}
	to.send(d, kind, path, m, r)
	return d
}

var errStubDisposed = &durable.Error{Name: "Error", Message: "RPC stub used after being disposed."}

func (s *rpcStub) usable(f *frame) error {
	switch {
	case s.disposed:
		return errStubDisposed
	case s.imp.ctx != f.ctx:
		return errForeign(f.ctx, "Client")
	}
	return nil
}

func (s *rpcStub) send(d *rpcResult, kind durable.Kind, path []string, m message, _ *rpcRef) {
	d.calledAt = s.iso.callers()
	at := s.imp.at
	leave(d.frame, func() {
		if a, ok := at.(address); ok {
			a.callPiped(kind, path, m, &d.pipe, d.answered)
			return
		}
		cancel := at.call(kind, path, m, func(res durable.Result, err *durable.Error) { d.answered(res, err) })
		if cancel != nil && d.state == goja.PromiseStatePending {
			d.cancel = &cancelled{cancel}
			d.frame.ctx.own(d.cancel)
		}
	}, m.drop)
}

// newStub makes an RpcStub that holds one share of an import.
func (iso *Isolate) newStub(imp *rpcImport) *rpcStub { return &rpcStub{iso: iso, imp: imp} }

// object makes the object that scripts see.
func (s *rpcStub) object() *goja.Object {
	return (&rpcRef{iso: s.iso, ref: s}).wrap()
}

// dispose gives up the stub's share of the reference.
func (s *rpcStub) dispose() {
	if !s.disposed {
		s.disposed = true
		if s.noted {
			s.iso.undisposed().disposed(s)
		}
		s.imp.drop()
	}
}

// stubReceiver returns the stub that a method of RpcStub was called on.
func (iso *Isolate) stubReceiver(c goja.FunctionCall) *rpcStub {
	r := iso.rpcRefOf(c.This)
	if r == nil || !r.isStub() {
		iso.throwType("%s", illegalInvocation)
	}
	return r.ref
}

// initStubs makes the class RpcStub.
func (iso *Isolate) initStubs() {
	proto := iso.prototype("RpcStub", nil, func(p *goja.Object) {
		iso.method(p, "dup", 0, func(c goja.FunctionCall) goja.Value {
			s := iso.stubReceiver(c)
			if err := s.usable(iso.cur); err != nil {
				iso.throw(err)
			}
			s.imp.stubs++
			copy := iso.newStub(s.imp)
			if s.noted {
				iso.undisposed().duplicate(s, copy)
			}
			return copy.object()
		})
		iso.disposeMethod(p, func(c goja.FunctionCall) { iso.stubReceiver(c).dispose() })
	})
	iso.rpc.stub = iso.tagged(proto, "JsRpcStub")
}

// makeStub is what new RpcStub() does.
func (iso *Isolate) makeStub(target *goja.Object) goja.Value {
	if !iso.canExport(target) {
		iso.throwType("RpcStubs can only wrap plain objects, functions, and RpcTarget derivatives.")
	}
	iso.inContext()
	return iso.newStub(iso.importRef(iso.export(target))).object()
}

// disposeMethod gives an object a disposer.
func (iso *Isolate) disposeMethod(o *goja.Object, f func(goja.FunctionCall)) {
	fn := iso.function("", 0, func(c goja.FunctionCall) goja.Value { f(c); return goja.Undefined() })
	// A frozen object goes without.
	_ = o.DefineDataPropertySymbol(iso.rpc.dispose, fn, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// disposable gives the result of a call its disposer: it disposes of all the
// stubs in it. An RpcStub has one of its own.
func (iso *Isolate) disposable(v goja.Value, stubs []*rpcStub) {
	o, ok := v.(*goja.Object)
	if !ok || iso.rpcRefOf(v) != nil {
		return
	}
	if len(stubs) == 0 {
		_ = o.DefineDataPropertySymbol(iso.rpc.dispose, iso.rpc.nothing, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		return
	}
	iso.disposeMethod(o, func(goja.FunctionCall) { disposeAll(stubs) })
}

func disposeAll(stubs []*rpcStub) {
	for _, s := range stubs {
		s.dispose()
	}
}
