package jsclone

import (
	"fmt"

	"github.com/dop251/goja"
)

// CloneError reports a value that cannot be cloned. A bridge shows it to scripts
// as a DOMException of the name DataCloneError with the same message.
type CloneError struct {
	// Message is the text that workerd gives.
	Message string
}

func (e *CloneError) Error() string { return e.Message }

// Name is the name of the DOMException.
func (e *CloneError) Name() string { return "DataCloneError" }

// NewUnsupportedTypeError is the error for a class that workerd refuses, such as
// URL. Hooks return it for the host classes that they know.
func NewUnsupportedTypeError(class string) *CloneError {
	return &CloneError{Message: fmt.Sprintf("Could not serialize object of type %q. This type does not support serialization.", class)}
}

// DepthError reports values nested deeper than Options.MaxDepth. A bridge shows
// it as a RangeError with the same text: V8 runs out of stack at some 4000
// levels.
type DepthError struct{ Max int }

func (e *DepthError) Error() string { return "Maximum call stack size exceeded" }

// notCloneable is the error for an object that the format has no place for. The
// text names it as V8 does when it may not run code of the object: by its
// constructor where toString is the default one, else by its tag.
func (c *Codec) notCloneable(o *goja.Object) error {
	return &CloneError{Message: c.describe(o) + " could not be cloned."}
}

func (c *Codec) describe(o *goja.Object) string {
	if isCallable(o) {
		for c.l.impl(o).tab == c.l.proxy {
			o = o.Export().(goja.Proxy).Target() // a proxy shows the source of its function
		}
		return on(c.functionToString, o).String()
	}
	if o == c.rt.GlobalObject() {
		return "#<ServiceWorkerGlobalScope>"
	}
	tag, tagged := o.GetSymbol(goja.SymToStringTag).(goja.String)
	if f, ok := o.Get("toString").(*goja.Object); ok && f == c.toString {
		// V8's iterators have no constructor of their own; goja's say Object, or
		// Iterator where there is such a class.
		ctor, ok := o.Get("constructor").(*goja.Object)
		if ok && isCallable(ctor) && !(tagged && ctor == c.classes["Object"]) {
			if name, ok := ctor.Get("name").(goja.String); ok && name.Length() > 0 && !(tagged && name.String() == "Iterator") {
				return "#<" + name.String() + ">"
			}
		}
	}
	if tagged {
		return "[object " + tag.String() + "]"
	}
	return "[object Object]"
}

func isCallable(o *goja.Object) bool {
	_, ok := goja.AssertFunction(o)
	return ok
}
