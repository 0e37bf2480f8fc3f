package remote

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/durashim/durashim/durable"
)

// maxMessage is the largest request or reply, in bytes. Bodies of fetch do not
// count: large ones are streams.
const maxMessage = 40 << 20

// clientLink is a connection with the calls on it.
type clientLink struct {
	*link
	client *Client
	epoch  time.Time
	faults bool // the host carries out faults inside the objects

	state       sync.Mutex
	incarnation uint64
	going       bool
	last        uint64
	calls       map[uint64]*clientCall
	attempts    map[*durable.Attempt]*clientCall // those that are not answered
}

// clientCall is an attempt on its way.
type clientCall struct {
	id       uint64
	attempt  *durable.Attempt
	claim    bool
	out      *outgoing
	passage  *durable.Passage // nil: no fault acts on it
	partial  []byte           // of the reply
	replied  bool             // the reply is there
	answered bool             // the caller has it
	twin     bool             // it is the duplicate of another
	of       *clientCall      // that one
	waits    bool             // its reply waits for its duplicate
	held     func()           // what does
	upload   *outBody         // nil: there is none, or it is over
	download *inBody
}

// start sends an attempt; it reports false when the connection takes no more.
func (l *clientLink) start(p pending) bool {
	l.state.Lock()
	if l.going {
		l.state.Unlock()
		return false
	}
	r := p.attempt.Request(l.incarnation)
	r.Fault = p.passage.Inner()
	if err := l.check(r); err != nil {
		l.state.Unlock()
		p.attempt.Done(durable.Reply{Delivery: durable.NotDelivered, Err: err})
		return true
	}
	if reply, stops := p.passage.Stops(); stops {
		// To the caller the request has left, so it carries the host's incarnation.
		l.state.Unlock()
		p.passage.Acts(time.Time{})
		p.attempt.Done(reply)
		return true
	}
	m := &request{worker: p.ns.Worker, class: p.ns.Class, req: *r, deadline: r.Deadline.Sub(l.epoch)}
	m.trace = p.attempt.Traced() || p.passage.Point() == durable.PointConnectionDropped
	c := &clientCall{attempt: p.attempt, claim: r.Claim, passage: p.passage}
	if size := l.prepare(c, m); size > maxMessage {
		l.state.Unlock()
		p.attempt.Done(durable.Reply{Delivery: durable.NotDelivered, Err: &durable.Error{Name: "Error", Message: fmt.Sprintf(
			"durashim: a call of %d bytes cannot cross the connection to the host; the limit is %d.", size, maxMessage)}})
		return true
	}
	l.attempts[c.attempt] = c
	sent := l.enqueue(c, m)
	if sent && p.passage.Point() == durable.PointDuplicated {
		l.duplicate(c, m)
	}
	l.state.Unlock()
	return sent
}

// prepare makes the message of a call and gives it its number. It returns how many
// bytes that is; too many are not to be sent. It is called with state held.
func (l *clientLink) prepare(c *clientCall, m *request) (size int) {
	data := m.encode()
	if len(data) > maxMessage {
		return len(data)
	}
	l.last++
	c.id = l.last
	c.out = &outgoing{piece: frameRequest, last: frameRequestEnd, call: c.id, rest: data}
	return len(data)
}

// enqueue sends what prepare made; it reports false when the connection is over.
// It is called with state held.
func (l *clientLink) enqueue(c *clientCall, m *request) bool {
	if m.stream {
		b := newOutBody(l.link, c.id, m.req.Op.Request.Body, func() { l.step(c, func() { c.upload = nil }) })
		c.upload, c.out.onSent = b, b.start
	}
	l.calls[c.id] = c
	sent := l.link.send(c.out)
	if !sent {
		l.forget(c)
	}
	return sent
}

// check refuses what cannot be bytes.
func (l *clientLink) check(r *durable.Request) *durable.Error {
	op := r.Op
	if r.Fault != nil && !l.faults {
		return &durable.Error{Name: "Error", Message: "durashim: the host at " + l.client.cfg.Address + ": " + noFaults + "."}
	}
	if op.Refs != nil {
		which, what := "an argument", "a value by reference"
		if d, ok := op.Refs.(durable.RefsDescriber); ok {
			var arg int
			if arg, what = d.DescribeRef(); arg >= 0 {
				which = fmt.Sprint("argument ", arg+1)
			}
		}
		return cannotCross(which + " of method " + op.Method + ": " + what)
	}
	if len(op.Path) > maxList || op.Request != nil && len(op.Request.Header) > maxList {
		return &durable.Error{Name: "Error", Message: "durashim: a call with more than 16384 headers or names cannot cross the connection to the host."}
	}
	return nil
}

func cannotCross(what string) *durable.Error {
	return &durable.Error{Name: "Error", Message: "durashim: " + what + " cannot cross the connection to the host yet."}
}

// forget is called with state held.
func (l *clientLink) forget(c *clientCall) {
	delete(l.calls, c.id)
	if l.attempts[c.attempt] == c {
		delete(l.attempts, c.attempt)
	}
}

// step changes a call and forgets it when nothing is left of it.
func (l *clientLink) step(c *clientCall, change func()) {
	l.state.Lock()
	defer l.state.Unlock()
	change()
	if c.answered && c.upload == nil && c.download == nil {
		l.forget(c)
	}
}

// cancel says that nobody waits for an attempt any more.
func (l *clientLink) cancel(a *durable.Attempt) {
	l.state.Lock()
	c := l.attempts[a]
	l.state.Unlock()
	if c != nil {
		l.cut(c, frameCancel)
	}
}

// cut takes a call that is not over from the connection and tells the server so,
// by a frame of the given type. It reports false when the call was over.
func (l *clientLink) cut(c *clientCall, how frameType) bool {
	l.state.Lock()
	if l.calls[c.id] != c || c.answered {
		l.state.Unlock()
		return false
	}
	l.forget(c)
	upload, download := c.upload, c.download
	l.state.Unlock()
	if upload != nil {
		upload.end()
	}
	if download != nil {
		download.close(lost())
	}
	if !l.withdraw(c.out) {
		l.tell(how, c.id, nil)
	}
	return true
}

// lost takes from the server that a call's connection is broken.
func (l *clientLink) lost(c *clientCall) {
	if !l.cut(c, frameLost) {
		return
	}
	if c.twin {
		c.of.second(l)
		return
	}
	c.attempt.Done(durable.Reply{Delivery: durable.Uncertain, Err: durable.ConnectionLost()})
}

// handleFrame takes a frame of the server.
func (l *clientLink) handleFrame(f frame) error {
	l.state.Lock()
	c, last := l.calls[f.call], l.last
	if c == nil && f.call > last {
		l.state.Unlock()
		return badPeer("a %v frame for call %d, which there never was", f.kind, f.call)
	}
	var upload *outBody
	var download *inBody
	if c != nil {
		upload, download = c.upload, c.download
	}
	switch f.kind {
	case frameGoing:
		l.going = true
	case frameIncarnation:
		d := decoder{b: f.payload}
		l.incarnation = d.uint()
		l.state.Unlock()
		return d.end()
	}
	l.state.Unlock()
	switch f.kind {
	case frameGoing:
		l.client.drop(l)
		return nil
	case frameReply, frameReplyEnd:
		if c == nil {
			return nil // it was cancelled
		}
		return l.reply(c, f)
	case frameEvent:
		if c == nil {
			return nil
		}
		return l.event(c, f.payload)
	case frameLost:
		if c != nil {
			l.lost(c)
		}
	case frameData:
		if download != nil {
			return download.receive(f.payload)
		}
	case frameDataEnd, frameDataBroken:
		if download != nil {
			download.close(brokenIf(f.kind == frameDataBroken))
		}
	case frameWindow:
		if upload != nil {
			return upload.grant(f.payload)
		}
	case frameStop:
		if upload != nil {
			upload.end()
		}
	default:
		return badPeer("a %v frame from a server", f.kind)
	}
	return nil
}

func brokenIf(broken bool) error {
	if broken {
		return lost()
	}
	return nil
}

// reply takes a piece of a reply.
func (l *clientLink) reply(c *clientCall, f frame) error {
	if c.replied {
		return badPeer("a second reply to call %d", c.id)
	}
	if len(c.partial)+len(f.payload) > maxMessage {
		return badPeer("a reply of more than %d bytes", maxMessage)
	}
	if c.partial == nil {
		c.partial = f.payload
	} else {
		c.partial = append(c.partial, f.payload...)
	}
	if f.kind == frameReply {
		return nil
	}
	m, err := decodeReply(c.partial)
	if err != nil {
		return badPeer("a reply that cannot be read: %v", err)
	}
	c.partial, c.replied = nil, true
	if c.twin {
		l.twinReply(c, m)
		return nil
	}
	l.state.Lock()
	if l.attempts[c.attempt] != c {
		l.state.Unlock()
		return nil // cancelled meanwhile
	}
	if m.stream {
		c.download = newInBody(l.link, c.id, func() { l.step(c, func() { c.download = nil }) })
		res := m.Result.Response
		res.Body = withStream(res.Body, c.download)
	}
	l.state.Unlock()
	r, passes := c.passage.Answer(m.Reply)
	if !passes {
		if l.cut(c, frameLost) {
			c.attempt.Done(r)
		}
		return nil
	}
	receive := func() { l.receive(c, r) }
	l.state.Lock()
	if c.waits {
		c.held = func() { c.passage.Arrive(func() { l.receive(c, r) }) }
		receive = nil
	}
	l.state.Unlock()
	if receive != nil {
		c.passage.Arrive(receive)
	}
	return nil
}

// receive is the moment in which the caller has the reply.
func (l *clientLink) receive(c *clientCall, r durable.Reply) {
	l.state.Lock()
	there := l.attempts[c.attempt] == c // else the caller gave up, or the connection broke
	if there {
		delete(l.attempts, c.attempt)
		if c.claim {
			l.tell(frameReceived, c.id, nil)
		}
		c.answered = true
		if c.upload == nil && c.download == nil {
			l.forget(c)
		}
	}
	l.state.Unlock()
	if !there {
		closeBody(r.Result.Response)
		return
	}
	c.attempt.Done(r)
}

// ended fails what the connection leaves behind.
func (l *clientLink) ended(err error) {
	c := l.client
	c.drop(l)
	c.mu.Lock()
	delete(c.links, l)
	closed := c.closed
	c.mu.Unlock()
	c.cfg.Logger.Warn("the connection to the host ended", "address", c.cfg.Address, "error", err)
	l.state.Lock()
	left := l.calls
	l.calls, l.attempts = map[uint64]*clientCall{}, map[*durable.Attempt]*clientCall{}
	l.going = true
	order := slices.Sorted(maps.Keys(left))
	var uploads []*outBody
	var downloads []*inBody
	for _, id := range order {
		uploads, downloads = append(uploads, left[id].upload), append(downloads, left[id].download)
	}
	l.state.Unlock()
	for i, id := range order {
		call := left[id]
		if d := downloads[i]; d != nil {
			d.close(lost())
		}
		if u := uploads[i]; u != nil {
			u.end()
		}
		if call.answered || call.twin {
			continue
		}
		r := durable.Reply{Delivery: durable.NotDelivered, Err: durable.ConnectionLost()}
		if l.wholly(call.out) {
			r.Delivery = durable.Uncertain
		}
		if closed {
			r.Delivery, r.Err = durable.Answered, errClosed
		}
		call.attempt.Done(r)
	}
	c.running.Done()
}
