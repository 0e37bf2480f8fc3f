package durable

import (
	"time"

	"github.com/durashim/durashim/internal/inflight"
)

// delivery is an attempt on its way to the host and back, with the fault that
// acts on it.
//
// The host asks it at the few points of an object's life where a fault may act
// ([Request.strikes]); everything else happens in the transport.
type delivery struct {
	transport *Local
	attempt   *Attempt
	host      *Host
	req       *Request
	hit       acting
	acted     bool // the fault was carried out
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
	switch d.hit.point {
	case PointCrashBefore, PointCrashDuring, PointCrashAfter:
		if d.host.Restart == nil {
			d.miss()
		}
	case PointStorageUnavailable, PointWriteFailed:
		if d.host.Mode == StorageMemory {
			d.miss()
		}
	case PointEvictBefore:
		if d.host.Evict(d.req.Target.ID) {
			d.acts()
		}
	case PointDuplicated:
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
	if d.hit.point == PointReplyDropped {
		r.Result.drop()
		// The claim stays: the caller may send a duplicate.
		if r.Rejected {
			d.record(PointReplyDropped, "reply dropped: it said that the host has seen this request before")
		} else {
			d.acts()
		}
		d.attempt.Done(Reply{Delivery: Uncertain, Err: connectionLost()})
		return
	}
	if d.hit.plan != nil && !d.acted {
		d.miss()
	}
	if d.hit.replyDelay > 0 {
		d.late(r)
		return
	}
	d.receive(r)
}

// late brings the reply after a delay. It is apart from answer so that the common
// reply stays off the heap.
func (d *delivery) late(r Reply) {
	d.record(PointReplyDelayed, delayText(PointReplyDelayed, d.hit.replyDelay))
	d.transport.later(d.attempt, d.hit.replyDelay, "delayed reply", func() {
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
			d.attempt.Done(Reply{Delivery: Uncertain, Err: connectionLost()})
		}
	})
}

// miss takes the fault back: it cannot be carried out on this attempt.
func (d *delivery) miss() {
	d.transport.Faults.spare(d.hit.plan)
	d.hit = acting{replyDelay: d.hit.replyDelay}
	d.req.fault = nil
}

// acts notes that the fault is carried out.
func (d *delivery) acts() {
	d.acted = true
	d.transport.Faults.came(d.hit.plan)
	text := d.hit.point.String()
	if d.hit.point == PointStorageUnavailable {
		text += " for " + millis(d.hit.plan.delay)
	}
	d.record(d.hit.point, text)
}

func (d *delivery) record(p FaultPoint, text string) {
	d.attempt.call.record(Event{Kind: EventFault, Attempt: d.attempt.number, Point: p, Fault: text})
}

func delayText(p FaultPoint, d time.Duration) string { return p.String() + " by " + millis(d) }

// strikes reports, once, that a fault acts on the request at a point of the
// object's life.
func (r *Request) strikes(p FaultPoint) bool {
	d := r.fault
	if d == nil || d.hit.point != p || d.acted {
		return false
	}
	d.acts()
	return true
}
