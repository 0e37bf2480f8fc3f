package webapi

import (
	"slices"

	"github.com/dop251/goja"
)

// scope is the prototype of the global object. On the real runtime nearly all
// of the platform's classes and functions are properties of it, not of the
// global object itself, all of them writable, enumerable and configurable.
//
// Here it is an object whose properties are asked of Go: one that no script
// asks for costs nothing at all, not even an accessor.
type scope struct {
	api *API
	// order is the table of the properties that exist from the start.
	order []string
	make  func(name string) func() goja.Value
	// added are those that scripts added; they are listed after the others.
	added  []string
	values map[string]goja.Value // made or assigned; nil if deleted
}

var _ goja.DynamicObject = (*scope)(nil)

// Get implements [goja.DynamicObject]. The first read makes the value.
func (s *scope) Get(name string) goja.Value {
	if v, ok := s.values[name]; ok {
		return v
	}
	f := s.make(name)
	if f == nil {
		return nil
	}
	v := f()
	s.values[name] = v
	return v
}

// Set implements [goja.DynamicObject].
func (s *scope) Set(name string, v goja.Value) bool {
	if !s.Has(name) && !slices.Contains(s.order, name) {
		s.added = append(s.added, name)
	}
	s.values[name] = v
	return true
}

// Has implements [goja.DynamicObject].
func (s *scope) Has(name string) bool {
	if v, ok := s.values[name]; ok {
		return v != nil
	}
	return s.make(name) != nil
}

// Delete implements [goja.DynamicObject].
func (s *scope) Delete(name string) bool {
	if s.Has(name) {
		s.values[name] = nil
	}
	if i := slices.Index(s.added, name); i >= 0 {
		s.added = slices.Delete(s.added, i, i+1)
		delete(s.values, name)
	}
	return true
}

// Keys implements [goja.DynamicObject].
func (s *scope) Keys() []string {
	keys := make([]string, 0, len(s.order)+len(s.added))
	for _, list := range [][]string{s.order, s.added} {
		for _, name := range list {
			if s.Has(name) {
				keys = append(keys, name)
			}
		}
	}
	return keys
}

// scopeNames is the order in which the real runtime lists the properties.
var scopeNames = []string{
	"DOMException", "WorkerGlobalScope", "btoa", "atob", "setTimeout", "clearTimeout", "setInterval", "clearInterval",
	"queueMicrotask", "structuredClone", "reportError", "fetch", "Event", "ExtendableEvent", "CustomEvent",
	"PromiseRejectionEvent", "FetchEvent", "TailEvent", "TraceEvent", "ScheduledEvent", "MessageEvent", "CloseEvent",
	"ReadableStreamDefaultReader", "ReadableStreamBYOBReader", "ReadableStream", "WritableStream",
	"WritableStreamDefaultWriter", "TransformStream", "ByteLengthQueuingStrategy", "CountQueuingStrategy", "ErrorEvent",
	"MessageChannel", "MessagePort", "EventSource", "ReadableStreamBYOBRequest", "ReadableStreamDefaultController",
	"ReadableByteStreamController", "WritableStreamDefaultController", "TransformStreamDefaultController",
	"setImmediate", "clearImmediate", "CompressionStream", "DecompressionStream", "TextEncoderStream",
	"TextDecoderStream", "Headers", "Body", "Request", "Response", "WebSocket", "WebSocketPair",
	"WebSocketRequestResponsePair", "AbortController", "AbortSignal", "TextDecoder", "TextEncoder", "Navigator", "URL",
	"URLSearchParams", "URLPattern", "Blob", "File", "FormData", "Crypto", "SubtleCrypto", "CryptoKey", "CacheStorage",
	"Cache", "FixedLengthStream", "IdentityTransformStream", "HTMLRewriter", "Performance", "PerformanceEntry",
	"PerformanceMark", "PerformanceMeasure", "PerformanceResourceTiming", "PerformanceObserver",
	"PerformanceObserverEntryList",
}

// classNames finds a class by the name of its global.
var classNames map[string]classID

// streamClasses are the names that the stream files define.
var streamClasses map[string]bool

// indexScope fills the tables above, once the classes have been described.
func indexScope() {
	classNames = make(map[string]classID, numClasses)
	for id := classID(0); id < numClasses; id++ {
		if spec := &classSpecs[id]; !spec.hidden {
			classNames[spec.name] = id
		}
	}
	classNames["TraceEvent"] = classTailEvent
	streamClasses = make(map[string]bool, len(streamNames))
	for _, name := range streamNames {
		streamClasses[name] = true
	}
}

// installScope makes the global object a ServiceWorkerGlobalScope.
func (a *API) installScope() {
	indexOnce.Do(indexScope)
	rt := a.rt
	g := rt.GlobalObject()
	a.scopeExtra = make(map[string]func() goja.Value)
	outer := &scope{api: a, order: workerScopeNames, make: a.workerScope, values: make(map[string]goja.Value)}
	a.scope = &scope{api: a, order: scopeNames, make: a.serviceScope, values: make(map[string]goja.Value)}
	outerObject := rt.NewDynamicObject(outer)
	a.scopeObject = rt.NewDynamicObject(a.scope)
	must(a.scopeObject.SetPrototype(outerObject))
	must(g.SetPrototype(a.scopeObject))
	// An object of this kind can have no symbols; what the prototypes should
	// have is on the global object.
	must(g.DefineDataPropertySymbol(goja.SymToStringTag, rt.ToValue("ServiceWorkerGlobalScope"), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE))
	a.attach(g, &eventTarget{})
	a.lazyGlobal(g, "ServiceWorkerGlobalScope", a.serviceScopeClass)
}

// serviceScope says how a property of the global object's prototype is made.
func (a *API) serviceScope(name string) func() goja.Value {
	if f := a.scopeExtra[name]; f != nil {
		return f
	}
	if id, ok := classNames[name]; ok && id != classEventTarget {
		return func() goja.Value { return a.class(id).ctor }
	}
	if streamClasses[name] {
		return func() goja.Value { return a.loadStreams().classes.Get(name) }
	}
	switch name {
	case "atob":
		return func() goja.Value { return a.scopeFunction(name, a.atob) }
	case "btoa":
		return func() goja.Value { return a.scopeFunction(name, a.btoa) }
	case "constructor":
		return a.serviceScopeClass
	}
	return nil
}

// workerScopeNames are the properties of the prototype's prototype. The event
// functions are there, and not in the prototype of the class EventTarget:
// on the real runtime globalThis is no instance of that either.
var workerScopeNames = []string{"EventTarget", "addEventListener", "removeEventListener", "dispatchEvent"}

func (a *API) workerScope(name string) func() goja.Value {
	switch name {
	case "constructor":
		return func() goja.Value { return a.class(classWorkerGlobalScope).ctor }
	case "EventTarget":
		return func() goja.Value { return a.class(classEventTarget).ctor }
	case "addEventListener":
		return func() goja.Value { return a.scopeFunction(name, a.addEventListener) }
	case "removeEventListener":
		return func() goja.Value { return a.scopeFunction(name, a.removeEventListener) }
	case "dispatchEvent":
		return func() goja.Value { return a.scopeFunction(name, a.dispatchEvent) }
	}
	return nil
}

// serviceScopeClass makes the class of the global object.
func (a *API) serviceScopeClass() goja.Value {
	c := a.class(classServiceWorkerGlobalScope)
	must(c.ctor.DefineDataProperty("prototype", a.scopeObject, goja.FLAG_TRUE, goja.FLAG_FALSE, goja.FLAG_FALSE))
	return c.ctor
}

// scopeFunction makes a function of the global scope. Called as a plain
// function it acts on the global object; called on anything else it fails.
func (a *API) scopeFunction(name string, f native) *goja.Object {
	return a.function(name, func(call goja.FunctionCall) goja.Value {
		if isNullish(call.This) {
			call.This = a.rt.GlobalObject()
		} else if call.This != a.rt.GlobalObject() {
			a.throwTypeError(illegalInvocation)
		}
		return f(call)
	})
}

// ScopeFunction defines a function of the global scope, in the prototype of the
// global object, where the real runtime has it. Nothing is made until a script
// asks for it. The function is never called on anything but the global object.
func (a *API) ScopeFunction(name string, f func(goja.FunctionCall) goja.Value) {
	a.scopeExtra[name] = func() goja.Value { return a.scopeFunction(name, f) }
}

// ScopeClass defines a class of the global scope that another part of the
// runtime makes.
func (a *API) ScopeClass(name string, make func() goja.Value) { a.scopeExtra[name] = make }

func init() {
	classSpecs[classWorkerGlobalScope] = classSpec{name: "WorkerGlobalScope", parent: classEventTarget, init: func(a *API, c *class) {
		must(c.proto.DefineDataProperty("EventTarget", a.class(classEventTarget).ctor, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	}}
	classSpecs[classServiceWorkerGlobalScope] = classSpec{name: "ServiceWorkerGlobalScope", parent: classWorkerGlobalScope, hidden: true}
}
