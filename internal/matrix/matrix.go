package main

import (
	"context"
	"fmt"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

// eligibility is what stands in the way of a call's retries.
type eligibility string

const (
	eligible   eligibility = "eligible"
	streamed   eligibility = "stream body or argument"
	pipelined  eligibility = "pipelined"
	passedStub eligibility = "passed stub"
)

// cell is a place of the matrix.
type cell struct {
	kind    durable.Kind
	marked  bool
	call    eligibility
	fault   durable.Fault
	attempt int // that the fault acts on; the ones before are refused
}

// result is what came of a cell. na says why there can be none.
type result struct {
	attempts, runs int
	outcome        durable.Outcome
	err            string
	na             string
}

// Reasons for which a cell is empty; run has checked that they hold.
const (
	naAttempt   = "a call that cannot be retried has one attempt"
	naDuplicate = "a call without an identity is never sent twice"
)

// last is the number of the last attempt that the default options allow.
const last = durable.MaxRetriesDefault + 1

const delay = 50 * time.Millisecond

// faults are the points, in the order of the life of a call.
var faults = []durable.Fault{
	durable.RefuseRequest(), durable.DelayRequest(delay), durable.DropRequest(), durable.Overload(), durable.EvictBefore(),
	durable.Duplicate(), durable.AbortBefore(), durable.DropConnection(), durable.AbortDuring(), durable.AbortAfter(),
	durable.DropReply(), durable.DelayReply(delay),
}

// cells lists the whole matrix.
func cells() (all []cell) {
	for _, kind := range []durable.Kind{durable.Fetch, durable.RPC} {
		for _, marked := range []bool{false, true} {
			for _, call := range []eligibility{eligible, streamed, pipelined, passedStub} {
				for _, f := range faults {
					for _, attempt := range []int{1, 2, last} {
						all = append(all, cell{kind, marked, call, f, attempt})
					}
				}
			}
		}
	}
	return all
}

// method is a class whose method takes 20 ms.
type method struct {
	sched  sched.Scheduler
	loop   sched.Loop
	marked bool
	runs   map[string]int
}

func (m *method) Construct(*durable.Activation) durable.Instance { return m }
func (m *method) Marked(durable.Instance, string) bool           { return m.marked }
func (m *method) Close()                                         {}

func (m *method) Invoke(inv *durable.Invocation) {
	m.runs[inv.Op.Method]++
	m.sched.AfterFunc(20*time.Millisecond, sched.Needed, "method", func() {
		m.loop.Post(func() { inv.Finish(durable.Result{}, nil) })
	})
}

// run carries a cell out, and returns the call as well.
func (c cell) run(ctx context.Context) (result, durable.CallRecord, error) {
	fail := func(err error) (result, durable.CallRecord, error) { return result{}, durable.CallRecord{}, err }
	clock := sched.NewVirtual(sched.Epoch)
	m := &method{sched: clock, loop: clock.NewLoop("host"), marked: c.marked, runs: map[string]int{}}
	host := &durable.Host{Namespace: "OBJECT", Loop: m.loop, Scheduler: clock, Class: m, Storage: storage.NewMemory(), Incarnation: 1}
	plans := &durable.Faults{}
	line := durable.NewTimeline(sched.Epoch)
	ids := durable.NewIDFactory("matrix")
	stub := durable.NewStub(durable.StubConfig{
		Engine:    &durable.Engine{Scheduler: clock, Random: random.Seeded(1), Timeline: line},
		Transport: &durable.Local{Faults: plans, Route: func(durable.Target) *durable.Host { return host }},
		Target:    durable.Target{Namespace: "OBJECT", Name: "a", ID: ids.FromName("a")},
		Retry:     durable.DefaultRetry(), Retries: c.call != passedStub, Caller: "matrix",
	})
	call := func(op durable.Op) error {
		done := make(chan struct{})
		started := stub.Call(op, func(durable.Result, *durable.Error) { close(done) })
		if c.call == pipelined {
			started.NoRetry()
		}
		if err := clock.Wait(ctx, done); err != nil {
			return err
		}
		// The object may go on after the caller was told.
		return clock.Advance(ctx, time.Second)
	}
	// An object that is in memory can be evicted.
	if err := call(durable.Op{Kind: durable.RPC, Method: "warm", Replayable: true}); err != nil {
		return fail(err)
	}
	for n := 1; n < c.attempt; n++ {
		if err := plans.Add(durable.RefuseRequest().Attempt(n)); err != nil {
			return fail(err)
		}
	}
	if err := plans.Add(c.fault.Attempt(c.attempt)); err != nil {
		return fail(err)
	}
	op := durable.Op{Kind: c.kind, Method: "run", Replayable: c.call != streamed}
	if c.kind == durable.Fetch {
		op.Method = "fetch"
	}
	if err := call(op); err != nil {
		return fail(err)
	}
	r := line.Calls()[1]
	res := result{attempts: r.Attempts(), runs: m.runs[op.Method], outcome: r.Outcome}
	if r.Err != nil {
		res.err = r.Err.Error()
	}
	acted := true
	for _, f := range plans.Unused() {
		acted = acted && f.Point() != c.fault.Point()
	}
	switch {
	case acted:
	case c.call != eligible && c.attempt > 1 && res.attempts == 1:
		return result{na: naAttempt}, r, nil
	case c.fault.Point() == durable.PointDuplicated && r.Identity == [16]byte{}:
		return result{na: naDuplicate}, r, nil
	default:
		return fail(fmt.Errorf("%v: the fault did not act", c))
	}
	return res, r, nil
}

func (c cell) String() string {
	mark := "unmarked"
	if c.marked {
		mark = "marked"
	}
	return fmt.Sprintf("%v, %s, %s: %v at attempt %d", c.kind, mark, c.call, c.fault.Point(), c.attempt)
}
