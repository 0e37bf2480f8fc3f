package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

var errPromiseDisposed = &durable.Error{Name: "Error", Message: "RPC promise used after being disposed."}

// pipelined reads, or calls, what a path on the result of a call names. The
// arguments are encoded at once. The path is followed here as far as the result
// is a copy, with the errors of the callee, and goes on by a message from the
// first stub on.
func (r *rpcRef) pipelined(kind durable.Kind, args []goja.Value) *rpcResult {
	iso, base := r.iso, r.base
	if r.result != nil {
		base = r
	}
	if base.call != nil {
		base.call.NoRetry()
	}
	d := iso.newResult()
	var m message
	err := error(nil)
	if base.over {
		err = errPromiseDisposed
	} else if kind == durable.RPC {
		m, err = iso.encodeArguments(args)
	}
	if err != nil {
		d.settle(func() goja.Value { iso.throw(err); return nil })
		return d
	}
	iso.then(base.result.promise(), func(v goja.Value) { r.follow(d, v, kind, m) },
		func(v goja.Value) {
			m.drop()
			d.settle(func() goja.Value { panic(v) })
		})
	return d
}

// follow goes on with a pipelined call when the result that it waits for is
// there.
func (r *rpcRef) follow(d *rpcResult, v goja.Value, kind durable.Kind, m message) {
	iso := r.iso
	ex := iso.rt.Try(func() {
		for i := 0; ; i++ {
			to, callable := iso.remoteOf(v)
			if to != nil && (i < len(r.path) || kind == durable.RPC && callable) {
				if err := to.usable(iso.cur); err != nil {
					m.drop()
					d.settle(func() goja.Value { iso.throw(err); return nil })
					return
				}
				to.send(d, kind, r.path[i:], m, nil)
				return
			}
			if i == len(r.path) {
				break
			}
			if iso.receiverKind(v) == noReceiver {
				iso.throwMissing(r.path[max(i-1, 0)])
			}
			_, v = iso.walk(v, plainReceiver, r.path[i:i+1])
		}
		if kind == durable.RPC {
			iso.throwNotFunction(r.path)
		}
		d.settle(func() goja.Value { return v })
	})
	if ex == nil {
		return
	}
	m.drop()
	d.settle(func() goja.Value {
		id := ""
		if r.target != nil {
			id = r.target.Target().ID.String()
		}
		panic(iso.thrownError(remote(iso.errorOf(ex.Value(), id)), nil))
	})
}

// remoteOf returns what calls on a value are sent to, nil for a copy; callable
// says that the value itself can be called.
func (iso *Isolate) remoteOf(v goja.Value) (to remoteEnd, callable bool) {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() != typeProxy {
		return nil, false
	}
	if s, ok := hostOf[*jsStub](iso, o); ok {
		return s, false
	}
	if r := iso.rpcRefOf(o); r != nil && r.isStub() {
		return r.ref, true
	}
	return nil, false
}
