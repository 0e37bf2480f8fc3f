package jsbridge

import (
	"fmt"
	"reflect"
	"sync"
	"unsafe"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"
)

// promises makes promises that Go settles, and waits for promises, without the
// functions that goja makes for either: they are most of the memory that a call
// or a storage operation costs. Like vmState it rests on goja's structures, which
// are found by name and type and tried out once per process by [promisesFit];
// what does not fit goes through goja's API.
type promises struct {
	iso      *Isolate
	template promiseBlock
	proto    *goja.Object
}

// promiseBlock is an object and the promise that it is.
type promiseBlock struct {
	object  goja.Object
	promise goja.Promise
}

// promiseLayout says where things are in goja's structures, in bytes.
type promiseLayout struct {
	self, val, values, state, result, handled uintptr
	reactions                                 [3]uintptr // by [goja.PromiseState]; none for pending
}

// promiseReaction, reactionHandler and promiseCapability repeat structures of
// goja's.
type promiseReaction struct {
	capability  *promiseCapability
	typ         int // 0 for fulfilled, 1 for rejected
	handler     *reactionHandler
	asyncRunner unsafe.Pointer
	asyncCtx    any
}

type reactionHandler struct{ callback native }

type promiseCapability struct{ promise, resolveObj, rejectObj *goja.Object }

var findPromises = sync.OnceValues(func() (l promiseLayout, err error) {
	at := func(t reflect.Type, name string, ok func(reflect.Type) bool) uintptr {
		f, found := t.FieldByName(name)
		if !found || !ok(f.Type) {
			err = errEngine{fmt.Sprintf("%v.%s is not as expected", t, name)}
		}
		return f.Offset
	}
	is := func(want reflect.Type) func(reflect.Type) bool {
		return func(t reflect.Type) bool { return t == want }
	}
	list := func(t reflect.Type) bool {
		return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Pointer &&
			repeats(t.Elem().Elem(), reflect.TypeFor[promiseReaction]())
	}
	l.self = at(reflect.TypeFor[goja.Object](), "self", func(t reflect.Type) bool { return t.Kind() == reflect.Interface && t.NumMethod() > 0 })
	p := reflect.TypeFor[goja.Promise]()
	// The first field is the base object, whose fields are promoted.
	if p.Field(0).Name != "baseObject" {
		return l, errEngine{"Promise is no object"}
	}
	l.val = at(p, "val", is(reflect.TypeFor[*goja.Object]()))
	l.values = at(p, "values", func(t reflect.Type) bool {
		return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && t.Elem() == reflect.TypeFor[goja.Value]()
	})
	l.state = at(p, "state", is(reflect.TypeFor[goja.PromiseState]()))
	l.result = at(p, "result", is(reflect.TypeFor[goja.Value]()))
	l.handled = at(p, "handled", is(reflect.TypeFor[bool]()))
	l.reactions[goja.PromiseStateFulfilled] = at(p, "fulfillReactions", list)
	l.reactions[goja.PromiseStateRejected] = at(p, "rejectReactions", list)
	return l, err
})

// repeats reports whether two structures have the same fields at the same
// places, as far as they point to one another.
func repeats(theirs, ours reflect.Type) bool {
	if theirs.Kind() != reflect.Struct || theirs.NumField() != ours.NumField() || theirs.Size() != ours.Size() {
		return false
	}
	for i := range ours.NumField() {
		a, b := theirs.Field(i), ours.Field(i)
		if a.Name != b.Name || a.Offset != b.Offset || a.Type.Size() != b.Type.Size() {
			return false
		}
		switch k := b.Type.Kind(); {
		case k == reflect.UnsafePointer:
			if a.Type.Kind() != reflect.Pointer {
				return false
			}
		case k != a.Type.Kind():
			return false
		case k == reflect.Pointer && b.Type.Elem().PkgPath() == reflect.TypeFor[promises]().PkgPath():
			if !repeats(a.Type.Elem(), b.Type.Elem()) {
				return false
			}
		case k == reflect.Pointer, k == reflect.Func, k == reflect.Interface:
			if a.Type != b.Type {
				return false
			}
		}
	}
	return true
}

func at[T any](p *goja.Promise, offset uintptr) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), offset))
}

// newPromises returns nil for an engine whose structures are not as expected.
func (iso *Isolate) newPromises() *promises {
	if iso.state == nil || promisesFit() != nil {
		return nil
	}
	return makePromises(iso)
}

func makePromises(iso *Isolate) *promises {
	p, _, _ := iso.rt.NewPromise()
	o := iso.rt.ToValue(p).(*goja.Object)
	return &promises{iso: iso, template: promiseBlock{*o, *p}, proto: o.Prototype()}
}

var layoutOfPromises, _ = findPromises()

// make makes a promise that is pending.
func (m *promises) make() (*goja.Promise, *goja.Object) {
	l := &layoutOfPromises
	b := new(promiseBlock)
	*b = m.template
	p, o := &b.promise, &b.object
	(*[2]unsafe.Pointer)(unsafe.Add(unsafe.Pointer(o), l.self))[1] = unsafe.Pointer(p)
	*at[*goja.Object](p, l.val) = o
	*at[map[unistring.String]goja.Value](p, l.values) = make(map[unistring.String]goja.Value)
	return p, o
}

// settle fulfils or rejects a promise that is pending and was not resolved, with
// what is no thenable.
func (m *promises) settle(p *goja.Promise, state goja.PromiseState, v goja.Value) {
	l := &layoutOfPromises
	reactions := *at[[]*promiseReaction](p, l.reactions[state])
	*at[goja.Value](p, l.result) = v
	*at[[]*promiseReaction](p, l.reactions[goja.PromiseStateFulfilled]) = nil
	*at[[]*promiseReaction](p, l.reactions[goja.PromiseStateRejected]) = nil
	*at[goja.PromiseState](p, l.state) = state
	if state == goja.PromiseStateRejected && !*at[bool](p, l.handled) {
		m.iso.trackRejection(p, goja.PromiseRejectionReject)
	}
	for _, r := range reactions {
		m.iso.state.add(func() { m.react(r, v) })
	}
}

// react is the job of a reaction: https://tc39.es/ecma262/#sec-newpromisereactionjob.
func (m *promises) react(r *promiseReaction, v goja.Value) {
	iso, failed := m.iso, r.typ == 1
	if f, ok := r.asyncCtx.(*frame); ok && iso.turnFrame != nil && f.ctx != iso.turnFrame.ctx {
		f.post(func() { m.react(r, v) }) // other contexts have turns of their own
		return
	}
	if h := r.handler; h != nil {
		track := tracker{iso}
		track.Resumed(r.asyncCtx)
		ex := iso.rt.Try(func() { v = h.callback(goja.FunctionCall{This: goja.Undefined(), Arguments: []goja.Value{v}}) })
		if failed = ex != nil; failed {
			v = ex.Value()
		}
		track.Exited()
	}
	if r.capability == nil {
		return
	}
	f := r.capability.resolveObj
	if failed {
		f = r.capability.rejectObj
	}
	if f.ExportType() == typeNative {
		on(f.Export().(native), goja.Undefined(), v)
	} else if call, ok := goja.AssertFunction(f); ok {
		// The executor of a subclass gave it; what it throws nobody gets.
		_, _ = iso.call(call, goja.Undefined(), v)
	}
}

// adopt hands the promise over to goja, for what only it can do: to follow a
// thenable, and to refuse the promise itself. The object stays, the promise
// behind it is another, which takes over who waits.
func (m *promises) adopt(p *goja.Promise, v goja.Value) error {
	l := &layoutOfPromises
	o := *at[*goja.Object](p, l.val)
	q, resolve, _ := m.iso.rt.NewPromise()
	*q = *p
	(*[2]unsafe.Pointer)(unsafe.Add(unsafe.Pointer(o), l.self))[1] = unsafe.Pointer(q)
	return resolve(v)
}

// isThenable reports whether resolving a promise with v needs more than to
// fulfil it. Looking may throw.
func (m *promises) isThenable(v goja.Value) (yes bool, ex *goja.Exception) {
	o, ok := v.(*goja.Object)
	if !ok {
		return false, nil
	}
	if o.ExportType() == typeProxy {
		return true, nil
	}
	ex = m.iso.rt.Try(func() { _, yes = goja.AssertFunction(o.Get("then")) })
	return yes, ex
}

// observe calls ok or fail, as a promise job, when v is settled. It reports
// false, and does nothing, when v needs goja's own way.
func (m *promises) observe(v goja.Value, ok, fail func(goja.Value)) bool {
	iso, l := m.iso, &layoutOfPromises
	var ctx any
	if iso.cur != nil {
		ctx = iso.cur
	}
	o, isObject := v.(*goja.Object)
	if !isObject {
		r := m.reaction(0, ok, ctx)
		iso.state.add(func() { m.react(r, v) })
		return true
	}
	if o.ExportType() != typePromise || o.Prototype() != m.proto || o.Get("constructor") != iso.js.promise {
		return false
	}
	p := o.Export().(*goja.Promise)
	handled := at[bool](p, l.handled)
	switch state := p.State(); {
	case state == goja.PromiseStatePending:
		for typ, f := range []func(goja.Value){ok, fail} {
			list := at[[]*promiseReaction](p, l.reactions[int(goja.PromiseStateFulfilled)+typ])
			*list = append(*list, m.reaction(typ, f, ctx))
		}
	case state == goja.PromiseStateFulfilled:
		r, result := m.reaction(0, ok, ctx), p.Result()
		iso.state.add(func() { m.react(r, result) })
	case *handled:
		r, result := m.reaction(1, fail, ctx), p.Result()
		iso.state.add(func() { m.react(r, result) })
	default:
		return false
	}
	*handled = true
	return true
}

func (m *promises) reaction(typ int, f func(goja.Value), ctx any) *promiseReaction {
	return &promiseReaction{typ: typ, asyncCtx: ctx, handler: &reactionHandler{func(c goja.FunctionCall) goja.Value {
		v := c.Argument(0)
		if ex := m.iso.rt.Try(func() { f(v) }); ex != nil {
			m.iso.rejected(ex.Value()) // for the report
		}
		return goja.Undefined()
	}}}
}

// resolver settles a promise.
type resolver struct {
	iso               *Isolate
	value             goja.Value    // the promise
	p                 *goja.Promise // nil: goja settles it
	done              bool
	fulfilled, broken func(any) error
}

// newPromise makes a promise that is pending.
func (iso *Isolate) newPromise() resolver {
	if iso.promises != nil {
		p, o := iso.promises.make()
		return resolver{iso: iso, value: o, p: p}
	}
	p, resolve, reject := iso.rt.NewPromise()
	return resolver{iso: iso, value: iso.rt.ToValue(p), fulfilled: resolve, broken: reject}
}

// resolve resolves the promise, unless that has happened; it fails only when
// JavaScript was ended by force.
func (r *resolver) resolve(v any) error {
	if r.p == nil {
		return r.fulfilled(v)
	}
	if r.done {
		return nil
	}
	r.done = true
	m, value := r.iso.promises, r.valueOf(v)
	thenable, ex := m.isThenable(value)
	switch {
	case ex != nil:
		m.settle(r.p, goja.PromiseStateRejected, ex.Value())
	case thenable:
		return m.adopt(r.p, value)
	default:
		m.settle(r.p, goja.PromiseStateFulfilled, value)
	}
	return nil
}

// reject is resolve for a rejection.
func (r *resolver) reject(v any) error {
	if r.p == nil {
		return r.broken(v)
	}
	if !r.done {
		r.done = true
		r.iso.promises.settle(r.p, goja.PromiseStateRejected, r.valueOf(v))
	}
	return nil
}

func (r *resolver) valueOf(v any) goja.Value {
	if value, ok := v.(goja.Value); ok && value != nil {
		return value
	}
	return r.iso.rt.ToValue(v)
}
