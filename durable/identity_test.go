package durable

import (
	"testing"
	"time"

	"github.com/durashim/durashim/internal/sched"
	"github.com/google/uuid"
)

// "The next attempt carries the same request identity, flagged as a retry" where
// delivery was uncertain (announcement); where the request never reached the
// object it is not flagged.
func TestIdentityOfAttempts(t *testing.T) {
	w := newWorld(t)
	w.ns.Engine.Backoff = fixedBackoff(0)
	var seen []*Request
	replies := []Reply{
		{Delivery: NotDelivered, Err: ConnectionLost()},
		{Delivery: Uncertain, Err: ConnectionLost()},
		{Delivery: NotDelivered, Err: ConnectionLost()},
		{Delivery: Answered},
	}
	w.ns.Transport = transportFunc(func(a *Attempt) {
		seen = append(seen, a.Request(uint64(10+len(seen))))
		a.Done(replies[len(seen)-1])
	})
	w.call(w.stub(DefaultRetry()), rpc("add"))
	if len(seen) != 4 {
		t.Fatalf("%d attempts", len(seen))
	}
	for i, want := range []struct {
		retry       bool
		incarnation uint64
	}{{false, 10}, {false, 11}, {true, 11}, {true, 11}} {
		r := seen[i]
		if r.Number != i+1 || r.Retry != want.retry || r.Incarnation != want.incarnation || !r.Claim || !r.Deadline.Equal(sched.Epoch.Add(RetryTimeoutDefault)) {
			t.Errorf("attempt %d: %+v", i+1, r)
		}
		if i > 0 && want.retry && r.Identity != seen[1].Identity || r.Identity == uuid.Nil {
			t.Errorf("attempt %d has another identity", i+1)
		}
	}
}

// "A claim is made before user code runs, and lives as long as a duplicate can
// arrive" (announcement): until the reply was received, or the window is over.
func TestClaimLivesAsLongAsADuplicateCanArrive(t *testing.T) {
	w, class := newScripted(t)
	claimed := -1
	class.invoke = func(_ *Activation, inv *Invocation) {
		claimed = len(w.host.claims.until)
		inv.Finish(Result{}, nil)
	}
	w.plan(DropReply())
	w.begin(w.stub(retry(1, 500)), rpc("add"))
	must(t, w.clock.Settle(t.Context()))
	if claimed != 1 {
		t.Errorf("%d claims when the method ran", claimed)
	}
	w.faults.Clear()
	// Another one of the same window comes at its very end, and one after it.
	w.host.claims.purge = 0
	if w.host.claims.take(firstClaim(w), w.clock.Now(), sched.Epoch.Add(500*time.Millisecond)) {
		t.Error("a duplicate at the end of the window is not known")
	}
	if !w.host.claims.take(firstClaim(w), w.clock.Now(), sched.Epoch.Add(500*time.Millisecond+1)) {
		t.Error("a claim outlives its window")
	}
	// No claim for a call that cannot be retried.
	w.call(w.stub(retry(0, 500)), rpc("add"))
	if claimed != 1 {
		t.Errorf("%d claims for a call that cannot be retried", claimed-1)
	}
}

func firstClaim(w *world) uuid.UUID {
	for id := range w.host.claims.until {
		return id
	}
	return uuid.Nil
}
