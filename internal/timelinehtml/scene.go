// Package timelinehtml draws timelines of calls: a page of its own (HTML with
// SVG, light and dark, without scripts), or one SVG for a document.
//
// Each call is a picture with two lanes. The upper one is the caller's: its
// attempts and waits. The lower one is the object's: what ran there. Arrows
// between them are requests and replies; one that a fault stopped ends in a
// cross.
package timelinehtml

import (
	"slices"
	"time"

	"github.com/durashim/durashim/durable"
)

// scene is a call, sorted by attempts.
type scene struct {
	r        *durable.CallRecord
	attempts []*attempt
	end      time.Time // of the call; of its last event if it has not ended
}

// attempt is one try, as the caller and the object saw it.
type attempt struct {
	number     int
	retry      bool // flagged as one
	sent, end  time.Time
	ended      bool // the caller knows how, or has given up
	claimed    bool
	runs       []run
	faults     []durable.Event
	failed     *durable.Error // as the caller saw it
	delivery   durable.Delivery
	rejected   bool // as a duplicate, and the caller knows
	dupRefused bool // the second delivery of a duplicated request was
	wait       time.Duration
	waits      bool
	good       bool // it brought the result
}

// run is one run of the method.
type run struct {
	start, end time.Time
	ended      bool
	err        *durable.Error
}

func newScene(r *durable.CallRecord) *scene {
	s := &scene{r: r, end: r.Ended()}
	if s.end.IsZero() {
		s.end = r.Started
		for _, e := range r.Events {
			if e.At.After(s.end) {
				s.end = e.At
			}
		}
	}
	by := map[int]*attempt{}
	for _, e := range r.Events {
		if e.Kind == durable.EventSent {
			a := &attempt{number: e.Attempt, sent: e.At, end: s.end, retry: e.Retry}
			by[e.Attempt] = a
			s.attempts = append(s.attempts, a)
		}
		if a := by[e.Attempt]; a != nil {
			a.take(&e, r.Outcome)
		}
	}
	return s
}

func (a *attempt) take(e *durable.Event, o durable.Outcome) {
	switch e.Kind {
	case durable.EventFault:
		a.faults = append(a.faults, *e)
	case durable.EventClaimed:
		a.claimed = true
	case durable.EventStarted:
		a.runs = append(a.runs, run{start: e.At})
	case durable.EventRan:
		if i := slices.IndexFunc(a.runs, func(r run) bool { return !r.ended }); i >= 0 {
			a.runs[i].end, a.runs[i].ended, a.runs[i].err = e.At, true, e.Err
		}
	case durable.EventFailed:
		a.end, a.ended, a.failed, a.delivery = e.At, true, e.Err, e.Delivery
	case durable.EventRejected:
		a.end, a.ended, a.rejected = e.At, true, true
	case durable.EventDuplicateRejected:
		a.dupRefused = true
	case durable.EventBackoff:
		a.wait, a.waits = e.Wait, true
	case durable.EventEnded:
		if !a.ended {
			a.end, a.ended = e.At, true
			a.good = o == durable.Succeeded || o == durable.Recovered
		}
	}
}

// hit returns the fault of a point that acted on the attempt.
func (a *attempt) hit(points ...durable.FaultPoint) *durable.Event {
	for i := range a.faults {
		if slices.Contains(points, a.faults[i].Point) {
			return &a.faults[i]
		}
	}
	return nil
}

// crash returns the crash of the host that ended the attempt; nil if there was none.
func (a *attempt) crash() *durable.Event {
	return a.hit(durable.PointCrashBefore, durable.PointCrashDuring, durable.PointCrashAfter)
}

// turnedAway reports whether the host refused the attempt as a duplicate,
// whether or not the caller learnt of that.
func (a *attempt) turnedAway() bool {
	return a.rejected || len(a.runs) == 0 && !a.claimed && a.hit(durable.PointReplyDropped) != nil
}

// reached reports whether the request came to the host.
func (a *attempt) reached() bool {
	return a.claimed || len(a.runs) > 0 || a.turnedAway() || a.hit(durable.PointAbortBefore) != nil ||
		a.failed != nil && a.delivery == durable.Answered
}

// eventful reports whether a call deserves a picture.
func (s *scene) eventful() bool {
	return len(s.attempts) != 1 || s.r.Faults() > 0 || s.r.Outcome != durable.Succeeded || s.r.Runs() > 1 || s.r.Repeats != nil
}

// layers returns what is told of calls that repeat others, each operation once, at
// the last of its rounds that is shown.
func layers(calls []durable.CallRecord) (last map[int]string) {
	last = map[int]string{}
	for _, l := range durable.LayersOf(calls) {
		last[l.Calls[len(l.Calls)-1]] = "Retries multiply: " + l.String() + "."
	}
	return last
}
