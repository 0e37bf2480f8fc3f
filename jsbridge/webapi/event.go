package webapi

import (
	"github.com/dop251/goja"
)

// event is the attachment of an Event and of its subclasses.
type event struct {
	slot
	typ                            goja.Value
	bubbles, cancelable, composed  bool
	trusted, prevented, dispatched bool
	refused                        bool // preventDefault was called, cancelable or not
	stopped, stoppedNow            bool
	phase                          int
	target, current                *goja.Object
	timeStamp                      float64
	custom                         *customFields
	failure                        *errorFields
}

type customFields struct{ detail goja.Value }

type errorFields struct {
	message, filename goja.Value
	lineno, colno     int
	err               goja.Value
}

// Phases of an event (https://dom.spec.whatwg.org/#dom-event-eventphase).
const (
	phaseNone     = 0
	phaseAtTarget = 2
)

// initEvent attaches an event to call.This from the arguments that all event
// constructors share, and returns it with the options object, if any.
func (a *API) initEvent(call goja.ConstructorCall, class, dict string) (*event, *goja.Object) {
	e := &event{typ: a.jsString(a.needCtor(call.Arguments, 0, class, "string")), timeStamp: a.now()}
	init := a.dict(call.Arguments, 1, func() { a.badCtorParam(1, class, dict) })
	if init != nil {
		e.bubbles = field(init, "bubbles").ToBoolean()
		e.cancelable = field(init, "cancelable").ToBoolean()
		e.composed = field(init, "composed").ToBoolean()
	}
	a.attach(call.This, e)
	return e, init
}

func init() {
	classSpecs[classEvent] = classSpec{
		name: "Event", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) { a.initEvent(call, "Event", "Init") },
		init:      initEventClass,
	}
	classSpecs[classCustomEvent] = classSpec{
		name: "CustomEvent", parent: classEvent,
		construct: func(a *API, call goja.ConstructorCall) {
			e, init := a.initEvent(call, "CustomEvent", "CustomEventInit")
			e.custom = &customFields{field(init, "detail")}
		},
		init: func(a *API, c *class) {
			c.getter("detail", func(v goja.Value) goja.Value {
				e := this[*event](a, v)
				if e.custom == nil {
					a.throwTypeError(illegalInvocation)
				}
				return e.custom.detail
			})
		},
	}
	classSpecs[classErrorEvent] = classSpec{
		name: "ErrorEvent", parent: classEvent,
		construct: func(a *API, call goja.ConstructorCall) {
			e, init := a.initEvent(call, "ErrorEvent", "ErrorEventInit")
			f := &errorFields{message: a.rt.ToValue(""), filename: a.rt.ToValue(""), err: field(init, "error")}
			if v := field(init, "message"); !isUndefined(v) {
				f.message = a.jsString(v)
			}
			if v := field(init, "filename"); !isUndefined(v) {
				f.filename = a.jsString(v)
			}
			f.lineno = a.int32(orZero(a, field(init, "lineno")))
			f.colno = a.int32(orZero(a, field(init, "colno")))
			e.failure = f
		},
		init: func(a *API, c *class) {
			get := func(name string, f func(*errorFields) goja.Value) {
				c.getter(name, func(v goja.Value) goja.Value {
					e := this[*event](a, v)
					if e.failure == nil {
						a.throwTypeError(illegalInvocation)
					}
					return f(e.failure)
				})
			}
			get("filename", func(f *errorFields) goja.Value { return f.filename })
			get("message", func(f *errorFields) goja.Value { return f.message })
			get("lineno", func(f *errorFields) goja.Value { return a.rt.ToValue(f.lineno) })
			get("colno", func(f *errorFields) goja.Value { return a.rt.ToValue(f.colno) })
			get("error", func(f *errorFields) goja.Value { return f.err })
		},
	}
	classSpecs[classMessageEvent] = classSpec{
		name: "MessageEvent", parent: classEvent,
		construct: func(a *API, call goja.ConstructorCall) {
			_, init := a.initEvent(call, "MessageEvent", "Initializer")
			text := func(name string) goja.Value {
				if v := field(init, name); !isUndefined(v) {
					return a.jsString(v)
				}
				return a.rt.ToValue("")
			}
			var data, source goja.Value = goja.Null(), goja.Null()
			if v := field(init, "data"); !isUndefined(v) {
				data = v
			}
			if v := field(init, "source"); !isNullish(v) {
				if !isA[*messagePort](a, v) {
					a.badField("Initializer", "source", "MessagePort")
				}
				source = v
			}
			a.initMessageEvent(call.This, a.portList(field(init, "ports")), source, text("lastEventId"), text("origin"), data)
		},
	}
	classSpecs[classCloseEvent] = classSpec{
		name: "CloseEvent", parent: classEvent,
		construct: func(a *API, call goja.ConstructorCall) {
			_, init := a.initEvent(call, "CloseEvent", "Initializer")
			reason := ""
			if v := field(init, "reason"); !isUndefined(v) {
				reason = a.str(v)
			}
			code := a.int32(orZero(a, field(init, "code")))
			a.initCloseEvent(call.This, code, reason, field(init, "wasClean").ToBoolean())
		},
	}
}

// portList copies the ports of a MessageEvent.
func (a *API) portList(v goja.Value) goja.Value {
	if isUndefined(v) {
		return a.rt.NewArray()
	}
	list, ok := v.(*goja.Object)
	if !ok || list.ClassName() != "Array" {
		a.badField("Initializer", "ports", "Array")
	}
	ports := make([]any, list.Get("length").ToInteger())
	for i := range ports {
		p := list.Get(itoa(i))
		if !isA[*messagePort](a, p) {
			a.throwTypeError("Incorrect type for array element " + itoa(i) + ": the provided value is not of type 'MessagePort'.")
		}
		ports[i] = p
	}
	return a.rt.NewArray(ports...)
}

func orZero(a *API, v goja.Value) goja.Value {
	if isUndefined(v) {
		return a.rt.ToValue(0)
	}
	return v
}

// ownReadOnly defines an own attribute. workerd keeps those of a few classes
// on the instance instead of the prototype.
func ownReadOnly(o *goja.Object, name string, v goja.Value) {
	must(o.DefineDataProperty(name, v, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_TRUE))
}

func (a *API) initMessageEvent(o *goja.Object, ports, source, lastEventID, origin, data goja.Value) {
	ownReadOnly(o, "ports", ports)
	ownReadOnly(o, "source", source)
	ownReadOnly(o, "lastEventId", lastEventID)
	ownReadOnly(o, "origin", origin)
	ownReadOnly(o, "data", data)
}

func (a *API) initCloseEvent(o *goja.Object, code int, reason string, wasClean bool) {
	ownReadOnly(o, "wasClean", a.rt.ToValue(wasClean))
	ownReadOnly(o, "reason", a.rt.ToValue(reason))
	ownReadOnly(o, "code", a.rt.ToValue(code))
}

func initEventClass(a *API, c *class) {
	get := func(name string, f func(*event) goja.Value) {
		c.getter(name, func(v goja.Value) goja.Value { return f(this[*event](a, v)) })
	}
	boolean := func(name string, f func(*event) bool) {
		get(name, func(e *event) goja.Value { return a.rt.ToValue(f(e)) })
	}
	object := func(o *goja.Object) goja.Value {
		if o == nil {
			return goja.Undefined()
		}
		return o
	}
	get("type", func(e *event) goja.Value { return e.typ })
	get("eventPhase", func(e *event) goja.Value { return a.rt.ToValue(e.phase) })
	boolean("composed", func(e *event) bool { return e.composed })
	boolean("bubbles", func(e *event) bool { return e.bubbles })
	boolean("cancelable", func(e *event) bool { return e.cancelable })
	boolean("defaultPrevented", func(e *event) bool { return e.prevented })
	boolean("returnValue", func(e *event) bool { return !e.prevented })
	get("currentTarget", func(e *event) goja.Value { return object(e.current) })
	get("target", func(e *event) goja.Value { return object(e.target) })
	get("srcElement", func(e *event) goja.Value { return object(e.target) })
	get("timeStamp", func(e *event) goja.Value { return a.rt.ToValue(e.timeStamp) })
	boolean("isTrusted", func(e *event) bool { return e.trusted })
	c.accessor("cancelBubble",
		func(v goja.Value) goja.Value { return a.rt.ToValue(this[*event](a, v).stopped) },
		func(v, x goja.Value) { this[*event](a, v).stopped = x.ToBoolean() })

	do := func(name string, f func(*event)) {
		c.method(name, func(call goja.FunctionCall) goja.Value {
			f(this[*event](a, call.This))
			return goja.Undefined()
		})
	}
	do("stopImmediatePropagation", func(e *event) { e.stopped, e.stoppedNow = true, true })
	do("preventDefault", func(e *event) {
		e.refused = true
		e.prevented = e.prevented || e.cancelable
	})
	do("stopPropagation", func(e *event) { e.stopped = true })
	c.method("composedPath", func(call goja.FunctionCall) goja.Value {
		if e := this[*event](a, call.This); e.dispatched {
			return a.rt.NewArray(e.target)
		}
		return a.rt.NewArray()
	})
	for i, name := range []string{"NONE", "CAPTURING_PHASE", "AT_TARGET", "BUBBLING_PHASE"} {
		c.constant(name, i)
	}
}

// NewEvent makes a trusted event of the given type, neither bubbling nor
// cancelable.
func (a *API) NewEvent(typ string) *goja.Object {
	return a.instance(classEvent, a.trustedEvent(typ))
}

// NewMessageEvent makes a trusted "message" event that carries data.
func (a *API) NewMessageEvent(data goja.Value) *goja.Object {
	o := a.instance(classMessageEvent, a.trustedEvent("message"))
	empty := a.rt.ToValue("")
	a.initMessageEvent(o, a.rt.NewArray(), goja.Null(), empty, empty, data)
	return o
}

// NewCloseEvent makes a trusted "close" event of a WebSocket.
func (a *API) NewCloseEvent(code int, reason string, wasClean bool) *goja.Object {
	o := a.instance(classCloseEvent, a.trustedEvent("close"))
	a.initCloseEvent(o, code, reason, wasClean)
	return o
}

// NewErrorEvent makes a trusted "error" event that carries err.
func (a *API) NewErrorEvent(message string, err goja.Value) *goja.Object {
	e := a.trustedEvent("error")
	e.failure = &errorFields{message: a.rt.ToValue(message), filename: a.rt.ToValue(""), err: err}
	return a.instance(classErrorEvent, e)
}

func (a *API) trustedEvent(typ string) *event {
	return &event{typ: a.rt.ToValue(typ), trusted: true, timeStamp: a.now()}
}
