package remote

import (
	"bytes"
	"net"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
)

// frames reads the frames of an input.
func frames(in []byte) (all []frame) {
	r := bytes.NewReader(in)
	for {
		f, err := readFrame(r)
		if err != nil {
			return all
		}
		all = append(all, f)
	}
}

// silent is a connection to nobody.
func silent() net.Conn {
	a, b := net.Pipe()
	_ = b.Close()
	return a
}

// FuzzClientFrames gives a server what a client with the key might send: nothing
// panics, and nothing is left of it when the connection has ended.
func FuzzClientFrames(f *testing.F) {
	clock := sched.NewVirtual(sched.Epoch)
	w := newWorld(f, clock)
	for i, m := range someRequests() {
		f.Add(append(appendFrame(nil, frameRequestEnd, 1, m.encode()), appendFrame(nil, frameType(1+i), 1, []byte("x"))...))
	}
	f.Add(append(appendFrame(nil, frameRequest, 1, []byte("x")), appendFrame(nil, frameCancel, 1, nil)...))
	f.Fuzz(func(t *testing.T, in []byte) {
		l := &serverLink{server: w.server, link: newLink(silent(), clock, Timing{}.withDefaults()), greeted: &greeted{}, calls: map[uint64]*serverCall{}}
		w.server.running.Add(1)
		for _, f := range frames(in) {
			if l.handleFrame(f) != nil {
				break
			}
			if err := clock.Settle(t.Context()); err != nil { // the object answers
				t.Fatal(err)
			}
		}
		l.close(errLinkClosed)
		l.ended(errLinkClosed)
		if w.server.calls != 0 || len(l.calls) != 0 {
			t.Errorf("%d calls are left, %d on the connection", w.server.calls, len(l.calls))
		}
	})
}

// FuzzServerFrames gives a client what a server might send: nothing panics, and
// every call ends once.
func FuzzServerFrames(f *testing.F) {
	clock := sched.NewVirtual(sched.Epoch)
	w := newWorld(f, clock)
	for i, m := range someReplies() {
		f.Add(append(appendFrame(nil, frameReplyEnd, 1, m.encode()), appendFrame(nil, frameType(3+i), 1, []byte("x"))...))
	}
	f.Add(append(appendFrame(nil, frameReply, 1, []byte("x")), appendFrame(nil, frameGoing, 0, nil)...))
	f.Fuzz(func(t *testing.T, in []byte) {
		c, err := NewClient(w.clientConfig(w.addr))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		l := &clientLink{client: c, link: newLink(silent(), clock, Timing{}.withDefaults()), incarnation: 1,
			calls: map[uint64]*clientCall{}, attempts: map[*durable.Attempt]*clientCall{}}
		c.cur = l
		c.running.Add(1)
		ends := 0
		e := &durable.Engine{Scheduler: clock, Random: w.random}
		ns := &durable.Namespace{Name: "A", IDs: ids, Engine: e, Transport: c.Transport(testNS)}
		var retry durable.RetryOptions // none
		for range 2 {
			ns.Get(ids.FromName("a"), "a", retry, "test").Call(durable.Op{Method: "add", Replayable: true}, func(r durable.Result, _ *durable.Error) {
				ends++
				closeBody(r.Response)
			})
		}
		for _, f := range frames(in) {
			if l.handleFrame(f) != nil {
				break
			}
		}
		l.close(errLinkClosed)
		l.ended(errLinkClosed)
		if ends != 2 || len(l.calls) != 0 {
			t.Errorf("2 calls ended %d times, %d are left", ends, len(l.calls))
		}
	})
}
