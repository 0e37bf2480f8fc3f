package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/config"
	"github.com/durashim/durashim/internal/httpmsg"
)

// smallBody is the length in bytes up to which a request's body is read before
// the handler starts, if its length is known. Bytes need no stream on their way to
// an object. 64 KiB is what arrives along with the headers on most connections, so
// nothing waits for it.
const smallBody = 64 << 10

// Handler returns the front door of the project: an http.Handler that sends
// every request to the fetch handler of the first worker. Bodies stream in both
// directions.
//
// As in the real runtime, what the handler throws becomes a 500 and is logged; an
// error that says the connection to somebody was lost (its property retryable is
// true) breaks the connection to the client too, and so does a stream that fails
// midway. When the client disconnects, request.signal is aborted in workers that
// have the flag enable_request_signal.
func (rt *Runtime) Handler() http.Handler {
	return &door{rt: rt, target: service{rt.workers[0], "default"}}
}

// canceler is a service whose requests can be given up.
type canceler interface {
	FetchCancel(req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) (cancel func())
}

// door turns HTTP requests into messages to a service.
type door struct {
	rt     *Runtime
	target canceler
	http   *config.HTTPOptions // nil: the defaults
}

// ServeHTTP implements http.Handler.
func (d *door) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !knownMethods[req.Method] {
		w.Header()["Content-Type"] = []string{"text/plain"}
		refuse(w, http.StatusNotImplemented, "ERROR: Unrecognized request method.")
		return
	}
	if req.Host == "" {
		refuse(w, http.StatusBadRequest, "Bad Request")
		return
	}
	if req.Body != nil && (req.ContentLength < 0 || req.ContentLength > smallBody) {
		// Else net/http would read the rest of the request before it lets us
		// answer. Not every writer can; then the answer comes after the request.
		_ = http.NewResponseController(w).EnableFullDuplex()
	}
	msg, err := d.message(req)
	if err != nil {
		if req.Context().Err() == nil {
			refuse(w, http.StatusBadRequest, "Bad Request")
		}
		return
	}
	ctx := req.Context()
	res, cancel, err := d.rt.fetch(ctx, d.target, msg)
	if err != nil {
		if ctx.Err() == nil {
			d.failed(w, req, err)
		}
		return
	}
	a := &answer{door: d, w: w, req: req, res: res}
	if err := a.send(ctx); err != nil {
		cancel()
		if ctx.Err() != nil {
			return
		}
		var stop *unsendable
		if errors.As(err, &stop) {
			d.failed(w, req, stop.err)
			return
		}
		d.rt.log.Error("response broken off", "method", req.Method, "url", req.URL.String(), "error", err)
		panic(http.ErrAbortHandler) // the client must not take this for the end
	}
}

// failed answers a request whose handler threw.
func (d *door) failed(w http.ResponseWriter, req *http.Request, err error) {
	text := err.Error()
	var e *durable.Error
	if errors.As(err, &e) && e.Stack != "" {
		text = e.Stack
	}
	attrs := []any{"method", req.Method, "url", req.URL.String()}
	if e != nil && e.ThrownAt != "" {
		// The stack is that of the worker; the error came from an object.
		attrs = append(attrs, "thrownAt", e.ThrownAt)
	}
	d.rt.log.Error("request failed", append(attrs, "error", text)...)
	if errors.Is(err, durable.ErrRetryable) {
		panic(http.ErrAbortHandler)
	}
	refuse(w, http.StatusInternalServerError, "Internal Server Error")
}

// refuse answers without the worker.
func refuse(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	if h["Content-Type"] == nil {
		h["Content-Type"] = nil
	}
	h["Date"] = nil
	h.Set("Connection", "close")
	h.Set("Content-Length", fmt.Sprint(len(text)))
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // nobody is left to tell
}

// knownMethods are those of the Request class; workerd turns others away.
var knownMethods = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`GET HEAD POST PUT DELETE PATCH PURGE OPTIONS TRACE COPY LOCK MKCOL MOVE
		PROPFIND PROPPATCH SEARCH UNLOCK ACL REPORT MKACTIVITY CHECKOUT MERGE MSEARCH NOTIFY SUBSCRIBE UNSUBSCRIBE
		QUERY BAN`) {
		m[name] = true
	}
	return m
}()

// message makes the message of a request, with the URL as the client wrote it:
// workerd does not normalise it either.
func (d *door) message(req *http.Request) (*httpmsg.Request, error) {
	scheme := "http"
	if req.TLS != nil {
		scheme = "https"
	}
	proxy := d.http != nil && d.http.Style.Value == "proxy"
	target := requestTarget(req, proxy)
	msg := &httpmsg.Request{Method: req.Method, Header: httpmsg.HeaderFromHTTP(req.Header), Redirect: "manual"}
	if !msg.Header.Has("Host") {
		msg.Header.Add("Host", req.Host)
	}
	for i := range msg.Header {
		// Header values are bytes; scripts see them as UTF-8.
		msg.Header[i].Value = strings.ToValidUTF8(msg.Header[i].Value, "\uFFFD")
	}
	msg.CF, _ = json.Marshal(map[string]string{"clientIp": req.RemoteAddr})
	if d.http != nil {
		if name := d.http.ForwardedProtoHeader; name.IsSet() && !proxy {
			if v, ok := msg.Header.Get(name.Value); ok {
				scheme = v
				msg.Header.Del(name.Value)
			}
		}
		if name := d.http.CfBlobHeader; name.IsSet() {
			v, ok := msg.Header.Get(name.Value)
			if msg.CF = nil; ok {
				if msg.CF = json.RawMessage(v); !json.Valid(msg.CF) {
					return nil, fmt.Errorf("header %s is not JSON", name)
				}
				msg.Header.Del(name.Value)
			}
		}
		inject(&msg.Header, d.http.InjectRequestHeaders)
	}
	msg.URL = scheme + "://" + req.Host + target
	if proxy {
		msg.URL = target
	}
	return msg, requestBody(msg, req)
}

// requestTarget is the URL as it stands in the request line, without a fragment;
// proxy leaves a whole URL whole. What middleware (http.StripPrefix) made of it
// counts more.
func requestTarget(req *http.Request, proxy bool) string {
	u, err := url.ParseRequestURI(req.RequestURI)
	if err != nil || u.Path != req.URL.Path || u.RawPath != req.URL.RawPath || u.RawQuery != req.URL.RawQuery || u.IsAbs() && !proxy {
		return req.URL.RequestURI()
	}
	target, _, _ := strings.Cut(req.RequestURI, "#")
	return target
}

// requestBody takes the body of a request: as bytes when it is small, else as a
// stream.
func requestBody(msg *httpmsg.Request, req *http.Request) error {
	n := req.ContentLength
	switch {
	case req.Body == nil || req.Body == http.NoBody || n == 0:
		if _, stated := req.Header["Content-Length"]; stated {
			msg.Body = httpmsg.BytesBody(nil)
		}
	case n > 0 && n <= smallBody:
		data := make([]byte, n)
		if _, err := io.ReadFull(req.Body, data); err != nil {
			return err
		}
		msg.Body = httpmsg.BytesBody(data)
	default:
		if n < 0 {
			msg.Header.Set("Transfer-Encoding", "chunked")
		}
		msg.Body = httpmsg.StreamBody(&clientBody{Reader: req.Body}, n)
	}
	return nil
}

// clientBody is the body of a request that an http.Server received. The server
// closes it by itself, at the end of the handler; closing it earlier could block.
type clientBody struct{ io.Reader }

// inject sets or removes headers as a configuration says.
func inject(h *httpmsg.Header, list []config.Header) {
	for _, x := range list {
		h.Del(x.Name.Value)
		if x.Value.IsSet() {
			h.Add(x.Name.Value, x.Value.Value)
		}
	}
}

// Fetch sends a request to the fetch handler of the first worker. The URL must
// be absolute. The response's body must be closed, or read to its end; ctx
// governs reading it too.
func (rt *Runtime) Fetch(ctx context.Context, req *http.Request) (*http.Response, error) {
	return rt.fetchHTTP(ctx, service{rt.workers[0], "default"}, req)
}

// response makes the net/http response that carries res. cancel may be nil.
func (rt *Runtime) response(ctx context.Context, req *http.Request, res *httpmsg.Response, cancel func()) *http.Response {
	if r := res.Body.Stream(); r != nil {
		res = res.Clone()
		d := &drivenBody{rt: rt, ctx: ctx, body: res.Body, cancel: cancel}
		res.Body = httpmsg.StreamBody(d, res.Body.Length())
	}
	return res.ToHTTP(req)
}

// fetch sends a message and waits for the response. cancel gives up the rest of
// its body.
func (rt *Runtime) fetch(ctx context.Context, target canceler, msg *httpmsg.Request) (res *httpmsg.Response, cancel func(), err error) {
	// Not the results themselves: the answer may come after the wait was given up.
	var got *httpmsg.Response
	var failed *durable.Error
	done := make(chan struct{})
	cancel = target.FetchCancel(msg, func(r *httpmsg.Response, e *durable.Error) {
		got, failed = r, e
		close(done)
	})
	if err := rt.wait(ctx, done); err != nil {
		cancel()
		return nil, nil, err
	}
	if failed != nil {
		return nil, nil, failed
	}
	return got, cancel, nil
}
