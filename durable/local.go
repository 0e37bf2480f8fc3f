package durable

import (
	"errors"

	"github.com/durashim/durashim/internal/inflight"
)

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
	d := &delivery{transport: t, Passage: Passage{faults: t.Faults, attempt: a, hit: t.Faults.hit(a)}}
	if d.hit.requestDelay > 0 {
		d.Depart(func() { t.send(d) }) // apart, so that the common call needs no closure
		return
	}
	t.send(d)
}

func (t *Local) send(d *delivery) {
	a := d.attempt
	d.host = t.Route(a.call.stub.target)
	if r, stops := d.Stops(); stops {
		if !t.stop(d, r) {
			a.Done(gone())
		}
		return
	}
	d.req = a.Request(d.host.Incarnation)
	a.sent.Store(d)
	if d.hit.plan != nil {
		d.req.Fault = &InnerFault{Point: d.hit.point, Delay: d.hit.plan.delay, Acts: d.acts, Random: a.call.stub.engine.Random, cut: d.cut}
	}
	t.deliver(d)
}

// stop ends an attempt that never gets to the object. It reports false when the
// host is gone.
func (t *Local) stop(d *delivery, r Reply) bool {
	a := d.attempt
	if r.Delivery == Uncertain {
		// The request left for this host: from now on its identity carries the
		// host's incarnation.
		a.Request(d.host.Incarnation)
	}
	d.acts()
	return d.post(func() {
		if d.host.calls.Remove(&d.entry) {
			a.Done(r)
		}
	}, func(lost Reply) {
		if lost.Broken {
			a.Done(lost)
			return
		}
		a.Done(r) // what breaks now makes no difference to what had failed
	})
}

// deliver hands the request to the host's loop.
func (t *Local) deliver(d *delivery) {
	posted := d.post(d.arrive, d.attempt.Done)
	if next := t.Route(d.req.Target); !posted && next != d.host {
		// The host was given up since it was asked for.
		d.host = next
		posted = d.post(d.arrive, d.attempt.Done)
	}
	if !posted {
		d.attempt.Done(gone())
	}
}

func gone() Reply {
	return Reply{Delivery: NotDelivered, Err: Closed()}
}

// Evict removes the stub's object from memory, gracefully, if it is in memory and
// idle; done is called once with whether it was, from any goroutine. The error says
// that the object is in another process, or the host gone.
func (s *Stub) Evict(done func(evicted bool)) error {
	t, ok := s.transport.(*Local)
	if !ok {
		return errors.New("the object is in another process")
	}
	h := t.Route(s.target).home()
	e := &inflight.Entry[Reply]{Fail: func(Reply) { done(false) }} // the host crashed, and the object with it
	if !h.calls.Add(e) {
		return gone().Err
	}
	posted := h.Loop.Post(func() {
		if h.calls.Remove(e) {
			done(h.Evict(s.target.ID))
		}
	})
	if !posted && h.calls.Remove(e) {
		return gone().Err
	}
	return nil
}

// Cancel implements [Transport]. The object learns of it, and a call that has
// started runs to its end, as one whose connection broke does.
func (t *Local) Cancel(a *Attempt) {
	if d := a.sent.Load(); d != nil {
		d.host.Loop.Post(d.req.Cancel)
	}
}
