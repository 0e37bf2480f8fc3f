package runtime_test

import (
	"testing"

	"github.com/durashim/durashim/jsbridge"
	"github.com/durashim/durashim/runtime"
)

// The rules of automatic retries as scripts see them, a test for each. Those of
// the announcement of 5 November 2026 are quoted with an A, those measured on
// workerd 2026-11-17 with an M.
const retryRules = `
import assert from "node:assert";
import { DurableObject, RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";
import { faults, clock, timeline } from "durashim:test";

const disposed = [];
class Target extends RpcTarget {
  constructor(n) { super(); this.n = n; }
  get() { return this.n; }
  [Symbol.dispose]() { disposed.push(this.n); }
}
export class Obj extends DurableObject {
  static { retryable(this.prototype.target, this.prototype.marked); }
  made = 0;
  add(...args) { return args.length; }
  marked() { return ++this.made; }
  target() { return new Target(++this.made); }
  fails() { throw Object.assign(new Error("mine"), { retryable: true }); }
  async slow() { await scheduler.wait(60_000); return "slow"; }
  async fetch(req) {
    if (new URL(req.url).pathname === "/500") return new Response("broken", { status: 500 });
    return Response.json({ body: await req.text(), x: req.headers.get("x-h"), upgrade: req.headers.get("upgrade"), type: req.headers.get("content-type") });
  }
  async through(stub) { try { return await stub.add(); } catch (e) { return e.message; } }
  stub(name) { return this.env.OBJ.getByName(name); }
  async many(n) { for (let i = 0; i < n; i++) await this.env.OBJ.getByName("other").add(); return n; }
}
export class Marked extends DurableObject {
  static { retryable(this.prototype.fetch); }
  fetch() { return new Response("ok"); }
}
const lost = { name: "Error", message: "Network connection lost.", retryable: true };
const calls = (method) => timeline.calls().filter((c) => c.method === method);
const last = (method) => calls(method).at(-1);
const rule = (test) => ({ test: (c, env, ctx) => test(env, env.OBJ.getByName("a"), ctx) });

// A: the stub came from get() or getByName() on a namespace, a binding or ctx.exports.
export const stubsOfABinding = rule(async (env, stub) => {
  faults.refuseRequest({ times: 3 });
  await stub.add();
  await env.OBJ.get(env.OBJ.idFromName("a")).add();
  await env.OBJ.get(env.OBJ.newUniqueId()).add();
  assert.deepStrictEqual(calls("add").map((c) => c.attempts).reduce((a, b) => a + b), 6);
});
export const stubsOfExports = rule(async (env, _, ctx) => {
  faults.refuseRequest();
  await ctx.exports.Obj.getByName("a").add();
  assert.strictEqual(last("add").attempts, 2);
});
// A: stubs received as RPC arguments or results are never retried.
export const stubsReceivedAsArguments = rule(async (env, stub) => {
  faults.refuseRequest({ method: "add" });
  assert.strictEqual(await stub.through(env.OBJ.getByName("b")), lost.message);
  assert.deepStrictEqual([last("add").attempts, last("add").outcome], [1, "unable to retry"]);
});
export const stubsReceivedAsResults = rule(async (env, stub) => {
  const received = await stub.stub("b");
  faults.refuseRequest({ method: "add" });
  await assert.rejects(() => received.add(), lost);
  assert.deepStrictEqual([last("add").attempts, last("add").outcome], [1, "unable to retry"]);
});

// A, M: fetch without a body or with string, ArrayBuffer, typed array, Blob, FormData,
// URLSearchParams, or a Request built from these; its bodyUsed becomes true and
// headers are kept on each attempt.
const form = () => { const f = new FormData(); f.append("k", "v"); return f; };
const bodies = { none: undefined, string: "text", ArrayBuffer: new TextEncoder().encode("text").buffer, "typed array": new TextEncoder().encode("text"),
  Blob: new Blob(["text"]), FormData: form(), URLSearchParams: new URLSearchParams({ k: "v" }) };
export const fetchBodies = rule(async (env, stub) => {
  for (const [kind, body] of Object.entries(bodies)) {
    for (const built of [false, true]) {
      faults.refuseRequest({ times: 2 });
      const init = { method: body === undefined ? "GET" : "POST", body, headers: { "x-h": kind } };
      const req = built ? new Request("http://x/", init) : undefined;
      const got = await (await (built ? stub.fetch(req) : stub.fetch("http://x/", init))).json();
      assert.strictEqual(last("fetch").attempts, 3, kind);
      assert.strictEqual(got.x, kind);
      const want = { none: "", FormData: null, URLSearchParams: "k=v" }[kind];
      if (want !== null) assert.strictEqual(got.body, want ?? "text", kind);
      else assert.match(got.body, /name="k"\r\n\r\nv\r\n/);
      if (built && body !== undefined) assert.strictEqual(req.bodyUsed, true, kind);
    }
  }
});
// A, M: never a ReadableStream body.
export const fetchStreamBody = rule(async (env, stub) => {
  const stream = () => new ReadableStream({ pull(c) { c.enqueue(new TextEncoder().encode("x")); c.close(); } });
  for (const make of [() => stub.fetch("http://x/", { method: "POST", body: stream() }), () => stub.fetch(new Request("http://x/", { method: "POST", body: stream() }))]) {
    faults.refuseRequest();
    await assert.rejects(make, lost);
    assert.deepStrictEqual([last("fetch").attempts, last("fetch").outcome], [1, "unable to retry"]);
  }
});
// A: RPC arguments are structured-cloneable values only; a stream, stub, function or
// RpcTarget among them: not retried.
export const rpcArguments = rule(async (env, stub) => {
  for (const arg of [1, "s", 2n, null, undefined, new Date(0), /x/g, new Map([[1, { a: [1] }]]), new Set([1]), new Uint8Array(3), new Error("e"), { deep: [[]] }]) {
    faults.refuseRequest();
    await stub.add(arg);
    assert.strictEqual(last("add").attempts, 2, String(arg));
  }
  for (const arg of [() => {}, new Target(1), env.OBJ.getByName("b"), new ReadableStream(), new WritableStream(), new Response("x"), { deep: [() => {}] }]) {
    faults.refuseRequest({ method: "add" });
    await assert.rejects(() => stub.add(arg), lost);
    assert.deepStrictEqual([last("add").attempts, last("add").outcome], [1, "unable to retry"], String(arg));
  }
});
// A: the moment something is pipelined on a call's result, its retries stop.
export const pipelinedResult = rule(async (env, stub) => {
  faults.refuseRequest({ method: "target" });
  const p = stub.target();
  const got = p.get();
  await assert.rejects(() => got, lost);
  await assert.rejects(async () => await p, lost);
  assert.deepStrictEqual([last("target").attempts, last("target").outcome], [1, "unable to retry"]);
});
// M: a WebSocket upgrade by stub.fetch is retried when undelivered.
export const upgradeRequest = rule(async (env, stub) => {
  faults.refuseRequest();
  const got = await (await stub.fetch("http://x/", { headers: { Upgrade: "websocket" } })).json();
  assert.deepStrictEqual([last("fetch").attempts, got.upgrade], [2, "websocket"]);
});
// A, M: an HTTP response, 500 included, is a response: never retried.
export const response500 = rule(async (env, stub) => {
  const res = await stub.fetch("http://x/500");
  assert.deepStrictEqual([res.status, await res.text(), last("fetch").attempts, last("fetch").outcome], [500, "broken", 1, "succeeded"]);
});
// M: maxRetries: 0 is one attempt.
export const noRetries = rule(async (env) => {
  faults.refuseRequest({ times: 1 });
  await assert.rejects(() => env.OBJ.getByName("a", { retry: { maxRetries: 0 } }).add(), lost);
  assert.strictEqual(last("add").attempts, 1);
});
// A, M: integer 0..10, default 4 (5 attempts in all), within timeoutMs.
export const defaults = rule(async (env, stub) => {
  faults.refuseRequest({ times: Infinity });
  const ends = [];
  for (let i = 0; i < 30; i++) {
    await assert.rejects(() => stub.add(), lost);
    ends.push([last("add").attempts, last("add").outcome]);
  }
  assert.ok(ends.every(([n, o]) => n === 5 && o === "attempts exhausted" || n < 5 && o === "retry budget exhausted"), String(ends));
  assert.ok(ends.some(([n]) => n === 5), String(ends));
});
// A: omitted values use the defaults; the options apply to fetch and RPC through that stub.
export const optionsApplyToBoth = rule(async (env) => {
  const stub = env.OBJ.getByName("a", { retry: { maxRetries: 1 } });
  faults.refuseRequest({ times: Infinity });
  await assert.rejects(() => stub.add(), lost);
  await assert.rejects(() => stub.fetch("http://x/"), lost);
  assert.deepStrictEqual([last("add").attempts, last("fetch").attempts], [2, 2]);
});
// M: fetch may be marked like any method.
export const markedFetch = rule(async (env, stub) => {
  faults.dropReply({ times: 2 });
  assert.strictEqual(await (await env.MARKED.getByName("m").fetch("http://x/")).text(), "ok");
  assert.deepStrictEqual([last("fetch").runs, last("fetch").outcome], [3, "recovered"]);
  faults.dropReply();
  await assert.rejects(() => stub.fetch("http://x/"), lost);
  assert.deepStrictEqual([last("fetch").runs, last("fetch").outcome], [1, "claim rejected"]);
});
// Types: each attempt makes its own return value: a returned RpcTarget's
// [Symbol.dispose]() may run once per attempt.
export const resultsPerAttempt = rule(async (env, stub) => {
  faults.dropReply({ method: "target" });
  const t = await stub.target();
  assert.strictEqual(await t.get(), 2);
  t[Symbol.dispose]();
  await clock.advance(1);
  assert.deepStrictEqual(disposed.sort(), [1, 2]);
});
// A, M: the error does not come from the object's code; even one with a retryable property.
export const errorsOfTheObject = rule(async (env, stub) => {
  await assert.rejects(() => stub.fails(), { message: "mine", retryable: true, remote: true });
  assert.deepStrictEqual([last("fails").attempts, last("fails").outcome], [1, "failed"]);
  faults.refuseRequest();
  await assert.rejects(() => stub.fails(), { message: "mine" }); // the later error
  assert.deepStrictEqual([last("fails").attempts, last("fails").outcome], [2, "other"]);
});
// A, M: retries used up, window over, duplicate rejected: the first failure.
export const firstFailureStands = rule(async (env, stub) => {
  faults.dropReply({ method: "add" });
  const e = await stub.add().catch((e) => e);
  assert.deepStrictEqual(last("add").outcome, "claim rejected");
  // M: a plain disconnect is an Error with the own property retryable, and no remote.
  assert.ok(Object.hasOwn(e, "retryable") && !("remote" in e) && !("overloaded" in e) && !("durableObjectReset" in e) && e.constructor === Error);
});
// M: an attempt succeeds: its result; nothing leaks from failed attempts.
export const nothingLeaks = rule(async (env, stub) => {
  faults.dropReply({ times: 3 });
  assert.strictEqual(await stub.marked(), 4);
});
// M: the caller's AbortSignal ends a call at once, also during a backoff wait, with
// the signal's reason.
export const abortSignal = rule(async (env, stub) => {
  for (const [fault, at] of [["refuseRequest", 0], ["delayRequest", 10]]) {
    const c = new AbortController();
    const reason = new TypeError("enough");
    fault === "delayRequest" ? faults.delayRequest(5000, { method: "fetch" }) : faults.refuseRequest({ method: "fetch", times: 1 });
    const start = clock.now;
    const p = stub.fetch("http://x/", { signal: c.signal });
    p.catch(() => {});
    await clock.advance(at);
    c.abort(reason);
    assert.strictEqual(await p.catch((e) => e), reason);
    assert.strictEqual(clock.now - start, at);
    assert.strictEqual(last("fetch").outcome, "cancelled");
    await clock.advance(6000);
    assert.strictEqual(last("fetch").attempts, 1, "no attempt follows");
  }
});
// A, M: the first attempt is never cancelled and may outlast the window.
export const firstAttemptOutlasts = rule(async (env) => {
  assert.strictEqual(await env.OBJ.getByName("a", { retry: { timeoutMs: 500 } }).slow(), "slow");
});
// A, M: when the window ends while a retry is running, that retry is cancelled and
// the call fails then, with the first error.
export const runningRetryIsCancelled = rule(async (env) => {
  faults.refuseRequest({ method: "slow" });
  const start = clock.now;
  await assert.rejects(() => env.OBJ.getByName("a", { retry: { timeoutMs: 1000 } }).slow(), lost);
  assert.deepStrictEqual([clock.now - start, last("slow").outcome, last("slow").attempts], [1000, "retry budget exhausted", 2]);
});
// A: retries do not count toward the caller's subrequest limit; only the first
// attempt does.
export const subrequests = rule(async (env, stub) => {
  faults.refuseRequest({ method: "add", times: 3 });
  await stub.add();
  await env.OBJ.getByName("b").add();
  await stub.fetch("http://x/");
  await stub.many(3); // a call that an object serves counts for itself
  assert.deepStrictEqual(timeline.calls().map((c) => c.subrequest), [1, 2, 3, 4, 1, 2, 3]);
  assert.strictEqual(timeline.calls()[0].attempts, 4);
});
// A: layers multiply: an outer loop of 3 around a default stub can make 15 attempts.
export const layersMultiply = rule(async (env) => {
  const stub = env.OBJ.getByName("a", { retry: { timeoutMs: 60_000 } });
  faults.refuseRequest({ times: Infinity });
  for (let i = 0; i < 3; i++) await stub.add().catch(() => {});
  assert.strictEqual(calls("add").reduce((n, c) => n + c.attempts, 0), 15);
});
export default {};
`

func TestRetryRules(t *testing.T) {
	dir := project(t, retryRules, "Obj", "Marked")
	var leaked []string
	inWorld := func(change func(*runtime.Options)) *runtime.Runtime {
		leaked = nil
		return open(t, dir, func(o *runtime.Options) {
			o.Tests, o.Linger = true, true
			o.Uncaught = func(_, text string) { leaked = append(leaked, text) }
			if change != nil {
				change(o)
			}
		})
	}
	tests := inWorld(nil).Tests()
	if len(tests) != 23 {
		t.Errorf("%d tests were found", len(tests))
	}
	for i, test := range tests {
		t.Run(test.Export, func(t *testing.T) {
			rt := inWorld(nil)
			if err := rt.RunTest(t.Context(), rt.Tests()[i]); err != nil {
				t.Errorf("%v\n%s", err, rt.Timeline().Text(nil))
			}
			if err := rt.Clock().Settle(t.Context()); err != nil {
				t.Error(err)
			}
			if leaked != nil {
				t.Errorf("nobody handled: %q", leaked)
			}
			for _, m := range rt.Faults().Missed() {
				if test.Export != "defaults" {
					t.Error(m)
				}
			}
		})
	}
}

// The limit on subrequests is off by default; where it is set, automatic retries
// do not count (announcement), and what goes beyond it is an error.
func TestSubrequestLimit(t *testing.T) {
	dir := project(t, `
import assert from "node:assert";
import { DurableObject } from "cloudflare:workers";
import { faults } from "durashim:test";
export class Obj extends DurableObject {
  add() {}
  async many(n) { for (let i = 0; i < n; i++) await this.env.OBJ.getByName("b").add(); }
}
export default { async test(_, env) {
  const stub = env.OBJ.getByName("a");
  faults.refuseRequest({ times: 4, method: "add" });
  await stub.add();
  await stub.many(3);
  await assert.rejects(() => stub.many(4), { message: "Too many subrequests." });
  await assert.rejects(() => stub.add(), { name: "Error", message: "Too many subrequests." });
  await assert.rejects(() => stub.fetch("http://x/"), { message: "Too many subrequests." });
} };`, "Obj")
	rt := open(t, dir, func(o *runtime.Options) {
		o.Tests, o.Limits = true, jsbridge.Limits{Subrequests: 3}
	})
	if err := rt.RunTest(t.Context(), rt.Tests()[0]); err != nil {
		t.Errorf("%v\n%s", err, rt.Timeline().Text(nil))
	}
}
