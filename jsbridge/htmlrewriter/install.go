package htmlrewriter

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/dop251/goja"
)

//go:embed js/rewriter.js
var source string

var program = sync.OnceValues(func() (*goja.Program, error) {
	return goja.Compile("durashim:htmlrewriter", source, true)
})

// Env is what the class needs of the platform.
type Env struct {
	// Class returns the constructor of a platform class or of a stream class,
	// as the platform made it.
	Class func(name string) *goja.Object
	// IsResponse and IsStream tell Responses and ReadableStreams.
	IsResponse, IsStream func(goja.Value) bool
	// ContentType is the content-type of a Response, "" if it has none.
	ContentType func(goja.Value) string
	// Bytes returns the memory of a buffer or view.
	Bytes func(goja.Value) ([]byte, bool)
	// Uint8Array makes an array that owns the bytes.
	Uint8Array func([]byte) *goja.Object
}

// Class makes the constructor HTMLRewriter in rt
// (https://developers.cloudflare.com/workers/runtime-apis/html-rewriter/). It
// fails only if the platform lacks a class that it is built on.
func Class(rt *goja.Runtime, env Env) (*goja.Object, error) {
	prg, err := program()
	if err != nil {
		return nil, err
	}
	v, err := rt.RunProgram(prg)
	if err != nil {
		return nil, err
	}
	fn, ok := goja.AssertFunction(v)
	if !ok {
		return nil, fmt.Errorf("htmlrewriter: the program is no function")
	}
	b := &binding{rt: rt, env: env}
	host := rt.NewObject()
	for _, name := range []string{"Response", "ReadableStream", "ReadableStreamDefaultReader", "WritableStream", "WritableStreamDefaultWriter",
		"IdentityTransformStream", "TypeError", "Error", "Object", "Reflect", "Symbol"} {
		c := env.Class(name)
		if c == nil {
			return nil, fmt.Errorf("htmlrewriter: the platform has no %s", name)
		}
		if err := host.Set(name, c); err != nil {
			return nil, err
		}
	}
	b.typeError = env.Class("TypeError")
	for name, f := range map[string]func(goja.FunctionCall) goja.Value{
		"isResponse": func(c goja.FunctionCall) goja.Value { return rt.ToValue(env.IsResponse(c.Argument(0))) },
		"isStream":   func(c goja.FunctionCall) goja.Value { return rt.ToValue(env.IsStream(c.Argument(0))) },
		"isError": func(c goja.FunctionCall) goja.Value {
			o, ok := c.Argument(0).(*goja.Object)
			return rt.ToValue(ok && o.ClassName() == "Error")
		},
		"isBytes": func(c goja.FunctionCall) goja.Value {
			_, ok := env.Bytes(c.Argument(0))
			return rt.ToValue(ok)
		},
		"charset": func(c goja.FunctionCall) goja.Value { return rt.ToValue(charsetParam(env.ContentType(c.Argument(0)))) },
		"parse":   b.parse,
		"open":    b.open,
	} {
		if err := host.Set(name, f); err != nil {
			return nil, err
		}
	}
	if v, err = fn(goja.Undefined(), host); err != nil {
		return nil, err
	}
	return v.ToObject(rt), nil
}
