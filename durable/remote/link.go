package remote

import (
	"bufio"
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/durashim/durashim/internal/sched"
)

// Timing bounds how long a connection may be silent. Zero values mean the
// defaults.
type Timing struct {
	// Handshake is how long connecting and the handshake may take; 5 s.
	Handshake time.Duration
	// Ping is after how long without a frame from the peer it is asked whether it
	// lives; 5 s.
	Ping time.Duration
	// Dead is after how long without a complete frame from the peer, or without
	// progress in writing to it, the connection is given up; 15 s.
	Dead time.Duration
}

func (t Timing) withDefaults() Timing {
	set := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	set(&t.Handshake, 5*time.Second)
	set(&t.Ping, 5*time.Second)
	set(&t.Dead, 15*time.Second)
	return t
}

// link is one end of a connection after the handshake: a goroutine that reads,
// and one that writes what is queued. When both have ended, over is called.
type link struct {
	conn   net.Conn
	sched  sched.Scheduler
	timing Timing
	handle func(frame) error // on the reader's goroutine; it does not block
	over   func(error)       // after the last frame was handled and the last byte written
	read   chan struct{}     // closed when no more frames are handled

	mu      sync.Mutex
	queue   []*outgoing // in the order in which they get their turn
	control []byte      // frames without order, ahead of the queue
	wake    chan struct{}
	err     error // why it is closed; nil while it is open
	heard   time.Time
	wrote   time.Time // when the write in progress began; zero if none is
	asked   bool      // a ping is out
	timer   sched.Timer
	bodies  map[*outBody]struct{}
}

// outgoing is a message on its way out, in pieces.
type outgoing struct {
	piece, last frameType
	call        uint64
	rest        []byte
	begun       bool   // a piece of it was taken to be written
	sent        bool   // all of it was handed to the operating system
	onSent      func() // called then, if not nil; it does not block
}

// maxBatch is how many bytes are gathered for one write.
const maxBatch = 64 << 10

var errLinkClosed = errors.New("remote: the connection was closed")

func newLink(conn net.Conn, s sched.Scheduler, t Timing) *link {
	l := &link{conn: conn, sched: s, timing: t, wake: make(chan struct{}, 1), read: make(chan struct{}), bodies: map[*outBody]struct{}{}}
	l.heard = s.Now()
	return l
}

// run starts the goroutines. handle and over must be set.
func (l *link) run() {
	l.mu.Lock()
	l.arm()
	l.mu.Unlock()
	go func() {
		written := make(chan struct{})
		go func() {
			defer close(written)
			l.writeAll()
		}()
		l.readAll()
		close(l.read)
		<-written
		l.mu.Lock()
		err := l.err
		bodies := l.bodies
		l.bodies = nil
		l.mu.Unlock()
		for b := range bodies {
			b.end()
		}
		l.over(err)
	}()
}

// close ends the connection. It does not wait. The first reason stays.
func (l *link) close(err error) {
	l.mu.Lock()
	if l.err != nil {
		l.mu.Unlock()
		return
	}
	l.err = err
	if l.timer != nil {
		l.timer.Stop()
	}
	l.mu.Unlock()
	_ = l.conn.Close() // it is given up anyway
	l.signal()
}

func (l *link) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// send queues a message; it reports false when the connection is closed and none
// of it was or will be written.
func (l *link) send(o *outgoing) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return false
	}
	l.queue = append(l.queue, o)
	l.signal()
	return true
}

// tell queues a frame that may overtake messages.
func (l *link) tell(kind frameType, call uint64, payload []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	l.control = appendFrame(l.control, kind, call, payload)
	if len(l.control) > maxControl {
		go l.close(badPeer("the peer does not read"))
	}
	l.signal()
}

// maxControl is how many bytes of control frames may wait: more than any peer
// that reads lets come together.
const maxControl = 8 << 20

// withdraw takes back what has not been written of a message. It reports whether
// nothing of it was; else the peer must be told that the rest does not come.
func (l *link) withdraw(o *outgoing) (nothing bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.queue, o); i >= 0 {
		l.queue = slices.Delete(l.queue, i, i+1)
	}
	return !o.begun
}

// wholly reports whether all of a message was handed to the operating system. It
// may be asked when the writer has ended.
func (l *link) wholly(o *outgoing) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return o.sent
}

// writeAll writes until the link is closed.
func (l *link) writeAll() {
	var buf []byte
	type end struct {
		o  *outgoing
		at int // where in the batch its last byte is
	}
	var ends []end
	for {
		l.mu.Lock()
		for l.err == nil && len(l.queue) == 0 && len(l.control) == 0 {
			l.mu.Unlock()
			<-l.wake
			l.mu.Lock()
		}
		if l.err != nil {
			l.mu.Unlock()
			return
		}
		buf, ends = append(buf[:0], l.control...), ends[:0]
		l.control = l.control[:0]
		for len(l.queue) > 0 && len(buf) < maxBatch {
			o := l.queue[0]
			l.queue[0] = nil
			l.queue = l.queue[1:]
			o.begun = true
			if len(o.rest) > maxPiece {
				buf = appendFrame(buf, o.piece, o.call, o.rest[:maxPiece])
				o.rest = o.rest[maxPiece:]
				l.queue = append(l.queue, o) // the others' turn
				continue
			}
			buf = appendFrame(buf, o.last, o.call, o.rest)
			o.rest = nil
			ends = append(ends, end{o, len(buf)})
		}
		l.wrote = l.sched.Now()
		l.mu.Unlock()

		n, err := l.conn.Write(buf)

		l.mu.Lock()
		l.wrote = time.Time{}
		for _, e := range ends {
			e.o.sent = e.at <= n
		}
		l.mu.Unlock()
		for _, e := range ends {
			if e.o.sent && e.o.onSent != nil {
				e.o.onSent()
			}
		}
		if err != nil {
			l.close(err)
			return
		}
	}
}

// readAll reads and handles frames until the link is closed.
func (l *link) readAll() {
	r := bufio.NewReaderSize(l.conn, 64<<10)
	for {
		f, err := readFrame(r)
		if err == nil {
			err = l.received(f)
		}
		if err != nil {
			l.close(err)
			return
		}
	}
}

func (l *link) received(f frame) error {
	l.mu.Lock()
	closed := l.err
	l.heard, l.asked = l.sched.Now(), false
	l.mu.Unlock()
	if closed != nil {
		return closed // what is still in the buffer counts as not received
	}
	switch f.kind {
	case framePing:
		l.tell(framePong, f.call, nil)
		return nil
	case framePong:
		return nil
	}
	return l.handle(f)
}

// arm sets the timer that looks after the peer. It is called with the lock held.
func (l *link) arm() {
	if l.err != nil {
		return
	}
	l.timer = l.sched.AfterFunc(l.timing.Ping, sched.Background, "connection to another process", func() {
		l.mu.Lock()
		now := l.sched.Now()
		silent := now.Sub(l.heard)
		stuck := !l.wrote.IsZero() && now.Sub(l.wrote) >= l.timing.Dead
		ask := silent >= l.timing.Ping && !l.asked
		if ask {
			l.asked = true
		}
		l.arm()
		l.mu.Unlock()
		switch {
		case silent >= l.timing.Dead:
			l.close(errors.New("remote: the peer is silent"))
		case stuck:
			l.close(errors.New("remote: the peer does not read"))
		case ask:
			l.tell(framePing, 0, nil)
		}
	})
}
