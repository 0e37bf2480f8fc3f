package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// rpcRef is what an RpcPromise or an RpcProperty holds. A property names a path
// that starts at a stub or at a promise; nothing is sent before it is called or
// awaited. A promise is the result of a call that was sent.
//
// An RpcStub is a property without a path.
//
// To scripts all are functions whose every property is a further RpcProperty.
// They are proxies around one function for each class.
type rpcRef struct {
	iso    *Isolate
	stub   *jsStub       // where a property's path starts, or nil:
	ref    *rpcStub      // it starts at this RpcStub (without a path: is it), or
	base   *rpcRef       // it starts at this promise
	path   []string      // of a property
	result *rpcResult    // of a promise
	over   bool          // of a promise: it was disposed of
	target *durable.Stub // of a promise: the object whose id errors name; nil for none
	call   *durable.Call
	local  map[string]goja.Value // what scripts assigned
	traps  goja.ProxyTrapConfig
}

// rpcClasses are the parts that all promises and properties of an isolate share.
type rpcClasses struct {
	promise, property *goja.Object      // the functions behind the proxies
	stub              *goja.Object      // the same for RpcStub
	dispose           *goja.Symbol      // Symbol.dispose
	nothing           goja.Value        // a disposer that has nothing to do
	unheld            bool              // streams that are sent now do not keep their context alive
	moving            *moving           // the message that is being encoded or decoded
	probe             *goja.Symbol      // asks a proxy for its rpcRef
	found             *rpcRef           // the answer
	frames            []goja.StackFrame // scratch space
	args              [2]goja.Value     // scratch space
}

func (r *rpcRef) class() string {
	switch {
	case r.result != nil:
		return "RpcPromise"
	case r.isStub():
		return "RpcStub"
	}
	return "RpcProperty"
}

func (r *rpcRef) isStub() bool { return r.ref != nil && len(r.path) == 0 }

// initRPC makes the classes RpcPromise, RpcProperty and RpcStub.
func (iso *Isolate) initRPC() {
	iso.rpc.probe = goja.NewSymbol("")
	iso.rpc.dispose, _ = iso.js.symbol.Get("dispose").(*goja.Symbol)
	iso.rpc.nothing = iso.function("", 0, func(goja.FunctionCall) goja.Value { return goja.Undefined() })
	class := func(name, tag string, define func(p *goja.Object)) *goja.Object {
		proto := iso.prototype(name, nil, func(p *goja.Object) {
			// Unlike those of Promise, they insist on functions (measured on workerd).
			function := func(c goja.FunctionCall, method string, n int) goja.Value {
				v := c.Argument(n)
				if !isFunction(v) {
					iso.throwType("Failed to execute '%s' on '%s': parameter %d is not of type 'Function'.", method, tag, n+1)
				}
				return v
			}
			iso.method(p, "then", 0, func(c goja.FunctionCall) goja.Value {
				r := iso.rpcReceiver(c)
				function(c, "then", 0)
				if !goja.IsUndefined(c.Argument(1)) {
					function(c, "then", 1)
				}
				return r.read().then(c)
			})
			iso.method(p, "catch", 0, func(c goja.FunctionCall) goja.Value {
				r := iso.rpcReceiver(c)
				result := r.read()
				result.look()
				return on(iso.js.promiseThen, result.promise(), goja.Undefined(), function(c, "catch", 0))
			})
			iso.method(p, "finally", 0, func(c goja.FunctionCall) goja.Value {
				r := iso.rpcReceiver(c)
				result := r.read()
				result.look()
				return on(iso.js.promiseFinally, result.promise(), function(c, "finally", 0))
			})
			define(p)
		})
		return iso.tagged(proto, tag)
	}
	iso.rpc.property = class("RpcProperty", "JsRpcProperty", func(*goja.Object) {})
	iso.rpc.promise = class("RpcPromise", "JsRpcPromise", func(p *goja.Object) {
		iso.disposeMethod(p, func(c goja.FunctionCall) { iso.rpcReceiver(c).discard() })
	})
	iso.initStubs()
}

// tagged gives a prototype its tag and makes the function that the proxies of
// its class are made around.
func (iso *Isolate) tagged(proto *goja.Object, tag string) *goja.Object {
	_ = proto.DefineDataPropertySymbol(goja.SymToStringTag, iso.rt.ToValue(tag), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return iso.callable(proto)
}

// discard is the disposer of a promise: nothing can be pipelined on it any more,
// and the stubs in its result are disposed of, now or when they arrive.
func (r *rpcRef) discard() {
	r.over = true
	if r.result != nil {
		r.result.discard()
	}
}

// wrap makes the object that scripts see.
func (r *rpcRef) wrap() *goja.Object {
	target := r.iso.rpc.property
	switch {
	case r.result != nil:
		target = r.iso.rpc.promise
	case r.isStub():
		target = r.iso.rpc.stub
	}
	r.traps = goja.ProxyTrapConfig{
		Get: r.get, GetSym: r.getSym, Has: hasEverything, Apply: r.apply, Set: r.set,
		SetSym: refuseSymbol, DefineProperty: r.define, DefinePropertySym: refuseDefineSymbol, DeleteProperty: r.delete,
		SetPrototypeOf:    func(*goja.Object, *goja.Object) bool { return false },
		PreventExtensions: func(*goja.Object) bool { return false },
	}
	return r.iso.rt.ToValue(r.iso.rt.NewProxy(target, &r.traps)).(*goja.Object)
}

func hasEverything(*goja.Object, string) bool { return true }

func refuseSymbol(*goja.Object, *goja.Symbol, goja.Value, goja.Value) bool { return false }

func refuseDefineSymbol(*goja.Object, *goja.Symbol, goja.PropertyDescriptor) bool { return false }

func (r *rpcRef) set(_ *goja.Object, name string, v, _ goja.Value) bool {
	if r.local == nil {
		r.local = make(map[string]goja.Value)
	}
	r.local[name] = v
	return true
}

func (r *rpcRef) define(t *goja.Object, name string, d goja.PropertyDescriptor) bool {
	return d.Value != nil && r.set(t, name, d.Value, nil)
}

func (r *rpcRef) delete(_ *goja.Object, name string) bool {
	delete(r.local, name)
	return true
}

func (r *rpcRef) get(target *goja.Object, name string, _ goja.Value) goja.Value {
	if v := r.local[name]; v != nil {
		return v
	}
	if v := target.Get(name); v != nil {
		return v
	}
	if isIndex(name) || name == "then" {
		// Indexes are not remote names, and a stub is no thenable: await gives
		// the stub (measured on workerd).
		return goja.Undefined()
	}
	if r.result != nil {
		return (&rpcRef{iso: r.iso, base: r, path: []string{name}, target: r.target}).wrap()
	}
	return (&rpcRef{iso: r.iso, stub: r.stub, ref: r.ref, base: r.base, path: r.iso.deeper(r.path, name), target: r.target}).wrap()
}

// maxPath is how many properties a path may have (measured on workerd, whose
// text says 64).
const maxPath = 65

func (iso *Isolate) deeper(path []string, name string) []string {
	if len(path) >= maxPath {
		iso.throwType("RPC pipelined property path is too deep (max 64).")
	}
	return append(path[:len(path):len(path)], name)
}

// isIndex reports whether a property's name is an array index.
func isIndex(name string) bool {
	if name == "" || len(name) > 10 || name[0] == '0' && len(name) > 1 {
		return false
	}
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' {
			return false
		}
	}
	return true
}

func (r *rpcRef) getSym(target *goja.Object, sym *goja.Symbol, _ goja.Value) goja.Value {
	if sym == r.iso.rpc.probe {
		r.iso.rpc.found = r
		return goja.Undefined()
	}
	return orUndefined(target.GetSymbol(sym))
}

// rpcRefOf returns what an RpcPromise or RpcProperty holds, nil for any other
// value.
func (iso *Isolate) rpcRefOf(v goja.Value) *rpcRef {
	o, ok := v.(*goja.Object)
	if !ok || o.ExportType() != typeProxy {
		return nil
	}
	// A proxy that a script made around one of ours has that one as its target.
	if t := o.Export().(goja.Proxy).Target(); t != iso.rpc.promise && t != iso.rpc.property && t != iso.rpc.stub {
		return nil
	}
	iso.rpc.found = nil
	o.GetSymbol(iso.rpc.probe)
	r := iso.rpc.found
	iso.rpc.found = nil
	return r
}

func (iso *Isolate) rpcReceiver(c goja.FunctionCall) *rpcRef {
	r := iso.rpcRefOf(c.This)
	if r == nil {
		iso.throwType("%s", illegalInvocation)
	}
	return r
}

// apply calls the method that a property names, or the function behind a stub.
func (r *rpcRef) apply(_ *goja.Object, _ goja.Value, args []goja.Value) goja.Value {
	if r.stub != nil {
		return r.stub.call(r.path, args)
	}
	p := &rpcRef{iso: r.iso, target: r.target}
	if r.ref != nil {
		p.result = r.iso.startCall(r.ref, durable.RPC, r.path, args, p)
	} else {
		p.result = r.pipelined(durable.RPC, args)
	}
	return p.wrap()
}

// read returns the result of a call, or reads the property.
func (r *rpcRef) read() *rpcResult {
	switch {
	case r.result != nil:
		return r.result
	case r.stub != nil:
		return r.iso.startCall(r.stub, durable.Get, r.path, nil, nil)
	case r.ref != nil:
		return r.iso.startCall(r.ref, durable.Get, r.path, nil, nil)
	}
	return r.pipelined(durable.Get, nil)
}
