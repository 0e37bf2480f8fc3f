package jsbridge

import (
	"github.com/dop251/goja"
)

// installScope completes the global object: what the Web APIs have not brought,
// and the few things that stand on the object itself.
func (iso *Isolate) installScope() {
	g := iso.rt.GlobalObject()
	_ = g.Delete("GoError") // goja's own
	_ = g.DefineDataProperty("self", g, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	_ = g.DefineDataProperty("global", g, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
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
