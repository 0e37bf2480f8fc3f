package jsbridge

import "github.com/dop251/goja"

// rejection is a rejected promise whose fate is open.
type rejection struct {
	promise *goja.Promise
	frame   *frame
}

// trackRejection notes rejected promises without a handler. One that gets a
// handler before the turn ends is never reported.
func (iso *Isolate) trackRejection(p *goja.Promise, op goja.PromiseRejectionOperation) {
	if op == goja.PromiseRejectionReject {
		if iso.prelude != nil {
			iso.prelude.FixStack(p.Result()) // nobody has looked at it yet
		}
		iso.rejections = append(iso.rejections, rejection{p, iso.cur})
		return
	}
	for i, r := range iso.rejections {
		if p == r.promise {
			iso.rejections = append(iso.rejections[:i], iso.rejections[i+1:]...)
			return
		}
	}
	if iso.reported[p] {
		delete(iso.reported, p)
		iso.lateHandled = append(iso.lateHandled, p)
	}
}

// maxReported bounds how many reported promises are remembered for the event
// rejectionhandled.
const maxReported = 100

// reportRejections reports what is unhandled when the promise jobs are drained,
// and runs the jobs that the listeners of the reports start.
func (iso *Isolate) reportRejections() {
	for len(iso.rejections) > 0 || len(iso.lateHandled) > 0 {
		late, all := iso.lateHandled, iso.rejections
		iso.lateHandled, iso.rejections = nil, nil
		for _, p := range late {
			iso.guard(func() { iso.dispatchRejection("rejectionhandled", p, goja.Undefined()) })
		}
		for _, r := range all {
			iso.guard(func() {
				if r.frame != nil {
					iso.cur = r.frame
				}
				if len(iso.reported) >= maxReported || iso.reported == nil {
					iso.reported = make(map[*goja.Promise]bool)
				}
				iso.reported[r.promise] = true
				if iso.dispatchRejection("unhandledrejection", r.promise, r.promise.Result()) {
					iso.uncaught("Uncaught (in promise) " + iso.describe(r.promise.Result()) + thrownAt(iso.places.of(r.promise.Result())))
				}
			})
		}
		iso.drain()
	}
}

// dispatchRejection sends an event about a promise; it reports whether the
// default action is to be taken.
func (iso *Isolate) dispatchRejection(typ string, p *goja.Promise, reason goja.Value) bool {
	g := iso.rt.GlobalObject()
	if !iso.api.HasListeners(g, typ) {
		return true
	}
	return iso.api.DispatchEvent(g, iso.newRejectionEvent(typ, p, reason))
}

func (iso *Isolate) newRejectionEvent(typ string, p *goja.Promise, reason goja.Value) *goja.Object {
	return iso.api.NewPromiseRejectionEvent(typ, iso.rt.ToValue(p), reason)
}

// reportError deals with a value that was thrown and not caught: it goes to the
// listeners for the event error, and to the log unless they prevent that.
func (iso *Isolate) reportError(v goja.Value) {
	g := iso.rt.GlobalObject()
	if iso.api.HasListeners(g, "error") && !iso.api.DispatchEvent(g, iso.api.NewErrorEvent(iso.headline(v), v)) {
		return
	}
	iso.uncaught("Uncaught " + iso.describe(v))
}

// headline is the first line of what describe writes.
func (iso *Isolate) headline(v goja.Value) (text string) {
	_ = iso.rt.Try(func() { text = v.String() })
	return "Uncaught " + text
}

// describe writes a thrown value with its stack if it has one.
func (iso *Isolate) describe(v goja.Value) string {
	text := "?"
	iso.prelude.FixStack(v)
	_ = iso.rt.Try(func() {
		text = v.String()
		if o, ok := v.(*goja.Object); ok {
			if s := o.Get("stack"); s != nil && !goja.IsUndefined(s) && s.String() != "" {
				text = s.String()
			}
		}
	})
	return text
}

func (iso *Isolate) uncaught(text string) {
	if iso.cfg.Uncaught != nil {
		iso.cfg.Uncaught(text)
	}
}
