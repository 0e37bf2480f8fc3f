package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/govalue"
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

// RetryOption is an option of a stub, as the `retry` field of get() and
// getByName() in JavaScript.
type RetryOption func(*durable.RetryOptions) error

// MaxRetries sets how many attempts may follow the first: 0 to 10, by default 4.
func MaxRetries(n int) RetryOption {
	return func(o *durable.RetryOptions) error { return o.SetMaxRetries(float64(n)) }
}

// RetryTimeoutMs sets the retry window in milliseconds: 500 to 60000, by default
// 10000. No retry starts later than that after the call.
func RetryTimeoutMs(ms int) RetryOption {
	return func(o *durable.RetryOptions) error { return o.SetTimeout(float64(ms)) }
}

// GetByName returns a stub for the object of a name. Bad options make every call
// fail with their RangeError.
func (n *Namespace) GetByName(name string, options ...RetryOption) *Stub {
	if n.err != nil {
		return &Stub{err: n.err}
	}
	return n.stub(n.ns.IDs.FromName(name), name, options)
}

// GetByID returns a stub for an id in 64 hex digits. An id that is not of this
// namespace makes every call fail with its TypeError.
func (n *Namespace) GetByID(id string, options ...RetryOption) *Stub {
	if n.err != nil {
		return &Stub{err: n.err}
	}
	oid, err := n.ns.IDs.FromString(id)
	if err != nil {
		return &Stub{err: err}
	}
	return n.stub(oid, "", options)
}

// IDFromName returns the id of a name, in hex.
func (n *Namespace) IDFromName(name string) (string, error) {
	if n.err != nil {
		return "", n.err
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

// ID returns the object's id in hex.
func (s *Stub) ID() string {
	if s.stub == nil {
		return ""
	}
	return s.stub.Target().ID.String()
}

// Call calls a method and waits for its result. Arguments are Go values: bool,
// numbers, strings, []byte (Uint8Array), time.Time (Date), *big.Int (BigInt),
// slices, maps, and structs by the rules of encoding/json's tags.
//
// What the object throws, and what the connection to it does, comes back as a
// [*Error]. When ctx ends first the call is cancelled and the error is the
// context's.
func (s *Stub) Call(ctx context.Context, method string, args ...any) (Value, error) {
	if s.err != nil {
		return Value{}, s.err
	}
	if args == nil {
		args = []any{}
	}
	data, err := govalue.Marshal(args)
	if err != nil {
		return Value{}, fmt.Errorf("calling %s: %w", method, err)
	}
	res, err := s.do(ctx, durable.Op{Kind: durable.RPC, Method: method, Args: data, Replayable: true})
	if err == nil && res.Refs != nil {
		res.Refs.Drop()
		return Value{}, fmt.Errorf("calling %s: durashim does not implement functions, RpcTargets, stubs, streams, Request and Response in results for Go", method)
	}
	return Value{res.Value}, err
}

// do makes a call and waits for its end.
func (s *Stub) do(ctx context.Context, op durable.Op) (durable.Result, error) {
	g := &goCall{ctx: ctx, done: make(chan struct{})}
	op.Origin = g
	c := s.stub.Call(op, g.end)
	if err := s.rt.sched.Wait(ctx, g.done); err != nil {
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
	if s.err != nil {
		return nil, s.err
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

// Value is what a method returned.
type Value struct{ data []byte }

// Decode stores the value in what target points to, by the rules of
// encoding/json's tags. A value that does not fit is an error that names the
// place in it.
func (v Value) Decode(target any) error {
	if v.data == nil {
		return errors.New("no value")
	}
	return govalue.Unmarshal(v.data, target)
}

// Data returns the value in V8's structured-clone format; nil for no value. It must
// not be modified.
func (v Value) Data() []byte { return v.data }

// Any returns the value as a Go value: float64 for every number, string, bool,
// nil for null and undefined, map[string]any, []any, []byte, time.Time,
// *big.Int.
func (v Value) Any() (any, error) {
	var x any
	err := v.Decode(&x)
	return x, err
}
