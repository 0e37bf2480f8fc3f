package durable

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
	"github.com/google/uuid"
)

// The model check: random sequences of calls, faults, evictions, crashes of the
// host and moves of the clock, held against rules that know nothing of how the
// engine works:
//
//   - an unmarked method never runs twice for one call;
//   - a write that was confirmed is never lost;
//   - every call ends once and as the rules say: outcome, error, number of
//     attempts, nothing started after its window;
//   - claims, objects and outages do not stay for ever.
//
// A sequence that fails is made shorter before it is printed.

var modelSeed = flag.Uint64("model.seed", 0, "check this sequence only")

// modelSequences is how many sequences a whole run checks.
const modelSequences = 100_000

func TestModel(t *testing.T) {
	n := uint64(modelSequences)
	if testing.Short() {
		n /= 20
	}
	first, last := uint64(1), n
	if *modelSeed != 0 {
		first, last = *modelSeed, *modelSeed
	}
	var next atomic.Uint64
	next.Store(first - 1)
	var mu sync.Mutex
	failed := uint64(0)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for seed := next.Add(1); seed <= last; seed = next.Add(1) {
				if runModel(seed, modelSteps(seed), nil) != nil {
					mu.Lock()
					if failed == 0 || seed < failed {
						failed = seed
					}
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	if failed == 0 {
		return
	}
	steps := shrinkModel(failed, modelSteps(failed))
	var line *Timeline
	err := runModel(failed, steps, &line)
	var text strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&text, "  %v\n", s)
	}
	t.Errorf("sequence %d: %v\n%s%s(go test ./durable -run TestModel -model.seed=%d)", failed, err, text.String(), line.Text(nil), failed)
}

// modelStep is one step of a sequence; what its numbers mean depends on it.
type modelStep struct {
	kind string
	n    [8]int
}

var (
	modelKinds   = []string{"call", "call", "call", "call", "fault", "fault", "clock", "clock", "clock", "evict", "crash", "pipeline", "cancel"}
	modelMethods = []string{"add", "madd", "add", "madd", "sync", "msync", "slow", "mslow", "fail", "abort", "lazy"}
	modelWaits   = []time.Duration{0, 0, 0, 100, 400, 700, 1000, 12000}
	modelWindows = []float64{500, 1000, 10000}
	modelNames   = []string{"a", "b"}
)

// modelFaults are what sequences draw from: the kinds that leave delivery
// uncertain more often, since that is where the rules are.
var modelFaults = []Fault{
	RefuseRequest(), DropRequest(), DropReply(), DropConnection(), CrashBefore(), CrashDuring(), CrashAfter(),
	RefuseRequest(), DropRequest(), DropReply(), DropConnection(), CrashDuring(), CrashAfter(),
	DelayRequest(300 * time.Millisecond), DelayReply(300 * time.Millisecond), Overload(), EvictBefore(), Duplicate(), Duplicate(),
	AbortBefore(), AbortDuring(), AbortAfter(), FailWrite(), StorageUnavailable(400 * time.Millisecond), StorageUnavailable(35 * time.Second),
	RefuseRequest().Probability(0.5), DropReply().For(time.Second), DropReply().Call(2),
}

func modelSteps(seed uint64) (steps []modelStep) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range 1 + r.IntN(12) {
		s := modelStep{kind: modelKinds[r.IntN(len(modelKinds))]}
		for i := range s.n {
			s.n[i] = r.IntN(1 << 16)
		}
		steps = append(steps, s)
	}
	return steps
}

func pick[T any](list []T, n int) T { return list[n%len(list)] }

func (s modelStep) method() string { return pick(modelMethods, s.n[0]) }
func (s modelStep) object() string { return pick(modelNames, s.n[1]) }
func (s modelStep) kept() int      { return s.n[2]%3 - 1 } // a stub that is used again, or -1
func (s modelStep) plain() bool    { return s.n[3]%10 > 0 }
func (s modelStep) wait() time.Duration {
	return pick(modelWaits, s.n[0]) * time.Millisecond
}

func (s modelStep) retry() RetryOptions {
	if s.kept() >= 0 {
		return DefaultRetry()
	}
	return retry(float64(s.n[4]%6), pick(modelWindows, s.n[5]))
}

func (s modelStep) fault() Fault {
	f := pick(modelFaults, s.n[0]).Times(1 + s.n[1]%4)
	if n := s.n[2] % 4; n > 0 {
		f = f.Attempt(n)
	}
	if s.n[3]%2 == 0 {
		f = f.Method(pick(modelMethods, s.n[4]))
	}
	return f
}

func (s modelStep) String() string {
	switch s.kind {
	case "call":
		return fmt.Sprintf("call %s of %s, %d retries in %v, kept stub %d, replayable %v", s.method(), s.object(), s.retry().maxRetries, s.retry().timeout, s.kept(), s.plain())
	case "fault":
		return "fault: " + s.fault().String()
	case "clock":
		return "clock: " + s.wait().String()
	case "evict":
		return "evict " + s.object()
	case "pipeline", "cancel":
		return fmt.Sprintf("%s a call (%d)", s.kind, s.n[0])
	}
	return s.kind
}

// shrinkModel leaves out what a failing sequence does not need to fail.
func shrinkModel(seed uint64, steps []modelStep) []modelStep {
	fails := func(s []modelStep) bool { return runModel(seed, s, nil) != nil }
	for again := true; again; {
		again = false
		for i := len(steps) - 1; i >= 0; i-- {
			if fewer := slices.Delete(slices.Clone(steps), i, i+1); fails(fewer) {
				steps, again = fewer, true
			}
		}
		for i := range steps {
			for j := range steps[i].n {
				if steps[i].n[j] == 0 {
					continue
				}
				simpler := slices.Clone(steps)
				simpler[i].n[j] = 0
				if fails(simpler) {
					steps, again = simpler, true
				}
			}
		}
	}
	return steps
}

// modelWorld is a world whose host may crash.
type modelWorld struct {
	clock   *sched.Virtual
	host    *Host
	faults  *Faults
	line    *Timeline
	ns      *Namespace
	backend *storage.Backend
	calls   []*modelCall
	runs    map[int]int // by the call's number: the truth, noted by the methods
	ids     [2]ObjectID
}

type modelCall struct {
	method  string
	object  int
	retry   RetryOptions
	plain   bool // can be sent again unchanged
	call    *Call
	ended   int
	err     *Error
	noRetry int // how many events the call had when NoRetry came; -1: it did not
	cancel  bool
}

// modelClass has the methods: add, which writes and is answered when that is
// durable; sync, which writes unconfirmed and waits for that; lazy, which does not
// wait; slow, which takes 700 ms; fail, which throws; abort, which resets the
// object. A name that begins with m is marked.
type modelClass struct{ w *modelWorld }

func (c modelClass) Construct(a *Activation) Instance      { return &modelInstance{w: c.w, a: a} }
func (c modelClass) Marked(_ Instance, method string) bool { return method[0] == 'm' }

type modelInstance struct {
	w      *modelWorld
	a      *Activation
	closed bool
}

func (i *modelInstance) Close() { i.closed = true }

// key is where the runs of a call write.
func modelKey(seq int) string { return fmt.Sprint("call ", seq) }

func (i *modelInstance) Invoke(inv *Invocation) {
	seq := inv.call.rec.Seq
	i.w.runs[seq]++
	write := func(unconfirmed bool) bool {
		s, err := i.a.Store()
		if err == nil {
			err = s.Put(modelKey(seq), []byte("v"))
		}
		if err != nil {
			i.a.StorageFailed(err)
			return false
		}
		i.a.Wrote(unconfirmed)
		return true
	}
	switch inv.Op.Method {
	case "slow", "mslow":
		loop := i.a.host.Loop
		i.w.clock.AfterFunc(700*time.Millisecond, sched.Needed, "slow", func() {
			loop.Post(func() {
				if !i.closed && write(false) {
					inv.Finish(Result{Value: []byte("slow")}, nil)
				}
			})
		})
	case "fail":
		inv.Finish(Result{}, &Error{Name: "Error", Message: "thrown", Retryable: true})
	case "abort":
		write(false)
		i.a.Break(&Error{Name: "Error", Message: "aborted", Reset: true})
	case "lazy":
		write(true)
		inv.Finish(Result{}, nil)
	case "sync", "msync":
		write(true)
		i.a.Synced(func() { inv.Finish(Result{}, nil) })
	default:
		write(false)
		inv.Finish(Result{}, nil)
	}
}

// confirms reports whether an answer of the method says that its write is durable.
func modelConfirms(method string) bool {
	return method != "lazy" && method != "fail" && method != "abort"
}

// start puts a host of the next incarnation into place.
func (w *modelWorld) start() {
	before := w.host
	w.host = &Host{Namespace: "N", Loop: w.clock.NewLoop("host"), Scheduler: w.clock, Class: modelClass{w},
		Storage: w.backend, Incarnation: 1, Restart: w.start}
	if before != nil {
		w.host.Incarnation = before.Incarnation + 1
		w.host.Succeed(before)
		before.Loop.Close()
	}
}

// runModel runs a sequence in a fresh world and returns what is wrong with its
// outcome. line receives its timeline.
func runModel(seed uint64, steps []modelStep, line **Timeline) (err error) {
	w := &modelWorld{clock: sched.NewVirtual(sched.Epoch), faults: &Faults{}, line: NewTimeline(sched.Epoch), backend: storage.NewMemory(), runs: map[int]int{}}
	defer func() { err = errors.Join(err, w.backend.Close()) }()
	if line != nil {
		*line = w.line
	}
	w.start()
	w.ns = &Namespace{Name: "N", IDs: modelIDs, Transport: &Local{Faults: w.faults, Route: func(Target) *Host { return w.host }},
		Engine: &Engine{Scheduler: w.clock, Random: random.Seeded(seed), Timeline: w.line}}
	for i, name := range modelNames {
		w.ids[i] = w.ns.IDs.FromName(name)
	}
	if err := w.take(steps); err != nil {
		return err
	}
	// All windows and outages pass, and the slowest method ends.
	if err := w.clock.Advance(modelContext, RetryTimeoutMax+StorageTimeout+10*time.Second); err != nil {
		return err
	}
	records := w.line.Calls()
	if id := w.needlessClaim(records); id != uuid.Nil {
		return fmt.Errorf("the claim of %v is left although its reply was received", id)
	}
	for i := range w.calls {
		if err := w.check(i, &records[i]); err != nil {
			return fmt.Errorf("call %d (%s): %w", i+1, w.calls[i].method, err)
		}
	}
	for id, until := range w.host.claims.until {
		if !w.clock.Now().After(until) {
			return fmt.Errorf("a claim of %v is left, until %v", id, until)
		}
	}
	if n := w.host.Active(); n != 0 {
		return fmt.Errorf("%d objects are in memory long after the last call", n)
	}
	return nil
}

var (
	modelIDs     = NewIDFactory("n")
	modelContext = context.Background()
)

// take takes the steps.
func (w *modelWorld) take(steps []modelStep) error {
	var stubs [2]*Stub
	for i, name := range modelNames {
		stubs[i] = w.ns.Get(w.ids[i], name, DefaultRetry(), "test")
	}
	for _, s := range steps {
		object := slices.Index(modelNames, s.object())
		switch s.kind {
		case "call":
			c := &modelCall{method: s.method(), object: object, plain: s.plain(), noRetry: -1, retry: s.retry()}
			stub := w.ns.Get(w.ids[object], s.object(), c.retry, "test")
			if kept := s.kept(); kept >= 0 {
				stub, c.object = stubs[kept], kept
			}
			w.calls = append(w.calls, c)
			c.call = stub.Call(Op{Kind: RPC, Method: c.method, Replayable: c.plain}, func(_ Result, err *Error) { c.ended++; c.err = err })
		case "fault":
			if f := s.fault(); f.Check() == nil {
				if err := w.faults.Add(f); err != nil {
					return err
				}
			}
		case "clock":
			if err := w.clock.Advance(modelContext, s.wait()); err != nil {
				return err
			}
		case "evict":
			w.host.Loop.Post(func() { w.host.Evict(w.ids[object]) })
		case "crash":
			w.host.Loop.Post(w.host.Crash)
		default:
			if len(w.calls) == 0 {
				continue
			}
			c := w.calls[s.n[0]%len(w.calls)]
			if s.kind == "cancel" {
				c.cancel = c.cancel || c.ended == 0
				c.call.Cancel(&Error{Name: "AbortError", Message: "cancelled"})
				continue
			}
			if c.noRetry < 0 {
				c.noRetry = len(w.line.Calls()[s.n[0]%len(w.calls)].Events)
			}
			c.call.NoRetry()
		}
	}
	return nil
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

func (w *modelWorld) check(i int, r *CallRecord) error {
	c := w.calls[i]
	runs := w.runs[i+1]
	outcome, text := c.expect(r)
	got := ""
	if c.err != nil {
		got, _, _ = strings.Cut(c.err.Message, "; reference = ")
		text, _, _ = strings.Cut(text, "; reference = ")
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
	case runs > r.Attempts()+duplicates(r):
		return fmt.Errorf("it ran %d times in %d attempts and %d duplicates", runs, r.Attempts(), duplicates(r))
	case runs > 0 && r.Outcome == Exhausted && !marked && onlyRefused(r):
		return fmt.Errorf("it ran although every attempt was refused")
	case (r.Identity != uuid.Nil) != (c.plain && c.retry.maxRetries > 0):
		return fmt.Errorf("identity %v", r.Identity)
	}
	if ok && modelConfirms(c.method) {
		s, err := w.backend.Open(w.ids[c.object].String())
		if err != nil {
			return err
		}
		if _, found, err := s.Get(modelKey(i + 1)); err != nil || !found {
			return fmt.Errorf("a confirmed write is lost (%v)", err)
		}
	}
	return nil
}

// needlessClaim returns the identity of a claim of a call that has ended, whose
// caller has received all replies: no duplicate can arrive.
func (w *modelWorld) needlessClaim(records []CallRecord) uuid.UUID {
	for _, r := range records {
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
