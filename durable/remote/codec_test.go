package remote

import (
	"bytes"
	"encoding/binary"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/httpmsg"
	"github.com/google/uuid"
)

func someRequests() []*request {
	op := func(o durable.Op) *request {
		return &request{worker: "main", class: "A", deadline: 10 * time.Second, req: durable.Request{
			Target: durable.Target{Namespace: "NS", ID: durable.ObjectID{1, 2}, Name: "naïve"}, Op: &o, Number: 2,
			Identity: uuid.UUID{1}, Claim: true, Retry: true, Incarnation: 1 << 63, Session: 7}}
	}
	return []*request{
		op(durable.Op{Kind: durable.RPC, Method: "m", Path: []string{"a", ""}, Args: []byte{255, 15}, Replayable: true}),
		op(durable.Op{Kind: durable.Get, Method: "p", Args: []byte{}}),
		op(durable.Op{Kind: durable.Fetch, Method: "fetch", Replayable: true, Request: &httpmsg.Request{Method: "PUT", URL: "http://a/", Header: httpmsg.Header{{Name: "A", Value: "b"}, {Name: "a", Value: ""}},
			Body: httpmsg.BytesBody([]byte("body")).WithEncoding("gzip"), Redirect: "manual", Cache: "no-store", CF: []byte("{}")}}),
		op(durable.Op{Kind: durable.Fetch, Method: "fetch", Request: &httpmsg.Request{Method: "POST", URL: "http://a/", Body: httpmsg.StreamBody(nil, 5)}}),
		op(durable.Op{Kind: durable.Fetch, Method: "fetch", Request: &httpmsg.Request{Method: "GET", URL: "http://a/"}}),
	}
}

func someReplies() []*reply {
	r := func(r durable.Reply) *reply { return &reply{Reply: r} }
	ok := func(res durable.Result) *reply {
		return r(durable.Reply{Delivery: durable.Answered, Result: res, Session: 3})
	}
	return []*reply{
		ok(durable.Result{Value: []byte("v")}),
		ok(durable.Result{Response: &httpmsg.Response{Status: 404, StatusText: "no", Header: httpmsg.Header{{Name: "x", Value: "y"}}, Body: httpmsg.BytesBody([]byte{}),
			URL: "u", Redirected: true, CF: []byte("1"), EncodeBody: "manual"}}),
		ok(durable.Result{Response: &httpmsg.Response{Status: 200, Body: httpmsg.StreamBody(nil, httpmsg.UnknownLength)}}),
		r(durable.Reply{Delivery: durable.Answered, Err: &durable.Error{Name: "TypeError", Message: "m", Retryable: true, Overloaded: true, Remote: true, Reset: true,
			ObjectID: "id", Stack: "at x", ThrownAt: "a.ts:1:2", Thrown: []byte{}}, Broken: true}),
		r(durable.Reply{Delivery: durable.Answered, Err: durable.ConnectionLost(), Rejected: true}),
		r(durable.Reply{Delivery: durable.NotDelivered, Err: durable.ConnectionLost()}),
	}
}

func TestMessagesSurviveTheWire(t *testing.T) {
	for i, m := range someRequests() {
		got, err := decodeRequest(m.encode())
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("request %d: %v\n%+v %+v\nwant %+v %+v", i, err, got, got.req.Op, m, m.req.Op)
		}
	}
	for i, m := range someReplies() {
		got, err := decodeReply(m.encode())
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("reply %d: %v\n%+v\nwant %+v", i, err, got, m)
		}
	}
}

// Whoever adds a field to what travels has to think of the connection: encode it,
// or refuse what it stands for.
func TestNoFieldIsForgotten(t *testing.T) {
	for _, c := range []struct {
		of     any
		fields string
	}{
		{durable.Target{}, "Namespace ID Name"},
		{durable.Op{}, "Kind Method Path Args Refs Request Pipe Origin Replayable"}, // Pipe means something within the process only; Origin is the caller's business
		{durable.Result{}, "Value Refs Response"},
		{durable.Reply{}, "Delivery Result Err Rejected Session Broken"},
		{durable.Error{}, "Name Message Retryable Overloaded Remote Reset ObjectID Stack ThrownAt Thrown"},
		{httpmsg.Request{}, "Method URL Header Body Redirect Cache CF"},
		{httpmsg.Response{}, "Status StatusText Header Body URL Redirected CF EncodeBody"},
	} {
		var names []string
		for f := range reflect.TypeOf(c.of).Fields() {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != c.fields {
			t.Errorf("%T has the fields %s; message.go knows %s", c.of, got, c.fields)
		}
	}
}

func TestBadFrames(t *testing.T) {
	huge := binary.BigEndian.AppendUint32(nil, 1<<31)
	for _, c := range []struct {
		in   []byte
		want string
	}{
		{huge, "a frame of 2147483648 bytes"},
		{[]byte{0, 0, 0, 1, 1}, "a frame of 1 bytes"},
		{appendFrame(nil, 200, 1, nil), "unknown type 200"},
		{appendFrame(nil, frameData, 1, []byte("abc"))[:15], io.ErrUnexpectedEOF.Error()},
		{[]byte{0, 0}, io.ErrUnexpectedEOF.Error()},
		{nil, io.EOF.Error()},
	} {
		if _, err := readFrame(bytes.NewReader(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.in, err, c.want)
		}
	}
}

func FuzzFrames(f *testing.F) {
	f.Add(appendFrame(appendFrame(nil, frameRequest, 1, []byte("x")), framePing, 0, nil))
	f.Add(binary.BigEndian.AppendUint32(nil, 1<<30))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := bytes.NewReader(in)
		var out []byte
		for {
			fr, err := readFrame(r)
			if err != nil {
				break
			}
			out = appendFrame(out, fr.kind, fr.call, fr.payload)
		}
		if !bytes.HasPrefix(in, out) {
			t.Errorf("%x was read as %x", in, out)
		}
	})
}

func FuzzRequest(f *testing.F) {
	for _, m := range someRequests() {
		f.Add(m.encode())
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := decodeRequest(in)
		if err != nil {
			return
		}
		again, err := decodeRequest(m.encode())
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("%+v became %+v: %v", m, again, err)
		}
	})
}

func FuzzReply(f *testing.F) {
	for _, m := range someReplies() {
		f.Add(m.encode())
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := decodeReply(in)
		if err != nil {
			return
		}
		again, err := decodeReply(m.encode())
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("%+v became %+v: %v", m, again, err)
		}
	})
}

func BenchmarkRequest(b *testing.B) {
	m := someRequests()[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decodeRequest(m.encode()); err != nil {
			b.Fatal(err)
		}
	}
}

// What a host tells of a method that threw says where, without its whole stack.
func TestEventsNameThePlace(t *testing.T) {
	m := event{kind: durable.EventRan, err: &durable.Error{Name: "Error", Message: "m", Stack: "Error: m\n\tat f (src/a.ts:1:2(3))"}}
	got, err := decodeEvent(m.encode())
	if err != nil || got.err == nil || got.err.Place() != "src/a.ts:1:2" || got.err.Stack != "" {
		t.Errorf("%v: got %+v", err, got)
	}
}
