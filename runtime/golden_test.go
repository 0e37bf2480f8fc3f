package runtime_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"

	"slices"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/runtime"
)

// The expected answers of testdata/http/worker.js are the real runtime's. With
// DURASHIM_WORKERD naming its binary they are measured again and compared; with
// -update they are written.
var update = flag.Bool("update", false, "write testdata/http/golden.json from the real runtime")

const goldenFile = "testdata/http/golden.json"

// golden is what a server was seen to answer, by case.
type golden map[string]json.RawMessage

// answer is what a client sees of a response.
type answer struct {
	Status  int                 `json:"status,omitempty"`
	Header  map[string][]string `json:"header,omitempty"`
	Body    string              `json:"body,omitempty"`
	Chunked bool                `json:"chunked,omitempty"`
	Broken  bool                `json:"broken,omitempty"` // the connection, before or in the body
}

// askCases are the requests besides a plain GET of each handler.
var askCases = []struct {
	name, method, path, body string
	chunked                  bool
	header                   http.Header
}{
	{"post", "POST", "/echo", "abc", false, nil},
	{"post chunked", "POST", "/echo", "abc", true, nil},
	{"post nothing", "POST", "/echo", "", false, nil},
	{"get with body", "GET", "/echo", "abc", false, nil},
	{"query", "GET", "/echo?a=%20b&c&d=|", "", false, http.Header{"X-A": {"1", "2"}, "Te": {"trailers"}}},
	{"unknown method", "FOO", "/echo", "", false, nil},
	{"options", "OPTIONS", "/echo", "", false, nil},
	{"utf-8 and not", "GET", "/echo", "", false, http.Header{"X-L": {"caf\xc3\xa9"}, "X-M": {"caf\xe9"}}},
	{"pass through", "POST", "/passThrough", "abc", false, nil},
	{"pass through chunked", "POST", "/passThrough", "abc", true, nil},
	{"pass through script", "POST", "/passThroughScript", "abc", true, nil},
	{"to object", "POST", "/toObject/echo", "abc", false, nil},
	{"to object chunked", "POST", "/toObject/echo", "abc", true, nil},
	{"to service", "PUT", "/toService/echo", "abc", true, nil},
	{"big sum", "POST", "/sum", strings.Repeat("x", 300_000), false, nil},
	{"big sum chunked", "POST", "/sum", strings.Repeat("x", 300_000), true, nil},
	{"signals", "GET", "/signals", "", false, nil},
}

// notPlain are handlers that a plain GET does not suit.
var notPlain = map[string]bool{
	"passThrough": true, "passThroughScript": true, "sum": true, "toObject": true, "toService": true,
	"hang": true, "endless": true, "log": true, "names": true, "fetches": true, "signals": true,
}

// measure asks a server everything.
func measure(t *testing.T, base string) golden {
	t.Helper()
	tr := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	defer tr.CloseIdleConnections()
	out := golden{}
	ask := func(name, method, path, body string, chunked bool, h http.Header) {
		var r io.Reader
		if body != "" {
			if r = strings.NewReader(body); chunked {
				r = io.MultiReader(r) // hides the length
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, method, base+path, r)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(req.Header, h)
		var a answer
		res, err := tr.RoundTrip(req)
		switch {
		case ctx.Err() != nil:
			t.Errorf("%s: no answer", name)
		case err != nil:
			a.Broken = true
		default:
			a = read(t, res)
		}
		out[name] = marshal(t, a)
	}
	var names struct{ Answers, Fetches []string }
	res, err := http.Get(base + "/names")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&names); err != nil {
		t.Fatal(err)
	}
	for _, n := range names.Answers {
		if !notPlain[n] {
			ask("GET "+n, "GET", "/"+n, "", false, nil)
			ask("HEAD "+n, "HEAD", "/"+n, "", false, nil)
		}
	}
	for _, c := range askCases {
		ask(c.name, c.method, c.path, c.body, c.chunked, c.header)
	}
	return out
}

func read(t *testing.T, res *http.Response) answer {
	t.Helper()
	defer res.Body.Close()
	a := answer{Status: res.StatusCode, Header: res.Header, Chunked: len(res.TransferEncoding) > 0}
	data, err := io.ReadAll(res.Body)
	a.Broken = err != nil
	if a.Broken {
		// How much of it arrives is a matter of timing, and so is whether the
		// status does.
		return answer{Broken: true}
	}
	if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		if data, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	a.Body = string(data)
	return a
}

func marshal(t *testing.T, v any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// measureFetches runs the cases of fetch() against a back end.
func measureFetches(t *testing.T, base, backend string) golden {
	t.Helper()
	out := golden{}
	client := &http.Client{Timeout: 10 * time.Second}
	get := func(path string) []byte {
		res, err := client.Get(base + path)
		if err != nil {
			t.Error(err)
			return nil
		}
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var names struct{ Fetches []string }
	if err := json.Unmarshal(get("/names"), &names); err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(backend, "http://"))
	for _, n := range names.Fetches {
		data := get("/fetches?what=" + n + "&backend=" + url.QueryEscape(backend))
		for _, colon := range []string{":", "%3A"} {
			data = bytes.ReplaceAll(data, []byte(colon+port), []byte(colon+"PORT"))
		}
		if !json.Valid(data) {
			t.Errorf("%s: %s", n, data)
			continue
		}
		out["fetch "+n] = data
	}
	return out
}

// backend is a server that answers in ways that net/http's server would not.
func backend(t *testing.T) string {
	t.Helper()
	hung := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		h := w.Header()
		h["Date"] = nil
		h["Content-Type"] = nil
		raw := func(text string) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(c, text)
			c.Close()
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return // the client broke it off
		}
		switch path, rest, _ := strings.Cut(req.URL.Path[1:], "/"); path {
		case "echo":
			var b strings.Builder
			fmt.Fprintf(&b, "%s %s host=%s length=%d encoding=%v\n", req.Method, req.RequestURI, req.Host, req.ContentLength, req.TransferEncoding)
			for _, k := range slices.Sorted(maps.Keys(req.Header)) {
				fmt.Fprintf(&b, "%s: %q\n", k, req.Header[k])
			}
			fmt.Fprintf(&b, "%q", body)
			h.Set("Content-Length", fmt.Sprint(b.Len()))
			io.WriteString(w, b.String())
		case "gzip":
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			io.WriteString(z, "hello gzip")
			z.Close()
			h.Set("Content-Encoding", "gzip")
			h.Set("Content-Length", fmt.Sprint(b.Len()))
			w.Write(b.Bytes())
		case "encoding":
			h.Set("Content-Encoding", "unknown")
			h.Set("Content-Length", "5")
			io.WriteString(w, "plain")
		case "redirect":
			to := "/echo"
			if req.URL.Query().Has("to") {
				to = req.URL.Query().Get("to")
			}
			if to != "" {
				h.Set("Location", to)
			}
			h.Set("Content-Length", "2")
			var status int
			fmt.Sscan(rest, &status)
			w.WriteHeader(status)
			if req.Method != "HEAD" {
				io.WriteString(w, "xx")
			}
		case "loop":
			h.Set("Location", "/loop")
			h.Set("Content-Length", "0")
			w.WriteHeader(302)
		case "status":
			var status int
			fmt.Sscan(rest, &status)
			if status == 200 {
				h.Set("Content-Length", "0")
			}
			w.WriteHeader(status)
		case "drop":
			raw("")
		case "partial":
			raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
		case "garbage":
			raw("garbage\r\n\r\n")
		case "cookies":
			raw("HTTP/1.1 299 Odd Text\r\nContent-Length: 1\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-A: caf\xc3\xa9\r\nX-B: \xe9\r\n\r\nx")
		case "chunks":
			for i := range 3 {
				fmt.Fprintf(w, "ab%d", i)
				http.NewResponseController(w).Flush()
			}
		case "hangBody":
			io.WriteString(w, "x")
			http.NewResponseController(w).Flush()
			fallthrough
		case "hang":
			select {
			case <-req.Context().Done():
			case <-hung:
			}
		default:
			w.WriteHeader(404)
		}
	}))
	t.Cleanup(func() {
		close(hung)
		srv.Close()
	})
	return srv.URL
}

// realHTTP serves testdata/http on the real runtime.
func realHTTP(t *testing.T, backend string) (base string) {
	t.Helper()
	bin := workerd(t)
	addr := strings.TrimPrefix(backend, "http://")
	cmd := exec.Command(bin, "serve", "--experimental", "--control-fd=1", "-e", "server="+addr, "-e", "proxy="+addr, filepath.Join("testdata", "http", "config.capnp"))
	log := &strings.Builder{}
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	sc := bufio.NewScanner(out)
	for sc.Scan() {
		var ev struct {
			Event, Socket string
			Port          json.Number
		}
		if json.Unmarshal(sc.Bytes(), &ev) == nil && ev.Event == "listen" && ev.Socket == "http" {
			go func() {
				for sc.Scan() { // what scripts print must not fill the pipe
				}
			}()
			return "http://127.0.0.1:" + ev.Port.String()
		}
	}
	t.Fatalf("workerd did not start:\n%s", log)
	return ""
}

// TestGoldenIsTheRealRuntimes measures the expected answers anew.
func TestGoldenIsTheRealRuntimes(t *testing.T) {
	back := backend(t)
	base := realHTTP(t, back)
	got := measure(t, base)
	maps.Copy(got, measureFetches(t, base, back))
	if *update {
		text, err := json.MarshalIndent(got, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(goldenFile, append(text, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	diff(t, got, readGolden(t), nil)
}

func readGolden(t *testing.T) golden {
	t.Helper()
	text, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	var want golden
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// diff compares answers; differ are the cases that must not be equal, with the
// reason.
func diff(t *testing.T, got, want golden, differ map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		g, w := canonical(t, got[name]), canonical(t, want[name])
		if reason := differ[name]; reason != "" {
			if g == w {
				t.Errorf("%s: equal, though it is listed as different: %s", name, reason)
			}
			continue
		}
		if g != w {
			t.Errorf("%s:\n got %s\nwant %s", name, g, w)
		}
	}
	for name := range got {
		if want[name] == nil {
			t.Errorf("%s: there is no expected answer", name)
		}
	}
}

func canonical(t *testing.T, data json.RawMessage) string {
	t.Helper()
	var v any
	if data != nil {
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
	}
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// differences are the answers in which durashim differs from the real runtime,
// and why.
var differences = map[string]string{
	"HEAD s304":     "net/http sends no Content-Length with a 304",
	"fetch headers": "lines of one header are joined whatever their spelling",
	"fetch proxy":   "net/http sends the Host header to a proxy as well",
}

func TestHTTPAnswers(t *testing.T) {
	back := backend(t)
	addr := strings.TrimPrefix(back, "http://")
	rt, err := runtime.Open("testdata/http/config.capnp", runtime.Options{ExternalAddrs: map[string]string{"server": addr, "proxy": addr}})
	if err != nil {
		t.Fatal(err)
	}
	defer rt.Close()
	srv := httptest.NewServer(rt.Handler())
	defer srv.Close()
	got := measure(t, srv.URL)
	maps.Copy(got, measureFetches(t, srv.URL, back))
	diff(t, got, readGolden(t), differences)
}
