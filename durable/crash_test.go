package durable

import (
	"testing"
	"time"
)

// restarts lets the host of the world crash: another one takes its place.
func (w *world) restarts() {
	var restart func()
	restart = func() {
		old := w.host
		next := &Host{Namespace: old.Namespace, IDs: old.IDs, Loop: w.clock.NewLoop("host"), Scheduler: w.clock, Class: old.Class,
			Storage: old.Storage, Mode: old.Mode, Incarnation: old.Incarnation + 1, Restart: restart}
		next.Succeed(old)
		w.host = next
		if w.class != nil {
			w.class.loop = next.Loop
		}
		old.Loop.Close()
	}
	w.host.Restart = restart
}

// What a crash leads to, by the point and the mark (announcement: a host that
// cannot know whether it saw the request rejects the retry of an unmarked method).
func TestCrashRows(t *testing.T) {
	type want struct {
		attempts, runs int
		outcome        Outcome
	}
	for _, c := range []struct {
		fault            Fault
		unmarked, marked want
	}{
		{CrashBefore(), want{2, 0, ClaimRejected}, want{2, 1, Recovered}},
		{CrashDuring(), want{2, 1, ClaimRejected}, want{2, 2, Recovered}},
		{CrashAfter(), want{2, 1, ClaimRejected}, want{2, 2, Recovered}},
		{CrashAfter().Times(2), want{2, 1, ClaimRejected}, want{3, 3, Recovered}},
	} {
		for _, marked := range []bool{false, true} {
			expect, names := c.unmarked, []string(nil)
			if marked {
				expect, names = c.marked, []string{"add"}
			}
			w := newWorld(t, names...)
			w.restarts()
			w.plan(c.fault)
			r := w.call(w.stub(DefaultRetry()), rpc("add"))
			if got := (want{r.Attempts(), w.class.runs["add"], r.Outcome}); got != expect {
				t.Errorf("%v, marked %v: %+v, want %+v\n%s", c.fault, marked, got, expect, w.line.Text(nil))
			}
			if r.Err != nil && (r.Err.Message != "Network connection lost." || !r.Err.Retryable || r.Err.Reset || r.Err.Remote) {
				t.Errorf("%v: %+v", c.fault, r.Err)
			}
		}
	}
}

// Every object of the host loses its memory and its calls in flight, every
// attempt under way breaks; stubs go on working.
func TestCrashTakesTheHostAlong(t *testing.T) {
	w := newWorld(t, "slow")
	w.restarts()
	w.ns.Engine.Backoff = fixedBackoff(100 * time.Millisecond)
	s := w.ns.Get(w.ns.IDs.FromName("b"), "b", DefaultRetry(), "test")
	w.call(s, rpc("add"))
	beside := w.begin(s, rpc("slow"))
	once := w.begin(w.stub(retry(0, 10000)), rpc("slow"))
	must(t, w.clock.Settle(t.Context()))
	w.plan(CrashDuring().Method("add"), RefuseRequest().Method("refused"))
	w.begin(w.stub(DefaultRetry()), rpc("add"))
	refused := w.begin(w.stub(retry(0, 10000)), rpc("refused")) // on its way back when the host crashes
	must(t, w.clock.Settle(t.Context()))
	const lost = "Network connection lost. [retryable]"
	if beside() != "pending" || once() != lost || refused() != lost {
		t.Errorf("beside: %s, once: %s, refused: %s\n%s", beside(), once(), refused(), w.line.Text(nil))
	}
	must(t, w.clock.Advance(t.Context(), 5*time.Second))
	if beside() != "ok" || w.class.runs["slow"] != 3 {
		t.Errorf("a marked call runs on the next host: %s\n%s", beside(), w.line.Text(nil))
	}
	if r := w.call(s, rpc("add")); r.Err != nil {
		t.Errorf("a stub that was connected: %v", r.Err)
	}
	for _, r := range w.line.Calls() {
		if r.Method == "refused" && r.Events[len(r.Events)-2].Delivery != NotDelivered {
			t.Errorf("the refused call counts as uncertain\n%s", w.line.Text(nil))
		}
	}
}

// A host that cannot be restarted is not crashed: the plan waits.
func TestCrashWithoutRestart(t *testing.T) {
	w := newWorld(t)
	w.plan(CrashDuring())
	if r := w.call(w.stub(DefaultRetry()), rpc("add")); r.Err != nil || len(w.faults.Unused()) != 1 {
		t.Errorf("%v, unused %v\n%s", r.Err, w.faults.Unused(), w.line.Text(nil))
	}
}

// What was refused was not sent: the first host that receives the call counts,
// even if another one had turned it away.
func TestIncarnationOfTheFirstUncertainAttempt(t *testing.T) {
	w := newWorld(t)
	w.ns.Engine.Backoff = fixedBackoff(0)
	local := w.ns.Transport
	n := 0
	w.ns.Transport = transportFunc(func(a *Attempt) {
		if n++; n == 1 {
			a.Request(99) // turned away by a host that is gone
			a.Done(Reply{Delivery: NotDelivered, Err: ConnectionLost()})
			return
		}
		local.Send(a)
	})
	w.plan(DropRequest().Attempt(2))
	if r := w.call(w.stub(DefaultRetry()), rpc("add")); r.Outcome != Recovered || w.class.runs["add"] != 1 {
		t.Errorf("%v\n%s", r.Outcome, w.line.Text(nil))
	}
}

// A host hands its objects over: claims, broken stubs and names are known to the
// next one, which has the same incarnation, and requests on their way are passed
// on.
func TestMove(t *testing.T) {
	w := newWorld(t)
	w.ns.Engine.Backoff = fixedBackoff(time.Second)
	broken := w.stub(DefaultRetry())
	w.call(broken, rpc("abort"))
	w.call(w.stub(DefaultRetry()), rpc("add"))
	old := w.host
	next := &Host{Namespace: "COUNTER", Loop: w.clock.NewLoop("next"), Scheduler: w.clock, Class: w.class, Storage: old.Storage, Incarnation: 2}
	slow := w.begin(w.stub(retry(0, 10000)), rpc("slow"))
	must(t, w.clock.Settle(t.Context()))
	if n, ok := old.Move(next); ok || n != 1 {
		t.Fatalf("moved although an object is busy: %d in the way", n)
	}
	must(t, w.clock.Advance(t.Context(), 3*time.Second))
	if slow() != "ok" {
		t.Fatalf("slow: %s", slow())
	}
	w.plan(DropReply().Method("add"))
	runs := w.class.runs["add"]
	claimed := w.begin(w.stub(DefaultRetry()), rpc("add")) // claimed at the old host, retried at the next
	must(t, w.clock.Settle(t.Context()))
	onTheWay := w.begin(w.stub(DefaultRetry()), rpc("late")) // posted to the old loop
	if n, ok := old.Move(next); !ok {
		t.Fatalf("not moved: %d in the way", n)
	}
	if _, ok := old.Move(next); ok {
		t.Error("moved twice")
	}
	must(t, w.clock.Advance(t.Context(), 5*time.Second))
	if onTheWay() != "ok" || claimed() != "Network connection lost. [retryable]" || w.class.runs["add"] != runs+1 {
		t.Errorf("on the way: %s, claimed: %s\n%s", onTheWay(), claimed(), w.line.Text(nil))
	}
	w.host = next
	if r := w.call(broken, rpc("add")); r.Err == nil || r.Err.Message != "aborted" {
		t.Errorf("a stub that was broken at the old host: %v", r.Err)
	}
	if old.Active() != 0 || next.Active() != 1 {
		t.Errorf("%d objects at the old host, %d at the next", old.Active(), next.Active())
	}
}
