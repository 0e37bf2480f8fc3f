package runtime_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/durashim/durashim/runtime"
)

const streamScript = `
import { DurableObject } from "cloudflare:workers";
const enc = new TextEncoder();
let pulled = 0;
export class Store extends DurableObject {
  async fetch(req) {
    const u = new URL(req.url);
    if (u.pathname === "/putAndFetch") {
      this.ctx.storage.put("k", "written");
      return new Response(await (await fetch(u.searchParams.get("to"))).text());
    }
    return new Response("object got " + (await req.text()).length);
  }
}
export default { async fetch(req, env, ctx) {
  const u = new URL(req.url);
  switch (u.pathname) {
    case "/duplex": // one chunk out for each chunk in
      return new Response(req.body.pipeThrough(new TransformStream({ transform(c, t) { t.enqueue(enc.encode("got " + new TextDecoder().decode(c))); } })));
    case "/endless":
      pulled = 0;
      return new Response(new ReadableStream({ pull(c) { pulled++; c.enqueue(new Uint8Array(65536)); }, cancel() { console.log("cancelled"); } }));
    case "/pulled": return new Response(String(pulled));
    case "/hang":
      req.signal.addEventListener("abort", () => console.log("aborted: " + req.signal.reason.message));
      console.log("started");
      ctx.waitUntil(new Promise((r) => { req.signal.addEventListener("abort", r); }));
      await new Promise(() => {});
    case "/read":
      try { for await (const c of req.body) console.log("chunk " + c.length); } catch (e) { console.log("failed: " + e.message + " " + e.retryable); }
      return new Response("late");
    case "/slow": {
      let i = 0;
      return new Response(new ReadableStream({ async pull(c) { await scheduler.wait(1000); if (i++ === 3) c.close(); else c.enqueue(enc.encode("x")); } }));
    }
    case "/upload": // a body that needs time, to outside
      { let i = 0; return fetch(u.searchParams.get("to"), { method: "POST", body: new ReadableStream({ async pull(c) { await scheduler.wait(1000); if (i++ === 3) c.close(); else c.enqueue(enc.encode("y")); } }) }); }
    case "/date": { const before = Date.now(); await (await fetch(u.searchParams.get("to"))).text(); return new Response(String(Date.now() - before)); }
    case "/big": {
      const n = Number(u.searchParams.get("n")), chunk = new Uint8Array(65536);
      let i = 0;
      return new Response(new ReadableStream({ type: "bytes", pull(c) { if (i++ === n) c.close(); else c.enqueue(new Uint8Array(chunk)); } }));
    }
  }
  return env.STORE.getByName("a").fetch(req);
} };`

// streamProject opens the script with the flag that lets a disconnect reach the
// request's signal; what it prints comes out of the channel.
func streamProject(t testing.TB, change func(*runtime.Options)) (*runtime.Runtime, chan string) {
	t.Helper()
	dir := project(t, streamScript, "Store")
	write(t, dir, "wrangler.json", `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01", "compatibility_flags": ["enable_request_signal"],
		"durable_objects": {"bindings": [{"name": "STORE", "class_name": "Store"}]}, "migrations": [{"tag": "v1", "new_sqlite_classes": ["Store"]}]}`)
	lines := make(chan string, 100)
	o := runtime.Options{Console: func(_, _, text string) { lines <- text }}
	if change != nil {
		change(&o)
	}
	rt, err := runtime.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt, lines
}

// serve listens as the command does: HTTP/1.1 and HTTP/2 without TLS.
func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	srv := httptest.NewUnstartedServer(h)
	srv.Config.Protocols = &http.Protocols{}
	srv.Config.Protocols.SetHTTP1(true)
	srv.Config.Protocols.SetUnencryptedHTTP2(true)
	srv.Start()
	t.Cleanup(srv.Close)
	return srv.URL
}

func h2client() *http.Client {
	tr := &http.Transport{Protocols: &http.Protocols{}}
	tr.Protocols.SetUnencryptedHTTP2(true)
	return &http.Client{Transport: tr}
}

// A chunk of the response is there before the next chunk of the request is sent.
func TestBodiesStreamBothWays(t *testing.T) {
	rt, _ := streamProject(t, nil)
	base := serve(t, rt.Handler())
	for proto, client := range map[string]*http.Client{"HTTP/1.1": {Transport: &http.Transport{}}, "HTTP/2.0": h2client()} {
		pr, pw := io.Pipe()
		req, err := http.NewRequestWithContext(t.Context(), "POST", base+"/duplex", pr)
		if err != nil {
			t.Fatal(err)
		}
		// The transport may want the first chunk before it shows the response.
		go fmt.Fprint(pw, "chunk 0")
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 100)
		for i := range 5 {
			if i > 0 {
				fmt.Fprintf(pw, "chunk %d", i)
			}
			n, err := res.Body.Read(buf)
			if got := string(buf[:n]); got != fmt.Sprintf("got chunk %d", i) || err != nil {
				t.Fatalf("%s: %q, %v", proto, got, err)
			}
		}
		pw.Close()
		if rest, err := io.ReadAll(res.Body); len(rest) > 0 || err != nil || res.Proto != proto {
			t.Errorf("%s: rest %q, %v", res.Proto, rest, err)
		}
		res.Body.Close()
		client.CloseIdleConnections()
	}
}

// A client that does not read holds the script back; one that goes away ends it.
func TestBackpressureAndCancel(t *testing.T) {
	rt, lines := streamProject(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	req := httptest.NewRequestWithContext(ctx, "GET", "http://x/endless", nil)
	res, err := rt.Fetch(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(res.Body, make([]byte, 100_000)); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		res, err := rt.Fetch(t.Context(), httptest.NewRequest("GET", "http://x/pulled", nil))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fscan(res.Body, &n)
		return n
	}
	if n := count(); n < 2 || n > 6 {
		t.Errorf("%d chunks made for two that were read", n)
	}
	res.Body.Close()
	if got := <-lines; got != "cancelled" {
		t.Errorf("script printed %q", got)
	}
	cancel()
}

func TestDisconnect(t *testing.T) {
	rt, lines := streamProject(t, nil)
	addr := strings.TrimPrefix(serve(t, rt.Handler()), "http://")
	dial := func(text string) net.Conn {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(c, text)
		return c
	}
	c := dial("GET /hang HTTP/1.1\r\nHost: h\r\n\r\n")
	want := func(text string) {
		t.Helper()
		if got := <-lines; got != text {
			t.Errorf("printed %q, want %q", got, text)
		}
	}
	want("started")
	c.Close()
	want("aborted: The client has disconnected")
	c = dial("POST /read HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nabcdef")
	want("chunk 6")
	c.Close()
	want("failed: Network connection lost. true")
	c = dial("POST /read HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
	want("chunk 3")
	c.Close()
	want("failed: Network connection lost. true")
}

// Under a virtual clock the reader of a body drives the script, and time moves
// for its timers only.
func TestStreamsUnderVirtualClock(t *testing.T) {
	clock := runtime.NewVirtualClock()
	rt, _ := streamProject(t, func(o *runtime.Options) { o.Clock = clock })
	start := clock.Now()
	res, err := rt.Fetch(t.Context(), httptest.NewRequest("GET", "http://x/slow", nil))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(res.Body)
	if string(data) != "xxx" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if took := clock.Now().Sub(start); took.Seconds() != 4 {
		t.Errorf("took %v of virtual time, want 4s", took)
	}
}

// The clock stands still while the world outside is at work, and moves while
// that waits for a script.
func TestOutsideUnderVirtualClock(t *testing.T) {
	out := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		data, err := io.ReadAll(req.Body)
		fmt.Fprintf(w, "received %s %v", data, err)
	}))
	defer out.Close()
	clock := runtime.NewVirtualClock()
	rt, _ := streamProject(t, func(o *runtime.Options) { o.Clock = clock })
	ask := func(path string) string {
		res, err := rt.Fetch(t.Context(), httptest.NewRequest("GET", "http://x"+path+"?to="+out.URL, nil))
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if got := ask("/date"); got != "0" {
		t.Errorf("%s ms passed during an outgoing request", got)
	}
	if got := ask("/upload"); got != "received yyy <nil>" {
		t.Errorf("upload: %s", got)
	}
}

// roundTripper is an outbound transport of an embedder.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// What an object sends leaves after its earlier writes are durable, through the
// embedder's transport.
func TestOutputGateOfFetch(t *testing.T) {
	dir := t.TempDir()
	asked := 0
	rt, _ := streamProject(t, func(o *runtime.Options) {
		o.PersistTo = dir
		o.Outbound = roundTripper(func(req *http.Request) (*http.Response, error) {
			asked++
			if req.URL.String() != "http://outside/x" {
				return nil, fmt.Errorf("asked for %s", req.URL)
			}
			rec := httptest.NewRecorder()
			fmt.Fprint(rec, "from outside, the database holds ", walFrames(t, dir) > 0)
			return rec.Result(), nil
		})
	})
	res, err := rt.Fetch(t.Context(), httptest.NewRequest("GET", "http://x/putAndFetch?to=http://outside/x", nil))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(res.Body)
	if string(data) != "from outside, the database holds true" || err != nil || asked != 1 {
		t.Errorf("%q, %v, asked %d times", data, err, asked)
	}
}

func BenchmarkHTTPToObject16(b *testing.B) {
	rt, _ := streamProject(b, nil)
	base := serve(b, rt.Handler())
	addr := strings.TrimPrefix(base, "http://")
	b.SetParallelism(8)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			b.Error(err)
			return
		}
		defer c.Close()
		r := bufio.NewReader(c)
		for pb.Next() {
			io.WriteString(c, "GET /o HTTP/1.1\r\nHost: h\r\n\r\n")
			res, err := http.ReadResponse(r, nil)
			if err != nil {
				b.Error(err)
				return
			}
			io.Copy(io.Discard, res.Body)
		}
	})
}

func BenchmarkStream16MB(b *testing.B) {
	rt, _ := streamProject(b, nil)
	base := serve(b, rt.Handler())
	b.SetBytes(16 << 20)
	b.ReportAllocs()
	for b.Loop() {
		res, err := http.Get(base + "/big?n=256")
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, res.Body)
		if n != 16<<20 || err != nil {
			b.Fatal(n, err)
		}
		res.Body.Close()
	}
}

// walFrames counts the bytes in the write-ahead logs below dir.
func walFrames(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".sqlite-wal") && !strings.HasSuffix(p, "metadata.sqlite-wal") {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return n
}
