package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/durashim/durashim/runtime"
)

const goHostile = `
import { DurableObject, RpcTarget } from "cloudflare:workers";
export class Obj extends DurableObject {
  async call(f, ...args) { return await f(...args); }
  async read(s) { return (await new Response(s).text()).length; }
  async readSome(s) { const r = s.getReader(); await r.read(); await r.cancel("enough"); return 1; }
  async write(s, ...chunks) { const w = s.getWriter(); for (const c of chunks) await w.write(new TextEncoder().encode(c)); await w.close(); return chunks.length; }
  async abortWrite(s) { const w = s.getWriter(); await w.write(new Uint8Array(3)); await w.abort("why"); return 1; }
  async body(r) { return (await r.text()).length; }
  ok() { return "ok"; }
  keep(x) { this.kept = x; return 1; }
  async dispose(f) { f[Symbol.dispose](); try { return await f(1); } catch (e) { return e.message; } }
  async twice(f) { const g = f.dup(); f[Symbol.dispose](); f[Symbol.dispose](); return await g(2); }
  async many(f, n) { let r = 0; await Promise.all(Array.from({ length: n }, () => f().then(() => { r++ }, () => {}))); return r; }
  async nest(f, n) { return n === 0 ? 0 : await f(n - 1); }
  fn() { return (x) => x; }
  endless() { return new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(1e4)); } }); }
  thrower() { return new ReadableStream({ pull() { throw null; } }); }
  sink() { return new WritableStream({ write() { throw new RangeError("full"); } }); }
  hang() { return new Promise(() => {}); }
}
export default { async fetch() { return new Response("hi") } };
`

func hostileGo(t *testing.T, test func(t *testing.T, c clocked)) {
	dir := project(t, goHostile, "Obj")
	for _, name := range []string{"virtual clock", "machine's clock"} {
		t.Run(name, func(t *testing.T) {
			rt := open(t, dir, func(o *runtime.Options) {
				if name != "virtual clock" {
					o.Clock = nil
				}
			})
			test(t, clocked{name, rt, rt.Namespace("OBJ").GetByName("a")})
		})
	}
}

type badReader struct {
	read  func(p []byte) (int, error)
	close func() error
}

func (r *badReader) Read(p []byte) (int, error) { return r.read(p) }
func (r *badReader) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}

type badWriter struct{ f func() error }

func (w *badWriter) Write(p []byte) (int, error) { return len(p), w.f() }
func (w *badWriter) Close() error                { return w.f() }

type badError struct{}

func (badError) Error() string { panic("Error panics") }

type badTarget struct{ f func() }

func (t *badTarget) Do() int  { t.f(); return 1 }
func (t *badTarget) Dispose() { t.f() }

func TestHostileReaders(t *testing.T) {
	var nilFile *os.File
	var nilBuf *bytes.Buffer
	for name, r := range map[string]io.Reader{
		"panics":         &badReader{read: func([]byte) (int, error) { panic("read") }},
		"close panics":   &badReader{read: func([]byte) (int, error) { return 0, io.EOF }, close: func() error { panic("close") }},
		"too many":       &badReader{read: func(p []byte) (int, error) { return len(p) + 1, nil }},
		"far too many":   &badReader{read: func(p []byte) (int, error) { return 1 << 40, io.EOF }},
		"negative":       &badReader{read: func(p []byte) (int, error) { return -1, nil }},
		"never anything": &badReader{read: func(p []byte) (int, error) { return 0, nil }},
		"error panics":   &badReader{read: func(p []byte) (int, error) { return 0, badError{} }},
		"goexit":         &badReader{read: func(p []byte) (int, error) { goruntime.Goexit(); return 0, nil }},
		"goexit close":   &badReader{read: func(p []byte) (int, error) { return 0, io.EOF }, close: func() error { goruntime.Goexit(); return nil }},
		"nil file":       nilFile,
		"nil buffer":     nilBuf,
	} {
		t.Run(name, func(t *testing.T) {
			hostileGo(t, func(t *testing.T, c clocked) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				for _, m := range []string{"read", "readSome", "keep"} {
					v, err := c.obj.Call(ctx, m, r)
					t.Log(m, v, err)
					if ctx.Err() != nil {
						t.Fatal("it hangs")
					}
				}
				v, err := c.obj.Call(t.Context(), "ok")
				if err != nil || v.String() != `"ok"` {
					t.Error(v, err)
				}
			})
		})
	}
}

func TestHostileWriters(t *testing.T) {
	var nilFile *os.File
	for name, w := range map[string]io.Writer{
		"panics":       &badWriter{func() error { panic("write") }},
		"error panics": &badWriter{func() error { return badError{} }},
		"goexit":       &badWriter{func() error { goruntime.Goexit(); return nil }},
		"nil file":     nilFile,
	} {
		t.Run(name, func(t *testing.T) {
			hostileGo(t, func(t *testing.T, c clocked) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				for _, m := range []string{"write", "abortWrite", "keep"} {
					v, err := c.obj.Call(ctx, m, w, "a", "b")
					t.Log(m, v, err)
					if ctx.Err() != nil {
						t.Fatal("it hangs")
					}
				}
			})
		})
	}
}

type loop struct{ Next *loop }

func TestHostileArguments(t *testing.T) {
	cyclic := &loop{}
	cyclic.Next = cyclic
	m := map[string]any{}
	m["m"] = m
	s := make([]any, 1)
	s[0] = s
	var deepest any
	for range 1_000_000 {
		deepest = []any{deepest}
	}
	var nilFn func()
	for name, x := range map[string]any{
		"nil function":       nilFn,
		"nil target":         (*runtime.Target)(nil),
		"zero target":        &runtime.Target{},
		"target of nil":      runtime.NewTarget(nil),
		"nil ref":            (*runtime.Ref)(nil),
		"zero ref":           &runtime.Ref{},
		"nil stub":           (*runtime.Stub)(nil),
		"zero stub":          &runtime.Stub{},
		"nil request":        (*http.Request)(nil),
		"zero request":       &http.Request{},
		"nil response":       (*http.Response)(nil),
		"zero response":      &http.Response{},
		"bad header request": func() any { r, _ := http.NewRequest("BAD METHOD", "http://x", nil); return r }(),
		"odd request":        &http.Request{Method: "\x00", Header: http.Header{"a\nb": {"c\r\nd"}}},
		"odd response":       &http.Response{StatusCode: 200, Header: http.Header{"a\nb": {"c\r\nd"}}},
		"odd header":         http.Header{"a\nb": {"c\r\nd"}},
		"null status body":   &http.Response{StatusCode: 204, Body: io.NopCloser(strings.NewReader("x"))},
		"body length":        &http.Response{StatusCode: 200, ContentLength: 1 << 50, Body: io.NopCloser(strings.NewReader("x"))},
		"nil header":         http.Header(nil),
		"value":              runtime.Value{},
		"cyclic pointer":     cyclic,
		"cyclic map":         m,
		"cyclic slice":       s,
		"deepest":            deepest,
		"channel":            make(chan int),
		"huge":               make([]byte, 40<<20),
		"many functions":     manyFunctions(5000),
		"function of chan":   func(chan int) {},
		"function gives ch":  func() chan int { return nil },
		"cyclic result":      func() any { return m },
		"deepest result":     func() any { return deepest },
		"panics":             func() { panic("x") },
		"panics with error":  func() { panic(badError{}) },
		"error panics":       func() error { return badError{} },
		"goexit":             func() { goruntime.Goexit() },
		"nil map panic":      func() { var m map[string]int; m["x"] = 1 },
		"variadic":           func(a ...func()) int { return len(a) },
		"complex":            complex(1, 2),
		"unsafe":             struct{ P uintptr }{1},
	} {
		t.Run(name, func(t *testing.T) {
			hostileGo(t, func(t *testing.T, c clocked) {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				for _, m := range []string{"call", "keep", "read", "dispose", "body"} {
					func() {
						defer func() {
							if p := recover(); p != nil {
								t.Errorf("%s panics: %v", m, p)
							}
						}()
						v, err := c.obj.Call(ctx, m, x)
						if s := fmt.Sprint(err); strings.Contains(s, "isolate was replaced") {
							t.Errorf("%s: %s", m, s)
						}
						_ = v.Close()
					}()
					if ctx.Err() != nil {
						t.Fatal("it hangs")
					}
				}
			})
		})
	}
}

func manyFunctions(n int) (all []func()) {
	for range n {
		all = append(all, func() {})
	}
	return all
}

// Code of the embedding program that a script has called calls back, and closes.
func TestHostileReentrance(t *testing.T) {
	hostileGo(t, func(t *testing.T, c clocked) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		var f func(ctx context.Context, n int) (int, error)
		f = func(ctx context.Context, n int) (int, error) {
			v, err := c.obj.Call(ctx, "nest", f, n)
			if err != nil {
				return 0, err
			}
			var r int
			err = v.Decode(&r)
			return r + 1, err
		}
		v, err := c.obj.Call(ctx, "nest", f, 50)
		t.Log(v, err)
		if ctx.Err() != nil {
			t.Fatal("it hangs")
		}
		// with another context
		var g func(n int) (int, error)
		g = func(n int) (int, error) {
			v, err := c.obj.Call(context.Background(), "nest", g, n)
			if err != nil {
				return 0, err
			}
			var r int
			err = v.Decode(&r)
			return r + 1, err
		}
		v, err = c.obj.Call(ctx, "nest", g, 50)
		t.Log(v, err)
		if ctx.Err() != nil {
			t.Fatal("it hangs")
		}
		// a goroutine of its own
		v, err = c.obj.Call(ctx, "call", func() (string, error) {
			ch := make(chan error, 1)
			go func() { _, err := c.obj.Call(ctx, "ok"); ch <- err }()
			return "done", <-ch
		})
		t.Log(v, err)
		if ctx.Err() != nil {
			t.Fatal("it hangs")
		}
		// refs released inside
		var ref *runtime.Ref
		v, err = c.obj.Call(ctx, "fn")
		if err == nil {
			err = v.Decode(&ref)
		}
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.obj.Call(ctx, "call", func() string { _ = v.Close(); _, err := ref.Invoke(ctx, 1); return fmt.Sprint(err) })
		t.Log(x, err)
		// closed inside
		closed := make(chan error, 1)
		x, err = c.obj.Call(ctx, "call", func() string { err := c.rt.Close(); closed <- err; return fmt.Sprint(err) })
		t.Log(x, err)
		if ctx.Err() != nil {
			t.Fatal("it hangs")
		}
		select {
		case err := <-closed:
			t.Log(err)
		case <-ctx.Done():
			t.Error("Close inside a function hangs")
		}
	})
}

func TestHostileGoStreams(t *testing.T) {
	hostileGo(t, func(t *testing.T, c clocked) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		for _, m := range []string{"endless", "thrower"} {
			v, err := c.obj.Call(ctx, m)
			if err != nil {
				t.Fatal(m, err)
			}
			var r io.ReadCloser
			if err := v.Decode(&r); err != nil {
				t.Fatal(err)
			}
			n, err := io.CopyN(io.Discard, r, 1e6)
			t.Log(m, n, err)
			_ = r.Close()
			_ = r.Close()
			n2, err := r.Read(make([]byte, 10))
			t.Log(n2, err)
			_ = v.Close()
		}
		v, err := c.obj.Call(ctx, "sink")
		if err != nil {
			t.Fatal(err)
		}
		var w io.WriteCloser
		if err := v.Decode(&w); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			_, err = w.Write([]byte("x"))
			t.Log(err)
		}
		t.Log(w.Close(), w.Close())
		_ = v.Close()
		if ctx.Err() != nil {
			t.Fatal("it hangs")
		}
	})
}

// Contexts end at every moment, on many goroutines, and nothing is left.
func TestHostileCancels(t *testing.T) {
	dir := project(t, goHostile, "Obj")
	before := goruntime.NumGoroutine()
	rt := open(t, dir, func(o *runtime.Options) { o.Clock = nil; o.Record = false })
	obj := rt.Namespace("OBJ").GetByName("a")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 60 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i*j)*10*time.Microsecond)
				var v runtime.Value
				var err error
				switch j % 6 {
				case 0:
					v, err = obj.Call(ctx, "many", func(ctx context.Context) { <-ctx.Done() }, 3)
				case 1:
					v, err = obj.Call(ctx, "read", io.LimitReader(zeroes{}, 1<<20))
				case 2:
					v, err = obj.Call(ctx, "endless")
					if err == nil {
						var r io.ReadCloser
						if err = v.Decode(&r); err == nil {
							_, err = io.Copy(io.Discard, r)
						}
					}
				case 3:
					v, err = obj.Call(ctx, "hang")
				case 4:
					v, err = obj.Call(ctx, "fn")
					if err == nil {
						var f *runtime.Ref
						if err = v.Decode(&f); err == nil {
							_, err = f.Invoke(ctx, func() {})
						}
					}
				case 5:
					pr, pw := io.Pipe()
					go func() { _, _ = pw.Write(make([]byte, 1e5)); _ = pw.Close() }()
					v, err = obj.Call(ctx, "read", pr)
					_ = pr.Close()
				}
				_ = v.Close()
				_ = err
				cancel()
			}
		})
	}
	wg.Wait()
	if v, err := obj.Call(t.Context(), "ok"); err != nil {
		t.Error(v, err)
	}
	if err := rt.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	for range 200 {
		if goruntime.NumGoroutine() <= before+2 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines, before %d\n%s", goruntime.NumGoroutine(), before, buf[:goruntime.Stack(buf, true)])
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { return len(p), nil }
