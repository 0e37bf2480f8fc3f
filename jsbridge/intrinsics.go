package jsbridge

import (
	"reflect"

	"github.com/dop251/goja"
)

// native is a built-in function called straight, without a frame of its own.
type native = func(goja.FunctionCall) goja.Value

// intrinsics are built-in functions, fetched before any script can replace them.
type intrinsics struct {
	promise        *goja.Object
	promiseResolve native
	promiseThen    native
	promiseFinally native
	hasOwn         native
	weakMapGet     native
	weakMapSet     native
	weakSetHas     native
	weakSetAdd     native
	defineProperty native
	isExtensible   native
	jsonParse      goja.Callable
	errorToString  native

	objectProto *goja.Object
	// iteratorProto is what all iterators inherit from.
	iteratorProto *goja.Object
	rpcTarget     *goja.Object // RpcTarget.prototype
	weakMap       *goja.Object
	weakSet       *goja.Object
	errorCtor     *goja.Object
	symbol        *goja.Object
	mapCtor       *goja.Object
	mapSet        native
	errors        map[string]*goja.Object // the error classes by name
}

var (
	typeInt     = reflect.TypeFor[int64]()
	typeFloat   = reflect.TypeFor[float64]()
	typeProxy   = reflect.TypeFor[goja.Proxy]()
	typePlain   = reflect.TypeFor[map[string]any]()
	typePromise = reflect.TypeFor[*goja.Promise]()
	typeNative  = reflect.TypeFor[native]()
)

func (iso *Isolate) loadIntrinsics() {
	g := iso.rt.GlobalObject()
	obj := func(v goja.Value) *goja.Object { return v.(*goja.Object) }
	fn := func(o *goja.Object, name string) native { return o.Get(name).Export().(native) }
	js := &iso.js
	js.promise = obj(g.Get("Promise"))
	iso.promises = iso.newPromises()
	js.promiseResolve = fn(js.promise, "resolve")
	js.promiseThen = fn(obj(js.promise.Get("prototype")), "then")
	js.promiseFinally = fn(obj(js.promise.Get("prototype")), "finally")
	object := obj(g.Get("Object"))
	js.hasOwn = fn(object, "hasOwn")
	js.defineProperty = fn(object, "defineProperty")
	js.isExtensible = fn(object, "isExtensible")
	js.objectProto = obj(object.Get("prototype"))
	iterator := obj(obj(g.Get("Array")).Get("prototype")).GetSymbol(goja.SymIterator)
	values, _ := goja.AssertFunction(iterator)
	if it, err := values(iso.rt.NewArray()); err == nil {
		js.iteratorProto = obj(it).Prototype().Prototype()
	}
	js.weakMap = obj(g.Get("WeakMap"))
	wm := obj(js.weakMap.Get("prototype"))
	js.weakMapGet, js.weakMapSet = fn(wm, "get"), fn(wm, "set")
	js.weakSet = obj(g.Get("WeakSet"))
	ws := obj(js.weakSet.Get("prototype"))
	js.weakSetHas, js.weakSetAdd = fn(ws, "has"), fn(ws, "add")
	js.errorCtor = obj(g.Get("Error"))
	js.errorToString = fn(obj(js.errorCtor.Get("prototype")), "toString")
	js.jsonParse, _ = goja.AssertFunction(obj(g.Get("JSON")).Get("parse"))
	js.symbol = obj(g.Get("Symbol"))
	js.mapCtor = obj(g.Get("Map"))
	js.mapSet = fn(obj(js.mapCtor.Get("prototype")), "set")
	js.errors = make(map[string]*goja.Object)
	for _, name := range []string{"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError"} {
		js.errors[name] = obj(g.Get(name))
	}
}

func on(f native, this goja.Value, args ...goja.Value) goja.Value {
	return f(goja.FunctionCall{This: this, Arguments: args})
}

// construct makes an object with a built-in or script constructor; an exception
// goes through as a panic.
func (iso *Isolate) construct(ctor *goja.Object, args ...goja.Value) *goja.Object {
	o, err := iso.rt.New(ctor, args...)
	if err != nil {
		panic(err)
	}
	return o
}

// then calls ok or fail, as a promise job, when v (a promise, a thenable or a
// plain value) is settled. A nil function is left out.
func (iso *Isolate) then(v goja.Value, ok, fail func(goja.Value)) {
	if iso.promises != nil && ok != nil && fail != nil && iso.promises.observe(v, ok, fail) {
		return
	}
	p := on(iso.js.promiseResolve, iso.js.promise, v)
	on(iso.js.promiseThen, p, iso.handler(ok), iso.handler(fail))
}

func (iso *Isolate) handler(f func(goja.Value)) goja.Value {
	if f == nil {
		return goja.Undefined()
	}
	return iso.rt.ToValue(func(c goja.FunctionCall) goja.Value {
		f(c.Argument(0))
		return goja.Undefined()
	})
}

// settled returns a promise that is fulfilled with v, or rejected with what make
// throws.
func (iso *Isolate) settled(make func() goja.Value) goja.Value {
	d := iso.newDeferred()
	d.settle(make)
	return d.promise
}

// throw throws an *Error of Go as its JavaScript counterpart.
func (iso *Isolate) throw(err error) {
	panic(iso.errorValue(err))
}

// throwType throws a TypeError.
func (iso *Isolate) throwType(format string, args ...any) {
	panic(iso.rt.NewTypeError(append([]any{format}, args...)...))
}

// hostRef is the Go value behind an object of the platform. A stub is a proxy:
// the value hangs on the proxy's target, and proxy tells the platform's own proxy
// from one that a script put around the same target.
type hostRef struct {
	data  any
	proxy *goja.Object
}

// bind ties a Go value to an object without anything to be seen on the object.
func (iso *Isolate) bind(o *goja.Object, data any) {
	if p, ok := o.Export().(goja.Proxy); ok {
		iso.api.Attach(p.Target(), &hostRef{data, o})
		return
	}
	iso.api.Attach(o, &hostRef{data: data})
}

// hostOf returns the Go value that is bound to v, if it is of type T.
func hostOf[T any](iso *Isolate, v goja.Value) (t T, ok bool) {
	o, isObject := v.(*goja.Object)
	if !isObject {
		return t, false
	}
	var proxy *goja.Object
	if o.ExportType() == typeProxy {
		proxy = o
		if o = o.Export().(goja.Proxy).Target(); o == nil {
			return t, false // revoked
		}
	}
	if proxy == nil && iso.clone != nil {
		if tag := iso.clone.Tag(o); tag != nil {
			t, ok = tag.(T)
			return t, ok
		}
	}
	ref, _ := iso.api.Attached(o).(*hostRef)
	if ref == nil || ref.proxy != proxy {
		return t, false
	}
	t, ok = ref.data.(T)
	return t, ok
}

const illegalInvocation = "Illegal invocation: function called with incorrect `this` reference. " +
	"See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details."

// receiver returns the Go value of a method's this, or throws as the real
// runtime does.
func receiver[T any](iso *Isolate, c goja.FunctionCall) T {
	t, ok := hostOf[T](iso, c.This)
	if !ok {
		iso.throwType(illegalInvocation)
	}
	return t
}

// method defines a function as Web IDL defines operations: enumerable, with a
// name and a length.
func (iso *Isolate) method(o *goja.Object, name string, length int, f native) {
	_ = o.DefineDataProperty(name, iso.function(name, length, f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
}

func (iso *Isolate) function(name string, length int, f native) *goja.Object {
	fn := iso.rt.ToValue(f).(*goja.Object)
	_ = fn.DefineDataProperty("name", iso.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	if length != 0 { // the engine's own value
		_ = fn.DefineDataProperty("length", iso.rt.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return fn
}

// getter defines a read-only attribute as Web IDL does.
func (iso *Isolate) getter(o *goja.Object, name string, f func(goja.FunctionCall) goja.Value) {
	_ = o.DefineAccessorProperty(name, iso.function("get "+name, 0, f), nil, goja.FLAG_TRUE, goja.FLAG_TRUE)
}

// interfaces are the prototypes of the platform's classes, made when first used.
type interfaces struct {
	m map[string]*goja.Object
}

// prototype returns the prototype object of a platform class whose constructor
// scripts cannot call. parent may be nil.
func (iso *Isolate) prototype(name string, parent *goja.Object, define func(proto *goja.Object)) *goja.Object {
	if p := iso.classes.m[name]; p != nil {
		return p
	}
	if iso.classes.m == nil {
		iso.classes.m = make(map[string]*goja.Object)
	}
	if parent == nil {
		parent = iso.js.objectProto
	}
	p := iso.rt.CreateObject(parent)
	iso.classes.m[name] = p
	ctor := iso.rt.ToValue(func(goja.ConstructorCall) *goja.Object {
		panic(iso.rt.NewTypeError("Illegal constructor"))
	}).(*goja.Object)
	_ = ctor.DefineDataProperty("name", iso.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = ctor.DefineDataProperty("prototype", p, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	define(p)
	_ = p.DefineDataProperty("constructor", ctor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = p.DefineDataPropertySymbol(goja.SymToStringTag, iso.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return p
}

// object returns a new object of a platform class with its Go value.
func (iso *Isolate) object(proto *goja.Object, data any) *goja.Object {
	if iso.clone != nil {
		if o := iso.clone.NewTagged(proto, data); o != nil {
			return o
		}
	}
	o := iso.rt.CreateObject(proto)
	iso.bind(o, data)
	return o
}

// isPlatformObject reports whether o is an object of the platform.
func (iso *Isolate) isPlatformObject(o *goja.Object) bool {
	return iso.api.IsPlatformObject(o) || iso.clone.Tag(o) != nil
}
