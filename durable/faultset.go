package durable

import (
	"slices"
	"sync"
	"time"

	"github.com/durashim/durashim/internal/sched"
	"github.com/google/uuid"
)

// Faults is the set of plans that a transport obeys. A nil *Faults has none. It
// is safe for use by many goroutines.
//
// Plans are asked in the order in which they were added. On one attempt any
// number of delays and one other fault act.
type Faults struct {
	// Prepare, if not nil, refuses plans that cannot be carried out where the
	// calls are made, and makes ready for others. It is set before first use;
	// from is that of AddFrom.
	Prepare func(f Fault, from sched.Loop) error

	mu     sync.Mutex
	active []*activeFault
	missed []Miss // cleared before they acted
	refuse error  // why there can be none; nil: there can
}

// Refuse makes Add fail with err from now on: nothing here obeys plans.
func (fs *Faults) Refuse(err error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.refuse = err
}

// activeFault is a plan in force.
type activeFault struct {
	Fault
	left  int  // how often it still acts; negative: for ever
	hits  int  // attempts that it was planned for
	acted int  // those in which it has come about by now
	met   bool // the dice were thrown
	calls int  // how many calls it was concerned with
	nth   *Call
	seen  met       // until it acts
	until time.Time // of a plan with a duration, from the first hit on
}

// Add puts plans into force. The error names a plan that can never act, or that
// cannot be carried out; then none was added. It must not be called from work
// that runs on a loop; see [Faults.AddFrom].
func (fs *Faults) Add(plans ...Fault) error { return fs.AddFrom(nil, plans...) }

// AddFrom is Add for work that runs on a loop.
func (fs *Faults) AddFrom(loop sched.Loop, plans ...Fault) error {
	fs.mu.Lock()
	refuse := fs.refuse
	fs.mu.Unlock()
	if refuse != nil && len(plans) > 0 {
		return refuse
	}
	for _, f := range plans {
		if err := f.check(); err != nil {
			return err
		}
	}
	for _, f := range plans {
		if fs.Prepare == nil {
			break
		}
		if err := fs.Prepare(f, loop); err != nil {
			return err
		}
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.refuse != nil && len(plans) > 0 {
		return fs.refuse
	}
	for _, f := range plans {
		a := &activeFault{Fault: f, left: f.times}
		if f.times == 0 {
			a.left = -1
		}
		fs.active = append(fs.active, a)
	}
	return nil
}

// Clear ends all plans and returns those that never acted. [Faults.Unused] goes
// on to report them: a plan that missed stays a mistake.
func (fs *Faults) Clear() (unused []Fault) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, m := range fs.missedActive() {
		fs.missed = append(fs.missed, m)
		unused = append(unused, m.Plan)
	}
	fs.active = nil
	return unused
}

// Reset ends all plans and forgets them, those that never acted as well.
func (fs *Faults) Reset() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.active, fs.missed = nil, nil
}

// Unused returns the plans that have not acted yet. One with a probability
// counts as used once it met an attempt, whatever the dice said.
func (fs *Faults) Unused() (unused []Fault) {
	for _, m := range fs.Missed() {
		unused = append(unused, m.Plan)
	}
	return unused
}

// Missed is Unused with what each plan met instead.
func (fs *Faults) Missed() []Miss {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	return append(slices.Clone(fs.missed), fs.missedActive()...)
}

func (fs *Faults) missedActive() (missed []Miss) {
	for _, a := range fs.active {
		if a.acted == 0 && !a.met {
			missed = append(missed, a.miss())
		}
	}
	return missed
}

// acting is what acts on one attempt.
type acting struct {
	requestDelay, replyDelay time.Duration
	point                    FaultPoint
	plan                     *activeFault // of the point
}

// hit returns what acts on an attempt, and counts it.
func (fs *Faults) hit(a *Attempt) (hit acting) {
	if fs == nil {
		return hit
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, f := range fs.active {
		acts := f.acts(a, hit)
		if f.acted == 0 {
			f.seen.note(a, acts)
		}
		if !acts {
			continue
		}
		switch f.point {
		case PointRequestDelayed:
			f.acted++
			hit.requestDelay += f.delay
		case PointReplyDelayed:
			f.acted++
			hit.replyDelay += f.delay
		default:
			hit.point, hit.plan = f.point, f
		}
	}
	return hit
}

// acts reports whether a plan is to act on an attempt on which others may act
// already.
func (f *activeFault) acts(a *Attempt, others acting) bool {
	if !f.concerns(a.call.stub.target, a.call.op.Method, a.call.stub.caller) {
		return false
	}
	if a.number == 1 {
		if f.calls++; f.calls == f.call {
			f.nth = a.call
		}
	}
	return (others.plan == nil || f.delays()) && f.strikes(a)
}

// strikes reports whether the plan acts on an attempt of a call that concerns
// it, and counts that.
func (f *activeFault) strikes(a *Attempt) bool {
	c := a.call
	switch {
	case f.left == 0,
		f.attempt > 0 && f.attempt != a.number,
		f.call > 0 && f.nth != c,
		f.point == PointDuplicated && c.identity == uuid.Nil:
		return false
	}
	now := c.stub.engine.Scheduler.Now()
	if f.within > 0 && f.hits > 0 && !now.Before(f.until) {
		return false
	}
	if f.chance > 0 {
		f.met = true
		if c.stub.engine.Random.Float64() >= f.chance {
			return false
		}
	}
	if f.hits == 0 {
		f.until = now.Add(f.within)
	}
	f.left--
	f.hits++
	return true
}

// came notes that a plan has come about.
func (fs *Faults) came(f *activeFault) {
	if fs == nil || f == nil {
		return
	}
	fs.mu.Lock()
	f.acted++
	fs.mu.Unlock()
}

// spare takes back a hit that could not be carried out: the method never
// started, or there was no idle object to evict.
func (fs *Faults) spare(f *activeFault) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f.left++
	f.hits--
}
