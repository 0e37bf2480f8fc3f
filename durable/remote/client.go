package remote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

// ClientConfig says which host a client calls.
type ClientConfig struct {
	Address    string // host:port; loopback or private
	Key        []byte // at least MinKey bytes
	Project    string // the host must run the same one
	Namespaces []NamespaceID
	Scheduler  sched.Scheduler // the machine's clock
	Random     *random.Source
	Logger     *slog.Logger // nil: none
	Timing     Timing
	// Faults are the plans in force at this end; nil means none.
	Faults *durable.Faults
}

// Client calls the objects of one host over one connection, which it makes when
// there is something to send. It makes a new one with the first attempt after the
// old one has broken, and tries once for each: to try again is the business of the
// retry engine. It is safe for use by many goroutines.
type Client struct {
	cfg ClientConfig
	id  [16]byte
	ctx context.Context // ends with the client
	end context.CancelFunc

	mu         sync.Mutex
	cur        *clientLink // nil: none
	dialing    bool
	pending    []pending // attempts that wait for the connection
	generation uint64
	closed     bool
	inner      bool // plans may act inside the objects
	links      map[*clientLink]struct{}
	running    sync.WaitGroup
}

// pending is an attempt without a connection.
type pending struct {
	ns      NamespaceID
	attempt *durable.Attempt
	passage *durable.Passage // nil: no fault acts on it
}

// NewClient returns a client. The error says what is wrong with the key.
func NewClient(cfg ClientConfig) (*Client, error) {
	if err := checkKey(cfg.Key); err != nil {
		return nil, err
	}
	cfg.Timing = cfg.Timing.withDefaults()
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	c := &Client{cfg: cfg, links: map[*clientLink]struct{}{}}
	_, _ = cfg.Random.Read(c.id[:]) // never fails
	c.ctx, c.end = context.WithCancel(context.Background())
	return c, nil
}

func checkKey(key []byte) error {
	if len(key) < MinKey {
		return fmt.Errorf("remote: the key has %d bytes; it needs at least %d", len(key), MinKey)
	}
	return nil
}

// Transport returns the transport of a namespace, which must be one of the
// configuration's.
func (c *Client) Transport(ns NamespaceID) durable.Transport { return transport{c, ns} }

type transport struct {
	c  *Client
	ns NamespaceID
}

// Send implements [durable.Transport].
func (t transport) Send(a *durable.Attempt) {
	p := pending{t.ns, a, t.c.cfg.Faults.Begin(a)}
	if p.passage == nil {
		t.c.send(p)
		return
	}
	p.passage.Depart(func() {
		if r, stops := p.passage.Stops(); stops && r.Delivery == durable.NotDelivered {
			p.passage.Acts(time.Time{})
			a.Done(r)
			return
		}
		t.c.send(p)
	})
}

// Distant implements [durable.Distant].
func (transport) Distant() {}

// Cancel implements [durable.Transport].
func (t transport) Cancel(a *durable.Attempt) {
	t.c.mu.Lock()
	i := slices.IndexFunc(t.c.pending, func(p pending) bool { return p.attempt == a })
	if i >= 0 {
		t.c.pending = slices.Delete(t.c.pending, i, i+1)
	}
	var links []*clientLink
	for l := range t.c.links {
		links = append(links, l)
	}
	t.c.mu.Unlock()
	for _, l := range links {
		l.cancel(a)
	}
}

var errClosed = durable.Closed()

func (c *Client) send(p pending) {
	c.mu.Lock()
	switch l := c.cur; {
	case c.closed:
		c.mu.Unlock()
		p.attempt.Done(durable.Reply{Delivery: durable.NotDelivered, Err: errClosed})
		return
	case l != nil:
		c.mu.Unlock()
		if l.start(p) {
			return
		}
		c.drop(l)
		c.send(p) // with a new connection
		return
	}
	c.pending = append(c.pending, p)
	if !c.dialing {
		c.dialing = true
		c.generation++
		n := c.generation
		c.running.Go(func() { c.dial(n) })
	}
	c.mu.Unlock()
}

// drop says that a link takes no more attempts.
func (c *Client) drop(l *clientLink) {
	c.mu.Lock()
	if c.cur == l {
		c.cur = nil
	}
	c.mu.Unlock()
}

// dial makes a connection and starts what waits for it, or fails that.
func (c *Client) dial(generation uint64) {
	l, err := c.connect(generation)
	c.mu.Lock()
	closed := c.closed
	if err == nil && closed {
		err = errLinkClosed
		_ = l.conn.Close()
	}
	if err == nil {
		c.links[l] = struct{}{}
		c.running.Add(1)
		c.mu.Unlock()
		c.cfg.Logger.Debug("connected to the host", "address", c.cfg.Address)
		l.run()
		c.startPending(l)
		return
	}
	c.dialing = false
	waiting := c.pending
	c.pending = nil
	c.mu.Unlock()
	failed := durable.ConnectionLost()
	var refused *refusal
	switch {
	case closed:
		failed = errClosed
	case errors.As(err, &refused):
		failed = &durable.Error{Name: "Error", Message: "durashim: " + c.says(refused) + "."}
		c.cfg.Logger.Error("no connection to the host", "address", c.cfg.Address, "error", refused.text)
	default:
		c.cfg.Logger.Warn("no connection to the host", "address", c.cfg.Address, "error", err)
	}
	for _, p := range waiting {
		p.attempt.Done(durable.Reply{Delivery: durable.NotDelivered, Err: failed})
	}
}

// startPending starts on a new link what waits for it, in order, and then makes
// it the one that others start on: before that they would overtake.
func (c *Client) startPending(l *clientLink) {
	for {
		c.mu.Lock()
		waiting := c.pending
		c.pending = nil
		if len(waiting) == 0 {
			c.dialing = false
			c.cur = l
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		for _, p := range waiting {
			if !l.start(p) {
				p.attempt.Done(durable.Reply{Delivery: durable.NotDelivered, Err: durable.ConnectionLost()})
			}
		}
	}
}

func (c *Client) connect(generation uint64) (*clientLink, error) {
	ctx, cancel := context.WithCancelCause(c.ctx)
	defer cancel(nil)
	timer := c.cfg.Scheduler.AfterFunc(c.cfg.Timing.Handshake, sched.Needed, "connecting to the host", func() {
		cancel(errors.New("remote: the host did not answer in time"))
	})
	defer timer.Stop()
	conn, err := newDialer().DialContext(ctx, "tcp", c.cfg.Address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	c.mu.Lock()
	inner := c.inner
	c.mu.Unlock()
	intro := &introduction{client: c.id, generation: generation, project: c.cfg.Project, namespaces: c.cfg.Namespaces, faults: inner}
	w, epoch, err := greetAsClient(conn, c.cfg.Key, c.cfg.Random, c.cfg.Scheduler, intro)
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	l := &clientLink{client: c, link: newLink(conn, c.cfg.Scheduler, c.cfg.Timing), epoch: epoch, incarnation: w.incarnation, faults: w.faults,
		calls: map[uint64]*clientCall{}, attempts: map[*durable.Attempt]*clientCall{}}
	l.link.handle, l.link.over = l.handleFrame, l.ended
	return l, nil
}

// Check makes a connection of its own to the host, closes it, and returns why it
// could not: [ErrRefused] if to try again is of no use, else the network's error or
// that of ctx.
func (c *Client) Check(ctx context.Context) error {
	c.mu.Lock()
	inner := c.inner
	c.mu.Unlock()
	return c.check(ctx, inner)
}

// RequireFaults says that plans may act inside the objects from now on. The error
// is that of a host which does not permit it. One that cannot be reached is asked
// with the next connection; if it refuses then, calls fail with an error that says
// so.
func (c *Client) RequireFaults() error {
	c.mu.Lock()
	known := c.inner
	c.mu.Unlock()
	if known {
		return nil
	}
	if err := c.check(c.ctx, true); errors.Is(err, ErrRefused) {
		return err
	}
	c.mu.Lock()
	c.inner = true
	c.mu.Unlock()
	return nil
}

// says writes what a host, or its address, is refused for, and names it once.
func (c *Client) says(r *refusal) string {
	if strings.Contains(r.text, c.cfg.Address) {
		return r.text
	}
	return "the host at " + c.cfg.Address + ": " + r.text
}

func (c *Client) check(ctx context.Context, inner bool) error {
	probe, err := NewClient(c.cfg)
	if err != nil {
		return err
	}
	probe.inner = inner
	defer context.AfterFunc(ctx, probe.end)()
	l, err := probe.connect(1)
	if err != nil {
		var refused *refusal
		if errors.As(err, &refused) {
			return &refusal{c.says(refused)} // not how we dialled
		}
		return fmt.Errorf("the host at %s: %w", c.cfg.Address, err)
	}
	return l.conn.Close()
}

// Close ends the connection and waits for its goroutines, but for a read of a
// request's body, which is told to end. Calls in flight fail.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	var links []*clientLink
	for l := range c.links {
		links = append(links, l)
	}
	c.mu.Unlock()
	c.end()
	for _, l := range links {
		l.close(net.ErrClosed)
	}
	c.running.Wait()
}
