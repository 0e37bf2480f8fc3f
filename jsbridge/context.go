package jsbridge

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/durable"
)

// IOContext is what I/O belongs to: a request to a worker, or an object in
// memory. When it ends, no event of it runs any more, and code of it that is
// running is ended at once.
type IOContext struct {
	iso   *Isolate
	id    int64               // see number
	act   *durable.Activation // nil for a request to a worker
	inst  *instance           // the same
	dead  error               // why it ended; nil while it lives
	entry Entry               // what a request came in through
	props goja.Value          // ctx.props, once it was looked at

	inFlight  int    // I/O whose result has not arrived
	untracked bool   // there is I/O that inFlight does not count
	afterTurn func() // called after each turn while the context lives

	// onFail is called when the context is ended by force.
	onFail     func(*durable.Error)
	pending    int    // promises given to waitUntil that are not settled
	onIdle     func() // called when pending falls to 0
	waitFailed error  // what the last such promise was rejected with
	whenDone   func() // called when the context ends because its work is done
	building   bool   // the constructor of the object runs
	timers     int    // how many are set
	sent       int    // subrequests of a request; those of an object are its invocations'
	// owned is what stops with the context (its timers, streams that it has not
	// read), with a number for the order.
	owned map[stopper]uint64
	owns  uint64
	refs  session // what it shares with other contexts by reference
}

// stopper is something that ends with its context.
type stopper interface{ stop() }

// own ties s to the context. While there is anything owned, an object stays in
// memory (measured on workerd, for timers of both kinds).
func (c *IOContext) own(s stopper) {
	if c.owned == nil {
		c.owned = make(map[stopper]uint64)
	}
	if c.act != nil && len(c.owned) == 0 {
		c.act.Pin()
	}
	c.owns++
	c.owned[s] = c.owns
}

func (c *IOContext) disown(s stopper) {
	if _, ok := c.owned[s]; !ok {
		return
	}
	delete(c.owned, s)
	if c.act != nil && len(c.owned) == 0 {
		c.act.Unpin()
	}
}

func (c *IOContext) stopOwned() {
	owned := c.owned
	c.owned = nil
	// In order: what stops may be heard elsewhere.
	for _, s := range slices.SortedFunc(maps.Keys(owned), func(a, b stopper) int { return cmp.Compare(owned[a], owned[b]) }) {
		s.stop()
	}
}

// fail ends the context by force with an error for whoever waits for it.
func (c *IOContext) fail(err *durable.Error) {
	if c.dead != nil {
		return
	}
	c.dead = err
	c.ended(true)
	c.stopOwned()
	c.closeRefs(err)
	if c.act != nil {
		c.act.Break(err)
	}
	if c.onFail != nil {
		c.onFail(err)
	}
}

// end ends the context because its work is done.
func (c *IOContext) end() {
	if c.dead == nil {
		c.dead = errContextOver
		c.ended(false)
		c.stopOwned()
		why := errContextOver
		if c.act != nil && c.act.Broken() != nil {
			why = c.act.Broken()
		}
		c.closeRefs(why)
		if c.whenDone != nil {
			c.whenDone()
		}
	}
}

// linger says that the work of the context is done, but lets what it has started
// go on.
func (c *IOContext) linger() {
	c.ended(false)
	if done := c.whenDone; done != nil {
		c.whenDone = nil
		done()
	}
}

// ended tells what looks for stubs that nobody disposes of.
func (c *IOContext) ended(forced bool) {
	if u := c.iso.undisposed(); u != nil && c.act == nil {
		u.end(c, forced)
	}
}

var errContextOver = &durable.Error{Name: "Error", Message: "The execution context which hosts this callback is no longer running."}

// errTurnLimit is what ends a turn that takes too long. The first sentences are
// the platform's (https://developers.cloudflare.com/durable-objects/observability/troubleshooting/).
func errTurnLimit(object bool, d time.Duration) *durable.Error {
	what := "Worker exceeded CPU time limit."
	if object {
		what = "Durable Object exceeded its CPU time limit and was reset."
	}
	return &durable.Error{
		Name: "Error", Reset: object,
		Message: fmt.Sprintf("%s (A turn of JavaScript took longer than %v.)", what, d),
	}
}

// errOverflow is V8's error. goja cannot throw it where the stack overflows.
func errOverflow() *durable.Error {
	return &durable.Error{Name: "RangeError", Message: "Maximum call stack size exceeded", Remote: true}
}

// falsePromise reports whether goja has failed in an await of what is no promise
// and yet has Promise as its constructor: it takes that for a promise without a
// look.
func falsePromise(err error) bool {
	var failed *runtime.TypeAssertionError
	return errors.As(err, &failed) && strings.HasSuffix(failed.Error(), "not *goja.Promise")
}

// errFalsePromise is what the call fails with. Nothing can be thrown where that
// happens.
func errFalsePromise() *durable.Error {
	return &durable.Error{Name: "TypeError", Message: "durashim: await of an object that is no promise, although its constructor is Promise", Remote: true}
}

// event is what a frame was started by: a call that can be made to fail.
type event interface {
	fail(*durable.Error)
}

// frame is the asynchronous context of code: it goes from a function to what it
// calls and to what continues after its awaits. Frames are immutable.
type frame struct {
	ctx    *IOContext
	serves uint64             // numbers the call of an object that the code stems from, even by a timer; 0: none
	event  event              // the call that the code serves; nil for timers and the like
	gate   *durable.InputGate // through which events of this code enter; nil: no gate
	local  goja.Value         // the state of AsyncLocalStorage; nil: none
	// env and exports stand in for those of cloudflare:workers; nil: they do not.
	env, exports *goja.Object
}

// enter runs fn as a turn of this frame once the gate lets it in. It must be
// called on the loop, outside of turns.
func (f *frame) enter(fn func()) {
	if f.ctx.dead != nil {
		return
	}
	if f.gate == nil {
		f.ctx.iso.turn(f, fn)
		return
	}
	f.gate.Enter(func() { f.ctx.iso.turn(f, fn) })
}

// post runs fn as a later turn of this frame. It may be called from any
// goroutine.
func (f *frame) post(fn func()) {
	f.ctx.iso.Loop.Post(func() { f.enter(fn) })
}

// overflowed deals with a stack overflow in code of this frame. It cannot be
// caught in JavaScript, so the call fails; if the code held the input gate
// closed, nobody would open it again, so then the object is reset.
func (f *frame) overflowed(err *durable.Error) {
	switch {
	case f.gate != nil && f.gate.InSection(), f.ctx == &f.ctx.iso.startup, f.ctx.building:
		err.Reset, err.Remote = f.ctx.act != nil, false
		f.ctx.fail(err)
	case f.event != nil:
		f.event.fail(err)
	default:
		f.ctx.iso.uncaught("Uncaught " + err.Stack)
	}
}

// threw deals with an exception in code of this frame that the host did not
// expect.
func (f *frame) threw(v goja.Value) {
	iso := f.ctx.iso
	if f.event == nil {
		iso.reportError(v)
		return
	}
	f.event.fail(remote(iso.errorOf(v, "")))
}

// tracker carries frames across awaits; it implements goja.AsyncContextTracker.
type tracker struct{ iso *Isolate }

func (t tracker) Grab() any { return t.iso.cur }

func (t tracker) Resumed(x any) {
	f, _ := x.(*frame)
	if f == nil {
		return
	}
	t.iso.cur = f
	if f.ctx.dead != nil {
		// Code of a context that has ended must not run. The interrupt takes
		// effect at its first instruction.
		t.iso.rt.Interrupt(abortMark{})
	}
}

func (t tracker) Exited() { t.iso.cur = t.iso.turnFrame }

// deferred is a promise that I/O will settle in a turn of the frame that asked
// for it.
type deferred struct {
	frame   *frame
	promise goja.Value
	outcome resolver
	pinned  *durable.Activation // the object that waits, until the promise is settled
	open    bool                // not settled yet
}

// newDeferred makes a promise for the code that runs now.
func (iso *Isolate) newDeferred() *deferred {
	d := &deferred{frame: iso.cur, outcome: iso.newPromise(), open: true}
	d.promise = d.outcome.value
	d.frame.ctx.inFlight++
	if d.pinned = d.frame.ctx.act; d.pinned != nil {
		d.pinned.Pin()
	}
	return d
}

// resolve and reject settle the promise within a turn; the object waits no more.
func (d *deferred) resolve(v any) error { d.unpin(); return d.outcome.resolve(v) }
func (d *deferred) reject(v any) error  { d.unpin(); return d.outcome.reject(v) }

func (d *deferred) unpin() {
	if d.open {
		d.open = false
		d.frame.ctx.inFlight--
	}
	if d.pinned != nil {
		d.pinned.Unpin()
		d.pinned = nil
	}
}

// settle settles the promise within a turn, with what make returns or throws.
func (d *deferred) settle(make func() goja.Value) {
	var v goja.Value
	if ex := d.frame.ctx.iso.rt.Try(func() { v = make() }); ex != nil {
		d.must(d.reject(ex.Value()))
		return
	}
	d.must(d.resolve(v))
}

func (d *deferred) must(err error) {
	if err != nil {
		panic(err) // a forced end; guard deals with it
	}
}

// later settles the promise in a turn to come. It may be called from any
// goroutine.
func (d *deferred) later(make func() goja.Value) {
	d.frame.post(func() { d.settle(make) })
}
