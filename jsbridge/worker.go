package jsbridge

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
)

// request is the event of a frame that serves a request to a worker.
type request struct {
	ctx    *IOContext
	finish func(goja.Value, *durable.Error)
}

func (r *request) fail(err *durable.Error) {
	if f := r.finish; f != nil {
		r.finish = nil
		f(nil, err)
	}
}

func (r *request) done(v goja.Value) {
	if f := r.finish; f != nil {
		r.finish = nil
		f(v, nil)
	}
}

// entrypoint returns an export and whether it is a class.
func (iso *Isolate) entrypoint(export string) (o *goja.Object, class bool, err error) {
	o, ok := iso.exports.Get(export).(*goja.Object)
	if !ok {
		return nil, false, fmt.Errorf("%s: the script has no export %q", iso.cfg.Name, export)
	}
	base := iso.baseClass("WorkerEntrypoint")
	for p := o.Prototype(); p != nil; p = p.Prototype() {
		if p == base {
			return o, true, nil
		}
	}
	return o, false, nil
}

// request starts a new context on the loop, and calls a handler in it: a method
// of a class of entrypoints, or a function of an object. args makes the
// arguments; finish is called once, in a turn or between turns.
func (iso *Isolate) request(e Entry, handler string, args func(env, ctx goja.Value) []goja.Value, finish func(goja.Value, *durable.Error)) *request {
	ctx := &IOContext{iso: iso, entry: e}
	r := &request{ctx: ctx}
	r.finish = func(v goja.Value, err *durable.Error) {
		finish(v, err)
		ctx.onIdle = ctx.end
		if handler == "test" && iso.cfg.Test != nil && iso.cfg.Test.Linger {
			ctx.onIdle = ctx.linger
		}
		if ctx.pending == 0 {
			ctx.onIdle()
		}
	}
	ctx.onFail = func(err *durable.Error) { r.fail(err) }
	if iso.ruined != nil {
		r.fail(&durable.Error{Name: "Error", Message: iso.ruined.Error()})
		return r
	}
	f := &frame{ctx: ctx, event: r}
	iso.turn(f, func() {
		var ret goja.Value
		ex := iso.rt.Try(func() {
			ret = iso.callHandler(e.Export, handler, ctx, args)
			if handler == "fetch" {
				iso.checkAnswer(ret)
			}
		})
		if ex != nil {
			r.fail(remote(iso.errorOf(ex.Value(), "")))
			return
		}
		iso.then(ret, r.done, func(v goja.Value) { r.fail(remote(iso.errorOf(v, ""))) })
	})
	return r
}

func (iso *Isolate) callHandler(export, handler string, ctx *IOContext, args func(env, ctx goja.Value) []goja.Value) goja.Value {
	o, isClass, err := iso.entrypoint(export)
	if err != nil {
		iso.throw(err)
	}
	execution := iso.newExecutionContext(ctx)
	this := o
	list := args(iso.env, execution)
	if isClass {
		this = iso.construct(o, execution, iso.env)
		// Methods of a class find env and ctx on the instance.
		list = list[:1]
	}
	fn, ok := goja.AssertFunction(this.Get(handler))
	if !ok {
		iso.throw(&durable.Error{Name: "Error", Message: "Handler does not export a " + handler + "() function."})
	}
	v, ex := iso.call(fn, this, list...)
	if ex != nil {
		panic(ex)
	}
	return v
}

func (iso *Isolate) newExecutionContext(ctx *IOContext) *goja.Object {
	proto := iso.prototype("ExecutionContext", nil, func(p *goja.Object) {
		iso.method(p, "waitUntil", 1, func(c goja.FunctionCall) goja.Value {
			receiver[*IOContext](iso, c)
			if len(c.Arguments) == 0 {
				iso.throwType("Failed to execute 'waitUntil' on 'ExecutionContext': parameter 1 is not of type 'Promise'.")
			}
			// Whoever's ctx it is, the code that runs now waits (measured on
			// workerd).
			iso.waitUntil(c.Argument(0), iso.cur.ctx.hold())
			return goja.Undefined()
		})
		iso.method(p, "passThroughOnException", 0, func(goja.FunctionCall) goja.Value { return goja.Undefined() })
		iso.method(p, "abort", 0, func(c goja.FunctionCall) goja.Value {
			ctx := receiver[*IOContext](iso, c)
			message := "Application called abort()."
			if r := c.Argument(0); !goja.IsUndefined(r) {
				message = r.String()
			}
			ctx.fail(&durable.Error{Name: "Error", Message: message})
			if iso.cur != nil && iso.cur.ctx == ctx {
				iso.rt.Interrupt(abortMark{})
			}
			return goja.Undefined()
		})
		iso.getter(p, "exports", func(goja.FunctionCall) goja.Value {
			return iso.contextExports()
		})
		iso.getter(p, "props", func(c goja.FunctionCall) goja.Value {
			return iso.contextProps(receiver[*IOContext](iso, c))
		})
	})
	return iso.object(proto, ctx)
}

var errClosed = durable.Closed()

// responseOf takes the response that a handler returned.
func (iso *Isolate) responseOf(v goja.Value) (*httpmsg.Response, error) {
	res, ok, err := iso.api.ResponseOf(v)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &durable.Error{Name: "TypeError", Message: "Incorrect type for Promise: the Promise did not resolve to 'Response'."}
	}
	return res, nil
}

// checkAnswer throws unless a fetch handler returned a response or a promise.
func (iso *Isolate) checkAnswer(v goja.Value) {
	if o, ok := v.(*goja.Object); ok {
		if _, promise := o.Export().(*goja.Promise); promise || iso.api.IsResponse(o) || isFunction(orUndefined(o.Get("then"))) {
			return
		}
	}
	iso.throwType("Callback returned incorrect type; expected 'Promise'")
}

// HasTest reports whether an export has a test method.
func (iso *Isolate) HasTest(export string) (has bool) {
	iso.probe(func() {
		o, isClass, err := iso.entrypoint(export)
		if err != nil {
			return
		}
		if isClass {
			o, _ = o.Get("prototype").(*goja.Object)
		}
		_, has = goja.AssertFunction(o.Get("test"))
	})
	return has
}

// RunTest calls the test method of an export, by workerd's protocol: the test
// has passed when its promise is fulfilled and its waitUntil work is done. It may
// be called from any goroutine; done is called once.
func (iso *Isolate) RunTest(export string, done func(error)) {
	posted := iso.Loop.Post(func() {
		args := func(env, ctx goja.Value) []goja.Value {
			return []goja.Value{iso.rt.NewObject(), env, ctx}
		}
		var ctx *IOContext
		iso.request(Entry{Export: export}, "test", func(env, c goja.Value) []goja.Value {
			ctx, _ = hostOf[*IOContext](iso, c)
			return args(env, c)
		}, func(_ goja.Value, err *durable.Error) {
			if err != nil {
				done(testFailure(err))
				return
			}
			if ctx.pending == 0 {
				done(ctx.waitFailed)
				return
			}
			// The context's own end comes right after this one.
			ctx.whenDone = func() { done(ctx.waitFailed) }
		})
	})
	if !posted {
		done(errClosed)
	}
}

// testFailure shows an error with its stack.
func testFailure(err *durable.Error) error {
	if err.Stack != "" {
		return errors.New(strings.TrimRight(err.Stack, "\n") + thrownAt(err.ThrownAt))
	}
	return err
}
