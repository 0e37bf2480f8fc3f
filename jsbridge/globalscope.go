package jsbridge

import (
	"github.com/dop251/goja"
)

// installScope makes the global object a ServiceWorkerGlobalScope: it receives
// events, and has the functions of this package. Like the rest of the platform's
// functions they stand on the global object itself.
func (iso *Isolate) installScope() {
	g := iso.rt.GlobalObject()
	target := iso.api.Class("EventTarget").Get("prototype").(*goja.Object)
	worker := iso.prototype("WorkerGlobalScope", nil, func(p *goja.Object) {
		for _, name := range []string{"addEventListener", "removeEventListener", "dispatchEvent"} {
			fn, _ := goja.AssertFunction(target.Get(name))
			length := int(target.Get(name).(*goja.Object).Get("length").ToInteger())
			iso.method(p, name, length, func(c goja.FunctionCall) goja.Value {
				// Called as a plain function it has no this.
				v, ex := iso.call(fn, g, c.Arguments...)
				if ex != nil {
					panic(ex)
				}
				return v
			})
		}
	})
	_ = g.SetPrototype(iso.prototype("ServiceWorkerGlobalScope", worker, func(*goja.Object) {}))
	iso.api.InitEventTarget(g)
	_ = g.DefineDataProperty("self", g, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = g.DefineDataProperty("global", g, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	iso.installTimers(g)
	iso.installScheduler(g)
	iso.method(g, "structuredClone", 1, iso.structuredClone)
	iso.method(g, "reportError", 1, func(c goja.FunctionCall) goja.Value {
		iso.reportError(c.Argument(0))
		return goja.Undefined()
	})
}

func (iso *Isolate) structuredClone(c goja.FunctionCall) goja.Value {
	if o, ok := c.Argument(1).(*goja.Object); ok {
		if t, ok := o.Get("transfer").(*goja.Object); ok && t.Get("length").ToInteger() > 0 {
			iso.throw(errNotImplemented("the transfer option of structuredClone()"))
		}
	}
	data, err := iso.clone.Encode(nil, c.Argument(0), iso.cloning.local)
	if err != nil {
		iso.throw(err)
	}
	v, err := iso.clone.Decode(data, iso.cloning.local)
	if err != nil {
		iso.throw(err)
	}
	return v
}
