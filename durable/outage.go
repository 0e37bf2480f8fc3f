package durable

import (
	"time"

	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

// StorageTimeout is how long an operation waits for storage that does not answer
// before it resets the object. The real runtime has such a limit but does not
// document it; durashim takes that of blockConcurrencyWhile.
const StorageTimeout = 30 * time.Second

// outages are the objects whose storage does not answer, and until when. It
// belongs to the host's loop.
type outages struct{ until map[ObjectID]time.Time }

func (o *outages) begin(id ObjectID, until time.Time) {
	if o.until == nil {
		o.until = make(map[ObjectID]time.Time)
	}
	if until.After(o.until[id]) {
		o.until[id] = until
	}
}

// left returns how long the outage of an object still lasts; 0 means that there
// is none.
func (o *outages) left(id ObjectID, now time.Time) time.Duration {
	until, ok := o.until[id]
	if !ok {
		return 0
	}
	left := until.Sub(now)
	if left <= 0 {
		delete(o.until, id)
		return 0
	}
	return left
}

// unavailable reports whether the object's storage does not answer at present.
func (a *Activation) unavailable() bool {
	return len(a.host.outages.until) > 0 && a.host.outages.left(a.object.id, a.host.Scheduler.Now()) > 0
}

// Unavailable reports whether a read has to wait because a fault keeps the
// storage from answering; see [StorageUnavailable]. SQLite is beside the object
// and answers always.
func (a *Activation) Unavailable() bool {
	return a.host.Mode == StorageKV && a.unavailable()
}

// Reach calls f, on the loop, when the storage answers: at once unless there is
// an outage. When that takes too long the object is reset and f never runs.
func (a *Activation) Reach(f func()) {
	if !a.unavailable() {
		f()
		return
	}
	a.Pin()
	a.await(a.host.Scheduler.Now(), f)
}

// await waits on behalf of an operation that began at a given time.
func (a *Activation) await(began time.Time, f func()) {
	now := a.host.Scheduler.Now()
	left := a.host.outages.left(a.object.id, now)
	patience := StorageTimeout - now.Sub(began)
	switch {
	case left == 0:
		a.Unpin()
		f()
		return
	case patience <= 0:
		a.Break(storageTimeout())
		return
	}
	a.host.Scheduler.AfterFunc(min(left, patience), sched.Needed, "storage that does not answer", func() {
		a.host.Loop.Post(func() {
			if !a.closed {
				a.await(began, f)
			}
		})
	})
}

// storageTimeout and writeFailed are the real runtime's (workerd, io/actor-cache;
// the local one never gives them).
func storageTimeout() *Error {
	return &Error{Name: "Error", Message: "Durable Object storage operation exceeded timeout which caused object to be reset.",
		Overloaded: true, Reset: true}
}

func writeFailed(r *random.Source) *Error {
	return &Error{Name: "Error", Retryable: true, Reset: true,
		Message: "Internal error in Durable Object storage write caused object to be reset; reference = " + Reference(r)}
}

// Reference makes the number under which an operator would find the cause of an
// internal error: 24 letters and digits, as in the real runtime's texts.
func Reference(r *random.Source) string {
	const digits = "0123456789abcdefghijklmnopqrstuv"
	var ref [24]byte
	_, _ = r.Read(ref[:])
	for i, b := range ref {
		ref[i] = digits[b%32]
	}
	return string(ref[:])
}
