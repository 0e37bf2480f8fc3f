package durable

import (
	"time"

	"github.com/durashim/durashim/internal/inflight"
)

// delivery is an attempt on its way to a host in the process and back.
type delivery struct {
	Passage
	transport *Local
	host      *Host
	req       *Request
	dropped   bool // the connection is gone: no answer passes
	entry     inflight.Entry[Reply]
}

// post runs f on the host's loop, or lost when the host is given up before that.
// It reports false when the host is gone already.
func (d *delivery) post(f func(), lost func(Reply)) bool {
	d.entry.Fail = lost
	if !d.host.calls.Add(&d.entry) {
		return false
	}
	if d.host.Loop.Post(f) {
		return true
	}
	d.host.calls.Remove(&d.entry)
	return false
}

// arrive hands the request to the host, on its loop.
func (d *delivery) arrive() {
	if home := d.host.home(); home != d.host {
		d.host.calls.Remove(&d.entry)
		d.host = home
		d.transport.deliver(d)
		return
	}
	if d.hit.point == PointDuplicated {
		d.twice()
		return
	}
	d.host.Deliver(d.req, d.answer)
}

// twice delivers the request and its duplicate. The first answer waits until
// the duplicate has arrived: one that came after the reply was received would
// be no duplicate on its way, the connection being over by then.
func (d *delivery) twice() {
	var early *Reply
	arrived := false
	d.acts()
	d.host.Deliver(d.req, func(r Reply) {
		if !arrived {
			early = &r
			return
		}
		d.answer(r)
	})
	again := *d.req
	d.host.Deliver(&again, func(r Reply) {
		r.Result.drop()
		if r.Rejected {
			again.trace(Event{Kind: EventDuplicateRejected})
		}
	})
	arrived = true
	if early != nil {
		d.answer(*early)
	}
}

// answer carries the host's answer back.
func (d *delivery) answer(r Reply) {
	if d.dropped || !d.host.calls.Remove(&d.entry) {
		r.Result.drop()
		return
	}
	r, passes := d.Answer(r)
	switch {
	case !passes:
		d.attempt.Done(r)
	case d.hit.replyDelay > 0:
		d.late(r)
	default:
		d.receive(r)
	}
}

// late brings the reply after a delay. It is apart from answer so that the common
// reply stays off the heap.
func (d *delivery) late(r Reply) {
	d.Arrive(func() {
		if d.attempt.over() {
			d.attempt.Done(r) // nobody receives it; the claim stays
			return
		}
		if !d.host.home().Loop.Post(func() { d.receive(r) }) {
			d.attempt.Done(r) // the host is gone, and its claims with it
		}
	})
}

// receive is the moment in which the caller has the reply.
func (d *delivery) receive(r Reply) {
	d.host.home().Release(d.req)
	d.attempt.Done(r)
}

// cut breaks the connection while the method runs. The claim stays.
func (d *delivery) cut() {
	d.dropped = true
	// Until then the attempt is the host's to answer, should it be given up.
	d.host.Loop.Post(func() {
		if d.host.calls.Remove(&d.entry) {
			d.attempt.Done(Reply{Delivery: Uncertain, Err: ConnectionLost()})
		}
	})
}

// acts notes that the fault is carried out.
func (d *delivery) acts() { d.Acts(time.Time{}) }
