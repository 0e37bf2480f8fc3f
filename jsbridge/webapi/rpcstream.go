package webapi

import (
	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

// StreamOf takes the bytes of a ReadableStream that is sent over RPC; the stream
// is locked from then on. Chunks are bytes or, unlike in the body of a message,
// strings (measured on workerd). A reader that gives up cancels the stream. It
// returns a *goja.Exception holding a TypeError if the stream is locked.
func (a *API) StreamOf(stream *goja.Object) (payload httpmsg.Body, err error) {
	err = a.try(func() { payload = a.takePayload(&body{stream: stream, text: true}, false) })
	return payload, err
}
