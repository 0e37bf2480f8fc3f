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

// Context implements [durable.Origin]: a request, or a life of an object. What
// remembers it does not keep that alive.
func (r *rpcResult) Context() any { return weak.Make(r.frame.ctx) }

// CallSite implements [durable.Origin].
func (r *rpcResult) CallSite() string { return callSite(r.calledAt) }

// Context implements [durable.Origin].
func (f *fetchCall) Context() any { return weak.Make(f.d.frame.ctx) }

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
