package webapi

import "github.com/dop251/goja"

// digestObject is a running digest as crypto.DigestStream sees it
// (https://developers.cloudflare.com/workers/runtime-apis/web-crypto/#constructors).
func (a *API) digestObject(call goja.FunctionCall) goja.Value {
	h := digests[a.hashName(call.Argument(0))].New()
	length := 0
	o := a.rt.NewObject()
	must(o.Set("write", func(call goja.FunctionCall) goja.Value {
		data, _ := a.bytesOf(call.Argument(0))
		length += len(data)
		h.Write(data)
		return goja.Undefined()
	}))
	must(o.Set("length", func(goja.FunctionCall) goja.Value { return a.rt.ToValue(length) }))
	must(o.Set("sum", func(goja.FunctionCall) goja.Value { return a.arrayBuffer(h.Sum(nil)) }))
	return o
}
