package prelude

import (
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// errorClasses are those whose constructors make stacks in V8's format.
var errorClasses = []struct {
	name   string
	length int
}{
	{"Error", 1}, {"TypeError", 1}, {"RangeError", 1}, {"SyntaxError", 1},
	{"ReferenceError", 1}, {"EvalError", 1}, {"URIError", 1}, {"AggregateError", 2},
}

type errorState struct {
	ctor     *goja.Object // the global Error
	get, set *goja.Object // of the own property "stack"
	limiting bool         // Error.stackTraceLimit is being read
	layout   *errorLayout
}

// installErrors gives errors the stacks of V8: its format, a header taken when
// the error is made, Error.captureStackTrace and Error.stackTraceLimit.
func (p *Prelude) installErrors() error {
	p.errs.layout = layout()
	p.errs.get = p.function("stack", 0, p.getStack)
	p.errs.set = p.function("stack", 1, func(c goja.FunctionCall) goja.Value {
		if o, ok := c.This.(*goja.Object); ok {
			if err := hidden(o, "stack", c.Argument(0)); err != nil {
				rethrow(err)
			}
		}
		return goja.Undefined()
	})
	for _, c := range errorClasses {
		native, ok := p.rt.Get(c.name).(*goja.Object)
		if !ok {
			return errMissing(c.name)
		}
		construct, ok := goja.AssertConstructor(native)
		if !ok {
			return errMissing(c.name)
		}
		var w *goja.Object
		w = p.constructor(c.name, c.length, func(call goja.ConstructorCall) *goja.Object {
			target := call.NewTarget
			if target == nil || target == w {
				target = native
			}
			o, err := construct(target, call.Arguments...)
			if err != nil {
				rethrow(err)
			}
			p.finishError(o)
			return o
		})
		if err := p.replace(c.name, native, w); err != nil {
			return err
		}
		if err := hidden(p.rt.GlobalObject(), c.name, w); err != nil {
			return err
		}
		p.classes[c.name] = w
		if c.name == "Error" {
			p.errs.ctor = w
		} else if err := w.SetPrototype(p.errs.ctor); err != nil {
			return err
		}
	}
	e := p.errs.ctor
	if err := hidden(e, "captureStackTrace", p.function("captureStackTrace", 2, p.captureStackTrace)); err != nil {
		return err
	}
	return e.Set("stackTraceLimit", 10)
}

// finishError gives a new error its property "stack": an accessor, as in V8,
// that makes the text when it is looked at.
func (p *Prelude) finishError(o *goja.Object) {
	frames, added := p.errs.layout.parts(o)
	if frames == nil {
		p.putStack(o, p.capture(nil))
		return
	}
	n, ok := p.limit()
	*frames = truncate(aboveNative(*frames), n)
	*added = true
	if ok {
		p.putAccessor(o)
	}
}

func (p *Prelude) putAccessor(o *goja.Object) {
	// A new error object is extensible and has no such property.
	_ = o.DefineAccessorProperty("stack", p.errs.get, p.errs.set, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

func (p *Prelude) getStack(c goja.FunctionCall) goja.Value {
	o, ok := c.This.(*goja.Object)
	if !ok {
		return goja.Undefined()
	}
	frames, _ := p.errs.layout.parts(o)
	if frames == nil {
		return goja.Undefined()
	}
	return p.rt.ToValue(header(o) + formatFrames(*frames))
}

// FixStack gives an error that the engine itself threw, such as the TypeError
// of a call of undefined, a stack in V8's format. Errors made by constructors
// have it already, other values are left alone. It costs little unless the
// stack is looked at.
func (p *Prelude) FixStack(v goja.Value) {
	o, ok := v.(*goja.Object)
	if !ok {
		return
	}
	if frames, added := p.errs.layout.parts(o); frames != nil && !*added {
		p.finishError(o)
	}
}

// captureStackTrace is Error.captureStackTrace(object, belowFunction).
func (p *Prelude) captureStackTrace(c goja.FunctionCall) goja.Value {
	o, ok := c.Argument(0).(*goja.Object)
	if !ok {
		p.throw("TypeError", "invalid_argument")
	}
	below, _ := c.Argument(1).(*goja.Object)
	if err := p.putStack(o, p.capture(below)); err != nil {
		p.throw("TypeError", "Cannot define property stack, object is not extensible")
	}
	return goja.Undefined()
}

// limit reads Error.stackTraceLimit; ok is false when errors get no stack. V8
// takes no notice of an accessor; here it runs, but what it throws is dropped
// and the errors it makes have no stack.
func (p *Prelude) limit() (n int, ok bool) {
	if p.errs.limiting {
		return 0, false
	}
	p.errs.limiting = true
	defer func() { p.errs.limiting = false }()
	var v goja.Value
	if ex := p.rt.Try(func() { v = p.errs.ctor.Get("stackTraceLimit") }); ex != nil || v == nil {
		return 0, false
	}
	switch x := v.Export().(type) {
	case int64:
		return int(max(0, min(x, 1000))), true
	case float64:
		return int(max(0, min(x, 1000))), true
	}
	return 0, false
}

// aboveNative drops the frames of native functions at the top: this package's
// own constructors.
func aboveNative(frames []goja.StackFrame) []goja.StackFrame {
	for len(frames) > 0 && frames[0].SrcName() == nativeName {
		frames = frames[1:]
	}
	return frames
}

func truncate(frames []goja.StackFrame, n int) []goja.StackFrame {
	// Only the prelude's own frames need a look at their file.
	out := frames[:0:0]
	for i := range frames {
		if len(out) == n {
			break
		}
		if frames[i].SrcName() != fileName {
			out = append(out, frames[i])
		}
	}
	return out
}

// capture takes the frames of the program. With below, those up to the topmost
// call of a function of that name are left out: the engine does not tell
// functions of one name apart.
func (p *Prelude) capture(below *goja.Object) []goja.StackFrame {
	frames := aboveNative(p.rt.CaptureCallStack(0, nil))
	if below == nil {
		return frames
	}
	name := "<anonymous>"
	if n := below.Get("name"); n != nil && n.String() != "" {
		name = n.String()
	}
	for i := range frames {
		if frames[i].FuncName() == name {
			return frames[i+1:]
		}
	}
	return nil
}

// putStack defines "stack" as a text.
func (p *Prelude) putStack(o *goja.Object, frames []goja.StackFrame) error {
	n, ok := p.limit()
	if !ok {
		return nil
	}
	text := header(o) + formatFrames(truncate(frames, n))
	return hidden(o, "stack", p.rt.ToValue(text))
}

// header is the first line of a stack: what Error.prototype.toString gives.
func header(o *goja.Object) string {
	name, msg := "Error", ""
	if v := o.Get("name"); v != nil && !goja.IsUndefined(v) {
		name = v.String()
	}
	if v := o.Get("message"); v != nil && !goja.IsUndefined(v) {
		msg = v.String()
	}
	switch {
	case msg == "":
		return name
	case name == "":
		return msg
	}
	return name + ": " + msg
}

const nativeName = "<native>" // goja's name for the source of native functions

// formatFrames writes frames in V8's format, each on a line of its own that
// starts with a newline.
func formatFrames(frames []goja.StackFrame) string {
	var b strings.Builder
	for i := range frames {
		f := &frames[i]
		name := f.FuncName()
		if f.SrcName() == nativeName {
			b.WriteString("\n    at " + name + " (<anonymous>)")
			continue
		}
		pos := f.Position()
		place := pos.Filename + ":" + strconv.Itoa(pos.Line) + ":" + strconv.Itoa(pos.Column)
		if name == "" || name == "<anonymous>" {
			b.WriteString("\n    at " + place)
		} else {
			b.WriteString("\n    at " + name + " (" + place + ")")
		}
	}
	return b.String()
}
