package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

func TestCalls(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	c := w.caller(w.client(w.addr))
	big := bytes.Repeat([]byte("0123456789"), 300_000)
	for _, args := range [][]byte{nil, {}, []byte("x"), big} {
		if got := c.call("add", args); got.err != nil || !bytes.Equal(got.res.Value, args) || (got.res.Value == nil) != (args == nil) {
			t.Errorf("%d bytes came back as %d, %v", len(args), len(got.res.Value), got.err)
		}
	}
	got := c.call("fail", nil)
	if e := got.err; e == nil || e.Name != "RangeError" || !e.Remote || !bytes.Equal(e.Thrown, []byte{1}) {
		t.Errorf("an error came back as %+v", got.err)
	}
	if c.last().Outcome != durable.Failed {
		t.Errorf("outcome %v", c.last().Outcome)
	}
}

// A fetch with a body that flows both ways at the pace of the reader.
func TestStreams(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	c := w.caller(w.client(w.addr))
	const size = 5 * bodyWindow / 2
	op := durable.Op{Kind: durable.Fetch, Method: "fetch", Request: &httpmsg.Request{Method: "POST", URL: "http://a/",
		Body: httpmsg.StreamBody(io.LimitReader(endless{}, size), size)}}
	_, done := c.start(op)
	got := <-done
	if got.err != nil {
		t.Fatal(got.err)
	}
	if b, err := got.res.Response.Body.ReadAll(-1); err != nil || len(b) != size {
		t.Errorf("%d bytes of %d, %v", len(b), size, err)
	}
	// One that is given up half way does not hold the rest.
	op.Request.Body = httpmsg.StreamBody(endless{}, httpmsg.UnknownLength)
	_, done = c.start(op)
	got = <-done
	if got.err != nil {
		t.Fatal(got.err)
	}
	if _, err := io.ReadFull(got.res.Response.Body.Open(), make([]byte, 2*bodyWindow)); err != nil {
		t.Error(err)
	}
	if err := got.res.Response.Body.Close(); err != nil {
		t.Error(err)
	}
	if got := c.call("add", nil); got.err != nil {
		t.Error(got.err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// What the caller can prove when the connection breaks, at every point.
func TestWhereTheCableIsCut(t *testing.T) {
	const no, perhaps = durable.NotDelivered, durable.Uncertain
	handshake := func(client, server net.Conn) *bufio.Reader {
		return passHandshake(t, client, server)
	}
	for _, c := range []struct {
		name string
		cut  func(client, server net.Conn)
		args int
		// of the first attempt; the second passes
		delivery durable.Delivery
		runs     int // of a method that is not marked
		outcome  durable.Outcome
	}{
		{"refused", func(client, server net.Conn) {}, 0, no, 1, durable.Recovered},
		{"in the handshake", func(client, server net.Conn) {
			_, _ = io.CopyN(server, client, helloLen)
			_, _ = io.CopyN(client, server, helloLen)
			_, _ = io.CopyN(server, client, 3)
		}, 0, no, 1, durable.Recovered},
		{"in the middle of a long request", func(client, server net.Conn) {
			// More than the buffers of both ends hold.
			_ = client.(*net.TCPConn).SetReadBuffer(64 << 10)
			r := handshake(client, server)
			_, _ = io.CopyN(server, r, 100_000)
			reset(client)
		}, 10 << 20, no, 1, durable.Recovered},
		{"when the request is written, before the host has it", func(client, server net.Conn) {
			r := handshake(client, server)
			_, _ = r.Peek(20)
		}, 0, perhaps, 1, durable.Recovered},
		{"after the request, before the reply", func(client, server net.Conn) {
			r := handshake(client, server)
			passFrame(server, r)
			_, _ = server.Read(make([]byte, 1)) // the reply begins
		}, 0, perhaps, 1, durable.ClaimRejected},
		{"in the middle of the reply", func(client, server net.Conn) {
			r := handshake(client, server)
			passFrame(server, r)
			_, _ = io.CopyN(client, server, frameHead+5)
		}, 0, perhaps, 1, durable.ClaimRejected},
	} {
		for _, method := range []string{"add", "marked"} {
			t.Run(c.name+"/"+method, func(t *testing.T) {
				w := newWorld(t, sched.NewReal())
				cable := newCable(t, w.addr, func(n int, client, server net.Conn) {
					if n == 1 {
						c.cut(client, server)
						_ = client.Close()
						_ = server.Close()
						return
					}
					join(client, server)
				})
				call := w.caller(w.client(cable.addr()))
				got := call.call(method, make([]byte, c.args))
				if d := call.deliveries(); len(d) == 0 || d[0] != c.delivery {
					t.Errorf("deliveries %v, want %v first", d, c.delivery)
				}
				outcome, runs := c.outcome, c.runs
				if method == "marked" && outcome == durable.ClaimRejected {
					outcome, runs = durable.Recovered, 2
				}
				if call.last().Outcome != outcome || w.obj.count(method) != runs {
					t.Errorf("%v after %d runs, want %v after %d: %v", call.last().Outcome, w.obj.count(method), outcome, runs, got.err)
				}
				if outcome == durable.ClaimRejected && (got.err == nil || got.err.Message != "Network connection lost." || !got.err.Retryable || got.err.Remote) {
					t.Errorf("error %+v", got.err)
				}
			})
		}
	}
}

// passHandshake lets the handshake pass through a proxy. What the client sends
// after it is read from the result.
func passHandshake(t *testing.T, client, server net.Conn) *bufio.Reader {
	r := bufio.NewReader(client)
	proven := func(to io.Writer, from io.Reader) {
		mac, says, err := readProven(from)
		if err == nil {
			err = writeProven(to, mac, says)
		}
		if err != nil {
			t.Errorf("handshake: %v", err)
		}
	}
	_, _ = io.CopyN(server, r, helloLen)
	_, _ = io.CopyN(client, server, helloLen)
	proven(server, r)
	proven(client, server)
	return r
}

// passFrame lets one frame pass.
func passFrame(to io.Writer, from io.Reader) {
	if f, err := readFrame(from); err == nil {
		_, _ = to.Write(appendFrame(nil, f.kind, f.call, f.payload))
	}
}

// reset makes the next Close a reset.
func reset(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) }

// An attempt that is stuck in the network cannot come after its retry, even when
// the retry has long been answered.
func TestStuckAttemptIsFenced(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	release, passed := make(chan struct{}), make(chan struct{})
	cable := newCable(t, w.addr, func(n int, client, server net.Conn) {
		if n > 1 {
			join(client, server)
			return
		}
		r := passHandshake(t, client, server)
		f, err := readFrame(r)
		if err != nil {
			t.Error(err)
		}
		_ = client.Close() // the client retries
		<-release
		_, _ = server.Write(appendFrame(nil, f.kind, f.call, f.payload))
		_, _ = server.Read(make([]byte, 1)) // until the server is done with it
		close(passed)
		_ = server.Close()
	})
	call := w.caller(w.client(cable.addr()))
	if got := call.call("add", nil); got.err != nil || call.last().Outcome != durable.Recovered {
		t.Errorf("%v, %v", call.last().Outcome, got.err)
	}
	another := func() {
		if got := call.call("add", nil); got.err != nil {
			t.Error(got.err)
		}
	}
	another() // after it the claim of the first call is released
	close(release)
	<-passed
	another() // after it the host's loop has seen all
	if n := w.obj.count("add"); n != 3 {
		t.Errorf("three calls ran %d times", n)
	}
}

// Another life of the host has no claims, so it rejects what may have run before.
func TestRestartedHost(t *testing.T) {
	for method, want := range map[string]durable.Outcome{"add": durable.ClaimRejected, "marked": durable.Recovered} {
		w := newWorld(t, sched.NewReal())
		w.host.Incarnation = 7 // the same number in both lives
		first, second := w.addr, w.serve()
		cable := newCable(t, first, func(k int, client, server net.Conn) {
			if k == 1 {
				r := passHandshake(t, client, server)
				_, _ = r.Peek(1)
				_ = client.Close()
				_ = server.Close()
				return
			}
			_ = server.Close()
			next, err := net.Dial("tcp", second)
			if err != nil {
				t.Error(err)
				return
			}
			join(client, next)
		})
		call := w.caller(w.client(cable.addr()))
		call.call(method, nil)
		if got := call.last().Outcome; got != want {
			t.Errorf("%s: %v, want %v", method, got, want)
		}
	}
}

// A host whose isolate was replaced has another incarnation; new calls learn it.
func TestReplacedHost(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	client := w.client(w.addr)
	call := w.caller(client)
	call.call("add", nil)
	incarnation := func() uint64 {
		for {
			client.mu.Lock()
			l := client.cur // set soon after the first attempts have begun
			client.mu.Unlock()
			if l != nil {
				l.state.Lock()
				defer l.state.Unlock()
				return l.incarnation
			}
			runtime.Gosched()
		}
	}
	before := incarnation()
	w.host.Incarnation++
	call.call("add", nil)
	after := incarnation()
	if after != before+1 {
		t.Errorf("incarnation %d, then %d", before, after)
	}
}

// The claim goes when the client has the reply, not before.
func TestClaimIsReleased(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	received := make(chan struct{})
	cable := newCable(t, w.addr, func(_ int, client, server net.Conn) {
		r := passHandshake(t, client, server)
		go func() { _, _ = io.Copy(client, server) }()
		for {
			f, err := readFrame(r)
			if err != nil {
				_ = server.Close()
				return
			}
			if f.kind == frameReceived {
				close(received)
			}
			_, _ = server.Write(appendFrame(nil, f.kind, f.call, f.payload))
		}
	})
	call := w.caller(w.client(cable.addr()))
	call.call("add", nil)
	<-received
}

// Nobody is told more than the key allows.
func TestRefusals(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	for want, change := range map[string]func(*ClientConfig){
		"the key is not the host's":                func(c *ClientConfig) { c.Key = []byte("another key of 16+") },
		`it serves the project "p", not "q"`:       func(c *ClientConfig) { c.Project = "q" },
		"it has no class B of worker main":         func(c *ClientConfig) { c.Namespaces = []NamespaceID{{"main", "B", "x"}} },
		`(unique key "main-A", not "other")`:       func(c *ClientConfig) { c.Namespaces = []NamespaceID{{"main", "A", "other"}} },
		"203.0.113.1:9 is neither loopback nor pr": func(c *ClientConfig) { c.Address = "203.0.113.1:9" },
	} {
		cfg := w.clientConfig(w.addr)
		change(&cfg)
		c, err := NewClient(cfg)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Check(t.Context())
		if !errors.Is(err, ErrRefused) || !bytes.Contains([]byte(err.Error()), []byte(want)) {
			t.Errorf("%v, want %s", err, want)
		}
		// Calls fail at once: to try again is of no use.
		got := w.caller(c).call("add", nil)
		if got.err == nil || got.err.Retryable || !bytes.Contains([]byte(got.err.Message), []byte(want)) {
			t.Errorf("%v, want %s", got.err, want)
		}
		c.Close()
	}
	if _, err := NewClient(ClientConfig{Key: []byte("short"), Random: random.New()}); err == nil {
		t.Error("a short key is accepted")
	}
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.server.Serve(l); !errors.Is(err, ErrRefused) {
		t.Errorf("every address of the machine: %v", err)
	}
}

func TestOtherVersion(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	cable := newCable(t, w.addr, func(_ int, client, server net.Conn) {
		b := make([]byte, helloLen)
		_, _ = io.ReadFull(client, b)
		b[9]++
		_, _ = server.Write(b)
		_, _ = io.ReadFull(server, b)
		b[9]++
		_, _ = client.Write(b)
		join(client, server)
	})
	err := w.client(cable.addr()).Check(t.Context())
	if want := fmt.Sprintf("the host speaks version %d of the protocol, this side version %d", Version+1, Version); err == nil || !bytes.Contains([]byte(err.Error()), []byte(want)) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestShutdownWaits(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	w.obj.started = make(chan string, 10)
	call := w.caller(w.client(w.addr))
	_, done := call.start(durable.Op{Method: "hang", Replayable: true})
	<-w.obj.started
	over := make(chan error, 1)
	server := w.server
	go func() { over <- server.Shutdown(t.Context()) }()
	// New calls are turned away: first by the old server, then nothing listens.
	for range 3 {
		if got := call.call("add", nil); got.err == nil {
			continue // it came before the shutdown began
		} else if d := call.deliveries(); slices.Contains(d, durable.Uncertain) {
			t.Errorf("deliveries %v", d)
		}
	}
	select {
	case err := <-over:
		t.Errorf("Shutdown did not wait: %v", err)
	default:
	}
	close(w.obj.release)
	if got := <-done; got.err != nil || string(got.res.Value) != "late" {
		t.Errorf("the call in flight: %+v", got)
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
}

// TestShutdownTwice: both callers learn when the server is idle.
func TestShutdownTwice(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	w.obj.started = make(chan string, 10)
	call := w.caller(w.client(w.addr))
	_, done := call.start(durable.Op{Method: "hang", Replayable: true})
	<-w.obj.started
	server := w.server
	waits := func() chan struct{} {
		server.mu.Lock()
		defer server.mu.Unlock()
		return server.idle
	}
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- server.Shutdown(t.Context()) }()
	for waits() == nil {
		runtime.Gosched()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	// It closes the server at once; the first sees that nothing is in flight.
	go func() { second <- server.Shutdown(ctx) }()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("the second: %v", err)
	}
	if err := <-first; err != nil {
		t.Errorf("the first: %v", err)
	}
	close(w.obj.release)
	<-done
}

// TestCallsKeepTheirOrder: a call that is made at the moment when the connection
// is there does not overtake those that have waited for it.
func TestCallsKeepTheirOrder(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	w.obj.started = make(chan string, 10)
	var later func()
	cfg := w.clientConfig(w.addr)
	cfg.Logger = slog.New(onLog{slog.DiscardHandler, func() { later() }})
	client, err := NewClient(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	call := w.caller(client)
	dones := make(chan chan ended, 1)
	later = sync.OnceFunc(func() {
		_, done := call.start(durable.Op{Method: "second", Replayable: true})
		dones <- done
	})
	_, done := call.start(durable.Op{Method: "first", Replayable: true})
	<-done
	<-<-dones
	if a, b := <-w.obj.started, <-w.obj.started; a != "first" || b != "second" {
		t.Errorf("they ran as %s, %s", a, b)
	}
}

// onLog calls a function with each message.
type onLog struct {
	slog.Handler
	f func()
}

func (h onLog) Enabled(context.Context, slog.Level) bool { return true }

func (h onLog) Handle(context.Context, slog.Record) error {
	h.f()
	return nil
}

func TestCancel(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	w.obj.started = make(chan string, 10)
	client := w.client(w.addr)
	c := w.caller(client)
	call, done := c.start(durable.Op{Method: "hang", Replayable: true})
	<-w.obj.started
	call.Cancel(&durable.Error{Name: "AbortError", Message: "enough"})
	if got := <-done; got.err == nil || got.err.Message != "enough" {
		t.Errorf("%v", got.err)
	}
	if err := w.server.Shutdown(t.Context()); err != nil { // it waits for no reply
		t.Error(err)
	}
	close(w.obj.release)
}
