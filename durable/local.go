package durable

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
		req := a.Request(host.Incarnation)
		posted = host.Loop.Post(func() {
			host.Deliver(req, func(r Reply) {
				if point == PointReplyDropped {
					// The claim stays: the caller may send a duplicate.
					acts()
					a.Done(Reply{Delivery: Uncertain, Err: connectionLost()})
					return
				}
				host.Release(req)
				a.Done(r)
			})
		})
	}
	if !posted {
		a.Done(Reply{Delivery: NotDelivered, Err: &Error{Name: "Error", Message: "durashim: the runtime was closed."}})
	}
}

// Cancel implements [Transport]. The object is not told: a call that has started
// runs to its end, as one whose connection broke does.
func (t *Local) Cancel(*Attempt) {}
