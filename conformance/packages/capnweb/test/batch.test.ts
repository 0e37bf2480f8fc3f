// One HTTP request of a batch goes to the object: fetch, which capnweb uses, is led
// there.
import assert from "node:assert";
import { newHttpBatchRpcSession } from "capnweb";

const bodies: string[] = [];

function open(env: any, name: string, path = "batch"): any {
  const stub = env.DESK.getByName(name);
  (globalThis as any).fetch = (url: string, init: RequestInit) => {
    bodies.push(init.body as string);
    return stub.fetch(url, init);
  };
  return newHttpBatchRpcSession<any>(`https://desk.example/${path}`);
}

export const callsInOneRequest = {
  async test(_: unknown, env: any) {
    const api = open(env, "calls");
    assert.deepStrictEqual(await Promise.all([api.greet("ann"), api.greet("bob"), api.profile("cyd")]), ["Hello, ann!", "Hello, bob!", { name: "cyd", length: 3 }]);
    assert.strictEqual(await env.DESK.getByName("calls").requests(), 1);
    await assert.rejects(() => api.greet("late"), { message: "Batch RPC request ended." });
  },
};

export const pipelining = {
  async test(_: unknown, env: any) {
    const api = open(env, "pipelining");
    const ann = api.open("ann");
    const [name, greeting, five, twelve, length] = await Promise.all([ann.name, api.greet(ann.name), ann.deposit(5), ann.deposit(7), api.profile(ann.name).length]);
    assert.deepStrictEqual([name, greeting, five, twelve, length], ["ann", "Hello, ann!", 5, 12, 3]);
    assert.strictEqual(await env.DESK.getByName("pipelining").requests(), 1);
  },
};

export const mapping = {
  async test(_: unknown, env: any) {
    const api = open(env, "mapping");
    const friends = api.open("ann").friends();
    const [all, none, one] = await Promise.all([
      friends.map((name: any) => ({ name, profile: api.profile(name), fixed: [1, "x"] })),
      api.nothing().map((n: any) => api.greet(n)),
      api.profile("dan").map((p: any) => api.greet(p.name)),
    ]);
    assert.deepStrictEqual(all, [
      { name: "bob", profile: { name: "bob", length: 3 }, fixed: [1, "x"] },
      { name: "cyd", profile: { name: "cyd", length: 3 }, fixed: [1, "x"] },
    ]);
    assert.strictEqual(none, null);
    assert.strictEqual(one, "Hello, dan!");
    assert.strictEqual(await env.DESK.getByName("mapping").requests(), 1);
  },
};

export const aBatchDisposesNothing = {
  async test(_: unknown, env: any) {
    const api = open(env, "disposal");
    assert.strictEqual(await api.open("eve").deposit(1), 1);
    assert.deepStrictEqual(await env.DESK.getByName("disposal").disposed(), undefined); // nothing tells the server: a batch has no end but its answer
  },
};

export const errors = {
  async test(_: unknown, env: any) {
    const api = open(env, "errors");
    const results = await Promise.allSettled([api.fail("type"), api.fail("range"), api.fail("secret"), api.nope(), api.open("x").balance, api.fail("type").more.and.more(), api.greet(api.fail("range"))]);
    assert.deepStrictEqual(results.map((r: any) => `${r.reason?.constructor?.name}: ${r.reason?.message ?? r.value}`), [
      "TypeError: not this type",
      "RangeError: not in range",
      "Error: redacted",
      "TypeError: 'nope' is not a function.",
      "TypeError: Attempted to access property 'balance', which is an instance property of the RpcTarget. To avoid leaking private internals, instance properties cannot be accessed over RPC. If you want to make this property available over RPC, define it as a method or getter on the class, instead of an instance property.",
      "TypeError: not this type",
      "RangeError: not in range",
    ]);
    await assert.rejects(() => open(env, "errors").fail("a string").then(), (e: unknown) => e === "a string");
    const unused = open(env, "errors");
    assert.throws(() => unused.echo(new Map()), { name: "TypeError", message: "Cannot serialize value: [object Map]" });
    unused[Symbol.dispose]();
  },
};

export const badRequests = {
  async test(_: unknown, env: any) {
    const stub = env.DESK.getByName("bad");
    const statuses: unknown[] = [];
    for (const init of [{ method: "GET" }, { method: "POST", body: "" }, { method: "POST", body: '["release",0,1]' }]) {
      const res = await stub.fetch("https://desk.example/other", init);
      statuses.push(res.status, await res.text());
    }
    assert.deepStrictEqual(statuses, [400, "This endpoint only accepts POST or WebSocket requests.", 200, "", 200, ""]);
  },
};

export const messages = {
  async test(_: unknown, env: any) {
    bodies.length = 0;
    const api = open(env, "messages", "other");
    assert.strictEqual(await api.greet(api.open("ann").name), "Hello, ann!");
    assert.deepStrictEqual(bodies[0].split("\n").map((line) => JSON.parse(line)), [
      ["push", ["pipeline", 0, ["open"], ["ann"]]],
      ["push", ["pipeline", 0, ["greet"], [["pipeline", 1, ["name"]]]]],
      ["pull", 2],
    ]);
  },
};
