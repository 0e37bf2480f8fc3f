package durable

import "sync"

// Stub is the caller's end of a connection to an object. It is safe for use by
// many goroutines; calls start in the order in which they are made.
type Stub struct {
	engine    *Engine
	transport Transport
	target    Target
	opts      RetryOptions
	retries   bool
	caller    string

	mu      sync.Mutex
	session uint64
	broken  *Error
}

// StubConfig says how a stub calls.
type StubConfig struct {
	Engine    *Engine
	Transport Transport
	Target    Target
	Retry     RetryOptions
	// Retries is true for stubs that came from get or getByName of a namespace.
	// Stubs received as arguments or results are never retried (announcement).
	Retries bool
	// Caller names who calls, for the timeline.
	Caller string
}

// NewStub returns a stub that is not connected yet.
func NewStub(c StubConfig) *Stub {
	return &Stub{engine: c.Engine, transport: c.Transport, target: c.Target,
		opts: c.Retry, retries: c.Retries, caller: c.Caller}
}

// Sent returns the stub that a receiver gets when this one is an argument or a
// result: it calls the same object, and its calls are never retried
// (announcement). caller names who will call.
func (s *Stub) Sent(caller string) *Stub {
	return NewStub(StubConfig{Engine: s.engine, Transport: s.transport, Target: s.target, Retry: s.opts, Caller: caller})
}

// Target returns the object that the stub calls.
func (s *Stub) Target() Target { return s.target }

// Call starts a call; done is called once with its end, from any goroutine,
// possibly before Call returns. The stub remembers the life of the object that
// answered: when that life ends by a reset, the stub fails for ever with the
// error of the reset, as on workerd.
func (s *Stub) Call(op Op, done func(Result, *Error)) *Call {
	c := &Call{
		stub: s, transport: s.transport, op: op, done: done,
		eligible: s.retries && op.Replayable && s.opts.maxRetries > 0,
	}
	s.mu.Lock()
	broken := s.broken
	c.session = s.session
	s.mu.Unlock()
	if broken != nil {
		c.transport = deadTransport{broken}
	}
	c.start()
	return c
}

// learn takes from the last reply of a call what it says of the connection.
func (s *Stub) learn(r *Reply) {
	if r.Session == 0 && !r.Broken {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Session != 0 {
		s.session = r.Session
	}
	if r.Broken && s.broken == nil {
		s.broken = r.Err.local()
	}
}

// deadTransport is the transport of a broken stub.
type deadTransport struct{ err *Error }

func (t deadTransport) Send(a *Attempt) {
	a.Done(Reply{Delivery: NotDelivered, Err: t.err, Broken: true})
}

func (deadTransport) Cancel(*Attempt) {}
