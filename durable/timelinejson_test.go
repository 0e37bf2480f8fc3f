package durable

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/durashim/durashim/internal/sched"
)

func TestWriteJSON(t *testing.T) {
	w := newWorld(t)
	w.ns.Engine.Backoff = fixedBackoff(250 * time.Millisecond)
	must(t, w.clock.Advance(t.Context(), 1500*time.Microsecond))
	w.plan(DropReply())
	w.call(w.stub(retry(3, 5000)), rpc("add"))
	w.call(w.stub(retry(0, 5000)), rpc("fail"))
	var b bytes.Buffer
	must(t, WriteJSON(&b, w.line.Calls(), sched.Epoch))
	var got jsonTimeline
	d := json.NewDecoder(bytes.NewReader(b.Bytes()))
	d.DisallowUnknownFields()
	must(t, d.Decode(&got))
	if !got.Epoch.Equal(sched.Epoch) || len(got.Calls) != 2 {
		t.Fatalf("%s", b.String())
	}
	c, r := got.Calls[0], w.line.Calls()[0]
	ended := 251.5
	lost := &jsonError{Name: "Error", Message: "Network connection lost.", Retryable: true}
	wait := 250.0
	want := jsonCall{
		Seq: 1, Call: r.Label(), Namespace: "COUNTER", Object: "a", ID: r.Target.ID.String(), Kind: "RPC", Method: "add", Caller: "test",
		Identity: r.Identity.String(), MaxRetries: 3, TimeoutMs: 5000, StartedMs: 1.5, EndedMs: &ended,
		Outcome: "claim rejected", Attempts: 2, Runs: 1, Faults: 1, Error: lost,
		Events: []jsonEvent{
			{Event: "sent", Attempt: 1},
			{Event: "claimed", Attempt: 1},
			{Event: "started", Attempt: 1},
			{Event: "ran", Attempt: 1},
			{Event: "fault", Attempt: 1, Fault: "reply dropped after the method finished"},
			{Event: "failed", Attempt: 1, Delivery: "uncertain", Error: lost},
			{Event: "backoff", Attempt: 1, WaitMs: &wait},
			{AtMs: 250, Event: "sent", Attempt: 2, Retry: true},
			{AtMs: 250, Event: "rejected", Attempt: 2},
			{AtMs: 250, Event: "ended", Attempt: 2, Error: lost},
		},
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v\nwant %+v\n%s", c, want, b.String())
	}
	if c := got.Calls[1]; c.Identity != "" || c.Error == nil || !c.Error.Remote || c.Outcome != "failed" {
		t.Errorf("%+v", c)
	}
	full := errors.New("full")
	if err := WriteJSON(failing{full}, nil, sched.Epoch); !errors.Is(err, full) {
		t.Errorf("the error of the writer: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// Every kind of event and every point has words.
func TestNamesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for p := faultNone; p < faultPoints; p++ {
		if s := p.String(); s == "" || seen[s] {
			t.Errorf("point %d: %q", p, s)
		}
		seen[p.String()] = true
	}
	for k := EventKind(0); k < eventKinds; k++ {
		r := &CallRecord{}
		if k.String() == "" || r.describe(&Event{Kind: k, Fault: "x", Err: &Error{Message: "x"}}) == "" {
			t.Errorf("event %d: %q", k, k)
		}
	}
}
