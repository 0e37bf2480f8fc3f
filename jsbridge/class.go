package jsbridge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// class is a Durable Object class that the script exports.
type class struct {
	iso     *Isolate
	name    string
	ctor    *goja.Object
	extends bool // DurableObject of cloudflare:workers: its methods can be called
}

// Class returns the class that the script exports under a name. It may be called
// between turns only.
func (iso *Isolate) Class(name string) (durable.Class, error) {
	ctor, ok := iso.exports.Get(name).(*goja.Object)
	if ok {
		_, ok = goja.AssertConstructor(ctor)
	}
	if !ok {
		return nil, fmt.Errorf("%s: the script exports no class %q%s", iso.cfg.Name, name, iso.exported(name))
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

// exported says what the script exports instead of a class.
func (iso *Isolate) exported(class string) string {
	names := iso.Exports()
	if slices.Contains(names, class) {
		return ": the export of that name is none"
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "default" })
	if len(names) == 0 {
		return "; its main module has to export it by that name"
	}
	return "; its main module exports " + strings.Join(names, ", ")
}

// Construct implements [durable.Class].
func (c *class) Construct(a *durable.Activation) durable.Instance {
	iso := c.iso
	inst := &instance{class: c, act: a, ctx: &IOContext{iso: iso, act: a, building: true}}
	inst.ctx.inst = inst
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
	inst.ctx.building = false
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
	class   *class
	act     *durable.Activation
	ctx     *IOContext
	object  *goja.Object
	cached  cache
	txns    []*transaction // open on SQLite, outermost first
	listing *kvIterator    // the one that is valid
}

// Close implements [durable.Instance].
func (i *instance) Close() { i.ctx.end() }

// invocation is the event of a frame that serves a call.
type invocation struct{ inv *durable.Invocation }

func (v invocation) fail(err *durable.Error) { v.inv.Finish(durable.Result{}, err) }

// Invoke implements [durable.Instance].
func (i *instance) Invoke(inv *durable.Invocation) {
	iso := i.class.iso
	iso.served++
	f := &frame{ctx: i.ctx, gate: i.act.In, serves: iso.served, event: invocation{inv}}
	if inv.Op.Kind == durable.Fetch {
		iso.turn(f, func() { i.fetch(inv) })
		return
	}
	iso.turn(f, func() {
		s := served{op: inv.Op, root: i.object, kind: classReceiver, finish: inv.Finish}
		if iso.compat("enhanced_error_serialization") {
			s.object = i.act
		}
		if !i.class.extends {
			inv.Finish(durable.Result{}, errNoRPC)
			return
		}
		iso.serve(s)
	})
}

var errNoRPC = &durable.Error{Name: "TypeError", Message: "The receiving Durable Object does not support RPC, because its class was not declared with " +
	"`extends DurableObject`. In order to enable RPC, make sure your class extends the special class `DurableObject`, " +
	"which can be imported from the module \"cloudflare:workers\"."}

// fetch calls the object's fetch handler.
func (i *instance) fetch(inv *durable.Invocation) {
	iso := i.class.iso
	fn, ok := goja.AssertFunction(i.object.Get("fetch"))
	if !ok {
		inv.Finish(durable.Result{}, errNoFetch)
		return
	}
	fail := func(v goja.Value) { inv.Finish(durable.Result{}, iso.errorOf(v, "")) }
	req := iso.api.NewRequest(inv.Op.Request)
	client := iso.newClientSignal(req)
	if client != nil {
		inv.OnCancel(func() { client.frame.post(client.gone) })
	}
	ret, ex := iso.call(fn, i.object, req)
	if ex == nil {
		ex = iso.rt.Try(func() { iso.checkAnswer(ret) })
	}
	if ex != nil {
		fail(ex.Value())
		return
	}
	iso.then(ret, func(v goja.Value) {
		res, err := iso.responseOf(v)
		if err != nil {
			fail(iso.errorValue(err))
			return
		}
		client.watch(res)
		inv.Finish(durable.Result{Response: res}, nil)
	}, fail)
}

var errNoFetch = &durable.Error{Name: "Error", Message: "Handler does not export a fetch() function."}
