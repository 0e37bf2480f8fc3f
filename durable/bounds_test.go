package durable

import (
	"fmt"
	"testing"
	"time"
)

// A host does not remember every id that was ever called; of the latest it knows
// the name that each was started with.
func TestDormantObjectsAreBounded(t *testing.T) {
	w, class := newScripted(t)
	names := map[string]string{}
	class.invoke = func(a *Activation, inv *Invocation) {
		names[a.ID().String()] = a.Name()
		inv.Finish(Result{}, nil)
	}
	w.ns.Engine.Timeline = nil
	single := w.ns.IDs.FromName("nameless")
	w.callQuiet(single, "")
	must(t, w.clock.Advance(t.Context(), IdleTimeout))
	const more = 100
	for i := range maxDormant + more - 1 {
		if i == more {
			w.callQuiet(single, "nameless") // not the oldest any more
		}
		w.callQuiet(w.ns.IDs.FromName(fmt.Sprint(i)), fmt.Sprint(i))
		if i%1000 == 0 {
			must(t, w.clock.Advance(t.Context(), IdleTimeout))
		}
	}
	must(t, w.clock.Advance(t.Context(), IdleTimeout))
	if n := len(w.host.objects); n != maxDormant || w.host.dormant.Len() != maxDormant {
		t.Errorf("%d objects are known, %d of them dormant; want %d", n, w.host.dormant.Len(), maxDormant)
	}
	w.callQuiet(single, "nameless")
	if got := names[single.String()]; got != "" {
		t.Errorf("an object that was started without a name has learnt %q after an eviction", got)
	}
	last := w.ns.IDs.FromName(fmt.Sprint(maxDormant))
	w.callQuiet(last, "")
	if got := names[last.String()]; got != fmt.Sprint(maxDormant) {
		t.Errorf("an object that was started by name is called %q after an eviction", got)
	}
}

// callQuiet makes a call without a timeline.
func (w *world) callQuiet(id ObjectID, name string) {
	w.t.Helper()
	done := make(chan struct{})
	w.ns.Get(id, name, DefaultRetry(), "test").Call(rpc("add"), func(Result, *Error) { close(done) })
	must(w.t, w.clock.Wait(w.t.Context(), done))
}

// A reset leaves nothing to know of an object, and neither does a request that
// is turned away.
func TestNothingIsKeptOfObjectsThatWereReset(t *testing.T) {
	w := newWorld(t)
	for i := range 10 {
		name := fmt.Sprint(i)
		w.call(w.ns.Get(w.ns.IDs.FromName(name), name, DefaultRetry(), "test"), rpc("abort"))
	}
	w.restarts()
	w.plan(CrashAfter())
	w.call(w.stub(DefaultRetry()), rpc("add")) // its retry is rejected
	if n := len(w.host.objects); n != 0 {
		t.Errorf("%d objects are known", n)
	}
}

type dropCounter struct{ n *int }

func (d dropCounter) Drop() { *d.n++ }

// A message that waits at the output gate of an object which is reset gives up
// what it holds by reference.
func TestClosedOutputGateDropsReferences(t *testing.T) {
	dropped := 0
	var g OutputGate
	drop := func() { dropped++ }
	g.lock()
	g.LeaveOr(func() { t.Error("left") }, drop)
	g.Leave(func() { t.Error("left") })
	g.LeaveOr(func() { t.Error("left") }, drop)
	g.close()
	g.LeaveOr(func() { t.Error("left") }, drop)
	g.unlock()
	if dropped != 3 {
		t.Errorf("%d of 3 messages were given up", dropped)
	}

	w, class := newScripted(t)
	refs := 0
	class.invoke = func(a *Activation, inv *Invocation) {
		s, err := a.Store()
		must(t, err)
		must(t, s.Put("k", []byte("v")))
		a.Wrote(false)
		inv.Finish(Result{Refs: dropCounter{&refs}}, nil)
		if inv.Op.Method == "break" {
			a.Break(aborted())
		}
	}
	w.call(w.stub(DefaultRetry()), rpc("break"))
	if refs != 1 {
		t.Errorf("the references in the answer were given up %d times", refs)
	}
	w.restarts()
	w.plan(StorageUnavailable(time.Second).Method("write"), CrashBefore().Method("other"))
	w.begin(w.stub(retry(0, 10000)), rpc("write"))
	must(t, w.clock.Settle(t.Context()))
	w.begin(w.stub(retry(0, 10000)), rpc("other"))
	must(t, w.clock.Settle(t.Context()))
	if refs != 2 {
		t.Errorf("after a crash the references in the answer were given up %d times", refs-1)
	}
}
