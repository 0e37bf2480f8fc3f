package webapi

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/dop251/goja"
)

// Env is what the surroundings of a runtime supply. Nothing in this package
// reads a clock, waits or draws random numbers by itself.
type Env struct {
	// Now is the current time as scripts see it. Required.
	Now func() time.Time
	// TimeOrigin is the moment that performance.now() counts from. The zero
	// value means the Unix epoch, which is what workerd uses.
	TimeOrigin time.Time
	// Random is the source of crypto.getRandomValues, crypto.randomUUID and
	// multipart boundaries. Required.
	Random io.Reader
	// After calls f once after d, as a turn of the context that is current
	// now, unless cancel is called first. AbortSignal.timeout uses it; when it
	// is nil that function throws.
	After func(d time.Duration, f func()) (cancel func())
	// Async runs work on another goroutine and then done as a turn of the
	// context that is current now. Bodies that are streams of Go or of
	// JavaScript need it to cross; when it is nil that is an error.
	Async func(work, done func())
	// Later returns a function that posts turns of the context that is current
	// now; it may be called from any goroutine. Streams that work by callbacks
	// need it; when it is nil they use Async.
	Later func() (post func(f func()))
	// Own ties a stream to the context that is current now: stop is called when
	// the context ends, unless release is called before. hold keeps a context
	// whose other work is done from ending until then. When it is nil, streams
	// belong to nobody.
	Own func(hold bool, stop func()) (release func())
	// Owner returns the number of the context that is current now, not 0; what
	// the platform makes of bytes belongs to it. It may throw where nothing may
	// be made. Foreign returns the error of code that now uses something of
	// another one; kind is how the platform calls the thing. When they are nil,
	// nothing belongs to anybody.
	Owner   func() int64
	Foreign func(owner int64, kind string) goja.Value
	// ErrorOf turns what a script's stream failed with into the error that its
	// reader gets, ErrorValue turns the error of a body into what a script
	// sees; nil from it means that the connection was lost. When they are nil,
	// errors cross as text.
	ErrorOf    func(v goja.Value) error
	ErrorValue func(err error) goja.Value
	// ReportError is told what an event listener threw. The other listeners
	// still run. When it is nil such errors are dropped.
	ReportError func(v goja.Value)
	// Clone makes a structured clone of v, or throws. MessagePort needs it; when
	// it is nil posting a message throws.
	Clone func(v goja.Value) goja.Value
	// Fetch does what fetch(input, init) does, through a Fetcher, or with the
	// global function if fetcher is nil; it returns a promise. IsFetcher tells
	// what may be passed to it. EventSource needs them; when they are nil it
	// throws.
	Fetch     func(fetcher *goja.Object, input, init goja.Value) goja.Value
	IsFetcher func(v goja.Value) bool
	// Cache is what caches keep their responses in; without one they refuse, as
	// the real runtime does when none is configured.
	Cache CacheStore
	// IsWebSocket tells whether v may be the webSocket of a Response. When it
	// is nil no value may.
	IsWebSocket func(v goja.Value) bool
}

// indexOnce guards the tables of the scope, which all runtimes share.
var indexOnce sync.Once

// API is the Web APIs of one runtime. All methods must be called by the
// goroutine that currently runs the runtime.
type API struct {
	rt      *goja.Runtime
	env     Env
	slotSym *goja.Symbol
	classes [numClasses]*class
	// frames is scratch space for calledWithoutNew.
	frames []goja.StackFrame

	crypto, subtle, performance, navigator            *goja.Object
	jsonParse, jsonStringify, regexpExec, promiseThen goja.Callable
	streams                                           *streamAPI
	// intrinsics are the built-in objects that this package uses, fetched
	// before a script can replace or delete them.
	intrinsics map[string]*goja.Object
	// scope is the prototype of the global object, scopeExtra what other parts
	// of the runtime define in it.
	scope       *scope
	scopeObject *goja.Object
	scopeExtra  map[string]func() goja.Value
	// owned are the bodies from Go that the current contexts have not read or
	// passed on yet.
	owned map[io.Reader]func()
}

// Install defines the globals on rt and returns the handle that the rest of
// the program uses to make and read the objects. It must be called once per
// runtime, before any script runs: the wrappers it puts around the reflective
// built-ins (see hideSlot) must come first.
//
// It fails if env lacks a required field.
func Install(rt *goja.Runtime, env Env) (*API, error) {
	switch {
	case env.Now == nil:
		return nil, fmt.Errorf("webapi: Env.Now is required")
	case env.Random == nil:
		return nil, fmt.Errorf("webapi: Env.Random is required")
	}
	a := &API{rt: rt, env: env, slotSym: goja.NewSymbol("")}
	a.intrinsics = make(map[string]*goja.Object)
	for _, name := range []string{"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError",
		"AggregateError", "Uint8Array", "Symbol", "JSON", "Object", "Reflect"} {
		a.intrinsics[name] = rt.Get(name).ToObject(rt)
	}
	a.jsonParse, a.jsonStringify = a.builtin("JSON", "parse"), a.builtin("JSON", "stringify")
	a.promiseThen, _ = goja.AssertFunction(rt.Get("Promise").ToObject(rt).Get("prototype").ToObject(rt).Get("then"))
	a.hideSlot()
	a.installScope()
	global := rt.GlobalObject()
	a.lazyGlobal(global, "crypto", func() goja.Value { return a.cryptoObject() })
	a.lazyGlobal(global, "performance", func() goja.Value { return a.performanceObject() })
	a.lazyGlobal(global, "caches", func() goja.Value { return a.cachesObject() })
	a.lazyGlobal(global, "navigator", func() goja.Value { return a.navigatorObject() })
	return a, nil
}

// Class returns the constructor of a class of this package, for example
// "EventTarget", or nil if there is none of that name. Other parts of the
// runtime use it to derive classes.
func (a *API) Class(name string) *goja.Object {
	for id := classID(0); id < numClasses; id++ {
		if classSpecs[id].name == name {
			return a.class(id).ctor
		}
	}
	return nil
}

// lazyGlobal defines a property whose value is made when a script first reads
// it. From then on, and after an assignment, it is a plain data property.
func (a *API) lazyGlobal(o *goja.Object, name string, make func() goja.Value) {
	settle := func(v goja.Value) {
		// The property is configurable, so this cannot fail short of a frozen
		// global object, on which the accessor simply remains.
		_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	var value goja.Value
	getter := a.rt.ToValue(func(goja.FunctionCall) goja.Value {
		if value == nil {
			value = make()
			settle(value)
		}
		return value
	})
	setter := a.rt.ToValue(func(call goja.FunctionCall) goja.Value {
		value = call.Argument(0)
		settle(value)
		return goja.Undefined()
	})
	if err := o.DefineAccessorProperty(name, getter, setter, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
		panic(err)
	}
}
