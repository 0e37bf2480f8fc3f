package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The pictures of the README are what this command makes:
//
//	durashim test examples/inventory 'addOneIsNever|setQuantitySurvives' \
//	    --timeline docs/timeline-light.svg --timeline docs/timeline-dark.svg
func TestREADMEPictures(t *testing.T) {
	dir := t.TempDir()
	names := []string{"timeline-light.svg", "timeline-dark.svg"}
	args := []string{"test", inventory, "addOneIsNever|setQuantitySurvives"}
	for _, n := range names {
		args = append(args, "--timeline", filepath.Join(dir, n))
	}
	if _, stderr, code := durashim(t, args...); code != 0 {
		t.Fatalf("status %d\n%s", code, stderr)
	}
	for _, n := range names {
		got, err := os.ReadFile(filepath.Join(dir, n))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("../../docs", n))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("docs/%s is not what the command makes", n)
		}
		for _, text := range []string{".addOne(", ".setQuantity(", "claim rejected", "recovered", "reply lost", "waits ", "ran again"} {
			if !strings.Contains(string(got), text) {
				t.Errorf("%s lacks %q", n, text)
			}
		}
	}
}

func TestTimelineFiles(t *testing.T) {
	dir := t.TempDir()
	page, data := filepath.Join(dir, "out.html"), filepath.Join(dir, "out.json")
	if _, stderr, code := durashim(t, "test", inventory, "retries", "--timeline", page, "--timeline", data); code != 0 {
		t.Fatalf("status %d\n%s", code, stderr)
	}
	html, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"retries.test.ts:addOneIsNeverRunTwice", "passed", "rejected: seen before", "prefers-color-scheme: dark"} {
		if !strings.Contains(string(html), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	text, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Calls []struct {
			Seq, Runs       int
			Method, Outcome string
			Events          []struct{ Event, Fault string }
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	lost := 0
	for i, c := range got.Calls {
		if c.Seq != i+1 {
			t.Errorf("call %d has the number %d", i+1, c.Seq)
		}
		for _, e := range c.Events {
			if strings.HasPrefix(e.Fault, "reply dropped") {
				lost++
				if want := map[string]int{"addOne": 1, "setQuantity": 2}[c.Method]; c.Runs != want {
					t.Errorf("%s ran %d times, want %d", c.Method, c.Runs, want)
				}
			}
		}
	}
	if lost != 2 {
		t.Errorf("%d replies were lost, want 2", lost)
	}
	if _, stderr, code := durashim(t, "test", inventory, "--timeline", "out.txt"); code != 1 || !strings.Contains(stderr, "--timeline out.txt: the name must end in .html, .json or .svg") {
		t.Errorf("status %d: %s", code, stderr)
	}
	if _, stderr, code := durashim(t, "test", inventory, "addOneIs", "--timeline", filepath.Join(dir, "no/such/out.html")); code != 1 || !strings.Contains(stderr, "/no/such/out.html: there is no directory ") || strings.Contains(stderr, "[ TEST ]") {
		t.Errorf("status %d: %s", code, stderr)
	}
}

// durashim:test has every fault point, and refuses plans that can never act.
func TestFaultsFromJavaScript(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wrangler.json": `{"name": "w", "main": "main.js", "compatibility_date": "2026-11-01",
			"durable_objects": {"bindings": [{"name": "C", "class_name": "C"}]}, "migrations": [{"tag": "1", "new_sqlite_classes": ["C"]}]}`,
		"main.js": `
import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";
export class C extends DurableObject {
  static { retryable(this.prototype.set, this.prototype.fetch); }
  n = 0;
  async add() { return this.put("add"); }
  async set() { return this.put("set"); }
  async put(k) {
    this.n++;
    await this.ctx.storage.put(k, (await this.ctx.storage.get(k) ?? 0) + 1);
    await new Promise((r) => setTimeout(r, 100));
    return this.n;
  }
  async runs(k) { return await this.ctx.storage.get(k) ?? 0; }
  async fetch(req) {
    const text = req.body ? await req.text() : "hi";
    if (text !== "hi") await this.ctx.storage.put(text, (await this.ctx.storage.get(text) ?? 0) + 1);
    return new Response(text);
  }
}
export default {};`,
		"a.test.js": `
import assert from "node:assert";
import { faults, timeline, clock, evict } from "durashim:test";

// [attempts, runs, outcome, error] of the unmarked and of the marked method.
const lost = "Network connection lost.", reset = "Application called abort() to reset Durable Object.";
const rows = {
  refuseRequest: [[2, 1, "recovered", null], [2, 1, "recovered", null]],
  dropRequest: [[2, 1, "recovered", null], [2, 1, "recovered", null]],
  dropConnection: [[2, 1, "claim rejected", lost], [2, 2, "recovered", null]],
  dropReply: [[2, 1, "claim rejected", lost], [2, 2, "recovered", null]],
  overload: [[1, 0, "failed", "Durable Object is overloaded. Too many requests queued."], [1, 0, "failed", "Durable Object is overloaded. Too many requests queued."]],
  abortBefore: [[1, 0, "failed", reset], [1, 0, "failed", reset]],
  abortDuring: [[1, 1, "failed", reset], [1, 1, "failed", reset]],
  abortAfter: [[1, 1, "failed", reset], [1, 1, "failed", reset]],
  crashBefore: [[2, 0, "claim rejected", lost], [2, 1, "recovered", null]],
  crashDuring: [[2, 1, "claim rejected", lost], [2, 2, "recovered", null]],
  crashAfter: [[2, 1, "claim rejected", lost], [2, 2, "recovered", null]],
  evictBefore: [[1, 1, "succeeded", null], [1, 1, "succeeded", null]],
  duplicate: [[1, 1, "succeeded", null], [1, 2, "succeeded", null]],
};
export const points = { async test(_, env) {
  for (const [point, wants] of Object.entries(rows)) {
    for (const [i, method] of ["add", "set"].entries()) {
      const stub = env.C.getByName(point + method);
      await stub.runs(method); // the object is in memory
      faults[point]({ object: point + method, method });
      let error = null;
      try { await env.C.getByName(point + method)[method](); } catch (e) { error = e; }
      await clock.advance(1000);
      const c = timeline.calls().findLast((c) => c.method === method && c.object === point + method);
      assert.deepStrictEqual([c.attempts, c.runs, c.outcome, c.error], wants[i], point + " " + method + "\n" + timeline.text());
      if (point === "overload") assert.deepStrictEqual([error.overloaded, error.retryable], [true, undefined]);
      if (point.startsWith("abort")) assert.strictEqual(error.durableObjectReset, true);
      // An abort or a crash before the writes were confirmed leaves none behind.
      const kept = await env.C.getByName(point + method).runs(method);
      assert.strictEqual(kept, point === "abortDuring" ? 0 : point === "crashDuring" ? c.runs - 1 : c.runs, point + " " + method);
    }
  }
} };
export const storage = { async test(_, env) {
  const stub = env.C.getByName("a");
  let start = clock.now;
  faults.storageUnavailable(2000, { method: "set" });
  await stub.set(); // its 100 ms pass meanwhile
  assert.strictEqual(clock.now - start, 2000);
  assert.strictEqual(await stub.runs("set"), 1);
  faults.failWrite({ method: "add" });
  await assert.rejects(() => stub.add(), (e) => e.durableObjectReset && e.retryable &&
    /^Internal error in Durable Object storage write caused object to be reset; reference = \w{24}$/.test(e.message));
  assert.strictEqual(await env.C.getByName("a").runs("add"), 0);
} };
export const delays = { async test(_, env) {
  const stub = env.C.getByName("a");
  let start = clock.now;
  faults.delayRequest(2000, { method: "add" });
  await stub.add();
  assert.strictEqual(clock.now - start, 2100);
  start = clock.now;
  faults.delayReply(3000, { method: "fetch" });
  assert.strictEqual(await (await stub.fetch("http://x/")).text(), "hi");
  assert.strictEqual(clock.now - start, 3000);
} };
// Both deliveries carry the body.
export const bodies = { async test(_, env) {
  const stub = env.C.getByName("a");
  faults.duplicate({ method: "fetch" });
  assert.strictEqual(await (await stub.fetch("http://x/", { method: "POST", body: "twice" })).text(), "twice");
  await clock.advance(1000);
  assert.strictEqual(await stub.runs("twice"), 2);
} };
export const where = { async test(_, env) {
  const stub = env.C.getByName("a");
  faults.refuseRequest({ method: "runs", call: 2, times: 1 });
  faults.refuseRequest({ method: "add", for: 300, probability: 1 });
  for (const n of [1, 2, 3]) await stub.runs("x");
  assert.deepStrictEqual(timeline.calls().map((c) => c.attempts), [1, 2, 1]);
  await stub.add();
  assert.ok(timeline.calls()[3].faults >= 1);
} };
export const evicts = { async test(_, env) {
  const stub = env.C.getByName("a");
  assert.strictEqual(await evict(stub), false);
  const busy = stub.add();
  assert.strictEqual(await evict(stub), false);
  assert.strictEqual(await busy, 1);
  assert.strictEqual(await stub.add(), 2);
  await clock.advance(200);
  assert.strictEqual(await evict(stub), true);
  assert.strictEqual(await stub.add(), 1);
  assert.strictEqual(await stub.runs("add"), 3);
  assert.throws(() => evict({}), { name: "TypeError", message: "evict: the argument must be the stub of an object" });
  assert.throws(() => evict(env.SELF), { name: "TypeError" });
} };
export const refused = { test() {
  for (const [fn, text] of [
    [() => faults.dropReply({ attempt: 12 }), "attempt must be between 1 and 11"],
    [() => faults.dropReply({ attempt: 1.5 }), "attempt must be a positive integer"],
    [() => faults.dropReply({ attempt: "1" }), "attempt must be a positive integer"],
    [() => faults.dropReply({ call: 0 }), "call must be a positive integer"],
    [() => faults.dropReply({ times: -1 }), "times must be a positive integer"],
    [() => faults.dropReply({ times: NaN }), "times must be a positive integer"],
    [() => faults.dropReply({ probability: 1.5 }), "probability must be greater than 0 and at most 1"],
    [() => faults.dropReply({ probability: "1" }), "probability must be a number"],
    [() => faults.dropReply({ for: 0 }), "for must be a positive number of milliseconds"],
    [() => faults.dropReply({ method: 1 }), "method must be a string"],
    [() => faults.dropReply({ methods: "a" }), 'unknown property "methods"'],
    [() => faults.delayReply({ method: "a" }), "the time must be a positive number of milliseconds"],
    [() => faults.delayRequest(), "the time must be a positive number of milliseconds"],
    [() => faults.storageUnavailable({ method: "a" }), "faults.storageUnavailable: the time must be a positive number of milliseconds"],
    [() => faults.dropRepli(), 'faults.dropRepli: there is no such fault (did you mean "dropReply"?); there are abortAfter, abortBefore, abortDuring, crashAfter,'],
    [() => faults.dropReply({ metod: "a" }), 'unknown property "metod" (did you mean "method"?)'],
    [() => faults.dropReply({ namespace: "D" }), 'there is no namespace "D"; there are C'],
    [() => faults.overload({ call: 1, times: 2 }), "it ends the call, and so cannot act on it again"],
    [() => faults.dropReply({ call: 1, times: 12 }), "one call has at most 11 attempts"],
    [() => faults.dropReply({ call: 1, attempt: 1, times: 2 }), "an attempt of one call happens once"],
    [() => faults.overload("add"), "the argument must be an object"],
  ]) {
    assert.throws(fn, (e) => e instanceof TypeError && e.message.includes(text), text);
  }
} };
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, stderr, code := durashim(t, "test", dir); code != 0 || !strings.Contains(stderr, "\n7 passed, 0 failed\n") {
		t.Errorf("status %d\n%s", code, stderr)
	}
}
