package remote

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/durable/storage"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

var (
	testKey = []byte("sixteen bytes or more")
	testNS  = NamespaceID{"main", "A", "main-A"}
	ids     = durable.NewIDFactory("main-A")
)

// object is a class in Go. Methods: "add" and "marked" count their runs; "hang"
// answers when the test says so; "echo" returns its arguments; fetch returns its
// request's body.
type object struct {
	mu      sync.Mutex
	runs    map[string]int
	started chan string // methods as they start, if not nil
	release chan struct{}
	loop    sched.Loop
}

func (o *object) Construct(*durable.Activation) durable.Instance { return o }
func (o *object) Marked(_ durable.Instance, method string) bool  { return method == "marked" }
func (o *object) Close()                                         {}

func (o *object) Invoke(inv *durable.Invocation) {
	o.mu.Lock()
	o.runs[inv.Op.Method]++
	o.mu.Unlock()
	if o.started != nil {
		o.started <- inv.Op.Method
	}
	switch inv.Op.Method {
	case "hang":
		go func() {
			<-o.release
			o.loop.Post(func() { inv.Finish(durable.Result{Value: []byte("late")}, nil) })
		}()
	case "fetch":
		inv.Finish(durable.Result{Response: &httpmsg.Response{Status: 200, Body: inv.Op.Request.Body}}, nil)
	case "fail":
		inv.Finish(durable.Result{}, &durable.Error{Name: "RangeError", Message: "no", Thrown: []byte{1}})
	default:
		inv.Finish(durable.Result{Value: inv.Op.Args}, nil)
	}
}

func (o *object) count(method string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.runs[method]
}

// world is a server with an object, and the means to call it.
type world struct {
	t      testing.TB
	sched  sched.Scheduler
	random *random.Source
	obj    *object
	host   *durable.Host
	next   atomic.Pointer[durable.Host] // that has taken the place of host; nil: none
	server *Server
	addr   string
}

func newWorld(t testing.TB, s sched.Scheduler) *world {
	t.Helper()
	w := &world{t: t, sched: s, random: random.Seeded(1), obj: &object{runs: map[string]int{}, release: make(chan struct{})}}
	store := storage.NewMemory()
	loop := s.NewLoop("host")
	w.obj.loop = loop
	w.host = &durable.Host{Namespace: "A", IDs: ids, Loop: loop, Scheduler: s, Class: w.obj, Storage: store, KeepIdle: true, Incarnation: 1}
	t.Cleanup(func() {
		loop.Close()
		_ = store.Close()
	})
	w.addr = w.serve()
	return w
}

// at is the host of the object.
func (w *world) at() *durable.Host {
	if h := w.next.Load(); h != nil {
		return h
	}
	return w.host
}

// serve starts a server of the host: another life of the process that has it.
func (w *world) serve() string {
	w.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	w.server, err = NewServer(ServerConfig{Key: testKey, Project: "p", Scheduler: w.sched, Random: w.random,
		Namespaces:  []Namespace{{testNS, func(durable.Target) *durable.Host { return w.at() }}},
		Incarnation: func() uint64 { return w.at().Incarnation }})
	if err != nil {
		w.t.Fatal(err)
	}
	s := w.server
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	w.t.Cleanup(func() {
		s.Close()
		if err := <-served; err != nil {
			w.t.Error(err)
		}
	})
	return l.Addr().String()
}

func (w *world) clientConfig(addr string) ClientConfig {
	return ClientConfig{Address: addr, Key: testKey, Project: "p", Namespaces: []NamespaceID{testNS}, Scheduler: w.sched, Random: w.random}
}

func (w *world) client(addr string) *Client {
	w.t.Helper()
	c, err := NewClient(w.clientConfig(addr))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(c.Close)
	return c
}

// caller makes calls through a client and remembers what became of them.
type caller struct {
	w        *world
	ns       *durable.Namespace
	timeline *durable.Timeline
}

// caller retries without waiting.
func (w *world) caller(c *Client) *caller {
	tl := durable.NewTimeline(w.sched.Now())
	e := &durable.Engine{Scheduler: w.sched, Random: w.random, Timeline: tl, Backoff: func(int, *random.Source) time.Duration { return 0 }}
	return &caller{w, &durable.Namespace{Name: "A", IDs: ids, Engine: e, Transport: c.Transport(testNS)}, tl}
}

type ended struct {
	res durable.Result
	err *durable.Error
}

func (c *caller) start(op durable.Op) (*durable.Call, chan ended) {
	done := make(chan ended, 1)
	call := c.ns.Get(ids.FromName("a"), "a", durable.DefaultRetry(), "test").Call(op, func(r durable.Result, err *durable.Error) { done <- ended{r, err} })
	return call, done
}

func (c *caller) call(method string, args []byte) ended {
	_, done := c.start(durable.Op{Method: method, Args: args, Replayable: true})
	return <-done
}

// last is what the timeline knows of the latest call.
func (c *caller) last() durable.CallRecord {
	all := c.timeline.Calls()
	return all[len(all)-1]
}

// deliveries are those of the attempts that failed.
func (c *caller) deliveries() (all []durable.Delivery) {
	for _, e := range c.last().Events {
		if e.Kind == durable.EventFailed {
			all = append(all, e.Delivery)
		}
	}
	return all
}

// cable is a proxy that a test can cut.
type cable struct {
	l    net.Listener
	wait func() // for what goes on
}

// newCable returns a proxy to an address; each gets the n-th connection, from 1,
// with the one to the server, and ends both.
func newCable(t *testing.T, to string, each func(n int, client, server net.Conn)) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var accepting, running sync.WaitGroup
	accepting.Go(func() {
		for n := 1; ; n++ {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				continue
			}
			stop := context.AfterFunc(t.Context(), func() {
				_ = client.Close()
				_ = server.Close()
			})
			running.Go(func() {
				defer stop()
				each(n, client, server)
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		accepting.Wait()
		running.Wait()
	})
	return &cable{l: l, wait: running.Wait}
}

func (c *cable) addr() string { return c.l.Addr().String() }

// join copies in both directions until one side ends, and closes both.
func join(client, server net.Conn) {
	var both sync.WaitGroup
	pipe := func(to, from net.Conn) {
		buf := make([]byte, 32<<10)
		for {
			n, err := from.Read(buf)
			if n > 0 {
				if _, werr := to.Write(buf[:n]); werr != nil {
					err = werr
				}
			}
			if err != nil {
				_ = to.Close()
				_ = from.Close()
				return
			}
		}
	}
	both.Go(func() { pipe(server, client) })
	both.Go(func() { pipe(client, server) })
	both.Wait()
}
