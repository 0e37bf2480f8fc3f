package webapi

import (
	"github.com/dop251/goja"
)

type classID int

// The classes, parents before children.
const (
	classDOMException classID = iota
	classEventTarget
	classEvent
	classCustomEvent
	classErrorEvent
	classMessageEvent
	classCloseEvent
	classOpenEvent
	classMessageChannel
	classMessagePort
	classEventSource
	classExtendableEvent
	classFetchEvent
	classScheduledEvent
	classTailEvent
	classPromiseRejectionEvent
	classWorkerGlobalScope
	classServiceWorkerGlobalScope
	classAbortController
	classAbortSignal
	classURL
	classURLSearchParams
	classURLPattern
	classTextEncoder
	classTextDecoder
	classHeaders
	classBody
	classRequest
	classResponse
	classBlob
	classFile
	classFormData
	classCrypto
	classSubtleCrypto
	classCryptoKey
	classPerformance
	classPerformanceEntry
	classPerformanceMark
	classPerformanceMeasure
	classPerformanceResourceTiming
	classPerformanceNodeTiming
	classPerformanceObserver
	classPerformanceObserverEntryList
	classEventCounts
	classCacheStorage
	classCache
	classNavigator
	classWebSocket
	classWebSocketPair
	classWebSocketRequestResponsePair
	classKeyIterator
	classValueIterator
	classEntryIterator
	numClasses
)

const noParent classID = -1

// classSpec describes a class. It is shared by all runtimes; init runs once in
// each runtime that touches the class.
type classSpec struct {
	name   string
	parent classID
	// hidden classes are no globals.
	hidden bool
	// construct makes the attachment of call.This. It is nil for classes that
	// scripts cannot construct.
	construct func(a *API, call goja.ConstructorCall)
	// init adds the members.
	init func(a *API, c *class)
}

// class is a class that exists in a runtime.
type class struct {
	api         *API
	spec        *classSpec
	ctor, proto *goja.Object
}

// classSpecs is filled by the init functions of the files that implement the
// classes, so that each class is described in one place.
var classSpecs [numClasses]classSpec

// class returns the class, which it builds on first use.
func (a *API) class(id classID) *class {
	if c := a.classes[id]; c != nil {
		return c
	}
	spec := &classSpecs[id]
	ctor := a.rt.ToValue(func(call goja.ConstructorCall) *goja.Object {
		switch {
		case spec.construct == nil:
			a.throwTypeError("Illegal constructor")
		case a.calledWithoutNew(call):
			a.throwTypeError("Failed to construct '" + spec.name + "': Please use the 'new' operator, this object constructor cannot be called as a function.")
		}
		spec.construct(a, call)
		return nil
	}).(*goja.Object)
	a.nameFunction(ctor, spec.name)
	c := &class{api: a, spec: spec, ctor: ctor, proto: ctor.Get("prototype").(*goja.Object)}
	a.classes[id] = c
	if spec.parent != noParent {
		must(c.proto.SetPrototype(a.class(spec.parent).proto))
	}
	must(c.proto.DefineDataPropertySymbol(goja.SymToStringTag, a.rt.ToValue(spec.name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	if spec.init != nil {
		spec.init(a, c)
	}
	return c
}

// calledWithoutNew tells `X()` from `new X()`. goja reports no new.target for
// either, but only a plain call has a frame of its own on the call stack.
func (a *API) calledWithoutNew(call goja.ConstructorCall) bool {
	if call.NewTarget != nil {
		return false
	}
	a.frames = a.rt.CaptureCallStack(1, a.frames[:0])
	return len(a.frames) == 0 || a.frames[0].SrcName() == "<native>"
}

// instance makes an object of the class with s attached, without running the
// constructor.
func (a *API) instance(id classID, s state) *goja.Object {
	o := a.rt.CreateObject(a.class(id).proto)
	a.attach(o, s)
	return o
}

type native = func(goja.FunctionCall) goja.Value

// method adds an enumerable method to the prototype. In workerd all have
// length 0.
func (c *class) method(name string, f native) {
	must(c.proto.DefineDataProperty(name, c.api.function(name, f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

// static adds an enumerable method to the constructor.
func (c *class) static(name string, f native) {
	must(c.ctor.DefineDataProperty(name, c.api.function(name, f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

// symbolMethod adds a method under a well-known symbol. It has no name.
func (c *class) symbolMethod(sym *goja.Symbol, f native) {
	must(c.proto.DefineDataPropertySymbol(sym, c.api.function("", f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

// constant adds a read-only number to both the constructor and the prototype.
func (c *class) constant(name string, value int) {
	v := c.api.rt.ToValue(value)
	must(c.ctor.DefineDataProperty(name, v, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	must(c.proto.DefineDataProperty(name, v, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

// getter adds a read-only attribute. get takes the receiver.
func (c *class) getter(name string, get func(this goja.Value) goja.Value) {
	c.accessor(name, get, nil)
}

// accessor adds an attribute; set may be nil.
func (c *class) accessor(name string, get func(this goja.Value) goja.Value, set func(this, v goja.Value)) {
	getter := c.api.function("", func(call goja.FunctionCall) goja.Value { return get(call.This) })
	var setter goja.Value
	if set != nil {
		setter = c.api.function("", func(call goja.FunctionCall) goja.Value {
			set(call.This, call.Argument(0))
			return goja.Undefined()
		})
	}
	must(c.proto.DefineAccessorProperty(name, getter, setter, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

// function makes a function object with the given name and length 0.
func (a *API) function(name string, f native) *goja.Object {
	o := a.rt.ToValue(f).(*goja.Object)
	a.nameFunction(o, name)
	return o
}

func (a *API) nameFunction(o *goja.Object, name string) {
	must(o.DefineDataProperty("name", a.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE))
}

// must is for definitions on objects that were just made, where failure means
// a mistake in this package.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
