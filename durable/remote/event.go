package remote

import (
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/durashim/durashim/durable"
)

// event is a step of a request at the host, as it is written.
type event struct {
	kind  durable.EventKind
	after time.Duration // since the server had the client's proof
	point durable.FaultPoint
	err   *durable.Error
}

// maxEventText bounds the texts of an event: it is for people, the error itself is
// in the reply.
const maxEventText = 200

func shorten(s string) string {
	if len(s) <= maxEventText {
		return s
	}
	n := maxEventText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

func (m *event) encode() []byte {
	var e encoder
	e.uint(uint64(m.kind))
	e.int(int64(m.after))
	e.uint(uint64(m.point))
	e.bool(m.err != nil)
	if x := m.err; x != nil {
		e.string(shorten(x.Name))
		e.string(shorten(x.Message))
		for _, flag := range []bool{x.Retryable, x.Overloaded, x.Remote, x.Reset} {
			e.bool(flag)
		}
		e.string(shorten(x.Place())) // instead of the stack
	}
	return e.b
}

func decodeEvent(b []byte) (*event, error) {
	d := &decoder{b: b}
	m := &event{}
	kind := d.uint()
	m.after = time.Duration(d.int())
	point := d.uint()
	switch m.kind = durable.EventKind(min(kind, 255)); m.kind {
	case durable.EventClaimed, durable.EventStarted, durable.EventRan:
		if point != 0 {
			d.fail(fmt.Errorf("an event of kind %d with a fault", kind))
		}
	case durable.EventFault:
		if m.point = durable.FaultPoint(min(point, 255)); !m.point.Inside() {
			d.fail(fmt.Errorf("fault %d does not act at a host", point))
		}
	default:
		d.fail(fmt.Errorf("an event of kind %d", kind))
	}
	if d.bool() {
		m.err = &durable.Error{Name: d.string(), Message: d.string(), Retryable: d.bool(), Overloaded: d.bool(), Remote: d.bool(), Reset: d.bool(), ThrownAt: d.string()}
	}
	return m, d.end()
}

// tellEvent tells the client what happens to its request.
func (l *serverLink) tellEvent(c *serverCall, e durable.Event) {
	m := event{kind: e.Kind, after: l.sched.Now().Sub(l.notAfter), point: e.Point, err: e.Err}
	l.tell(frameEvent, c.id, m.encode())
}

// event takes a step at the host. What it says of time is too early by no more than
// the handshake took: see package doc.
func (l *clientLink) event(c *clientCall, payload []byte) error {
	m, err := decodeEvent(payload)
	if err != nil {
		return badPeer("an event that cannot be read: %v", err)
	}
	at := l.epoch.Add(m.after)
	if m.kind == durable.EventFault {
		if c.passage.Point() != m.point {
			return badPeer("a fault that was not asked for")
		}
		c.passage.Acts(at)
		return nil
	}
	if c.twin {
		defer c.of.second(l) // the duplicate has arrived
	}
	c.attempt.Trace(durable.Event{Kind: m.kind, At: at, Err: m.err})
	if m.kind == durable.EventStarted && !c.twin && c.passage.Point() == durable.PointConnectionDropped && l.cut(c, frameLost) {
		c.passage.Acts(at)
		c.attempt.Done(durable.Reply{Delivery: durable.Uncertain, Err: durable.ConnectionLost()})
	}
	return nil
}

// duplicate sends a request a second time, right behind the first. It is called
// with state held.
func (l *clientLink) duplicate(c *clientCall, m *request) {
	d := &clientCall{attempt: c.attempt, twin: true, of: c}
	again := *m
	again.trace = true // so that its arrival is known
	l.prepare(d, &again)
	c.waits = l.enqueue(d, &again)
	c.passage.Acts(time.Time{})
}

// second says that the duplicate of a request has arrived at the host. The reply
// to the first waits for that: one that came after the reply was received would be
// no duplicate on its way, the connection being over by then.
func (c *clientCall) second(l *clientLink) {
	l.state.Lock()
	held := c.held
	c.waits, c.held = false, nil
	l.state.Unlock()
	if held != nil {
		held()
	}
}

// twinReply takes the reply to a duplicate, which nobody receives.
func (l *clientLink) twinReply(c *clientCall, m *reply) {
	l.cut(c, frameLost)
	if m.Rejected {
		c.attempt.Trace(durable.Event{Kind: durable.EventDuplicateRejected})
	}
	c.of.second(l)
}
