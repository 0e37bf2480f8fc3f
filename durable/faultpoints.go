package durable

import "time"

// FaultPoint is where in an attempt's delivery a fault acts.
//
// What each point leads to, when it acts on the first attempt of a call that can
// be retried (the announcement's rules; an unmarked method never runs twice):
//
//	constructor      what happens                         delivery       unmarked method            marked method
//	RefuseRequest    the connection is refused            not delivered  retried, runs once         the same
//	DropRequest      it breaks before the object saw      uncertain      retried, runs once         the same
//	                 the request
//	DropConnection   it breaks when the method has        uncertain      claim rejected: the first  runs again
//	                 started; the method goes on                         error, ran once
//	DropReply        it breaks when the method has        uncertain      claim rejected: the first  runs again
//	                 finished and its writes are durable                 error, ran once
//	DelayRequest     the request is late                  answered       runs once                  the same
//	DelayReply       the reply is late                    answered       runs once                  the same
//	Overload         turned away before the claim, with   not delivered  fails at once, not run     the same
//	                 the property overloaded
//	AbortBefore      the object is reset when the call    answered       fails at once, not run     the same
//	                 waits in it
//	AbortDuring      the object is reset after the        answered       fails at once, ran once;   the same
//	                 method's first turn                                 unconfirmed writes lost
//	AbortAfter       the object is reset when the method  answered       fails at once, ran once;   the same
//	                 has finished                                        its writes are kept
//	CrashBefore      the host dies when the call has      uncertain      the next host cannot      runs once
//	                 arrived                                             know: the first error
//	CrashDuring      the host dies after the method's     uncertain      the first error, ran      runs again;
//	                 first turn                                          once; unconfirmed         unconfirmed
//	                                                                     writes lost               writes lost
//	CrashAfter       the host dies when the method has    uncertain      the first error, ran      runs again;
//	                 finished                                            once; its writes kept     its writes kept
//	FailWrite        what the method writes cannot be     answered       fails at once, ran once;  the same
//	                 made durable: the object is reset                   unconfirmed writes lost
//	StorageUnavail-  the object's storage does not        answered       runs once, answered when  the same
//	able             answer for a while                                  its writes are durable
//	EvictBefore      an idle object leaves memory before  answered       runs once, in a new        the same
//	                 the request arrives                                 instance
//	Duplicate        the request arrives twice            answered       the second is rejected     runs twice
//
// Points that wait for something at the object (its start, its end, an idle
// instance to evict) act only if that comes about. Duplicate acts only on calls
// that can be retried: others have no identity, and nothing ever sends them
// again. AbortBefore, AbortDuring and AbortAfter fail every call that is in the
// object, as ctx.abort() does, and break the stubs that are connected to it.
//
// A crash ends the host with all objects of the namespace that it has in memory:
// every attempt that is under way to it fails with a lost connection, and its
// claims are gone. The next host has another incarnation, so that it rejects the
// retry of an unmarked method that may have run before. Stubs go on working, as
// after any lost connection. What was confirmed is kept.
//
// StorageUnavailable is an outage of the storage behind one object. Its length
// counts from the arrival of the attempt that it acts on. Meanwhile nothing that
// the object writes becomes durable: the output gate holds its messages, its
// answer among them, and sync() waits. Reads wait too where each goes to the
// storage, in a namespace that is not declared to use SQL; SQLite is beside the
// object and answers at once. What waited is done when the outage ends. What has
// waited for [StorageTimeout] resets the object instead, with the real runtime's
// error for that: "Durable Object storage operation exceeded timeout which caused
// object to be reset." (overloaded, durableObjectReset; workerd, io/actor-cache).
// The outage outlives resets of the object.
//
// FailWrite is the storage connection that breaks when the writes of the method
// are made durable. The real runtime tries such a flush four times more (workerd,
// io/actor-cache); FailWrite stands for the failure of the last one, which resets
// the object with "Internal error in Durable Object storage write caused object
// to be reset; reference = ..." (durableObjectReset, and retryable because the
// type of the failure passes through). The object answered, so that the call is
// not retried by the platform.
//
// Neither acts on a namespace whose storage is memory alone.
type FaultPoint uint8

// Points, in the order of the life of a call.
const (
	faultNone FaultPoint = iota
	PointRequestRefused
	PointRequestDelayed
	PointRequestDropped
	PointOverloaded
	PointEvictBefore
	PointDuplicated
	PointAbortBefore
	PointCrashBefore
	PointStorageUnavailable
	PointConnectionDropped
	PointAbortDuring
	PointCrashDuring
	PointWriteFailed
	PointAbortAfter
	PointCrashAfter
	PointReplyDropped
	PointReplyDelayed

	faultPoints // how many there are
)

var pointTexts = [faultPoints]string{
	faultNone:               "none",
	PointRequestRefused:     "not delivered",
	PointRequestDelayed:     "request delayed",
	PointRequestDropped:     "request dropped before the object saw it",
	PointOverloaded:         "rejected as overloaded",
	PointEvictBefore:        "object evicted before the request arrived",
	PointDuplicated:         "request delivered twice",
	PointAbortBefore:        "object reset before the method started",
	PointCrashBefore:        "host crashed before the method started",
	PointStorageUnavailable: "storage unavailable",
	PointConnectionDropped:  "connection dropped after the method started",
	PointAbortDuring:        "object reset while the method ran",
	PointCrashDuring:        "host crashed while the method ran",
	PointWriteFailed:        "storage failed to make the method's writes durable",
	PointAbortAfter:         "object reset after the method finished",
	PointCrashAfter:         "host crashed after the method finished",
	PointReplyDropped:       "reply dropped after the method finished",
	PointReplyDelayed:       "reply delayed",
}

func (p FaultPoint) String() string {
	if p >= faultPoints {
		return "unknown"
	}
	return pointTexts[p]
}

// RefuseRequest refuses an attempt: the object never sees it, and the caller
// knows.
func RefuseRequest() Fault { return once(PointRequestRefused) }

// DropRequest breaks the connection before the object saw the request. To the
// caller delivery is uncertain.
func DropRequest() Fault { return once(PointRequestDropped) }

// DropConnection breaks the connection when the method has started. The method
// goes on, and its result is lost. To the caller delivery is uncertain.
func DropConnection() Fault { return once(PointConnectionDropped) }

// DropReply lets the object finish, then breaks the connection before the reply
// arrives. To the caller delivery is uncertain.
func DropReply() Fault { return once(PointReplyDropped) }

// DelayRequest makes the request arrive later by d, on the clock of the world.
func DelayRequest(d time.Duration) Fault { f := once(PointRequestDelayed); f.delay = d; return f }

// DelayReply makes the reply arrive later by d, on the clock of the world.
func DelayReply(d time.Duration) Fault { f := once(PointReplyDelayed); f.delay = d; return f }

// Overload rejects an attempt before the object sees it, with an error whose
// property overloaded is true. Such a call is never retried (announcement).
func Overload() Fault { return once(PointOverloaded) }

// AbortBefore resets the object when the call has arrived in it and before the
// method starts.
func AbortBefore() Fault { return once(PointAbortBefore) }

// AbortDuring resets the object after the method's first turn, whether the
// method was done by then or not: its answer does not leave, and writes that are
// not confirmed yet are lost.
func AbortDuring() Fault { return once(PointAbortDuring) }

// AbortAfter resets the object when the method has finished and its writes are
// durable. The caller gets the error of the reset.
func AbortAfter() Fault { return once(PointAbortAfter) }

// CrashBefore ends the host of the object when the call has arrived in it and
// before the method starts. All objects of the namespace on that host lose their
// memory, and unconfirmed writes.
func CrashBefore() Fault { return once(PointCrashBefore) }

// CrashDuring ends the host of the object after the method's first turn, whether
// the method was done by then or not: unconfirmed writes are lost.
func CrashDuring() Fault { return once(PointCrashDuring) }

// CrashAfter ends the host of the object when the method has finished and its
// writes are durable, before the reply leaves.
func CrashAfter() Fault { return once(PointCrashAfter) }

// StorageUnavailable makes the object's storage not answer for d, on the clock
// of the world, from the arrival of the attempt on.
func StorageUnavailable(d time.Duration) Fault {
	f := once(PointStorageUnavailable)
	f.delay = d
	return f
}

// FailWrite makes the writes of the method fail when they are to become durable,
// which resets the object. It acts only on a method that writes.
func FailWrite() Fault { return once(PointWriteFailed) }

// EvictBefore removes the object from memory, gracefully, before the request
// arrives. It acts on an object that is in memory and idle.
func EvictBefore() Fault { return once(PointEvictBefore) }

// Duplicate delivers the request a second time, right after the first and before
// the reply to it leaves. The caller gets the reply to the first.
func Duplicate() Fault { return once(PointDuplicated) }

func once(p FaultPoint) Fault { return Fault{point: p, times: 1} }

// overloaded is how an object turns a request away that has too much to do
// (https://developers.cloudflare.com/durable-objects/observability/troubleshooting/).
func overloaded() *Error {
	return &Error{Name: "Error", Message: "Durable Object is overloaded. Too many requests queued.", Overloaded: true}
}

// aborted is what ctx.abort() without a reason resets an object with (measured
// on workerd).
func aborted() *Error {
	return &Error{Name: "Error", Message: "Application called abort() to reset Durable Object.", Reset: true}
}
