package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/govalue"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/jsbridge"
)

// streamReader is a ReadableStream of a script as an io.ReadCloser.
type streamReader struct {
	drivenBody
	mu    sync.Mutex
	begun bool // it was read, or given away
}

func (r *references) readable(b httpmsg.Body) *streamReader {
	return &streamReader{drivenBody: drivenBody{rt: r.rt, ctx: r.ctx, body: b}}
}

// take reports whether the reader is untouched and now belongs to the caller.
func (r *streamReader) take() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	begun := r.begun
	r.begun = true
	return !begun
}

// Read implements io.Reader.
func (r *streamReader) Read(p []byte) (int, error) {
	r.take()
	return r.drivenBody.Read(p)
}

// body makes the body that scripts read from r. A stream that came from a script
// goes on its way without a detour.
func (s *sending) body(r io.Reader, length int64) httpmsg.Body {
	if sr, ok := r.(*streamReader); ok && sr.take() {
		return sr.body
	}
	src := &goSource{rt: s.rt, ctx: sessionContext{context.Background(), s.ctx}, r: r}
	src.opened()
	return httpmsg.StreamBody(src, length)
}

// goSource is an io.Reader of the embedding program as scripts read it: each
// chunk is read on a goroutine of its own when a script asks for it.
type goSource struct {
	rt  *Runtime
	ctx context.Context
	r   io.Reader

	closer io.Closer // nil: none, or closed; the lock of the exports guards it
}

// sourceChunk is how much is read at once, in bytes.
const sourceChunk = 32 << 10

// ReadAsync implements [httpmsg.AsyncReader].
func (s *goSource) ReadAsync(done func(chunk []byte, err error)) {
	s.rt.spawn(s.ctx, func(context.Context) {
		buf := make([]byte, sourceChunk)
		n, err := 0, error(&durable.Error{Name: "Error", Message: "the goroutine of the Go reader has ended"})
		// Deferred, because the reader may end the goroutine (runtime.Goexit, as by
		// FailNow of a test).
		defer func() {
			if n > 0 {
				err = nil // it comes again
			}
			done(buf[:n:n], err)
		}()
		defer func() {
			if err != nil {
				s.close()
			}
		}()
		n, err = s.Read(buf)
	})
}

// maxEmptyReads is how often in a row a reader may return nothing at all.
const maxEmptyReads = 100

// Read implements io.Reader; it returns something, or an error.
func (s *goSource) Read(p []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			n, err = 0, &durable.Error{Name: "Error", Message: fmt.Sprint("the Go reader panicked: ", v)}
		}
	}()
	for range maxEmptyReads {
		if n, err = s.r.Read(p); n != 0 || err != nil {
			break
		}
	}
	switch {
	case n < 0 || n > len(p):
		n, err = 0, fmt.Errorf("the Go reader returned %d for a buffer of %d bytes", n, len(p))
	case n == 0 && err == nil:
		err = io.ErrNoProgress
	}
	var d *durable.Error
	if err != nil && err != io.EOF && !errors.As(err, &d) {
		err = &durable.Error{Name: "Error", Message: err.Error()}
	}
	return n, err
}

// opened notes that the reader has to be closed, if it can be.
func (s *goSource) opened() {
	e := &s.rt.exports
	e.mu.Lock()
	defer e.mu.Unlock()
	if s.closer, _ = s.r.(io.Closer); s.closer == nil {
		return
	}
	if e.sources == nil {
		e.sources = map[*goSource]struct{}{}
	}
	e.sources[s] = struct{}{}
}

// close closes the reader, once.
func (s *goSource) close() {
	e := &s.rt.exports
	e.mu.Lock()
	c := s.closer
	s.closer = nil
	delete(e.sources, s)
	e.mu.Unlock()
	if c == nil {
		return
	}
	defer func() {
		if p := recover(); p != nil {
			s.rt.log.Error("panic while a Go reader was closed", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	_ = c.Close() // nobody is left to tell
}

// Close gives up the rest. The reader may take its time, and no script sees when
// it is closed.
func (s *goSource) Close() error {
	go s.close()
	return nil
}

// writable makes the entry for an io.Writer.
func (s *sending) writable(w io.Writer) (any, error) {
	if sw, ok := w.(*streamWriter); ok {
		target, err := sw.ref.retained()
		if err != nil {
			return nil, err
		}
		return jsbridge.SentWritable{Sink: target.(jsbridge.Ref)}, nil
	}
	sink := &goSink{w: w}
	x, err := s.rt.export(s.ctx, &exported{target: NewTarget(sink), dispose: sink.Dispose})
	if err != nil {
		return nil, err
	}
	return jsbridge.SentWritable{Sink: x}, nil
}

// goSink is an io.Writer of the embedding program as scripts write to it. Its
// methods are those that [jsbridge.SentWritable] asks for.
type goSink struct {
	w    io.Writer
	over bool
}

// Write is the method write.
func (s *goSink) Write(chunk []byte) error {
	_, err := s.w.Write(chunk)
	return err
}

// Close is the method close.
func (s *goSink) Close() error {
	if s.over {
		return nil
	}
	s.over = true
	if c, ok := s.w.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Abort is the method abort.
func (s *goSink) Abort() error {
	if s.over {
		return nil
	}
	if c, ok := s.w.(interface{ CloseWithError(error) error }); ok {
		s.over = true
		return c.CloseWithError(errWriterGone)
	}
	return s.Close()
}

// errWriterGone is what the reading end of a pipe gets when a script breaks off
// its stream. The reason does not travel.
var errWriterGone = errors.New("the script has aborted the stream")

// Dispose is called when no script can write any more. A stream that was not
// closed was broken off.
func (s *goSink) Dispose() error { return s.Abort() }

// streamWriter is a WritableStream of a script as an io.WriteCloser.
type streamWriter struct {
	ctx context.Context
	ref *Ref
}

// Write implements io.Writer; it returns when the stream has taken the bytes.
func (w *streamWriter) Write(p []byte) (int, error) {
	if _, err := w.ref.Call(w.ctx, "write", govalue.ArrayBuffer(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close ends the stream and waits until its sink is closed.
func (w *streamWriter) Close() error { return w.end("close") }

// CloseWithError aborts the stream. As in JavaScript the reason does not travel.
func (w *streamWriter) CloseWithError(error) error { return w.end("abort") }

func (w *streamWriter) end(method string) error {
	_, err := w.ref.Call(w.ctx, method)
	_ = w.ref.Close()
	if errors.Is(err, errRefClosed) {
		return nil // it has ended before
	}
	return err
}

// request makes the message of a request that is a value.
func (s *sending) request(req *http.Request) (any, error) {
	if req.URL == nil {
		return nil, errors.New("the request has no URL")
	}
	msg := httpmsg.RequestFromHTTP(req, "http")
	if msg.Method == "" {
		msg.Method = http.MethodGet
	}
	msg.Body = s.httpBody(req.Body, req.ContentLength)
	return msg, nil
}

// response makes the message of a response that is a value.
func (s *sending) response(res *http.Response) (any, error) {
	msg := httpmsg.ResponseFromHTTP(res)
	if msg.Status < 200 || msg.Status > 599 {
		return nil, fmt.Errorf("a Response cannot have the status %d", msg.Status)
	}
	msg.Body = s.httpBody(res.Body, res.ContentLength)
	return msg, nil
}

// httpBody is a body of net/http, where a length of 0 may also mean that nobody
// has set it.
func (s *sending) httpBody(b io.ReadCloser, length int64) httpmsg.Body {
	switch {
	case b == nil || b == http.NoBody:
		return httpmsg.NoBody()
	case length <= 0:
		length = httpmsg.UnknownLength
	}
	return s.body(b, length)
}

func (r *references) httpResponse(res *httpmsg.Response) *http.Response {
	return r.rt.response(r.ctx, nil, res, nil)
}

func (r *references) httpRequest(msg *httpmsg.Request) (*http.Request, error) {
	if msg.Body.Stream() != nil {
		msg = msg.Clone()
		msg.Body = httpmsg.StreamBody(r.readable(msg.Body), msg.Body.Length())
	}
	return msg.ToHTTP(r.ctx)
}
