package jsbridge

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
)

// Canceler is a [Service] whose requests can be given up.
type Canceler interface {
	Service
	// FetchCancel is Fetch; cancel, which may be called from any goroutine and
	// at any time, says that nobody waits for the response, or for the rest of
	// its body, any more.
	FetchCancel(req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) (cancel func())
}

// sender sends one request of a fetch; cancel gives it up.
type sender func(f *fetchCall, req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) (cancel func(*durable.Error))

// serviceSender sends through a service.
func serviceSender(s Service) sender {
	return func(_ *fetchCall, req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) func(*durable.Error) {
		if c, ok := s.(Canceler); ok {
			cancel := c.FetchCancel(req, done)
			return func(*durable.Error) { cancel() }
		}
		s.Fetch(req, done)
		return nil
	}
}

// errGlobalScope is what I/O before the script has loaded is rejected with
// (measured on workerd).
var errGlobalScope = &durable.Error{
	Name: "Error",
	Message: "Disallowed operation called within global scope. Asynchronous I/O (ex: fetch() or connect()), setting a timeout, " +
		"and generating random values are not allowed within global scope. To fix this error, perform this operation within a handler. " +
		"https://developers.cloudflare.com/workers/runtime-apis/handlers/",
}

// installFetch defines the global function fetch.
func (iso *Isolate) installFetch() {
	iso.api.ScopeFunction("fetch", iso.globalFetch)
}

func (iso *Isolate) globalFetch(c goja.FunctionCall) goja.Value {
	if len(c.Arguments) == 0 {
		return iso.settled(func() goja.Value {
			iso.throwType("Failed to execute 'fetch' on 'ServiceWorkerGlobalScope': parameter 1 is not of type 'Request or string'.")
			return nil
		})
	}
	if iso.cur.ctx == &iso.startup {
		return iso.settled(func() goja.Value { iso.throw(errGlobalScope); return nil })
	}
	if iso.cfg.Outbound == nil {
		return iso.settled(func() goja.Value { iso.throw(errNotImplemented("fetch() without an outbound service")); return nil })
	}
	return iso.fetchThrough(c, serviceSender(iso.cfg.Outbound))
}

// fetchCall is a call of fetch(), of a stub or the global one, from its start to
// the end of the response's body. It belongs to the loop.
type fetchCall struct {
	number    int // among the subrequests
	iso       *Isolate
	d         *deferred
	send      sender
	cancel    func(*durable.Error) // of the request in flight
	aborted   bool
	stopAbort func()     // takes the listener off the signal
	body      *abortable // of the response
	release   func()     // of the hold on the context
	urls      []string   // of the requests made
}

// fetchThrough does what fetch(input, init) does: it builds the request, sends
// it, follows redirects, and settles the promise that it returns.
func (iso *Isolate) fetchThrough(c goja.FunctionCall, send sender) goja.Value {
	d := iso.newDeferred()
	var req *httpmsg.Request
	var signal *goja.Object
	var data *httpmsg.Response
	ex := iso.rt.Try(func() {
		var err error
		if req, signal, err = iso.api.BuildRequest(c.Argument(0), c.Argument(1)); err != nil {
			iso.throw(err)
		}
		if data, err = localResponse(req.URL); err != nil {
			iso.throw(err)
		}
	})
	if ex != nil {
		d.settle(func() goja.Value { panic(ex.Value()) })
		return d.promise
	}
	f := &fetchCall{iso: iso, d: d, send: send, stopAbort: func() {}}
	if data == nil {
		var err error
		if f.number, err = d.frame.subrequest(); err != nil {
			_ = req.Body.Close()
			d.settle(func() goja.Value { iso.throw(err); return nil })
			return d.promise
		}
	}
	if iso.governs(signal) {
		f.stopAbort = iso.api.OnAbort(signal, f.abort)
		if f.aborted {
			_ = req.Body.Close()
			return d.promise
		}
	}
	if data != nil {
		f.stopAbort()
		d.settle(func() goja.Value { return iso.api.NewResponse(data) })
		return d.promise
	}
	f.release = iso.own(d.frame.ctx.act != nil, func() {
		if f.cancel != nil {
			f.cancel(errContextOver)
		}
	})
	leave(d.frame, func() {
		if f.aborted {
			_ = req.Body.Close()
			return
		}
		f.start(req)
	}, func() { _ = req.Body.Close() })
	return d.promise
}

// leave runs send when the caller's earlier writes are durable, or drop when the
// caller has ended before that.
func leave(f *frame, send, drop func()) {
	if f.ctx.act != nil {
		f.ctx.act.Out.LeaveOr(send, drop)
		return
	}
	send()
}

// start sends a request: the first one, or one that a redirect asks for.
func (f *fetchCall) start(req *httpmsg.Request) {
	f.urls = append(f.urls, req.URL)
	sent := req.Clone()
	sent.Redirect = "manual" // the callee never follows for us
	describeBody(sent)
	f.cancel = f.send(f, sent, func(res *httpmsg.Response, err *durable.Error) {
		if err != nil || !redirects(req, res) {
			f.finish(res, err)
			return
		}
		// Not through the input gate: no JavaScript is involved.
		f.iso.Loop.Post(func() {
			_ = res.Body.Close()
			next, err := redirected(req, res, f.urls)
			switch {
			case f.aborted || f.d.frame.ctx.dead != nil:
			case err != nil:
				f.finish(nil, err)
			default:
				f.start(next)
			}
		})
	})
}

// describeBody gives the request the headers that say how long its body is, as
// the callee sees them (measured on workerd).
func describeBody(req *httpmsg.Request) {
	switch n := req.Body.Length(); {
	case req.Body.IsNone():
	case n >= 0:
		req.Header.Del("Transfer-Encoding")
		req.Header.Set("Content-Length", itoa64(n))
	default:
		req.Header.Del("Content-Length")
		req.Header.Set("Transfer-Encoding", "chunked")
	}
}

// finish settles the promise. It may be called from any goroutine.
func (f *fetchCall) finish(res *httpmsg.Response, err *durable.Error) {
	iso := f.iso
	urls := f.urls
	posted := iso.Loop.Post(func() {
		if f.aborted || f.d.frame.ctx.dead != nil {
			if res != nil {
				_ = res.Body.Close()
			}
			return
		}
		f.d.frame.enter(func() {
			f.release()
			f.d.settle(func() goja.Value {
				if err != nil {
					f.stopAbort()
					iso.throw(err)
				}
				res = res.Clone()
				if res.StatusText == "" {
					res.StatusText = http.StatusText(res.Status)
				}
				if res.EncodeBody == "manual" {
					// The script has encoded the body itself; whoever reads it
					// gets it decoded.
					ce, _ := res.Header.Get("Content-Encoding")
					res.Body = res.Body.WithEncoding(ce)
				}
				res.URL, res.Redirected = urls[len(urls)-1], len(urls) > 1
				f.watchBody(res)
				return iso.api.NewResponse(res)
			})
		})
	})
	if !posted && res != nil {
		_ = res.Body.Close()
	}
}

// watchBody lets an abort reach the body of the response as well.
func (f *fetchCall) watchBody(res *httpmsg.Response) {
	if res.Body.Stream() == nil {
		f.stopAbort()
		return
	}
	body := &abortable{Reader: res.Body.Stream(), inner: res.Body, over: func() { f.iso.Loop.Post(f.stopAbort) }}
	f.body = body
	var r io.Reader = body
	if async, ok := body.Reader.(httpmsg.AsyncReader); ok {
		r = &asyncAbortable{body, async}
	}
	res.Body = httpmsg.StreamBody(r, res.Body.Length()).WithEncoding(res.Body.Encoding())
}

// abort runs in a turn of whoever aborted the signal.
func (f *fetchCall) abort(reason goja.Value) {
	f.aborted = true
	if f.body != nil {
		f.body.abort(&abortError{f.iso, reason})
	}
	if f.cancel != nil {
		f.cancel(f.iso.errorOf(reason, ""))
	}
	f.d.must(f.d.reject(reason))
	if f.release != nil {
		f.release()
	}
}

// abortError is the end of a body whose fetch was aborted. The reason means
// something in its own isolate only.
type abortError struct {
	iso    *Isolate
	reason goja.Value
}

func (e *abortError) Error() string { return "the fetch was aborted" }

// abortable is the body of a response whose fetch has a signal.
type abortable struct {
	io.Reader
	inner   httpmsg.Body
	aborted atomic.Pointer[abortError]
	once    sync.Once
	over    func()
}

func (b *abortable) abort(e *abortError) {
	if b.aborted.CompareAndSwap(nil, e) {
		_ = b.inner.Close()
	}
}

// end notes the error of a read, and replaces it if it comes from an abort.
func (b *abortable) end(err error) error {
	if err == nil {
		return nil
	}
	b.once.Do(b.over)
	if e := b.aborted.Load(); e != nil && err != io.EOF {
		return e
	}
	return err
}

func (b *abortable) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	return n, b.end(err)
}

func (b *abortable) Close() error {
	b.once.Do(b.over)
	return b.inner.Close()
}

type asyncAbortable struct {
	*abortable
	async httpmsg.AsyncReader
}

func (b *asyncAbortable) ReadAsync(done func(chunk []byte, err error)) {
	b.async.ReadAsync(func(chunk []byte, err error) { done(chunk, b.end(err)) })
}
