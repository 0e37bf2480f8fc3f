package webapi

import "github.com/dop251/goja"

// The events of scripts that are no modules exist as classes only: no such
// event is ever sent, and nobody can construct one.
func init() {
	unsent := func(id classID, name string, parent classID, methods ...string) {
		classSpecs[id] = classSpec{name: name, parent: parent, init: func(a *API, c *class) {
			for _, m := range methods {
				c.method(m, func(goja.FunctionCall) goja.Value {
					a.throwTypeError(illegalInvocation)
					return nil
				})
			}
		}}
	}
	unsent(classExtendableEvent, "ExtendableEvent", classEvent, "waitUntil")
	unsent(classFetchEvent, "FetchEvent", classExtendableEvent, "respondWith", "passThroughOnException")
	unsent(classScheduledEvent, "ScheduledEvent", classExtendableEvent, "noRetry")
	unsent(classTailEvent, "TailEvent", classExtendableEvent)
	unsent(classPromiseRejectionEvent, "PromiseRejectionEvent", classEvent)
}

// NewPromiseRejectionEvent makes a trusted event about a promise that was
// rejected without a handler ("unhandledrejection"), or got one later
// ("rejectionhandled").
func (a *API) NewPromiseRejectionEvent(typ string, promise, reason goja.Value) *goja.Object {
	o := a.instance(classPromiseRejectionEvent, a.trustedEvent(typ))
	ownReadOnly(o, "promise", promise)
	ownReadOnly(o, "reason", reason)
	return o
}
