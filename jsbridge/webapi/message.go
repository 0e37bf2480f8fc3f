package webapi

import "github.com/dop251/goja"

// messagePort is the attachment of a MessagePort.
type messagePort struct {
	eventTarget
	api       *API
	peer      *messagePort
	onmessage *listener
	// started is set by start(). A port that has a listener delivers too, as on
	// the real runtime.
	started, closed bool
	pending         []goja.Value // messages that nobody listens to yet
}

type messageChannel struct{ slot }

func init() {
	classSpecs[classMessageChannel] = classSpec{name: "MessageChannel", parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) {
			one, two := &messagePort{api: a}, &messagePort{api: a}
			one.peer, two.peer = two, one
			for _, p := range []*messagePort{one, two} {
				p.added = p.flush
			}
			a.attach(call.This, &messageChannel{})
			ownReadOnly(call.This, "port2", a.instance(classMessagePort, two))
			ownReadOnly(call.This, "port1", a.instance(classMessagePort, one))
		},
	}
	classSpecs[classMessagePort] = classSpec{name: "MessagePort", parent: classEventTarget, init: initMessagePort}
}

func initMessagePort(a *API, c *class) {
	c.accessor("onmessage", func(v goja.Value) goja.Value {
		return this[*messagePort](a, v).handler(this[*messagePort](a, v).onmessage)
	}, func(v, f goja.Value) {
		p := this[*messagePort](a, v)
		p.onmessage = p.setHandler("message", p.onmessage, f)
	})
	c.method("postMessage", func(call goja.FunctionCall) goja.Value {
		p := this[*messagePort](a, call.This)
		a.checkTransferList(call.Argument(1))
		data := a.clone(call.Argument(0))
		if !p.closed {
			p.peer.receive(data)
		}
		return goja.Undefined()
	})
	c.method("start", func(call goja.FunctionCall) goja.Value {
		p := this[*messagePort](a, call.This)
		p.started = true
		p.flush("message")
		return goja.Undefined()
	})
	c.method("close", func(call goja.FunctionCall) goja.Value {
		if p := this[*messagePort](a, call.This); !p.closed {
			p.closed, p.peer.closed = true, true
			for _, end := range []*messagePort{p.peer, p} {
				end.pending = nil
				e := a.trustedEvent("close")
				a.instance(classEvent, e)
				a.dispatch(end, e)
			}
		}
		return goja.Undefined()
	})
}

// checkTransferList checks the second argument of postMessage. Nothing can be
// transferred through a port of the real runtime.
func (a *API) checkTransferList(v goja.Value) {
	if isNullish(v) {
		return
	}
	o, ok := v.(*goja.Object)
	if !ok {
		a.badParam(1, "MessagePort", "postMessage", "Array or PostMessageOptions")
	}
	if o.ClassName() != "Array" {
		v = field(o, "transfer")
		if isUndefined(v) {
			return
		}
		if o, ok = v.(*goja.Object); !ok || o.ClassName() != "Array" {
			a.badField("PostMessageOptions", "transfer", "Array")
		}
	}
	if o.Get("length").ToInteger() > 0 {
		a.throw(a.newError("Error", "Transfer list is not supported"))
	}
}

// clone makes a structured clone.
func (a *API) clone(v goja.Value) goja.Value {
	if a.env.Clone == nil {
		a.throw(a.newError("Error", "structured clones are not implemented here"))
	}
	return a.env.Clone(v)
}

// receive takes a message that was posted to the port.
func (p *messagePort) receive(data goja.Value) {
	if !p.started && len(p.listeners["message"]) == 0 {
		p.pending = append(p.pending, data)
		return
	}
	p.deliver(data)
}

// flush delivers what was posted before anybody listened.
func (p *messagePort) flush(typ string) {
	if typ != "message" {
		return
	}
	for _, data := range p.pending {
		p.deliver(data)
	}
	p.pending = nil
}

// deliver sends the event for a message, as a promise job. When a listener
// throws there is a second one.
func (p *messagePort) deliver(data goja.Value) {
	a := p.api
	a.microtask(func() {
		if thrown := p.send("message", data); thrown != nil {
			p.send("messageerror", thrown)
		}
	})
}

func (p *messagePort) send(typ string, data goja.Value) (thrown goja.Value) {
	a := p.api
	e := a.trustedEvent(typ)
	empty := a.rt.ToValue("")
	a.initMessageEvent(a.instance(classMessageEvent, e), a.rt.NewArray(), p.owner, empty, goja.Null(), data)
	_, thrown = a.dispatchTo(p, e)
	return thrown
}

// microtask runs f as a promise job of the code that runs now.
func (a *API) microtask(f func()) {
	p, resolve, _ := a.rt.NewPromise()
	must(resolve(goja.Undefined()))
	a.then(a.rt.ToValue(p), func(goja.Value) { f() }, nil)
}

// then calls one of the functions, as a promise job, when the promise v is
// settled; either may be nil.
func (a *API) then(v goja.Value, ok, fail func(goja.Value)) {
	handler := func(f func(goja.Value)) goja.Value {
		if f == nil {
			return goja.Undefined()
		}
		return a.rt.ToValue(func(call goja.FunctionCall) goja.Value {
			f(call.Argument(0))
			return goja.Undefined()
		})
	}
	if _, err := a.promiseThen(v, handler(ok), handler(fail)); err != nil {
		a.rethrow(err)
	}
}
