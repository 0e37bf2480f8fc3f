package jsbridge

import "github.com/dop251/goja"

// installShift replaces Array.prototype.shift by one that takes constant time on
// ordinary arrays; see [jsclone.Codec.Shift].
func (iso *Isolate) installShift() error {
	proto := iso.rt.Get("Array").(*goja.Object).Get("prototype").(*goja.Object)
	own, ok := goja.AssertFunction(proto.Get("shift"))
	if !ok {
		return errEngine{"Array has no shift"}
	}
	shift := iso.function("shift", 0, func(c goja.FunctionCall) goja.Value {
		if first, ok := iso.clone.Shift(c.This); ok {
			return first
		}
		v, ex := iso.call(own, c.This, c.Arguments...)
		if ex != nil {
			panic(ex.Value())
		}
		return v
	})
	return proto.DefineDataProperty("shift", shift, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}
