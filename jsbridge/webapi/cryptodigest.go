package webapi

import "github.com/dop251/goja"

// digestObject is a running digest as crypto.DigestStream sees it
// (https://developers.cloudflare.com/workers/runtime-apis/web-crypto/#constructors).
func (a *API) digestObject(call goja.FunctionCall) goja.Value {
	h := digests[a.hashName(call.Argument(0))].New()
	length := 0
	o := a.rt.NewObject()
	must(o.Set("write", func(call goja.FunctionCall) goja.Value {
		data, _ := a.bytesOf(call.Argument(0))
		length += len(data)
		h.Write(data)
		return goja.Undefined()
	}))
	must(o.Set("length", func(goja.FunctionCall) goja.Value { return a.rt.ToValue(length) }))
	must(o.Set("sum", func(goja.FunctionCall) goja.Value { return a.arrayBuffer(h.Sum(nil)) }))
	return o
}

// digestStreamClass makes crypto.DigestStream. The stream files are loaded when
// the first one is constructed, so that other uses of crypto do not pay for
// them; its prototype gets its members then.
func (a *API) digestStreamClass() *goja.Object {
	const name = "DigestStream"
	var proto *goja.Object
	var construct goja.Constructor
	ctor := a.rt.ToValue(func(call goja.ConstructorCall) *goja.Object {
		if a.calledWithoutNew(call) {
			a.throwTypeError("Failed to construct '" + name + "': Please use the 'new' operator, this object constructor cannot be called as a function.")
		}
		if construct == nil {
			inner := a.loadStreams().classes.Get(name).ToObject(a.rt)
			must(proto.SetPrototype(inner.Get("prototype").ToObject(a.rt)))
			construct, _ = goja.AssertConstructor(inner)
		}
		o, err := construct(nil, call.Arguments...)
		if err != nil {
			a.rethrow(err)
		}
		must(o.SetPrototype(call.This.Prototype()))
		return o
	}).(*goja.Object)
	a.nameFunction(ctor, name)
	proto = ctor.Get("prototype").ToObject(a.rt)
	must(proto.DefineDataPropertySymbol(goja.SymToStringTag, a.rt.ToValue(name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	for _, member := range []string{"digest", "bytesWritten"} {
		get := a.function("", func(call goja.FunctionCall) goja.Value {
			o, ok := call.This.(*goja.Object)
			if construct == nil || !ok || o.Prototype() == nil {
				a.throwTypeError(illegalInvocation)
			}
			f, _ := goja.AssertFunction(a.call(a.digestGetter(), a.rt.ToValue(member)))
			v, err := f(o)
			if err != nil {
				a.rethrow(err)
			}
			return v
		})
		must(proto.DefineAccessorProperty(member, get, nil, goja.FLAG_TRUE, goja.FLAG_TRUE))
	}
	return ctor
}

// digestGetter finds the getter of a member of the class in the stream files.
func (a *API) digestGetter() goja.Callable {
	inner := a.loadStreams().classes.Get("DigestStream").ToObject(a.rt).Get("prototype")
	return func(_ goja.Value, args ...goja.Value) (goja.Value, error) {
		f, _ := goja.AssertFunction(a.intrinsics["Object"].Get("getOwnPropertyDescriptor"))
		d, err := f(goja.Undefined(), inner, args[0])
		if err != nil {
			return nil, err
		}
		return d.ToObject(a.rt).Get("get"), nil
	}
}
