package jsbridge

import (
	"slices"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

var errPromiseDisposed = &durable.Error{Name: "Error", Message: "RPC promise used after being disposed."}

// pipelined is a call, or a reading, of what a path on the result of a call
// names.
type pipelined struct {
	iso    *Isolate
	kind   durable.Kind
	path   []string
	target *durable.Stub // the object whose id errors name; nil for none
	m      message       // the arguments, or:
	args   []goja.Value  // those of a method fetch, which a stub may have itself
	d      *rpcResult

	settled bool       // the result was here when the call was made
	base    *rpcResult // the result
	here    bool       // the path is to be followed here
}

// pipelined starts a pipelined call. The arguments are encoded at once, and the
// call is sent where the result is made. Once the result is here, the path is
// followed here as far as the result is a copy, and goes on by a message from the
// first stub on.
func (r *rpcRef) pipelined(kind durable.Kind, args []goja.Value) *rpcResult {
	iso, base := r.iso, r.base
	if r.result != nil {
		base = r
	}
	if base.call != nil {
		base.call.NoRetry()
	}
	settled := base.result.state != goja.PromiseStatePending
	p := &pipelined{iso: iso, kind: kind, path: r.path, target: r.target, settled: settled, d: iso.newResult()}
	var err error
	switch n := len(r.path); {
	case base.over:
		err = errPromiseDisposed
	case base.result.frame.ctx != iso.cur.ctx:
		err = errForeign(iso.cur.ctx, "JsRpcPromise")
	case kind != durable.RPC:
	case n > 0 && r.path[n-1] == "fetch":
		p.args = slices.Clone(args) // the engine uses its memory again
		p.d.calledAt = iso.callers()
	default:
		p.m, err = iso.encodeArguments(args)
	}
	if err != nil {
		p.end(func() goja.Value { iso.throw(err); return nil })
		return p.d
	}
	if settled {
		p.target = nil // nothing that happens here names the callee (measured on workerd)
	}
	if iso.undisposed() != nil {
		p.d.name = pathName(base.result.name, kind, p.path)
	}
	p.base, p.here = base.result, settled || p.args != nil
	p.await()
	if !p.here {
		p.d.calledAt = iso.callers()
		leave(p.d.frame, func() {
			if !p.base.pipe.push(p) {
				p.returned()
			}
		}, p.m.drop)
	}
	return p.d
}

// await follows the path when the result is here, unless the other side has done
// so. When the call itself fails, so does what hangs on it, whatever becomes of it
// there: the connection that both had is gone.
func (p *pipelined) await() {
	p.iso.then(p.base.promise(), func(v goja.Value) {
		if p.here && p.d.state == goja.PromiseStatePending {
			p.follow(v)
		}
	}, func(v goja.Value) {
		if p.d.state == goja.PromiseStatePending {
			p.end(func() goja.Value { panic(v) })
		}
	})
}

// returned is called, from any goroutine, when the other side cannot serve the
// call.
func (p *pipelined) returned() {
	p.d.frame.post(func() {
		p.here = true
		if p.base.state != goja.PromiseStatePending {
			p.await()
		}
	})
}

// end ends the call without a message.
func (p *pipelined) end(make func() goja.Value) {
	p.m.drop()
	p.d.settle(make)
}

// follow goes on when the result that the call waits for is there.
func (p *pipelined) follow(v goja.Value) {
	iso, rpc := p.iso, p.kind == durable.RPC
	if _, isObject := v.(*goja.Object); p.settled && !isObject {
		p.end(func() goja.Value {
			iso.throwType("Can't pipeline on RPC that did not return an object.")
			return nil
		})
		return
	}
	ex := iso.rt.Try(func() {
		if fetcher, _ := iso.remoteOf(v); fetcher != nil && p.settled && len(p.path) > 0 {
			iso.throwMissing(p.path[0]) // strange, but measured on workerd
		}
		for i := 0; ; i++ {
			fetcher, stub := iso.remoteOf(v)
			rest := p.path[i:]
			switch {
			case stub != nil && (len(rest) > 0 || rpc):
				p.send(stub, rest)
				return
			case fetcher != nil && len(rest) > 0:
				p.through(fetcher, rest)
				return
			case len(rest) == 0 && rpc:
				iso.throwNotFunction(p.path)
			case len(rest) == 0:
				v = p.copy(v)
				p.end(func() goja.Value { return v })
				return
			case iso.receiverKind(v) == noReceiver:
				iso.throwMissing(p.path[max(i-1, 0)])
			}
			_, v = iso.walk(v, plainReceiver, rest[:1])
		}
	})
	if ex == nil {
		return
	}
	p.end(func() goja.Value { p.failed(ex.Value()); return nil })
}

// failed throws an error as the callee's, which it would have been if the path
// had been followed there.
func (p *pipelined) failed(v goja.Value) {
	id := ""
	if p.target != nil {
		id = p.target.Target().ID.String()
	}
	panic(p.iso.thrownError(remote(p.iso.errorOf(v, id)), p.d.calledAt))
}

// copy makes what a reading of a part of a result gives: a copy, with stubs of
// its own.
func (p *pipelined) copy(v goja.Value) goja.Value {
	iso := p.iso
	if _, ok := v.(*goja.Object); !ok || len(p.path) == 0 {
		return v
	}
	m, err := iso.encoding(false, func() ([]byte, error) { return iso.clone.Encode(nil, v, iso.cloning.rpc) })
	if err == nil {
		v, p.d.stubs, err = iso.decodeRPC(m)
	}
	if err != nil {
		iso.throw(err)
	}
	if u := iso.undisposed(); u != nil && !p.d.discarded {
		u.receive(p.d, v)
	}
	iso.disposable(v, p.d.stubs)
	return v
}

// through goes on at a stub of an object or service. It takes names as it does
// where it came from: the properties that it has itself, or would have there, are
// no remote ones (measured on workerd).
func (p *pipelined) through(s *jsStub, rest []string) {
	switch own := rest[0]; {
	case own == "fetch" && len(rest) == 1 && p.kind == durable.RPC:
		p.iso.then(s.fetch(goja.FunctionCall{Arguments: p.args}),
			func(v goja.Value) { p.end(func() goja.Value { return v }) },
			func(v goja.Value) { p.end(func() goja.Value { p.failed(v); return nil }) })
		return
	case s.object != nil && (own == "id" || own == "name"):
		p.iso.throwMissing(own)
	}
	p.send(s, rest)
}

func (p *pipelined) send(to remoteEnd, rest []string) {
	err := to.usable(p.iso.cur)
	if err == nil && p.args != nil {
		p.m, err = p.iso.encodeArguments(p.args)
	}
	if err != nil {
		p.end(func() goja.Value { p.iso.throw(err); return nil })
		return
	}
	p.d.through = p.target
	to.send(p.d, p.kind, rest, p.m, nil)
}

// remoteOf returns the stub that a value is, if it is one.
func (iso *Isolate) remoteOf(v goja.Value) (*jsStub, *rpcStub) {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() != typeProxy {
		return nil, nil
	}
	if s, ok := hostOf[*jsStub](iso, o); ok {
		return s, nil
	}
	if r := iso.rpcRefOf(o); r != nil && r.isStub() {
		return nil, r.ref
	}
	return nil, nil
}
