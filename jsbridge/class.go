package jsbridge

import (
	"fmt"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/jsbridge/jsclone"
)

// class is a Durable Object class that the script exports.
type class struct {
	iso      *Isolate
	name     string
	ctor     *goja.Object
	extends  bool // DurableObject of cloudflare:workers: its methods can be called
	instance *goja.Object
}

// Class returns the class that the script exports under a name. It may be called
// between turns only.
func (iso *Isolate) Class(name string) (durable.Class, error) {
	ctor, ok := iso.exports.Get(name).(*goja.Object)
	if ok {
		_, ok = goja.AssertConstructor(ctor)
	}
	if !ok {
		return nil, fmt.Errorf("%s: the script exports no class %q", iso.cfg.Name, name)
	}
	c := &class{iso: iso, name: name, ctor: ctor}
	base := iso.baseClass("DurableObject")
	for p := ctor.Prototype(); p != nil; p = p.Prototype() {
		if p == base {
			c.extends = true
		}
	}
	return c, nil
}

// Construct implements [durable.Class].
func (c *class) Construct(a *durable.Activation) durable.Instance {
	iso := c.iso
	inst := &instance{class: c, act: a, ctx: &IOContext{iso: iso, act: a}}
	f := &frame{ctx: inst.ctx, gate: a.In}
	iso.turn(f, func() {
		obj, err := iso.rt.New(c.ctor, iso.newState(inst), iso.env)
		if ex := iso.exception(err); ex != nil {
			e := iso.errorOf(ex.Value(), "")
			e.Reset = true
			inst.ctx.fail(e)
			return
		}
		inst.object = obj
	})
	if inst.object == nil && inst.ctx.dead == nil {
		inst.ctx.fail(&durable.Error{Name: "Error", Message: "The constructor did not finish.", Reset: true})
	}
	return inst
}

// Marked implements [durable.Class]: it looks for the method as a call would.
func (c *class) Marked(inst durable.Instance, method string) (marked bool) {
	from := c.ctor.Get("prototype")
	if i, ok := inst.(*instance); ok && i.object != nil {
		from = i.object.Prototype()
	}
	// A getter may throw or run for ever; it is no method, so it is not marked.
	c.iso.probe(func() {
		if o, ok := from.(*goja.Object); ok {
			if fn, ok := o.Get(method).(*goja.Object); ok {
				marked = c.iso.isMarked(fn)
			}
		}
	})
	return marked
}

// instance is an object in memory.
type instance struct {
	class  *class
	act    *durable.Activation
	ctx    *IOContext
	object *goja.Object
}

// Close implements [durable.Instance].
func (i *instance) Close() { i.ctx.end() }

// invocation is the event of a frame that serves a call.
type invocation struct{ inv *durable.Invocation }

func (v invocation) fail(err *durable.Error) { v.inv.Finish(durable.Result{}, err) }

// Invoke implements [durable.Instance].
func (i *instance) Invoke(inv *durable.Invocation) {
	iso := i.class.iso
	f := &frame{ctx: i.ctx, gate: i.act.In, event: invocation{inv}}
	iso.turn(f, func() {
		object := ""
		if inv.Op.Kind == durable.RPC && iso.compat("enhanced_error_serialization") {
			object = i.act.ID().String()
		}
		fail := func(v goja.Value) { inv.Finish(durable.Result{}, iso.errorOf(v, object)) }
		var ret goja.Value
		ex := iso.rt.Try(func() {
			if inv.Op.Kind == durable.Fetch {
				ret = i.fetch(inv)
			} else {
				ret = i.rpc(inv)
			}
		})
		if ex != nil {
			fail(ex.Value())
			return
		}
		done := func(v goja.Value) {
			var res durable.Result
			if ex := iso.rt.Try(func() { res = i.result(inv.Op.Kind, v) }); ex != nil {
				fail(ex.Value())
				return
			}
			inv.Finish(res, nil)
		}
		if _, isObject := ret.(*goja.Object); !isObject && inv.Op.Kind == durable.RPC {
			done(ret)
			return
		}
		iso.then(ret, done, fail)
	})
}

// reserved are the names that cannot be called on an object over RPC (measured
// on workerd).
var reserved = map[string]bool{
	"fetch": true, "connect": true, "alarm": true, "webSocketMessage": true, "webSocketClose": true,
	"webSocketError": true, "dup": true, "constructor": true,
}

// rpc finds and calls the method. Only what the class and its ancestors define
// can be called: nothing of the instance itself, nothing of Object.prototype.
func (i *instance) rpc(inv *durable.Invocation) goja.Value {
	iso, name := i.class.iso, inv.Op.Method
	if reserved[name] {
		iso.throwType("'%s' is a reserved method and cannot be called over RPC.", name)
	}
	if !i.class.extends {
		iso.throwType("The receiving Durable Object does not support RPC, because its class was not declared with " +
			"`extends DurableObject`. In order to enable RPC, make sure your class extends the special class `DurableObject`, " +
			"which can be imported from the module \"cloudflare:workers\".")
	}
	if !i.offers(name) {
		iso.throwType("The RPC receiver does not implement the method \"%s\".", name)
	}
	fn, ok := goja.AssertFunction(i.object.Get(name))
	if !ok {
		iso.throwType("\"%s\" is not a function.", name)
	}
	list, err := iso.clone.Decode(inv.Op.Args, jsclone.Options{})
	if err != nil {
		iso.throw(err)
	}
	array := list.(*goja.Object)
	args := make([]goja.Value, array.Get("length").ToInteger())
	for n := range args {
		args[n] = orUndefined(array.Get(fmt.Sprint(n)))
	}
	v, ex := iso.call(fn, i.object, args...)
	if ex != nil {
		panic(ex)
	}
	return v
}

func (i *instance) offers(name string) bool {
	iso := i.class.iso
	if iso.hasOwnProperty(i.object, name) {
		return false
	}
	for p := i.object.Prototype(); p != nil && p != iso.js.objectProto; p = p.Prototype() {
		if iso.hasOwnProperty(p, name) {
			return true
		}
	}
	return false
}

func (i *instance) fetch(inv *durable.Invocation) goja.Value {
	iso := i.class.iso
	fn, ok := goja.AssertFunction(i.object.Get("fetch"))
	if !ok {
		iso.throw(&durable.Error{Name: "Error", Message: "Handler does not export a fetch() function."})
	}
	v, ex := iso.call(fn, i.object, iso.api.NewRequest(inv.Op.Request))
	if ex != nil {
		panic(ex)
	}
	return v
}

// result turns what the code returned into what travels.
func (i *instance) result(kind durable.Kind, v goja.Value) (res durable.Result) {
	iso := i.class.iso
	var err error
	if kind == durable.RPC {
		res.Value, err = iso.clone.Encode(nil, v, iso.rpcValues())
	} else {
		res.Response, err = iso.responseOf(v)
	}
	if err != nil {
		iso.throw(err)
	}
	return res
}
