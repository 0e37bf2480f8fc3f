package remote

import (
	"fmt"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/google/uuid"
)

// request is an attempt as it is written. Deadline is the time since the
// handshake, see package doc.
type request struct {
	worker, class string
	req           durable.Request
	deadline      time.Duration
	stream        bool // the body of Op.Request follows in data frames
	trace         bool // the client wants to know of each step
}

// smallBody is the length up to which a body of bytes travels within its message.
// Larger ones follow as streams, which flow control bounds.
const smallBody = 1 << 20

func (m *request) encode() []byte {
	e := &encoder{b: make([]byte, 0, 256+len(m.req.Op.Args))}
	r := &m.req
	e.string(m.worker)
	e.string(m.class)
	e.string(r.Target.Namespace)
	e.raw(r.Target.ID[:])
	e.string(r.Target.Name)
	e.uint(uint64(r.Number))
	e.raw(r.Identity[:])
	e.bool(r.Claim)
	e.bool(r.Retry)
	e.int(int64(m.deadline))
	e.uint(r.Incarnation)
	e.uint(r.Session)
	e.bool(m.trace)
	e.bool(r.Fault != nil)
	if f := r.Fault; f != nil {
		e.uint(uint64(f.Point))
		e.int(int64(f.Delay))
	}
	op := r.Op
	e.uint(uint64(op.Kind))
	e.string(op.Method)
	e.uint(uint64(len(op.Path)))
	for _, p := range op.Path {
		e.string(p)
	}
	e.optional(op.Args)
	e.bool(op.Replayable)
	e.bool(op.Request != nil)
	if q := op.Request; q != nil {
		e.string(q.Method)
		e.string(q.URL)
		e.header(q.Header)
		e.string(q.Redirect)
		e.string(q.Cache)
		e.optional(q.CF)
		m.stream = e.body(q.Body)
	}
	return e.b
}

// decodeRequest reads what encode wrote. The result keeps parts of b.
func decodeRequest(b []byte) (*request, error) {
	d := &decoder{b: b}
	m := &request{worker: d.string(), class: d.string()}
	op := &durable.Op{}
	r := &m.req
	r.Op = op
	r.Target.Namespace = d.string()
	copy(r.Target.ID[:], d.raw(uint64(len(r.Target.ID))))
	r.Target.Name = d.string()
	if n := d.uint(); n >= 1 && n <= durable.MaxRetriesLimit+1 {
		r.Number = int(n)
	} else {
		d.fail(fmt.Errorf("attempt %d of a call", n))
	}
	copy(r.Identity[:], d.raw(uint64(len(r.Identity))))
	r.Claim, r.Retry = d.bool(), d.bool()
	m.deadline = time.Duration(d.int())
	r.Incarnation, r.Session = d.uint(), d.uint()
	m.trace = d.bool()
	if d.bool() {
		point, delay := d.uint(), time.Duration(d.int())
		r.Fault = &durable.InnerFault{Point: durable.FaultPoint(min(point, 255)), Delay: delay}
		if !r.Fault.Point.Inside() || delay < 0 || (r.Fault.Point == durable.PointStorageUnavailable) != (delay > 0) {
			d.fail(fmt.Errorf("fault %d for %d ns, which no object carries out", point, delay))
		}
	}
	kind := d.uint()
	if kind > uint64(durable.Get) {
		d.fail(fmt.Errorf("a call of unknown kind %d", kind))
	}
	op.Kind, op.Method = durable.Kind(kind), d.string()
	if n := d.count(); n > 0 {
		op.Path = make([]string, n)
		for i := range op.Path {
			op.Path[i] = d.string()
		}
	}
	op.Args, op.Replayable = d.optional(), d.bool()
	if d.bool() {
		q := &httpmsg.Request{Method: d.string(), URL: d.string(), Header: d.header(), Redirect: d.string(), Cache: d.string(), CF: d.optional()}
		q.Body, m.stream = d.body()
		op.Request = q
	}
	switch {
	case d.err != nil:
	case (op.Kind == durable.Fetch) != (op.Request != nil):
		d.fail(fmt.Errorf("a call of kind %v with the parts of another", op.Kind))
	case r.Claim && r.Identity == uuid.Nil:
		d.fail(fmt.Errorf("a claim without an identity"))
	}
	return m, d.end()
}

// reply is the end of an attempt as it is written.
type reply struct {
	durable.Reply
	stream bool // the body of the response follows in data frames
}

func (m *reply) encode() []byte {
	e := &encoder{b: make([]byte, 0, 64+len(m.Result.Value))}
	e.uint(uint64(m.Delivery))
	e.bool(m.Rejected)
	e.uint(m.Session)
	e.bool(m.Broken)
	e.bool(m.Err != nil)
	if x := m.Err; x != nil {
		e.string(x.Name)
		e.string(x.Message)
		for _, flag := range []bool{x.Retryable, x.Overloaded, x.Remote, x.Reset} {
			e.bool(flag)
		}
		e.string(x.ObjectID)
		e.string(x.Stack)
		e.string(x.ThrownAt)
		e.optional(x.Thrown)
		return e.b
	}
	e.optional(m.Result.Value)
	e.bool(m.Result.Response != nil)
	if r := m.Result.Response; r != nil {
		e.int(int64(r.Status))
		e.string(r.StatusText)
		e.header(r.Header)
		e.string(r.URL)
		e.bool(r.Redirected)
		e.optional(r.CF)
		e.string(r.EncodeBody)
		m.stream = e.body(r.Body)
	}
	return e.b
}

func decodeReply(b []byte) (*reply, error) {
	d := &decoder{b: b}
	m := &reply{}
	delivery := d.uint()
	// That delivery is uncertain is the caller's to find out.
	if delivery > uint64(durable.Answered) || durable.Delivery(delivery) == durable.Uncertain {
		d.fail(fmt.Errorf("a reply of delivery %d", delivery))
	}
	m.Delivery, m.Rejected, m.Session, m.Broken = durable.Delivery(delivery), d.bool(), d.uint(), d.bool()
	if d.bool() {
		m.Err = &durable.Error{Name: d.string(), Message: d.string(), Retryable: d.bool(), Overloaded: d.bool(), Remote: d.bool(),
			Reset: d.bool(), ObjectID: d.string(), Stack: d.string(), ThrownAt: d.string(), Thrown: d.optional()}
		return m, d.end()
	}
	m.Result.Value = d.optional()
	if d.bool() {
		r := &httpmsg.Response{Status: int(d.int()), StatusText: d.string(), Header: d.header(), URL: d.string(),
			Redirected: d.bool(), CF: d.optional(), EncodeBody: d.string()}
		r.Body, m.stream = d.body()
		m.Result.Response = r
	}
	if d.err == nil && (m.Rejected || m.Broken || m.Delivery != durable.Answered) {
		d.fail(fmt.Errorf("a reply that failed without an error"))
	}
	return m, d.end()
}

func (e *encoder) header(h httpmsg.Header) {
	e.uint(uint64(len(h)))
	for _, f := range h {
		e.string(f.Name)
		e.string(f.Value)
	}
}

func (d *decoder) header() httpmsg.Header {
	n := d.count()
	if n == 0 {
		return nil
	}
	h := make(httpmsg.Header, 0, n)
	for range n {
		h = append(h, httpmsg.Field{Name: d.string(), Value: d.string()})
	}
	return h
}

// How a body is written.
const (
	bodyNone   = iota
	bodyBytes  // it follows at once
	bodyStream // it follows in data frames
)

// body writes a body, or how long it is; it reports whether the bytes are still
// to be sent.
func (e *encoder) body(b httpmsg.Body) (stream bool) {
	data, inMemory := b.Bytes()
	switch {
	case b.IsNone():
		e.uint(bodyNone)
		return false
	case inMemory && len(data) <= smallBody:
		e.uint(bodyBytes)
		e.string(b.Encoding())
		e.bytes(data)
		return false
	}
	e.uint(bodyStream)
	e.string(b.Encoding())
	e.int(b.Length())
	return true
}

// body reads a body. One that follows as a stream has no reader yet.
func (d *decoder) body() (b httpmsg.Body, stream bool) {
	switch kind := d.uint(); kind {
	case bodyNone:
		return httpmsg.NoBody(), false
	case bodyBytes:
		encoding := d.string()
		return httpmsg.BytesBody(d.bytes()).WithEncoding(encoding), false
	case bodyStream:
		encoding, n := d.string(), d.int()
		if n < httpmsg.UnknownLength {
			d.fail(fmt.Errorf("a body of %d bytes", n))
		}
		return httpmsg.StreamBody(nil, n).WithEncoding(encoding), true
	default:
		d.fail(fmt.Errorf("a body of unknown kind %d", kind))
		return httpmsg.NoBody(), false
	}
}

// withStream gives a body that follows as a stream its reader.
func withStream(b httpmsg.Body, in *inBody) httpmsg.Body {
	return httpmsg.StreamBody(in, b.Length()).WithEncoding(b.Encoding())
}
