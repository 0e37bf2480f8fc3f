package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge"
)

// Ref is a reference to a function, an RpcTarget, a plain object or a service of
// a script: what is an RpcStub, or the stub of a service, in JavaScript. It comes
// out of a [Value], or as an argument of a Go function that a script calls, and
// can be sent like any other value. It is safe for use by many goroutines.
//
// The script keeps what it refers to, and the object that made it stays in
// memory, until every reference is closed: a Ref with the [Value] that it came
// out of, or when the Go function that it is an argument of returns, or with
// [Ref.Close], or with the runtime. [Ref.Dup] makes one that lasts.
type Ref struct {
	rt      *Runtime
	service jsbridge.Service // nil unless it is one

	mu     sync.Mutex
	target jsbridge.Ref // nil: closed
}

// errRefClosed is the platform's error for the same mistake.
var errRefClosed = &durable.Error{Name: "Error", Message: "RPC stub used after being disposed."}

// errNoRef is the error of calls through a nil or a zero Ref.
var errNoRef = errors.New("the *runtime.Ref is nil or zero and refers to nothing; a Ref comes out of a Value")

// newRef takes over a reference. service is nil unless it is one.
func (rt *Runtime) newRef(target jsbridge.Ref, service jsbridge.Service) *Ref {
	r := &Ref{rt: rt, target: target, service: service}
	rt.held.add(r)
	return r
}

// Call calls a method and waits for its result, as [Stub.Call] does. It is never
// retried. When ctx ends first, the error is the context's; the script goes on.
func (r *Ref) Call(ctx context.Context, method string, args ...any) (Value, error) {
	return r.call(ctx, durable.Op{Kind: durable.RPC, Method: method}, args)
}

// Invoke calls the function that r refers to.
func (r *Ref) Invoke(ctx context.Context, args ...any) (Value, error) {
	return r.call(ctx, durable.Op{Kind: durable.RPC}, args)
}

// Get reads a property; methods come as references.
func (r *Ref) Get(ctx context.Context, property string) (Value, error) {
	return r.call(ctx, durable.Op{Kind: durable.Get, Method: property}, nil)
}

func (r *Ref) call(ctx context.Context, op durable.Op, args []any) (Value, error) {
	target, err := r.open()
	if err != nil {
		return Value{}, err
	}
	if op.Kind == durable.RPC {
		if op.Args, op.Refs, err = r.rt.encodeArguments(ctx, args); err != nil {
			return Value{}, callError(op.Method, err)
		}
	}
	return r.rt.call(ctx, func(done func(durable.Result, *durable.Error)) func() {
		cancel := target.Call(op, func(res durable.Result, e *durable.Error) {
			done(res, e)
			if op.Refs != nil {
				op.Refs.Drop() // what the callee has not taken
			}
		})
		return cancel
	})
}

// open returns the target unless the reference is closed.
func (r *Ref) open() (jsbridge.Ref, error) {
	if r == nil {
		return nil, errNoRef
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.rt == nil:
		return nil, errNoRef
	case r.target == nil && r.rt.closed.Load():
		return nil, errClosed
	case r.target == nil:
		return nil, errRefClosed
	}
	return r.target, nil
}

// retained returns the entry for a message's table.
func (r *Ref) retained() (any, error) {
	target, err := r.open()
	if err != nil {
		return nil, err
	}
	if r.service != nil {
		return r.service, nil
	}
	target.Retain()
	return target, nil
}

// Dup returns another reference to the same thing, which lasts until it is closed
// itself or the runtime is.
func (r *Ref) Dup() (*Ref, error) {
	target, err := r.open()
	if err != nil {
		return nil, err
	}
	target.Retain()
	return r.rt.newRef(target, r.service), nil
}

// Close gives up the reference; after the last one the script's disposer is
// called. Calls in flight go on. Only the first call does something, and the
// error is always nil.
func (r *Ref) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	target := r.target
	r.target = nil
	r.mu.Unlock()
	if target != nil {
		r.rt.held.remove(r)
		target.Release()
	}
	return nil
}

// Fetch sends a request to the service that r refers to. It fails for anything
// else. What is said of [Runtime.Fetch] holds here too.
func (r *Ref) Fetch(ctx context.Context, req *http.Request) (*http.Response, error) {
	if _, err := r.open(); err != nil {
		return nil, err
	}
	c, ok := r.service.(canceler)
	if !ok {
		return nil, errors.New("the reference is not to a service, so it has no fetch")
	}
	return r.rt.fetchHTTP(ctx, c, req)
}

// serviceRef makes a reference of a service, which nobody counts.
type serviceRef struct{ jsbridge.Service }

// Call implements [jsbridge.Ref].
func (s serviceRef) Call(op durable.Op, done func(durable.Result, *durable.Error)) func() {
	rpc, ok := s.Service.(jsbridge.RPCService)
	if !ok {
		done(durable.Result{}, &durable.Error{Name: "Error", Message: "durashim does not implement RPC on this binding"})
		return nil
	}
	rpc.Call(op, done)
	return nil
}

// Retain implements [jsbridge.Ref].
func (serviceRef) Retain() {}

// Release implements [jsbridge.Ref].
func (serviceRef) Release() {}

// held is what of scripts Go code holds: a [*Ref], or the references of a Value.
type held interface{ forget() }

// heldRefs are those of a runtime.
type heldRefs struct {
	mu     sync.Mutex
	all    map[held]struct{}
	closed bool
}

func (h *heldRefs) add(r held) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		r.forget() // nobody counts any more
		return
	}
	if h.all == nil {
		h.all = map[held]struct{}{}
	}
	h.all[r] = struct{}{}
}

func (h *heldRefs) remove(r held) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, r)
}

// close makes all forget what they lead to: the scripts are gone, and there is
// nothing to release.
func (h *heldRefs) close() {
	h.mu.Lock()
	all := h.all
	h.all, h.closed = nil, true
	h.mu.Unlock()
	for r := range all {
		r.forget()
	}
}

// forget implements [held].
func (r *Ref) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.target, r.service = nil, nil
}

// callError says which call could not be made.
func callError(method string, err error) error {
	if method == "" {
		method = "the function"
	}
	return fmt.Errorf("calling %s: %w", method, err)
}

// call makes a call and waits for its end.
func (rt *Runtime) call(ctx context.Context, start func(done func(durable.Result, *durable.Error)) (cancel func())) (Value, error) {
	// Not the results themselves: the end may come after the wait was given up.
	var mu sync.Mutex
	var res durable.Result
	var failed *durable.Error
	givenUp := false
	done := make(chan struct{})
	cancel := start(func(r durable.Result, e *durable.Error) {
		mu.Lock()
		res, failed = r, e
		late := givenUp
		mu.Unlock()
		close(done)
		if late && r.Refs != nil {
			r.Refs.Drop()
		}
	})
	err := rt.wait(ctx, done)
	mu.Lock()
	defer mu.Unlock()
	if err != nil {
		givenUp = true
		if cancel != nil {
			cancel()
		}
		if res.Refs != nil {
			res.Refs.Drop()
		}
		return Value{}, err
	}
	if failed != nil {
		return Value{}, failed
	}
	return rt.value(ctx, res), nil
}

// fetchHTTP sends a request of net/http to a service.
func (rt *Runtime) fetchHTTP(ctx context.Context, to canceler, req *http.Request) (*http.Response, error) {
	msg := httpmsg.RequestFromHTTP(req, "http")
	msg.Redirect = "manual"
	msg.Body = httpmsg.NoBody()
	if req.Body != nil && req.ContentLength == 0 {
		if req.Body != http.NoBody {
			msg.Body = httpmsg.StreamBody(req.Body, httpmsg.UnknownLength) // as net/http's clients have it
		}
	} else if err := requestBody(msg, req); err != nil {
		return nil, fmt.Errorf("reading the request's body: %w", err)
	}
	res, cancel, err := rt.fetch(ctx, to, msg)
	if err != nil {
		return nil, err
	}
	return rt.response(ctx, req, res, cancel), nil
}
