package durable

import (
	"fmt"
	"strings"
	"sync"
)

// FaultPoint is where in an attempt's delivery a fault acts.
type FaultPoint uint8

const (
	faultNone FaultPoint = iota
	// PointRequestRefused: the connection is refused; nothing was sent.
	PointRequestRefused
	// PointRequestDropped: the connection breaks before the object saw the
	// request. The caller cannot know that.
	PointRequestDropped
	// PointReplyDropped: the object ran to its end, its writes are durable, and
	// the connection breaks before the reply arrives.
	PointReplyDropped
)

func (p FaultPoint) String() string {
	return [...]string{"none", "not delivered", "request dropped before the object saw it", "reply dropped after the method finished"}[p]
}

// Fault is a plan for one kind of failure: what happens, to which attempts, how
// often. It is a value; its methods return changed copies, so that plans read as
// sentences:
//
//	durable.DropReply().Method("addOne").Times(2)
//
// Unless told otherwise a fault acts once, on the first attempt that it matches.
type Fault struct {
	point     FaultPoint
	namespace string
	object    string
	method    string
	caller    string
	attempt   int
	times     int // 0: until cleared
}

// RefuseRequest refuses an attempt: the object never sees it, and the caller
// knows.
func RefuseRequest() Fault { return Fault{point: PointRequestRefused, times: 1} }

// DropRequest breaks the connection before the object saw the request. To the
// caller delivery is uncertain.
func DropRequest() Fault { return Fault{point: PointRequestDropped, times: 1} }

// DropReply lets the object finish, then breaks the connection before the reply
// arrives. To the caller delivery is uncertain.
func DropReply() Fault { return Fault{point: PointReplyDropped, times: 1} }

// Namespace restricts the fault to a namespace, by its binding or class name.
func (f Fault) Namespace(name string) Fault { f.namespace = name; return f }

// Object restricts the fault to one object, by its name or its id in hex.
func (f Fault) Object(nameOrID string) Fault { f.object = nameOrID; return f }

// Method restricts the fault to one method; "fetch" means stub.fetch().
func (f Fault) Method(name string) Fault { f.method = name; return f }

// Caller restricts the fault to calls that one caller makes: the name of a
// worker or class, or "go" for the Go API.
func (f Fault) Caller(name string) Fault { f.caller = name; return f }

// Attempt restricts the fault to the n-th attempt of a call; 1 is the first.
func (f Fault) Attempt(n int) Fault { f.attempt = n; return f }

// Times makes the fault act n times.
func (f Fault) Times(n int) Fault { f.times = n; return f }

// Always makes the fault act until it is cleared.
func (f Fault) Always() Fault { f.times = 0; return f }

// Point returns where the fault acts.
func (f Fault) Point() FaultPoint { return f.point }

func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.point.String())
	for _, p := range []struct{ what, v string }{
		{"namespace", f.namespace}, {"object", f.object}, {"method", f.method}, {"caller", f.caller},
	} {
		if p.v != "" {
			fmt.Fprintf(&b, ", %s %s", p.what, p.v)
		}
	}
	if f.attempt > 0 {
		fmt.Fprintf(&b, ", attempt %d", f.attempt)
	}
	switch f.times {
	case 0:
		b.WriteString(", always")
	case 1:
	default:
		fmt.Fprintf(&b, ", %d times", f.times)
	}
	return b.String()
}

func (f Fault) check() error {
	switch {
	case f.point == faultNone || f.point > PointReplyDropped:
		return fmt.Errorf("fault: no fault point; use RefuseRequest, DropRequest or DropReply")
	case f.attempt < 0 || f.attempt > MaxRetriesLimit+1:
		return fmt.Errorf("fault (%v): attempt must be between 1 and %d", f, MaxRetriesLimit+1)
	case f.times < 0:
		return fmt.Errorf("fault (%v): times must not be negative", f)
	}
	return nil
}

func (f *Fault) matches(t Target, method, caller string, attempt int) bool {
	return (f.namespace == "" || f.namespace == t.Namespace) &&
		(f.object == "" || f.object == t.Name || f.object == t.ID.String()) &&
		(f.method == "" || f.method == method) &&
		(f.caller == "" || f.caller == caller) &&
		(f.attempt == 0 || f.attempt == attempt)
}

// Faults is the set of plans that a transport obeys. A nil *Faults has none. It
// is safe for use by many goroutines.
type Faults struct {
	mu     sync.Mutex
	active []*activeFault
}

type activeFault struct {
	Fault
	left int // how often it still acts; negative: for ever
	hits int
}

// Add puts plans into force. The error names a plan that can never act; then
// none was added.
func (fs *Faults) Add(plans ...Fault) error {
	for _, f := range plans {
		if err := f.check(); err != nil {
			return err
		}
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range plans {
		a := &activeFault{Fault: f, left: f.times}
		if f.times == 0 {
			a.left = -1
		}
		fs.active = append(fs.active, a)
	}
	return nil
}

// Clear ends all plans and returns those that never acted.
func (fs *Faults) Clear() (unused []Fault) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	unused = fs.unusedLocked()
	fs.active = nil
	return unused
}

// Unused returns the plans that have not acted yet.
func (fs *Faults) Unused() []Fault {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return fs.unusedLocked()
}

func (fs *Faults) unusedLocked() (unused []Fault) {
	for _, a := range fs.active {
		if a.hits == 0 {
			unused = append(unused, a.Fault)
		}
	}
	return unused
}

// hit returns the point of the first plan that acts on an attempt, and counts it.
func (fs *Faults) hit(a *Attempt) FaultPoint {
	if fs == nil {
		return faultNone
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.active {
		if f.left != 0 && f.matches(a.call.stub.target, a.call.op.Method, a.call.stub.caller, a.number) {
			f.left--
			f.hits++
			return f.point
		}
	}
	return faultNone
}
