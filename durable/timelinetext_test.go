package durable

import (
	"testing"
	"time"

	"github.com/durashim/durashim/internal/structclone"
)

// args encodes an array of n arguments that write makes.
func args(n uint32, write func(w *structclone.Writer)) []byte {
	var w structclone.Writer
	w.Reset(nil)
	w.Header()
	w.BeginDenseArray(n)
	write(&w)
	w.EndDenseArray(0, n)
	return w.Bytes()
}

// The golden text shows every kind of step.
func TestTimelineText(t *testing.T) {
	w := newWorld(t, "marked")
	w.ns.Engine.Backoff = fixedBackoff(250 * time.Millisecond)
	must(t, w.clock.Advance(t.Context(), 1500*time.Millisecond))
	w.plan(RefuseRequest().Method("add").Attempt(1), DropReply().Method("add").Attempt(2), DropReply().Method("marked"), DropRequest().Method("fetch"))
	s := w.stub(DefaultRetry())
	w.call(s, Op{Kind: RPC, Method: "add", Replayable: true, Args: args(2, func(w *structclone.Writer) { w.String("apple"); w.Int32(5) })})
	w.call(s, rpc("marked"))
	w.call(s, rpc("fail"))
	w.call(w.ns.Get(ObjectID{0xab, 0xcd}, "", retry(0, 500), ""), Op{Kind: Fetch, Method: "fetch"})
	const want = `#1 COUNTER("a").add("apple", 5)  at 1500.000 ms, called by test
     0.000 ms  attempt 1  sent
     0.000 ms             FAULT: not delivered
     0.000 ms             failed, not delivered: Network connection lost. [retryable]
     0.000 ms             waits 250.000 ms before retrying
   250.000 ms  attempt 2  sent
   250.000 ms             claimed by the host
   250.000 ms             method starts
   250.000 ms             method finished
   250.000 ms             FAULT: reply dropped after the method finished
   250.000 ms             failed, uncertain: Network connection lost. [retryable]
   250.000 ms             waits 250.000 ms before retrying
   500.000 ms  attempt 3  sent again, flagged as a retry
   500.000 ms             rejected by the host: it has seen this request before
   500.000 ms             => claim rejected: Network connection lost.
#2 COUNTER("a").marked()  at 2000.000 ms, called by test
     0.000 ms  attempt 1  sent
     0.000 ms             claimed by the host
     0.000 ms             method starts
     0.000 ms             method finished
     0.000 ms             FAULT: reply dropped after the method finished
     0.000 ms             failed, uncertain: Network connection lost. [retryable]
     0.000 ms             waits 250.000 ms before retrying
   250.000 ms  attempt 2  sent again, flagged as a retry
   250.000 ms             claimed by the host
   250.000 ms             method starts
   250.000 ms             method finished
   250.000 ms             => recovered (2 attempts, ran 2×)
#3 COUNTER("a").fail()  at 2250.000 ms, called by test
     0.000 ms  attempt 1  sent
     0.000 ms             claimed by the host
     0.000 ms             method starts
     0.000 ms             method threw: thrown by the object
     0.000 ms             failed, answered: thrown by the object [retryable, remote]
     0.000 ms             => failed: thrown by the object
#4 COUNTER(abcd0000).fetch()  at 2250.000 ms
     0.000 ms  attempt 1  sent
     0.000 ms             FAULT: request dropped before the object saw it
     0.000 ms             failed, uncertain: Network connection lost. [retryable]
     0.000 ms             => unable to retry: Network connection lost.
`
	if got := w.line.Text(nil); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := w.line.Text(func(r *CallRecord) bool { return r.Method == "none" }); got != "" {
		t.Errorf("kept %q", got)
	}
}
