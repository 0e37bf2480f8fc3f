package timelinehtml

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/durashim/durashim/durable"
)

// words tells the call as a sentence or two.
func (s *scene) words() string {
	var b strings.Builder
	for i, a := range s.attempts {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "Attempt %d %s", a.number, s.fate(a))
		if a.waits {
			waited := a.wait
			if i+1 == len(s.attempts) {
				waited = s.end.Sub(a.end)
			}
			fmt.Fprintf(&b, "; the caller waited %s", short(waited))
		}
		b.WriteByte('.')
	}
	if end := s.ending(); end != "" {
		b.WriteString(" " + end)
	}
	return b.String()
}

// fate says what became of an attempt.
func (s *scene) fate(a *attempt) string {
	again := ""
	if a.number > 1 && len(a.runs) > 0 && s.ranBefore(a) {
		again = " again"
	}
	if a.hit(durable.PointEvictBefore) != nil {
		again += " in a new instance"
	}
	late := ""
	if e := a.hit(durable.PointRequestDelayed); e != nil {
		late = "arrived late and "
	}
	switch {
	case a.hit(durable.PointRequestRefused) != nil:
		return "was refused: the object never saw it"
	case a.hit(durable.PointRequestDropped) != nil:
		return "was lost before the object saw it"
	case a.hit(durable.PointOverloaded) != nil:
		return "was turned away: too many requests are queued"
	case a.hit(durable.PointCrashBefore) != nil:
		return late + "arrived, and the host crashed before it ran"
	case a.hit(durable.PointCrashDuring) != nil:
		return late + "ran" + again + ", and the host crashed meanwhile"
	case a.hit(durable.PointCrashAfter) != nil:
		return late + "ran" + again + ", and the host crashed before it was answered"
	case a.hit(durable.PointWriteFailed) != nil:
		return late + "ran" + again + ", and its writes could not be made durable"
	case a.good && a.hit(durable.PointStorageUnavailable) != nil:
		return late + "ran" + again + ", and was answered when the storage was there again"
	case a.hit(durable.PointAbortBefore) != nil:
		return "arrived, and the object was reset before it ran"
	case a.hit(durable.PointAbortDuring) != nil:
		return late + "ran" + again + ", and the object was reset meanwhile"
	case a.hit(durable.PointAbortAfter) != nil:
		return late + "ran" + again + ", and the object was reset before it was answered"
	case a.hit(durable.PointConnectionDropped) != nil:
		return late + "ran" + again + ", and the connection broke meanwhile"
	case a.turnedAway() && !a.rejected:
		return "was rejected, because the host had seen the request, and that reply was lost"
	case a.turnedAway() && s.r.Crashed(a.number):
		return "was rejected: this host cannot know what ran on the one that crashed"
	case a.turnedAway():
		return "was rejected: the host had seen the request"
	case a.hit(durable.PointReplyDropped) != nil:
		return late + "ran" + again + ", and its reply was lost"
	case a.good && len(a.runs) > 1:
		return late + "was delivered twice and ran twice"
	case a.good && a.dupRefused:
		return late + "was delivered twice and ran once"
	case a.good && a.hit(durable.PointReplyDelayed) != nil:
		return late + "ran" + again + " and was answered late"
	case a.good:
		return late + "ran" + again + " and was answered"
	case a.failed != nil && len(a.runs) > 0:
		return late + "ran" + again + " and failed" + a.thrownAt()
	case a.failed != nil:
		return "failed"
	case a.ended && len(a.runs) > 0:
		return late + "ran" + again + " and was given up by the caller"
	case a.ended:
		return "was given up by the caller"
	case len(a.runs) > 0:
		return late + "started" + again + " and has not ended"
	}
	return "has not arrived"
}

// thrownAt says where the method threw its error, if that is known.
func (a *attempt) thrownAt() string {
	for _, r := range a.runs {
		if at := r.err.Place(); at != "" {
			return " at " + at
		}
	}
	return ""
}

func (s *scene) ranBefore(a *attempt) bool {
	for _, b := range s.attempts {
		if b == a {
			return false
		}
		if len(b.runs) > 0 {
			return true
		}
	}
	return false
}

// ending says what the caller got, if it is no plain result.
func (s *scene) ending() string {
	r := s.r
	if r.Err != nil {
		which := "this error"
		switch r.Outcome {
		case durable.ClaimRejected, durable.Exhausted, durable.BudgetExhausted, durable.UnableToRetry:
			which = "the first error"
		case durable.Other:
			which = "this later error"
		}
		return fmt.Sprintf("The caller got %s: %s", which, r.Err.Error())
	}
	if n := r.Runs(); n > 1 {
		return fmt.Sprintf("The caller got its result; the method ran %d times.", n)
	}
	if r.Outcome == durable.Recovered {
		return "The caller got its result, and never knew."
	}
	return ""
}

// faultLabel names a fault where there is little room.
func faultLabel(e *durable.Event, tight bool) string {
	if tight {
		switch e.Point {
		case durable.PointConnectionDropped:
			return "cut off"
		case durable.PointEvictBefore:
			return "evicted"
		case durable.PointDuplicated:
			return "twice"
		case durable.PointCrashBefore, durable.PointCrashDuring, durable.PointCrashAfter:
			return "crashed"
		case durable.PointStorageUnavailable:
			return "no storage"
		}
	}
	switch e.Point {
	case durable.PointRequestRefused:
		return "refused"
	case durable.PointRequestDropped:
		return "request lost"
	case durable.PointConnectionDropped:
		return "connection lost"
	case durable.PointReplyDropped:
		return "reply lost"
	case durable.PointRequestDelayed, durable.PointReplyDelayed:
		return "delayed"
	case durable.PointOverloaded:
		return "overloaded"
	case durable.PointAbortBefore, durable.PointAbortDuring, durable.PointAbortAfter:
		return "object reset"
	case durable.PointEvictBefore:
		return "evicted before"
	case durable.PointDuplicated:
		return "delivered twice"
	case durable.PointCrashBefore, durable.PointCrashDuring, durable.PointCrashAfter:
		return "host crashed"
	case durable.PointStorageUnavailable:
		return "storage unavailable"
	case durable.PointWriteFailed:
		return "write failed"
	}
	return e.Fault
}

// short writes a duration for people: 0 ms, 73 ms, 4.2 s.
func short(d time.Duration) string {
	switch ms := float64(d) / float64(time.Millisecond); {
	case d >= 10*time.Second:
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	case d >= time.Second:
		return strconv.FormatFloat(ms/1000, 'f', 2, 64) + " s"
	case ms >= 10 || ms == 0:
		return strconv.FormatFloat(ms, 'f', 0, 64) + " ms"
	default:
		return strconv.FormatFloat(ms, 'f', 2, 64) + " ms"
	}
}
