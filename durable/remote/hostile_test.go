package remote

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
)

// dial connects to the server without saying anything.
func dial(t testing.TB, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// peer is a client with the key that then does what it likes.
func (w *world) peer(generation uint64) net.Conn {
	w.t.Helper()
	c := dial(w.t, w.addr)
	intro := &introduction{client: [16]byte{byte(generation >> 32)}, generation: generation, project: "p", namespaces: []NamespaceID{testNS}}
	if _, _, err := greetAsClient(c, testKey, w.random, w.sched, intro); err != nil {
		w.t.Fatal(err)
	}
	return c
}

// isClosed waits until the other end has closed the connection.
func isClosed(t *testing.T, what string, c net.Conn) {
	t.Helper()
	// Never reached, unless the test is to fail.
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%s: the connection stays open", what)
	}
}

// Whoever says nothing, or little by little, does not keep its connection.
func TestSilentPeers(t *testing.T) {
	clock := sched.NewVirtual(sched.Epoch)
	w := newWorld(t, clock)
	stranger := dial(t, w.addr)
	_, _ = stranger.Write(hello(w.random))
	if _, err := io.ReadFull(stranger, make([]byte, helloLen)); err != nil {
		t.Fatal(err)
	}
	if err := clock.Advance(t.Context(), 5*time.Second); err != nil {
		t.Fatal(err)
	}
	isClosed(t, "in the handshake", stranger)

	c := w.peer(1)
	_, _ = c.Write(appendFrame(nil, framePing, 0, nil))
	if f, err := readFrame(c); err != nil || f.kind != framePong { // now its timer runs
		t.Fatalf("a ping: %v, %v", f.kind, err)
	}
	if err := clock.Advance(t.Context(), 5*time.Second); err != nil {
		t.Fatal(err)
	}
	if f, err := readFrame(c); err != nil || f.kind != framePing {
		t.Errorf("after 5 s: %v, %v", f.kind, err)
	}
	// A frame that is never complete does not count.
	_, _ = c.Write(appendFrame(nil, framePong, 0, nil)[:5])
	if err := clock.Advance(t.Context(), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	isClosed(t, "after the handshake", c)
}

// A client, too, gives up a host that does not answer its pings.
func TestSilentHost(t *testing.T) {
	clock := sched.NewVirtual(sched.Epoch)
	w := newWorld(t, clock)
	arrived := make(chan struct{})
	cable := newCable(t, w.addr, func(_ int, client, server net.Conn) {
		r := passHandshake(t, client, server)
		passFrame(io.Discard, r)
		close(arrived)
		_, _ = io.Copy(io.Discard, r)
	})
	c := w.caller(w.client(cable.addr()))
	_, done := c.start(durable.Op{Method: "add"})
	<-arrived
	if err := clock.Advance(t.Context(), 15*time.Second); err != nil {
		t.Fatal(err)
	}
	if got := <-done; got.err == nil || got.err.Message != "Network connection lost." {
		t.Errorf("%+v", got)
	}
	if d := c.deliveries(); len(d) != 1 || d[0] != durable.Uncertain {
		t.Errorf("deliveries %v", d)
	}
}

// shortListener has no descriptors for the first connections.
type shortListener struct {
	net.Listener
	left int
}

func (l *shortListener) Accept() (net.Conn, error) {
	if l.left > 0 {
		l.left--
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

// A process that is short of descriptors for a while goes on serving.
func TestAcceptFails(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- w.server.Serve(&shortListener{l, 3}) }()
	if got := w.caller(w.client(l.Addr().String())).call("add", nil); got.err != nil {
		t.Error(got.err)
	}
	w.server.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func TestGarbage(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	noise := make([]byte, 1<<20)
	r := rand.NewChaCha8([32]byte{})
	_, _ = r.Read(noise)
	c := dial(t, w.addr)
	_, _ = c.Write(noise)
	isClosed(t, "noise instead of a hello", c)
	c = dial(t, w.addr)
	_, _ = c.Write(append(hello(w.random), noise...))
	isClosed(t, "noise instead of a proof", c)
	c = dial(t, w.addr)
	_, _ = c.Write([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
	isClosed(t, "HTTP", c)
	if got := w.caller(w.client(w.addr)).call("add", nil); got.err != nil {
		t.Error(got.err)
	}
}

// Peers with the key that break the protocol lose their connection, and nothing
// else happens.
func TestBadPeers(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	w.obj.started = make(chan string, 10)
	good := someRequests()[0]
	good.req.Op.Path, good.req.Retry, good.req.Op.Method = nil, false, "hang"
	request := appendFrame(nil, frameRequestEnd, 1, good.encode())
	upload := someRequests()[3]
	upload.req.Retry = false
	n := uint64(0)
	for what, said := range map[string][]byte{
		"an impossible length":         {0xff, 0xff, 0xff, 0xff},
		"an unknown type":              appendFrame(nil, 99, 1, nil),
		"a reply":                      append(bytes.Clone(request), appendFrame(nil, frameReplyEnd, 1, nil)...),
		"data for no call":             appendFrame(nil, frameData, 1, []byte("x")),
		"an empty request":             appendFrame(nil, frameRequestEnd, 1, nil),
		"a request twice":              append(bytes.Clone(request), request...),
		"more than the window":         append(appendFrame(nil, frameRequestEnd, 1, upload.encode()), bytes.Repeat(appendFrame(nil, frameData, 1, make([]byte, maxPiece)), 1+bodyWindow/maxPiece)...),
		"a request longer than any is": bytes.Repeat(appendFrame(nil, frameRequest, 1, make([]byte, maxFrame-9)), 1+maxMessage/(maxFrame-9)),
	} {
		n++
		c := w.peer(n << 32)
		_, _ = c.Write(said)
		isClosed(t, what, c)
	}
	close(w.obj.release)
}

// What was recorded of a connection is of no use for another one.
func TestReplay(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	var recorded bytes.Buffer
	cable := newCable(t, w.addr, func(_ int, client, server net.Conn) {
		join(recordingConn{client, &recorded}, server)
	})
	client := w.client(cable.addr())
	if got := w.caller(client).call("add", nil); got.err != nil {
		t.Fatal(got.err)
	}
	client.Close()
	cable.wait()
	c := dial(t, w.addr)
	_, _ = c.Write(recorded.Bytes())
	isClosed(t, "a recorded connection", c)
	if n := w.obj.count("add"); n != 1 {
		t.Errorf("the method ran %d times", n)
	}
}

type recordingConn struct {
	net.Conn
	to *bytes.Buffer
}

func (c recordingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.to.Write(p[:n])
	return n, err
}

// Connections without the key are bounded, and do not keep others out for longer
// than a handshake may take.
func TestTooManyStrangers(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	var all []net.Conn
	for range maxStrangers {
		c := dial(t, w.addr)
		_, _ = c.Write(hello(w.random))
		if _, err := io.ReadFull(c, make([]byte, helloLen)); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	isClosed(t, "one too many", dial(t, w.addr))
	for _, c := range all {
		_ = c.Close()
	}
	call := w.caller(w.client(w.addr))
	for call.call("add", nil).err != nil { // until the server has noticed
	}
}

// The number of calls in flight is bounded.
func TestTooManyCalls(t *testing.T) {
	w := newWorld(t, sched.NewReal())
	c := w.peer(1)
	m := someRequests()[1]
	m.req.Op.Kind, m.req.Op.Method, m.req.Claim, m.req.Retry = durable.RPC, "hang", false, false
	data := m.encode()
	go func() {
		for i := range uint64(maxCalls + 1) {
			if _, err := c.Write(appendFrame(nil, frameRequestEnd, i+1, data)); err != nil {
				return
			}
		}
	}()
	f, err := readFrame(c)
	if err != nil {
		t.Fatal(err)
	}
	r, err := decodeReply(f.payload)
	if err != nil || f.call != maxCalls+1 || r.Delivery != durable.NotDelivered || r.Err == nil || !r.Err.Overloaded {
		t.Errorf("call %d: %+v, %v", f.call, r, err)
	}
	close(w.obj.release)
}
