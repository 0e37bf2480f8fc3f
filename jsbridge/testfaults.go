package jsbridge

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/config/source"
)

// newFaults makes the object faults of durashim:test. A name that it does not
// have is an error that lists those it has: undefined would be called, and say
// nothing.
func (iso *Isolate) newFaults(h *TestHost) *goja.Object {
	rt := iso.rt
	faults := rt.NewObject()
	names := durable.FaultNames()
	for _, name := range names {
		fn := "faults." + name
		timed, length := durable.FaultTakesDuration(name), 0
		if timed {
			length = 1
		}
		iso.method(faults, name, length, func(c goja.FunctionCall) goja.Value {
			var d time.Duration
			where := c.Argument(0)
			if timed {
				d, where = iso.faultMillis(fn, "the time", c.Argument(0)), c.Argument(1)
			}
			f, err := durable.NewFault(name, d)
			if err == nil {
				err = h.Faults.AddFrom(h.Loop, iso.fault(fn, f, where))
			}
			if err != nil {
				iso.throwType("%s", err.Error())
			}
			return goja.Undefined()
		})
	}
	iso.method(faults, "clear", 0, func(goja.FunctionCall) goja.Value {
		h.Faults.Clear()
		return goja.Undefined()
	})
	known := append(names, "clear")
	p := rt.NewProxy(faults, &goja.ProxyTrapConfig{Get: func(target *goja.Object, name string, _ goja.Value) goja.Value {
		if v := target.Get(name); v != nil {
			return v
		}
		if slices.Contains(probed, name) {
			return goja.Undefined()
		}
		iso.throwType("faults.%s: there is no such fault%s; there are %s", name, source.DidYouMean(name, known), strings.Join(known, ", "))
		return nil
	}})
	return rt.ToValue(p).(*goja.Object)
}

// probed are properties that await, JSON and printing look for on any object.
var probed = []string{"then", "toJSON", "inspect", "nodeType", "asymmetricMatch"}

// faultKeys are the properties of where, in the order in which they are applied:
// for comes before times, which limits it.
var faultKeys = []string{"namespace", "object", "method", "caller", "call", "attempt", "probability", "for", "times"}

// fault reads where and how often a fault shall act.
func (iso *Isolate) fault(fn string, f durable.Fault, v goja.Value) durable.Fault {
	if goja.IsUndefined(v) {
		return f
	}
	o, ok := v.(*goja.Object)
	if !ok {
		iso.throwType("%s: the argument must be an object such as { method: \"addOne\" }", fn)
	}
	for _, key := range o.Keys() {
		if !slices.Contains(faultKeys, key) {
			iso.throwType("%s: unknown property %q%s; known are %s", fn, key, source.DidYouMean(key, faultKeys), strings.Join(faultKeys, ", "))
		}
	}
	for _, key := range faultKeys {
		if value := o.Get(key); value != nil && !goja.IsUndefined(value) {
			f = iso.restrict(fn, f, key, value)
		}
	}
	return f
}

// restrict applies one property of where.
func (iso *Isolate) restrict(fn string, f durable.Fault, key string, value goja.Value) durable.Fault {
	text := func() string {
		if _, ok := value.Export().(string); !ok {
			iso.throwType("%s: %s must be a string", fn, key)
		}
		return value.String()
	}
	count := func() int {
		n, ok := faultNumber(value)
		if !(ok && n >= 1 && n == float64(int(n))) {
			iso.throwType("%s: %s must be a positive integer", fn, key)
		}
		return int(n)
	}
	switch key {
	case "namespace":
		return f.Namespace(text())
	case "object":
		return f.Object(text())
	case "method":
		return f.Method(text())
	case "caller":
		return f.Caller(text())
	case "call":
		return f.Call(count())
	case "attempt":
		return f.Attempt(count())
	case "for":
		return f.For(iso.faultMillis(fn, key, value))
	case "probability":
		p, ok := faultNumber(value)
		if !ok {
			iso.throwType("%s: probability must be a number", fn)
		}
		return f.Probability(p)
	}
	if n, ok := faultNumber(value); ok && math.IsInf(n, 1) {
		return f.Always()
	}
	return f.Times(count())
}

// faultMillis reads a duration in milliseconds.
func (iso *Isolate) faultMillis(fn, what string, v goja.Value) time.Duration {
	ms, ok := faultNumber(v)
	if !(ok && ms > 0 && ms < 1e12) {
		iso.throwType("%s: %s must be a positive number of milliseconds", fn, what)
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// faultNumber returns a value that is a number, without converting others.
func faultNumber(v goja.Value) (float64, bool) {
	switch n := v.Export().(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
