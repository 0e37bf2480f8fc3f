package durable

import (
	"time"

	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

// Passage is an attempt on its way to a host and back, with the faults that act on
// it: what is the same whether the host is in this process or in another one. A
// nil *Passage has no faults.
//
// Its methods are called one after the other, never at the same time.
type Passage struct {
	faults  *Faults
	attempt *Attempt
	hit     acting
	acted   bool // the fault was carried out
}

// Begin says which faults act on an attempt, and counts them; nil stands for none.
// It is for transports of other packages, which call it once for each attempt.
func (fs *Faults) Begin(a *Attempt) *Passage {
	hit := fs.hit(a)
	if hit == (acting{}) {
		return nil
	}
	return &Passage{faults: fs, attempt: a, hit: hit}
}

// Point returns what acts besides delays.
func (p *Passage) Point() FaultPoint {
	if p == nil {
		return faultNone
	}
	return p.hit.point
}

// Depart calls send at once, or when the request has been delayed; then from a
// goroutine of the scheduler, and not at all if nobody waits for the attempt any
// more.
func (p *Passage) Depart(send func()) {
	if p == nil || p.hit.requestDelay <= 0 {
		send()
		return
	}
	d := p.hit.requestDelay
	p.record(PointRequestDelayed, delayText(PointRequestDelayed, d))
	p.later(d, "delayed request", func() {
		if !p.attempt.over() { // else the connection that carried it is closed
			send()
		}
	})
}

// later runs f when a delay is over.
func (p *Passage) later(d time.Duration, label string, f func()) {
	p.attempt.call.stub.engine.Scheduler.AfterFunc(d, sched.Needed, label, f)
}

// Stops reports whether the attempt never gets to the object, and what its caller
// learns of that. If delivery is uncertain the request left for a host: its
// incarnation has to be given to [Attempt.Request] first.
func (p *Passage) Stops() (r Reply, stops bool) {
	switch p.Point() {
	case PointRequestRefused:
		return Reply{Delivery: NotDelivered, Err: ConnectionLost()}, true
	case PointOverloaded:
		return Reply{Delivery: NotDelivered, Err: overloaded()}, true
	case PointRequestDropped:
		return cutOff(), true
	}
	return Reply{}, false
}

// cutOff is what a caller knows when the connection broke.
func cutOff() Reply { return Reply{Delivery: Uncertain, Err: ConnectionLost()} }

// Inner returns the fault that acts inside the object; nil if there is none. Acts
// and Random are not set.
func (p *Passage) Inner() *InnerFault {
	if !p.Point().Inside() {
		return nil
	}
	f := &InnerFault{Point: p.hit.point}
	if f.Point == PointStorageUnavailable {
		f.Delay = p.hit.plan.delay
	}
	return f
}

// Acts notes that the fault is carried out, at a time that [Attempt.Trace]
// describes.
func (p *Passage) Acts(at time.Time) {
	p.acts(Event{Kind: EventFault, Point: p.hit.point, At: at})
}

func (p *Passage) acts(e Event) {
	p.acted = true
	p.faults.came(p.hit.plan)
	e.Fault = p.hit.point.String()
	if p.hit.point == PointStorageUnavailable {
		e.Fault += " for " + millis(p.hit.plan.delay)
	}
	p.attempt.Trace(e)
}

// Answer decides what becomes of the host's reply. If it passes, the caller gets it
// by way of [Passage.Arrive], and with that the claim may go. Else r was dropped,
// the caller gets what is returned, and the claim stays.
func (p *Passage) Answer(r Reply) (_ Reply, passes bool) {
	if p == nil {
		return r, true
	}
	if p.hit.point == PointReplyDropped {
		r.Result.drop()
		// The claim stays: the caller may send a duplicate.
		if r.Rejected {
			p.record(PointReplyDropped, "reply dropped: it said that the host has seen this request before")
		} else {
			p.acts(Event{Kind: EventFault, Point: p.hit.point})
		}
		return cutOff(), false
	}
	if p.hit.plan != nil && !p.acted {
		// It cannot be carried out on this attempt.
		p.faults.spare(p.hit.plan)
		p.hit = acting{replyDelay: p.hit.replyDelay}
	}
	return r, true
}

// Arrive calls receive at once, or when the reply has been delayed; then from a
// goroutine of the scheduler.
func (p *Passage) Arrive(receive func()) {
	if p == nil || p.hit.replyDelay <= 0 {
		receive()
		return
	}
	p.record(PointReplyDelayed, delayText(PointReplyDelayed, p.hit.replyDelay))
	p.later(p.hit.replyDelay, "delayed reply", receive)
}

func (p *Passage) record(at FaultPoint, text string) {
	p.attempt.call.record(Event{Kind: EventFault, Attempt: p.attempt.number, Point: at, Fault: text})
}

func delayText(p FaultPoint, d time.Duration) string { return p.String() + " by " + millis(d) }

// Inside reports whether a fault acts inside the object or its host: one that is
// in another process has to carry it out.
func (p FaultPoint) Inside() bool {
	switch p {
	case PointEvictBefore, PointAbortBefore, PointCrashBefore, PointStorageUnavailable, PointAbortDuring, PointCrashDuring,
		PointWriteFailed, PointAbortAfter, PointCrashAfter:
		return true
	}
	return false
}

// InnerFault is a fault that acts inside the object, on one request. The host asks
// for it at the few points of an object's life where one may act.
type InnerFault struct {
	Point  FaultPoint
	Delay  time.Duration // [StorageUnavailable]: for how long
	Acts   func()        // told once, on the host's loop, that the fault is carried out
	Random *random.Source

	cut  func() // breaks the connection, within one process
	done bool   // it was carried out, or cannot be
}

// ready does what is to be done before a request arrives in its object.
func (f *InnerFault) ready(h *Host, req *Request) {
	switch f.Point {
	case PointCrashBefore, PointCrashDuring, PointCrashAfter:
		f.done = f.done || h.Restart == nil
	case PointStorageUnavailable, PointWriteFailed:
		f.done = f.done || h.Mode == StorageMemory
	case PointEvictBefore:
		if !f.done && h.Evict(req.Target.ID) {
			req.strikes(PointEvictBefore)
		}
	}
}

// strikes reports, once, that a fault acts on the request at a point of the
// object's life.
func (r *Request) strikes(p FaultPoint) bool {
	f := r.Fault
	if f == nil || f.Point != p || f.done {
		return false
	}
	f.done = true
	f.Acts()
	return true
}
