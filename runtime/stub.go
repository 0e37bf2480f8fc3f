package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
)

// Error is what a call fails with; see [durable.Error]. errors.Is knows
// durable.ErrRetryable, ErrOverloaded, ErrRemote and ErrReset.
type Error = durable.Error

// goCaller is how the Go API calls itself on the timeline and in faults.
const goCaller = "go"

// Namespace is a Durable Object binding of the first worker.
type Namespace struct {
	rt  *Runtime
	ns  *durable.Namespace
	err error // there is no such binding; every call says so
}

// Namespace returns the binding of a name. When there is none, calls through it
// fail with an error that lists those there are.
func (rt *Runtime) Namespace(binding string) *Namespace {
	for _, b := range rt.workers[0].env {
		if b.Namespace != nil && b.Name == binding {
			return &Namespace{rt: rt, ns: b.Namespace}
		}
	}
	return &Namespace{rt: rt, err: rt.unknownBinding(binding)}
}

// usable returns why calls through the namespace fail; nil if they do not.
func (n *Namespace) usable() error {
	if n.ns == nil && n.err == nil {
		return errors.New("a zero runtime.Namespace has no objects; Runtime.Namespace returns one that has")
	}
	return n.err
}

// RetryOption is an option of a stub, as the `retry` field of get() and
// getByName() in JavaScript.
type RetryOption func(*durable.RetryOptions) error

// MaxRetries sets how many attempts may follow the first: 0 to 10, by default 4.
func MaxRetries(n int) RetryOption {
	return func(o *durable.RetryOptions) error { return o.SetMaxRetries(float64(n)) }
}

// RetryTimeout sets the retry window: whole milliseconds from 500 to 60000, by
// default 10 seconds. No retry starts later than that after the call.
func RetryTimeout(d time.Duration) RetryOption {
	return func(o *durable.RetryOptions) error { return o.SetTimeout(float64(d) / float64(time.Millisecond)) }
}

// GetByName returns a stub for the object of a name. Bad options make every call
// fail with their RangeError.
func (n *Namespace) GetByName(name string, options ...RetryOption) *Stub {
	if err := n.usable(); err != nil {
		return &Stub{err: err}
	}
	return n.stub(n.ns.IDs.FromName(name), name, options)
}

// GetByID returns a stub for an id in 64 hex digits. An id that is not of this
// namespace makes every call fail with its TypeError.
func (n *Namespace) GetByID(id string, options ...RetryOption) *Stub {
	if err := n.usable(); err != nil {
		return &Stub{err: err}
	}
	oid, err := n.ns.IDs.FromString(id)
	if err != nil {
		return &Stub{err: err}
	}
	return n.stub(oid, "", options)
}

// IDFromName returns the id of a name, in hex.
func (n *Namespace) IDFromName(name string) (string, error) {
	if err := n.usable(); err != nil {
		return "", err
	}
	return n.ns.IDs.FromName(name).String(), nil
}

func (n *Namespace) stub(id durable.ObjectID, name string, options []RetryOption) *Stub {
	retry := durable.DefaultRetry()
	for _, o := range options {
		if err := o(&retry); err != nil {
			return &Stub{err: err}
		}
	}
	return &Stub{rt: n.rt, stub: n.ns.Get(id, name, retry, goCaller)}
}

// Stub calls one object. It is safe for use by many goroutines.
type Stub struct {
	rt   *Runtime
	stub *durable.Stub
	err  error
}

// usable returns why calls fail, whatever they are.
func (s *Stub) usable() error {
	if s.stub == nil && s.err == nil {
		return errors.New("a zero runtime.Stub calls no object; Namespace.GetByName makes one that does")
	}
	return s.err
}

// ID returns the object's id in hex, or "" if all calls through the stub fail.
func (s *Stub) ID() string {
	if s.stub == nil {
		return ""
	}
	return s.stub.Target().ID.String()
}

// Call calls a method and waits for its result. Arguments are Go values: bool,
// numbers, strings, []byte (Uint8Array), time.Time (Date), *big.Int (BigInt),
// slices, maps, and structs by the rules of encoding/json's tags. These arrive by
// reference, alone or anywhere in those:
//
//	a function, a *Target, a *Ref     RpcStub
//	*Stub                             stub of an object
//	io.Reader                         ReadableStream of bytes
//	io.Writer                         WritableStream
//	*http.Request, *http.Response     Request, Response
//	http.Header                       Headers (by value)
//
// A function may take a context first, and return an error last; a script that
// calls it gets its result, an array if there are several, or its error: a
// [*Error] with class and flags, any other error as an Error with its text.
// Arguments that the script leaves out are zero. The calls of one function, or of
// one target, run in their order and one at a time, except that the next one
// starts when one waits for something of this package. The function's context
// ends with the execution context of the script that called it and with the
// runtime, not with ctx, whose values it has. A panic becomes an Error. Scripts may
// keep a function beyond the call that it was an argument of, as JavaScript
// allows: by dup().
//
// Under a virtual clock the clock stands still while a function runs, and moves
// while it waits with its context.
//
// A reader or writer that is an io.Closer is closed when the stream has ended or
// was cancelled, and when the script that holds it is gone.
//
// A call with anything by reference among its arguments is never retried.
//
// What the object throws, and what the connection to it does, comes back as a
// [*Error]. When ctx ends first the call is cancelled and the error is the
// context's.
func (s *Stub) Call(ctx context.Context, method string, args ...any) (Value, error) {
	if err := s.usable(); err != nil {
		return Value{}, err
	}
	data, refs, err := s.rt.encodeArguments(ctx, args)
	if err != nil {
		return Value{}, callError(method, err)
	}
	res, err := s.do(ctx, durable.Op{Kind: durable.RPC, Method: method, Args: data, Refs: refs, Replayable: refs == nil})
	if refs != nil {
		refs.Drop() // what the object has not taken
	}
	if err != nil {
		return Value{}, err
	}
	return s.rt.value(ctx, res), nil
}

// Get reads a property of the object, as `await stub.property` does in
// JavaScript; a method comes as a reference. What is said of [Stub.Call] holds
// here too.
func (s *Stub) Get(ctx context.Context, property string) (Value, error) {
	if err := s.usable(); err != nil {
		return Value{}, err
	}
	res, err := s.do(ctx, durable.Op{Kind: durable.Get, Method: property, Replayable: true})
	if err != nil {
		return Value{}, err
	}
	return s.rt.value(ctx, res), nil
}

// do makes a call and waits for its end.
func (s *Stub) do(ctx context.Context, op durable.Op) (durable.Result, error) {
	g := &goCall{ctx: ctx, done: make(chan struct{})}
	op.Origin = g
	c := s.stub.Call(op, g.end)
	if err := s.rt.wait(ctx, g.done); err != nil {
		c.Cancel(&durable.Error{Name: "AbortError", Message: err.Error()})
		<-g.done
		return durable.Result{}, err
	}
	if g.err != nil {
		return durable.Result{}, g.err
	}
	return g.res, nil
}

// Fetch sends a request to the object's fetch handler. The URL must be absolute;
// its host means nothing. The request's body is read first, so that the call can
// be retried.
func (s *Stub) Fetch(ctx context.Context, req *http.Request) (*http.Response, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	msg, err := message(req)
	if err != nil {
		return nil, err
	}
	res, err := s.do(ctx, durable.Op{Kind: durable.Fetch, Method: "fetch", Request: msg, Replayable: msg.Body.Replayable()})
	if err != nil {
		return nil, err
	}
	return s.rt.response(ctx, req, res.Response, nil), nil
}

// message reads a request of net/http whole.
func message(req *http.Request) (*httpmsg.Request, error) {
	scheme := "http"
	if req.TLS != nil || req.URL.Scheme == "https" {
		scheme = "https"
	}
	msg := httpmsg.RequestFromHTTP(req, scheme)
	if err := msg.Buffer(-1); err != nil {
		return nil, fmt.Errorf("reading the request's body: %w", err)
	}
	return msg, nil
}
