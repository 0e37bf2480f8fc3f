package webapi

import (
	"math"
	"slices"
	"time"

	"github.com/dop251/goja"
)

// abortSignal is the attachment of an AbortSignal. Its object is made when a
// script first needs one: most requests carry a signal that nobody looks at.
type abortSignal struct {
	eventTarget
	aborted bool
	reason  goja.Value
	onabort *listener
	origin  SignalOrigin
	// algorithms run before the event, dependents after it
	// (https://dom.spec.whatwg.org/#abortsignal-signal-abort).
	algorithms []*abortAlgorithm
	dependents []*abortSignal
}

// SignalOrigin says where an AbortSignal comes from.
type SignalOrigin uint8

// Origins of signals.
const (
	OwnSignal      SignalOrigin = iota // a script made it
	RequestSignal                      // that of a request which came in
	ReceivedSignal                     // it came in a message
)

// SetSignalOrigin notes where a signal comes from.
func (a *API) SetSignalOrigin(signal *goja.Object, from SignalOrigin) {
	if s, ok := lookup[*abortSignal](a, signal); ok {
		s.origin = from
	}
}

// OriginOf returns where a signal comes from.
func (a *API) OriginOf(signal *goja.Object) SignalOrigin {
	if s, ok := lookup[*abortSignal](a, signal); ok {
		return s.origin
	}
	return OwnSignal
}

// abortController is the attachment of an AbortController.
type abortController struct {
	slot
	signal *abortSignal
}

type abortAlgorithm struct{ run func(reason goja.Value) }

// onAbort adds an algorithm. The returned function takes it off again, so that
// a signal that outlives many calls does not gather them.
func (s *abortSignal) onAbort(f func(reason goja.Value)) (stop func()) {
	alg := &abortAlgorithm{f}
	s.algorithms = append(s.algorithms, alg)
	return func() {
		alg.run = nil
		s.algorithms = slices.DeleteFunc(slices.Clone(s.algorithms), func(x *abortAlgorithm) bool { return x == alg })
	}
}

// signalObject returns the object of a signal.
func (a *API) signalObject(s *abortSignal) *goja.Object {
	if s.owner == nil {
		a.instance(classAbortSignal, s)
	}
	return s.owner
}

// abortReason makes the default reason. Aborts count as lost connections,
// which is why it says that the operation may be retried.
func (a *API) abortReason(message, name string) *goja.Object {
	e := a.NewDOMException(message, name)
	must(e.Set("retryable", true))
	return e
}

// abort aborts a signal and what depends on it. A second call does nothing.
func (a *API) abort(s *abortSignal, reason goja.Value) {
	if s.aborted {
		return
	}
	s.aborted = true
	if isUndefined(reason) {
		reason = a.abortReason("The operation was aborted", "AbortError")
	}
	s.reason = reason
	algorithms, dependents := s.algorithms, s.dependents
	s.algorithms, s.dependents = nil, nil
	for _, alg := range algorithms {
		if alg.run != nil {
			alg.run(reason)
		}
	}
	if len(s.listeners["abort"]) > 0 {
		e := a.trustedEvent("abort")
		a.instance(classEvent, e)
		a.dispatch(s, e)
	}
	for _, d := range dependents {
		a.abort(d, reason)
	}
}

func init() {
	classSpecs[classAbortController] = classSpec{
		name: "AbortController", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) {
			a.attach(call.This, &abortController{signal: &abortSignal{}})
		},
		init: func(a *API, c *class) {
			c.getter("signal", func(v goja.Value) goja.Value {
				return a.signalObject(this[*abortController](a, v).signal)
			})
			c.method("abort", func(call goja.FunctionCall) goja.Value {
				a.abort(this[*abortController](a, call.This).signal, call.Argument(0))
				return goja.Undefined()
			})
		},
	}
	classSpecs[classAbortSignal] = classSpec{
		name: "AbortSignal", parent: classEventTarget, init: initAbortSignal,
	}
}

func initAbortSignal(a *API, c *class) {
	c.getter("aborted", func(v goja.Value) goja.Value {
		return a.rt.ToValue(this[*abortSignal](a, v).aborted)
	})
	c.getter("reason", func(v goja.Value) goja.Value {
		if r := this[*abortSignal](a, v).reason; r != nil {
			return r
		}
		return goja.Undefined()
	})
	c.accessor("onabort", func(v goja.Value) goja.Value {
		s := this[*abortSignal](a, v)
		return s.handler(s.onabort)
	}, func(v, x goja.Value) {
		s := this[*abortSignal](a, v)
		s.onabort = s.setHandler("abort", s.onabort, x)
	})
	c.method("throwIfAborted", func(call goja.FunctionCall) goja.Value {
		if s := this[*abortSignal](a, call.This); s.aborted {
			a.throw(s.reason)
		}
		return goja.Undefined()
	})
	c.static("abort", func(call goja.FunctionCall) goja.Value {
		s := &abortSignal{}
		a.abort(s, call.Argument(0))
		return a.signalObject(s)
	})
	c.static("timeout", a.abortTimeout)
	c.static("any", a.abortAny)
}

func (a *API) abortTimeout(call goja.FunctionCall) goja.Value {
	ms := a.number(a.need(call.Arguments, 0, "AbortSignal", "timeout", "number"))
	if a.env.After == nil {
		a.throw(a.newError("Error", "AbortSignal.timeout is not implemented here: this context has no timers"))
	}
	s := &abortSignal{}
	o := a.signalObject(s)
	// The same bounds as setTimeout: a 32-bit number of milliseconds.
	if !(ms > 0) {
		ms = 0
	} else if ms > math.MaxInt32 {
		ms = math.MaxInt32
	}
	cancel := a.env.After(time.Duration(ms)*time.Millisecond, func() {
		a.abort(s, a.abortReason("The operation was aborted due to timeout", "TimeoutError"))
	})
	s.onAbort(func(goja.Value) { cancel() })
	return o
}

func (a *API) abortAny(call goja.FunctionCall) goja.Value {
	list := a.need(call.Arguments, 0, "AbortSignal", "any", "Array")
	arr, ok := list.(*goja.Object)
	if !ok || arr.ClassName() != "Array" {
		a.badParam(0, "AbortSignal", "any", "Array")
	}
	n := int(arr.Get("length").ToInteger())
	sources := make([]*abortSignal, n)
	for i := range n {
		if sources[i], ok = lookup[*abortSignal](a, arr.Get(itoa(i))); !ok {
			a.throwTypeError("Incorrect type for array element " + itoa(i) + ": the provided value is not of type 'AbortSignal'.")
		}
	}
	s := &abortSignal{}
	for _, src := range sources {
		if src.aborted {
			a.abort(s, src.reason)
			return a.signalObject(s)
		}
	}
	for _, src := range sources {
		src.dependents = append(src.dependents, s)
	}
	return a.signalObject(s)
}

// IsAbortSignal tells whether v is an AbortSignal.
func (a *API) IsAbortSignal(v goja.Value) bool {
	_, ok := lookup[*abortSignal](a, v)
	return ok
}

// Aborted tells whether signal is an AbortSignal that was aborted, and why.
func (a *API) Aborted(signal goja.Value) (reason goja.Value, aborted bool) {
	s, ok := lookup[*abortSignal](a, signal)
	if !ok || !s.aborted {
		return nil, false
	}
	return s.reason, true
}

// OnAbort calls f once with the reason when the signal is aborted, before the
// script's own listeners; at once if it already is. For a value that is not an
// AbortSignal it does nothing. The returned function takes f off again.
func (a *API) OnAbort(signal goja.Value, f func(reason goja.Value)) (stop func()) {
	s, ok := lookup[*abortSignal](a, signal)
	if !ok {
		return func() {}
	}
	if s.aborted {
		f(s.reason)
		return func() {}
	}
	return s.onAbort(f)
}

// NewAbortSignal makes a signal and the function that aborts it, with the
// default reason if the argument is nil. The function must be called in a turn.
func (a *API) NewAbortSignal() (signal *goja.Object, abort func(reason goja.Value)) {
	s := &abortSignal{}
	return a.signalObject(s), func(reason goja.Value) { a.abort(s, reason) }
}
