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
	durable.Duplicate(), durable.AbortBefore(), durable.CrashBefore(), durable.StorageUnavailable(delay), durable.DropConnection(),
	durable.AbortDuring(), durable.CrashDuring(), durable.FailWrite(), durable.AbortAfter(), durable.CrashAfter(),
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

// method is a class whose method takes 20 ms, and then writes.
type method struct {
	sched  sched.Scheduler
	loop   sched.Loop
	marked bool
	runs   map[string]int
}

func (m *method) Construct(a *durable.Activation) durable.Instance {
	return &object{m, a, m.loop, false}
}
func (m *method) Marked(durable.Instance, string) bool { return m.marked }

type object struct {
	*method
	act    *durable.Activation
	loop   sched.Loop
	closed bool
}

func (o *object) Close() { o.closed = true }

func (o *object) Invoke(inv *durable.Invocation) {
	o.runs[inv.Op.Method]++
	o.sched.AfterFunc(20*time.Millisecond, sched.Needed, "method", func() {
		o.loop.Post(func() { o.finish(inv) })
	})
}

func (o *object) finish(inv *durable.Invocation) {
	if o.closed {
		return
	}
	s, err := o.act.Store()
	if err == nil {
		err = s.Put("k", []byte{1})
	}
	if err != nil {
		o.act.StorageFailed(err)
		return
	}
	o.act.Wrote(false)
	inv.Finish(durable.Result{}, nil)
}

// run carries a cell out, and returns the call as well.
func (c cell) run(ctx context.Context) (result, durable.CallRecord, error) {
	fail := func(err error) (result, durable.CallRecord, error) { return result{}, durable.CallRecord{}, err }
	clock := sched.NewVirtual(sched.Epoch)
	m := &method{sched: clock, loop: clock.NewLoop("host"), marked: c.marked, runs: map[string]int{}}
	var host *durable.Host
	store := storage.NewMemory()
	start := func(incarnation uint64) *durable.Host {
		return &durable.Host{Namespace: "OBJECT", Loop: m.loop, Scheduler: clock, Class: m, Storage: store, Incarnation: incarnation}
	}
	var restart func()
	restart = func() {
		crashed := host
		m.loop = clock.NewLoop("host")
		host = start(crashed.Incarnation + 1)
		host.Restart = restart
		crashed.Loop.Close()
	}
	host = start(1)
	host.Restart = restart
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
