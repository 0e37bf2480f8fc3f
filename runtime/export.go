package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/govalue"
	"github.com/durashim/durashim/jsbridge"
)

// exported is a Go function or target in the hands of scripts. It implements
// [jsbridge.Ref].
//
// Calls run on goroutines of their own, one after another: the next one starts
// when the one before has returned, or waits for something of this package, which
// may be just what the next one brings.
type exported struct {
	rt      *Runtime
	number  uint64
	ctx     context.Context // ends with the runtime
	self    reflect.Value   // the function; invalid for a target
	target  *Target
	dispose func() error // nil for none

	mu      sync.Mutex
	refs    int
	queue   []*funcCall
	current *funcCall // the last one that was started, unless it has let the next one start
	running int       // calls that have begun
	over    bool      // disposed of
}

// funcCall is a call of something exported.
type funcCall struct {
	x      *exported
	op     durable.Op
	done   func(durable.Result, *durable.Error)
	ctx    context.Context
	cancel context.CancelCauseFunc
	state  funcCallState // x.mu guards it
}

type funcCallState uint8

const (
	funcCallQueued funcCallState = iota
	funcCallBegun
	funcCallDropped
)

// exports are the Go values that scripts hold, and the calls of them that run.
type exports struct {
	mu      sync.Mutex
	all     map[*exported]struct{}
	sources map[*goSource]struct{} // those that have to be closed
	running []*funcCall
	count   atomic.Int32 // of running
	last    uint64       // number given
	ctx     context.Context
	cancel  context.CancelCauseFunc
}

// errCallerGone is why the context of a Go function ends early: the script that
// called it will not see the result.
var errCallerGone = errors.New("the script that made the call has ended")

// export makes something that scripts can hold, with one reference to it. values
// is the context whose values the functions see.
func (rt *Runtime) export(values context.Context, x *exported) (*exported, error) {
	e := &rt.exports
	e.mu.Lock()
	defer e.mu.Unlock()
	if rt.closed.Load() {
		return nil, errClosed
	}
	if e.all == nil {
		e.all = map[*exported]struct{}{}
		e.ctx, e.cancel = context.WithCancelCause(context.Background())
	}
	e.last++
	x.rt, x.number, x.refs = rt, e.last, 1
	x.ctx = sessionContext{e.ctx, values}
	e.all[x] = struct{}{}
	return x, nil
}

// sessionContext lives as long as the runtime and has the values of a caller's
// context.
type sessionContext struct {
	context.Context
	values context.Context
}

// Value implements context.Context.
func (c sessionContext) Value(key any) any {
	if v := c.Context.Value(key); v != nil {
		return v
	}
	return c.values.Value(key)
}

// Retain implements [jsbridge.Ref].
func (x *exported) Retain() {
	x.mu.Lock()
	x.refs++
	x.mu.Unlock()
}

// Release implements [jsbridge.Ref].
func (x *exported) Release() {
	x.mu.Lock()
	x.refs--
	end := x.ends()
	x.mu.Unlock()
	if end {
		x.rt.spawn(context.Background(), func(context.Context) { x.end() })
	}
}

// ends reports that nobody can use the value any more. The lock is held.
func (x *exported) ends() bool {
	return x.refs <= 0 && x.running == 0 && len(x.queue) == 0 && x.current == nil && !x.over
}

// end disposes of the value, once.
func (x *exported) end() {
	x.mu.Lock()
	ends := x.ends()
	x.over = x.over || ends
	x.mu.Unlock()
	if !ends {
		return
	}
	e := &x.rt.exports
	e.mu.Lock()
	delete(e.all, x)
	e.mu.Unlock()
	if x.dispose == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			x.rt.log.Error("panic while a Go value was disposed of", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	if err := x.dispose(); err != nil {
		x.rt.log.Error("disposing of a Go value failed", "error", err)
	}
}

// Call implements [jsbridge.Ref].
func (x *exported) Call(op durable.Op, done func(durable.Result, *durable.Error)) (cancel func()) {
	c := &funcCall{x: x, op: op, done: done}
	c.ctx, c.cancel = context.WithCancelCause(context.WithValue(x.ctx, turnKey{}, c))
	x.mu.Lock()
	over := x.over
	if !over {
		x.queue = append(x.queue, c)
	}
	x.mu.Unlock()
	if over {
		c.cancel(nil)
		done(durable.Result{}, errClosed)
		return nil
	}
	x.next(nil)
	return func() { c.cancel(errCallerGone) }
}

// next starts the next call after c has returned or lets it. With nil it starts
// one only if none runs.
func (x *exported) next(c *funcCall) {
	x.mu.Lock()
	if x.current != c {
		x.mu.Unlock()
		return
	}
	x.current = nil
	if len(x.queue) == 0 {
		x.mu.Unlock()
		return
	}
	c = x.queue[0]
	x.queue = slices.Delete(x.queue, 0, 1)
	x.current = c
	x.mu.Unlock()
	x.rt.spawn(c.ctx, c.run)
}

// spawn runs code of the embedding program on a goroutine of its own.
func (rt *Runtime) spawn(ctx context.Context, f func(context.Context)) {
	if rt.closed.Load() {
		go f(ctx) // perhaps nobody drives a virtual clock any more
		return
	}
	rt.sched.Go(ctx, f)
}

// run makes the call; it is the goroutine's function.
func (c *funcCall) run(ctx context.Context) {
	x, e := c.x, &c.x.rt.exports
	x.mu.Lock()
	dropped := c.state == funcCallDropped
	if !dropped {
		c.state = funcCallBegun
		x.running++
	}
	x.mu.Unlock()
	if dropped {
		return
	}
	e.mu.Lock()
	e.running = append(e.running, c)
	e.count.Add(1)
	e.mu.Unlock()
	finished := false
	defer func() {
		if !finished {
			// A call of runtime.Goexit, as by FailNow of a test.
			c.done(durable.Result{}, &durable.Error{Name: "Error", Message: "the goroutine of the Go function has ended", Remote: true})
		}
		c.cancel(nil)
		e.mu.Lock()
		i := slices.Index(e.running, c)
		e.running = slices.Delete(e.running, i, i+1)
		e.count.Add(-1)
		e.mu.Unlock()
		x.next(c)
		x.mu.Lock()
		x.running--
		x.mu.Unlock()
		x.end()
	}()
	res, err := c.serve(ctx)
	finished = true
	c.done(res, err)
}

// serve calls the function.
func (c *funcCall) serve(ctx context.Context) (res durable.Result, failed *durable.Error) {
	in := c.x.rt.receive(ctx, c.op.Refs)
	defer in.release()
	defer func() {
		if p := recover(); p != nil {
			c.x.rt.log.Error("panic in a Go function that a script called", "panic", p, "stack", string(debug.Stack()))
			failed = &durable.Error{Name: "Error", Message: fmt.Sprint("the Go function panicked: ", p), Remote: true}
		}
	}()
	v, err := c.call(ctx, in)
	if err == nil {
		res, err = c.x.rt.encodeResult(ctx, v)
	}
	if err != nil {
		return durable.Result{}, remoteError(err)
	}
	return res, nil
}

func (c *funcCall) call(ctx context.Context, in *references) (any, error) {
	fn, name := c.x.self, "(this)"
	var path []string
	if c.op.Method != "" || len(c.op.Path) > 0 {
		path = append(c.op.Path[:len(c.op.Path):len(c.op.Path)], c.op.Method)
	}
	if len(path) > 0 {
		name = path[0]
		i, ok := -1, false
		if c.x.target != nil {
			i, ok = c.x.target.methods[name]
		}
		if !ok || len(path) > 1 {
			return nil, &durable.Error{Name: "TypeError", Message: fmt.Sprintf("The RPC receiver does not implement the method \"%s\".", path[len(path)-1])}
		}
		fn = c.x.target.v.Method(i)
	}
	if c.op.Kind == durable.Get {
		return fn.Interface(), nil
	}
	if !fn.IsValid() {
		return nil, &durable.Error{Name: "TypeError", Message: fmt.Sprintf("\"%s\" is not a function.", name)}
	}
	args, err := govalue.UnmarshalAny(c.op.Args, in.decodeHost)
	if err != nil {
		return nil, err
	}
	list, ok := args.([]any)
	if !ok {
		return nil, errors.New("the arguments of the call are no array")
	}
	return signatureOf(fn.Type()).call(ctx, fn, list, len(c.op.Args))
}

// remoteError is a Go error as scripts see it: a [*Error] with its class, its
// flags and the value that was thrown, anything else as an Error with its text.
func remoteError(err error) *durable.Error {
	e := &durable.Error{Name: "Error", Message: err.Error()}
	var d *durable.Error
	if errors.As(err, &d) {
		c := *d
		e = &c
	}
	if e.Thrown == nil && e.Name != "" && e.Name != "Error" {
		// Else only the classes that the language has keep their names.
		e.Thrown, _ = govalue.Marshal(&govalue.Error{Name: e.Name, Message: e.Message})
	}
	e.Remote = true
	return e
}

// turnKey finds in a context the call of a Go function that it belongs to.
type turnKey struct{}

// wait is the scheduler's Wait for everything that callers of this package wait
// for. A Go function that waits lets the next call of what it belongs to start.
func (rt *Runtime) wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	default:
	}
	if c, ok := ctx.Value(turnKey{}).(*funcCall); ok {
		c.x.next(c)
	} else if rt.exports.count.Load() > 0 {
		// It may be any of them, with a context that it has from elsewhere.
		rt.exports.mu.Lock()
		all := slices.Clone(rt.exports.running)
		rt.exports.mu.Unlock()
		for _, c := range all {
			c.x.next(c)
		}
	}
	return rt.sched.Wait(ctx, done)
}

// closeExports ends the contexts of all Go functions, and disposes of the values
// that scripts still hold; those with a call that runs when that is over.
func (rt *Runtime) closeExports() {
	e := &rt.exports
	e.mu.Lock()
	all := slices.SortedFunc(maps.Keys(e.all), func(a, b *exported) int { return cmp.Compare(a.number, b.number) })
	sources := e.sources
	e.sources = nil
	if e.cancel != nil {
		e.cancel(errClosed)
	}
	e.mu.Unlock()
	for _, x := range all {
		x.mu.Lock()
		x.refs = 0
		dropped := x.queue
		x.queue = nil
		// Perhaps nobody drives a virtual clock any more, so that it never begins.
		if c := x.current; c != nil && c.state == funcCallQueued {
			c.state = funcCallDropped
			x.current = nil
			dropped = append(dropped, c)
		}
		x.mu.Unlock()
		for _, c := range dropped {
			c.cancel(nil)
			c.done(durable.Result{}, errClosed)
		}
		x.end()
	}
	for s := range sources {
		s.close()
	}
}

var _ jsbridge.Ref = (*exported)(nil)
