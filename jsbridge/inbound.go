package jsbridge

import (
	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
)

// Fetch sends a request to the fetch handler of an export. It may be called from
// any goroutine; done is called once, on the loop.
//
// cancel, which may be called from any goroutine and at any time, says that
// nobody waits for the response, or for the rest of its body, any more: the
// request's signal is aborted if the worker has the flag enable_request_signal,
// and the handler ends as soon as nothing given to waitUntil is pending (measured
// on workerd).
func (iso *Isolate) Fetch(export string, req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) (cancel func()) {
	return iso.FetchEntry(Entry{Export: export}, req, done)
}

// FetchEntry is [Isolate.Fetch] with the props that ctx.props shows.
func (iso *Isolate) FetchEntry(e Entry, req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) (cancel func()) {
	in := &inbound{iso: iso}
	answer := done
	answered, tracked := iso.track(func(err *durable.Error) {
		_ = req.Body.Close()
		answer(nil, err)
	})
	if !tracked {
		return func() {}
	}
	done = func(res *httpmsg.Response, err *durable.Error) {
		if answered() {
			answer(res, err)
		}
	}
	posted := iso.Loop.Post(func() {
		args := func(env, ctx goja.Value) []goja.Value {
			r := iso.api.NewRequest(req)
			in.signal = iso.newClientSignal(r)
			return []goja.Value{r, env, ctx}
		}
		in.request = iso.request(e, "fetch", args, func(v goja.Value, err *durable.Error) {
			if err != nil {
				_ = req.Body.Close()
				done(nil, err)
				return
			}
			var res *httpmsg.Response
			ex := iso.rt.Try(func() {
				var err error
				if res, err = iso.responseOf(v); err != nil {
					iso.throw(err)
				}
			})
			if ex != nil {
				done(nil, remote(iso.errorOf(ex.Value(), "")))
				return
			}
			in.signal.watch(res)
			done(res, nil)
		})
	})
	if !posted {
		_ = req.Body.Close()
		done(nil, errClosed)
		return func() {}
	}
	return func() { iso.Loop.Post(in.cancel) }
}

// inbound is a request that a worker serves.
type inbound struct {
	iso     *Isolate
	request *request
	signal  *clientSignal // nil without the flag
}

// errClientGone is what nobody sees: the client that would is gone.
var errClientGone = &durable.Error{Name: "Error", Message: "The client has disconnected.", Retryable: true}

// cancel runs on the loop, as a piece of work of its own.
func (in *inbound) cancel() {
	if in.request == nil || in.request.ctx.dead != nil {
		return
	}
	if in.signal != nil {
		in.iso.turn(in.signal.frame, in.signal.gone)
	}
	in.request.fail(errClientGone)
}
