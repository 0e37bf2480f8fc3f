package durable

import (
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/internal/sched"
)

// writer is a class whose method "write" writes k, "unconfirmed" does so without
// holding messages back, "sync" waits until that is durable, "read" reads it.
func newWriter(t *testing.T) *world {
	w, class := newScripted(t)
	class.invoke = func(a *Activation, inv *Invocation) {
		s, err := a.Store()
		must(t, err)
		switch inv.Op.Method {
		case "write", "unconfirmed", "sync":
			must(t, s.Put("k", []byte("v")))
			a.Wrote(inv.Op.Method != "write")
			if inv.Op.Method == "sync" {
				a.Synced(func() { inv.Finish(Result{}, nil) })
				return
			}
			inv.Finish(Result{}, nil)
		case "transaction":
			tx, err := a.Begin()
			must(t, err)
			must(t, s.Put("k", []byte("v")))
			if a.End(tx, true) == nil { // else the object was reset
				inv.Finish(Result{}, nil)
			}
		default:
			v, _, err := s.Get("k")
			must(t, err)
			inv.Finish(Result{Value: v}, nil)
		}
	}
	return w
}

func (w *world) stored() string {
	w.t.Helper()
	var got string
	done := make(chan struct{})
	w.stub(DefaultRetry()).Call(rpc("read"), func(res Result, _ *Error) { got = string(res.Value); close(done) })
	must(w.t, w.clock.Wait(w.t.Context(), done))
	return got
}

// Storage that does not answer for a while: what writes is answered when the
// outage ends, within the rules for confirmed and unconfirmed writes; nothing is
// lost and nobody is reset.
func TestStorageUnavailable(t *testing.T) {
	for method, want := range map[string]time.Duration{
		"write": 3 * time.Second, "sync": 3 * time.Second, "transaction": 3 * time.Second,
		"unconfirmed": 0, "read": 0, // SQLite is beside the object
	} {
		w := newWriter(t)
		w.plan(StorageUnavailable(3 * time.Second).Method(method))
		r := w.call(w.stub(DefaultRetry()), rpc(method))
		if took := r.Ended().Sub(r.Started); took != want || r.Outcome != Succeeded || r.Attempts() != 1 {
			t.Errorf("%s: %v after %v, want %v\n%s", method, r.Outcome, took, want, w.line.Text(nil))
		}
		must(t, w.clock.Advance(t.Context(), 4*time.Second))
		w.host.Reset(aborted()) // what is not confirmed by now would be lost
		if got := w.stored(); (got == "v") != (method != "read") {
			t.Errorf("%s: stored %q", method, got)
		}
		if u := w.faults.Unused(); u != nil {
			t.Errorf("%s: %v", method, u)
		}
	}
}

// An operation that has waited for StorageTimeout resets the object, with the
// real runtime's error; the outage goes on for the next instance.
func TestStorageTimeout(t *testing.T) {
	w := newWriter(t)
	w.plan(StorageUnavailable(StorageTimeout + 10*time.Second))
	r := w.call(w.stub(DefaultRetry()), rpc("write"))
	if r.Ended().Sub(r.Started) != StorageTimeout || r.Outcome != Failed || !r.Err.Overloaded || !r.Err.Reset || r.Err.Retryable ||
		r.Err.Message != "Durable Object storage operation exceeded timeout which caused object to be reset." {
		t.Errorf("%v\n%s", r.Err, w.line.Text(nil))
	}
	if got := w.stored(); got != "" {
		t.Errorf("the unconfirmed write was kept: %q", got)
	}
	r = w.call(w.stub(DefaultRetry()), rpc("write"))
	if r.Ended().Sub(r.Started) != 10*time.Second || r.Err != nil {
		t.Errorf("the next instance: %v\n%s", r.Err, w.line.Text(nil))
	}
}

// A crash of the host does not end the outage of the storage, nor keep what was
// not confirmed.
func TestOutageOutlivesACrash(t *testing.T) {
	w := newWriter(t)
	w.restarts()
	w.ns.Engine.Backoff = fixedBackoff(0)
	w.plan(StorageUnavailable(5*time.Second).Method("write"), CrashBefore().Method("read"))
	end := w.begin(w.stub(DefaultRetry()), rpc("write"))
	must(t, w.clock.Advance(t.Context(), time.Second))
	if end() != "pending" {
		t.Fatalf("the write was answered: %s", end())
	}
	if got := w.stored(); got != "" || end() != "Network connection lost. [retryable]" {
		t.Errorf("after the crash: %q stored, the call ended with %q", got, end())
	}
	if r := w.call(w.stub(DefaultRetry()), rpc("write")); r.Ended().Sub(sched.Epoch) != 5*time.Second || r.Err != nil {
		t.Errorf("the outage ended with the crash\n%s", w.line.Text(nil))
	}
}

// A failed flush resets the object: the writes of the method are lost, those
// confirmed before are kept.
func TestFailWrite(t *testing.T) {
	for _, method := range []string{"write", "transaction"} {
		w := newWriter(t)
		w.plan(FailWrite())
		r := w.call(w.stub(DefaultRetry()), rpc(method))
		const text = "Internal error in Durable Object storage write caused object to be reset; reference = "
		if r.Outcome != Failed || r.Attempts() != 1 || !r.Err.Reset || !r.Err.Retryable || !strings.HasPrefix(r.Err.Message, text) || len(r.Err.Message) != len(text)+24 {
			t.Errorf("%s: %v\n%s", method, r.Err, w.line.Text(nil))
		}
		if got := w.stored(); got != "" {
			t.Errorf("%s: the write was kept: %q", method, got)
		}
	}
	w := newWriter(t)
	w.plan(FailWrite())
	w.call(w.stub(DefaultRetry()), rpc("read"))
	if u := w.faults.Unused(); len(u) != 1 {
		t.Errorf("it acted on a method that does not write\n%s", w.line.Text(nil))
	}
	if r := w.call(w.stub(DefaultRetry()), rpc("write")); r.Err == nil || w.faults.Unused() != nil {
		t.Errorf("it missed the method that does\n%s", w.line.Text(nil))
	}
}

// Storage that is memory alone does not fail.
func TestMemoryHasNoOutage(t *testing.T) {
	w := newWriter(t)
	w.host.Mode = StorageMemory
	w.plan(StorageUnavailable(time.Second), FailWrite())
	for range 2 {
		if r := w.call(w.stub(DefaultRetry()), rpc("write")); r.Err != nil || r.Ended() != r.Started {
			t.Errorf("%v\n%s", r.Err, w.line.Text(nil))
		}
	}
	if u := w.faults.Unused(); len(u) != 2 {
		t.Errorf("unused: %v", u)
	}
}
