package jsbridge

import (
	"strconv"

	"github.com/dop251/goja"
)

// installScope completes the global object: what the Web APIs have not brought,
// and the few things that stand on the object itself.
func (iso *Isolate) installScope() {
	g := iso.rt.GlobalObject()
	_ = g.Delete("GoError") // goja's own
	_ = g.DefineDataProperty("self", g, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	_ = g.DefineDataProperty("global", g, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	_ = g.DefineDataProperty("origin", iso.rt.ToValue("null"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	iso.installTimers(g)
	iso.installScheduler(g)
	iso.installHTML()
	iso.installIntl()
	iso.api.Lazy(g, "Buffer", func() goja.Value {
		m, err := iso.modules.Load("node:buffer")
		if err != nil {
			iso.throw(err)
		}
		return m.Get("Buffer")
	})
	iso.api.Lazy(g, "process", func() goja.Value {
		m, err := iso.modules.Load("node:process")
		if err != nil {
			iso.throw(err)
		}
		return m.Get("default")
	})
	iso.api.ScopeFunction("structuredClone", iso.structuredClone)
	iso.api.ScopeFunction("reportError", func(c goja.FunctionCall) goja.Value {
		if len(c.Arguments) == 0 {
			iso.throwType("Failed to execute 'reportError' on 'ServiceWorkerGlobalScope': parameter 1 is not of type 'Value'.")
		}
		iso.reportError(c.Argument(0))
		return goja.Undefined()
	})
}

func (iso *Isolate) structuredClone(c goja.FunctionCall) goja.Value {
	if len(c.Arguments) == 0 {
		iso.throwType("Failed to execute 'structuredClone' on 'ServiceWorkerGlobalScope': parameter 1 is not of type 'Value'.")
	}
	buffers := iso.transferList(c.Argument(1))
	v := iso.cloneValue(c.Argument(0))
	for _, b := range buffers {
		b.Detach()
	}
	return v
}

// transferList reads the options of structuredClone.
func (iso *Isolate) transferList(v goja.Value) (buffers []goja.ArrayBuffer) {
	if goja.IsUndefined(v) || goja.IsNull(v) {
		return nil
	}
	options, ok := v.(*goja.Object)
	if !ok {
		iso.throwType("Failed to execute 'structuredClone' on 'ServiceWorkerGlobalScope': parameter 2 is not of type 'StructuredCloneOptions'.")
	}
	v = options.Get("transfer")
	if v == nil || goja.IsUndefined(v) {
		return nil
	}
	list, ok := v.(*goja.Object)
	if !ok || list.ClassName() != "Array" {
		iso.throwType("Incorrect type for the 'transfer' field on 'StructuredCloneOptions': the provided value is not of type 'Array'.")
	}
	for i := range int(list.Get("length").ToInteger()) {
		b, ok := iso.api.BufferOf(list.Get(strconv.Itoa(i)))
		if !ok {
			iso.throwType("Object is not transferable")
		}
		buffers = append(buffers, b)
	}
	return buffers
}

// cloneValue makes a structured clone within the isolate.
func (iso *Isolate) cloneValue(v goja.Value) goja.Value {
	data, err := iso.clone.Encode(nil, v, iso.cloning.local)
	if err != nil {
		iso.throw(err)
	}
	v, err = iso.clone.Decode(data, iso.cloning.local)
	if err != nil {
		iso.throw(err)
	}
	return v
}
