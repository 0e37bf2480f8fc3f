package webapi_test

import (
	"testing"

	"github.com/dop251/goja"

	"github.com/durashim/durashim/internal/httpmsg"
)

func BenchmarkInstall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newWorld(b)
	}
}

func BenchmarkInstallAndTouchAll(b *testing.B) {
	prog := goja.MustCompile("touch.js", `for (const n of ['Headers', 'Request', 'Response', 'URL', 'URLSearchParams', 'TextEncoder',
		'TextDecoder', 'Blob', 'File', 'FormData', 'AbortController', 'AbortSignal', 'Event', 'EventTarget', 'DOMException',
		'crypto', 'performance']) globalThis[n];`, true)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := newWorld(b).rt.RunProgram(prog); err != nil {
			b.Fatal(err)
		}
	}
}

// benchJS measures one call of a JavaScript function.
func benchJS(b *testing.B, src string) {
	w := newWorld(b)
	v, err := w.rt.RunString(src)
	must(b, err)
	f, _ := goja.AssertFunction(v)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f(goja.Undefined()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHeadersSet(b *testing.B) {
	benchJS(b, `const h = new Headers({a: '1', b: '2'}); () => h.set('b', '3')`)
}
func BenchmarkHeadersGet(b *testing.B) {
	benchJS(b, `const h = new Headers({a: '1', b: '2'}); () => h.get('b')`)
}
func BenchmarkNewHeaders(b *testing.B) { benchJS(b, `() => new Headers({a: '1', b: '2'})`) }
func BenchmarkNewRequest(b *testing.B) {
	benchJS(b, `() => new Request('http://example.com/a?b=c', {method: 'POST', body: 'hello'})`)
}
func BenchmarkNewResponse(b *testing.B) { benchJS(b, `() => new Response('hello')`) }
func BenchmarkURLParse(b *testing.B) {
	benchJS(b, `() => new URL('https://example.com/a/b?x=1&y=2#z')`)
}
func BenchmarkResponseText(b *testing.B) {
	benchJS(b, `async () => { await new Response('hello').text() }`)
}
func BenchmarkTextEncode(b *testing.B) {
	benchJS(b, `const e = new TextEncoder(); () => e.encode('hello world')`)
}

func BenchmarkBridge(b *testing.B) {
	w := newWorld(b)
	m := &httpmsg.Request{Method: "GET", URL: "http://example.com/", Header: httpmsg.Header{{Name: "A", Value: "b"}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.api.RequestOf(w.api.NewRequest(m)); err != nil {
			b.Fatal(err)
		}
	}
}
