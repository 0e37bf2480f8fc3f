package wasmapi

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

// disallowed is what workerd says to all code that did not come with the
// worker.
const disallowed = "Wasm code generation disallowed by embedder"

// namespace returns the WebAssembly object, which it makes on first use.
func (a *API) namespace() *goja.Object {
	if a.ns != nil {
		return a.ns
	}
	a.ns = a.rt.NewObject()
	a.compileError, a.linkError, a.runtimeError = a.errorClass("CompileError"), a.errorClass("LinkError"), a.errorClass("RuntimeError")
	a.moduleClass()
	a.instanceClass()
	a.tableClass()
	a.memoryClass()
	a.globalClass()
	a.tag = a.unsupportedClass("Tag", 1)
	exception := a.unsupportedClass("Exception", 2)

	a.method(a.ns, "compile", 1, a.compile)
	a.method(a.ns, "validate", 1, a.validate)
	a.method(a.ns, "instantiate", 1, a.instantiateAsync)
	for _, c := range []struct {
		name string
		ctor *goja.Object
	}{
		{"Module", a.module.ctor}, {"Instance", a.instance.ctor}, {"Table", a.table.ctor}, {"Memory", a.memory.ctor},
		{"Global", a.global.ctor}, {"Tag", a.tag.ctor}, {"Exception", exception.ctor},
		{"CompileError", a.compileError}, {"LinkError", a.linkError}, {"RuntimeError", a.runtimeError},
	} {
		must(a.ns.DefineDataProperty(c.name, c.ctor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	}
	must(a.ns.DefineDataPropertySymbol(goja.SymToStringTag, a.rt.ToValue("WebAssembly"), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	return a.ns
}

// unsupportedClass makes a class whose objects scripts cannot make.
func (a *API) unsupportedClass(name string, length int) class {
	c := a.class(name, "WebAssembly."+name+"(): ", func(_ goja.ConstructorCall, prefix string) {
		a.throwType("%s: exceptions of WebAssembly are not supported in JavaScript", prefix)
	})
	a.describe(c.ctor, name, length)
	return c
}

func (a *API) moduleClass() {
	a.module = a.class("Module", "WebAssembly.Module(): ", func(_ goja.ConstructorCall, prefix string) {
		a.throw(a.compileError, "%s: %s", prefix, disallowed)
	})
	this := func(c goja.FunctionCall, where string) *wasm.Module {
		m, ok := of[*wasm.Module](a, c.Argument(0))
		if !ok {
			a.throwType("%s: Argument 0 must be a WebAssembly.Module", where)
		}
		return m
	}
	a.method(a.module.ctor, "imports", 1, func(c goja.FunctionCall) goja.Value {
		m := this(c, "WebAssembly.Module.imports()")
		list := make([]any, len(m.Imports))
		for i, im := range m.Imports {
			o := a.rt.NewObject()
			must(o.Set("module", im.Module))
			must(o.Set("name", im.Name))
			must(o.Set("kind", im.Type.Kind.String()))
			list[i] = o
		}
		return a.rt.NewArray(list...)
	})
	a.method(a.module.ctor, "exports", 1, func(c goja.FunctionCall) goja.Value {
		m := this(c, "WebAssembly.Module.exports()")
		list := make([]any, len(m.Exports))
		for i, x := range m.Exports {
			o := a.rt.NewObject()
			must(o.Set("name", x.Name))
			must(o.Set("kind", x.Type.Kind.String()))
			list[i] = o
		}
		return a.rt.NewArray(list...)
	})
	a.method(a.module.ctor, "customSections", 2, func(c goja.FunctionCall) goja.Value {
		const where = "WebAssembly.Module.customSections()"
		m := this(c, where)
		if !defined(c.Argument(1)) {
			a.throwType("%s is required", argument(where, 1))
		}
		name := c.Argument(1).ToString().String()
		list := []any{}
		for _, s := range m.Custom {
			if s.Name == name {
				list = append(list, a.rt.NewArrayBuffer(append([]byte(nil), s.Data...)))
			}
		}
		return a.rt.NewArray(list...)
	})
}

func (a *API) compile(goja.FunctionCall) goja.Value {
	p, _, reject := a.rt.NewPromise()
	must(reject(a.newError(a.compileError, "WebAssembly.compile(): "+disallowed)))
	return a.rt.ToValue(p)
}

func (a *API) validate(c goja.FunctionCall) goja.Value {
	data, ok := a.bytes(c.Argument(0))
	if !ok {
		a.throwType("WebAssembly.validate(): Argument 0 must be a buffer source")
	}
	_, err := wasm.Compile(append([]byte(nil), data...))
	return a.rt.ToValue(err == nil)
}

// bytes returns the contents of a buffer source.
func (a *API) bytes(v goja.Value) ([]byte, bool) {
	o, ok := v.(*goja.Object)
	if !ok {
		return nil, false
	}
	if b, ok := o.Export().(goja.ArrayBuffer); ok {
		return b.Bytes(), true
	}
	isView := a.js.isView(goja.FunctionCall{Arguments: []goja.Value{v}}).ToBoolean()
	if !isView {
		return nil, false
	}
	b, ok := o.Get("buffer").Export().(goja.ArrayBuffer)
	if !ok || b.Detached() {
		return nil, ok
	}
	from := o.Get("byteOffset").ToInteger()
	return b.Bytes()[from : from+o.Get("byteLength").ToInteger()], true
}

// instantiateAsync is WebAssembly.instantiate. The module is instantiated at
// once; the promise settles a microtask later, or two where bytes are refused.
func (a *API) instantiateAsync(c goja.FunctionCall) goja.Value {
	const where = "WebAssembly.instantiate()"
	p, resolve, reject := a.rt.NewPromise()
	delay := 1
	var result goja.Value
	ex := a.rt.Try(func() {
		o, ok := c.Argument(0).(*goja.Object)
		if !ok {
			a.throwType("%s: Argument 0 must be a buffer source or a WebAssembly.Module object", where)
		}
		m, ok := of[*wasm.Module](a, o)
		if !ok {
			if imports := c.Argument(1); defined(imports) {
				if _, ok := imports.(*goja.Object); !ok {
					a.throwType("%s: Argument 1 must be an object", where)
				}
			}
			if _, ok := a.bytes(o); !ok {
				a.throwType("%s: Argument 0 must be a buffer source", where)
			}
			delay = 2
			a.throw(a.compileError, "%s: %s", where, disallowed)
		}
		i, exports := a.instantiate(m, c.Argument(1), where)
		instance := a.rt.CreateObject(a.instance.proto)
		a.bind(instance, &instanceView{i, exports})
		result = instance
	})
	a.later(delay, func() {
		if ex != nil {
			must(reject(ex.Value()))
			return
		}
		must(resolve(result))
	})
	return a.rt.ToValue(p)
}

// later runs f as a microtask that n-1 others come before.
func (a *API) later(n int, f func()) {
	p := on(a.js.promiseResolve, a.js.promise, goja.Undefined())
	for ; n > 1; n-- {
		p = on(a.js.promiseThen, p, goja.Undefined())
	}
	on(a.js.promiseThen, p, a.rt.ToValue(func(goja.FunctionCall) goja.Value {
		f()
		return goja.Undefined()
	}))
}
