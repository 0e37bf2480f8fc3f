package webapi_test

import (
	"io"
	"strings"
	"testing"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

func TestBuildRequest(t *testing.T) {
	w := newWorld(t)
	input := w.rt.ToValue("http://example.com/a b#fragment")
	init := w.run(t, "init.js", `const c = new AbortController(); ({method: 'post', body: 'hi', headers: {A: 'b'}, signal: c.signal, cf: {k: 1}})`)
	m, signal, err := w.api.BuildRequest(input, init)
	if err != nil {
		t.Fatal(err)
	}
	body, ok := m.Body.Bytes()
	a, _ := m.Header.Get("a")
	if m.Method != "POST" || m.URL != "http://example.com/a%20b" || !ok || string(body) != "hi" || a != "b" || string(m.CF) != `{"k":1}` || !m.Replayable() {
		t.Errorf("%+v", m)
	}
	if !w.api.IsAbortSignal(signal) {
		t.Fatal("no signal")
	}
	var reasons []string
	w.api.OnAbort(signal, func(v goja.Value) { reasons = append(reasons, "kept "+v.String()) })
	stop := w.api.OnAbort(signal, func(v goja.Value) { reasons = append(reasons, "stopped") })
	stop()
	w.run(t, "abort.js", `c.abort('why')`)
	w.api.OnAbort(signal, func(v goja.Value) { reasons = append(reasons, "late "+v.String()) })
	if got := strings.Join(reasons, ", "); got != "kept why, late why" {
		t.Errorf("reasons: %s", got)
	}
}

func TestBuildRequestError(t *testing.T) {
	w := newWorld(t)
	_, _, err := w.api.BuildRequest(w.rt.ToValue("/x"), goja.Undefined())
	if err == nil || !strings.Contains(err.Error(), "TypeError: Invalid URL: /x") {
		t.Errorf("got %v", err)
	}
}

func TestRequestOfConsumes(t *testing.T) {
	w := newWorld(t)
	v := w.run(t, "r.js", `const r = new Request('http://a', {method: 'POST', body: 'x'}); r`)
	m, err := w.api.RequestOf(v)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := m.Body.Bytes(); string(b) != "x" {
		t.Errorf("body %q", b)
	}
	if used := w.run(t, "used.js", `r.bodyUsed`); !used.ToBoolean() {
		t.Error("bodyUsed is false")
	}
	if _, err := w.api.RequestOf(v); err == nil || !strings.Contains(err.Error(), "Cannot reconstruct a Request with a used body.") {
		t.Errorf("second use: %v", err)
	}
	if _, err := w.api.RequestOf(w.rt.NewObject()); err == nil {
		t.Error("an object passed as a Request")
	}
}

func TestNewRequestAndResponse(t *testing.T) {
	w := newWorld(t)
	must(t, w.rt.Set("req", w.api.NewRequest(&httpmsg.Request{Method: "POST", URL: "http://a/", Body: httpmsg.BytesBody([]byte("in")), CF: []byte(`{"a":1}`)})))
	must(t, w.rt.Set("res", w.api.NewResponse(&httpmsg.Response{Status: 404, StatusText: "Nope", Header: httpmsg.Header{{Name: "A", Value: "b"}}})))
	got := w.run(t, "x.js", `let immutable; try { req.clone().headers.set('a', 'b') } catch (e) { immutable = e.message }
		const out = [req.method, req.cf.a, immutable, res.status, res.statusText, res.headers.get('a'), res.body, res.ok];
		req.text().then(t => out.push(t)); out`)
	if s := got.String(); s != "POST,1,Can't modify immutable headers.,404,Nope,b,,false,in" {
		t.Errorf("got %s", s)
	}
}

// streamWorld gives a world a queue of finished I/O that drain works off.
func streamWorld(t *testing.T) (w *world, drain func()) {
	jobs := make(chan func(), 64)
	pending := 0
	w = newWorldWith(t, func(work, done func()) {
		pending++
		go func() {
			work()
			jobs <- done
		}()
	})
	return w, func() {
		for pending > 0 {
			done := <-jobs
			pending--
			done()
		}
	}
}

func TestStreamFromGo(t *testing.T) {
	w, drain := streamWorld(t)
	body := httpmsg.StreamBody(io.MultiReader(strings.NewReader("ab"), strings.NewReader("cd")), httpmsg.UnknownLength)
	must(t, w.rt.Set("res", w.api.NewResponse(&httpmsg.Response{Status: 200, Body: body})))
	w.run(t, "s.js", `let text; res.text().then(v => text = v, e => text = 'failed ' + e)`)
	drain()
	if got := w.run(t, "t.js", "text").String(); got != "abcd" {
		t.Errorf("got %q", got)
	}
}

func TestStreamToGo(t *testing.T) {
	w, drain := streamWorld(t)
	v := w.run(t, "s.js", `new Response(new ReadableStream({
		async pull(c) { this.n = (this.n || 0) + 1; c.enqueue(new TextEncoder().encode('chunk' + this.n)); if (this.n === 3) c.close() } }))`)
	m, ok, err := w.api.ResponseOf(v)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if m.Body.Replayable() {
		t.Error("a stream is not replayable")
	}
	got := make(chan string, 1)
	go func() {
		b, err := m.Body.ReadAll(-1)
		got <- string(b) + " " + errText(err)
	}()
	drain()
	if s := <-got; s != "chunk1chunk2chunk3 " {
		t.Errorf("got %q", s)
	}
}

func TestStreamToGoFails(t *testing.T) {
	w, drain := streamWorld(t)
	v := w.run(t, "s.js", `new Response(new ReadableStream({pull() { throw new Error('boom') }}))`)
	m, _, err := w.api.ResponseOf(v)
	must(t, err)
	drain()
	if _, err := m.Body.ReadAll(-1); errText(err) != "stream failed: Error: boom" {
		t.Errorf("got %v", err)
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestListenerErrorsAreReported(t *testing.T) {
	w := newWorld(t)
	w.run(t, "e.js", `const t = new EventTarget(); t.addEventListener('a', () => { throw new Error('boom') }); t.dispatchEvent(new Event('a'))`)
	if len(w.reported) != 1 || w.reported[0].String() != "Error: boom" {
		t.Errorf("reported %v", w.reported)
	}
}

func TestSlotStaysHidden(t *testing.T) {
	w := newWorld(t)
	got := w.run(t, "h.js", `const h = new Headers(); h[Symbol.for('mine')] = 1;
		[Object.getOwnPropertySymbols(h), Reflect.ownKeys(h), Reflect.ownKeys(Object.getOwnPropertyDescriptors(h))].map(l => l.map(String)).join('|')`)
	if s := got.String(); s != "Symbol(mine)|Symbol(mine)|Symbol(mine)" {
		t.Errorf("got %s", s)
	}
}

func TestRandomIsSeeded(t *testing.T) {
	a := newWorld(t).run(t, "u.js", "crypto.randomUUID()").String()
	b := newWorld(t).run(t, "u.js", "crypto.randomUUID()").String()
	if a != b {
		t.Errorf("same seed, different identifiers: %s, %s", a, b)
	}
}
