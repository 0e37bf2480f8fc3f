package jsbridge

import "github.com/durashim/durashim/durable"

// errSubrequests is what a request gets that makes more subrequests than it may
// (https://developers.cloudflare.com/workers/platform/limits/#subrequests).
var errSubrequests = &durable.Error{Name: "Error", Message: "Too many subrequests."}

// subrequest counts a call or a fetch that the code of the frame starts, toward
// its request or, within an object, the call that the object serves. It returns
// its number, from 1. Automatic retries do not come here: they do not count
// (announcement).
func (f *frame) subrequest() (int, error) {
	n := &f.ctx.sent
	if v, ok := f.event.(invocation); ok {
		n = &v.inv.Subrequests
	}
	if limit := f.ctx.iso.cfg.Limits.Subrequests; limit > 0 && *n >= limit {
		return 0, errSubrequests
	}
	*n++
	return *n, nil
}

// Subrequest returns which of its request's subrequests the call is, from 1.
func (r *rpcResult) Subrequest() int { return r.number }

// Subrequest returns which of its request's subrequests the fetch is, from 1.
func (f *fetchCall) Subrequest() int { return f.number }
