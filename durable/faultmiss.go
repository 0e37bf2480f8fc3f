package durable

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/durashim/durashim/internal/config/source"
	"github.com/google/uuid"
)

// Miss is a plan that never acted, with what it met instead.
type Miss struct {
	Plan Fault
	// Calls says, a line for each kind of call made while the plan was in force,
	// why the plan did not act on it. The closest ones come first.
	Calls []string
}

// String says that the plan never acted, and why, in several lines.
func (m Miss) String() string {
	text := m.Plan.describe("this fault never acted: %v")
	if len(m.Calls) == 0 {
		return text + "\n  no call was made while it was in force"
	}
	return text + "\n  calls made while it was in force:\n    " + strings.Join(m.Calls, "\n    ")
}

// maxMet bounds how many kinds of calls a plan remembers until it acts.
const maxMet = 50

// metCall is a kind of call that a plan has met.
type metCall struct {
	namespace, method, caller string
	id                        ObjectID
}

// met is what a plan has met before it acted.
type met struct {
	kinds []metKind
	more  int // calls of kinds beyond maxMet
}

type metKind struct {
	metCall
	name            string // of the object
	calls, attempts int    // attempts: the most of one call
	identity        bool   // they could be retried
	planned         bool   // the plan was to act, and what it waits for did not come about
}

// note remembers an attempt.
func (m *met) note(a *Attempt, planned bool) {
	t := a.call.stub.target
	k := metCall{t.Namespace, a.call.op.Method, a.call.stub.caller, t.ID}
	i := slices.IndexFunc(m.kinds, func(x metKind) bool { return x.metCall == k })
	if i < 0 {
		if len(m.kinds) == maxMet {
			if a.number == 1 {
				m.more++
			}
			return
		}
		i = len(m.kinds)
		m.kinds = append(m.kinds, metKind{metCall: k, name: t.Name})
	}
	x := &m.kinds[i]
	if a.number == 1 {
		x.calls++
	}
	x.attempts = max(x.attempts, a.number)
	x.identity = x.identity || a.call.identity != uuid.Nil
	x.planned = x.planned || planned
}

// miss says why a plan did not act.
func (f *activeFault) miss() Miss {
	m := Miss{Plan: f.Fault}
	type line struct {
		text  string
		wrong int
	}
	var lines []line
	for _, k := range f.seen.kinds {
		reasons := f.reasons(&k)
		object := k.id.String()[:8]
		if k.name != "" {
			object = strconv.Quote(k.name)
		}
		times := "once"
		if k.calls != 1 {
			times = fmt.Sprintf("%d times", k.calls)
		}
		lines = append(lines, line{fmt.Sprintf("%s(%s).%s by %s, %s: %s", k.namespace, object, k.method, k.caller, times, strings.Join(reasons, ", ")), len(reasons)})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.wrong - b.wrong })
	for _, l := range lines {
		m.Calls = append(m.Calls, l.text)
	}
	if f.seen.more > 0 {
		m.Calls = append(m.Calls, fmt.Sprintf("and %d calls of other kinds", f.seen.more))
	}
	return m
}

// reasons are what kept the plan from acting on a kind of call.
func (f *activeFault) reasons(k *metKind) (reasons []string) {
	for _, c := range []struct{ what, want, got string }{
		{"namespace", f.namespace, k.namespace}, {"method", f.method, k.method}, {"caller", f.caller, k.caller},
	} {
		if c.want != "" && c.want != c.got {
			near := ""
			if source.Suggest(c.want, []string{c.got}) != "" {
				near = " (a typing error?)"
			}
			reasons = append(reasons, "another "+c.what+near)
		}
	}
	if f.object != "" && f.object != k.name && f.object != k.id.String() {
		reasons = append(reasons, "another object")
	}
	switch {
	case reasons != nil:
	case f.attempt > k.attempts:
		reasons = append(reasons, fmt.Sprintf("no attempt %d: %s", f.attempt, attemptsText(k)))
	case f.call > f.calls:
		reasons = append(reasons, fmt.Sprintf("not call %d of those that match", f.call))
	case f.point == PointDuplicated && !k.identity:
		reasons = append(reasons, "it cannot be retried, so nothing is ever sent twice")
	case f.point == PointEvictBefore:
		reasons = append(reasons, "the object was not in memory and idle")
	case f.point == PointWriteFailed:
		reasons = append(reasons, "it wrote nothing, or its storage is memory alone")
	case f.point == PointStorageUnavailable:
		reasons = append(reasons, "its storage is memory alone, or it did not reach the object")
	case f.Crashes():
		reasons = append(reasons, "it did not reach the object, or its host cannot crash")
	case k.planned:
		reasons = append(reasons, "the method did not start, or not end")
	default:
		reasons = append(reasons, "another fault acted first")
	}
	return reasons
}

func attemptsText(k *metKind) string {
	switch {
	case !k.identity:
		return "it cannot be retried"
	case k.attempts == 1:
		return "the first one settled it"
	}
	return fmt.Sprintf("it had %d at most", k.attempts)
}
