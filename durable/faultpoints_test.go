package durable

import (
	"testing"
	"time"

	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

// What each fault point leads to, for an unmarked and a marked method. The rows
// are the announcement's: an error of a broken connection is retried, delivery
// that is uncertain runs again only if the object never saw the request or the
// method is marked, the caller gets the first error, and what was answered or
// overloaded is not retried.
func TestFaultPointRows(t *testing.T) {
	const (
		lost   = "Network connection lost."
		abort  = "Application called abort() to reset Durable Object."
		tooHot = "Durable Object is overloaded. Too many requests queued."
	)
	type want struct {
		attempts, runs int
		outcome        Outcome
		err            string
	}
	same := func(w want) [2]want { return [2]want{w, w} }
	for _, c := range []struct {
		row   string
		fault Fault
		want  [2]want // unmarked, marked
	}{
		{"never reached the object: a fresh attempt runs", RefuseRequest(), same(want{2, 1, Recovered, ""})},
		{"uncertain, the object never saw the first: runs it", DropRequest(), same(want{2, 1, Recovered, ""})},
		{"uncertain, it saw it, started: rejects the duplicate with the original error; marked: runs it again", DropConnection(),
			[2]want{{2, 1, ClaimRejected, lost}, {2, 2, Recovered, ""}}},
		{"uncertain, it saw it, finished: rejects the duplicate with the original error; marked: runs it again", DropReply(),
			[2]want{{2, 1, ClaimRejected, lost}, {2, 2, Recovered, ""}}},
		{"late request: the first attempt is never cancelled", DelayRequest(time.Minute), same(want{1, 1, Succeeded, ""})},
		{"late reply: the first attempt may outlast the window", DelayReply(time.Minute), same(want{1, 1, Succeeded, ""})},
		{"late retry: cancelled when the window ends", DelayRequest(time.Minute).Attempt(2), same(want{2, 0, BudgetExhausted, lost})},
		{"late reply to a retry: cancelled when the window ends", DelayReply(time.Minute).Attempt(2), same(want{2, 1, BudgetExhausted, lost})},
		{"overloaded: not retried", Overload(), same(want{1, 0, Failed, tooHot})},
		{"a later attempt fails with a non-retryable error: that error", Overload().Attempt(2), same(want{2, 0, Other, tooHot})},
		{"reached the object and failed there, before it ran: no retry", AbortBefore(), same(want{1, 0, Failed, abort})},
		{"reached the object and failed there, running: no retry", AbortDuring(), same(want{1, 1, Failed, abort})},
		{"reached the object and failed there, finished: no retry", AbortAfter(), same(want{1, 1, Failed, abort})},
		{"an object evicted: the next instance runs it", EvictBefore(), same(want{1, 1, Succeeded, ""})},
		{"a duplicate: rejected; marked: runs it again", Duplicate(), [2]want{{1, 1, Succeeded, ""}, {1, 2, Succeeded, ""}}},
	} {
		for i, mark := range []string{"unmarked", "marked"} {
			t.Run(c.row+"/"+mark, func(t *testing.T) {
				w := newWorld(t)
				w.class.marked["add"] = i == 1
				w.call(w.stub(DefaultRetry()), rpc("warm")) // an object in memory can be evicted
				w.plan(c.fault.Method("add"))
				if c.fault.attempt == 2 {
					w.plan(RefuseRequest().Method("add").Attempt(1))
				}
				r := w.call(w.stub(DefaultRetry()), rpc("add"))
				got := want{r.Attempts(), w.class.runs["add"], r.Outcome, ""}
				if r.Err != nil {
					got.err = r.Err.Message
				}
				if got != c.want[i] || r.Runs() != got.runs {
					t.Errorf("got %+v, want %+v; the timeline counts %d runs\n%s", got, c.want[i], r.Runs(), w.line.Text(nil))
				}
				if u := w.faults.Unused(); u != nil {
					t.Errorf("never acted: %v", u)
				}
			})
		}
	}
}

// The method goes on when its connection breaks: it ends a second later, while
// the caller is told at once.
func TestDroppedConnectionLeavesTheMethodRunning(t *testing.T) {
	w := newWorld(t)
	w.plan(DropConnection())
	r := w.call(w.stub(retry(0, 10000)), rpc("slow"))
	if r.Ended() != r.Started || r.Err == nil {
		t.Errorf("the caller waited, or got no error\n%s", w.line.Text(nil))
	}
	if err := w.clock.Advance(t.Context(), 2*time.Second); err != nil {
		t.Fatal(err)
	}
	r = w.line.Calls()[0]
	if last := r.Events[len(r.Events)-1]; last.Kind != EventRan || last.Err != nil || last.At.Sub(r.Started) != time.Second {
		t.Errorf("the method did not go on to its end\n%s", w.line.Text(nil))
	}
}

// What was written before the method finished is durable when the object is
// reset after it; what is not confirmed when the reset comes is lost.
func TestResetAndWrites(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		kept  bool
	}{{AbortDuring(), false}, {AbortAfter(), true}} {
		w, class := newScripted(t)
		class.invoke = func(a *Activation, inv *Invocation) {
			s, err := a.Store()
			must(t, err)
			if inv.Op.Method == "write" {
				must(t, s.Put("k", []byte("v")))
				a.Wrote(false)
				inv.Finish(Result{}, nil)
				return
			}
			v, _, err := s.Get("k")
			must(t, err)
			inv.Finish(Result{Value: v}, nil)
		}
		w.plan(c.fault.Method("write"))
		if r := w.call(w.stub(DefaultRetry()), rpc("write")); r.Err == nil || !r.Err.Reset {
			t.Fatalf("%v: %v\n%s", c.fault, r.Err, w.line.Text(nil))
		}
		var got string
		w.stub(DefaultRetry()).Call(rpc("read"), func(res Result, err *Error) { got = string(res.Value) })
		must(t, w.clock.Settle(t.Context()))
		if kept := got == "v"; kept != c.kept {
			t.Errorf("%v: the write is kept: %v, want %v", c.fault, kept, c.kept)
		}
	}
}

// A reset fails every call in the object, and the stubs that were connected.
func TestAbortFailsTheOthers(t *testing.T) {
	for _, f := range []Fault{AbortBefore(), AbortDuring(), AbortAfter()} {
		w := newWorld(t)
		s := w.stub(DefaultRetry())
		w.call(s, rpc("warm"))
		slow := w.begin(s, rpc("slow"))
		w.plan(f.Method("add"))
		w.call(w.stub(DefaultRetry()), rpc("add"))
		const want = "Application called abort() to reset Durable Object. [durableObjectReset]"
		if slow() != want {
			t.Errorf("%v: the call beside it: %s", f, slow())
		}
		if r := w.call(s, rpc("warm")); r.Err == nil || r.Err.Message != aborted().Message {
			t.Errorf("%v: the stub is not broken: %v", f, r.Err)
		}
		if r := w.call(w.stub(DefaultRetry()), rpc("warm")); r.Err != nil {
			t.Errorf("%v: a fresh stub: %v", f, r.Err)
		}
	}
}

// Points that wait for something at the object stay in force until it comes.
func TestPlansThatWait(t *testing.T) {
	w := newWorld(t)
	w.plan(EvictBefore())
	w.call(w.stub(DefaultRetry()), rpc("add"))
	if u := w.faults.Unused(); len(u) != 1 {
		t.Errorf("an object that is not in memory was evicted\n%s", w.line.Text(nil))
	}
	if r := w.call(w.stub(DefaultRetry()), rpc("add")); r.Faults() != 1 || w.faults.Clear() != nil {
		t.Errorf("the object was not evicted\n%s", w.line.Text(nil))
	}
	// The second attempt is rejected as a duplicate: its method never starts.
	w.plan(DropReply(), DropConnection().Attempt(2))
	w.call(w.stub(DefaultRetry()), rpc("add"))
	if u := w.faults.Clear(); len(u) != 1 || u[0].Point() != PointConnectionDropped {
		t.Errorf("unused: %v\n%s", u, w.line.Text(nil))
	}
	// A call that cannot be retried has no identity and is never sent twice.
	w.plan(Duplicate())
	w.call(w.stub(retry(0, 10000)), rpc("add"))
	if u := w.faults.Clear(); len(u) != 1 {
		t.Errorf("a call without an identity was duplicated\n%s", w.line.Text(nil))
	}
}

func TestNthCall(t *testing.T) {
	w := newWorld(t)
	w.plan(RefuseRequest().Method("add").Call(2).Times(2))
	var attempts []int
	for _, m := range []string{"add", "other", "add", "add"} {
		r := w.call(w.stub(DefaultRetry()), rpc(m))
		attempts = append(attempts, r.Attempts())
	}
	// Both hits are on the second call of add, whose attempts count as one call.
	if want := [4]int{1, 1, 3, 1}; [4]int(attempts) != want {
		t.Errorf("attempts %v, want %v", attempts, want)
	}
}

// An outage of three seconds begins with the first attempt that it stops.
func TestOutage(t *testing.T) {
	w := newWorld(t)
	w.ns.Engine.Backoff = fixedBackoff(time.Second)
	w.plan(RefuseRequest().For(3 * time.Second))
	must(t, w.clock.Advance(t.Context(), time.Minute))
	if r := w.call(w.stub(DefaultRetry()), rpc("add")); r.Faults() != 3 || r.Outcome != Recovered || r.Ended().Sub(r.Started) != 3*time.Second {
		t.Errorf("%v\n%s", r.Outcome, w.line.Text(nil))
	}
	w.faults.Clear()
	w.plan(RefuseRequest().For(3 * time.Second).Times(1))
	if r := w.call(w.stub(DefaultRetry()), rpc("add")); r.Faults() != 1 {
		t.Errorf("Times does not limit an outage\n%s", w.line.Text(nil))
	}
}

func TestProbability(t *testing.T) {
	count := func(seed uint64, p float64) (n int) {
		w := newWorld(t)
		w.ns.Engine.Random = random.Seeded(seed)
		w.plan(RefuseRequest().Always().Probability(p))
		for range 400 {
			r := w.call(w.stub(retry(0, 10000)), rpc("add"))
			n += r.Faults()
		}
		return n
	}
	// 400 draws at 0.25: mean 100, standard deviation 8.7.
	a, again, other := count(1, 0.25), count(1, 0.25), count(2, 0.25)
	if a != again || a < 65 || a > 135 || other < 65 || other > 135 {
		t.Errorf("%d, %d and %d hits of 400 at 0.25", a, again, other)
	}
	if n := count(1, 1); n != 400 {
		t.Errorf("%d hits of 400 at 1", n)
	}
	w := newWorld(t)
	w.plan(RefuseRequest().Probability(1e-12), DropReply().Probability(1e-12).Method("never called"))
	w.call(w.stub(DefaultRetry()), rpc("add"))
	if u := w.faults.Unused(); len(u) != 1 || u[0].Point() != PointReplyDropped {
		t.Errorf("unused: %v; want the one that met no attempt", u)
	}
}

// Delays add up, and go with one other fault.
func TestDelaysCombine(t *testing.T) {
	w := newWorld(t)
	w.ns.Engine.Backoff = fixedBackoff(0)
	w.plan(DelayRequest(100*time.Millisecond), DelayReply(30*time.Millisecond), DelayRequest(20*time.Millisecond), DropReply(), RefuseRequest())
	r := w.call(w.stub(DefaultRetry()), rpc("add"))
	// Attempt 1: 120 ms on the way, its reply lost (the delay of it too); attempt
	// 2 is refused, 3 rejected.
	if r.Attempts() != 3 || r.Outcome != ClaimRejected || r.Ended().Sub(r.Started) != 120*time.Millisecond {
		t.Errorf("%d attempts, %v\n%s", r.Attempts(), r.Outcome, w.line.Text(nil))
	}
}

// A delay of the request is on the way there: the object starts late.
func TestDelayIsOnTheWay(t *testing.T) {
	for _, c := range []struct {
		fault          Fault
		started, ended time.Duration
	}{{DelayRequest(time.Second), time.Second, time.Second}, {DelayReply(time.Second), 0, time.Second}} {
		w := newWorld(t)
		w.plan(c.fault)
		r := w.call(w.stub(DefaultRetry()), rpc("add"))
		for _, e := range r.Events {
			if e.Kind == EventStarted && e.At.Sub(sched.Epoch) != c.started || e.Kind == EventEnded && e.At.Sub(sched.Epoch) != c.ended {
				t.Errorf("%v: %v at %v", c.fault, e.Kind, e.At.Sub(sched.Epoch))
			}
		}
	}
}

// A request that is on its way when its call ends does not arrive any more.
func TestDelayedRequestOfACallThatEnded(t *testing.T) {
	w := newWorld(t)
	w.plan(DelayRequest(time.Minute).Attempt(2), RefuseRequest().Attempt(1))
	w.call(w.stub(DefaultRetry()), rpc("add"))
	must(t, w.clock.Advance(t.Context(), 2*time.Minute))
	if n := w.class.runs["add"]; n != 0 {
		t.Errorf("it ran %d times\n%s", n, w.line.Text(nil))
	}
}

// A late reply to an attempt that has failed meanwhile is not received: the claim
// stays, and keeps the retry from running again.
func TestLateReplyKeepsTheClaim(t *testing.T) {
	w := newWorld(t)
	w.ns.Engine.Backoff = fixedBackoff(time.Second)
	local := w.ns.Transport
	var first *Attempt
	w.ns.Transport = transportFunc(func(a *Attempt) {
		if first == nil {
			first = a
		}
		local.Send(a)
	})
	w.plan(DelayReply(100 * time.Millisecond))
	end := w.begin(w.stub(DefaultRetry()), rpc("add"))
	must(t, w.clock.Advance(t.Context(), 50*time.Millisecond))
	first.Done(Reply{Delivery: Uncertain, Err: ConnectionLost()}) // the connection breaks
	must(t, w.clock.Advance(t.Context(), 10*time.Second))
	if r := w.line.Calls()[0]; r.Outcome != ClaimRejected || w.class.runs["add"] != 1 || end() != "Network connection lost. [retryable]" {
		t.Errorf("%s\n%s", end(), w.line.Text(nil))
	}
}

// An error that is both retryable and overloaded is not retried: "the error has
// retryable true, not overloaded" (announcement).
func TestOverloadedWinsOverRetryable(t *testing.T) {
	w := newWorld(t)
	err := &Error{Name: "Error", Message: "busy", Retryable: true, Overloaded: true}
	w.ns.Transport = transportFunc(func(a *Attempt) { a.Done(Reply{Delivery: NotDelivered, Err: err}) })
	if r := w.call(w.stub(DefaultRetry()), rpc("add")); r.Attempts() != 1 || r.Outcome != Failed {
		t.Errorf("%d attempts, %v", r.Attempts(), r.Outcome)
	}
}

// A call through the local transport to an object in plain Go, without a fault.
func BenchmarkDelivery(b *testing.B) {
	w := newWorld(&testing.T{})
	w.ns.Engine.Timeline = nil
	s := w.stub(DefaultRetry())
	for range b.N {
		s.Call(rpc("add"), func(Result, *Error) {})
		if err := w.clock.Settle(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
}
