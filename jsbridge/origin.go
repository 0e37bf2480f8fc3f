package jsbridge

import (
	"weak"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// A call of a method and a fetch say where they come from, for the warning that
// an application repeats what is retried already.
var (
	_ durable.Origin = (*rpcResult)(nil)
	_ durable.Origin = (*fetchCall)(nil)
)

// workOf is what a call belongs to: a request, be it one that an object serves, or
// the life of an object that does something of its own. What remembers it does
// not keep that alive.
type workOf struct {
	ctx    weak.Pointer[IOContext]
	serves uint64
}

// Context implements [durable.Origin].
func (r *rpcResult) Context() any { return r.frame.origin() }

func (f *frame) origin() any { return workOf{weak.Make(f.ctx), f.serves} }

// CallSite implements [durable.Origin].
func (r *rpcResult) CallSite() string { return callSite(r.calledAt) }

// Context implements [durable.Origin].
func (f *fetchCall) Context() any { return f.d.frame.origin() }

// CallSite implements [durable.Origin]. The stack is that of the script unless
// the request had to wait for earlier writes; then there is none.
func (f *fetchCall) CallSite() string { return callSite(f.iso.callers()) }

// callSite writes the innermost frame of a script.
func callSite(frames []goja.StackFrame) string {
	for i := range frames {
		f := &frames[i]
		if f.SrcName() == "<native>" {
			continue
		}
		if fn := f.FuncName(); fn != "" && fn != "<anonymous>" {
			return fn + " (" + f.Position().String() + ")"
		}
		return f.Position().String()
	}
	return ""
}
