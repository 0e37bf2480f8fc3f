package runtime_test

import (
	"testing"
	"time"

	"github.com/durashim/durashim/runtime"
)

// A wrangler project has a cache in memory, whose entries age by the clock.
func TestCacheOfProject(t *testing.T) {
	const script = `import { DurableObject } from "cloudflare:workers";
const url = "http://example.com/a?b#c";
export class Counter extends DurableObject {
  async put() {
    const headers = { "cache-control": "max-age=60", "x-a": "b" };
    await caches.default.put(url, new Response(new Blob(["body"]).stream(), { headers }));
  }
  async match() {
    const hit = await caches.default.match("http://example.com/a?b");
    const other = await (await caches.open("other")).match(url);
    return [hit && await hit.text(), hit?.headers.get("x-a"), hit?.headers.get("age"), hit?.headers.get("cf-cache-status"), other === undefined].join();
  }
  delete() { return caches.default.delete(url); }
}
export default {};`
	clock := runtime.NewVirtualClock()
	rt, err := runtime.Open(project(t, script, "Counter"), runtime.Options{Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rt.Close() }()
	stub := rt.Namespace("COUNTER").GetByName("a")
	call := func(method string, out any) {
		t.Helper()
		v, err := stub.Call(t.Context(), method)
		if err == nil && out != nil {
			err = v.Decode(out)
		}
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	match := func(want string) {
		t.Helper()
		var got string
		if call("match", &got); got != want {
			t.Errorf("match gives %q, want %q", got, want)
		}
	}
	const missing = ",,,,true"
	match(missing)
	call("put", nil)
	clock.Advance(t.Context(), 59*time.Second)
	match("body,b,59,HIT,true")
	clock.Advance(t.Context(), time.Second)
	match(missing)
	var deleted bool
	if call("delete", &deleted); deleted {
		t.Error("what is too old was deleted")
	}
	call("put", nil)
	if call("delete", &deleted); !deleted {
		t.Error("nothing was deleted")
	}
	match(missing)
}
