package durable

import (
	"time"

	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/internal/sched"
)

// IdleTimeout is how long an object stays in memory without activity (measured
// on workerd).
const IdleTimeout = 10 * time.Second

// Activation is one life of an object in memory. Everything that belongs to
// that life hangs on it and ends with it. It belongs to the host's loop.
type Activation struct {
	In  *InputGate
	Out OutputGate

	host     *Host
	object   *object
	session  uint64
	inst     Instance
	building bool // the constructor has not run yet
	waiting  []*Invocation
	calls    invocations
	pins     int // what keeps the object in memory besides calls
	broken   *Error
	closed   bool

	store     *storage.Store
	txs       int // open transactions
	flushing  bool
	confirm   bool // the pending flush holds the output gate
	synced    []func()
	failing   *Request // a fault lets the next writes fail
	idleSince time.Time
	idleTimer bool
}

func newActivation(h *Host, o *object) *Activation {
	// The incarnation keeps the sessions of a host apart from those of the one
	// before it.
	h.session++
	return &Activation{In: newInputGate(), host: h, object: o, session: h.Incarnation<<32 | h.session}
}

// ID returns the object's id.
func (a *Activation) ID() ObjectID { return a.object.id }

// IDs returns the factory of the ids of the object's namespace.
func (a *Activation) IDs() IDFactory { return a.host.IDs }

// Name returns the name that the object was first reached by, "" if none.
func (a *Activation) Name() string { return a.object.name }

// Broken returns the error that ended this life, nil while it lasts or after a
// graceful end.
func (a *Activation) Broken() *Error { return a.broken }

func (a *Activation) deliver(req *Request, answer func(Reply)) {
	inv := &Invocation{Request: req, act: a, answer: answer}
	a.calls.add(inv)
	if req.strikes(PointStorageUnavailable) {
		a.host.outages.begin(a.object.id, a.host.Scheduler.Now().Add(req.Fault.Delay))
	}
	switch {
	case req.strikes(PointAbortBefore):
		a.Break(aborted())
	case req.strikes(PointCrashBefore):
		a.host.Crash()
	case a.inst != nil:
		inv.enter()
	default:
		a.waiting = append(a.waiting, inv)
		if !a.building {
			// The constructor runs as an event of its own: calls that arrived
			// together share one construction, and its failure.
			a.building = true
			a.host.Loop.Post(a.construct)
		}
	}
}

func (a *Activation) construct() {
	if a.closed {
		return
	}
	inst := a.host.Class.Construct(a)
	if a.closed {
		inst.Close()
		return
	}
	a.inst = inst
	waiting := a.waiting
	a.waiting = nil
	for _, inv := range waiting {
		inv.enter()
	}
}

// Break resets the object: its memory is lost, unconfirmed writes are undone,
// every call in flight fails with err, and so does every later call of a stub
// that was connected to this life.
func (a *Activation) Break(err *Error) {
	if a.closed {
		return
	}
	a.broken = err
	a.host.remember(a.session, err)
	a.endStorage(true)
	a.host.forget(a.object)
	calls := a.calls.all()
	a.close()
	for _, inv := range calls {
		inv.reset(err)
	}
}

// close ends this life without touching calls.
func (a *Activation) close() {
	a.closed = true
	a.In.close()
	a.Out.close()
	a.waiting = nil
	if a.inst != nil {
		a.inst.Close()
	}
	a.endStorage(false)
}

// Pin keeps the object in memory until Unpin: it waits for something, be it a
// timer, an answer or a waitUntil promise. Pins are counted.
func (a *Activation) Pin() { a.pins++ }

// Unpin undoes one Pin.
func (a *Activation) Unpin() {
	a.pins--
	a.idle()
}

// Hold is Pin with the Unpin that belongs to it; release may be called more
// than once.
func (a *Activation) Hold() (release func()) {
	a.Pin()
	released := false
	return func() {
		if !released {
			released = true
			a.Unpin()
		}
	}
}

func (a *Activation) busy() bool {
	return a.building && a.inst == nil || a.calls.n > 0 || a.pins > 0 || a.flushing
}

// idle starts the wait for eviction when nothing keeps the object in memory. One
// timer serves all: it looks how long the object has really been idle.
func (a *Activation) idle() {
	if a.closed || a.host.KeepIdle || a.busy() {
		return
	}
	a.idleSince = a.host.Scheduler.Now()
	if !a.idleTimer {
		a.idleTimer = true
		a.armIdle(IdleTimeout)
	}
}

func (a *Activation) armIdle(d time.Duration) {
	a.host.Scheduler.AfterFunc(d, sched.Background, "eviction of an idle object", func() {
		a.host.Loop.Post(func() {
			if a.closed {
				return
			}
			if a.busy() {
				a.idleTimer = false
				return
			}
			if left := IdleTimeout - a.host.Scheduler.Now().Sub(a.idleSince); left > 0 {
				a.armIdle(left)
				return
			}
			a.host.Evict(a.object.id)
		})
	})
}

// Invocation is a call as the object sees it.
type Invocation struct {
	*Request
	act        *Activation
	answer     func(Reply)
	prev, next *Invocation
	// Subrequests counts the calls and fetches that the method has started, for
	// the instance.
	Subrequests int
	running     bool       // the method was entered and has not ended
	doomed      FaultPoint // what a fault does when this turn is over
}

// enter starts the call when the input gate lets it in.
func (inv *Invocation) enter() {
	inv.act.In.Enter(func() {
		inv.trace(Event{Kind: EventStarted})
		inv.running = true
		if f := inv.Fault; f != nil && f.Point == PointWriteFailed && !f.done {
			inv.act.failing = inv.Request
		}
		if inv.strikes(PointConnectionDropped) {
			inv.Fault.cut()
		}
		for _, p := range [...]FaultPoint{PointAbortDuring, PointCrashDuring} {
			if inv.strikes(p) {
				inv.doomed = p
			}
		}
		inv.act.inst.Invoke(inv)
		// At once: what the turn wrote becomes durable by a later event.
		switch inv.doomed {
		case PointAbortDuring:
			inv.act.Break(aborted())
		case PointCrashDuring:
			inv.act.host.Crash()
		}
	})
}

// Finish ends the call: with an error that the object's code threw, or with a
// result. The answer leaves through the output gate. Later calls of Finish, and
// calls after the object was reset, do nothing.
func (inv *Invocation) Finish(res Result, err *Error) {
	a := inv.act
	if inv.answer == nil || inv.doomed != faultNone {
		res.drop()
		return
	}
	inv.ran(err)
	a.Out.LeaveOr(func() {
		// The gate is not to be closed while it lets messages out.
		switch {
		case inv.strikes(PointAbortAfter):
			res.drop()
			a.host.Loop.Post(func() { a.Break(aborted()) })
			return
		case inv.strikes(PointCrashAfter):
			res.drop()
			a.host.Loop.Post(a.host.Crash)
			return
		}
		if err != nil {
			err = err.remote()
		}
		inv.send(Reply{Delivery: Answered, Result: res, Err: err, Session: a.session})
		a.idle()
	}, res.drop)
}

// reset ends the call because the object was reset. Through fetch the error
// arrives as remote, through RPC it does not (measured on workerd).
func (inv *Invocation) reset(err *Error) {
	if inv.answer == nil {
		return
	}
	inv.ran(err)
	if inv.Op.Kind == Fetch {
		err = err.remote()
	}
	inv.send(Reply{Delivery: Answered, Err: err, Session: inv.act.session, Broken: true})
}

// ran records the end of a method that was running.
func (inv *Invocation) ran(err *Error) {
	if inv.running {
		inv.running = false
		inv.trace(Event{Kind: EventRan, Err: err})
	}
}

func (inv *Invocation) send(r Reply) {
	answer := inv.answer
	if answer == nil {
		r.Result.drop()
		return
	}
	inv.answer = nil
	inv.act.calls.remove(inv)
	answer(r)
}

// invocations is a list in order of arrival.
type invocations struct {
	head, tail *Invocation
	n          int
}

func (l *invocations) add(inv *Invocation) {
	inv.prev = l.tail
	if l.tail != nil {
		l.tail.next = inv
	} else {
		l.head = inv
	}
	l.tail = inv
	l.n++
}

func (l *invocations) remove(inv *Invocation) {
	if inv.prev != nil {
		inv.prev.next = inv.next
	} else {
		l.head = inv.next
	}
	if inv.next != nil {
		inv.next.prev = inv.prev
	} else {
		l.tail = inv.prev
	}
	inv.prev, inv.next = nil, nil
	l.n--
}

func (l *invocations) all() (out []*Invocation) {
	for inv := l.head; inv != nil; inv = inv.next {
		out = append(out, inv)
	}
	return out
}
