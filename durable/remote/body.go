package remote

import (
	"encoding/binary"
	"io"
	"sync"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
)

// bodyWindow is how many bytes of a stream may be under way or unread.
const bodyWindow = 256 << 10

// outBody sends a stream, as fast as its reader at the other end takes it.
type outBody struct {
	link *link
	call uint64
	body httpmsg.Body
	over func() // called once, when nothing more is sent

	mu      sync.Mutex
	changed *sync.Cond
	credit  int
	stopped bool
}

func newOutBody(l *link, call uint64, body httpmsg.Body, over func()) *outBody {
	b := &outBody{link: l, call: call, body: body, over: over, credit: bodyWindow}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// start begins to send, on a goroutine of its own: the source of the stream may
// block.
func (b *outBody) start() {
	b.link.mu.Lock()
	open := b.link.bodies != nil
	if open {
		b.link.bodies[b] = struct{}{}
	}
	b.link.mu.Unlock()
	if !open {
		b.end()
	}
	go func() {
		b.run()
		b.end()
		b.link.mu.Lock()
		delete(b.link.bodies, b)
		b.link.mu.Unlock()
		b.over()
	}()
}

func (b *outBody) run() {
	r := b.body.Open()
	async, _ := r.(httpmsg.AsyncReader)
	buf := make([]byte, maxPiece)
	type read struct {
		chunk []byte
		err   error
	}
	got := make(chan read, 1)
	for {
		credit := b.wait()
		if credit == 0 {
			return
		}
		var next read
		if async != nil {
			async.ReadAsync(func(chunk []byte, err error) { got <- read{chunk, err} })
			next = <-got
		} else {
			n, err := r.Read(buf[:min(credit, len(buf))])
			next = read{append([]byte(nil), buf[:n]...), err}
		}
		for len(next.chunk) > 0 {
			n := min(b.wait(), maxPiece, len(next.chunk))
			if n == 0 {
				return
			}
			b.spend(n)
			b.link.send(&outgoing{last: frameData, call: b.call, rest: next.chunk[:n]})
			next.chunk = next.chunk[n:]
		}
		switch next.err {
		case nil:
		case io.EOF:
			b.link.send(&outgoing{last: frameDataEnd, call: b.call})
			return
		default:
			b.link.send(&outgoing{last: frameDataBroken, call: b.call})
			return
		}
	}
}

// wait returns how many bytes may be sent, once it is some; 0 when nobody wants
// them.
func (b *outBody) wait() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.credit == 0 && !b.stopped {
		b.changed.Wait()
	}
	if b.stopped {
		return 0
	}
	return b.credit
}

func (b *outBody) spend(n int) {
	b.mu.Lock()
	b.credit -= n
	b.mu.Unlock()
}

// grant lets n more bytes be sent.
func (b *outBody) grant(payload []byte) error {
	if len(payload) != 4 {
		return badPeer("a window of %d bytes length", len(payload))
	}
	n := int(binary.BigEndian.Uint32(payload))
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.credit += n; b.credit > bodyWindow {
		return badPeer("a window of %d bytes", b.credit)
	}
	b.changed.Signal()
	return nil
}

// end says that nobody wants more.
func (b *outBody) end() {
	b.mu.Lock()
	was := b.stopped
	b.stopped = true
	b.changed.Signal()
	b.mu.Unlock()
	if !was {
		// Not here: the body of a request of net/http cannot be closed while it is
		// being read.
		go func() { _ = b.body.Close() }()
	}
}

// inBody is a stream that arrives.
type inBody struct {
	link *link
	call uint64
	pipe *httpmsg.Pipe
	over func() // called once, when no more comes

	mu     sync.Mutex
	window int // what the peer may still send
	owed   int // what was read and not granted again
	ended  bool
	read   bool // somebody has begun to read
}

var _ httpmsg.AsyncReader = (*inBody)(nil)

func newInBody(l *link, call uint64, over func()) *inBody {
	b := &inBody{link: l, call: call, over: over, window: bodyWindow}
	b.pipe = httpmsg.NewPipe(func() {
		l.tell(frameStop, call, nil)
		b.finish()
	})
	return b
}

// receive takes a piece from the peer.
func (b *inBody) receive(chunk []byte) error {
	b.mu.Lock()
	b.window -= len(chunk)
	bad := b.window < 0
	b.mu.Unlock()
	if bad {
		return badPeer("more of a body than its window")
	}
	b.pipe.WriteAsync(chunk, func(error) {}) // the window bounds what is held
	return nil
}

// close ends the stream: properly if err is nil.
func (b *inBody) close(err error) {
	b.pipe.CloseWithError(err)
	b.finish()
}

func (b *inBody) finish() {
	b.mu.Lock()
	was := b.ended
	b.ended = true
	b.mu.Unlock()
	if !was {
		b.over()
	}
}

// untouched reports whether nobody has begun to read.
func (b *inBody) untouched() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.read
}

func (b *inBody) reading() {
	b.mu.Lock()
	b.read = true
	b.mu.Unlock()
}

// consumed grants what was read again, by and by.
func (b *inBody) consumed(n int) {
	b.mu.Lock()
	b.owed += n
	owed := b.owed
	if owed < bodyWindow/2 || b.ended {
		b.mu.Unlock()
		return
	}
	b.owed = 0
	b.window += owed
	b.mu.Unlock()
	b.link.tell(frameWindow, b.call, binary.BigEndian.AppendUint32(nil, uint32(owed)))
}

// ReadAsync implements [httpmsg.AsyncReader].
func (b *inBody) ReadAsync(done func(chunk []byte, err error)) {
	b.reading()
	b.pipe.ReadAsync(func(chunk []byte, err error) {
		b.consumed(len(chunk))
		done(chunk, err)
	})
}

// Read implements io.Reader; it blocks.
func (b *inBody) Read(p []byte) (int, error) {
	b.reading()
	n, err := b.pipe.Read(p)
	b.consumed(n)
	return n, err
}

// Close says that nobody reads the rest.
func (b *inBody) Close() error { return b.pipe.Close() }

// lost is why a stream broke off.
func lost() error { return durable.ConnectionLost() }
