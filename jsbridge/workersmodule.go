package jsbridge

import (
	_ "embed"
	"sync"

	"github.com/dop251/goja"
)

// workersExports are the exports of cloudflare:workers.
var workersExports = []string{
	"DurableObject", "RpcPromise", "RpcProperty", "RpcStub", "RpcTarget", "ServiceStub", "WorkerEntrypoint", "WorkflowEntrypoint",
	"abortIsolate", "cache", "env", "exports", "restore", "tracing", "waitUntil", "withEnv", "withEnvAndExports", "withExports",
}

//go:embed js/workers.js
var workersSource string

var workersProgram = sync.OnceValues(func() (*goja.Program, error) {
	return goja.Compile("durashim:workers", workersSource, true)
})

// workersModule makes cloudflare:workers.
func (iso *Isolate) workersModule() (*goja.Object, error) {
	prg, err := workersProgram()
	if err != nil {
		return nil, err
	}
	v, err := iso.rt.RunProgram(prg)
	if err != nil {
		return nil, err
	}
	build, _ := goja.AssertFunction(v)
	v, err = build(goja.Undefined(), iso.workersHost())
	if err != nil {
		return nil, err
	}
	m := v.(*goja.Object)
	ctor, proto := m.Get("RpcStub").(*goja.Object), iso.rpc.stub.Prototype()
	_ = ctor.DefineDataProperty("prototype", proto, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	_ = proto.DefineDataProperty("constructor", ctor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = m.Set("RpcPromise", iso.rpc.promise.Prototype().Get("constructor"))
	_ = m.Set("RpcProperty", iso.rpc.property.Prototype().Get("constructor"))
	_ = m.Set("ServiceStub", iso.fetcherPrototype().Get("constructor"))
	_ = m.Set("waitUntil", iso.function("bound waitUntil", 0, func(c goja.FunctionCall) goja.Value {
		if len(c.Arguments) == 0 {
			iso.throwType("Failed to execute 'waitUntil' on 'EntrypointsModule': parameter 1 is not of type 'Promise'.")
		}
		iso.inContext()
		iso.waitUntil(c.Argument(0), iso.cur.ctx.hold())
		return goja.Undefined()
	}))
	return m, nil
}

// workersHost is what workers.js needs of the isolate.
func (iso *Isolate) workersHost() *goja.Object {
	h := iso.rt.NewObject()
	set := func(name string, f native) { _ = h.Set(name, f) }
	set("newStub", func(c goja.FunctionCall) goja.Value { return iso.makeStub(c.Argument(0).(*goja.Object)) })
	set("tag", func(c goja.FunctionCall) goja.Value {
		_ = c.Argument(0).(*goja.Object).DefineDataPropertySymbol(goja.SymToStringTag, c.Argument(1), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		return goja.Undefined()
	})
	set("missing", func(c goja.FunctionCall) goja.Value {
		iso.throw(errNotImplemented(c.Argument(0).String()))
		return nil
	})
	set("env", func(goja.FunctionCall) goja.Value {
		if iso.cur != nil && iso.cur.env != nil {
			return iso.cur.env
		}
		return iso.env
	})
	set("exports", func(goja.FunctionCall) goja.Value {
		if iso.cur != nil && iso.cur.exports != nil {
			return iso.cur.exports
		}
		if iso.exports == nil { // the script is still loading
			return iso.rt.NewObject()
		}
		if o, ok := iso.contextExports().(*goja.Object); ok {
			return o
		}
		return iso.rt.NewObject()
	})
	set("run", func(c goja.FunctionCall) goja.Value {
		before := iso.cur
		f := *before
		if c.Argument(3).ToBoolean() {
			f.env, _ = c.Argument(1).(*goja.Object) // anything else brings back the original
		}
		if c.Argument(4).ToBoolean() {
			f.exports, _ = c.Argument(2).(*goja.Object)
		}
		iso.cur = &f
		fn, _ := goja.AssertFunction(c.Argument(0))
		v, ex := iso.call(fn, iso.rt.GlobalObject())
		iso.cur = before
		if ex != nil {
			panic(ex)
		}
		return v
	})
	return h
}
