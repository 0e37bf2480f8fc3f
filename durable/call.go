package durable

import (
	"encoding/binary"
	"sync"
	"sync/atomic"
	"time"

	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
	"github.com/google/uuid"
)

// Engine makes calls and retries them. It is immutable and safe for use by many
// goroutines.
type Engine struct {
	Scheduler sched.Scheduler
	Random    *random.Source
	Backoff   Backoff   // nil means MeasuredBackoff
	Timeline  *Timeline // nil means that nothing is recorded
	Repeats   *Repeats  // nil means that repetitions by the application are not noticed
}

// Transport carries attempts to the host of the object.
type Transport interface {
	// Send starts an attempt. It must not block. It calls a.Done once, later or
	// at once, from any goroutine.
	Send(a *Attempt)
	// Cancel says that nobody waits for the attempt any more. Done may still be
	// called and is then ignored.
	Cancel(a *Attempt)
}

// Distant is a [Transport] to another process. What the host does is known as far
// as it tells; see [CallRecord.RunsKnown].
type Distant interface {
	Transport
	Distant()
}

// Outcome says how a call ended. For calls that were or might have been retried
// the words are the ones that the real runtime uses for its metrics.
type Outcome uint8

// Outcomes.
const (
	Pending         Outcome = iota // not ended yet
	Succeeded                      // the first attempt succeeded
	Failed                         // the first attempt failed with an error that is never retried
	Recovered                      // a retry succeeded
	ClaimRejected                  // the host had seen the request: the first failure stands
	Exhausted                      // as many attempts as allowed have failed
	BudgetExhausted                // the next retry would start, or did not end, within the window
	UnableToRetry                  // the call cannot be sent again unchanged
	Cancelled                      // the caller gave up
	Other                          // a retry failed with an error that is never retried
)

func (o Outcome) String() string {
	return [...]string{"pending", "succeeded", "failed", "recovered", "claim rejected", "attempts exhausted",
		"retry budget exhausted", "unable to retry", "cancelled", "other"}[o]
}

// Meaning says in a few words what an outcome means.
func (o Outcome) Meaning() string {
	return [...]string{
		"the call has not ended",
		"the first attempt succeeded",
		"the first attempt failed with an error that is never retried, one that the object threw for example",
		"a retry succeeded",
		"a retry was refused because the object had seen the request, and its method is not marked: the first error",
		"as many attempts as allowed have failed: the first error",
		"no retry can start any more, or end, within the window: the first error",
		"the failed call cannot be sent again: a stream or reference in it, pipelining, a stub that was passed on, maxRetries 0",
		"the caller gave up",
		"a retry failed with an error that is never retried: that error",
	}[o]
}

// Call is one call of a method or of fetch through a stub, with all its
// attempts. Its methods are safe for use by many goroutines.
//
// What does not differ from call to call stays with the stub: a call is one
// allocation, and its size is most of what it costs.
type Call struct {
	stub      *Stub
	transport Transport // the stub's, unless the stub was broken when the call started
	op        Op
	started   time.Time
	identity  uuid.UUID // Nil for a call that was never eligible
	session   uint64    // the life of the object that the stub was connected to
	done      func(Result, *Error)
	rec       *CallRecord // nil when nothing is recorded

	mu          sync.Mutex
	state       callState
	eligible    bool   // the call may be retried at all
	uncertain   bool   // an attempt may have reached the object
	incarnation uint64 // of the host that may have seen the identity first
	failed      *Error // the first failure
	timer       sched.Timer
	current     *Attempt
	first       Attempt // spares the common call an allocation
}

type callState uint8

const (
	attempting callState = iota
	waiting              // for the backoff to pass
	ended
)

// start begins a call whose first block of fields and eligible are set. done is
// called once, from any goroutine, possibly before start returns.
func (c *Call) start() {
	e := c.stub.engine
	c.started = e.Scheduler.Now()
	if c.eligible {
		// Random bits; the version and variant make them a UUID (RFC 9562).
		hi, lo := e.Random.Uint128()
		binary.LittleEndian.PutUint64(c.identity[:8], hi)
		binary.LittleEndian.PutUint64(c.identity[8:], lo)
		c.identity[6] = c.identity[6]&0x0f | 0x40
		c.identity[8] = c.identity[8]&0x3f | 0x80
	}
	c.first.call, c.first.number = c, 1
	c.current = &c.first
	if e.Timeline != nil {
		c.rec = e.Timeline.begin(c)
	}
	if e.Repeats.watches(c) {
		e.Repeats.began(c)
	}
	c.record(Event{Kind: EventSent, Attempt: 1})
	c.transport.Send(c.current)
}

// deadline is the end of the retry window.
func (c *Call) deadline() time.Time { return c.started.Add(c.stub.opts.timeout) }

// Attempt is one try of a call.
type Attempt struct {
	call   *Call
	number int
	sent   atomic.Pointer[delivery] // by [Local]; nil until the request is on its way
}

// Request is an attempt as it travels to the host.
type Request struct {
	Target   Target
	Op       *Op
	Number   int // 1 is the first attempt
	Identity uuid.UUID

	// Claim asks the host to remember the identity until Deadline, so that it
	// can tell a duplicate. It is false for a call that cannot be retried.
	Claim    bool
	Deadline time.Time
	// Retry says that an earlier attempt may have reached the object, on a host
	// of the given incarnation.
	Retry       bool
	Incarnation uint64
	// Session is the life of the object that the stub was connected to; 0 if none.
	Session uint64

	// Fault is what a fault does inside the object; nil for nothing.
	Fault *InnerFault
	// Trace, if not nil, is told what the host does with a request that came from
	// another process: events without an attempt and a time. It is called on the
	// host's loop.
	Trace func(Event)

	call *Call // for the timeline
	// Of the host's loop: the caller has given up, and who is told.
	cancelled bool
	onCancel  func()
}

// Request returns the attempt as it is to be sent to a host of the given
// incarnation.
func (a *Attempt) Request(incarnation uint64) *Request {
	c := a.call
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.uncertain {
		// Earlier attempts never left: this host is the first.
		c.incarnation = incarnation
	}
	return &Request{
		Target: c.stub.target, Op: &c.op, Number: a.number, Identity: c.identity,
		Claim:    c.identity != uuid.Nil,
		Deadline: c.deadline(),
		Retry:    c.uncertain, Incarnation: c.incarnation,
		Session: c.session, call: c,
	}
}

// Cancel says that nobody waits for the answer any more; the object may learn of it
// and go on all the same. It is called on the host's loop.
func (r *Request) Cancel() {
	if f := r.onCancel; !r.cancelled {
		r.cancelled = true
		if f != nil {
			f()
		}
	}
}

// OnCancel makes f hear of [Request.Cancel], at once if that has been. It is called
// on the host's loop, and f is.
func (r *Request) OnCancel(f func()) {
	if r.cancelled {
		f()
		return
	}
	r.onCancel = f
}

// Number is 1 for the first attempt of a call.
func (a *Attempt) Number() int { return a.number }

// Traced reports whether a timeline records the attempt's call.
func (a *Attempt) Traced() bool { return a.call.rec != nil }

// Trace records a step of the attempt that happened elsewhere, for transports. Its
// time is on the caller's clock and may be a little wrong: it is moved to lie after
// the steps that are recorded already, and not in the future. Zero means now.
func (a *Attempt) Trace(e Event) {
	c := a.call
	if c.rec == nil {
		return
	}
	e.Attempt = a.number
	if now := c.stub.engine.Scheduler.Now(); e.At.IsZero() || e.At.After(now) {
		e.At = now
	}
	c.stub.engine.Timeline.insert(c.rec, e)
}

// over reports whether nobody waits for the attempt any more.
func (a *Attempt) over() bool {
	a.call.mu.Lock()
	defer a.call.mu.Unlock()
	return a.call.state != attempting || a.call.current != a
}

// Done ends the attempt. Only the first Done of the attempt that is running
// counts.
func (a *Attempt) Done(r Reply) {
	c := a.call
	c.mu.Lock()
	if c.state != attempting || c.current != a {
		c.mu.Unlock()
		r.Result.drop()
		return
	}
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	o, err := c.judge(a, &r)
	if o == Pending {
		c.mu.Unlock()
		return
	}
	c.end(o, r, err)
}

// judge decides what follows from a reply: an outcome and its error, or Pending
// when a retry was scheduled. The rules are the announcement's.
func (c *Call) judge(a *Attempt, r *Reply) (Outcome, *Error) {
	if r.Err == nil {
		if a.number == 1 {
			return Succeeded, nil
		}
		return Recovered, nil
	}
	if r.Rejected {
		c.record(Event{Kind: EventRejected, Attempt: a.number})
		if c.failed == nil {
			c.failed = r.Err
		}
		return ClaimRejected, c.failed
	}
	c.record(Event{Kind: EventFailed, Attempt: a.number, Delivery: r.Delivery, Err: r.Err})
	if !r.Err.Retryable || r.Err.Overloaded || r.Delivery == Answered {
		if a.number == 1 {
			return Failed, r.Err
		}
		return Other, r.Err
	}
	if r.Delivery == Uncertain {
		c.uncertain = true
	}
	if c.failed == nil {
		c.failed = r.Err
	}
	switch {
	case !c.eligible:
		return UnableToRetry, c.failed
	case a.number > c.stub.opts.maxRetries:
		return Exhausted, c.failed
	}
	backoff := c.stub.engine.Backoff
	if backoff == nil {
		backoff = MeasuredBackoff
	}
	wait := backoff(a.number, c.stub.engine.Random)
	if c.stub.engine.Scheduler.Now().Add(wait).After(c.deadline()) {
		return BudgetExhausted, c.failed
	}
	c.record(Event{Kind: EventBackoff, Attempt: a.number, Wait: wait})
	c.state = waiting
	c.timer = c.stub.engine.Scheduler.AfterFunc(wait, sched.Needed, "retry backoff", c.retry)
	return Pending, nil
}

// retry sends the next attempt when the backoff has passed.
func (c *Call) retry() {
	c.mu.Lock()
	if c.state != waiting {
		c.mu.Unlock()
		return
	}
	c.state = attempting
	a := &Attempt{call: c, number: c.current.number + 1}
	c.current = a
	c.record(Event{Kind: EventSent, Attempt: a.number, Retry: c.uncertain})
	left := c.deadline().Sub(c.stub.engine.Scheduler.Now())
	c.timer = c.stub.engine.Scheduler.AfterFunc(left, sched.Needed, "retry window", func() { c.windowOver(a) })
	c.mu.Unlock()
	c.transport.Send(a)
}

// windowOver cancels a retry that is still running when the window ends. The
// first attempt has no such timer: it may outlast the window.
func (c *Call) windowOver(a *Attempt) {
	c.mu.Lock()
	if c.state != attempting || c.current != a {
		c.mu.Unlock()
		return
	}
	c.end(BudgetExhausted, Reply{}, c.failed)
	c.transport.Cancel(a)
}

// NoRetry ends the call's retries: something was pipelined on its result. A
// call that waits for its next attempt ends at once with the first failure.
func (c *Call) NoRetry() {
	c.mu.Lock()
	c.eligible = false
	if c.state != waiting {
		c.mu.Unlock()
		return
	}
	c.end(UnableToRetry, Reply{}, c.failed)
}

// Cancel ends the call with the given error, unless it has ended.
func (c *Call) Cancel(err *Error) {
	c.mu.Lock()
	if c.state == ended {
		c.mu.Unlock()
		return
	}
	a := c.current
	c.end(Cancelled, Reply{}, err)
	c.transport.Cancel(a)
}

// end is called with the lock held and releases it.
func (c *Call) end(o Outcome, r Reply, err *Error) {
	c.state = ended
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	c.stub.engine.Timeline.end(c, o, err)
	if r := c.stub.engine.Repeats; r.watches(c) || r != nil && err != nil && c.op.Origin != nil {
		r.ended(c, c.current.number, err != nil)
	}
	c.mu.Unlock()
	r.Err = err
	c.stub.learn(&r)
	c.done(r.Result, err)
}

func (c *Call) record(e Event) {
	if c.rec != nil {
		e.At = c.stub.engine.Scheduler.Now()
		c.stub.engine.Timeline.add(c.rec, e)
	}
}

// trace records what the host does with the request.
func (r *Request) trace(e Event) {
	switch {
	case r.call != nil:
		e.Attempt = r.Number
		r.call.record(e)
	case r.Trace != nil:
		r.Trace(e)
	}
}
