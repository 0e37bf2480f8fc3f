package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// server is the command serve while it runs.
type server struct {
	t      *testing.T
	out    chan string // lines of the standard output
	err    chan string // lines of the standard error
	stop   context.CancelFunc
	status chan int
}

func start(t *testing.T, args ...string) *server {
	t.Helper()
	return startCommand(t, append([]string{"serve"}, args...)...)
}

// startCommand starts a command that runs until it is stopped.
func startCommand(t *testing.T, args ...string) *server {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &server{t: t, stop: stop, status: make(chan int, 1)}
	lines := func() (io.WriteCloser, chan string) {
		r, w := io.Pipe()
		ch := make(chan string, 1000)
		go func() {
			defer close(ch)
			for sc := bufio.NewScanner(r); sc.Scan(); {
				ch <- sc.Text()
			}
		}()
		return w, ch
	}
	out, outLines := lines()
	err, errLines := lines()
	s.out, s.err = outLines, errLines
	go func() {
		s.status <- Main(ctx, args, out, err)
		out.Close()
		err.Close()
	}()
	t.Cleanup(func() {
		stop()
		for range s.err {
		}
		for range s.out {
		}
	})
	return s
}

// expect reads lines until one matches; it returns the first group.
func (s *server) expect(from chan string, pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	var seen []string
	for line := range from {
		if m := re.FindStringSubmatch(line); m != nil {
			return m[len(m)-1]
		}
		seen = append(seen, line)
	}
	s.t.Fatalf("no line matches %s:\n%s", pattern, strings.Join(seen, "\n"))
	return ""
}

func (s *server) url() string { return s.expect(s.err, `is ready on (http://\S+)`) }

func body(t *testing.T, res *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// get asks over a connection of its own.
func get(t *testing.T, url string) string {
	t.Helper()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := c.Get(url)
	return body(t, res, err)
}

func files(t *testing.T, dir string, contents map[string]string) {
	t.Helper()
	for name, text := range contents {
		// Renamed into place, so that no watcher sees half of it.
		tmp := filepath.Join(dir, "."+name)
		if err := os.WriteFile(tmp, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

const twoSockets = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "w.js", esModule = embed "w.js")], compatibilityDate = "2026-11-01"))],
  sockets = [(name = "a", address = "127.0.0.1:1", http = (), service = "main"),
             (name = "b", address = "127.0.0.1:0", http = (), service = (name = "main", entrypoint = "Other"))]
);
const other :Workerd.Config = ( sockets = [(name = "a", address = "127.0.0.1:0", tcp = (), service = "main")], services = .config.services );`

const twoSocketsScript = `
export default { fetch() { console.log("to out"); console.warn("to err"); return new Response("default"); } };
export const Other = { fetch() { return new Response("other"); } };`

func TestServeSockets(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{"c.capnp": strings.Replace(twoSockets, ", services = .config.services", ", services = [(name = \"main\", worker = (modules = [(name = \"w.js\", esModule = embed \"w.js\")]))]", 1), "w.js": twoSocketsScript})
	config := filepath.Join(dir, "c.capnp")
	unix := filepath.Join(dir, "sock")
	s := start(t, config, "config", "-s", "a=unix:"+unix)
	b := ""
	for range 2 {
		if addr := s.expect(s.err, `socket "\w" is ready on (\S+)`); strings.HasPrefix(addr, "http") {
			b = addr
		}
	}
	if got := get(t, b); got != "other" {
		t.Errorf("socket b: %q", got)
	}
	c := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", unix)
	}}}
	res, err := c.Get("http://x/path?q")
	if got := body(t, res, err); got != "default" {
		t.Errorf("socket a: %q", got)
	}
	c.CloseIdleConnections()
	s.expect(s.out, `^to out$`)
	s.expect(s.err, `^to err$`)
	s.expect(s.err, `^GET /path\?q 200 [\d.]+ms$`)
	s.stop()
	if code := <-s.status; code != 0 {
		t.Errorf("status %d", code)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{config}, `c.capnp: the file defines several constants`},
		{[]string{config, "other"}, `c.capnp:\S+ socket "a": durashim does not implement sockets of protocol tcp`},
		{[]string{config, "config", "-s", "x=127.0.0.1:0"}, `has no socket "x"`},
		{[]string{config, "config", "-s", "127.0.0.1:0"}, `--socket-addr wants <name>=<value>`},
		{[]string{config, "config", "-s", "a=127.0.0.1:0", "--port", "1"}, `several sockets`},
		{[]string{config, "config", "-e", "x=1"}, `no external service "x"`},
		{[]string{config, "config", "-d", "x=1"}, `no disk service "x"`},
		{[]string{config, "config", "--log-format", "xml"}, `--log-format must be`},
		{[]string{config, "config", "--compat-date", "yesterday"}, `YYYY-MM-DD`},
		{[]string{config, "config", "-s", "a=" + strings.TrimPrefix(b, "http://") + "x"}, `socket "a": cannot listen on`},
	} {
		_, stderr, code := durashim(t, append([]string{"serve"}, c.args...)...)
		if code != 1 || !regexp.MustCompile(c.want).MatchString(stderr) {
			t.Errorf("%v: status %d, want %s\n%s", c.args, code, c.want, stderr)
		}
	}
}

func TestServePortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	_, stderr, code := durashim(t, "serve", inventory, "--host", "127.0.0.1", "--port", port, "--persist-to", ":memory:")
	if code != 1 || !strings.Contains(stderr, "cannot listen on 127.0.0.1:"+port) || !strings.Contains(stderr, "address already in use") {
		t.Errorf("status %d\n%s", code, stderr)
	}
}

func TestServeStorageErrors(t *testing.T) {
	dir := t.TempDir()
	s := start(t, inventory, "--port", "0", "--persist-to", dir)
	s.url()
	_, stderr, code := durashim(t, "serve", inventory, "--port", "0", "--persist-to", dir)
	if code != 1 || !strings.Contains(stderr, dir) || !strings.Contains(stderr, "in use") {
		t.Errorf("in use: status %d\n%s", code, stderr)
	}
	file := filepath.Join(dir, "file")
	files(t, dir, map[string]string{"file": ""})
	_, stderr, code = durashim(t, "serve", inventory, "--port", "0", "--persist-to", file)
	if code != 1 || !strings.Contains(stderr, file) {
		t.Errorf("not a directory: status %d\n%s", code, stderr)
	}
}

func TestServeJSON(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{"wrangler.json": `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01"}`,
		"main.js": `export default { fetch() { console.warn("a\nb"); throw new Error("boom"); } };`})
	s := start(t, dir, "--port", "0", "--log-format", "json")
	url := s.expect(s.err, `"msg":".* is ready on (http://[^"]+)"`)
	get(t, url+"/x")
	var line struct {
		Level, Message string
		Timestamp      int64
	}
	if err := json.Unmarshal([]byte(<-s.out), &line); err != nil || line.Level != "warn" || line.Message != "a\nb" || line.Timestamp == 0 {
		t.Errorf("%+v, %v", line, err)
	}
	s.expect(s.err, `"level":"ERROR","msg":"request failed".*"error":"Error: boom\\n`)
	s.expect(s.err, `"msg":"request","method":"GET","url":"/x","status":500,"ms":`)
}

const counter = `import { DurableObject } from "cloudflare:workers";
import { name } from "./name.js";
export class Counter extends DurableObject {
  count = 0;
  async fetch(req) {
    if (new URL(req.url).pathname === "/wait") { console.log("waiting"); await scheduler.wait(700); }
    const n = (await this.ctx.storage.get("n") ?? 0) + 1;
    await this.ctx.storage.put("n", n);
    return new Response(name + " stored " + n + " memory " + ++this.count);
  }
}
export default { fetch: (req, env) => env.COUNTER.getByName("a").fetch(req) };`

func TestServeWatch(t *testing.T) {
	for _, persist := range []string{":memory:", ""} {
		dir := t.TempDir()
		files(t, dir, map[string]string{
			"wrangler.json": `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
				"durable_objects": {"bindings": [{"name": "COUNTER", "class_name": "Counter"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["Counter"]}]}`,
			"main.js": counter, "name.js": `export const name = "one";`,
		})
		args := []string{dir, "--port", "0", "--watch"}
		if persist != "" {
			args = append(args, "--persist-to", persist)
		}
		s := start(t, args...)
		url := s.url()
		want := func(text string) {
			t.Helper()
			if got := get(t, url); got != text {
				t.Errorf("got %q, want %q", got, text)
			}
		}
		want("one stored 1 memory 1")
		want("one stored 2 memory 2")
		// A request in flight finishes on the old version.
		late := make(chan string, 1)
		go func() { late <- get(t, url+"/wait") }()
		s.expect(s.out, "^waiting$")
		files(t, dir, map[string]string{"name.js": `export const name = "second";`})
		s.expect(s.err, `reloaded in`)
		if got := <-late; got != "one stored 3 memory 3" {
			t.Errorf("in flight: %q", got)
		}
		want("second stored 4 memory 1")
		// A broken change leaves the old version running.
		files(t, dir, map[string]string{"name.js": `export const name = ;`})
		s.expect(s.err, `reload failed, the old version goes on: .*name.js:1:`)
		want("second stored 5 memory 2")
		// An import that is not there yet.
		files(t, dir, map[string]string{"name.js": `export * from "./missing.js";`})
		s.expect(s.err, `reload failed.*missing`)
		files(t, dir, map[string]string{"missing.js": `export const name = "third";`})
		s.expect(s.err, `reloaded in`)
		want("third stored 6 memory 1")
		s.stop()
		if code := <-s.status; code != 0 {
			t.Errorf("status %d", code)
		}
		_, err := os.Stat(filepath.Join(dir, ".wrangler", "state", "workerd"))
		if (err == nil) != (persist == "") {
			t.Errorf("persist to %q: state directory: %v", persist, err)
		}
	}
}

const waiter = `export default { async fetch(req) {
  console.log("waiting"); await scheduler.wait(Number(new URL(req.url).search.slice(1))); return new Response("done"); } };`

func TestServeStops(t *testing.T) {
	dir := t.TempDir()
	files(t, dir, map[string]string{"wrangler.json": `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01"}`, "main.js": waiter})
	s := start(t, dir, "--port", "0")
	url := s.url()
	late := make(chan string, 1)
	go func() { late <- get(t, url+"/?500") }()
	s.expect(s.out, "^waiting$")
	s.stop()
	s.expect(s.err, `stopping; requests in flight have 30s`)
	if got := <-late; got != "done" {
		t.Errorf("in flight: %q", got)
	}
	if code := <-s.status; code != 0 {
		t.Errorf("status %d", code)
	}

	s = start(t, dir, "--port", "0")
	url = s.url()
	broken := make(chan error, 1)
	go func() {
		res, err := http.Get(url + "/?100000")
		if err == nil {
			res.Body.Close()
			err = fmt.Errorf("answered %s", res.Status)
		} else {
			err = nil
		}
		broken <- err
	}()
	s.expect(s.out, "^waiting$")
	s.stop()
	s.expect(s.err, `stopping; .* a second signal ends them now`)
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.expect(s.err, `ending requests that are still in flight`)
	if err := <-broken; err != nil {
		t.Error(err)
	}
	<-s.status
}

func TestServeHelpTeaches(t *testing.T) {
	out, _, code := durashim(t, "serve", "--help")
	for _, want := range []string{"127.0.0.1:8787", "-s, --socket-addr name=addr", ":memory:", "--watch", "curl http"} {
		if !strings.Contains(out, want) {
			t.Errorf("the help lacks %q", want)
		}
	}
	if code != 0 {
		t.Errorf("status %d", code)
	}
}
