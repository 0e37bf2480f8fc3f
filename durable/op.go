package durable

import "github.com/durashim/durashim/internal/httpmsg"

// Kind is the way in which an object is called.
type Kind uint8

// Kinds of calls.
const (
	RPC   Kind = iota // stub.method(...)
	Fetch             // stub.fetch(...)
	Get               // await stub.property
)

func (k Kind) String() string {
	switch k {
	case Fetch:
		return "fetch"
	case Get:
		return "get"
	}
	return "RPC"
}

// Target names the object of a call.
type Target struct {
	Namespace string // the binding or class, as the timeline shows it
	ID        ObjectID
	Name      string // the name that the id was made from; "" if unknown
}

// Op is what a call asks of an object. It is serialised once and sent unchanged
// with every attempt.
type Op struct {
	Kind   Kind
	Method string // the name of the method or property; "fetch" for Fetch

	// Path are the properties that lead to the object which has the method:
	// ["nested", "a"] for stub.nested.a.method().
	Path []string

	Args    []byte           // RPC: an array in structured-clone format
	Refs    Refs             // RPC: what Args holds by reference; nil for nothing
	Request *httpmsg.Request // Fetch

	// Pipe, if not nil, is how calls of what the result names reach whoever runs
	// the call, ahead of the result; it means something within the process only.
	Pipe any

	// Origin is where the call is made; nil if that is unknown.
	Origin Origin

	// Replayable says that the operation can be sent again unchanged. A stream
	// in it, or anything else that cannot be bytes, makes it false.
	Replayable bool
}

// Refs are what a message holds by reference, beside its bytes: functions,
// targets and stubs. Whoever sends a message gives them away; whoever does not
// take what it receives drops it, so that its owner may let go of it.
type Refs interface {
	// Drop gives up what nobody has taken. It may be called from any goroutine
	// and more than once.
	Drop()
}

// Result is what a call ends with when it succeeds.
type Result struct {
	Value    []byte            // RPC: a value in structured-clone format
	Refs     Refs              // RPC: what Value holds by reference; nil for nothing
	Response *httpmsg.Response // Fetch
}

// drop gives up a result that nobody receives.
func (r Result) drop() {
	if r.Refs != nil {
		r.Refs.Drop()
	}
	if r.Response != nil {
		_ = r.Response.Body.Close() // a stream in it has nobody to read it
	}
}

// Delivery is what the caller can prove about an attempt. A mere receipt proves
// nothing; only an answer counts as having reached the object.
type Delivery uint8

const (
	// NotDelivered: refused, never written, or turned away before the claim.
	NotDelivered Delivery = iota
	// Uncertain: the connection broke; the object may have seen the request.
	Uncertain
	// Answered: the host sent a result or an error.
	Answered
)

func (d Delivery) String() string {
	return [...]string{"not delivered", "uncertain", "answered"}[d]
}

// Reply is the end of one attempt.
type Reply struct {
	Delivery Delivery
	Result   Result
	Err      *Error // nil on success

	// Rejected says that the host refused a duplicate: it had claimed the
	// identity before, or could not know (it is of another incarnation).
	Rejected bool
	// Session identifies the life of the object that answered, for the stub to
	// send along with its next call; 0 when there is none.
	Session uint64
	// Broken says that this life of the object is over and that the stub which
	// was connected to it fails for ever with Err.
	Broken bool
}
