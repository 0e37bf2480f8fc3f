package webapi

import (
	"strings"

	"github.com/dop251/goja"
)

// domCodes are the legacy error codes by name
// (https://webidl.spec.whatwg.org/#dfn-error-names-table), with the constant
// that carries each. The order is that of the codes.
var domCodes = []struct{ constant, name string }{
	{"INDEX_SIZE_ERR", "IndexSizeError"},
	{"DOMSTRING_SIZE_ERR", "DOMStringSizeError"},
	{"HIERARCHY_REQUEST_ERR", "HierarchyRequestError"},
	{"WRONG_DOCUMENT_ERR", "WrongDocumentError"},
	{"INVALID_CHARACTER_ERR", "InvalidCharacterError"},
	{"NO_DATA_ALLOWED_ERR", "NoDataAllowedError"},
	{"NO_MODIFICATION_ALLOWED_ERR", "NoModificationAllowedError"},
	{"NOT_FOUND_ERR", "NotFoundError"},
	{"NOT_SUPPORTED_ERR", "NotSupportedError"},
	{"INUSE_ATTRIBUTE_ERR", "InUseAttributeError"},
	{"INVALID_STATE_ERR", "InvalidStateError"},
	{"SYNTAX_ERR", "SyntaxError"},
	{"INVALID_MODIFICATION_ERR", "InvalidModificationError"},
	{"NAMESPACE_ERR", "NamespaceError"},
	{"INVALID_ACCESS_ERR", "InvalidAccessError"},
	{"VALIDATION_ERR", "ValidationError"},
	{"TYPE_MISMATCH_ERR", "TypeMismatchError"},
	{"SECURITY_ERR", "SecurityError"},
	{"NETWORK_ERR", "NetworkError"},
	{"ABORT_ERR", "AbortError"},
	{"URL_MISMATCH_ERR", "URLMismatchError"},
	{"QUOTA_EXCEEDED_ERR", "QuotaExceededError"},
	{"TIMEOUT_ERR", "TimeoutError"},
	{"INVALID_NODE_TYPE_ERR", "InvalidNodeTypeError"},
	{"DATA_CLONE_ERR", "DataCloneError"},
}

type domException struct {
	slot
	message, name string
}

func init() {
	classSpecs[classDOMException] = classSpec{
		name:   "DOMException",
		parent: noParent,
		construct: func(a *API, call goja.ConstructorCall) {
			var message goja.Value = a.rt.ToValue("")
			var name goja.Value = a.rt.ToValue("Error")
			if v := call.Argument(0); !isUndefined(v) {
				message = a.jsString(v)
			}
			if v := call.Argument(1); !isUndefined(v) {
				name = a.jsString(v)
			}
			a.initDOMException(call.This, message, name)
		},
		init: func(a *API, c *class) {
			errorProto := a.intrinsics["Error"].Get("prototype").ToObject(a.rt)
			must(c.proto.SetPrototype(errorProto))
			for i, code := range domCodes {
				c.constant(code.constant, i+1)
			}
		},
	}
}

// initDOMException gives o the own properties that workerd gives it, in its
// order. They are read-only; the web has them as getters on the prototype.
func (a *API) initDOMException(o *goja.Object, message, name goja.Value) {
	code := 0
	for i, c := range domCodes {
		if c.name == name.String() {
			code = i + 1
			break
		}
	}
	a.attach(o, &domException{message: message.String(), name: name.String()})
	own := func(key string, v goja.Value, writable goja.Flag) {
		must(o.DefineDataProperty(key, v, writable, goja.FLAG_TRUE, goja.FLAG_TRUE))
	}
	own("code", a.rt.ToValue(code), goja.FLAG_FALSE)
	own("name", name, goja.FLAG_FALSE)
	own("message", message, goja.FLAG_FALSE)
	own("stack", a.rt.ToValue(a.stackText(name.String(), message.String())), goja.FLAG_TRUE)
}

// stackText renders the present call stack in V8's layout.
func (a *API) stackText(name, message string) string {
	var b strings.Builder
	b.WriteString(name)
	if message != "" {
		b.WriteString(": ")
		b.WriteString(message)
	}
	for _, f := range a.rt.CaptureCallStack(10, nil) {
		if f.SrcName() == "<native>" {
			continue
		}
		b.WriteString("\n    at ")
		pos := f.Position().String()
		if fn := f.FuncName(); fn != "" && fn != "<anonymous>" {
			b.WriteString(fn + " (" + pos + ")")
		} else {
			b.WriteString(pos)
		}
	}
	return b.String()
}

// NewDOMException makes a DOMException, for example
// NewDOMException("The operation was aborted", "AbortError").
func (a *API) NewDOMException(message, name string) *goja.Object {
	o := a.rt.CreateObject(a.class(classDOMException).proto)
	a.initDOMException(o, a.rt.ToValue(message), a.rt.ToValue(name))
	return o
}

// DOMExceptionOf returns the message and the name of a DOMException, and false
// for any other value. An object that inherits from one does not count.
func (a *API) DOMExceptionOf(v goja.Value) (message, name string, ok bool) {
	e, ok := lookup[*domException](a, v)
	if !ok {
		return "", "", false
	}
	return e.message, e.name, true
}

func (a *API) throwDOM(message, name string) {
	panic(a.NewDOMException(message, name))
}
