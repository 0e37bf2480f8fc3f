// Package httpmsg is the HTTP message as it travels between workers, objects
// and the Go API: plain data without any JavaScript or connection in it, so
// that a call can be queued, sent again and written to a log.
//
// The model is the Fetch standard's request and response
// (https://fetch.spec.whatwg.org/#infrastructure), reduced to what crosses a
// service boundary.
package httpmsg

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Request is a request on its way to a fetch() handler.
//
// It is data: share it freely for reading, but do not change it while another
// goroutine may read it.
type Request struct {
	// Method is in its final spelling; the well-known ones are upper-case.
	Method string
	// URL is absolute, as the WHATWG URL parser serialises it.
	URL    string
	Header Header
	Body   Body
	// Redirect is "follow" or "manual" ("" counts as "follow").
	Redirect string
	// Cache is the `cache` option of the request, "" if it was not given.
	Cache string
	// CF is the `cf` object as JSON text, nil if there is none.
	CF json.RawMessage
}

// Response is the answer to a Request.
//
// It is data, under the same rule as Request.
type Response struct {
	// Status is the code, 200 to 599, or 101 for an upgrade.
	Status     int
	StatusText string
	Header     Header
	Body       Body
	// URL is the address the response came from, "" for one made by a script.
	URL string
	// Redirected tells whether a redirect was followed to get here.
	Redirected bool
	// CF is the `cf` object as JSON text, nil if there is none.
	CF json.RawMessage
	// EncodeBody is "manual" if the script says that the payload is already
	// encoded as Content-Encoding tells, else "" or "automatic".
	EncodeBody string
}

// Replayable tells whether the request can be sent again unchanged, which
// depends on its body alone.
func (r *Request) Replayable() bool { return r.Body.Replayable() }

// Clone returns a copy whose headers are its own. The payload is shared; a
// stream body remains one stream.
func (r *Request) Clone() *Request {
	c := *r
	c.Header = r.Header.Clone()
	return &c
}

// Clone returns a copy whose headers are its own, with the payload shared.
func (r *Response) Clone() *Response {
	c := *r
	c.Header = r.Header.Clone()
	return &c
}

// ToHTTP makes an outgoing net/http request that carries r. It fails if
// net/http refuses the URL or the method.
func (r *Request) ToHTTP(ctx context.Context) (*http.Request, error) {
	var body io.Reader
	if !r.Body.IsNone() {
		body = r.Body.Open()
	}
	out, err := http.NewRequestWithContext(ctx, r.Method, r.URL, body)
	if err != nil {
		return nil, fmt.Errorf("httpmsg: %w", err)
	}
	r.Header.ToHTTP(out.Header)
	// net/http takes the Host from its own field and ignores the header.
	if host, ok := r.Header.Get("Host"); ok {
		out.Host = host
		out.Header.Del("Host")
	}
	if !r.Body.IsNone() {
		out.ContentLength = r.Body.Length()
	}
	return out, nil
}

// RequestFromHTTP converts a request that an http.Server received. The URL
// becomes absolute, with the Host header as authority and the scheme given
// ("http" or "https"). The body stays a stream unless the request has none;
// call Buffer to make it replayable.
func RequestFromHTTP(in *http.Request, scheme string) *Request {
	url := in.URL.String()
	if !in.URL.IsAbs() {
		url = scheme + "://" + in.Host + in.URL.RequestURI()
	}
	out := &Request{Method: in.Method, URL: url, Header: HeaderFromHTTP(in.Header)}
	if in.Host != "" && !out.Header.Has("Host") {
		out.Header.Add("Host", in.Host)
	}
	if in.Body != nil && in.Body != http.NoBody && in.ContentLength != 0 {
		out.Body = StreamBody(in.Body, in.ContentLength)
	}
	return out
}

// Buffer reads a stream body into memory, at most limit bytes (a negative
// limit means none), so that the request becomes replayable.
func (r *Request) Buffer(limit int64) error {
	b, err := buffer(r.Body, limit)
	if err == nil {
		r.Body = b
	}
	return err
}

// Buffer reads a stream body into memory, at most limit bytes (a negative
// limit means none).
func (r *Response) Buffer(limit int64) error {
	b, err := buffer(r.Body, limit)
	if err == nil {
		r.Body = b
	}
	return err
}

func buffer(b Body, limit int64) (Body, error) {
	if b.stream == nil {
		return b, nil
	}
	data, err := b.ReadAll(limit)
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return b, err
	}
	return BytesBody(data), nil
}

// WriteTo answers a net/http request with r: headers, status, payload. It
// reports the first error of reading the payload or of writing; the status
// line is already out by then.
func (r *Response) WriteTo(w http.ResponseWriter) error {
	r.Header.ToHTTP(w.Header())
	w.WriteHeader(r.Status)
	if r.Body.IsNone() {
		return nil
	}
	if data, ok := r.Body.Bytes(); ok {
		_, err := w.Write(data)
		return err
	}
	defer r.Body.Close()
	_, err := io.Copy(w, r.Body.Stream())
	return err
}

// ResponseFromHTTP converts a response that an http.Client received. The body
// stays a stream; the caller still has to drain or close it.
func ResponseFromHTTP(in *http.Response) *Response {
	out := &Response{
		Status:     in.StatusCode,
		StatusText: statusText(in),
		Header:     HeaderFromHTTP(in.Header),
	}
	if in.Request != nil && in.Request.URL != nil {
		out.URL = in.Request.URL.String()
	}
	if in.Body != nil && in.Body != http.NoBody && in.ContentLength != 0 {
		out.Body = StreamBody(in.Body, in.ContentLength)
	}
	return out
}

// statusText is the reason phrase: what net/http leaves of it after the code.
func statusText(in *http.Response) string {
	if len(in.Status) > 4 && in.Status[3] == ' ' {
		return in.Status[4:]
	}
	return http.StatusText(in.StatusCode)
}

// ToHTTP makes a net/http response that carries r, for use as the result of an
// http.RoundTripper. req may be nil.
func (r *Response) ToHTTP(req *http.Request) *http.Response {
	out := &http.Response{
		Status:        fmt.Sprintf("%d %s", r.Status, r.StatusText),
		StatusCode:    r.Status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        make(http.Header, len(r.Header)),
		ContentLength: r.Body.Length(),
		Body:          http.NoBody,
		Request:       req,
	}
	r.Header.ToHTTP(out.Header)
	if !r.Body.IsNone() {
		out.Body = struct {
			io.Reader
			io.Closer
		}{r.Body.Open(), closer{r.Body}}
	}
	return out
}

type closer struct{ b Body }

func (c closer) Close() error { return c.b.Close() }
