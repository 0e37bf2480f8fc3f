package runtime

import (
	"context"
	"crypto/tls"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/config"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/durashim/durashim/internal/sched"
)

// outbound is a service outside of the process: a network, or one server. It is
// safe for use by many goroutines.
type outbound struct {
	rt        *Runtime
	name      string
	transport http.RoundTripper
	http      *config.HTTPOptions // of a server; nil for a network
}

// internetService is the service that takes what the global fetch() sends unless
// the configuration says otherwise (Worker.globalOutbound of workerd.capnp).
const internetService = "internet"

// newInternet makes the service "internet" when no configuration declares it:
// public addresses, as in the real runtime; everything for a wrangler project,
// which as a rule talks to servers on the developer's machine.
func (rt *Runtime) newInternet() *outbound {
	n := everywhere
	if rt.cfg.Format == config.FormatWorkerd {
		n = &network{allow: []netRule{{word: "public"}}}
	}
	return rt.newNetworkService(internetService, n)
}

func (rt *Runtime) newNetworkService(name string, n *network) *outbound {
	o := &outbound{rt: rt, name: name, transport: rt.opts.Outbound}
	if o.transport == nil {
		o.transport = rt.transport(func(ctx context.Context, proto, addr string) (net.Conn, error) {
			d := net.Dialer{Control: func(_, resolved string, _ syscall.RawConn) error {
				if a, err := netip.ParseAddrPort(resolved); err == nil && n.allowed(a.Addr()) {
					return nil
				}
				return &notAllowedError{addr}
			}}
			return d.DialContext(ctx, proto, addr)
		})
	}
	return o
}

// newServer makes the service of an external server.
func (rt *Runtime) newServer(name string, s *config.ExternalServer) (*outbound, error) {
	o := &outbound{rt: rt, name: name, transport: rt.opts.Outbound, http: s.HTTP}
	if s.Protocol != "http" && s.Protocol != "https" {
		return nil, fmt.Errorf("%s: durashim does not implement external services of protocol %s", s.Pos, s.Protocol)
	}
	if h := s.HTTP; h != nil && h.CapnpConnectHost.IsSet() {
		return nil, fmt.Errorf("%s: durashim does not implement capnpConnectHost", h.CapnpConnectHost.Pos)
	}
	if s.Address.Value == "" {
		return nil, fmt.Errorf("%s: the external service %q has no address; give it one with --external-addr %s=<addr>", s.Pos, name, name)
	}
	port := "80"
	if s.Protocol == "https" {
		port = "443"
	}
	proto, addr := splitAddress(s.Address.Value, port)
	if o.transport == nil {
		t := rt.transport(func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, proto, addr)
		})
		if s.CertificateHost.IsSet() {
			t.TLSClientConfig = &tls.Config{ServerName: s.CertificateHost.Value}
		}
		if o.http != nil && o.http.Style.Value == "proxy" {
			// That writes the whole URL into the request line.
			t.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: addr})
		}
		o.transport = t
	}
	scheme := s.Protocol
	o.transport = schemeTransport{o.transport, scheme}
	return o, nil
}

// schemeTransport speaks one protocol whatever the URL says: an external server
// has one, and the URL is for the server to look at.
type schemeTransport struct {
	http.RoundTripper
	scheme string
}

func (t schemeTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	u := *req.URL
	u.Scheme = t.scheme
	req.URL = &u
	return t.RoundTripper.RoundTrip(req)
}

// splitAddress reads an address of a configuration: host:port, a host alone,
// "*" for all addresses, unix:PATH or unix-abstract:NAME.
func splitAddress(addr, port string) (proto, hostport string) {
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		return "unix", path
	}
	if name, ok := strings.CutPrefix(addr, "unix-abstract:"); ok {
		return "unix", "@" + name
	}
	if h, p, err := net.SplitHostPort(addr); err == nil {
		addr, port = h, p
	}
	addr = strings.TrimSuffix(strings.TrimPrefix(addr, "["), "]")
	if addr == "*" {
		addr = ""
	}
	return "tcp", net.JoinHostPort(addr, port)
}

// transport makes a transport that changes as little as it can.
func (rt *Runtime) transport(dial func(ctx context.Context, proto, addr string) (net.Conn, error)) *http.Transport {
	t := &http.Transport{
		DialContext: dial, DisableCompression: true, ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: 32, IdleConnTimeout: idleConn,
	}
	rt.transports = append(rt.transports, t)
	return t
}

// notAllowedError says that the configuration keeps a service from an address.
type notAllowedError struct{ addr string }

func (e *notAllowedError) Error() string { return "connecting to " + e.addr + " is not allowed" }

// Fetch implements [jsbridge.Service].
func (o *outbound) Fetch(req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) {
	o.FetchCancel(req, done)
}

// FetchCancel implements [jsbridge.Canceler].
func (o *outbound) FetchCancel(req *httpmsg.Request, done func(*httpmsg.Response, *durable.Error)) func() {
	ctx, cancel := context.WithCancel(context.Background())
	out := &outside{sched: o.rt.sched}
	out.begin()
	go func() {
		defer out.end()
		res, err := o.roundTrip(ctx, cancel, req, out)
		if err != nil {
			cancel()
			done(nil, o.failure(err))
			return
		}
		done(res, nil)
	}()
	return cancel
}

func (o *outbound) roundTrip(ctx context.Context, cancel func(), msg *httpmsg.Request, out *outside) (*httpmsg.Response, error) {
	var body io.Reader
	if r := msg.Body.Stream(); r != nil {
		body = &outgoing{body: msg.Body, out: out}
	} else if data, _ := msg.Body.Bytes(); len(data) > 0 {
		body = msg.Body.Open()
	}
	req, err := http.NewRequestWithContext(ctx, msg.Method, msg.URL, body)
	if err != nil {
		return nil, err
	}
	req.URL.User = nil
	if body != nil {
		req.ContentLength = msg.Body.Length()
	} else if msg.Method != http.MethodGet && msg.Method != http.MethodHead {
		req.Body, req.TransferEncoding = http.NoBody, []string{"identity"} // says "Content-Length: 0"
	}
	head := msg.Header.Clone()
	if o.http != nil {
		if name := o.http.ForwardedProtoHeader; name.IsSet() && o.http.Style.Value != "proxy" {
			scheme, _, _ := strings.Cut(msg.URL, ":")
			head.Set(name.Value, scheme)
		}
		if name := o.http.CfBlobHeader; name.IsSet() && msg.CF != nil {
			head.Set(name.Value, string(msg.CF))
		}
		inject(&head, o.http.InjectRequestHeaders)
	}
	for _, f := range head {
		name := http.CanonicalHeaderKey(f.Name)
		if notSent[name] || name == "Host" {
			continue
		}
		if old, ok := req.Header[name]; ok {
			req.Header[name] = []string{old[0] + ", " + f.Value}
		} else {
			req.Header[name] = []string{f.Value}
		}
	}
	if _, ok := req.Header["User-Agent"]; !ok {
		req.Header["User-Agent"] = nil // else net/http adds its own
	}
	res, err := o.transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	return o.response(req, res, cancel), nil
}

// response makes the message of a response.
func (o *outbound) response(req *http.Request, res *http.Response, cancel func()) *httpmsg.Response {
	msg := httpmsg.ResponseFromHTTP(res)
	msg.Body = httpmsg.NoBody()
	for i := range msg.Header {
		msg.Header[i].Value = strings.ToValidUTF8(msg.Header[i].Value, "\uFFFD")
	}
	if len(res.TransferEncoding) > 0 && !msg.Header.Has("Transfer-Encoding") {
		msg.Header.Add("Transfer-Encoding", res.TransferEncoding[0])
	}
	if o.http != nil {
		inject(&msg.Header, o.http.InjectResponseHeaders)
	}
	switch {
	case req.Method == http.MethodHead, res.StatusCode == http.StatusNoContent, res.StatusCode == http.StatusNotModified, res.StatusCode < 200:
		_ = res.Body.Close()
		cancel()
	case res.ContentLength == 0:
		_ = res.Body.Close()
		cancel()
		msg.Body = httpmsg.BytesBody(nil)
	default:
		ce, _ := msg.Header.Get("Content-Encoding")
		msg.Body = httpmsg.StreamBody(&incoming{Reader: res.Body, body: res.Body, cancel: cancel}, res.ContentLength).WithEncoding(ce)
	}
	return msg
}

// failure is the error that a script sees. A connection that failed is
// retryable; the rest is the operator's business and is only logged, as in the
// real runtime.
func (o *outbound) failure(err error) *durable.Error {
	var denied *notAllowedError
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var script *durable.Error
	switch {
	case errors.As(err, &script):
		return script
	case errors.As(err, &denied):
		err = denied
	case errors.As(err, &dns), errors.As(err, &cert):
	default:
		o.rt.log.Debug("outbound request failed", "service", o.name, "error", err)
		return durable.ConnectionLost()
	}
	var raw [15]byte
	_, _ = o.rt.random.Read(raw[:])
	ref := strings.ToLower(base32.HexEncoding.EncodeToString(raw[:]))
	o.rt.log.Error("outbound request failed", "service", o.name, "error", err, "reference", ref)
	return &durable.Error{Name: "Error", Message: "internal error; reference = " + ref}
}

// incoming is the body of a response from outside.
type incoming struct {
	io.Reader
	body   io.Closer
	cancel func()
}

// Close gives up the rest. Cancelling comes first: closing alone would read on,
// to save the connection.
func (b *incoming) Close() error {
	b.cancel()
	return b.body.Close()
}

// outside tells the clock of an exchange with the world outside, and pauses that
// while the exchange waits for a script.
type outside struct {
	sched sched.Scheduler
	mu    sync.Mutex
	stop  func()
	over  bool
}

func (o *outside) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stop == nil && !o.over {
		o.stop = o.sched.Outside()
	}
}

func (o *outside) pause() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stop != nil {
		o.stop()
		o.stop = nil
	}
}

func (o *outside) end() {
	o.pause()
	o.mu.Lock()
	o.over = true
	o.mu.Unlock()
}

// outgoing is the body of a request to outside.
type outgoing struct {
	body httpmsg.Body
	out  *outside
	rest []byte
}

func (b *outgoing) Read(p []byte) (int, error) {
	async, ok := b.body.Open().(httpmsg.AsyncReader)
	if !ok {
		return b.body.Open().Read(p)
	}
	if len(b.rest) == 0 {
		type result struct {
			chunk []byte
			err   error
		}
		ch := make(chan result, 1)
		b.out.pause()
		async.ReadAsync(func(chunk []byte, err error) {
			b.out.begin() // before the script's turn is over: no gap in which time could pass
			ch <- result{chunk, err}
		})
		r := <-ch
		if r.err != nil {
			return 0, r.err
		}
		b.rest = r.chunk
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func (b *outgoing) Close() error { return b.body.Close() }
