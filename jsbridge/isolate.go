package jsbridge

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/inflight"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
	"github.com/durashim/durashim/jsbridge/builtin"
	"github.com/durashim/durashim/jsbridge/jsclone"
	"github.com/durashim/durashim/jsbridge/loader"
	"github.com/durashim/durashim/jsbridge/prelude"
	"github.com/durashim/durashim/jsbridge/wasmapi"
	"github.com/durashim/durashim/jsbridge/webapi"
)

// Limits bound what one turn of JavaScript may use.
type Limits struct {
	// Turn is the longest time that a turn may take by the machine's clock. It
	// guards against endless loops; 0 means 30 s.
	Turn time.Duration
	// Patience is how long a turn may go on after it was told to end, in a
	// built-in function that no interrupt reaches, before the isolate is given
	// up; 0 means 1 s.
	Patience time.Duration
	// Subrequests is how many calls of stubs and fetches one request may start, or
	// one call that an object serves; 0 means any number, as in the real runtime on
	// a developer's machine. Automatic retries do not count.
	Subrequests int
	// Frames is the depth of calls; 0 means 10000.
	Frames int
	// CPU makes the timer behind Turn, which calls f when it fires; nil means
	// the machine's clock. It stands apart from the scheduler because
	// JavaScript needs real time even when the clock is virtual.
	CPU func(f func()) TurnTimer
}

// TurnTimer is a timer that is started and stopped once for every turn.
// [*time.Timer] is one.
type TurnTimer interface {
	Reset(d time.Duration) bool
	Stop() bool
}

// WithDefaults returns the limits with the defaults in place of zeros.
func (l Limits) WithDefaults() Limits {
	if l.Turn == 0 {
		l.Turn = 30 * time.Second
	}
	if l.Patience == 0 {
		l.Patience = time.Second
	}
	if l.Frames == 0 {
		l.Frames = 10_000
	}
	if l.CPU == nil {
		l.CPU = func(f func()) TurnTimer { return sched.NewStopwatch(f) }
	}
	return l
}

// Config describes an isolate.
type Config struct {
	Name      string // of the worker; the timeline's caller
	Bundle    *loader.Bundle
	Env       []Binding
	Scheduler sched.Scheduler
	Random    *random.Source
	Limits    Limits
	// Deterministic keeps the garbage collector's timing from showing.
	Deterministic bool
	// Console receives what the script prints, one call for each console method
	// called. nil discards it.
	Console func(level, text string)
	// Uncaught receives errors that no JavaScript handled: rejections that are
	// still unhandled when the turn ends, and errors thrown by timers.
	Uncaught func(text string)
	// Test provides what durashim:test gives to scripts; nil means that it
	// cannot be imported.
	Test *TestHost
	// Outbound takes what the global fetch() sends; nil makes it fail.
	Outbound Service
	// Cache is what caches keep responses in; nil makes them refuse.
	Cache webapi.CacheStore
	// Loopback returns the service that one of the script's own exports is, for
	// ctx.exports; nil means that ctx.exports has none.
	Loopback func(Entry) Service
	// Namespaces are the script's own classes of objects, for ctx.exports.
	Namespaces map[string]*durable.Namespace
	// Stuck, if not nil, is called once, on a goroutine of its own, when the
	// script does not come to its end while it loads, although the limit of a
	// turn is over: it is in a built-in function that no interrupt reaches. New
	// then may never return. Later turns are [Isolate.OnStuck]'s.
	Stuck func()
	// Compat says which compatibility flags are on.
	Compat func(flag string) bool
}

// Isolate is one JavaScript runtime and the loop it runs on. Methods that say so
// may be called from any goroutine; all others belong to the loop.
type Isolate struct {
	Loop sched.Loop

	cfg      Config
	rt       *goja.Runtime
	state    *vmState  // nil: this goja does not fit, see vmState
	promises *promises // nil: goja's own are used
	api      *webapi.API
	wasm     *wasmapi.API
	prelude  *prelude.Prelude
	modules  *builtin.Set
	clone    *jsclone.Codec
	cloning  cloning
	rpc      rpcClasses
	contexts int64        // how many have a number
	loopback *goja.Object // ctx.exports, once it was looked at
	js       intrinsics
	classes  interfaces
	timers   timers
	env      *goja.Object
	exports  *goja.Object
	marks    *goja.Object // WeakSet of the functions passed to retryable()
	extra    map[string]*goja.Object

	now         time.Time // of the present turn
	turnFrame   *frame    // of the present turn; nil between turns
	served      uint64    // calls of objects that have begun
	places      thrownPlaces
	cur         *frame                 // of the code that runs
	rejections  []rejection            // of this turn, without a handler
	reported    map[*goja.Promise]bool // unhandled ones that were reported
	lateHandled []*goja.Promise        // of those, the ones that got a handler since

	watch     watchdog
	ruined    error // set when the engine failed: the isolate cannot go on
	onRuin    func(error)
	live      inflight.List[*durable.Error] // calls of the script's exports
	abandoned atomic.Bool                   // given up while a turn was stuck
	startup   IOContext
	loading   *goja.Promise // until the script has started
}

// New creates an isolate and runs its script, on the caller's goroutine. The
// error names the place in the script where it can.
func New(loop sched.Loop, cfg Config) (*Isolate, error) {
	cfg.Limits = cfg.Limits.WithDefaults()
	iso := &Isolate{Loop: loop, cfg: cfg, rt: goja.New(), onRuin: func(error) {}}
	iso.now = cfg.Scheduler.Now()
	iso.rt.SetMaxCallStackSize(cfg.Limits.Frames)
	iso.rt.SetTimeSource(func() time.Time { return iso.now })
	iso.rt.SetRandSource(cfg.Random.Float64)
	if engineFits() == nil {
		var err error
		if iso.state, err = newVMState(iso.rt); err != nil {
			return nil, err
		}
	}
	iso.watch.init(iso.rt, cfg.Limits)
	iso.watch.onStuck = cfg.Stuck
	iso.rt.SetPromiseRejectionTracker(iso.trackRejection)
	iso.startup = IOContext{iso: iso}
	var err error
	iso.turn(&frame{ctx: &iso.startup}, func() { err = iso.start() })
	switch {
	case err != nil:
		return nil, err
	case iso.startup.dead != nil:
		return nil, iso.startFailure()
	case iso.ruined != nil:
		return nil, iso.ruined
	}
	return iso, iso.started()
}

// startFailure says why the script was ended by force while it loaded, and where.
func (iso *Isolate) startFailure() error {
	text := iso.startup.dead.Error()
	if e := (*durable.Error)(nil); errors.As(iso.startup.dead, &e) && e.Stack != "" {
		text = e.Stack
	}
	return fmt.Errorf("%s: the script did not start: %s", iso.cfg.Name, text)
}

// maxWhere is how many frames of a stack are shown.
const maxWhere = 10

// where writes the stack of code that was ended by force.
func (iso *Isolate) where(e *durable.Error, frames []goja.StackFrame) string {
	var b strings.Builder
	b.WriteString(e.Error())
	for i, f := range frames {
		if i == maxWhere {
			break
		}
		fmt.Fprintf(&b, "\n    at %s (%s)", f.FuncName(), f.Position())
	}
	return b.String()
}

// OnRuin sets what is called, on the loop, when the engine itself fails and the
// isolate cannot go on.
func (iso *Isolate) OnRuin(f func(error)) { iso.onRuin = f }

// turn runs fn and then all promise jobs, in the context of f. Nothing runs when
// the context has ended.
func (iso *Isolate) turn(f *frame, fn func()) {
	if f.ctx.dead != nil || iso.ruined != nil {
		return
	}
	if iso.turnFrame != nil {
		panic("jsbridge: a turn within a turn")
	}
	iso.turnFrame = f
	iso.now = iso.cfg.Scheduler.Now()
	iso.watch.start()
	if iso.state != nil {
		iso.state.enter()
	}
	if iso.prelude != nil {
		iso.guard(iso.collected)
	}
	iso.guard(fn)
	iso.drain()
	iso.reportRejections()
	if iso.state != nil {
		iso.state.leave()
	}
	iso.watch.stop()
	iso.turnFrame, iso.cur = nil, nil
	if iso.abandoned.Load() {
		iso.ruined = errAbandoned
		return
	}
	if check := f.ctx.afterTurn; check != nil && f.ctx.dead == nil && iso.ruined == nil {
		check()
	}
	if iso.ruined != nil {
		iso.onRuin(iso.ruined)
	}
}

// collected tells the script's finalization registries what was collected.
func (iso *Isolate) collected() {
	for _, err := range iso.prelude.StartTurn() {
		iso.uncaught("Uncaught " + err.Error())
	}
}

// drain runs the promise jobs, each guarded for itself.
func (iso *Isolate) drain() {
	if iso.state == nil {
		return // goja has run them
	}
	for iso.ruined == nil && !iso.abandoned.Load() {
		job := iso.state.take()
		if job == nil {
			return
		}
		iso.guard(job)
	}
}

// guard runs a piece of JavaScript and deals with its end by force.
func (iso *Isolate) guard(f func()) {
	iso.cur = iso.turnFrame
	defer func() {
		if x := recover(); x != nil {
			iso.forced(x)
		}
		// An abort that was the last act of a native function is still flagged.
		iso.watch.clear()
	}()
	f()
}

// abortMark is the value of an interrupt that ends code of a dead context.
type abortMark struct{}

// forced deals with what ended a piece of JavaScript by force.
func (iso *Isolate) forced(x any) {
	victim := iso.cur
	var interrupted *goja.InterruptedError
	var overflow *goja.StackOverflowError
	err, _ := x.(error)
	switch {
	case iso.abandoned.Load():
		// Another isolate has taken its place; nothing may be touched.
		iso.ruined = errAbandoned
		return
	case errors.As(err, &interrupted):
		if interrupted.Value() != (abortMark{}) {
			e := errTurnLimit(victim.ctx.act != nil, iso.cfg.Limits.Turn)
			e.Stack = iso.where(e, interrupted.Stack())
			victim.ctx.fail(e)
		}
	case errors.As(err, &overflow):
		e := errOverflow()
		e.Stack = iso.where(e, overflow.Stack())
		victim.overflowed(e)
	case falsePromise(err):
		e := errFalsePromise()
		e.Stack = e.Error()
		victim.overflowed(e)
	case iso.thrown(x) != nil:
		// A script's own code threw where the host called it without expecting
		// that (a getter that it put on a built-in object, for example).
		victim.threw(iso.thrown(x))
	default:
		// A fault of the engine or of ours: its state cannot be trusted.
		iso.ruined = fmt.Errorf("%s: the JavaScript engine failed: %v", iso.cfg.Name, x)
		iso.uncaught(fmt.Sprintf("the JavaScript engine failed: %v\n%s", x, debug.Stack()))
		return
	}
	if iso.state == nil {
		iso.ruined = fmt.Errorf("%s: the isolate is replaced: JavaScript was ended by force and this build of goja cannot recover from that: %v", iso.cfg.Name, x)
		return
	}
	iso.state.reset()
}

// thrown returns the value of a JavaScript exception that came as a panic, nil
// for any other panic.
func (iso *Isolate) thrown(x any) goja.Value {
	switch x := x.(type) {
	case *goja.Exception:
		return x.Value()
	case goja.Value:
		return x
	}
	return nil
}

// call calls a function from Go. An exception is returned; a forced end goes
// through as a panic to guard.
func (iso *Isolate) call(fn goja.Callable, this goja.Value, args ...goja.Value) (goja.Value, *goja.Exception) {
	v, err := fn(this, args...)
	return v, iso.exception(err)
}

func (iso *Isolate) exception(err error) *goja.Exception {
	if err == nil {
		return nil
	}
	var ex *goja.Exception
	if errors.As(err, &ex) {
		return ex
	}
	panic(err)
}
