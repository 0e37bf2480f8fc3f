package durable

import (
	"fmt"
	"strings"
	"time"
)

// Fault is a plan for one kind of failure: what happens, to which attempts, how
// often. It is a value; its methods return changed copies, so that plans read as
// sentences:
//
//	durable.DropReply().Method("addOne").Times(2)
//
// Unless told otherwise a fault acts once, on the first attempt that it matches.
// [FaultPoint] has the table of what each leads to.
type Fault struct {
	point     FaultPoint
	delay     time.Duration
	namespace string
	object    string
	method    string
	caller    string
	attempt   int
	call      int
	times     int // 0: until cleared
	within    time.Duration
	chance    float64
	limits    limits
	origin    string
}

// limits notes which of the numbers were set, so that a zero can be refused.
type limits uint8

const (
	hasAttempt limits = 1 << iota
	hasCall
	hasTimes
	hasWithin
	hasChance
)

// Namespace restricts the fault to a namespace, by its binding or class name.
func (f Fault) Namespace(name string) Fault { f.namespace = name; return f }

// Object restricts the fault to one object, by its name or its id in hex.
func (f Fault) Object(nameOrID string) Fault { f.object = nameOrID; return f }

// Method restricts the fault to one method; "fetch" means stub.fetch().
func (f Fault) Method(name string) Fault { f.method = name; return f }

// Caller restricts the fault to calls that one caller makes: the name of a
// worker, with the objects of its classes, or "go" for the Go API.
func (f Fault) Caller(name string) Fault { f.caller = name; return f }

// Attempt restricts the fault to the n-th attempt of a call; 1 is the first.
func (f Fault) Attempt(n int) Fault { f.attempt, f.limits = n, f.limits|hasAttempt; return f }

// Call restricts the fault to the n-th call that the other conditions match,
// counted from when the plan comes into force; 1 is the first. All attempts of
// a call count as one.
func (f Fault) Call(n int) Fault { f.call, f.limits = n, f.limits|hasCall; return f }

// Times makes the fault act n times.
func (f Fault) Times(n int) Fault { f.times, f.limits = n, f.limits|hasTimes; return f }

// Always makes the fault act until it is cleared.
func (f Fault) Always() Fault { f.times, f.limits = 0, f.limits&^hasTimes; return f }

// For makes the fault act for as long as d, on the clock of the world: it begins
// with the first attempt that it acts on, as an outage begins for those who
// notice it. Within that time it acts on every attempt, unless a later Times
// limits how often.
func (f Fault) For(d time.Duration) Fault {
	f = f.Always()
	f.within, f.limits = d, f.limits|hasWithin
	return f
}

// Probability makes the fault act on an attempt that it matches with the
// probability p, drawn from the random source of the world: the same seed gives
// the same faults. Without Times or Always it still acts only once.
func (f Fault) Probability(p float64) Fault { f.chance, f.limits = p, f.limits|hasChance; return f }

// From says where the plan was written, "faults.jsonc:3:5" for example. Errors and
// the reports of plans that never acted begin with it.
func (f Fault) From(place string) Fault { f.origin = place; return f }

// Origin returns the place that From set.
func (f Fault) Origin() string { return f.origin }

// describe writes a text about the plan, after where it was written.
func (f Fault) describe(format string) string {
	text := fmt.Sprintf(format, f)
	if f.origin != "" {
		text = f.origin + ": " + text
	}
	return text
}

// Errorf makes an error about the plan: where it was written, what it says, and
// what is wrong with it.
func (f Fault) Errorf(format string, a ...any) error {
	return fmt.Errorf("%s: %w", f.describe("fault (%v)"), fmt.Errorf(format, a...))
}

// Point returns where the fault acts.
func (f Fault) Point() FaultPoint { return f.point }

func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.point.String())
	switch {
	case f.delays():
		fmt.Fprintf(&b, " by %v", f.delay)
	case f.point == PointStorageUnavailable:
		fmt.Fprintf(&b, " for %v", f.delay)
	}
	for _, p := range []struct{ what, v string }{
		{"namespace", f.namespace}, {"object", f.object}, {"method", f.method}, {"caller", f.caller},
	} {
		if p.v != "" {
			fmt.Fprintf(&b, ", %s %s", p.what, p.v)
		}
	}
	if f.limits&hasCall != 0 {
		fmt.Fprintf(&b, ", call %d", f.call)
	}
	if f.limits&hasAttempt != 0 {
		fmt.Fprintf(&b, ", attempt %d", f.attempt)
	}
	if f.limits&hasChance != 0 {
		fmt.Fprintf(&b, ", probability %v", f.chance)
	}
	switch {
	case f.times == 0 && f.limits&(hasTimes|hasWithin) == 0:
		b.WriteString(", always")
	case f.times > 1:
		fmt.Fprintf(&b, ", %d times", f.times)
	}
	if f.limits&hasWithin != 0 {
		fmt.Fprintf(&b, ", for %v", f.within)
	}
	return b.String()
}

func (f *Fault) delays() bool {
	return f.point == PointRequestDelayed || f.point == PointReplyDelayed
}

// Crashes reports whether the plan ends a host, and so an isolate.
func (f Fault) Crashes() bool {
	return f.point == PointCrashBefore || f.point == PointCrashDuring || f.point == PointCrashAfter
}

// NeedsStorage reports whether the plan acts only where storage outlives the
// instance.
func (f Fault) NeedsStorage() bool {
	return f.point == PointStorageUnavailable || f.point == PointWriteFailed
}

// Where returns the namespace that the plan is restricted to; "" means all.
func (f Fault) Where() (namespace string) { return f.namespace }

// ends reports whether the fault leads to an answer that is never retried: no
// other attempt of the call follows.
func (p FaultPoint) ends() bool {
	switch p {
	case PointOverloaded, PointAbortBefore, PointAbortDuring, PointAbortAfter, PointWriteFailed:
		return true
	}
	return false
}

// Check refuses a plan that can never act, or never as often as it says, wherever
// it is made. [Faults.Add] does so, too.
func (f Fault) Check() error { return f.check() }

// check refuses a plan that can never act, or never as often as it says.
func (f Fault) check() error {
	bad := f.Errorf
	has := func(l limits) bool { return f.limits&l != 0 }
	switch {
	case f.point == faultNone || f.point >= faultPoints:
		return fmt.Errorf("fault: no fault point; start with RefuseRequest, DropReply or another constructor")
	case f.delays() && f.delay <= 0:
		return bad("the delay must be positive")
	case f.point == PointStorageUnavailable && f.delay <= 0:
		return bad("the time without storage must be positive")
	case has(hasAttempt) && (f.attempt < 1 || f.attempt > MaxRetriesLimit+1):
		return bad("attempt must be between 1 and %d: no call has others", MaxRetriesLimit+1)
	case has(hasCall) && f.call < 1:
		return bad("call must be at least 1")
	case f.times < 0:
		return bad("times must not be negative")
	case has(hasTimes) && f.times == 0:
		return bad("times must not be 0; use Always for a fault without an end")
	case has(hasWithin) && f.within <= 0:
		return bad("for must be positive")
	case has(hasCall) && has(hasAttempt) && f.times > 1:
		return bad("an attempt of one call happens once")
	case has(hasCall) && f.times > 1 && f.point.ends():
		return bad("it ends the call, and so cannot act on it again; leave out call, or times")
	case has(hasCall) && f.times > MaxRetriesLimit+1:
		return bad("one call has at most %d attempts", MaxRetriesLimit+1)
	case has(hasChance) && !(f.chance > 0 && f.chance <= 1):
		return bad("probability must be greater than 0 and at most 1")
	}
	return nil
}

// concerns reports whether a call is one that the plan names.
func (f *Fault) concerns(t Target, method, caller string) bool {
	return (f.namespace == "" || f.namespace == t.Namespace) &&
		(f.object == "" || f.object == t.Name || f.object == t.ID.String()) &&
		(f.method == "" || f.method == method) &&
		(f.caller == "" || f.caller == caller)
}
