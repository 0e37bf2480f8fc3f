package jsbridge

import (
	"io"
	"sync/atomic"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge/webapi"
)

// requestSignal is the compatibility flag without which a disconnect of the
// client does not abort request.signal, signalPassthrough the one without which
// that signal does not govern further requests
// (https://developers.cloudflare.com/workers/configuration/compatibility-flags/).
const (
	requestSignal     = "enable_request_signal"
	signalPassthrough = "request_signal_passthrough"
)

// clientSignal tells the handler of a request that the client is gone.
type clientSignal struct {
	frame *frame // of the handler
	abort func(reason goja.Value)
}

// newClientSignal gives a request that came in its signal; nil without the flag.
func (iso *Isolate) newClientSignal(req *goja.Object) *clientSignal {
	if iso.cfg.Compat == nil || !iso.compat(requestSignal) {
		return nil
	}
	signal, abort := iso.api.NewAbortSignal()
	iso.api.SetSignalOrigin(signal, webapi.RequestSignal)
	iso.api.SetRequestSignal(req, signal)
	return &clientSignal{iso.cur, abort}
}

// gone aborts the signal, in a turn.
func (c *clientSignal) gone() {
	reason := c.frame.ctx.iso.api.NewDOMException("The client has disconnected", "AbortError")
	_ = reason.Set("retryable", true)
	c.abort(reason)
}

// watch makes the signal hear of a client that does not read the response to its
// end.
func (c *clientSignal) watch(res *httpmsg.Response) {
	stream := res.Body.Stream()
	if c == nil || stream == nil {
		return
	}
	b := &watchedBody{Reader: stream, inner: res.Body, gone: func() { c.frame.post(c.gone) }}
	var r io.Reader = b
	if async, ok := stream.(httpmsg.AsyncReader); ok {
		r = &asyncWatchedBody{b, async}
	}
	res.Body = httpmsg.StreamBody(r, res.Body.Length()).WithEncoding(res.Body.Encoding())
}

// watchedBody tells when it is closed before its end.
type watchedBody struct {
	io.Reader
	inner httpmsg.Body
	over  atomic.Bool
	gone  func()
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil {
		b.over.Store(true)
	}
	return n, err
}

func (b *watchedBody) Close() error {
	if !b.over.Swap(true) {
		b.gone()
	}
	return b.inner.Close()
}

type asyncWatchedBody struct {
	*watchedBody
	async httpmsg.AsyncReader
}

func (b *asyncWatchedBody) ReadAsync(done func(chunk []byte, err error)) {
	b.async.ReadAsync(func(chunk []byte, err error) {
		if err != nil {
			b.over.Store(true)
		}
		done(chunk, err)
	})
}

// governs reports whether a signal governs a request that goes out.
func (iso *Isolate) governs(signal *goja.Object) bool {
	return signal != nil && (iso.api.OriginOf(signal) != webapi.RequestSignal || iso.compat(signalPassthrough))
}
