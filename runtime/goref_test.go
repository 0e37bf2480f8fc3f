package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/durashim/durashim/runtime"
)

func mustRequest(t *testing.T) *http.Request {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://x/y?z=1", strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-A", "b")
	return req
}

func TestResultsByReference(t *testing.T) {
	bothClocks(t, func(t *testing.T, c clocked) {
		v, err := c.obj.Call(t.Context(), "functions")
		if err != nil {
			t.Fatal(err)
		}
		if got := v.String(); got != "{double: [RpcStub], apply: [RpcStub], nested: {counter: [RpcStub]}}" {
			t.Error(got)
		}
		var f struct {
			Double, Apply *runtime.Ref
			Nested        map[string]*runtime.Ref
		}
		err = v.Decode(&f)
		if err == nil && f.Double != nil {
			t.Error("the names of fields do not count")
		}
		var g struct {
			Double *runtime.Ref            `json:"double"`
			Apply  *runtime.Ref            `json:"apply"`
			Nested map[string]*runtime.Ref `json:"nested"`
		}
		if err := v.Decode(&g); err != nil {
			t.Fatal(err)
		}
		r, err := g.Double.Invoke(t.Context(), 21)
		if number(t, r, err) != 42 {
			t.Error(r)
		}
		r, err = g.Apply.Invoke(t.Context(), func(x int) int { return x + 1 }, 1)
		if number(t, r, err) != 2 {
			t.Error(r)
		}
		r, err = g.Apply.Invoke(t.Context(), g.Double, 4) // a script's function, by way of Go
		if number(t, r, err) != 8 {
			t.Error(r)
		}
		counter := g.Nested["counter"]
		for i := range 3 {
			r, err = counter.Call(t.Context(), "add", 1)
			if number(t, r, err) != float64(6+i) {
				t.Error(r)
			}
		}
		r, err = counter.Get(t.Context(), "add")
		if err != nil || r.Kind() != runtime.KindRPCStub {
			t.Error(r, err)
		}
		var add *runtime.Ref
		if err := r.Decode(&add); err != nil {
			t.Fatal(err)
		}
		if _, err := counter.Call(t.Context(), "nothing"); err == nil || err.Error() != `TypeError: The RPC receiver does not implement the method "nothing".` {
			t.Error(err)
		}
		if err := v.Decode(new(struct {
			Double int `json:"double"`
		})); err == nil || err.Error() != "value: at .double: an RpcStub does not fit into a Go int" {
			t.Error(err)
		}
		double, err := g.Double.Dup()
		if err != nil {
			t.Fatal(err)
		}
		_ = v.Close()
		if _, err := g.Double.Invoke(t.Context(), 1); err == nil || err.Error() != "RPC stub used after being disposed." {
			t.Error(err)
		}
		if err := v.Decode(&g); err == nil || !strings.Contains(err.Error(), "the value was closed") {
			t.Error(err)
		}
		r, err = double.Invoke(t.Context(), 2)
		if number(t, r, err) != 4 {
			t.Error(r)
		}
		_ = double.Close()
		_ = double.Close()

		// A Go function that comes back is the same function, without a detour.
		v, err = c.obj.Call(t.Context(), "echo", func(x int) int { return -x })
		var back *runtime.Ref
		if err == nil {
			err = v.Decode(&back)
		}
		if err != nil {
			t.Fatal(err)
		}
		r, err = back.Invoke(t.Context(), 5)
		if number(t, r, err) != -5 {
			t.Error(r)
		}
		_ = v.Close()

		v, err = c.obj.Call(t.Context(), "self")
		var other *runtime.Stub
		if err == nil {
			err = v.Decode(&other)
		}
		if err != nil || v.Kind() != runtime.KindFetcher || other.ID() != c.rt.Namespace("OBJ").GetByName("other").ID() {
			t.Fatal(v, err)
		}
		r, err = other.Call(t.Context(), "add", 1, 1)
		if number(t, r, err) != 2 {
			t.Error(r)
		}
		r, err = c.obj.Get(t.Context(), "size")
		if number(t, r, err) != 7 {
			t.Error(r)
		}
	})
}

// Closing a value disposes of what it refers to.
func TestCloseDisposes(t *testing.T) {
	disposed := make(chan struct{}, 10)
	rt := open(t, project(t, goFunctions, "Obj"), func(o *runtime.Options) {
		o.Console = func(_, _, text string) { disposed <- struct{}{} }
	})
	obj := rt.Namespace("OBJ").GetByName("a")
	for _, decode := range []bool{true, false} {
		v, err := obj.Call(t.Context(), "counter", 1)
		if err != nil {
			t.Fatal(err)
		}
		var ref *runtime.Ref
		if decode {
			if err := v.Decode(&ref); err != nil {
				t.Fatal(err)
			}
		}
		_ = v.Close()
		_ = v.Close()
		if err := rt.Clock().Settle(t.Context()); err != nil || len(disposed) != 1 {
			t.Errorf("disposed of %d times, %v", len(disposed), err)
		}
		<-disposed
	}
	// The arguments of a Go function end with its call.
	var kept *runtime.Ref
	v, err := obj.Call(t.Context(), "counter", 1)
	if err != nil {
		t.Fatal(err)
	}
	var counter *runtime.Ref
	if err := v.Decode(&counter); err != nil {
		t.Fatal(err)
	}
	_, err = obj.Call(t.Context(), "call", func(ctx context.Context, r, s *runtime.Ref) (err error) {
		kept = r
		_, err = s.Call(ctx, "add", 1)
		return err
	}, counter, counter)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Call(t.Context(), "add", 1); err == nil || !strings.Contains(err.Error(), "after being disposed") {
		t.Error(err)
	}
	if r, err := counter.Call(t.Context(), "add", 1); number(t, r, err) != 3 || len(disposed) != 0 {
		t.Error(r)
	}
	_ = v.Close()
	if err := rt.Clock().Settle(t.Context()); err != nil || len(disposed) != 1 {
		t.Errorf("disposed of %d times, %v", len(disposed), err)
	}
}

const goStreams = `
import { DurableObject } from "cloudflare:workers";
export class Obj extends DurableObject {
  async read(s) { return await new Response(s).text(); }
  async first(s) {
    const r = s.getReader(); const { value } = await r.read(); await r.cancel("enough");
    return new TextDecoder().decode(value);
  }
  async error(s) { try { await new Response(s).text(); } catch (e) { return e.message; } }
  async byob(s) {
    const r = s.getReader({ mode: "byob" }); const { value } = await r.read(new Uint8Array(3));
    return new TextDecoder().decode(value);
  }
  type(x) { return Object.prototype.toString.call(x); }
  stream(...chunks) {
    const { readable, writable } = new IdentityTransformStream();
    this.ctx.waitUntil((async () => {
      const w = writable.getWriter();
      for (const c of chunks) await w.write(new TextEncoder().encode(c));
      await w.close();
    })().catch(() => {}));
    return readable;
  }
  broken() {
    return new ReadableStream({ type: "bytes", pull(c) { c.enqueue(new Uint8Array([97])); c.error(new Error("no more")); } });
  }
  async write(s, ...chunks) {
    const w = s.getWriter();
    for (const c of chunks) await w.write(new TextEncoder().encode(c));
    await w.close();
  }
  async abortWrite(s) { const w = s.getWriter(); await w.write(new Uint8Array([97])); await w.abort(new Error("x")); }
  async writeError(s) { try { await s.getWriter().write(new Uint8Array([97])); } catch (e) { return e.message; } }
  sink() {
    this.got = "";
    const dec = new TextDecoder(), self = this;
    return new WritableStream({
      write(c) { self.got += dec.decode(c) + ";"; if (self.got.includes("bad")) throw new Error("bad chunk"); },
      close() { self.got += "closed"; }, abort() { self.got += "aborted"; },
    });
  }
  what() { return this.got; }
  async response(r) { return [r.status, r.statusText, r.headers.get("x-a"), await r.text()]; }
  async request(r) { return [r.method, r.url, r.headers.get("x-a"), await r.text()]; }
  headers(h) { return [h instanceof Headers, h.get("x-a")]; }
  makeResponse() { return new Response("hello", { status: 201, headers: { "x-a": "b" } }); }
  makeStreamed() { return new Response(this.stream("a", "b"), { headers: { "x-a": "b" } }); }
  makeRequest() { return new Request("http://a/b", { method: "PUT", body: "data", headers: { "x-a": "b" } }); }
  makeHeaders() { return new Headers({ "x-a": "b" }); }
  echo(x) { return x; }
}
export default {};
`

// slowly gives one byte at a time and remembers how much was read.
type slowly struct {
	mu     sync.Mutex
	text   string
	read   int
	err    error
	closed chan struct{}
}

func (s *slowly) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read == len(s.text) {
		return 0, s.err
	}
	p[0] = s.text[s.read]
	s.read++
	return 1, nil
}

func (s *slowly) Close() error { close(s.closed); return nil }

func TestGoStreams(t *testing.T) {
	dir := project(t, goStreams, "Obj")
	for _, virtual := range []bool{true, false} {
		t.Run(fmt.Sprint("virtual=", virtual), func(t *testing.T) {
			rt := open(t, dir, func(o *runtime.Options) {
				if !virtual {
					o.Clock = nil
				}
			})
			c := clocked{"", rt, rt.Namespace("OBJ").GetByName("a")}
			c.check(t, `"abc"`, "read", strings.NewReader("abc"))
			c.check(t, `""`, "read", strings.NewReader(""))
			c.check(t, `"abc"`, "byob", strings.NewReader("abcdef"))
			c.check(t, `"[object ReadableStream]"`, "type", strings.NewReader(""))
			c.check(t, `"[object WritableStream]"`, "type", io.Discard)

			long := strings.Repeat("0123456789", 100_000)
			v, err := c.obj.Call(t.Context(), "read", strings.NewReader(long))
			var got string
			if err == nil {
				err = v.Decode(&got)
			}
			if err != nil || got != long {
				t.Errorf("%d bytes, %v", len(got), err)
			}

			s := &slowly{text: "abc", err: errors.New("disk on fire"), closed: make(chan struct{})}
			c.check(t, `"disk on fire"`, "error", s)
			<-s.closed
			s = &slowly{text: "abc", err: io.EOF, closed: make(chan struct{})}
			c.check(t, `"a"`, "first", s)
			<-s.closed
			// A reader that nobody reads is closed, too, and not read far ahead.
			s = &slowly{text: long, err: io.EOF, closed: make(chan struct{})}
			c.check(t, `"[object ReadableStream]"`, "type", s)
			if err := rt.Close(); err != nil {
				t.Error(err)
			}
			if <-s.closed; s.read > 4 {
				t.Errorf("%d bytes were read", s.read)
			}
		})
	}
}

func TestStreamsForGo(t *testing.T) {
	dir := project(t, goStreams, "Obj")
	for _, virtual := range []bool{true, false} {
		t.Run(fmt.Sprint("virtual=", virtual), func(t *testing.T) {
			rt := open(t, dir, func(o *runtime.Options) {
				if !virtual {
					o.Clock = nil
				}
			})
			c := clocked{"", rt, rt.Namespace("OBJ").GetByName("a")}
			stream := func(method string, args ...any) (runtime.Value, io.ReadCloser) {
				t.Helper()
				v, err := c.obj.Call(t.Context(), method, args...)
				var r io.ReadCloser
				if err == nil {
					err = v.Decode(&r)
				}
				if err != nil || v.Kind() != runtime.KindReadableStream {
					t.Fatal(v, err)
				}
				return v, r
			}
			v, r := stream("stream", "ab", "c", "d")
			if data, err := io.ReadAll(r); string(data) != "abcd" || err != nil {
				t.Errorf("%q, %v", data, err)
			}
			_ = v.Close()
			_, r = stream("broken")
			if data, err := io.ReadAll(r); string(data) != "a" || err == nil || !strings.Contains(err.Error(), "disconnected prematurely") {
				t.Errorf("%q, %v", data, err)
			}
			// A stream goes from one object to another without Go reading it, or
			// through a reader that Go wraps around it.
			_, r = stream("stream", "ab", "c")
			c.check(t, `"abc"`, "read", r)
			_, r = stream("stream", "ab", "c")
			c.check(t, `"abc"`, "read", io.MultiReader(r, strings.NewReader("")))

			var w io.WriteCloser
			sink := func() {
				t.Helper()
				v, err := c.obj.Call(t.Context(), "sink")
				if err == nil {
					err = v.Decode(&w)
				}
				if err != nil || v.Kind() != runtime.KindWritableStream {
					t.Fatal(v, err)
				}
			}
			sink()
			if n, err := io.Copy(w, strings.NewReader("abc")); n != 3 || err != nil {
				t.Error(n, err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if _, err := w.Write([]byte("x")); err == nil {
				t.Error("writing after the end")
			}
			c.check(t, `"abc;closed"`, "what")
			sink()
			if err := w.(interface{ CloseWithError(error) error }).CloseWithError(io.ErrUnexpectedEOF); err != nil {
				t.Error(err)
			}
			c.check(t, `"aborted"`, "what")
			sink()
			if _, err := w.Write([]byte("bad")); err == nil || !strings.Contains(err.Error(), "bad chunk") {
				t.Error(err)
			}

			// An io.Writer of ours.
			pr, pw := io.Pipe()
			read := make(chan string)
			go func() {
				data, err := io.ReadAll(pr)
				read <- fmt.Sprint(string(data), err)
			}()
			c.check(t, "undefined", "write", pw, "ab", "cd")
			if got := <-read; got != "abcd<nil>" {
				t.Error(got)
			}
			pr, pw = io.Pipe()
			go func() {
				data, err := io.ReadAll(pr)
				read <- fmt.Sprint(string(data), err)
			}()
			c.check(t, "undefined", "abortWrite", pw)
			if got := <-read; got != "athe script has aborted the stream" {
				t.Error(got)
			}
			pr, pw = io.Pipe()
			_ = pr.CloseWithError(errors.New("full"))
			c.check(t, `"full"`, "writeError", pw)
		})
	}
}

func TestHTTPValues(t *testing.T) {
	dir := project(t, goStreams, "Obj")
	for _, virtual := range []bool{true, false} {
		t.Run(fmt.Sprint("virtual=", virtual), func(t *testing.T) {
			rt := open(t, dir, func(o *runtime.Options) {
				if !virtual {
					o.Clock = nil
				}
			})
			c := clocked{"", rt, rt.Namespace("OBJ").GetByName("a")}
			c.check(t, `["POST", "http://x/y?z=1", "b", "body"]`, "request", mustRequest(t))
			c.check(t, `[418, "I'm a teapot", "b", "tea"]`, "response", &http.Response{
				StatusCode: 418, Header: http.Header{"X-A": {"b"}}, Body: io.NopCloser(strings.NewReader("tea")),
			})
			c.check(t, `[204, "No Content", null, ""]`, "response", &http.Response{StatusCode: 204})
			c.check(t, `[true, "b"]`, "headers", http.Header{"X-A": {"b"}})
			if _, err := c.obj.Call(t.Context(), "echo", &http.Response{}); err == nil {
				t.Error("a Response without a status")
			}
			for _, method := range []string{"makeResponse", "makeStreamed"} {
				v, err := c.obj.Call(t.Context(), method)
				var res *http.Response
				if err == nil {
					err = v.Decode(&res)
				}
				if err != nil || v.Kind() != runtime.KindResponse {
					t.Fatal(v, err)
				}
				data, err := io.ReadAll(res.Body)
				want := map[string]string{"makeResponse": "201 hello", "makeStreamed": "200 ab"}[method]
				if got := fmt.Sprint(res.StatusCode, " ", string(data)); got != want || err != nil || res.Header.Get("x-a") != "b" {
					t.Error(got, err, res.Header)
				}
				_ = v.Close()
			}
			v, err := c.obj.Call(t.Context(), "makeRequest")
			var req *http.Request
			if err == nil {
				err = v.Decode(&req)
			}
			if err != nil || v.Kind() != runtime.KindRequest {
				t.Fatal(v, err)
			}
			data, err := io.ReadAll(req.Body)
			if err != nil || req.Method != "PUT" || req.URL.String() != "http://a/b" || string(data) != "data" {
				t.Errorf("%+v %s %v", req, data, err)
			}
			v, err = c.obj.Call(t.Context(), "makeHeaders")
			var h http.Header
			if err == nil {
				err = v.Decode(&h)
			}
			if err != nil || v.Kind() != runtime.KindHeaders || h.Get("x-a") != "b" {
				t.Error(v, h, err)
			}
		})
	}
}

// After Close nothing that Go code may still hold keeps the scripts, or the Go
// values that they held, in memory.
func TestClosedRuntimeIsCollected(t *testing.T) {
	const ballast = 16 << 20
	dir := project(t, strings.Replace(goFunctions, "extends DurableObject {", fmt.Sprintf(`extends DurableObject {
  ballast = new Uint8Array(%d).fill(1);`, ballast), 1), "Obj")
	var refs []*runtime.Ref
	var values []runtime.Value
	var captured []weak.Pointer[[1 << 20]byte]
	before := heap()
	for range 3 {
		rt, err := runtime.Open(dir, runtime.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := new([1 << 20]byte)
		captured = append(captured, weak.Make(b))
		obj := rt.Namespace("OBJ").GetByName("a")
		if _, err := obj.Call(t.Context(), "keep", func() int { return len(b) }); err != nil {
			t.Fatal(err)
		}
		v, err := obj.Call(t.Context(), "useKept", 1)
		if number(t, v, err) != 1<<20 {
			t.Fatal(v)
		}
		if v, err = obj.Call(t.Context(), "functions"); err != nil {
			t.Fatal(err)
		}
		var f map[string]any
		if err := v.Decode(&f); err != nil {
			t.Fatal(err)
		}
		refs, values = append(refs, f["double"].(*runtime.Ref)), append(values, v)
		if used := heap() - before; used < ballast/2 {
			t.Fatalf("only %d bytes are in use", used)
		}
		if err := rt.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := refs[len(refs)-1].Invoke(t.Context()); err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
			t.Error(err)
		}
	}
	if used := int64(heap()) - int64(before); used > ballast/2 {
		t.Errorf("%d bytes stay in use", used)
	}
	for _, p := range captured {
		if p.Value() != nil {
			t.Error("a Go function stays in memory")
		}
	}
	goruntime.KeepAlive(refs)
	goruntime.KeepAlive(values)
}

// Functions that scripts have let go of are garbage while the runtime lives.
func TestReleasedGoFunctionsAreCollected(t *testing.T) {
	rt := open(t, project(t, goFunctions, "Obj"), nil)
	obj := rt.Namespace("OBJ").GetByName("a")
	var pointers []weak.Pointer[[1 << 20]byte]
	for range 20 {
		b := new([1 << 20]byte)
		pointers = append(pointers, weak.Make(b))
		v, err := obj.Call(t.Context(), "call", func() int { return len(b) })
		if number(t, v, err) != 1<<20 {
			t.Fatal(v)
		}
	}
	if err := rt.Clock().Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	goruntime.GC()
	goruntime.GC()
	n := 0
	for _, p := range pointers {
		if p.Value() != nil {
			n++
		}
	}
	if n > 1 { // the last call may still be on a stack
		t.Errorf("%d of %d functions stay in memory", n, len(pointers))
	}
}
