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
	iso.api.Lazy(g, "process", func() goja.Value { return iso.process() })
	iso.api.ScopeFunction("structuredClone", iso.structuredClone)
	iso.api.ScopeFunction("reportError", func(c goja.FunctionCall) goja.Value {
		if len(c.Arguments) == 0 {
			iso.throwType("Failed to execute 'reportError' on 'ServiceWorkerGlobalScope': parameter 1 is not of type 'Value'.")
		}
		iso.reportError(c.Argument(0))
		return goja.Undefined()
	})
}

// nodeVersion is the version of Node.js that the real runtime claims to be.
const nodeVersion = "22.23.4"

// process is the global of Node.js, as far as packages ask it where they run.
// env holds the text bindings of the worker.
func (iso *Isolate) process() goja.Value {
	rt := iso.rt
	p, env, versions := rt.NewObject(), rt.NewObject(), rt.NewObject()
	for _, b := range iso.cfg.Env {
		if b.Text != nil {
			_ = env.Set(b.Name, *b.Text)
		}
	}
	_ = versions.Set("node", nodeVersion)
	for _, f := range []struct {
		name  string
		value any
	}{
		{"version", "v" + nodeVersion}, {"versions", versions}, {"argv", rt.NewArray("workerd")},
		{"arch", "x64"}, {"platform", "linux"}, {"env", env},
	} {
		_ = p.Set(f.name, f.value)
	}
	_ = p.DefineDataPropertySymbol(goja.SymToStringTag, rt.ToValue("process"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	iso.method(p, "cwd", 0, func(goja.FunctionCall) goja.Value { return rt.ToValue("/bundle") })
	iso.method(p, "nextTick", 1, func(c goja.FunctionCall) goja.Value {
		iso.microtask(iso.timerCall(iso.functionArgument(c, "nextTick"), c.Arguments, 1))
		return goja.Undefined()
	})
	return p
}

// structuredClone implements the global function. Only the memory of array
// buffers can be transferred: it is copied, and then taken from its owner.
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
