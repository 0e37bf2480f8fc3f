package durable

import (
	"strings"
	"testing"
	"time"
)

// scripted is a class whose constructor and methods are functions of the test.
type scripted struct {
	construct func(a *Activation)
	invoke    func(a *Activation, inv *Invocation)
	built     int
	closed    int
}

func (c *scripted) Marked(Instance, string) bool { return false }

func (c *scripted) Construct(a *Activation) Instance {
	c.built++
	if c.construct != nil {
		c.construct(a)
	}
	return &scriptedInstance{c, a}
}

type scriptedInstance struct {
	c *scripted
	a *Activation
}

func (i *scriptedInstance) Close() { i.c.closed++ }
func (i *scriptedInstance) Invoke(inv *Invocation) {
	if i.c.invoke != nil {
		i.c.invoke(i.a, inv)
		return
	}
	inv.Finish(Result{}, nil)
}

func newScripted(t *testing.T) (*world, *scripted) {
	w, c := newWorld(t), &scripted{}
	w.host.Class = c
	return w, c
}

// begin starts a call that is not waited for; the function returns how it ended.
func (w *world) begin(s *Stub, op Op) func() string {
	text := "pending"
	s.Call(op, func(_ Result, err *Error) {
		switch {
		case text != "pending":
			w.t.Errorf("%s: ended twice", op.Method)
		case err == nil:
			text = "ok"
		default:
			text = err.Message + flags(err)
		}
	})
	return func() string { return text }
}

func (w *world) settle() {
	w.t.Helper()
	must(w.t, w.clock.Settle(w.t.Context()))
}

func wantEnds(t *testing.T, want string, ends ...func() string) {
	t.Helper()
	var got []string
	for _, e := range ends {
		got = append(got, e())
	}
	if g := strings.Join(got, "; "); g != want {
		t.Errorf("got  %s\nwant %s", g, want)
	}
}

func boom() *Error { return &Error{Name: "Error", Message: "boom", Reset: true} }

// A constructor that fails: all calls that came together share the failure, a
// stub that saw it stays broken, a fresh one finds a new life.
func TestBreakWhileConstructing(t *testing.T) {
	w, c := newScripted(t)
	c.construct = func(a *Activation) {
		a.Break(boom())
		if a.Broken() == nil || a.Broken().Message != "boom" {
			t.Errorf("Broken returns %v", a.Broken())
		}
	}
	s := w.stub(DefaultRetry())
	ends := []func() string{w.begin(s, rpc("a")), w.begin(s, rpc("b")), w.begin(s, Op{Kind: Fetch, Method: "fetch", Replayable: true})}
	w.settle()
	wantEnds(t, "boom [durableObjectReset]; boom [durableObjectReset]; boom [remote, durableObjectReset]", ends...)
	if c.built != 1 || c.closed != 1 || w.host.Active() != 0 {
		t.Errorf("built %d, closed %d, active %d", c.built, c.closed, w.host.Active())
	}
	c.construct = nil
	fresh := w.stub(DefaultRetry())
	ends = []func() string{w.begin(s, rpc("a")), w.begin(fresh, rpc("a"))}
	w.settle()
	wantEnds(t, "boom [durableObjectReset]; ok", ends...)
	if c.built != 2 {
		t.Errorf("built %d", c.built)
	}
}

// The reset comes before the constructor has run at all.
func TestBreakBeforeConstructing(t *testing.T) {
	w, c := newScripted(t)
	end := w.begin(w.stub(DefaultRetry()), rpc("a"))
	w.host.Loop.Post(func() { w.host.Reset(boom()) })
	w.settle()
	wantEnds(t, "boom [durableObjectReset]", end)
	if c.built != 0 || w.host.Active() != 0 {
		t.Errorf("built %d, active %d", c.built, w.host.Active())
	}
}

// Calls wait at the input gate, one has its answer at the output gate, one runs:
// a reset ends them all, each once, in order of arrival.
func TestBreakWhileCallsWait(t *testing.T) {
	w, c := newScripted(t)
	var act *Activation
	var held *Invocation
	c.invoke = func(a *Activation, inv *Invocation) {
		act = a
		switch inv.Op.Method {
		case "at the output gate":
			a.Out.lock()
			inv.Finish(Result{}, nil)
		case "runs":
			held = inv
			a.In.Lock()
		default:
			t.Errorf("%s: entered a closed gate", inv.Op.Method)
		}
	}
	s := w.stub(DefaultRetry())
	ends := []func() string{w.begin(s, rpc("at the output gate")), w.begin(s, rpc("runs")), w.begin(s, rpc("waits")), w.begin(s, rpc("waits too"))}
	w.settle()
	wantEnds(t, "pending; pending; pending; pending", ends...)
	if w.host.Evict(s.Target().ID) {
		t.Error("a busy object was evicted")
	}
	w.host.Loop.Post(func() {
		act.Break(boom())
		act.Break(&Error{Name: "Error", Message: "twice"})
		if act.Broken().Message != "boom" {
			t.Errorf("broken by %v", act.Broken())
		}
		// What the dead code still does has no effect.
		held.Finish(Result{}, nil)
		act.In.Unlock()
		act.Out.unlock()
	})
	w.settle()
	one := "boom [durableObjectReset]"
	wantEnds(t, strings.Join([]string{one, one, one, one}, "; "), ends...)
	if c.closed != 1 {
		t.Errorf("closed %d times", c.closed)
	}
	if n := len(w.host.claims.until); n != 0 {
		t.Errorf("%d claims are left", n)
	}
}

// The first of the calls that waited for the constructor resets the object.
func TestFirstCallBreaks(t *testing.T) {
	w, c := newScripted(t)
	c.invoke = func(a *Activation, inv *Invocation) {
		if inv.Op.Method != "abort" {
			t.Errorf("%s ran in a dead object", inv.Op.Method)
		}
		a.Break(boom())
	}
	s := w.stub(DefaultRetry())
	ends := []func() string{w.begin(s, rpc("abort")), w.begin(s, rpc("next"))}
	w.settle()
	wantEnds(t, "boom [durableObjectReset]; boom [durableObjectReset]", ends...)
}

func TestFinishTwice(t *testing.T) {
	w, c := newScripted(t)
	c.invoke = func(_ *Activation, inv *Invocation) {
		inv.Finish(Result{}, &Error{Name: "Error", Message: "first"})
		inv.Finish(Result{}, nil)
	}
	end := w.begin(w.stub(DefaultRetry()), rpc("a"))
	w.settle()
	wantEnds(t, "first [remote]", end)
}

// An object that is constructing, called, or held stays in memory.
func TestEvictionWhileBusy(t *testing.T) {
	w, c := newScripted(t)
	id := w.ns.IDs.FromName("a")
	if w.host.Evict(id) {
		t.Error("an object that was never there was evicted")
	}
	var release func()
	var running *Invocation
	c.construct = func(a *Activation) {
		if w.host.Evict(id) {
			t.Error("evicted while constructing")
		}
	}
	c.invoke = func(a *Activation, inv *Invocation) { running, release = inv, a.Hold() }
	s := w.stub(DefaultRetry())
	end := w.begin(s, rpc("a"))
	w.settle()
	must(t, w.clock.Advance(t.Context(), time.Minute))
	if w.host.Evict(id) || w.host.Active() != 1 {
		t.Error("evicted during a call")
	}
	w.host.Loop.Post(func() { running.Finish(Result{}, nil) })
	w.settle()
	wantEnds(t, "ok", end)
	must(t, w.clock.Advance(t.Context(), time.Minute))
	if w.host.Evict(id) || w.host.Active() != 1 {
		t.Error("evicted while held")
	}
	w.host.Loop.Post(func() { release(); release() })
	must(t, w.clock.Advance(t.Context(), IdleTimeout-1))
	if w.host.Active() != 1 {
		t.Error("evicted before the idle timeout")
	}
	must(t, w.clock.Advance(t.Context(), 1))
	if w.host.Active() != 0 || c.closed != 1 {
		t.Errorf("%d active, closed %d times", w.host.Active(), c.closed)
	}
	// An explicit eviction keeps stubs connected.
	c.invoke = nil
	w.call(s, rpc("a"))
	if !w.host.Evict(id) || w.host.Evict(id) {
		t.Error("an idle object must be evicted, once")
	}
	if r := w.call(s, rpc("a")); r.Err != nil || c.built != 3 {
		t.Errorf("%v, built %d", r.Err, c.built)
	}
}
