package webapi

import (
	"github.com/dop251/goja"
)

// eventTarget is the attachment of an EventTarget; other attachments embed it.
type eventTarget struct {
	slot
	listeners map[string][]*listener
	// added is told the type of each listener that is added; it may be nil.
	added func(typ string)
}

type listener struct {
	// callback is a function, or an object with a handleEvent method.
	callback *goja.Object
	once     bool
	// bare callbacks come from an on... attribute; workerd calls them with the
	// global object as receiver, and ignores handleEvent.
	bare bool
	// removed marks a listener that went away during a dispatch.
	removed bool
}

func (t *eventTarget) target() *eventTarget { return t }

// targetState is any attachment that can receive events.
type targetState interface {
	state
	target() *eventTarget
}

func init() {
	classSpecs[classEventTarget] = classSpec{
		name: "EventTarget", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) { a.attach(call.This, &eventTarget{}) },
		init: func(a *API, c *class) {
			c.method("addEventListener", a.addEventListener)
			c.method("removeEventListener", a.removeEventListener)
			c.method("dispatchEvent", a.dispatchEvent)
		},
	}
}

func (a *API) dispatchEvent(call goja.FunctionCall) goja.Value {
	t := this[targetState](a, call.This)
	e, ok := lookup[*event](a, a.need(call.Arguments, 0, "EventTarget", "dispatchEvent", "Event"))
	if !ok {
		a.badParam(0, "EventTarget", "dispatchEvent", "Event")
	}
	if e.dispatched {
		a.throwDOM("The event is already being dispatched.", "InvalidStateError")
	}
	return a.rt.ToValue(a.dispatch(t, e))
}

func (a *API) addEventListener(call goja.FunctionCall) goja.Value {
	const class, method = "EventTarget", "addEventListener"
	t := this[targetState](a, call.This).target()
	typ := a.str(a.need(call.Arguments, 0, class, method, "string"))
	cb := a.need(call.Arguments, 1, class, method, "function or HandlerObject")
	l := &listener{}
	var signal *abortSignal
	if opt := call.Argument(2); isObject(opt) {
		o := opt.(*goja.Object)
		if field(o, "capture").ToBoolean() {
			a.throwTypeError("addEventListener(): options.capture must be false.")
		}
		l.once = field(o, "once").ToBoolean()
		if s := field(o, "signal"); !isUndefined(s) {
			var ok bool
			if signal, ok = lookup[*abortSignal](a, s); !ok {
				a.badField("AddEventListenerOptions", "signal", "AbortSignal")
			}
		}
	} else if opt.ToBoolean() {
		a.throwTypeError("addEventListener(): useCapture must be false.")
	}
	if isNullish(cb) || signal != nil && signal.aborted {
		return goja.Undefined()
	}
	var ok bool
	if l.callback, ok = cb.(*goja.Object); !ok {
		a.badParam(1, class, method, "function or HandlerObject")
	}
	if _, ok := goja.AssertFunction(l.callback); !ok {
		if _, ok := goja.AssertFunction(field(l.callback, "handleEvent")); !ok {
			a.badField("HandlerObject", "handleEvent", "function")
		}
	}
	for _, old := range t.listeners[typ] {
		if old.callback == l.callback && !old.bare {
			return goja.Undefined()
		}
	}
	t.add(typ, l)
	if signal != nil {
		signal.onAbort(func(goja.Value) { t.remove(typ, l) })
	}
	return goja.Undefined()
}

func (a *API) removeEventListener(call goja.FunctionCall) goja.Value {
	const class, method = "EventTarget", "removeEventListener"
	t := this[targetState](a, call.This).target()
	typ := a.str(a.need(call.Arguments, 0, class, method, "string"))
	cb := a.need(call.Arguments, 1, class, method, "Object")
	if opt := call.Argument(2); isObject(opt) {
		if field(opt.(*goja.Object), "capture").ToBoolean() {
			a.throwTypeError("removeEventListener(): options.capture must be false.")
		}
	} else if opt.ToBoolean() {
		a.throwTypeError("removeEventListener(): useCapture must be false.")
	}
	if isNullish(cb) {
		return goja.Undefined()
	}
	o, ok := cb.(*goja.Object)
	if !ok {
		a.badParam(1, class, method, "Object")
	}
	for _, l := range t.listeners[typ] {
		if l.callback == o && !l.bare {
			t.remove(typ, l)
			break
		}
	}
	return goja.Undefined()
}

func (t *eventTarget) add(typ string, l *listener) {
	if t.listeners == nil {
		t.listeners = map[string][]*listener{}
	}
	t.listeners[typ] = append(t.listeners[typ], l)
	if t.added != nil {
		t.added(typ)
	}
}

// setHandler puts f in the place of the listener old, which an on... attribute
// keeps; what is no object takes it off.
func (t *eventTarget) setHandler(typ string, old *listener, f goja.Value) *listener {
	if old != nil {
		t.remove(typ, old)
	}
	o, ok := f.(*goja.Object)
	if !ok {
		return nil
	}
	l := &listener{callback: o, bare: true}
	t.add(typ, l)
	return l
}

// handler is what an on... attribute shows.
func (t *eventTarget) handler(l *listener) goja.Value {
	if l == nil {
		return goja.Null()
	}
	return l.callback
}

// remove takes a listener off. The list is copied because a dispatch may be
// walking over it.
func (t *eventTarget) remove(typ string, l *listener) {
	old := t.listeners[typ]
	for i := range old {
		if old[i] == l {
			l.removed = true
			kept := append(append(make([]*listener, 0, len(old)-1), old[:i]...), old[i+1:]...)
			t.listeners[typ] = kept
			return
		}
	}
}

// dispatch runs the listeners of e's type that exist now, and returns false if
// one of them called preventDefault. What a listener throws is reported and
// does not stop the others (https://dom.spec.whatwg.org/#concept-event-dispatch).
func (a *API) dispatch(ts targetState, e *event) bool {
	ok, _ := a.dispatchTo(ts, e)
	return ok
}

// dispatchTo is dispatch that also returns the first thing that a listener
// threw, nil if none did.
func (a *API) dispatchTo(ts targetState, e *event) (ok bool, thrown goja.Value) {
	t := ts.target()
	self := ts.base().owner
	e.dispatched = true
	e.target, e.current, e.phase = self, self, phaseAtTarget
	typ := e.typ.String()
	for _, l := range t.listeners[typ] {
		if l.removed {
			continue
		}
		if l.once {
			t.remove(typ, l)
		}
		if ex := a.rt.Try(func() { a.invoke(l, self, e) }); ex != nil {
			if thrown == nil {
				thrown = ex.Value()
			}
			if a.env.ReportError != nil {
				a.env.ReportError(ex.Value())
			}
		}
		if e.stoppedNow {
			break
		}
	}
	e.phase = phaseNone
	e.dispatched = false
	// workerd does not ask whether the event is cancelable.
	return !e.refused, thrown
}

func (a *API) invoke(l *listener, self *goja.Object, e *event) {
	var receiver goja.Value = self
	f, ok := goja.AssertFunction(l.callback)
	switch {
	case l.bare:
		if !ok {
			return
		}
		receiver = a.rt.GlobalObject()
	case !ok:
		receiver = l.callback
		if f, ok = goja.AssertFunction(l.callback.Get("handleEvent")); !ok {
			return
		}
	}
	if _, err := f(receiver, e.owner); err != nil {
		a.rethrow(err)
	}
}

// InitEventTarget makes o, an object whose prototype chain should include
// EventTarget.prototype, able to receive events.
func (a *API) InitEventTarget(o *goja.Object) {
	a.attach(o, &eventTarget{})
}

// DispatchEvent sends an event of this package to a target and returns false
// if a listener prevented the default. It panics if either is not what it
// should be: both come from Go.
func (a *API) DispatchEvent(target, ev *goja.Object) bool {
	t, ok1 := lookup[targetState](a, target)
	e, ok2 := lookup[*event](a, ev)
	if !ok1 || !ok2 {
		panic("webapi: DispatchEvent needs an EventTarget and an Event")
	}
	return a.dispatch(t, e)
}

// HasListeners tells whether target, an EventTarget, has a listener for the
// event type.
func (a *API) HasListeners(target *goja.Object, typ string) bool {
	t, ok := lookup[targetState](a, target)
	return ok && len(t.target().listeners[typ]) > 0
}
