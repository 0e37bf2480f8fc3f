package runtime_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/durashim/durashim/runtime"
)

const benchScript = `
import { DurableObject } from "cloudflare:workers";
export class Counter extends DurableObject {
  nothing(a) { return a; }
  async callback(f, x) { return await f(x); }
  async callbacks(f, n) { for (let i = 0; i < n; i++) await f(i); }
  through(s) {
    const { readable, writable } = new IdentityTransformStream();
    this.ctx.waitUntil(s.pipeTo(writable));
    return readable;
  }
  async addOne(key) {
    const n = (await this.ctx.storage.get(key) ?? 0) + 1;
    await this.ctx.storage.put(key, n);
    return n;
  }
  async calls(n) {
    const stub = this.env.COUNTER.getByName("callee");
    for (let i = 0; i < n; i++) await stub.nothing(i);
  }
  async many(n) {
    const stub = this.env.COUNTER.getByName("callee");
    for (let i = 0; i < n; i += 64) {
      const calls = [];
      for (let j = 0; j < 64; j++) calls.push(stub.nothing(j));
      await Promise.all(calls);
    }
  }
  async first(prefix, n) {
    for (let i = 0; i < n; i++) await this.env.COUNTER.getByName(prefix + i).nothing(i);
  }
  async store(n) {
    const stub = this.env.COUNTER.getByName("callee");
    for (let i = 0; i < n; i++) await stub.addOne("k");
  }
  async echo(n, value) {
    const stub = this.env.COUNTER.getByName("callee");
    for (let i = 0; i < n; i++) await stub.nothing(value);
  }
}
export default { fetch() { return new Response("ok"); } };
`

// inside measures b.N steps of a method that makes its calls inside the worker.
func inside(b *testing.B, method string, args ...any) {
	rt, err := runtime.Open(project(b, benchScript, "Counter"), runtime.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	stub := rt.Namespace("COUNTER").GetByName("caller")
	if _, err := stub.Call(b.Context(), "calls", 1); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := stub.Call(b.Context(), method, append(args, b.N)...); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkRPCInsideWorker(b *testing.B)      { inside(b, "calls") }
func BenchmarkRPC64InFlight(b *testing.B)        { inside(b, "many") }
func BenchmarkFirstCallToNewObject(b *testing.B) { inside(b, "first", fmt.Sprint("o", b.N, "-")) }
func BenchmarkGetAndPutInOneCall(b *testing.B)   { inside(b, "store") }

func BenchmarkEcho(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"1KB", 10}, {"100KB", 1000}, {"1MB", 10000}} {
		var items []any
		for i := range c.n {
			items = append(items, map[string]any{"id": i, "name": fmt.Sprint("item ", i), "tags": []any{"a", "b", "c"}, "price": 1.5, "note": "some more text for the size"})
		}
		b.Run(c.name, func(b *testing.B) {
			rt, err := runtime.Open(project(b, benchScript, "Counter"), runtime.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer rt.Close()
			stub := rt.Namespace("COUNTER").GetByName("caller")
			b.ReportAllocs()
			b.ResetTimer()
			if _, err := stub.Call(b.Context(), "echo", b.N, items); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func BenchmarkCallFromGo(b *testing.B) {
	rt, err := runtime.Open(project(b, benchScript, "Counter"), runtime.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	stub := rt.Namespace("COUNTER").GetByName("callee")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := stub.Call(b.Context(), "nothing", 1); err != nil {
			b.Fatal(err)
		}
	}
}

// A world for a test, when the script has been compiled before.
func BenchmarkFreshWorld(b *testing.B) {
	dir := project(b, benchScript, "Counter")
	b.ReportAllocs()
	for b.Loop() {
		rt, err := runtime.Open(dir, runtime.Options{Clock: runtime.NewVirtualClock()})
		if err != nil {
			b.Fatal(err)
		}
		if err := rt.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// A call with a Go function that the object calls once.
func BenchmarkCallFromGoWithCallback(b *testing.B) {
	rt, err := runtime.Open(project(b, benchScript, "Counter"), runtime.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	stub := rt.Namespace("COUNTER").GetByName("callee")
	f := func(x int) int { return x + 1 }
	b.ReportAllocs()
	for b.Loop() {
		if _, err := stub.Call(b.Context(), "callback", f, 1); err != nil {
			b.Fatal(err)
		}
	}
}

// One call of a Go function, of many that one call makes.
func BenchmarkCallback(b *testing.B) {
	rt, err := runtime.Open(project(b, benchScript, "Counter"), runtime.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	stub := rt.Namespace("COUNTER").GetByName("callee")
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := stub.Call(b.Context(), "callbacks", func(x int) int { return x + 1 }, b.N); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkCallFromGo1KB(b *testing.B) {
	rt, err := runtime.Open(project(b, benchScript, "Counter"), runtime.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	stub := rt.Namespace("COUNTER").GetByName("callee")
	type item struct {
		ID    int      `json:"id"`
		Name  string   `json:"name"`
		Tags  []string `json:"tags"`
		Price float64  `json:"price"`
		Note  string   `json:"note"`
	}
	var items []item
	for i := range 10 {
		items = append(items, item{i, fmt.Sprint("item ", i), []string{"a", "b", "c"}, 1.5, "some more text for the size"})
	}
	b.ReportAllocs()
	for b.Loop() {
		v, err := stub.Call(b.Context(), "nothing", items)
		if err != nil {
			b.Fatal(err)
		}
		var back []item
		if err := v.Decode(&back); err != nil || len(back) != 10 {
			b.Fatal(err)
		}
	}
}

// 1 MiB from an io.Reader through an object to an io.Reader.
func BenchmarkStreamThroughObject(b *testing.B) {
	const size = 1 << 20
	rt, err := runtime.Open(project(b, benchScript, "Counter"), runtime.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	stub := rt.Namespace("COUNTER").GetByName("callee")
	data := make([]byte, size)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		v, err := stub.Call(b.Context(), "through", bytes.NewReader(data))
		var r io.Reader
		if err == nil {
			err = v.Decode(&r)
		}
		if err != nil {
			b.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, r); n != size || err != nil {
			b.Fatal(n, err)
		}
		_ = v.Close()
	}
}
