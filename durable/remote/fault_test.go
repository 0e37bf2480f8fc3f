package remote

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
)

// faulty returns a caller whose calls meet plans. The host permits them.
func (w *world) faulty(plans ...durable.Fault) (*caller, *durable.Faults) {
	w.t.Helper()
	w.server.AllowFaults()
	faults := &durable.Faults{}
	cfg := w.clientConfig(w.addr)
	cfg.Faults = faults
	c, err := NewClient(cfg)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(c.Close)
	if err := c.RequireFaults(); err != nil {
		w.t.Fatal(err)
	}
	if err := faults.Add(plans...); err != nil {
		w.t.Fatal(err)
	}
	return w.caller(c), faults
}

// newFaultWorld is a world whose host can crash.
func newFaultWorld(t testing.TB) *world {
	w := newWorld(t, sched.NewReal())
	var restart func()
	restart = func() {
		old := w.at()
		next := &durable.Host{Namespace: "A", IDs: ids, Loop: old.Loop, Scheduler: w.sched, Class: w.obj, Storage: old.Storage,
			Mode: old.Mode, KeepIdle: true, Incarnation: old.Incarnation + 1, Restart: restart}
		next.Succeed(old)
		w.next.Store(next)
	}
	w.host.Restart = restart
	return w
}

// Every fault has the outcome over a connection that it has within one process: the
// table of durable.FaultPoint.
func TestFaultsOverConnection(t *testing.T) {
	const delay = 3 * time.Millisecond
	for _, c := range []struct {
		fault            durable.Fault
		unmarked, marked durable.Outcome
		runs             [2]int // of the unmarked and of the marked method
	}{
		{durable.RefuseRequest(), durable.Recovered, durable.Recovered, [2]int{1, 1}},
		{durable.DropRequest(), durable.Recovered, durable.Recovered, [2]int{1, 1}},
		{durable.DropConnection(), durable.ClaimRejected, durable.Recovered, [2]int{1, 2}},
		{durable.DropReply(), durable.ClaimRejected, durable.Recovered, [2]int{1, 2}},
		{durable.DelayRequest(delay), durable.Succeeded, durable.Succeeded, [2]int{1, 1}},
		{durable.DelayReply(delay), durable.Succeeded, durable.Succeeded, [2]int{1, 1}},
		{durable.Overload(), durable.Failed, durable.Failed, [2]int{0, 0}},
		{durable.Duplicate(), durable.Succeeded, durable.Succeeded, [2]int{1, 2}},
		{durable.AbortBefore(), durable.Failed, durable.Failed, [2]int{0, 0}},
		{durable.AbortDuring(), durable.Failed, durable.Failed, [2]int{1, 1}},
		{durable.AbortAfter(), durable.Failed, durable.Failed, [2]int{1, 1}},
		{durable.CrashBefore(), durable.ClaimRejected, durable.Recovered, [2]int{0, 1}},
		{durable.CrashDuring(), durable.ClaimRejected, durable.Recovered, [2]int{1, 2}},
		{durable.CrashAfter(), durable.ClaimRejected, durable.Recovered, [2]int{1, 2}},
	} {
		for i, method := range []string{"add", "marked"} {
			t.Run(fmt.Sprintf("%v/%s", c.fault.Point(), method), func(t *testing.T) {
				w := newFaultWorld(t)
				call, faults := w.faulty(c.fault)
				e := call.call(method, []byte("x"))
				want := [2]durable.Outcome{c.unmarked, c.marked}[i]
				r := call.last()
				if r.Outcome != want || w.obj.count(method) != c.runs[i] {
					t.Errorf("%v, ran %d×, %v; want %v, %d×\n%s", r.Outcome, w.obj.count(method), e.err, want, c.runs[i], call.timeline.Text(nil))
				}
				if c.runs[i] != r.Runs() || !r.RunsKnown() || r.Faults() != 1 {
					t.Errorf("the timeline knows of %d runs (%v), %d faults\n%s", r.Runs(), r.RunsKnown(), r.Faults(), call.timeline.Text(nil))
				}
				ordered(t, &r)
				if m := faults.Missed(); len(m) > 0 {
					t.Errorf("missed: %v", m)
				}
				// What a fault broke is this call alone.
				if e := call.call("add", []byte("y")); e.err != nil && !e.err.Reset || e.err == nil && string(e.res.Value) != "y" {
					t.Errorf("the next call: %q, %v", e.res.Value, e.err)
				}
				// Nothing of the calls is left at either end.
				w.quiet()
			})
		}
	}
}

// ordered fails the test if the steps of a call are not in the order of their times.
func ordered(t *testing.T, r *durable.CallRecord) {
	t.Helper()
	at := r.Started
	for _, e := range r.Events {
		if e.At.Before(at) {
			t.Errorf("%v at %v, before what it follows", e.Kind, e.At.Sub(r.Started))
		}
		at = e.At
	}
}

// quiet waits until the server has nothing in flight.
func (w *world) quiet() {
	w.t.Helper()
	if err := w.server.Shutdown(w.t.Context()); err != nil {
		w.t.Error(err)
	}
}

// A connection that is dropped when the method has started leaves the others'
// calls alone, and the method runs to its end.
func TestDropConnectionIsOneCalls(t *testing.T) {
	w := newFaultWorld(t)
	call, _ := w.faulty(durable.DropConnection().Method("hang"))
	op := durable.Op{Method: "hang"}
	_, first := call.start(op)
	if e := <-first; e.err == nil || !e.err.Retryable {
		t.Fatalf("the dropped call: %v", e.err)
	}
	r := call.last()
	if r.Runs() != 1 || !r.RunsKnown() {
		t.Errorf("%d runs, known %v\n%s", r.Runs(), r.RunsKnown(), call.timeline.Text(nil))
	}
	_, second := call.start(op)
	close(w.obj.release)
	if e := <-second; e.err != nil || string(e.res.Value) != "late" {
		t.Errorf("another call: %q, %v", e.res.Value, e.err)
	}
	w.quiet()
}

// A duplicate of a request with a large body sends the body again.
func TestDuplicateOfLargeRequest(t *testing.T) {
	w := newFaultWorld(t)
	call, _ := w.faulty(durable.Duplicate())
	if e := call.call("marked", make([]byte, 5*maxPiece)); e.err != nil || len(e.res.Value) != 5*maxPiece {
		t.Errorf("%d bytes, %v", len(e.res.Value), e.err)
	}
	if n := w.obj.count("marked"); n != 2 {
		t.Errorf("ran %d×\n%s", n, call.timeline.Text(nil))
	}
	w.quiet()
}

// A host that does not permit it refuses plans that act inside the objects when they
// are made, and requests with them that come all the same.
func TestFaultsNotPermitted(t *testing.T) {
	w := newFaultWorld(t)
	c := w.client(w.addr)
	if err := c.RequireFaults(); err == nil || !strings.Contains(err.Error(), "--allow-faults") {
		t.Errorf("the plan: %v", err)
	}
	faults := &durable.Faults{}
	cfg := w.clientConfig(w.addr)
	cfg.Faults = faults
	c, err := NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := faults.Add(durable.CrashAfter()); err != nil {
		t.Fatal(err)
	}
	if e := w.caller(c).call("add", nil); e.err == nil || e.err.Retryable || !strings.Contains(e.err.Message, "--allow-faults") || w.obj.count("add") != 0 {
		t.Errorf("the call: %v, ran %d×", e.err, w.obj.count("add"))
	}
}

// A host that dies before it told what became of a call leaves it unknown whether
// the method ran.
func TestRunsUnknown(t *testing.T) {
	w := newFaultWorld(t)
	w.obj.started = make(chan string, 1)
	c := w.client(w.addr)
	call := w.caller(c)
	_, done := call.start(durable.Op{Method: "hang"})
	<-w.obj.started
	w.server.Close()
	<-done
	close(w.obj.release)
	r := call.last()
	started := r.Runs() == 1 // the event may or may not have come before the connection ended
	if r.RunsKnown() != started {
		t.Errorf("%d runs, known %v\n%s", r.Runs(), r.RunsKnown(), call.timeline.Text(nil))
	}
	if unknown := strings.Contains(call.timeline.Text(nil), "ran at least 0×"); unknown == started {
		t.Errorf("the text:\n%s", call.timeline.Text(nil))
	}
}

// What decodeEvent accepts is written again the same way.
func FuzzEvent(f *testing.F) {
	for _, m := range []event{
		{kind: durable.EventClaimed, after: -1},
		{kind: durable.EventFault, point: durable.PointCrashDuring, after: time.Second},
		{kind: durable.EventRan, err: &durable.Error{Name: "RangeError", Message: strings.Repeat("é", maxEventText), Remote: true}},
	} {
		f.Add(m.encode())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decodeEvent(b)
		if err != nil || m.err != nil && (len(m.err.Name) > maxEventText || len(m.err.Message) > maxEventText) {
			return // no peer of ours writes longer texts
		}
		again, err := decodeEvent(m.encode())
		if err != nil || !reflect.DeepEqual(m, again) {
			t.Errorf("%+v, written and read again %+v, %v", m, again, err)
		}
	})
}
