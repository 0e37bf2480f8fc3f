package runtime

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/durashim/durashim/internal/httpmsg"
)

// answer writes a response to a client.
type answer struct {
	door *door
	w    http.ResponseWriter
	req  *http.Request
	res  *httpmsg.Response
	body httpmsg.Body // what goes out, before pack
	pack bool         // with gzip
}

// unsendable is why a response could not be sent at all: nothing of it is out.
type unsendable struct{ err error }

func (e *unsendable) Error() string { return e.err.Error() }

// notSent are the headers that describe a connection rather than a message, and
// the length, which we know better (measured on workerd).
var notSent = map[string]bool{
	"Connection": true, "Keep-Alive": true, "Transfer-Encoding": true, "Te": true, "Trailer": true, "Upgrade": true,
	"Content-Length": true,
}

// send writes the whole response. The error is an *unsendable while the status
// has not been written.
func (a *answer) send(ctx context.Context) error {
	res := a.res
	defer func() { _ = res.Body.Close() }() // a stream that was read to its end is closed twice
	if res.Status < 200 {
		if res.Status == http.StatusSwitchingProtocols {
			return &unsendable{errors.New("durashim does not implement upgrades to WebSocket")}
		}
		return &unsendable{errors.New("TypeError: Return value from serve handler must not be an error response (like Response.error())")}
	}
	if err := a.encode(); err != nil {
		return &unsendable{err}
	}
	if a.door.http != nil {
		inject(&res.Header, a.door.http.InjectResponseHeaders)
	}
	h := a.w.Header()
	res.Header.ToHTTP(h)
	for name := range notSent {
		h.Del(name)
	}
	// net/http would add these; the worker did not.
	for _, name := range []string{"Date", "Content-Type"} {
		if h[name] == nil {
			h[name] = nil
		}
	}
	length := a.length()
	bodyless := res.Status == http.StatusNoContent || res.Status == http.StatusNotModified
	switch {
	case bodyless:
	case a.req.Method == http.MethodHead:
		// Of a body that does not come, the worker knows the length best.
		v, stated := res.Header.Get("Content-Length")
		switch {
		case res.Header.Has("Transfer-Encoding"):
		case stated:
			h.Set("Content-Length", v)
		case length > 0 || res.Status == http.StatusResetContent:
			h.Set("Content-Length", strconv.FormatInt(length, 10))
		}
	case length >= 0:
		h.Set("Content-Length", strconv.FormatInt(length, 10))
	}
	if bodyless || a.req.Method == http.MethodHead || length == 0 {
		a.w.WriteHeader(res.Status)
		return nil
	}
	if data, ok := a.body.Bytes(); ok && !a.pack {
		a.w.WriteHeader(res.Status)
		_, err := a.w.Write(data)
		return err
	}
	return a.stream(ctx)
}

// length is that of what goes out, or httpmsg.UnknownLength.
func (a *answer) length() int64 {
	if a.pack {
		return httpmsg.UnknownLength
	}
	return a.body.Length()
}

// encode decides what happens to the body: as in the real runtime a body that a
// script made is encoded as its Content-Encoding says, unless encodeBody is
// "manual"; one that was fetched is passed on as it came.
func (a *answer) encode() error {
	a.body = a.res.Body
	ce, _ := a.res.Header.Get("Content-Encoding")
	want := httpmsg.BytesBody(nil).WithEncoding(ce).Encoding()
	switch {
	case a.body.IsNone() || a.res.EncodeBody == "manual" || a.body.Encoding() == want:
		return nil
	case want == "br":
		return errors.New(`durashim does not implement encoding with "Content-Encoding: br"; use encodeBody: "manual" with a body that is encoded already`)
	}
	a.body = a.body.Decoded()
	a.pack = want == "gzip"
	return nil
}

// stream writes the body chunk by chunk; each is on its way before the next is
// asked for.
func (a *answer) stream(ctx context.Context) error {
	d := &drivenBody{rt: a.door.rt, ctx: ctx, body: a.body}
	var out io.Writer = a.w
	flush := http.NewResponseController(a.w).Flush
	var z *gzip.Writer
	if a.pack {
		z = gzip.NewWriter(a.w)
		out = z
	}
	started := false
	start := func() {
		if !started {
			started = true
			a.w.WriteHeader(a.res.Status)
		}
	}
	for {
		// The headers go out before the first chunk is there, but a stream that
		// has failed already is not begun.
		chunk, err := d.next(func() error {
			start()
			return flush()
		})
		if err != nil && !started && err != io.EOF {
			return err
		}
		start()
		if len(chunk) > 0 {
			if _, err := out.Write(chunk); err != nil {
				return fmt.Errorf("writing: %w", err)
			}
			if z != nil {
				if err := z.Flush(); err != nil {
					return fmt.Errorf("writing: %w", err)
				}
			}
		}
		switch {
		case err == io.EOF:
			if z != nil {
				if err := z.Close(); err != nil {
					return fmt.Errorf("writing: %w", err)
				}
			}
			// A stream is chunked, however short it is and however soon it ends.
			return flush()
		case err != nil:
			return err
		}
	}
}

// drivenBody reads a stream that may come from a script. Under a virtual clock
// the reader's goroutine runs the script meanwhile.
type drivenBody struct {
	rt     *Runtime
	ctx    context.Context
	body   httpmsg.Body
	cancel func() // called by Close, if not nil
	r      io.Reader
	rest   []byte
	buf    []byte
	over   bool
}

// next returns the next chunk, which is valid until the next call. wait is called
// when it is not there yet.
func (d *drivenBody) next(wait func() error) (chunk []byte, err error) {
	if d.r == nil {
		d.r = d.body.Open()
	}
	async, ok := d.r.(httpmsg.AsyncReader)
	if !ok {
		if err := wait(); err != nil {
			return nil, err
		}
		if d.buf == nil {
			d.buf = make([]byte, 32<<10)
		}
		n, err := d.r.Read(d.buf)
		return d.buf[:n], err
	}
	// Not the results themselves: the chunk may come after the wait was given up.
	var got []byte
	var failed error
	done := make(chan struct{})
	async.ReadAsync(func(c []byte, e error) {
		got, failed = c, e
		close(done)
	})
	select {
	case <-done:
		return got, failed
	default:
	}
	if err := wait(); err != nil {
		return nil, err
	}
	if err := d.rt.wait(d.ctx, done); err != nil {
		return nil, err
	}
	return got, failed
}

// Read implements io.Reader.
func (d *drivenBody) Read(p []byte) (int, error) {
	if len(d.rest) == 0 {
		chunk, err := d.next(func() error { return nil })
		if err == io.EOF {
			d.over = true
		}
		if len(chunk) == 0 || err != nil && err != io.EOF {
			return 0, err
		}
		d.rest = chunk
	}
	n := copy(p, d.rest)
	d.rest = d.rest[n:]
	return n, nil
}

// Close implements io.Closer.
func (d *drivenBody) Close() error {
	err := d.body.Close()
	if d.cancel != nil && !d.over {
		d.cancel()
	}
	return err
}
