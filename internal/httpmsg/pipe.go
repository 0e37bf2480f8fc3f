package httpmsg

import (
	"io"
	"sync"
)

// AsyncReader is a stream that hands over its chunks through a callback instead
// of blocking. The streams of scripts are of this kind, so that one isolate can
// read what another writes without a goroutine, and in an order that does not
// depend on the machine.
type AsyncReader interface {
	// ReadAsync asks for the next chunk. done is called once, perhaps before
	// ReadAsync returns and perhaps on another goroutine; err is io.EOF at the
	// end. The chunk belongs to the caller. There must be one read at a time.
	ReadAsync(done func(chunk []byte, err error))
}

// A Pipe holds back its writer when it holds so many bytes, or so many chunks.
// The second bound keeps a writer that is called back at once from recursing
// deeply.
const (
	pipeBytes  = 128 << 10
	pipeChunks = 16
)

// Pipe is a stream in memory between a writer that works by callbacks and a
// reader that works by callbacks ([Pipe.ReadAsync]) or blocks ([Pipe.Read]). It
// is safe for use by one reader and one writer on different goroutines.
type Pipe struct {
	mu      sync.Mutex
	chunks  [][]byte
	size    int
	err     error // set by the writer: io.EOF or why the stream broke
	closed  bool  // set by the reader
	writer  func(error)
	reader  func([]byte, error)
	onClose func()
	rest    []byte // of the last chunk, for Read
}

// NewPipe returns an empty pipe. onClose, if not nil, is called once when the
// reader gives up before the end, on the reader's goroutine.
func NewPipe(onClose func()) *Pipe { return &Pipe{onClose: onClose} }

// WriteAsync puts a chunk into the pipe, which then owns it. The result is true
// if there is room for more; if not, room is called once there is, with
// io.ErrClosedPipe when the reader has given up.
func (p *Pipe) WriteAsync(chunk []byte, room func(err error)) bool {
	p.mu.Lock()
	switch {
	case p.closed:
		p.mu.Unlock()
		room(io.ErrClosedPipe)
		return false
	case len(chunk) == 0 || p.err != nil:
		p.mu.Unlock()
		return true
	case p.reader != nil:
		done := p.reader
		p.reader = nil
		p.mu.Unlock()
		done(chunk, nil)
		return true
	}
	defer p.mu.Unlock()
	p.chunks = append(p.chunks, chunk)
	p.size += len(chunk)
	if p.hasRoom() {
		return true
	}
	p.writer = room
	return false
}

func (p *Pipe) hasRoom() bool { return p.size < pipeBytes && len(p.chunks) < pipeChunks }

// CloseWithError ends the stream once what was written has been read: with err,
// or properly if err is nil. Only the first call counts.
func (p *Pipe) CloseWithError(err error) {
	if err == nil {
		err = io.EOF
	}
	p.mu.Lock()
	if p.err != nil {
		p.mu.Unlock()
		return
	}
	p.err = err
	done := p.reader
	p.reader = nil
	p.writer = nil
	p.mu.Unlock()
	if done != nil {
		done(nil, err)
	}
}

// ReadAsync implements [AsyncReader].
func (p *Pipe) ReadAsync(done func(chunk []byte, err error)) {
	p.mu.Lock()
	switch {
	case p.closed:
		p.mu.Unlock()
		done(nil, io.ErrClosedPipe)
		return
	case len(p.chunks) > 0:
		chunk := p.chunks[0]
		p.chunks[0] = nil
		if p.chunks = p.chunks[1:]; len(p.chunks) == 0 {
			p.chunks = nil
		}
		p.size -= len(chunk)
		var room func(error)
		if p.hasRoom() {
			room, p.writer = p.writer, nil
		}
		p.mu.Unlock()
		if room != nil {
			room(nil)
		}
		done(chunk, nil)
		return
	case p.err != nil:
		err := p.err
		p.mu.Unlock()
		done(nil, err)
		return
	}
	p.reader = done
	p.mu.Unlock()
}

// Ready reports whether a read would be answered at once.
func (p *Pipe) Ready() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.chunks) > 0 || p.err != nil || p.closed
}

// Read implements io.Reader; it blocks.
func (p *Pipe) Read(b []byte) (int, error) {
	if len(p.rest) == 0 && len(b) > 0 {
		type result struct {
			chunk []byte
			err   error
		}
		ch := make(chan result, 1)
		p.ReadAsync(func(chunk []byte, err error) { ch <- result{chunk, err} })
		r := <-ch
		if r.err != nil {
			return 0, r.err
		}
		p.rest = r.chunk
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// Close says that the reader wants no more. What is in the pipe is dropped, and
// a read in progress ends with io.ErrClosedPipe.
func (p *Pipe) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	p.chunks, p.size = nil, 0
	room, done, over := p.writer, p.reader, p.err != nil
	p.writer, p.reader = nil, nil
	p.mu.Unlock()
	if done != nil {
		done(nil, io.ErrClosedPipe)
	}
	if room != nil {
		room(io.ErrClosedPipe)
	}
	if !over && p.onClose != nil {
		p.onClose()
	}
	return nil
}
