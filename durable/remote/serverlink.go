package remote

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
)

// serverLink is a client's connection with the calls on it.
type serverLink struct {
	*link
	*greeted
	server *Server

	state     sync.Mutex
	announced uint64 // the incarnation that the client knows
	last      uint64
	partial   int // bytes of incomplete requests
	calls     map[uint64]*serverCall
}

// serverCall is a request with its reply.
type serverCall struct {
	id       uint64
	partial  []byte           // of a request that is not complete
	whole    bool             // it is
	host     *durable.Host    // that has it
	req      *durable.Request // as the host has it
	gone     bool             // nobody waits for the reply
	replied  bool             // the reply was written
	received bool             // the client has it, or need not say so
	upload   *inBody          // the body of the request; nil: there is none, or it is over
	download *outBody         // that of the response
}

// handleFrame takes a frame of the client.
func (l *serverLink) handleFrame(f frame) error {
	l.state.Lock()
	c := l.calls[f.call]
	fresh := f.call > l.last
	if c == nil && fresh && (f.kind == frameRequest || f.kind == frameRequestEnd) {
		c = &serverCall{id: f.call}
		l.last = f.call
		l.calls[f.call] = c
		l.server.count(1)
	} else if fresh {
		l.state.Unlock()
		return badPeer("a %v frame for call %d, which there is not", f.kind, f.call)
	}
	var upload *inBody
	var download *outBody
	if c != nil {
		upload, download = c.upload, c.download
	}
	l.state.Unlock()
	switch f.kind {
	case frameRequest, frameRequestEnd:
		if c == nil || c.whole {
			return badPeer("a second request with the number %d", f.call)
		}
		return l.request(c, f)
	case frameData:
		if upload != nil {
			return upload.receive(f.payload)
		}
	case frameDataEnd, frameDataBroken:
		if upload != nil {
			upload.close(brokenIf(f.kind == frameDataBroken))
		}
	case frameWindow:
		if download != nil {
			return download.grant(f.payload)
		}
	case frameStop:
		if download != nil {
			download.end()
		}
	case frameReceived:
		if c != nil && c.whole {
			if c.host != nil {
				c.host.Received(c.req)
			}
			l.step(c, func() { c.received = true })
		}
	case frameCancel:
		if c != nil {
			l.cancel(c, true)
		}
	case frameLost:
		if c != nil {
			l.cancel(c, false)
		}
	default:
		return badPeer("a %v frame from a client", f.kind)
	}
	return nil
}

// step changes a call and forgets it when nothing is left of it.
func (l *serverLink) step(c *serverCall, change func()) {
	l.state.Lock()
	change()
	over := l.calls[c.id] == c && c.replied && c.received && c.upload == nil && c.download == nil
	if over {
		delete(l.calls, c.id)
	}
	l.state.Unlock()
	if over {
		l.server.count(-1)
	}
}

// cancel drops a call. If its caller gave up, the object learns of it; when the
// connection broke, it does not: that of all calls tells it nothing either.
func (l *serverLink) cancel(c *serverCall, gaveUp bool) {
	l.state.Lock()
	if l.calls[c.id] != c {
		l.state.Unlock()
		return
	}
	delete(l.calls, c.id)
	c.gone = true
	l.partial -= len(c.partial)
	c.partial = nil
	upload, download := c.upload, c.download
	l.state.Unlock()
	if gaveUp && c.host != nil && c.whole {
		c.host.GaveUp(c.req)
	}
	if upload != nil {
		upload.close(lost())
	}
	if download != nil {
		download.end()
	}
	l.server.count(-1)
}

// request takes a piece of a request; the last one starts it.
func (l *serverLink) request(c *serverCall, f frame) error {
	l.state.Lock()
	l.partial += len(f.payload)
	total := l.partial
	calls := len(l.calls)
	l.state.Unlock()
	if len(c.partial)+len(f.payload) > maxMessage || total > maxPartial {
		return badPeer("requests of more than %d bytes, or %d together", maxMessage, maxPartial)
	}
	if c.partial == nil {
		c.partial = f.payload
	} else {
		c.partial = append(c.partial, f.payload...)
	}
	if f.kind == frameRequest {
		return nil
	}
	m, err := decodeRequest(c.partial)
	if err != nil {
		return badPeer("a request that cannot be read: %v", err)
	}
	l.state.Lock()
	l.partial -= len(c.partial)
	c.partial, c.whole = nil, true
	c.received = !m.req.Claim
	if m.stream {
		c.upload = newInBody(l.link, c.id, func() { l.step(c, func() { c.upload = nil }) })
		q := m.req.Op.Request
		q.Body = withStream(q.Body, c.upload)
	}
	l.state.Unlock()
	if calls > maxCalls {
		l.answer(c, refused(&durable.Error{Name: "Error", Message: "durashim: the host has too many calls of this client.", Overloaded: true}))
		return nil
	}
	l.deliver(c, m)
	return nil
}

// refused is the reply to what was turned away before the claim.
func refused(err *durable.Error) durable.Reply {
	return durable.Reply{Delivery: durable.NotDelivered, Err: err}
}

// maxWindow is the longest time for which a claim is kept.
const maxWindow = durable.RetryTimeoutMax + time.Second

// deliver hands a request to the host of its object.
func (l *serverLink) deliver(c *serverCall, m *request) {
	s := l.server
	ns := s.namespace(m.worker, m.class)
	s.mu.Lock()
	going, faults := s.going, s.faults
	s.mu.Unlock()
	switch {
	case ns == nil:
		l.answer(c, refused(&durable.Error{Name: "Error", Message: "durashim: the host has no class " + m.class + " of worker " + m.worker + "."}))
		return
	case going:
		l.answer(c, refused(durable.ConnectionLost()))
		return
	}
	now := l.sched.Now()
	if m.req.Retry && now.After(l.notBefore.Add(m.deadline)) {
		// Its claim may be gone by now, and nobody waits for it any more.
		l.answer(c, durable.Reply{Delivery: durable.Answered, Err: durable.ConnectionLost(), Rejected: true})
		return
	}
	req := m.req
	req.Deadline = l.notAfter.Add(min(m.deadline, now.Sub(l.notAfter)+maxWindow))
	if req.Session != 0 {
		req.Session ^= s.nonce
	}
	if m.trace {
		req.Trace = func(e durable.Event) { l.tellEvent(c, e) }
	}
	if f := req.Fault; f != nil {
		if !faults {
			l.answer(c, refused(&durable.Error{Name: "Error", Message: "durashim: the host: " + noFaults + "."}))
			return
		}
		f.Random = s.cfg.Random
		f.Acts = func() { l.tellEvent(c, durable.Event{Kind: durable.EventFault, Point: f.Point}) }
	}
	host := ns.Route(req.Target)
	// After Route: a host that took another's place has changed the number before.
	current := s.incarnation()
	if req.Incarnation = host.Incarnation; m.req.Incarnation != current {
		req.Incarnation = ^host.Incarnation
	}
	c.host, c.req = host, &req
	if !host.Receive(&req, func(r durable.Reply) { l.answer(c, r) }) {
		l.answer(c, refused(durable.ConnectionLost()))
	}
}

// answer sends the reply. It may be called from any goroutine.
func (l *serverLink) answer(c *serverCall, r durable.Reply) {
	if r.Delivery == durable.Uncertain {
		l.lose(c)
		return
	}
	if r.Result.Refs != nil {
		r.Result.Refs.Drop()
		what := "a result by reference (a function, stub or stream)"
		if d, ok := r.Result.Refs.(durable.RefsDescriber); ok {
			_, what = d.DescribeRef()
		}
		r = durable.Reply{Delivery: durable.Answered, Session: r.Session, Err: cannotCross("the result of method " + c.req.Op.Method + ": " + what)}
	}
	if r.Session != 0 {
		r.Session ^= l.server.nonce
	}
	res := r.Result.Response
	if res != nil && len(res.Header) > maxList {
		_ = res.Body.Close()
		r = durable.Reply{Delivery: durable.Answered, Session: r.Session, Err: cannotCross("a response with more than 16384 headers")}
		res = nil
	}
	m := &reply{Reply: r}
	data := m.encode()
	if len(data) > maxMessage {
		if res != nil {
			_ = res.Body.Close()
		}
		m = &reply{Reply: durable.Reply{Delivery: durable.Answered, Session: r.Session, Err: cannotCross("a result of more than 40 MiB")}}
		data = m.encode()
	}
	out := &outgoing{piece: frameReply, last: frameReplyEnd, call: c.id, rest: data}
	l.state.Lock()
	if c.gone || l.calls[c.id] != c {
		l.state.Unlock()
		closeBody(m.Result.Response)
		return
	}
	var download *outBody
	if m.stream {
		download = newOutBody(l.link, c.id, res.Body, func() { l.step(c, func() { c.download = nil }) })
		c.download = download
	}
	upload := c.upload
	l.announce()
	l.state.Unlock()
	if upload != nil && res == nil || upload != nil && !m.stream && upload.untouched() {
		// Nobody has begun to read the body of the request, so nobody will.
		_ = upload.Close()
	}
	out.onSent = func() {
		if download != nil {
			download.start()
		}
		l.step(c, func() { c.replied = true })
	}
	if !l.link.send(out) {
		closeBody(m.Result.Response)
	}
}

// announce tells the client of another incarnation. It is called with state held.
func (l *serverLink) announce() {
	if now := l.server.incarnation(); now != l.announced {
		l.announced = now
		var e encoder
		e.uint(now)
		l.tell(frameIncarnation, 0, e.b)
	}
}

// lose tells the client that the host was lost with the call.
func (l *serverLink) lose(c *serverCall) {
	l.state.Lock()
	if l.calls[c.id] != c {
		l.state.Unlock()
		return
	}
	l.announce()
	l.state.Unlock()
	l.tell(frameLost, c.id, nil)
	l.cancel(c, false)
}

func closeBody(r *httpmsg.Response) {
	if r != nil {
		_ = r.Body.Close()
	}
}

// ended gives up what the connection leaves behind. Claims stay.
func (l *serverLink) ended(err error) {
	s := l.server
	s.mu.Lock()
	delete(s.links, l)
	s.mu.Unlock()
	s.cfg.Logger.Debug("client disconnected", "address", l.conn.RemoteAddr().String(), "error", err)
	l.state.Lock()
	left := l.calls
	l.calls = map[uint64]*serverCall{}
	var uploads []*inBody
	var downloads []*outBody
	for _, id := range slices.Sorted(maps.Keys(left)) {
		c := left[id]
		c.gone = true
		uploads, downloads = append(uploads, c.upload), append(downloads, c.download)
	}
	l.state.Unlock()
	for i := range uploads {
		if uploads[i] != nil {
			uploads[i].close(lost())
		}
		if downloads[i] != nil {
			downloads[i].end()
		}
		s.count(-1)
	}
	s.running.Done()
}
