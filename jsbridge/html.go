package jsbridge

import (
	"github.com/dop251/goja"

	"github.com/durashim/durashim/jsbridge/htmlrewriter"
)

// installHTML defines HTMLRewriter, which is made when a script first uses it.
func (iso *Isolate) installHTML() {
	iso.api.ScopeClass("HTMLRewriter", func() goja.Value {
		class, err := htmlrewriter.Class(iso.rt, htmlrewriter.Env{
			Class:       iso.api.Intrinsic,
			IsResponse:  iso.api.IsResponse,
			IsStream:    iso.api.IsReadableStream,
			ContentType: iso.api.ContentType,
			Bytes:       iso.api.Bytes,
			Uint8Array:  iso.api.Uint8Array,
		})
		if err != nil {
			iso.throw(err)
		}
		return class
	})
}
