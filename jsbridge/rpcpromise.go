package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// rpcRef is what an RpcPromise or an RpcProperty holds. A property names a path
// that starts at a stub or at a promise; nothing is sent before it is called or
// awaited. A promise is the result of a call that was sent.
//
// To scripts both are functions whose every property is a further RpcProperty.
// They are proxies around one function for each class.
type rpcRef struct {
	iso    *Isolate
	stub   *jsStub       // where a property's path starts, or nil:
	base   *rpcRef       // it starts at this promise
	path   []string      // of a property
	result *rpcResult    // of a promise
	target *durable.Stub // of a promise: the object whose id errors name; nil for none
	call   *durable.Call
	local  map[string]goja.Value // what scripts assigned
	traps  goja.ProxyTrapConfig
}

// rpcClasses are the parts that all promises and properties of an isolate share.
type rpcClasses struct {
	promise, property *goja.Object      // the functions behind the proxies
	probe             *goja.Symbol      // asks a proxy for its rpcRef
	found             *rpcRef           // the answer
	frames            []goja.StackFrame // scratch space
	args              [2]goja.Value     // scratch space
}

func (r *rpcRef) class() string {
	if r.result != nil {
		return "RpcPromise"
	}
	return "RpcProperty"
}

// initRPC makes the classes RpcPromise and RpcProperty.
func (iso *Isolate) initRPC() {
	iso.rpc.probe = goja.NewSymbol("")
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
				return on(iso.js.promiseThen, r.read().promise(), goja.Undefined(), function(c, "catch", 0))
			})
			iso.method(p, "finally", 0, func(c goja.FunctionCall) goja.Value {
				r := iso.rpcReceiver(c)
				return on(iso.js.promiseFinally, r.read().promise(), function(c, "finally", 0))
			})
			define(p)
		})
		_ = proto.DefineDataPropertySymbol(goja.SymToStringTag, iso.rt.ToValue(tag), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		f := iso.rt.ToValue(func(goja.FunctionCall) goja.Value { return goja.Undefined() }).(*goja.Object)
		_ = f.Delete("name")
		_ = f.Delete("length")
		_ = f.SetPrototype(proto)
		return f
	}
	iso.rpc.property = class("RpcProperty", "JsRpcProperty", func(*goja.Object) {})
	iso.rpc.promise = class("RpcPromise", "JsRpcPromise", func(p *goja.Object) {
		iso.disposer(p)
	})
}

// disposer gives o a Symbol.dispose that has nothing to do: only references
// need to be disposed of.
func (iso *Isolate) disposer(o *goja.Object) {
	if sym, ok := iso.js.symbol.Get("dispose").(*goja.Symbol); ok {
		fn := iso.rt.ToValue(func(goja.FunctionCall) goja.Value { return goja.Undefined() })
		// A frozen object goes without.
		_ = o.DefineDataPropertySymbol(sym, fn, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
}

// wrap makes the object that scripts see.
func (r *rpcRef) wrap() *goja.Object {
	target := r.iso.rpc.property
	if r.result != nil {
		target = r.iso.rpc.promise
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
	if isIndex(name) {
		return goja.Undefined() // indexes are not remote names (measured on workerd)
	}
	if r.result != nil {
		return (&rpcRef{iso: r.iso, base: r, path: []string{name}, target: r.target}).wrap()
	}
	return (&rpcRef{iso: r.iso, stub: r.stub, base: r.base, path: r.iso.deeper(r.path, name), target: r.target}).wrap()
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
	if t := o.Export().(goja.Proxy).Target(); t != iso.rpc.promise && t != iso.rpc.property {
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

// apply calls the method that a property names.
func (r *rpcRef) apply(_ *goja.Object, _ goja.Value, args []goja.Value) goja.Value {
	if r.stub != nil {
		return r.stub.call(r.path, args)
	}
	return (&rpcRef{iso: r.iso, result: r.pipelined(true), target: r.target}).wrap()
}

// read returns the result of a call, or reads the property.
func (r *rpcRef) read() *rpcResult {
	switch {
	case r.result != nil:
		return r.result
	case r.stub != nil:
		return r.stub.start(durable.Get, r.path, nil, nil)
	}
	return r.pipelined(false)
}

// pipelined reads, or calls, what a path on the result of a call names. The
// result came as a copy and holds no functions, so the path is followed here;
// the errors are those of the callee.
func (r *rpcRef) pipelined(call bool) *rpcResult {
	iso, base := r.iso, r.base
	if r.result != nil {
		base = r
	}
	if base.call != nil {
		base.call.NoRetry()
	}
	d := iso.newResult()
	iso.then(base.result.promise(), func(v goja.Value) {
		d.settle(func() (out goja.Value) {
			ex := iso.rt.Try(func() {
				out = v
				if len(r.path) > 0 {
					_, out = iso.walk(v, plainReceiver, r.path)
				}
				if call {
					iso.throwNotFunction(r.path)
				}
			})
			if ex != nil {
				id := ""
				if r.target != nil {
					id = r.target.Target().ID.String()
				}
				err := remote(iso.errorOf(ex.Value(), id))
				panic(iso.thrownError(err, nil))
			}
			return out
		})
	}, func(v goja.Value) { d.settle(func() goja.Value { panic(v) }) })
	return d
}
