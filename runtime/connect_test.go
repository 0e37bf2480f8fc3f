package runtime_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

var testKey = []byte("a key for tests only")

// pair starts a project twice: a host with its objects, and a runtime that calls
// them over a socket.
func pair(t *testing.T, dir string, o runtime.Options) (host, client *runtime.Runtime) {
	t.Helper()
	return pairWith(t, dir, o, func(*runtime.Host) error { return nil })
}

// pairWith is pair with a host that is made ready before it serves. Faults are the
// client's.
func pairWith(t *testing.T, dir string, o runtime.Options, ready func(*runtime.Host) error) (host, client *runtime.Runtime) {
	t.Helper()
	faults := o.Faults
	o.Faults = nil
	host, err := runtime.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.NewHost(testKey)
	if err != nil {
		t.Fatal(err)
	}
	if err := ready(h); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	o.PersistTo, o.Faults = "", faults
	o.Connect = &runtime.Connect{Address: l.Addr().String(), Key: testKey}
	client, err = runtime.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(client.Close(), host.Close(), <-served); err != nil {
			t.Error(err)
		}
	})
	return host, client
}

const remoteProject = `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
  async echo(...values) { return values; }
  async add() { const n = (await this.ctx.storage.get("n") ?? 0) + 1; await this.ctx.storage.put("n", n); return n; }
  fail() { throw Object.assign(new RangeError("out of range"), { extra: 1 }); }
  reset() { this.ctx.abort("gone"); }
  fn() { return () => 1; }
  async take(a, b) {}
  id() { return this.ctx.id.toString() + " " + this.ctx.id.name; }
  async fetch(req) {
    const url = new URL(req.url);
    if (url.pathname === "/bytes") return new Response("x".repeat(3 << 20));
    if (url.pathname === "/early") return new Response("no", { status: 413 });
    return new Response(req.body, { status: 201, headers: { "x-method": req.method, "content-type": "text/test" } });
  }
}
async function caught(f) {
  try { return "returned " + JSON.stringify(await f()); }
  catch (e) { return [e.constructor.name, e.message, e.remote, e.retryable, e.overloaded, e.durableObjectReset, typeof e.durableObjectId, e.extra].join("|"); }
}
export default {
  async fetch(req, env) {
    const a = env.A.getByName("a");
    const url = new URL(req.url);
    if (url.pathname === "/stream") return a.fetch("http://a/", { method: "PUT", body: req.body });
    if (url.pathname === "/early") {
      const texts = [];
      for (let i = 0; i < 3; i++) {
        let n = 0;
        const body = new ReadableStream({ pull(c) { n++ < 48 ? c.enqueue(new Uint8Array(65536)) : c.close(); } });
        const res = await a.fetch("http://a/early", { method: "POST", body });
        texts.push(res.status + await res.text());
      }
      return new Response(texts.join());
    }
    const out = [];
    out.push(await caught(() => a.echo(1, "two", [3n.toString()], new Date(4), new Map([[5, 6]]), undefined)));
    out.push(await caught(() => a.fail()));
    out.push(await caught(() => a.take(1, { deep: [() => 1] })));
    out.push(await caught(() => a.take(new ReadableStream())));
    out.push(await caught(() => a.fn()));
    out.push(await caught(() => a.missing()));
    out.push(await caught(() => a.id()));
    out.push(await caught(() => a.reset()));
    out.push(await caught(() => a.echo("after")));
    out.push(await caught(() => env.A.getByName("a").echo("again")));
    const body = new TextEncoder().encode("bytes");
    const res = await env.A.getByName("b").fetch("http://a/", { method: "POST", body });
    out.push([res.status, res.headers.get("x-method"), res.headers.get("content-type"), await res.text()].join("|"));
    return new Response(out.join("\n"));
  },
};
`

func page(t *testing.T, rt *runtime.Runtime, path string) string {
	t.Helper()
	w := httptest.NewRecorder()
	rt.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Body.String()
}

// Values and errors look the same, whether the object is in the process or not.
func TestRemoteLikeLocal(t *testing.T) {
	dir := project(t, remoteProject, "A")
	local, err := runtime.Open(dir, runtime.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	_, client := pair(t, dir, runtime.Options{})
	want, got := strings.Split(page(t, local, "http://x/"), "\n"), strings.Split(page(t, client, "http://x/"), "\n")
	if len(got) != len(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	crosses := map[int]string{
		2: "Error|durashim: argument 2 of method take: a function cannot cross the connection to the host yet.|||||undefined|",
		3: "Error|durashim: argument 1 of method take: a ReadableStream cannot cross the connection to the host yet.|||||undefined|",
		4: "Error|durashim: the result of method fn: a function cannot cross the connection to the host yet.|||||undefined|",
	}
	for i := range want {
		if text, ok := crosses[i]; ok {
			want[i] = text
		}
		if got[i] != want[i] {
			t.Errorf("%d: %s\nwant %s", i, got[i], want[i])
		}
	}
}

// Bodies stream in both directions, and larger ones than the window pass.
func TestRemoteBodies(t *testing.T) {
	_, client := pair(t, project(t, remoteProject, "A"), runtime.Options{})
	server := httptest.NewServer(client.Handler())
	defer server.Close()
	const size = 3 << 20
	res, err := http.Post(server.URL+"/stream", "", strings.NewReader(strings.Repeat("y", size)))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, err := io.ReadAll(res.Body); err != nil || len(b) != size || res.StatusCode != 201 {
		t.Errorf("a stream there and back: %d bytes, status %d, %v", len(b), res.StatusCode, err)
	}
	stub := client.Namespace("A").GetByName("a")
	req, _ := http.NewRequest("GET", "http://a/bytes", nil)
	res, err = stub.Fetch(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if b, err := io.ReadAll(res.Body); err != nil || len(b) != size {
		t.Errorf("a large body of bytes: %d bytes, %v", len(b), err)
	}
	// A body that nobody reads does not stop what follows on the connection.
	if got := page(t, client, "http://x/early"); got != "413no,413no,413no" {
		t.Errorf("early answers: %q", got)
	}
}

func TestRemoteRefusals(t *testing.T) {
	dir := project(t, remoteProject, "A")
	host, client := pair(t, dir, runtime.Options{})
	if err := client.CheckHost(t.Context()); err != nil {
		t.Error(err)
	}
	if err := client.Faults().Add(durable.CrashAfter().Namespace("A")); err == nil || !strings.Contains(err.Error(), "--allow-faults") {
		t.Errorf("a plan that the host does not permit: %v", err)
	}
	if err := client.Faults().Add(durable.DropReply().Namespace("B")); err == nil || !strings.Contains(err.Error(), `there is no namespace "B"`) {
		t.Errorf("a plan for a namespace that there is not: %v", err)
	}
	if _, err := client.NewHost(testKey); err == nil {
		t.Error("a runtime without objects serves them")
	}
	want := "method take: a function, RpcTarget or stub cannot cross the connection to the host yet"
	if _, err := client.Namespace("A").GetByName("a").Call(t.Context(), "take", func() int { return 1 }); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a function of Go: %v, want %s", err, want)
	}
	if _, err := host.NewHost(testKey); err == nil {
		t.Error("two hosts of one runtime")
	}
	for name, o := range map[string]runtime.Options{
		"virtual clock": {Clock: runtime.NewVirtualClock(), Connect: &runtime.Connect{Address: "127.0.0.1:1", Key: testKey}},
		"at least 16":   {Connect: &runtime.Connect{Address: "127.0.0.1:1", Key: []byte("short")}},
		"address":       {Connect: &runtime.Connect{Address: "127.0.0.1", Key: testKey}},
	} {
		if rt, err := runtime.Open(dir, o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
			if rt != nil {
				_ = rt.Close()
			}
		}
	}
}

// Closing either side ends the calls in flight.
func TestRemoteClose(t *testing.T) {
	entered := make(chan struct{})
	o := runtime.Options{Console: func(_, _, _ string) { close(entered) }}
	host, client := pair(t, project(t, `
import { DurableObject } from "cloudflare:workers";
export class A extends DurableObject {
  async hang() { console.log("in"); await new Promise(() => {}); }
}
export default {};
`, "A"), o)
	call := make(chan error, 1)
	go func() {
		_, err := client.Namespace("A").GetByName("a", runtime.MaxRetries(0)).Call(context.Background(), "hang")
		call <- err
	}()
	<-entered
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	if err := <-call; !errors.Is(err, durable.ErrRetryable) || err.Error() != "Network connection lost." {
		t.Errorf("the host closed: %v", err)
	}
}
