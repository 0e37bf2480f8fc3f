package durable

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// The model check: random sequences of calls, faults, evictions, crashes of the
// host and moves of the clock, held against rules that know nothing of how the
// engine works. rapid prints the smallest sequence that fails.

// modelWorld is a world whose host may crash.
type modelWorld struct {
	clock   *sched.Virtual
	host    *Host
	faults  *Faults
	line    *Timeline
	ns      *Namespace
	backend *storage.Backend
	flying  []*Attempt // all attempts; those that have ended ignore what a crash tells them
	calls   []*modelCall
	runs    map[int]int // by the call's number: the truth, noted by the methods
}

type modelCall struct {
	method  string
	retry   RetryOptions
	plain   bool // can be sent again unchanged
	call    *Call
	ended   int
	err     *Error
	noRetry int // how many events the call had when NoRetry came; -1: it did not
	cancel  bool
}

// modelClass has the methods: add; slow, which takes 700 ms; fail, which throws;
// abort, which resets the object. A name that begins with m is marked.
type modelClass struct{ w *modelWorld }

func (c modelClass) Construct(a *Activation) Instance      { return modelInstance{c.w, a} }
func (c modelClass) Marked(_ Instance, method string) bool { return method[0] == 'm' }

type modelInstance struct {
	w *modelWorld
	a *Activation
}

func (modelInstance) Close() {}

func (i modelInstance) Invoke(inv *Invocation) {
	i.w.runs[inv.call.rec.Seq]++
	switch inv.Op.Method {
	case "slow", "mslow":
		loop := i.a.host.Loop
		i.w.clock.AfterFunc(700*time.Millisecond, sched.Needed, "slow", func() {
			loop.Post(func() { inv.Finish(Result{Value: []byte("slow")}, nil) })
		})
	case "fail":
		inv.Finish(Result{}, &Error{Name: "Error", Message: "thrown", Retryable: true})
	case "abort":
		i.a.Break(&Error{Name: "Error", Message: "aborted", Reset: true})
	default:
		inv.Finish(Result{Value: []byte("ok")}, nil)
	}
}

// Send and Cancel make the world the transport: it notes what is under way.
func (w *modelWorld) Send(a *Attempt) {
	w.flying = append(w.flying, a)
	(&Local{Faults: w.faults, Route: func(Target) *Host { return w.host }}).Send(a)
}

func (w *modelWorld) Cancel(*Attempt) {}

func (w *modelWorld) start(incarnation uint64) {
	w.host = &Host{Namespace: "N", Loop: w.clock.NewLoop("host"), Scheduler: w.clock, Class: modelClass{w},
		Storage: w.backend, Incarnation: incarnation, session: incarnation << 32}
}

// crash ends the host with all it knew; every connection to it breaks.
func (w *modelWorld) crash() {
	w.host.Loop.Close()
	w.start(w.host.Incarnation + 1)
	flying := w.flying
	w.flying = nil
	for _, a := range flying {
		a.Done(Reply{Delivery: Uncertain, Err: &Error{Name: "Error", Message: "the host crashed", Retryable: true}})
	}
}

// modelFaults are what scripts draw from: the kinds that leave delivery uncertain
// more often, since that is where the rules are.
var modelFaults = []Fault{
	RefuseRequest(), DropRequest(), DropReply(), DropConnection(), RefuseRequest(), DropRequest(), DropReply(), DropConnection(),
	DelayRequest(300 * time.Millisecond), DelayReply(300 * time.Millisecond), Overload(), EvictBefore(), Duplicate(),
	AbortBefore(), AbortDuring(), AbortAfter(), RefuseRequest().Probability(0.5), DropReply().For(time.Second), DropReply().Call(2),
}

// script draws a sequence of steps and takes them; each has a name, for people.
func (w *modelWorld) script(t *rapid.T) (names []string) {
	var stubs [2]*Stub
	for i := range stubs {
		stubs[i] = w.ns.Get(w.ns.IDs.FromName("a"), "a", DefaultRetry(), "test")
	}
	methods := rapid.SampledFrom([]string{"add", "madd", "add", "madd", "slow", "mslow", "fail", "abort"})
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		name := ""
		switch rapid.SampledFrom([]string{"call", "call", "call", "fault", "fault", "clock", "clock", "evict", "crash", "pipeline", "cancel"}).Draw(t, "step") {
		case "call":
			c := &modelCall{method: methods.Draw(t, "method"), plain: rapid.IntRange(0, 9).Draw(t, "stream") > 0, noRetry: -1}
			c.retry = retry(float64(rapid.IntRange(0, 5).Draw(t, "maxRetries")), float64(rapid.SampledFrom([]int{500, 1000, 10000}).Draw(t, "timeoutMs")))
			s := w.ns.Get(w.ns.IDs.FromName("a"), "a", c.retry, "test")
			kept := rapid.IntRange(-1, 1).Draw(t, "stub")
			if kept >= 0 {
				s = stubs[kept]
				c.retry = DefaultRetry()
			}
			w.calls = append(w.calls, c)
			c.call = s.Call(Op{Kind: RPC, Method: c.method, Replayable: c.plain}, func(_ Result, err *Error) { c.ended++; c.err = err })
			name = fmt.Sprintf("call %s, %d retries in %v, stub %d, replayable %v", c.method, c.retry.maxRetries, c.retry.timeout, kept, c.plain)
		case "fault":
			f := rapid.SampledFrom(modelFaults).Draw(t, "point").Times(rapid.IntRange(1, 4).Draw(t, "times"))
			if n := rapid.IntRange(0, 3).Draw(t, "attempt"); n > 0 {
				f = f.Attempt(n)
			}
			if rapid.Bool().Draw(t, "one method") {
				f = f.Method(methods.Draw(t, "method"))
			}
			if f.check() != nil {
				continue // a plan that is refused
			}
			if err := w.faults.Add(f); err != nil {
				t.Fatal(err)
			}
			name = "fault: " + f.String()
		case "clock":
			d := time.Duration(rapid.SampledFrom([]int{0, 0, 100, 400, 700, 1000, 12000}).Draw(t, "ms")) * time.Millisecond
			if err := w.clock.Advance(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			name = "clock: " + d.String()
		case "evict":
			name = fmt.Sprintf("evict: %v", w.host.Evict(w.ns.IDs.FromName("a")))
		case "crash":
			w.crash()
			name = "the host crashes"
		default:
			if len(w.calls) == 0 {
				continue
			}
			i := rapid.IntRange(0, len(w.calls)-1).Draw(t, "which")
			c := w.calls[i]
			if rapid.Bool().Draw(t, "cancel") {
				c.cancel = c.cancel || c.ended == 0
				c.call.Cancel(&Error{Name: "AbortError", Message: "cancelled"})
				name = fmt.Sprintf("cancel call %d", i+1)
			} else {
				if c.noRetry < 0 {
					c.noRetry = len(w.line.Calls()[i].Events)
				}
				c.call.NoRetry()
				name = fmt.Sprintf("pipeline on call %d", i+1)
			}
		}
		names = append(names, name)
	}
	return names
}

// expect derives how a call must have ended from what its attempts met with.
func (c *modelCall) expect(r *CallRecord) (Outcome, string) {
	first := "" // the first failure
	deadline := r.Started.Add(c.retry.timeout)
	sent := 0
	for i, e := range r.Events {
		eligible := c.plain && c.retry.maxRetries > 0 && (c.noRetry < 0 || i < c.noRetry)
		next := nextAtCaller(r.Events, i)
		switch e.Kind {
		case EventSent:
			sent++
			switch {
			case sent > 1 && e.At.After(deadline):
				return Pending, "a retry started after the window"
			case sent > 1 && c.noRetry >= 0 && i >= c.noRetry:
				return Pending, "a retry although something was pipelined on the call"
			}
		case EventRejected:
			if first == "" {
				first = "Network connection lost."
			}
			return ClaimRejected, first
		case EventFailed:
			if !e.Err.Retryable || e.Err.Overloaded || e.Delivery == Answered {
				if sent == 1 {
					return Failed, e.Err.Message
				}
				return Other, e.Err.Message
			}
			if first == "" {
				first = e.Err.Message
			}
			switch {
			case !eligible:
				return UnableToRetry, first
			case sent > c.retry.maxRetries:
				return Exhausted, first
			case next.Kind != EventBackoff:
				return BudgetExhausted, first // the timeline does not tell the wait that was too long
			}
		case EventBackoff:
			if e.At.Add(e.Wait).After(deadline) {
				return Pending, "a wait beyond the window"
			}
			if next.Kind == EventEnded {
				if c.cancel {
					return Cancelled, "cancelled"
				}
				return UnableToRetry, first // pipelined on while it waited
			}
			if next.Kind != EventSent || !next.At.Equal(e.At.Add(e.Wait)) {
				return Pending, "the retry did not start when the wait was over"
			}
		case EventEnded:
			switch {
			case c.cancel:
				return Cancelled, "cancelled"
			case sent > 1 && e.At.After(deadline):
				return BudgetExhausted, first + ", at the end of the window"
			case r.Outcome == BudgetExhausted && sent > 1 && e.At.Equal(deadline):
				return BudgetExhausted, first
			case sent == 1:
				return Succeeded, ""
			}
			return Recovered, ""
		}
	}
	return Pending, "the call has not ended"
}

// nextAtCaller returns the next event that is no news from the host, which may
// still run what the caller has given up.
func nextAtCaller(events []Event, i int) Event {
	for _, e := range events[i+1:] {
		switch e.Kind {
		case EventClaimed, EventStarted, EventRan, EventFault, EventDuplicateRejected:
		default:
			return e
		}
	}
	return Event{}
}

func (w *modelWorld) check(i int) error {
	c, r := w.calls[i], w.line.Calls()[i]
	runs := w.runs[i+1]
	outcome, text := c.expect(&r)
	got := ""
	if c.err != nil {
		got = c.err.Message
	}
	ok := r.Outcome == Succeeded || r.Outcome == Recovered
	marked := c.method[0] == 'm'
	switch {
	case c.ended != 1:
		return fmt.Errorf("it ended %d times", c.ended)
	case r.Outcome != outcome || got != text:
		return fmt.Errorf("it ended as %v (%s), want %v (%s)", r.Outcome, got, outcome, text)
	case r.Attempts() > 1+c.retry.maxRetries:
		return fmt.Errorf("it made %d attempts", r.Attempts())
	case !marked && runs > 1:
		return fmt.Errorf("an unmarked method ran %d times", runs)
	case ok && runs == 0:
		return fmt.Errorf("it succeeded without running")
	case runs > r.Attempts()+duplicates(&r):
		return fmt.Errorf("it ran %d times in %d attempts and %d duplicates", runs, r.Attempts(), duplicates(&r))
	case runs > 0 && r.Outcome == Exhausted && !marked && onlyRefused(&r):
		return fmt.Errorf("it ran although every attempt was refused")
	case (r.Identity != uuid.Nil) != (c.plain && c.retry.maxRetries > 0):
		return fmt.Errorf("identity %v", r.Identity)
	}
	return nil
}

// needlessClaim returns the identity of a claim of a call that has ended, whose
// caller has received all replies: no duplicate can arrive.
func (w *modelWorld) needlessClaim() uuid.UUID {
	for _, r := range w.line.Calls() {
		if _, claimed := w.host.claims.until[r.Identity]; !claimed || r.Outcome == Pending || r.Outcome == Cancelled || r.Outcome == BudgetExhausted {
			continue
		}
		lost := false
		for _, e := range r.Events {
			lost = lost || e.Kind == EventFailed && e.Delivery == Uncertain
		}
		if !lost {
			return r.Identity
		}
	}
	return uuid.Nil
}

func duplicates(r *CallRecord) (n int) {
	for _, e := range r.Events {
		if e.Kind == EventFault && e.Point == PointDuplicated {
			n++
		}
	}
	return n
}

func onlyRefused(r *CallRecord) bool {
	for _, e := range r.Events {
		if e.Kind == EventFailed && e.Delivery != NotDelivered {
			return false
		}
	}
	return true
}

func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &modelWorld{clock: sched.NewVirtual(sched.Epoch), faults: &Faults{}, line: NewTimeline(sched.Epoch), backend: storage.NewMemory(), runs: map[int]int{}}
		w.start(1)
		w.ns = &Namespace{Name: "N", IDs: NewIDFactory("n"), Transport: w,
			Engine: &Engine{Scheduler: w.clock, Random: random.Seeded(rapid.Uint64Range(0, 1000).Draw(t, "seed")), Timeline: w.line}}
		steps := w.script(t)
		if id := w.needlessClaim(); id != uuid.Nil {
			t.Fatalf("the claim of %v is left although its reply was received\n  %s\n%s", id, strings.Join(steps, "\n  "), w.line.Text(nil))
		}
		// All windows pass, and the slowest method ends.
		if err := w.clock.Advance(t.Context(), RetryTimeoutMax+time.Second); err != nil {
			t.Fatal(err)
		}
		fail := func(format string, a ...any) {
			t.Fatalf("%s\n  %s\n%s", fmt.Sprintf(format, a...), strings.Join(steps, "\n  "), w.line.Text(nil))
		}
		for i := range w.calls {
			if err := w.check(i); err != nil {
				fail("call %d (%s): %v", i+1, w.calls[i].method, err)
			}
		}
		for id, until := range w.host.claims.until {
			if !w.clock.Now().After(until) {
				fail("a claim of %v is left, until %v", id, until)
			}
		}
		if n := w.host.Active(); n != 0 {
			fail("%d objects are in memory long after the last call", n)
		}
	})
}
