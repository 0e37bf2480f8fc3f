package durable

import (
	"bytes"
	"container/list"
	"slices"
	"sync/atomic"

	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/internal/inflight"
	"github.com/durashim/durashim/internal/sched"
	"github.com/google/uuid"
)

// Class makes instances of a Durable Object class. All methods are called on
// the host's loop.
type Class interface {
	// Construct runs the constructor. A constructor that fails calls a.Break.
	Construct(a *Activation) Instance
	// Marked reports whether retryable() marks the method that a call would
	// find now, following the prototype chain. inst is nil when the object is
	// not in memory.
	Marked(inst Instance, method string) bool
}

// Instance is a constructed object. All methods are called on the host's loop.
type Instance interface {
	// Invoke starts a call and returns at once; the instance calls inv.Finish.
	Invoke(inv *Invocation)
	// Close says that the instance's life is over: no event may run any more.
	Close()
}

// Host keeps the objects of one namespace, or of a part of it, in memory, on one
// loop. The fields are set before first use and not changed.
type Host struct {
	Namespace string
	IDs       IDFactory // of the namespace
	Loop      sched.Loop
	Scheduler sched.Scheduler
	Class     Class
	Storage   *storage.Backend
	Mode      StorageMode
	KeepIdle  bool // idle objects are not evicted by themselves
	// Failed, if not nil, is told why the storage of an object failed. The
	// object itself has been or will be reset.
	Failed func(id ObjectID, err error)
	// Incarnation tells this host from the one that was here before it crashed
	// or restarted. It is not 0.
	Incarnation uint64

	// Unavailable, if not nil, makes the error that every call fails with: there
	// is no class.
	Unavailable func() *Error

	// Restart, if not nil, puts a new host in the place of this one, which has
	// crashed, and closes the loop. It is called on the loop. A host without it
	// cannot crash: faults that ask for that do not act.
	Restart func()

	objects map[ObjectID]*object // in memory, and those of dormant
	dormant dormant
	claims  claims
	session uint64
	broken  map[uint64]*Error // sessions that ended by a reset
	calls   inflight.List[Reply]
	crashed bool
	outages outages
	moved   atomic.Pointer[Host]
}

// maxBroken bounds how many ended sessions a host remembers. A stub that was
// connected to one forgotten reaches the new instance instead of failing.
const maxBroken = 10_000

// maxName is the length in bytes up to which an object learns its name
// (measured on workerd).
const maxName = 1024

func (h *Host) failed(id ObjectID, err error) {
	if h.Failed != nil {
		h.Failed(id, err)
	}
}

// object is what is known of an id that is in memory, or was and may come back.
type object struct {
	id   ObjectID
	name string
	act  *Activation
	rest *list.Element // in dormant, while it is not in memory
}

// dormant are the objects that left memory gracefully, the oldest first. All that
// has to be known of them is the name that they were first started with.
type dormant struct{ list.List }

// maxDormant bounds how many of them a host remembers. One that is forgotten
// takes the name of the call that starts it next.
const maxDormant = 10_000

// Deliver receives an attempt. answer is called once, on the loop, unless the
// loop is closed first.
func (h *Host) Deliver(req *Request, answer func(Reply)) {
	if err, ok := h.broken[req.Session]; ok && req.Session != 0 {
		answer(Reply{Delivery: NotDelivered, Err: err.local(), Broken: true})
		return
	}
	if h.Unavailable != nil {
		answer(Reply{Delivery: Answered, Err: h.Unavailable()})
		return
	}
	if req.Fault != nil {
		req.Fault.ready(h, req)
	}
	o := h.objects[req.Target.ID]
	if req.Claim && !h.claim(o, req) {
		answer(Reply{Delivery: Answered, Err: ConnectionLost(), Rejected: true})
		return
	}
	h.start(o, req.Target).deliver(req, answer)
}

// claim reports whether the request may run: its identity is new, or the method
// is marked and may run twice.
func (h *Host) claim(o *object, req *Request) bool {
	fresh := h.claims.take(req.Identity, req.Deadline, h.Scheduler.Now())
	foreign := req.Retry && req.Incarnation != h.Incarnation
	if (!fresh || foreign) && !h.marked(o, req.Op) {
		if fresh {
			h.claims.release(req.Identity)
		}
		return false
	}
	req.trace(Event{Kind: EventClaimed})
	return true
}

func (h *Host) marked(o *object, op *Op) bool {
	if len(op.Path) > 0 {
		return false // what the path leads to is not known before it runs
	}
	var inst Instance
	if o != nil && o.act != nil {
		inst = o.act.inst
	}
	return h.Class.Marked(inst, op.Method)
}

// Release forgets the claim of a request whose reply the caller has received.
func (h *Host) Release(req *Request) {
	if req.Identity != uuid.Nil {
		h.claims.release(req.Identity)
	}
}

// start returns the life of an object in memory, a new one if there is none. o is
// what is known of the object, nil for nothing.
func (h *Host) start(o *object, t Target) *Activation {
	if o == nil {
		// The name counts when the object is first started, or started anew
		// after a reset (measured on workerd).
		o = &object{id: t.ID, name: t.Name}
		if len(o.name) > maxName {
			o.name = ""
		}
		if h.objects == nil {
			h.objects = make(map[ObjectID]*object)
		}
		h.objects[t.ID] = o
	}
	if o.act == nil {
		if o.rest != nil {
			h.dormant.Remove(o.rest)
			o.rest = nil
		}
		o.act = newActivation(h, o)
	}
	return o.act
}

// Evict removes an idle object from memory, gracefully: its stubs stay
// connected, its storage stays. It reports false when the object is busy or not
// in memory.
func (h *Host) Evict(id ObjectID) bool {
	o := h.objects[id]
	if o == nil || o.act == nil || o.act.busy() {
		return false
	}
	o.act.close()
	o.act = nil
	o.rest = h.dormant.PushBack(o)
	if h.dormant.Len() > maxDormant {
		oldest := h.dormant.Remove(h.dormant.Front()).(*object)
		delete(h.objects, oldest.id)
	}
	return true
}

// forget ends what is known of an object: its life in memory ended by a reset.
func (h *Host) forget(o *object) {
	o.act = nil
	delete(h.objects, o.id)
}

// Active returns how many objects are in memory.
func (h *Host) Active() (n int) {
	for _, o := range h.objects {
		if o.act != nil {
			n++
		}
	}
	return n
}

func (h *Host) remember(session uint64, err *Error) {
	if h.broken == nil || len(h.broken) >= maxBroken {
		h.broken = make(map[uint64]*Error)
	}
	h.broken[session] = err
}

// Reset breaks all objects in memory, in the order of their ids.
func (h *Host) Reset(err *Error) {
	for _, o := range h.inMemory() {
		o.act.Break(err)
	}
}

// inMemory lists the objects in memory, in the order of their ids.
func (h *Host) inMemory() (active []*object) {
	for _, o := range h.objects {
		if o.act != nil {
			active = append(active, o)
		}
	}
	slices.SortFunc(active, func(a, b *object) int { return bytes.Compare(a.id[:], b.id[:]) })
	return active
}

// Abandon answers all calls that the host has with err, because its loop is
// stuck and will not. It may be called from any goroutine. The host must not be
// given calls any more; another one takes its place.
func (h *Host) Abandon(err *Error) {
	h.calls.Fail(Reply{Delivery: Answered, Err: err, Broken: true})
}

// Succeed makes the host know which lives of objects ended at the host before
// it, whose loop this one has taken over. It must be called before the first
// call is delivered.
//
// An outage of an object's storage does not end with the host.
func (h *Host) Succeed(before *Host) { h.broken, h.outages = before.broken, before.outages }
