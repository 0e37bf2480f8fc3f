package jsbridge

import "github.com/dop251/goja"

// installTimers defines setTimeout and its kin. As on the real runtime since
// Node.js compatibility is on by default, a timer is an object.
func (iso *Isolate) installTimers(scope *goja.Object) {
	start := func(repeat bool) native {
		return func(c goja.FunctionCall) goja.Value {
			fn, ok := goja.AssertFunction(c.Argument(0))
			if !ok {
				iso.throwNodeType("ERR_INVALID_ARG_TYPE", "The \"callback\" argument must be of type function.", c.Argument(0))
			}
			ms := 0.0
			if d := c.Argument(1); !goja.IsUndefined(d) {
				ms = d.ToFloat()
			}
			return iso.newTimer("Timeout", iso.setTimer(ms, repeat, iso.timerCall(fn, c.Arguments, 2)))
		}
	}
	stop := func(c goja.FunctionCall) goja.Value {
		iso.stopTimer(c.Argument(0))
		return goja.Undefined()
	}
	iso.method(scope, "setTimeout", 2, start(false))
	iso.method(scope, "clearTimeout", 1, stop)
	iso.method(scope, "setInterval", 2, start(true))
	iso.method(scope, "clearInterval", 1, stop)
	for _, f := range []struct {
		name string
		f    native
	}{{"setTimeout", start(false)}, {"clearTimeout", stop}, {"setInterval", start(true)}, {"clearInterval", stop}} {
		iso.api.ScopeFunction(f.name, f.f)
	}
	iso.api.ScopeFunction("setImmediate", func(c goja.FunctionCall) goja.Value {
		fn := iso.functionArgument(c, "setImmediate")
		return iso.newTimer("Immediate", iso.setTimer(0, false, iso.timerCall(fn, c.Arguments, 1)))
	})
	iso.api.ScopeFunction("clearImmediate", stop)
	iso.api.ScopeFunction("queueMicrotask", func(c goja.FunctionCall) goja.Value {
		run := iso.timerCall(iso.functionArgument(c, "queueMicrotask"), nil, 0)
		iso.microtask(run)
		return goja.Undefined()
	})
}

// timerCall returns what a timer runs: fn with the arguments that follow the
// first skip ones.
func (iso *Isolate) timerCall(fn goja.Callable, args []goja.Value, skip int) func() {
	if len(args) > skip {
		args = append([]goja.Value(nil), args[skip:]...)
	} else {
		args = nil
	}
	return func() {
		if _, ex := iso.call(fn, goja.Undefined(), args...); ex != nil {
			iso.reportError(ex.Value())
		}
	}
}

// functionArgument returns the callback of a function of the global scope.
func (iso *Isolate) functionArgument(c goja.FunctionCall, name string) goja.Callable {
	fn, ok := goja.AssertFunction(c.Argument(0))
	if !ok {
		iso.throwType("Failed to execute '%s' on 'ServiceWorkerGlobalScope': parameter 1 is not of type 'function'.", name)
	}
	return fn
}

// throwNodeType throws a TypeError as Node.js' modules make it.
func (iso *Isolate) throwNodeType(code, message string, received goja.Value) {
	errs, err := iso.modules.Load("internal:errors")
	if err != nil {
		iso.throw(err)
	}
	describe, _ := goja.AssertFunction(errs.Get("received"))
	got, ex := iso.call(describe, goja.Undefined(), received)
	if ex != nil {
		panic(ex)
	}
	panic(iso.construct(errs.Get("NodeTypeError").(*goja.Object), iso.rt.ToValue(code), iso.rt.ToValue(message+got.String())))
}

// newTimer makes the Timeout or Immediate object of a timer.
func (iso *Isolate) newTimer(class string, id int64) *goja.Object {
	t := iso.timers.byID[id]
	proto := iso.prototype(class, nil, func(p *goja.Object) {
		same := func(c goja.FunctionCall) goja.Value { return c.This }
		iso.method(p, "ref", 0, same)
		iso.method(p, "unref", 0, same)
		iso.method(p, "hasRef", 0, func(goja.FunctionCall) goja.Value { return iso.rt.ToValue(true) })
		end := iso.function("", 0, func(c goja.FunctionCall) goja.Value {
			iso.stopTimer(c.This)
			return c.This
		})
		if d, ok := iso.js.symbol.Get("dispose").(*goja.Symbol); ok {
			_ = p.DefineDataPropertySymbol(d, end, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		}
		if class != "Timeout" {
			return
		}
		iso.method(p, "close", 0, func(c goja.FunctionCall) goja.Value {
			iso.stopTimer(c.This)
			return c.This
		})
		iso.method(p, "refresh", 0, func(c goja.FunctionCall) goja.Value {
			receiver[*jsTimer](iso, c).refresh()
			return c.This
		})
		_ = p.DefineDataPropertySymbol(goja.SymToPrimitive, iso.function("", 0, func(c goja.FunctionCall) goja.Value {
			return iso.rt.ToValue(receiver[*jsTimer](iso, c).id)
		}), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	})
	return iso.object(proto, t)
}

// stopTimer ends the timer that a value stands for, if any.
func (iso *Isolate) stopTimer(v goja.Value) {
	if t, ok := hostOf[*jsTimer](iso, v); ok {
		iso.clearTimer(t.id)
		return
	}
	switch v.ExportType() {
	case typeInt, typeFloat:
		iso.clearTimer(v.ToInteger())
	}
}

// microtask runs f as a promise job.
func (iso *Isolate) microtask(f func()) {
	p, resolve, _ := iso.rt.NewPromise()
	_ = resolve(nil)
	iso.then(iso.rt.ToValue(p), func(goja.Value) { f() }, nil)
}

// installScheduler defines the global scheduler.
func (iso *Isolate) installScheduler(scope *goja.Object) {
	iso.api.Lazy(scope, "scheduler", func() goja.Value {
		proto := iso.prototype("Scheduler", nil, func(p *goja.Object) {
			iso.method(p, "wait", 1, iso.schedulerWait)
		})
		return iso.rt.CreateObject(proto)
	})
}

// schedulerWait is scheduler.wait(ms, { signal }).
func (iso *Isolate) schedulerWait(c goja.FunctionCall) goja.Value {
	d := iso.newDeferred()
	fail := func(make func() goja.Value) goja.Value {
		d.settle(func() goja.Value { panic(make()) })
		return d.promise
	}
	if len(c.Arguments) == 0 {
		return fail(func() goja.Value {
			return iso.rt.NewTypeError("Failed to execute 'wait' on 'Scheduler': parameter 1 is not of type 'number'.")
		})
	}
	if iso.cur.ctx == &iso.startup {
		return fail(func() goja.Value { return iso.errorValue(errGlobalScope) })
	}
	id := iso.setTimer(c.Argument(0).ToFloat(), false, func() { d.must(d.resolve(goja.Undefined())) })
	if o, ok := c.Argument(1).(*goja.Object); ok {
		if signal := o.Get("signal"); iso.api.IsAbortSignal(signal) {
			abort := func(reason goja.Value) {
				iso.clearTimer(id)
				d.must(d.reject(reason))
			}
			if reason, aborted := iso.api.Aborted(signal); aborted {
				abort(reason)
			} else {
				iso.api.OnAbort(signal, abort)
			}
		}
	}
	return d.promise
}
