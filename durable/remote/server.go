package remote

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

// Bounds on what clients may use.
const (
	// maxConnections is how many connections a server has at a time; maxStrangers
	// how many of them whose handshake is not over.
	maxConnections = 256
	maxStrangers   = 64
	// maxCalls is how many calls one connection may have in flight.
	maxCalls = 10_000
	// maxPartial is how many bytes of requests that are not complete one
	// connection may have.
	maxPartial = 256 << 20
	// maxClients is how many clients a server remembers.
	maxClients = 10_000
)

// ServerConfig says what a server serves.
type ServerConfig struct {
	Key        []byte // at least MinKey bytes
	Project    string // clients must run the same one
	Namespaces []Namespace
	// Incarnation is a number that changes, before a host is replaced, to one that
	// it has never been.
	Incarnation func() uint64
	Scheduler   sched.Scheduler // the machine's clock
	Random      *random.Source
	Logger      *slog.Logger // nil: none
	Timing      Timing
}

// Namespace is a namespace with the way to the hosts of its objects.
type Namespace struct {
	NamespaceID
	Route func(durable.Target) *durable.Host
}

// Server hands the calls of other processes to hosts. It is safe for use by many
// goroutines.
type Server struct {
	cfg   ServerConfig
	nonce uint64 // of this server's life; it makes its numbers unlike those of others

	mu        sync.Mutex
	closed    bool
	going     bool
	faults    bool // clients may let faults act inside the objects
	listeners map[net.Listener]struct{}
	strangers map[net.Conn]struct{}
	links     map[*serverLink]struct{}
	clients   map[[16]byte]*clientState
	calls     int           // on all links
	idle      chan struct{} // closed when there are none; nil while nobody waits
	running   sync.WaitGroup
}

// clientState is what a server knows of a client.
type clientState struct {
	generation uint64      // of its latest connection
	link       *serverLink // nil before the handshake of the first is over
}

// NewServer returns a server. The error says what is wrong with the key.
func NewServer(cfg ServerConfig) (*Server, error) {
	if err := checkKey(cfg.Key); err != nil {
		return nil, err
	}
	cfg.Timing = cfg.Timing.withDefaults()
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Server{cfg: cfg, nonce: cfg.Random.Uint64(), listeners: map[net.Listener]struct{}{}, strangers: map[net.Conn]struct{}{},
		links: map[*serverLink]struct{}{}, clients: map[[16]byte]*clientState{}}, nil
}

// incarnation is never 0: that stands for none.
func (s *Server) incarnation() uint64 {
	if n := s.nonce + s.cfg.Incarnation(); n != 0 {
		return n
	}
	return ^s.nonce
}

// Serve takes connections until the server is closed or shut down, which is no
// error, or the listener fails. It refuses a listener whose address is neither
// loopback nor private. It closes the listener.
func (s *Server) Serve(l net.Listener) error {
	defer l.Close()
	if err := CheckListener(l); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed || s.going {
		s.mu.Unlock()
		return nil
	}
	s.listeners[l] = struct{}{}
	s.mu.Unlock()
	for failures := 0; ; {
		conn, err := l.Accept()
		s.mu.Lock()
		over := s.closed || s.going
		if err != nil && !over && transient(err) && failures < maxAcceptFailures {
			failures++
			s.mu.Unlock()
			s.cfg.Logger.Warn("no connection could be taken for now", "error", err)
			again := make(chan struct{})
			s.cfg.Scheduler.AfterFunc(acceptPause, sched.Background, "taking connections again", func() { close(again) })
			<-again
			continue
		}
		if err != nil || over {
			delete(s.listeners, l)
			s.mu.Unlock()
			if conn != nil {
				_ = conn.Close()
			}
			if over {
				return nil
			}
			return err
		}
		failures = 0
		full := len(s.links)+len(s.strangers) >= maxConnections || len(s.strangers) >= maxStrangers
		if full {
			s.mu.Unlock()
			_ = conn.Close()
			s.cfg.Logger.Warn("connection turned away: there are too many", "address", conn.RemoteAddr().String())
			continue
		}
		s.strangers[conn] = struct{}{}
		s.running.Go(func() { s.greet(conn) })
		s.mu.Unlock()
	}
}

// What Serve does when the system cannot give it a connection: descriptors or
// memory are short, or the client has gone already. It tries again, which ends
// when the listener is broken for good.
const (
	acceptPause       = 100 * time.Millisecond
	maxAcceptFailures = 600
)

func transient(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED, syscall.EINTR} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// greet makes a link of a connection.
func (s *Server) greet(conn net.Conn) {
	from := conn.RemoteAddr().String()
	timer := s.cfg.Scheduler.AfterFunc(s.cfg.Timing.Handshake, sched.Background, "handshake of a client", func() { _ = conn.Close() })
	var g *greeted
	err := checkAddr("the client's address", from)
	if err == nil {
		g, err = greetAsServer(conn, s.cfg.Key, s.cfg.Random, s.cfg.Scheduler, s.judge)
	}
	timer.Stop()
	s.mu.Lock()
	delete(s.strangers, conn)
	var state *clientState
	if err == nil {
		state = s.clients[g.intro.client]
		if s.closed || state == nil || state.generation != g.intro.generation {
			err = errLinkClosed
		}
	}
	if err != nil {
		s.mu.Unlock()
		_ = conn.Close()
		s.cfg.Logger.Warn("client turned away", "address", from, "error", err)
		return
	}
	l := &serverLink{server: s, link: newLink(conn, s.cfg.Scheduler, s.cfg.Timing), greeted: g, announced: g.incarnation, calls: map[uint64]*serverCall{}}
	l.link.handle, l.link.over = l.handleFrame, l.ended
	before := state.link
	state.link = l
	s.links[l] = struct{}{}
	s.running.Add(1)
	s.mu.Unlock()
	if before != nil {
		// Nothing that the client sent there may come after what it sends here.
		before.close(errReplaced)
		<-before.read
	}
	s.cfg.Logger.Debug("client connected", "address", from)
	l.run()
	s.mu.Lock()
	going := s.going
	s.mu.Unlock()
	if going {
		l.tell(frameGoing, 0, nil)
	}
}

var errReplaced = errors.New("remote: the client has made a new connection")

// AllowFaults permits clients to let faults act inside the objects. It is called
// before Serve.
func (s *Server) AllowFaults() {
	s.mu.Lock()
	s.faults = true
	s.mu.Unlock()
}

// noFaults is why a server refuses a client.
const noFaults = "a plan acts inside the objects, which it does not permit: start it with --allow-faults (durashim host), or call Host.AllowFaults"

// judge looks at what a client says of itself.
func (s *Server) judge(i *introduction) welcome {
	if i.project != s.cfg.Project {
		return welcome{refused: fmt.Sprintf("it serves the project %q, not %q", s.cfg.Project, i.project)}
	}
	for _, want := range i.namespaces {
		n := s.namespace(want.Worker, want.Class)
		switch {
		case n == nil:
			return welcome{refused: fmt.Sprintf("it has no class %s of worker %s", want.Class, want.Worker)}
		case n.Key != want.Key:
			return welcome{refused: fmt.Sprintf("its objects of class %s have other ids (unique key %q, not %q)", want.Class, n.Key, want.Key)}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i.faults && !s.faults {
		return welcome{refused: noFaults}
	}
	c := s.clients[i.client]
	if c == nil {
		s.makeRoom()
		c = &clientState{}
		s.clients[i.client] = c
	}
	if i.generation <= c.generation {
		return welcome{refused: "the client has made a later connection"}
	}
	c.generation = i.generation
	return welcome{incarnation: s.incarnation(), faults: s.faults}
}

// makeRoom forgets a client that has no connection, if there are too many. It is
// called with the lock held.
func (s *Server) makeRoom() {
	if len(s.clients) < maxClients {
		return
	}
	for id, c := range s.clients {
		if _, connected := s.links[c.link]; !connected {
			delete(s.clients, id)
		}
	}
}

func (s *Server) namespace(worker, class string) *Namespace {
	i := slices.IndexFunc(s.cfg.Namespaces, func(n Namespace) bool { return n.Worker == worker && n.Class == class })
	if i < 0 {
		return nil
	}
	return &s.cfg.Namespaces[i]
}

// count notes that a call has begun (1) or that nothing is left of it (-1).
func (s *Server) count(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls += n; s.calls == 0 && s.idle != nil {
		close(s.idle)
		s.idle = nil
	}
}

// Shutdown stops taking connections and requests, waits until the clients have
// the replies to what is in flight, and closes the server. When ctx ends first it
// closes at once; the error is the context's.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.going = true
	s.closeListeners()
	idle := s.idle // of another Shutdown that waits
	if idle == nil {
		idle = make(chan struct{})
		if s.calls == 0 {
			close(idle)
		} else {
			s.idle = idle
		}
	}
	links := s.allLinks()
	s.mu.Unlock()
	for _, l := range links {
		l.tell(frameGoing, 0, nil)
	}
	err := s.cfg.Scheduler.Wait(ctx, idle)
	s.Close()
	return err
}

func (s *Server) closeListeners() {
	for l := range s.listeners {
		_ = l.Close() // Serve returns
	}
}

func (s *Server) allLinks() (all []*serverLink) {
	for l := range s.links {
		all = append(all, l)
	}
	return all
}

// Close closes the listeners and all connections, and waits until nothing of the
// server runs any more, but for a read of a response's body, which is told to end
// and may take its time. What is in flight goes on at the hosts; the clients do not
// learn how it ends.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	s.closeListeners()
	for c := range s.strangers {
		_ = c.Close()
	}
	links := s.allLinks()
	s.mu.Unlock()
	for _, l := range links {
		l.close(net.ErrClosed)
	}
	s.running.Wait()
}
