package runtime_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/durashim/durashim/runtime"
)

const undeliveredScript = `
import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";

export class A extends DurableObject {
  async fetch(req) {
    const signal = new URL(req.url).searchParams.get("signal");
    if (signal) await fetch(signal);
    const type = req.headers.get("content-type") ?? "none";
    const text = await req.text();
    const body = type.startsWith("multipart/")
      ? [...await new Response(text, { headers: { "content-type": type } }).formData()]
      : text;
    return Response.json([req.method, type.replace(/boundary=.*/, "boundary"), req.headers.get("x-kept"), body]);
  }
}

function describe(e) {
  if (!(e instanceof Error)) return String(e);
  return [e.constructor.name, String(e), Object.getOwnPropertyNames(e).sort(), e.retryable, e.remote, e.overloaded];
}

async function timed(f) {
  const start = Date.now();
  let end;
  try { end = await f(); } catch (e) { end = describe(e); }
  return { end, ms: Date.now() - start };
}

const options = [undefined, null, {}, { maxRetries: undefined }, { maxRetries: -0 }, { maxRetries: 10, timeoutMs: 60000 }, 5, "x",
  { maxRetries: "3" }, { timeoutMs: null }, { maxRetries: true }, { maxRetries: 3n }, { maxRetries: new Number(3) }, { timeoutMs: {} },
  { maxRetries: NaN }, { maxRetries: Infinity }, { maxRetries: 1.5 }, { maxRetries: -1 }, { maxRetries: 11 },
  { timeoutMs: 499 }, { timeoutMs: 500 }, { timeoutMs: 500.5 }, { timeoutMs: 60001 }, { maxRetries: 11, timeoutMs: "x" }];

const functions = [[], [() => {}], [class {}], [class {}, function () {}], [1], [null], [undefined], [{}], ["f"], [() => {}, 1], [new Proxy(() => {}, {})]];

const bytes = new TextEncoder().encode("bytes");
const form = () => { const f = new FormData(); f.append("a", "1"); f.append("b", "2"); return f; };
const bodies = {
  none: () => [{ method: "POST" }],
  string: () => [{ method: "POST", body: "text" }],
  empty: () => [{ method: "POST", body: "" }],
  buffer: () => [{ method: "POST", body: bytes.buffer }],
  view: () => [{ method: "POST", body: bytes.subarray(1, 3) }],
  blob: () => [{ method: "POST", body: new Blob(["blob"], { type: "text/x" }) }],
  form: () => [{ method: "POST", body: form() }],
  params: () => [{ method: "POST", body: new URLSearchParams("a=1&b=2") }],
  request: () => [new Request("http://a/", { method: "PUT", body: "in a request", headers: { "x-kept": "yes" } })],
  headers: () => [{ headers: { "x-kept": "yes" } }],
  touched: () => { const r = new Request("http://a/", { method: "PUT", body: "in a request" }); r.body; return [r]; },
  copied: () => [new Request(new Request("http://a/", { method: "PUT", body: "in a request" }), { headers: { "x-kept": "yes" } })],
  cloned: () => [new Request("http://a/", { method: "PUT", body: "in a request" }).clone()],
  blobStream: () => [{ method: "POST", body: new Blob(["stream"]).stream() }],
  bodyStream: () => [{ method: "POST", body: new Response("stream").body }],
  stream: () => [{ method: "POST", body: new ReadableStream({ start(c) { c.enqueue(bytes); c.close(); } }) }],
  streamRequest: () => [new Request("http://a/", { method: "POST", body: new ReadableStream({ start(c) { c.enqueue(bytes); c.close(); } }) })],
};

export default {
  async fetch(req, env) {
    const url = new URL(req.url);
    const q = (name) => JSON.parse(url.searchParams.get(name) ?? "null");
    const object = (retry) => env.A.getByName("a", { retry });
    switch (url.pathname) {
      case "/claim": return object().fetch("http://a/");
      case "/options": return Response.json(options.map((retry) => { try { object(retry); return "taken"; } catch (e) { return describe(e); } }));
      case "/retryable": return Response.json([retryable.length, retryable.name, ...functions.map((f) => { try { return String(retryable(...f)); } catch (e) { return describe(e); } })]);
      case "/calls": return Response.json(await Promise.all(Array.from({ length: q("n") }, () => timed(async () => (await object(q("retry")).fetch("http://a/")).json()))));
      case "/body": {
        const [first] = bodies[q("kind")]();
        const isRequest = first instanceof Request;
        const r = await timed(async () => (await (isRequest ? object().fetch(first) : object().fetch("http://a/", first))).json());
        return Response.json([{ ...r, used: isRequest && first.bodyUsed }]);
      }
      case "/forward": return Response.json([await timed(async () => (await object().fetch(req)).json())]);
      case "/slow": return Response.json([await timed(async () => (await object().fetch("http://a/?signal=" + encodeURIComponent(url.searchParams.get("signal")))).json())]);
      case "/abort": {
        const c = new AbortController();
        setTimeout(() => c.abort(new RangeError("enough")), q("ms"));
        return Response.json([await timed(() => object({ maxRetries: 10, timeoutMs: 60000 }).fetch("http://a/", { signal: c.signal }))]);
      }
    }
    return new Response("no such case", { status: 404 });
  },
};
`

// undeliveredConfig is the project, with room for the cluster of the real runtime.
const undeliveredConfig = `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "main.js", esModule = embed "main.js")],
      compatibilityDate = "2026-11-01",
      durableObjectNamespaces = [(className = "A", uniqueKey = "aaaa", enableSql = true)],
      durableObjectStorage = (localDisk = "disk"),
      bindings = [(name = "A", durableObjectNamespace = "A")])),
    (name = "disk", disk = (writable = true)),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],%s
);
`

// gate is a proxy in front of the process with the object. It refuses connections
// when it is told to, and counts them.
type gate struct {
	t    *testing.T
	l    net.Listener
	mu   sync.Mutex
	to   string
	left int // how many more connections are refused; negative: all
	met  int // how many came since shut
	live []net.Conn
}

func newGate(t *testing.T) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{t: t, l: l}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			g.mu.Lock()
			g.met++
			if g.left != 0 {
				g.left = max(g.left-1, -1)
				g.mu.Unlock()
				reset(client)
				continue
			}
			server, err := net.Dial("tcp", g.to)
			if err != nil {
				g.mu.Unlock()
				reset(client)
				continue
			}
			g.live = append(g.live, client, server)
			g.mu.Unlock()
			pipe := func(to, from net.Conn) {
				_, _ = io.Copy(to, from)
				_ = to.Close()
				_ = from.Close()
			}
			running.Go(func() { pipe(server, client) })
			running.Go(func() { pipe(client, server) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		g.shut(0)
		running.Wait()
	})
	return g
}

func reset(c net.Conn) {
	_ = c.(*net.TCPConn).SetLinger(0)
	_ = c.Close()
}

// shut cuts all connections, until the caller has noticed, and refuses the next n;
// all if n is negative.
func (s *side) shut(n int) {
	s.gate.shut(-1)
	_ = s.calls("/calls", query("n", "1", "retry", `{"maxRetries":0}`))
	s.gate.shut(n)
}

func (g *gate) shut(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.live {
		_ = c.Close()
	}
	g.live, g.left, g.met = nil, n, 0
}

func (g *gate) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.met
}

// side is one runtime: two processes with a gate between them.
type side struct {
	t    *testing.T
	name string
	gate *gate
	url  string // of the process that calls
}

func (s *side) get(path string, query url.Values) string {
	s.t.Helper()
	return get(s.t, s.url+path+"?"+query.Encode())
}

// observed is how a call ended.
type observed struct {
	End  any  `json:"end"`
	MS   int  `json:"ms"`
	Used bool `json:"used"`
}

func (s *side) calls(path string, query url.Values) (all []observed) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.get(path, query)), &all); err != nil {
		s.t.Fatal(err)
	}
	return all
}

// workerdSide starts two instances of the real runtime as a cluster.
func workerdSide(t *testing.T) *side {
	binary, dir, g := workerd(t), t.TempDir(), newGate(t)
	write(t, dir, "main.js", undeliveredScript)
	write(t, dir, "config.capnp", fmt.Sprintf(undeliveredConfig, fmt.Sprintf(`
  cluster = (bucket = "s3://bucket/prefix", key = "0123456789abcdef0123456789abcdef", address = "127.0.0.1:0",
    bucketOptions = ["aws_endpoint=%s", "aws_region=auto", "aws_access_key_id=k", "aws_secret_access_key=s"])`, startBucket(t))))
	start := func(name string, args ...string) (ports map[string]int) {
		disk := filepath.Join(dir, name)
		if err := os.Mkdir(disk, 0o755); err != nil {
			t.Fatal(err)
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), binary, append([]string{"serve", "--experimental", "--control-fd=3", "-d", "disk=" + disk, filepath.Join(dir, "config.capnp")}, args...)...)
		cmd.ExtraFiles = []*os.File{w}
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			_ = r.Close()
		})
		ports = map[string]int{}
		for lines := bufio.NewScanner(r); len(ports) < 2; {
			var event struct {
				Event, Socket string
				Port          int
			}
			if !lines.Scan() {
				t.Fatalf("%s did not start", binary)
			}
			if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
				t.Fatal(err)
			}
			ports[event.Event] = event.Port
		}
		return ports
	}
	owner := start("owner", "--cluster-advertise", g.l.Addr().String())
	g.to = fmt.Sprint("127.0.0.1:", owner["listen-cluster"])
	// The object belongs to the instance that is asked for it first.
	get(t, fmt.Sprintf("http://127.0.0.1:%d/claim", owner["listen"]))
	caller := start("caller")
	return &side{t, "workerd", g, fmt.Sprint("http://127.0.0.1:", caller["listen"])}
}

// durashimSide starts a process with the object; this one calls.
func durashimSide(t *testing.T) *side {
	dir, g := t.TempDir(), newGate(t)
	write(t, dir, "main.js", undeliveredScript)
	write(t, dir, "config.capnp", fmt.Sprintf(undeliveredConfig, ""))
	h := &hostProcess{t: t, dir: filepath.Join(dir, "config.capnp"), state: t.TempDir(), line: func(string) {}}
	h.start()
	t.Cleanup(h.kill)
	g.to = h.life.Load().addr
	rt, err := runtime.Open(h.dir, runtime.Options{Connect: &runtime.Connect{Address: g.l.Addr().String(), Key: testKey}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(rt.Handler())
	t.Cleanup(func() {
		server.Close()
		if err := rt.Close(); err != nil {
			t.Error(err)
		}
	})
	return &side{t, "durashim", g, server.URL}
}

func query(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v
}

// What becomes of a fetch that does not reach the object, here and on the real
// runtime: the same script, and the same proxy between two processes.
func TestUndeliveredFetchLikeWorkerd(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the backoff of the real runtime")
	}
	sides := []*side{workerdSide(t), durashimSide(t)}
	// both makes an observation on both sides, at the same time, and compares.
	both := func(t *testing.T, observe func(s *side) any) any {
		t.Helper()
		var out [2]any
		var wg sync.WaitGroup
		for i, s := range sides {
			wg.Go(func() { out[i] = observe(s) })
		}
		wg.Wait()
		if !reflect.DeepEqual(out[0], out[1]) {
			t.Errorf("durashim: %v\nworkerd:  %v", out[1], out[0])
		}
		return out[0]
	}
	within := func(s *side, what string, ms, lo, hi int) {
		const slack = 1000 // the machine may be busy
		if ms < lo || ms > hi+slack {
			t.Errorf("%s: %s after %d ms; the bounds are %d and %d", s.name, what, ms, lo, hi)
		}
	}
	for _, path := range []string{"/options", "/retryable"} {
		t.Run(path, func(t *testing.T) {
			both(t, func(s *side) any { return s.get(path, nil) })
		})
	}
	t.Run("no retries", func(t *testing.T) {
		both(t, func(s *side) any {
			s.shut(-1)
			got := s.calls("/calls", query("n", "1", "retry", `{"maxRetries":0}`))[0]
			within(s, "no retries", got.MS, 0, 0)
			return []any{got.End, s.gate.count()}
		})
	})
	t.Run("window", func(t *testing.T) {
		both(t, func(s *side) any {
			s.shut(-1)
			var ends []any
			for _, got := range s.calls("/calls", query("n", "20", "retry", `{"maxRetries":10,"timeoutMs":500}`)) {
				within(s, "the window", got.MS, 0, 500)
				ends = append(ends, got.End)
			}
			return ends
		})
	})
	t.Run("backoff", func(t *testing.T) {
		const n = 25
		both(t, func(s *side) any {
			s.shut(-1)
			var ends [4]any
			var wg sync.WaitGroup
			for i, bounds := range [][2]int{{0, 500}, {0, 1500}, {1000, 4500}, {3000, 8500}} {
				wg.Go(func() {
					retries := i + 1
					var each []any
					all := s.calls("/calls", query("n", fmt.Sprint(n), "retry", fmt.Sprintf(`{"maxRetries":%d}`, retries)))
					for _, got := range all {
						within(s, fmt.Sprint(retries, " retries"), got.MS, bounds[0], bounds[1])
						each = append(each, got.End)
					}
					ends[i] = each
				})
			}
			wg.Wait()
			return ends
		})
	})
	t.Run("attempts", func(t *testing.T) {
		both(t, func(s *side) any {
			var all []any
			for _, refused := range []int{1, 2} {
				s.shut(refused)
				got := s.calls("/calls", query("n", "1"))[0]
				all = append(all, got.End, s.gate.count())
			}
			for _, retry := range []string{`{"maxRetries":2}`, "null"} {
				s.shut(-1)
				got := s.calls("/calls", query("n", "1", "retry", retry))[0]
				all = append(all, got.End, s.gate.count())
			}
			return all
		})
	})
	for _, kind := range []string{"none", "string", "empty", "buffer", "view", "blob", "form", "params", "request", "headers",
		"touched", "copied", "cloned", "blobStream", "bodyStream", "stream", "streamRequest"} {
		t.Run("body/"+kind, func(t *testing.T) {
			both(t, func(s *side) any {
				s.shut(1)
				got := s.calls("/body", query("kind", fmt.Sprintf("%q", kind)))[0]
				return []any{got.End, got.Used, s.gate.count()}
			})
		})
	}
	for _, method := range []string{"GET", "POST"} {
		t.Run("body/forwarded "+method, func(t *testing.T) {
			both(t, func(s *side) any {
				s.shut(1)
				req, _ := http.NewRequest(method, s.url+"/forward", nil)
				if method == "POST" {
					req, _ = http.NewRequest(method, s.url+"/forward", strings.NewReader("from outside"))
				}
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Error(err)
					return nil
				}
				defer res.Body.Close()
				var got []observed
				if err := json.NewDecoder(res.Body).Decode(&got); err != nil {
					t.Error(err)
					return nil
				}
				return []any{got[0].End, s.gate.count()}
			})
		})
	}
	// The announcement has a rejected retry where the real runtime makes none: the
	// caller sees the same.
	t.Run("cut while it runs", func(t *testing.T) {
		both(t, func(s *side) any {
			s.shut(0)
			entered, release := make(chan struct{}, 10), make(chan struct{})
			signal := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				entered <- struct{}{}
				<-release
			}))
			defer signal.Close()
			ended := make(chan observed, 1)
			go func() { ended <- s.calls("/slow", query("signal", signal.URL))[0] }()
			<-entered
			s.gate.shut(0)
			got := <-ended
			close(release)
			return []any{got.End, 1 + len(entered)}
		})
	})
	t.Run("abort", func(t *testing.T) {
		both(t, func(s *side) any {
			s.shut(-1)
			got := s.calls("/abort", query("ms", "1600"))[0]
			within(s, "an abort", got.MS, 1590, 1600)
			return got.End
		})
	})
}
