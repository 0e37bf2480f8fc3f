package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
)

// jsStub is what a stub object holds: something that can be fetched from, and
// that may have methods.
type jsStub struct {
	iso     *Isolate
	ctx     *IOContext    // the only one that may use it; nil: any
	kind    string        // how the platform calls it where another one tries to; "" is OutgoingFactory
	export  string        // the stub is one of ctx.exports, for this export
	object  *durable.Stub // nil for a service
	service Service
	methods map[string]*goja.Object
}

// Service is a worker that another one reaches through a binding. Its methods
// may be called from any goroutine.
type Service interface {
	// Fetch sends a request; done is called once, from any goroutine.
	Fetch(req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error))
}

// RPCService is a [Service] whose methods can be called.
type RPCService interface {
	Service
	// Call starts a call of a method or the reading of a property; done is
	// called once, from any goroutine.
	Call(op durable.Op, done func(durable.Result, *durable.Error))
}

func (iso *Isolate) fetcherPrototype() *goja.Object {
	return iso.prototype("Fetcher", nil, func(p *goja.Object) {
		iso.method(p, "fetch", 1, func(c goja.FunctionCall) goja.Value {
			return receiver[*jsStub](iso, c).fetch(c)
		})
		iso.method(p, "connect", 1, func(c goja.FunctionCall) goja.Value {
			iso.throw(errNotImplemented("connect()"))
			return nil
		})
	})
}

// newObjectStub makes the DurableObject that get and getByName return.
func (iso *Isolate) newObjectStub(ns *durable.Namespace, id *objectID, retry durable.RetryOptions) *goja.Object {
	iso.inContext()
	s := &jsStub{iso: iso, object: ns.Get(id.id, id.name, retry, iso.cfg.Name), ctx: iso.cur.ctx}
	target := iso.rt.CreateObject(iso.prototype("DurableObject", iso.fetcherPrototype(), func(*goja.Object) {}))
	name := goja.Undefined()
	if id.named {
		name = iso.rt.ToValue(id.name)
	}
	_ = target.Set("name", name)
	_ = target.Set("id", iso.newID(id))
	return s.proxy(target)
}

// newServiceStub makes the Fetcher of a service binding.
func (iso *Isolate) newServiceStub(svc Service) *goja.Object {
	s := &jsStub{iso: iso, service: svc}
	return s.proxy(iso.rt.CreateObject(iso.fetcherPrototype()))
}

// newFetcher makes the Fetcher that a stub of an object is after it was sent.
func (iso *Isolate) newFetcher(object *durable.Stub) *goja.Object {
	s := &jsStub{iso: iso, object: object, ctx: iso.cur.ctx}
	return s.proxy(iso.rt.CreateObject(iso.fetcherPrototype()))
}

// proxy makes every property that the stub itself does not have a method.
func (s *jsStub) proxy(target *goja.Object) *goja.Object {
	p := s.iso.rt.NewProxy(target, &goja.ProxyTrapConfig{Get: s.get, GetIdx: noIndex, Has: hasEverything, Apply: s.apply})
	o := s.iso.rt.ToValue(p).(*goja.Object)
	s.iso.bind(o, s)
	return o
}

// noIndex is the trap for indexes: they are not remote names (measured on
// workerd).
func noIndex(*goja.Object, int, goja.Value) goja.Value { return goja.Undefined() }

func (s *jsStub) get(target *goja.Object, name string, _ goja.Value) goja.Value {
	if m := s.methods[name]; m != nil {
		return m
	}
	if v := target.Get(name); v != nil {
		return v
	}
	if name == "then" {
		return goja.Undefined() // a stub is no thenable: await gives the stub
	}
	m := (&rpcRef{iso: s.iso, stub: s, path: []string{name}}).wrap()
	if s.methods == nil {
		s.methods = make(map[string]*goja.Object)
	}
	s.methods[name] = m
	return m
}

// apply specialises a stub of ctx.exports.
func (s *jsStub) apply(_ *goja.Object, _ goja.Value, args []goja.Value) goja.Value {
	return s.withProps(args)
}

// usable implements remoteEnd: a stub that another request or object made is not.
func (s *jsStub) usable(f *frame) error {
	switch {
	case s.ctx == nil || s.ctx == f.ctx:
		return nil
	case s.kind != "":
		return errForeign(f.ctx, s.kind)
	}
	return errForeign(f.ctx, "OutgoingFactory")
}

func (s *jsStub) fetch(c goja.FunctionCall) goja.Value {
	if len(c.Arguments) == 0 {
		return s.iso.settled(func() goja.Value {
			s.iso.throwType("Failed to execute 'fetch' on 'Fetcher': parameter 1 is not of type 'Request or string'.")
			return nil
		})
	}
	if s.iso.cur.ctx == &s.iso.startup {
		return s.iso.settled(func() goja.Value { s.iso.throw(errGlobalScope); return nil })
	}
	if err := s.usable(s.iso.cur); err != nil {
		return s.iso.settled(func() goja.Value { s.iso.throw(err); return nil })
	}
	if s.object == nil {
		return s.iso.fetchThrough(c, serviceSender(s.service))
	}
	return s.iso.fetchThrough(c, func(f *fetchCall, req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) func(*durable.Error) {
		op := durable.Op{Kind: durable.Fetch, Method: "fetch", Request: req, Replayable: req.Body.Replayable(), Origin: f}
		return s.object.Call(op, func(res durable.Result, err *durable.Error) { done(res.Response, err) }).Cancel
	})
}
