package httpmsg_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/durashim/durashim/internal/httpmsg"
)

func TestHeader(t *testing.T) {
	var h httpmsg.Header
	h.Add("A", "1")
	h.Add("b", "2")
	h.Add("a", "3")
	if v, ok := h.Get("a"); v != "1, 3" || !ok {
		t.Errorf("Get(a) = %q, %v", v, ok)
	}
	if v, ok := h.Get("c"); v != "" || ok {
		t.Errorf("Get(c) = %q, %v", v, ok)
	}
	c := h.Clone()
	h.Set("a", "x")
	if want := (httpmsg.Header{{"A", "x"}, {"b", "2"}}); !reflect.DeepEqual(h, want) {
		t.Errorf("after Set: %v", h)
	}
	h.Set("C", "y")
	h.Del("B")
	if want := (httpmsg.Header{{"A", "x"}, {"C", "y"}}); !reflect.DeepEqual(h, want) {
		t.Errorf("after Del: %v", h)
	}
	if want := (httpmsg.Header{{"A", "1"}, {"b", "2"}, {"a", "3"}}); !reflect.DeepEqual(c, want) {
		t.Errorf("the clone changed: %v", c)
	}
}

func TestBodyKinds(t *testing.T) {
	stream := httpmsg.StreamBody(strings.NewReader("xyz"), httpmsg.UnknownLength)
	for _, test := range []struct {
		name       string
		body       httpmsg.Body
		none       bool
		inMemory   bool
		replayable bool
		length     int64
		text       string
	}{
		{"zero", httpmsg.Body{}, true, true, true, 0, ""},
		{"none", httpmsg.NoBody(), true, true, true, 0, ""},
		{"empty", httpmsg.BytesBody(nil), false, true, true, 0, ""},
		{"bytes", httpmsg.BytesBody([]byte("ab")), false, true, true, 2, "ab"},
		{"stream", stream, false, false, false, httpmsg.UnknownLength, "xyz"},
	} {
		_, ok := test.body.Bytes()
		if test.body.IsNone() != test.none || ok != test.inMemory || test.body.Replayable() != test.replayable || test.body.Length() != test.length {
			t.Errorf("%s: %v %v %v %v", test.name, test.body.IsNone(), ok, test.body.Replayable(), test.body.Length())
		}
		data, err := test.body.ReadAll(-1)
		if err != nil || string(data) != test.text {
			t.Errorf("%s: ReadAll = %q, %v", test.name, data, err)
		}
	}
}

type closeCounter struct {
	io.Reader
	closed int
}

func (c *closeCounter) Close() error { c.closed++; return nil }

func TestBuffer(t *testing.T) {
	src := &closeCounter{Reader: strings.NewReader("hello")}
	r := &httpmsg.Request{Body: httpmsg.StreamBody(src, 5)}
	if r.Replayable() {
		t.Error("a stream is not replayable")
	}
	if err := r.Buffer(5); err != nil {
		t.Fatal(err)
	}
	if b, ok := r.Body.Bytes(); !ok || string(b) != "hello" || !r.Replayable() || src.closed != 1 {
		t.Errorf("buffered %q, %v, closed %d times", b, ok, src.closed)
	}
	long := &httpmsg.Response{Body: httpmsg.StreamBody(strings.NewReader("hello"), 5)}
	if err := long.Buffer(4); err == nil {
		t.Error("no error for a body over the limit")
	}
}

func TestRoundTripHTTP(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, in *http.Request) {
		req := httpmsg.RequestFromHTTP(in, "http")
		if err := req.Buffer(-1); err != nil {
			t.Error(err)
		}
		body, _ := req.Body.Bytes()
		resp := &httpmsg.Response{Status: 201, Body: httpmsg.BytesBody(append([]byte(req.Method+" "), body...))}
		resp.Header.Add("Set-Cookie", "a=1")
		resp.Header.Add("Set-Cookie", "b=2")
		resp.Header.Add("X-Url", req.URL)
		got, _ := req.Header.Get("x-test")
		resp.Header.Add("X-Test", got)
		if err := resp.WriteTo(w); err != nil {
			t.Error(err)
		}
	}))
	defer srv.Close()
	out := &httpmsg.Request{Method: "PUT", URL: srv.URL + "/p?q=1", Body: httpmsg.BytesBody([]byte("data"))}
	out.Header.Add("X-Test", "1")
	out.Header.Add("x-test", "2")
	hr, err := out.ToHTTP(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	res, err := srv.Client().Do(hr)
	if err != nil {
		t.Fatal(err)
	}
	resp := httpmsg.ResponseFromHTTP(res)
	if err := resp.Buffer(-1); err != nil {
		t.Fatal(err)
	}
	body, _ := resp.Body.Bytes()
	url, _ := resp.Header.Get("X-Url")
	test, _ := resp.Header.Get("X-Test")
	if resp.Status != 201 || resp.StatusText != "Created" || string(body) != "PUT data" || url != srv.URL+"/p?q=1" || test != "1, 2" ||
		len(resp.Header.Values("set-cookie")) != 2 {
		t.Errorf("%+v %q", resp, body)
	}
}

func TestResponseToHTTP(t *testing.T) {
	src := &closeCounter{Reader: strings.NewReader("abc")}
	r := &httpmsg.Response{Status: 418, StatusText: "Tea", Body: httpmsg.StreamBody(src, 3)}
	h := r.ToHTTP(nil)
	data, err := io.ReadAll(h.Body)
	if err != nil || string(data) != "abc" || h.Status != "418 Tea" || h.ContentLength != 3 {
		t.Errorf("%q %v %q %d", data, err, h.Status, h.ContentLength)
	}
	if err := h.Body.Close(); err != nil || src.closed != 1 {
		t.Errorf("Close: %v, %d", err, src.closed)
	}
}

func TestToHTTPRefusesBadMethod(t *testing.T) {
	_, err := (&httpmsg.Request{Method: "A B", URL: "http://x/"}).ToHTTP(context.Background())
	if err == nil || errors.Unwrap(err) == nil || !strings.HasPrefix(err.Error(), "httpmsg: ") {
		t.Errorf("got %v", err)
	}
}
