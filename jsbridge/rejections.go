package jsbridge

import "github.com/dop251/goja"

// trackRejection notes rejected promises without a handler. One that gets a
// handler before the turn ends is not reported.
func (iso *Isolate) trackRejection(p *goja.Promise, op goja.PromiseRejectionOperation) {
	if op == goja.PromiseRejectionReject {
		iso.rejections = append(iso.rejections, p)
		return
	}
	for i, q := range iso.rejections {
		if p == q {
			iso.rejections = append(iso.rejections[:i], iso.rejections[i+1:]...)
			return
		}
	}
}

// reportRejections reports what is unhandled at the end of a turn.
func (iso *Isolate) reportRejections() {
	for len(iso.rejections) > 0 {
		all := iso.rejections
		iso.rejections = nil
		for _, p := range all {
			iso.guard(func() { iso.uncaught("Uncaught (in promise) " + iso.describe(p.Result())) })
		}
	}
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
