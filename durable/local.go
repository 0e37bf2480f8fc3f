package durable

import (
	"errors"
	"time"

	"github.com/durashim/durashim/internal/inflight"
	"github.com/durashim/durashim/internal/sched"
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
	hit := t.Faults.hit(a)
	if hit.requestDelay > 0 {
		a.call.record(Event{Kind: EventFault, Attempt: a.number, Point: PointRequestDelayed,
			Fault: delayText(PointRequestDelayed, hit.requestDelay)})
		t.later(a, hit.requestDelay, "delayed request", func() {
			if !a.over() { // else the connection that carried it is closed
				t.send(a, hit)
			}
		})
		return
	}
	t.send(a, hit)
}

// later runs f when a delay of an attempt is over.
func (t *Local) later(a *Attempt, d time.Duration, label string, f func()) {
	a.call.stub.engine.Scheduler.AfterFunc(d, sched.Needed, label, f)
}

func (t *Local) send(a *Attempt, hit acting) {
	d := &delivery{transport: t, attempt: a, host: t.Route(a.call.stub.target), hit: hit}
	fails := func(delivery Delivery, err *Error) bool {
		d.acts()
		fail := func() { a.Done(Reply{Delivery: delivery, Err: err}) }
		return d.post(func() {
			if d.host.calls.Remove(&d.entry) {
				fail()
			}
		}, func(r Reply) {
			if r.Broken {
				a.Done(r)
				return
			}
			fail() // what breaks now makes no difference to what had failed
		})
	}
	posted := false
	switch hit.point {
	case PointRequestRefused:
		posted = fails(NotDelivered, connectionLost())
	case PointOverloaded:
		posted = fails(NotDelivered, overloaded())
	case PointRequestDropped:
		// The request left for this host: from now on its identity carries the
		// host's incarnation.
		a.Request(d.host.Incarnation)
		posted = fails(Uncertain, connectionLost())
	default:
		d.req = a.Request(d.host.Incarnation)
		a.sent.Store(d)
		if hit.plan != nil {
			d.req.fault = d
		}
		t.deliver(d)
		return
	}
	if !posted {
		a.Done(gone())
	}
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
