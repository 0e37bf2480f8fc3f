package durable

import "github.com/durashim/durashim/internal/inflight"

// Receive takes a request that came from another process. It may be called from
// any goroutine; so may answer, which is called once: with the host's reply, or
// with why the host was given up. It reports false when the host is gone and
// answer will not be called.
//
// The claim of the request stays until [Host.Received] or until its deadline.
func (h *Host) Receive(req *Request, answer func(Reply)) bool {
	h = h.home()
	e := &inflight.Entry[Reply]{Fail: answer}
	if !h.calls.Add(e) {
		return false
	}
	posted := h.Loop.Post(func() {
		if home := h.home(); home != h {
			if h.calls.Remove(e) && !home.Receive(req, answer) {
				answer(gone())
			}
			return
		}
		h.Deliver(req, func(r Reply) {
			if !h.calls.Remove(e) {
				r.Result.drop() // it was answered otherwise
				return
			}
			answer(r)
		})
	})
	if !posted {
		return !h.calls.Remove(e)
	}
	return true
}

// Received says that the caller of a request that was given to [Host.Receive] has
// the reply. It may be called from any goroutine.
func (h *Host) Received(req *Request) {
	h = h.home()
	h.Loop.Post(func() { h.Release(req) })
}

// GaveUp says that the caller of a request that was given to [Host.Receive] does
// not wait for its reply any more. It may be called from any goroutine.
func (h *Host) GaveUp(req *Request) { h.Loop.Post(req.Cancel) }

// RefsDescriber is implemented by [Refs] that can say what they are, for the error
// of a transport that cannot carry them.
type RefsDescriber interface {
	// DescribeRef names the first reference, as "a function", and the argument
	// that it is in, from 0; -1 when it is not known or in no argument.
	DescribeRef() (argument int, what string)
}
