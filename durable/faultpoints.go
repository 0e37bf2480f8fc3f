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
//	EvictBefore      an idle object leaves memory before  answered       runs once, in a new        the same
//	                 the request arrives                                 instance
//	Duplicate        the request arrives twice            answered       the second is rejected     runs twice
//
// Points that wait for something at the object (its start, its end, an idle
// instance to evict) act only if that comes about. Duplicate acts only on calls
// that can be retried: others have no identity, and nothing ever sends them
// again. AbortBefore, AbortDuring and AbortAfter fail every call that is in the
// object, as ctx.abort() does, and break the stubs that are connected to it.
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
	PointConnectionDropped
	PointAbortDuring
	PointAbortAfter
	PointReplyDropped
	PointReplyDelayed

	faultPoints // how many there are
)

var pointTexts = [faultPoints]string{
	faultNone:              "none",
	PointRequestRefused:    "not delivered",
	PointRequestDelayed:    "request delayed",
	PointRequestDropped:    "request dropped before the object saw it",
	PointOverloaded:        "rejected as overloaded",
	PointEvictBefore:       "object evicted before the request arrived",
	PointDuplicated:        "request delivered twice",
	PointAbortBefore:       "object reset before the method started",
	PointConnectionDropped: "connection dropped after the method started",
	PointAbortDuring:       "object reset while the method ran",
	PointAbortAfter:        "object reset after the method finished",
	PointReplyDropped:      "reply dropped after the method finished",
	PointReplyDelayed:      "reply delayed",
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
