package durable

import "github.com/durashim/durashim/internal/inflight"

// Local is the transport within one process: a queue to the loop of the host.
// Faults act here.
type Local struct {
	// Route returns the host of an object.
	Route func(Target) *Host
	// Faults are the plans in force; nil means none.
	Faults *Faults
}

var _ Transport = (*Local)(nil)

// Send implements [Transport].
func (t *Local) Send(a *Attempt) {
	host := t.Route(a.call.stub.target)
	point := t.Faults.hit(a)
	acts := func() { a.call.record(Event{Kind: EventFault, Attempt: a.number, Fault: point.String()}) }
	posted := false
	switch point {
	case PointRequestRefused:
		acts()
		posted = host.Loop.Post(func() { a.Done(Reply{Delivery: NotDelivered, Err: connectionLost()}) })
	case PointRequestDropped:
		// The request left for this host: from now on its identity carries the
		// host's incarnation.
		a.Request(host.Incarnation)
		acts()
		posted = host.Loop.Post(func() { a.Done(Reply{Delivery: Uncertain, Err: connectionLost()}) })
	default:
		d := &delivery{attempt: a, host: host, req: a.Request(host.Incarnation), dropReply: point == PointReplyDropped, acts: acts}
		d.entry.Fail = d.lost
		posted = host.calls.Add(&d.entry) && host.Loop.Post(d.arrive)
	}
	if !posted {
		a.Done(Reply{Delivery: NotDelivered, Err: &Error{Name: "Error", Message: "durashim: the runtime was closed."}})
	}
}

// delivery is an attempt on its way to the host and back.
type delivery struct {
	attempt   *Attempt
	host      *Host
	req       *Request
	dropReply bool
	acts      func()
	entry     inflight.Entry[*Error]
}

func (d *delivery) arrive() { d.host.Deliver(d.req, d.answer) }

func (d *delivery) answer(r Reply) {
	if !d.host.calls.Remove(&d.entry) {
		return
	}
	if d.dropReply {
		// The claim stays: the caller may send a duplicate.
		d.acts()
		d.attempt.Done(Reply{Delivery: Uncertain, Err: connectionLost()})
		return
	}
	d.host.Release(d.req)
	d.attempt.Done(r)
}

// lost ends the attempt because the host was given up.
func (d *delivery) lost(err *Error) {
	d.attempt.Done(Reply{Delivery: Answered, Err: err, Broken: true})
}

// Cancel implements [Transport]. The object is not told: a call that has started
// runs to its end, as one whose connection broke does.
func (t *Local) Cancel(*Attempt) {}
