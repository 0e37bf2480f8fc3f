package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge/jsclone"
)

// jsStub is what a stub object holds: something that can be fetched from, and
// that may have methods.
type jsStub struct {
	iso     *Isolate
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

func (iso *Isolate) fetcherPrototype() *goja.Object {
	return iso.prototype("ServiceStub", nil, func(p *goja.Object) {
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
	s := &jsStub{iso: iso, object: ns.Get(id.id, id.name, retry, iso.cfg.Name)}
	target := iso.rt.CreateObject(iso.prototype("DurableObject", iso.fetcherPrototype(), func(*goja.Object) {}))
	name := goja.Undefined()
	if id.name != "" {
		name = iso.rt.ToValue(id.name)
	}
	_ = target.Set("name", name)
	_ = target.Set("id", iso.newID(id))
	return s.proxy(target)
}

// newServiceStub makes the Fetcher of a service binding.
func (iso *Isolate) newServiceStub(svc Service) *goja.Object {
	s := &jsStub{iso: iso, service: svc}
	return s.proxy(iso.rt.CreateObject(iso.prototype("Fetcher", iso.fetcherPrototype(), func(*goja.Object) {})))
}

// proxy makes every property that the stub itself does not have a method.
func (s *jsStub) proxy(target *goja.Object) *goja.Object {
	p := s.iso.rt.NewProxy(target, &goja.ProxyTrapConfig{
		Get: func(target *goja.Object, property string, _ goja.Value) goja.Value {
			if v := target.Get(property); v != nil {
				return v
			}
			if property == "then" {
				return goja.Undefined() // a stub is no thenable: await gives the stub
			}
			return s.method(property)
		},
		Has: func(*goja.Object, string) bool { return true },
	})
	o := s.iso.rt.ToValue(p).(*goja.Object)
	s.iso.bind(o, s)
	return o
}

func (s *jsStub) method(name string) *goja.Object {
	if m := s.methods[name]; m != nil {
		return m
	}
	m := s.iso.rt.ToValue(func(c goja.FunctionCall) goja.Value { return s.call(name, c.Arguments) }).(*goja.Object)
	if s.methods == nil {
		s.methods = make(map[string]*goja.Object)
	}
	s.methods[name] = m
	return m
}

// rpcValues says how arguments and results of RPC are cloned.
func (iso *Isolate) rpcValues() jsclone.Options {
	o := jsclone.Options{ClassInstances: jsclone.ClassInstancesReject}
	if !iso.compat("enhanced_error_serialization") {
		o.Errors = jsclone.ErrorsV8
	}
	return o
}

// call starts an RPC call and returns its promise. Arguments that cannot be sent
// reject the promise; nothing is thrown.
func (s *jsStub) call(method string, args []goja.Value) goja.Value {
	iso := s.iso
	d := iso.newDeferred()
	if s.object == nil {
		d.settle(func() goja.Value { iso.throw(errNotImplemented("RPC on service bindings")); return nil })
		return d.promise
	}
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a
	}
	data, err := iso.clone.Encode(nil, iso.rt.NewArray(list...), iso.rpcValues())
	if err != nil {
		d.settle(func() goja.Value { iso.throw(err); return nil })
		return d.promise
	}
	op := durable.Op{Kind: durable.RPC, Method: method, Args: data, Replayable: true}
	s.leave(d.frame, func() {
		s.object.Call(op, func(res durable.Result, err *durable.Error) {
			d.later(func() goja.Value {
				if err != nil {
					iso.throw(err)
				}
				v, derr := iso.clone.Decode(res.Value, jsclone.Options{})
				if derr != nil {
					iso.throw(derr)
				}
				return v
			})
		})
	})
	return d.promise
}

// leave runs send when the caller's earlier writes are durable.
func (s *jsStub) leave(f *frame, send func()) {
	if f.ctx.act != nil {
		f.ctx.act.Out.Leave(send)
		return
	}
	send()
}

func (s *jsStub) fetch(c goja.FunctionCall) goja.Value {
	iso := s.iso
	d := iso.newDeferred()
	var req *httpmsg.Request
	var signal *goja.Object
	ex := iso.rt.Try(func() {
		var err error
		if req, signal, err = iso.api.BuildRequest(c.Argument(0), c.Argument(1)); err != nil {
			iso.throw(err)
		}
	})
	if ex != nil {
		d.settle(func() goja.Value { panic(ex.Value()) })
		return d.promise
	}
	finish := func(res *httpmsg.Response, err *durable.Error) {
		d.later(func() goja.Value {
			if err != nil {
				iso.throw(err)
			}
			return iso.api.NewResponse(res)
		})
	}
	var call *durable.Call
	aborted := false
	if signal != nil {
		iso.api.OnAbort(signal, func(reason goja.Value) {
			aborted = true
			if call != nil {
				call.Cancel(iso.errorOf(reason, ""))
			}
			d.must(d.reject(reason))
		})
	}
	s.leave(d.frame, func() {
		if aborted {
			return
		}
		if s.object == nil {
			s.service.Fetch(req, finish)
			return
		}
		op := durable.Op{Kind: durable.Fetch, Method: "fetch", Request: req, Replayable: req.Body.Replayable()}
		call = s.object.Call(op, func(res durable.Result, err *durable.Error) { finish(res.Response, err) })
	})
	return d.promise
}
