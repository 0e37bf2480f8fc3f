package durable

import (
	"sync"
	"time"

	"github.com/google/uuid"
)

// EventKind is a step in the life of a call.
type EventKind uint8

// Steps of a call. Those from EventClaimed to EventRan happen at the host.
const (
	EventSent     EventKind = iota // an attempt was handed to the transport
	EventFault                     // a fault acted on the attempt
	EventClaimed                   // the host claimed the identity
	EventStarted                   // the method (or fetch) was entered
	EventRan                       // it finished, with Err if it threw
	EventFailed                    // the attempt failed as the caller sees it
	EventRejected                  // the host turned the attempt away as a duplicate
	EventBackoff                   // the caller waits before the next attempt
	EventEnded                     // the call ended

	// EventDuplicateRejected: the host turned away a duplicate of the attempt
	// that a fault had made; the attempt itself goes on.
	EventDuplicateRejected

	eventKinds // how many there are
)

func (k EventKind) String() string {
	if k >= eventKinds {
		return "unknown"
	}
	return [eventKinds]string{"sent", "fault", "claimed", "started", "ran", "failed", "rejected", "backoff", "ended", "duplicate rejected"}[k]
}

// Event is a step with its time.
type Event struct {
	At       time.Time
	Kind     EventKind
	Attempt  int           // the attempt it belongs to, from 1
	Retry    bool          // EventSent: flagged as a retry of an uncertain delivery
	Delivery Delivery      // EventFailed
	Wait     time.Duration // EventBackoff
	Point    FaultPoint    // EventFault: where it acted
	Fault    string        // EventFault: what it did, in words
	Err      *Error        // EventRan, EventFailed, EventEnded
}

// CallRecord is what the timeline knows of one call.
type CallRecord struct {
	Seq      int // from 1, in the order in which calls started
	Target   Target
	Kind     Kind
	Method   string
	Args     []byte // RPC: the arguments in structured-clone format
	Caller   string
	Identity uuid.UUID // Nil for a call that cannot be retried
	Retry    RetryOptions
	Started  time.Time
	// Subrequest is which of the calls and fetches of its request the call is,
	// from 1; 0 if that is unknown. Its retries do not count (announcement).
	Subrequest int
	Events     []Event
	Outcome    Outcome
	// Distant says that the object is in another process: the steps at the host are
	// those that it told of before the connection broke, their times by estimate.
	Distant bool
	Err     *Error // of a call that failed

	// Repeats is not nil when the application made this call again although the
	// engine had retried it; see [Timeline.Layers].
	Repeats *Repetition
}

// Attempts returns how many attempts were made.
func (r *CallRecord) Attempts() int { return r.count(EventSent) }

// Runs returns how often the method was entered; at least so often, if
// [CallRecord.RunsKnown] is false.
func (r *CallRecord) Runs() int { return r.count(EventStarted) }

// RunsKnown reports whether all runs are known. It is false when a connection to
// another process broke, or the caller gave up, before the host told what became of
// an attempt.
func (r *CallRecord) RunsKnown() bool {
	if !r.Distant {
		return true
	}
	open := 0 // attempts of which the start was seen, or that the method was not started
	for i := range r.Events {
		switch e := &r.Events[i]; e.Kind {
		case EventSent:
			open++
		case EventStarted:
			open = 0
		case EventFailed:
			if e.Delivery != Uncertain {
				open = 0
			}
		case EventFault:
			// These prove that the method did not start.
			switch e.Point {
			case PointRequestDropped, PointAbortBefore, PointCrashBefore:
				open = 0
			}
		case EventRejected:
			open = 0
		case EventEnded:
			if r.Outcome == Succeeded || r.Outcome == Recovered {
				open = 0
			}
		case EventBackoff:
			if open > 0 {
				return false
			}
		}
	}
	return open == 0
}

// Faults returns how many faults acted on the call.
func (r *CallRecord) Faults() int { return r.count(EventFault) }

// Ended returns when the call ended; zero if it has not.
func (r *CallRecord) Ended() time.Time {
	for _, e := range r.Events {
		if e.Kind == EventEnded {
			return e.At
		}
	}
	return time.Time{}
}

func (r *CallRecord) count(k EventKind) (n int) {
	for _, e := range r.Events {
		if e.Kind == k {
			n++
		}
	}
	return n
}

// Timeline records calls and their steps. A nil *Timeline records nothing. It is
// safe for use by many goroutines.
type Timeline struct {
	mu    sync.Mutex
	epoch time.Time
	calls []*CallRecord
}

// NewTimeline returns an empty timeline; its texts count time from epoch.
func NewTimeline(epoch time.Time) *Timeline { return &Timeline{epoch: epoch} }

// Calls returns a snapshot of all calls, in the order in which they started.
func (t *Timeline) Calls() []CallRecord {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]CallRecord, len(t.calls))
	for i, r := range t.calls {
		out[i] = *r
		out[i].Events = append([]Event(nil), r.Events...)
	}
	return out
}

// Epoch returns the time that the timeline counts from.
func (t *Timeline) Epoch() time.Time { return t.epoch }

func (t *Timeline) begin(c *Call) *CallRecord {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &CallRecord{
		Seq: len(t.calls) + 1, Target: c.stub.target, Kind: c.op.Kind, Method: c.op.Method, Args: c.op.Args,
		Caller: c.stub.caller, Identity: c.identity, Retry: c.stub.opts, Started: c.started,
	}
	_, r.Distant = c.transport.(Distant)
	if s, ok := c.op.Origin.(interface{ Subrequest() int }); ok {
		r.Subrequest = s.Subrequest()
	}
	t.calls = append(t.calls, r)
	return r
}

func (t *Timeline) repeats(r *CallRecord, rep *Repetition) {
	t.mu.Lock()
	r.Repeats = rep
	t.mu.Unlock()
}

func (t *Timeline) add(r *CallRecord, e Event) {
	t.mu.Lock()
	r.Events = append(r.Events, e)
	t.mu.Unlock()
}

// insert adds a step whose time is an estimate.
func (t *Timeline) insert(r *CallRecord, e Event) {
	t.mu.Lock()
	if n := len(r.Events); n > 0 && e.At.Before(r.Events[n-1].At) {
		e.At = r.Events[n-1].At
	}
	r.Events = append(r.Events, e)
	t.mu.Unlock()
}

func (t *Timeline) end(c *Call, o Outcome, err *Error) {
	if c.rec == nil {
		return
	}
	c.record(Event{Kind: EventEnded, Attempt: c.current.number, Err: err})
	t.mu.Lock()
	c.rec.Outcome, c.rec.Err = o, err
	t.mu.Unlock()
}
