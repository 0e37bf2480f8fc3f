package jsbridge

import "github.com/dop251/goja"

// retryable marks functions as safe to run again when delivery of a call was
// uncertain. The mark sits on the function object, in a set of the host's:
// nothing of it is to be seen on the function
// (https://developers.cloudflare.com/durable-objects/, "retryable").
func (iso *Isolate) retryable() *goja.Object {
	return iso.function("retryable", 0, func(c goja.FunctionCall) goja.Value {
		for _, v := range c.Arguments {
			if _, ok := goja.AssertFunction(v); !ok {
				iso.throwType("retryable() accepts only functions.")
			}
		}
		for _, v := range c.Arguments {
			on(iso.js.weakSetAdd, iso.marks, v)
		}
		return goja.Undefined()
	})
}

func (iso *Isolate) isMarked(fn *goja.Object) bool {
	return on(iso.js.weakSetHas, iso.marks, fn).ToBoolean()
}

// probe runs code that looks at script values outside of a call, as a turn.
func (iso *Isolate) probe(f func()) {
	iso.turn(&frame{ctx: &iso.startup}, func() { _ = iso.rt.Try(f) })
}
