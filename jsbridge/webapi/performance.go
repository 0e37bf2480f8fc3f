package webapi

import (
	"slices"

	"github.com/dop251/goja"
)

// performanceState is the attachment of performance.
type performanceState struct {
	eventTarget
	entries []*perfEntry
}

// perfEntry is the attachment of a PerformanceEntry.
type perfEntry struct {
	slot
	name, typ       string
	start, duration float64
	detail          goja.Value // null if there is none
}

// node is the attachment of performance.nodeTiming, observer that of a
// PerformanceObserver, which is never told anything.
type (
	nodeTiming   struct{ perfEntry }
	perfObserver struct{ slot }
	eventCounts  struct{ slot }
)

func init() {
	classSpecs[classPerformance] = classSpec{name: "Performance", parent: classEventTarget, init: initPerformanceClass}
	classSpecs[classPerformanceEntry] = classSpec{name: "PerformanceEntry", parent: noParent, init: func(a *API, c *class) {
		entry := func(v goja.Value) *perfEntry { return this[interface{ entry() *perfEntry }](a, v).entry() }
		c.getter("name", func(v goja.Value) goja.Value { return a.rt.ToValue(entry(v).name) })
		c.getter("entryType", func(v goja.Value) goja.Value { return a.rt.ToValue(entry(v).typ) })
		c.getter("startTime", func(v goja.Value) goja.Value { return a.rt.ToValue(entry(v).start) })
		c.getter("duration", func(v goja.Value) goja.Value { return a.rt.ToValue(entry(v).duration) })
		c.method("toJSON", func(call goja.FunctionCall) goja.Value { return a.entryJSON(entry(call.This)) })
	}}
	detailed := func(typ string) func(a *API, c *class) {
		return func(a *API, c *class) {
			entry := func(v goja.Value) *perfEntry {
				e := this[*perfEntry](a, v)
				if e.typ != typ {
					a.throwTypeError(illegalInvocation)
				}
				return e
			}
			c.getter("detail", func(v goja.Value) goja.Value { return entry(v).detail })
			c.method("toJSON", func(call goja.FunctionCall) goja.Value { return a.entryJSON(entry(call.This)) })
		}
	}
	classSpecs[classPerformanceMark] = classSpec{name: "PerformanceMark", parent: classPerformanceEntry, init: detailed("mark"),
		construct: func(a *API, call goja.ConstructorCall) {
			name := a.str(a.needCtor(call.Arguments, 0, "PerformanceMark", "string"))
			o := a.dict(call.Arguments, 1, func() { a.badCtorParam(1, "PerformanceMark", "Options") })
			a.attach(call.This, a.newMark(name, o))
		}}
	classSpecs[classPerformanceMeasure] = classSpec{name: "PerformanceMeasure", parent: classPerformanceEntry, init: detailed("measure")}
	classSpecs[classPerformanceResourceTiming] = classSpec{name: "PerformanceResourceTiming", parent: classPerformanceEntry, init: func(a *API, c *class) {
		// There never is one: requests are not timed.
		for _, name := range []string{"connectEnd", "connectStart", "decodedBodySize", "domainLookupEnd", "domainLookupStart", "encodedBodySize",
			"fetchStart", "initiatorType", "nextHopProtocol", "redirectEnd", "redirectStart", "requestStart", "responseEnd", "responseStart",
			"responseStatus", "secureConnectionStart", "transferSize", "workerStart"} {
			c.getter(name, func(goja.Value) goja.Value {
				a.throwTypeError(illegalInvocation)
				return nil
			})
		}
	}}
	classSpecs[classPerformanceNodeTiming] = classSpec{name: "PerformanceNodeTiming", parent: classPerformanceEntry, hidden: true, init: func(a *API, c *class) {
		c.method("toJSON", func(call goja.FunctionCall) goja.Value {
			n := this[*nodeTiming](a, call.This)
			o := a.entryJSON(&n.perfEntry)
			for _, k := range nodeTimes {
				must(o.Set(k, n.owner.Get(k)))
			}
			return o
		})
	}}
	classSpecs[classPerformanceObserver] = classSpec{name: "PerformanceObserver", parent: noParent, init: initPerformanceObserver,
		construct: func(a *API, call goja.ConstructorCall) {
			a.needCtor(call.Arguments, 0, "PerformanceObserver", "Value")
			a.attach(call.This, &perfObserver{})
		}}
	classSpecs[classPerformanceObserverEntryList] = classSpec{name: "PerformanceObserverEntryList", parent: noParent, init: func(a *API, c *class) {
		for _, name := range []string{"getEntries", "getEntriesByName", "getEntriesByType"} {
			c.method(name, func(goja.FunctionCall) goja.Value {
				a.throwTypeError(illegalInvocation)
				return nil
			})
		}
	}}
	classSpecs[classEventCounts] = classSpec{name: "EventCounts", parent: noParent, hidden: true, init: func(a *API, c *class) {
		// Nothing is counted.
		c.getter("size", func(v goja.Value) goja.Value {
			this[*eventCounts](a, v)
			return a.rt.ToValue(0)
		})
		for name, result := range map[string]goja.Value{"get": goja.Undefined(), "has": a.rt.ToValue(false), "forEach": goja.Undefined()} {
			c.method(name, func(call goja.FunctionCall) goja.Value {
				this[*eventCounts](a, call.This)
				return result
			})
		}
		a.iteration(c, func(v goja.Value) func(int) (goja.Value, goja.Value, bool) {
			this[*eventCounts](a, v)
			return func(int) (goja.Value, goja.Value, bool) { return nil, nil, false }
		})
	}}
}

func (e *perfEntry) entry() *perfEntry { return e }

func (a *API) entryJSON(e *perfEntry) *goja.Object {
	o := a.rt.CreateObject(nil) // as workerd makes them
	must(o.Set("name", e.name))
	must(o.Set("entryType", e.typ))
	must(o.Set("startTime", e.start))
	must(o.Set("duration", e.duration))
	if e.detail != nil && !isNullish(e.detail) {
		must(o.Set("detail", e.detail))
	}
	return o
}

// entryDetail reads the detail of a mark or measure. It is kept as it is, not
// cloned.
func (a *API) entryDetail(o *goja.Object) goja.Value {
	v := field(o, "detail")
	switch {
	case isUndefined(v):
		return goja.Null()
	case !isObject(v):
		a.badField("Options", "detail", "Object")
	}
	return v
}

func (a *API) newMark(name string, o *goja.Object) *perfEntry {
	e := &perfEntry{name: name, typ: "mark", detail: a.entryDetail(o)}
	if v := field(o, "startTime"); !isUndefined(v) {
		e.start = a.number(v)
	} else {
		e.start = a.now()
	}
	return e
}

// mark implements performance.mark(name, options).
func (a *API) mark(call goja.FunctionCall) goja.Value {
	p := this[*performanceState](a, call.This)
	name := a.str(a.need(call.Arguments, 0, "Performance", "mark", "string"))
	e := a.newMark(name, a.dict(call.Arguments, 1, func() { a.badParam(1, "Performance", "mark", "Options") }))
	p.entries = append(p.entries, e)
	return a.instance(classPerformanceMark, e)
}

// measure implements performance.measure(name, start, end) and
// measure(name, options). A mark that does not exist counts as the time origin
// or as now: workerd does not complain.
func (a *API) measure(call goja.FunctionCall) goja.Value {
	p := this[*performanceState](a, call.This)
	e := &perfEntry{name: a.str(a.need(call.Arguments, 0, "Performance", "measure", "string")), typ: "measure", detail: goja.Null()}
	var end, duration *float64
	if o, ok := call.Argument(1).(*goja.Object); ok {
		number := func(name string) *float64 {
			v := field(o, name)
			if isUndefined(v) {
				return nil
			}
			n := a.number(v)
			return &n
		}
		e.detail = a.entryDetail(o)
		if start := number("start"); start != nil {
			e.start = *start
		}
		end, duration = number("end"), number("duration")
	} else if v := call.Argument(1); !isNullish(v) {
		if m := p.marked(a.str(v)); m != nil {
			e.start = m.start
		}
		if v := call.Argument(2); !isNullish(v) {
			if m := p.marked(a.str(v)); m != nil {
				end = &m.start
			}
		}
	}
	switch {
	case end != nil:
		e.duration = *end - e.start
	case duration != nil:
		e.duration = *duration
	default:
		e.duration = a.now() - e.start
	}
	if !(e.duration > 0) {
		e.duration = 0
	}
	p.entries = append(p.entries, e)
	return a.instance(classPerformanceMeasure, e)
}

// marked returns the first mark of the name.
func (p *performanceState) marked(name string) *perfEntry {
	for _, e := range p.entries {
		if e.typ == "mark" && e.name == name {
			return e
		}
	}
	return nil
}

func (a *API) entryList(p *performanceState, keep func(e *perfEntry) bool) goja.Value {
	var out []any
	for _, e := range p.entries {
		if keep(e) {
			out = append(out, e.owner)
		}
	}
	return a.rt.NewArray(out...)
}

// clearEntries implements clearMarks and clearMeasures.
func (a *API) clearEntries(typ string) native {
	return func(call goja.FunctionCall) goja.Value {
		p := this[*performanceState](a, call.This)
		v := call.Argument(0)
		all, name := isUndefined(v), ""
		if !all {
			name = a.str(v)
		}
		p.entries = slices.DeleteFunc(p.entries, func(e *perfEntry) bool { return e.typ == typ && (all || e.name == name) })
		return goja.Undefined()
	}
}

func initPerformanceClass(a *API, c *class) {
	origin := func() goja.Value { return a.rt.ToValue(float64(a.timeOrigin().UnixMilli())) }
	method := func(name string, f func(p *performanceState, call goja.FunctionCall) goja.Value) {
		c.method(name, func(call goja.FunctionCall) goja.Value { return f(this[*performanceState](a, call.This), call) })
	}
	c.getter("timeOrigin", func(v goja.Value) goja.Value {
		this[*performanceState](a, v)
		return origin()
	})
	method("now", func(*performanceState, goja.FunctionCall) goja.Value { return a.rt.ToValue(a.now()) })
	c.getter("eventCounts", func(v goja.Value) goja.Value {
		this[*performanceState](a, v)
		return a.instance(classEventCounts, &eventCounts{})
	})
	c.method("clearMarks", a.clearEntries("mark"))
	c.method("clearMeasures", a.clearEntries("measure"))
	nothing := func(*performanceState, goja.FunctionCall) goja.Value { return goja.Undefined() }
	method("clearResourceTimings", nothing)
	method("getEntries", func(p *performanceState, _ goja.FunctionCall) goja.Value {
		return a.entryList(p, func(*perfEntry) bool { return true })
	})
	method("getEntriesByName", func(p *performanceState, call goja.FunctionCall) goja.Value {
		name := a.str(a.need(call.Arguments, 0, "Performance", "getEntriesByName", "string"))
		typ := call.Argument(1)
		return a.entryList(p, func(e *perfEntry) bool { return e.name == name && (isUndefined(typ) || e.typ == a.str(typ)) })
	})
	method("getEntriesByType", func(p *performanceState, call goja.FunctionCall) goja.Value {
		typ := a.str(a.need(call.Arguments, 0, "Performance", "getEntriesByType", "string"))
		return a.entryList(p, func(e *perfEntry) bool { return e.typ == typ })
	})
	c.method("mark", a.mark)
	c.method("measure", a.measure)
	method("setResourceTimingBufferSize", func(_ *performanceState, call goja.FunctionCall) goja.Value {
		a.number(a.need(call.Arguments, 0, "Performance", "setResourceTimingBufferSize", "unsigned integer"))
		return goja.Undefined()
	})
	method("toJSON", func(*performanceState, goja.FunctionCall) goja.Value {
		o := a.rt.CreateObject(nil)
		must(o.Set("timeOrigin", origin()))
		return o
	})
	c.getter("nodeTiming", func(v goja.Value) goja.Value {
		this[*performanceState](a, v)
		return a.newNodeTiming()
	})
	method("eventLoopUtilization", func(*performanceState, goja.FunctionCall) goja.Value {
		o := a.rt.NewObject()
		for _, k := range []string{"idle", "active", "utilization"} {
			must(o.Set(k, 0))
		}
		return o
	})
	method("markResourceTiming", nothing)
	method("timerify", func(_ *performanceState, call goja.FunctionCall) goja.Value {
		f := a.need(call.Arguments, 0, "Performance", "timerify", "function")
		if _, ok := goja.AssertFunction(f); !ok {
			a.badParam(0, "Performance", "timerify", "function")
		}
		return f
	})
}

// nodeTimes are the properties of performance.nodeTiming beside those of every
// entry. workerd has them, all zero.
var nodeTimes = []string{"nodeStart", "v8Start", "bootstrapComplete", "environment", "loopStart", "loopExit", "idleTime", "uvMetricsInfo"}

func (a *API) newNodeTiming() *goja.Object {
	o := a.instance(classPerformanceNodeTiming, &nodeTiming{perfEntry{name: "node", typ: "node"}})
	for _, k := range nodeTimes {
		var v goja.Value = a.rt.ToValue(0)
		if k == "uvMetricsInfo" {
			info := a.rt.CreateObject(nil)
			for _, k := range []string{"loopCount", "events", "eventsWaiting"} {
				must(info.Set(k, 0))
			}
			v = info
		}
		ownReadOnly(o, k, v)
	}
	return o
}

func initPerformanceObserver(a *API, c *class) {
	types := a.rt.NewArray("measure", "mark")
	must(c.ctor.DefineDataProperty("supportedEntryTypes", types, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_TRUE))
	c.method("disconnect", func(call goja.FunctionCall) goja.Value {
		this[*perfObserver](a, call.This)
		return goja.Undefined()
	})
	c.method("observe", func(call goja.FunctionCall) goja.Value {
		this[*perfObserver](a, call.This)
		a.dict(call.Arguments, 0, func() { a.badParam(0, "PerformanceObserver", "observe", "ObserveOptions") })
		return goja.Undefined()
	})
	c.method("takeRecords", func(call goja.FunctionCall) goja.Value {
		this[*perfObserver](a, call.This)
		return a.rt.NewArray()
	})
}
