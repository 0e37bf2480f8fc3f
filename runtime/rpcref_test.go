package runtime_test

import (
	"strings"
	"testing"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

const byReference = `
import { DurableObject, RpcTarget } from "cloudflare:workers";
class Cursor extends RpcTarget {
  #n = 0;
  next() { return ++this.#n; }
  async slow() { await scheduler.wait(1000); return this.#n; }
}
export class Obj extends DurableObject {
  plain(x) { return x; }
  cursor() { return new Cursor(); }
  async apply(f, x) { return await f(x); }
  abort() { this.ctx.abort("gone"); }
  peer(name) { return this.env.OBJ.getByName(name); }

  async callWithFunction(name) { return await this.peer(name).apply((x) => x + 1, 1); }
  async pipeline(name) { return await this.peer(name).cursor().next(); }
  // A callback travels through two more objects and comes back changed.
  async relay(names, f) {
    if (names.length === 0) return await f(1);
    const [next, ...rest] = names;
    return await this.peer(next).relay(rest, async (x) => (await f(x)) * 10 + names.length);
  }
  async loop(names) {
    let log = [];
    const out = await this.relay(names, (x) => { log.push(x); return x + 1; });
    return [out, ...log];
  }
  // A stream goes to one object and comes back through another.
  async double(source) {
    const { readable, writable } = new IdentityTransformStream();
    this.ctx.waitUntil((async () => {
      const writer = writable.getWriter();
      for await (const chunk of source) { await writer.write(chunk); await writer.write(chunk); }
      await writer.close();
    })());
    return readable;
  }
  async fill(sink, n) {
    const writer = sink.getWriter();
    for (let i = 0; i < n; i++) await writer.write("chunk " + i + ";");
    await writer.close();
  }
  async streams(names) {
    const { readable, writable } = new IdentityTransformStream();
    const filled = this.peer(names[0]).fill(writable, 3);
    const doubled = await this.peer(names[1]).double(readable);
    const [text] = await Promise.all([new Response(doubled).text(), filled]);
    return text;
  }
  async broken(name) {
    const peer = this.peer(name), log = [];
    const cursor = await peer.cursor();
    log.push(await cursor.next());
    const slow = cursor.slow().catch((e) => log.push(e.message + " " + !!e.durableObjectReset));
    await peer.abort().catch(() => {});
    await slow;
    await cursor.next().catch((e) => log.push(e.message));
    return log;
  }
}
export default {};
`

func outcomeOf(t *testing.T, rt *runtime.Runtime, method string) durable.Outcome {
	t.Helper()
	for _, c := range rt.Timeline().Calls() {
		if c.Method == method {
			return c.Outcome
		}
	}
	t.Fatalf("no call of %s:\n%s", method, rt.Timeline().Text(nil))
	return 0
}

// A call is sent again only when its arguments are all in its bytes.
func TestCallWithAFunctionIsNotRetried(t *testing.T) {
	rt := open(t, project(t, byReference, "Obj"), func(o *runtime.Options) {
		o.Faults = []durable.Fault{durable.RefuseRequest().Method("apply").Times(1), durable.RefuseRequest().Method("plain").Times(1)}
	})
	obj := rt.Namespace("OBJ").GetByName("a")
	if v, err := obj.Call(t.Context(), "plain", 5); number(t, v, err) != 5 {
		t.Error("the call with a number is not retried")
	}
	if o := outcomeOf(t, rt, "plain"); o != durable.Recovered {
		t.Errorf("plain: %v", o)
	}
	_, err := obj.Call(t.Context(), "callWithFunction", "b")
	if err == nil || !strings.Contains(err.Error(), "Network connection lost.") {
		t.Errorf("error: %v", err)
	}
	if o := outcomeOf(t, rt, "apply"); o != durable.UnableToRetry {
		t.Errorf("apply: %v", o)
	}
	if v, err := obj.Call(t.Context(), "callWithFunction", "b"); number(t, v, err) != 2 {
		t.Error("the function was not called")
	}
}

// The retries of a call stop when something is pipelined on its result.
func TestPipelinedCallIsNotRetried(t *testing.T) {
	rt := open(t, project(t, byReference, "Obj"), func(o *runtime.Options) {
		o.Faults = []durable.Fault{durable.RefuseRequest().Method("cursor").Times(1)}
	})
	obj := rt.Namespace("OBJ").GetByName("a")
	if _, err := obj.Call(t.Context(), "pipeline", "b"); err == nil {
		t.Error("the call was retried")
	}
	if o := outcomeOf(t, rt, "cursor"); o != durable.UnableToRetry {
		t.Errorf("cursor: %v", o)
	}
	if v, err := obj.Call(t.Context(), "pipeline", "b"); number(t, v, err) != 1 {
		t.Error("the pipelined call does not arrive")
	}
}

// Callbacks cross isolates as messages, in the same order every time.
func TestCallbacksAcrossIsolates(t *testing.T) {
	dir := project(t, byReference, "Obj")
	once := func() (string, []float64) {
		rt := open(t, dir, func(o *runtime.Options) { o.Isolates = 3 })
		v, err := rt.Namespace("OBJ").GetByName("a").Call(t.Context(), "loop", []string{"b", "c", "d", "e", "f"})
		var got []float64
		if err == nil {
			err = v.Decode(&got)
		}
		if err != nil {
			t.Fatal(err)
		}
		return rt.Timeline().Text(nil), got
	}
	want, got := once()
	if len(got) != 2 || got[0] != 254321 || got[1] != 1 {
		t.Errorf("got %v", got)
	}
	if n := strings.Count(want, "relay("); n < 5 {
		t.Fatalf("%d calls of relay:\n%s", n, want)
	}
	for i := range 20 {
		if text, _ := once(); text != want {
			t.Fatalf("run %d:\n%s\nwant\n%s", i, text, want)
		}
	}
}

// So do the chunks of streams.
func TestStreamsAcrossIsolates(t *testing.T) {
	dir := project(t, byReference, "Obj")
	once := func() (timeline, text string) {
		rt := open(t, dir, func(o *runtime.Options) { o.Isolates = 3 })
		v, err := rt.Namespace("OBJ").GetByName("a").Call(t.Context(), "streams", []string{"b", "c"})
		if err == nil {
			err = v.Decode(&text)
		}
		if err != nil {
			t.Fatal(err)
		}
		return rt.Timeline().Text(nil), text
	}
	want, text := once()
	if text != "chunk 0;chunk 0;chunk 1;chunk 1;chunk 2;chunk 2;" {
		t.Errorf("got %q", text)
	}
	for i := range 20 {
		if got, _ := once(); got != want {
			t.Fatalf("run %d:\n%s\nwant\n%s", i, got, want)
		}
	}
}

// A stub of an object that was reset is broken for good; calls in flight get the
// reason of the reset.
func TestResetBreaksStubs(t *testing.T) {
	for _, isolates := range []int{1, 3} {
		rt := open(t, project(t, byReference, "Obj"), func(o *runtime.Options) { o.Isolates = isolates })
		v, err := rt.Namespace("OBJ").GetByName("a").Call(t.Context(), "broken", "b")
		var log []any
		if err == nil {
			err = v.Decode(&log)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(log) != 3 || log[0] != 1.0 || log[1] != "gone true" ||
			log[2] != "The execution context which hosts this callback is no longer running." {
			t.Errorf("%d isolates: %q", isolates, log)
		}
	}
}
