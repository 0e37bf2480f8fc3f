package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// contextExports returns ctx.exports: a stub for each export that can be called,
// a namespace for each class of objects that the configuration names
// (https://developers.cloudflare.com/workers/runtime-apis/context/#exports).
func (iso *Isolate) contextExports() goja.Value {
	if !iso.compat("enable_ctx_exports") {
		return goja.Undefined()
	}
	if iso.loopback != nil {
		return iso.loopback
	}
	o := iso.rt.NewObject()
	for _, name := range iso.exports.Keys() {
		var v goja.Value
		export, isObject := iso.exports.Get(name).(*goja.Object)
		if ns := iso.cfg.Namespaces[name]; ns != nil {
			v = iso.newLoopbackNamespace(ns)
		} else if isObject && iso.cfg.Loopback != nil && !iso.inheritsFrom(export, "DurableObject") {
			v = iso.newLoopbackStub(name)
		} else {
			continue
		}
		_ = o.Set(name, v)
	}
	iso.loopback = o
	return o
}

// inheritsFrom reports whether an export is a class that extends one of
// cloudflare:workers.
func (iso *Isolate) inheritsFrom(o *goja.Object, base string) bool {
	return iso.inherits(o, iso.baseClass(base))
}

// callable returns a function to make a proxy around, with the prototype of a
// platform class.
func (iso *Isolate) callable(proto *goja.Object) *goja.Object {
	f := iso.rt.ToValue(func(goja.FunctionCall) goja.Value { return goja.Undefined() }).(*goja.Object)
	_ = f.Delete("name")
	_ = f.Delete("length")
	_ = f.SetPrototype(proto)
	return f
}

func (iso *Isolate) newLoopbackStub(export string) *goja.Object {
	s := &jsStub{iso: iso, export: export, service: iso.cfg.Loopback(Entry{Export: export})}
	return s.proxy(iso.callable(iso.prototype("LoopbackServiceStub", iso.fetcherPrototype(), func(*goja.Object) {})))
}

// withProps makes the stub that ctx.exports.Name({ props }) returns.
func (s *jsStub) withProps(args []goja.Value) goja.Value {
	iso := s.iso
	options, ok := goja.Value(nil), false
	if len(args) > 0 {
		options, ok = args[0].(*goja.Object)
	}
	if !ok {
		iso.throwType("Failed to execute '(called as function)' on 'LoopbackServiceStub': parameter 1 is not of type 'Options'.")
	}
	e := Entry{Export: s.export}
	if props := orUndefined(options.(*goja.Object).Get("props")); !goja.IsUndefined(props) {
		if _, ok := props.(*goja.Object); !ok {
			iso.throwType("Incorrect type for the 'props' field on 'Options': the provided value is not of type 'Object'.")
		}
		var err error
		if e.Props, err = iso.clone.Encode(nil, props, iso.cloning.local); err != nil {
			iso.throw(err)
		}
	}
	iso.inContext()
	t := &jsStub{iso: iso, service: iso.cfg.Loopback(e), ctx: iso.cur.ctx, kind: "SubrequestChannel"}
	return t.proxy(iso.rt.CreateObject(iso.fetcherPrototype()))
}

// newLoopbackNamespace makes a namespace of ctx.exports.
func (iso *Isolate) newLoopbackNamespace(ns *durable.Namespace) *goja.Object {
	proto := iso.prototype("LoopbackDurableObjectNamespace", iso.namespacePrototype(), func(*goja.Object) {})
	p := iso.rt.NewProxy(iso.callable(proto), &goja.ProxyTrapConfig{
		Apply: func(*goja.Object, goja.Value, []goja.Value) goja.Value {
			iso.throw(errNotImplemented("calling a class of ctx.exports"))
			return nil
		},
	})
	o := iso.rt.ToValue(p).(*goja.Object)
	iso.bind(o, ns)
	return o
}
