// A session that lasts: the messages go through two queues, whose ends are passed by
// the runtime's own RPC.
import assert from "node:assert";
import { RpcSession, RpcStub, RpcTarget } from "capnweb";
import { Queue } from "../src/queue";

async function open(env: any, name: string, main?: any) {
  const queue = new Queue();
  queue.attach(await env.DESK.getByName(name).join(queue.end, main ? "main" : "nothing"));
  const session = new RpcSession<any>(queue, main);
  return { session, queue, api: session.getRemoteMain() as any };
}

export const callbacks = {
  async test(_: unknown, env: any) {
    const { api } = await open(env, "callbacks");
    const seen: number[] = [];
    assert.deepStrictEqual(await api.each([1, 2, 3], async (n: number) => { seen.push(n); return n * 10; }), [10, 20, 30]);
    assert.deepStrictEqual(seen, [1, 2, 3]);
    await assert.rejects(() => api.each([1], () => { throw new RangeError("mine"); }), (e: any) => e instanceof RangeError && e.message === "mine");
  },
};

export const callbacksThatAreKept = {
  async test(_: unknown, env: any) {
    const { api, session } = await open(env, "kept");
    let released = false;
    const double: any = (n: number) => n * 2;
    double[Symbol.dispose] = () => { released = true; };
    await api.keep(double);
    assert.strictEqual(session.getStats().exports, 2);
    assert.strictEqual(await api.useKept(21), 42);
    assert.strictEqual(released, false);
    await api.release();
    assert.strictEqual(released, true);
    assert.strictEqual(session.getStats().exports, 1);
    await assert.rejects(() => api.useKept(1), /disposed/);
  },
};

export const bothSidesHaveAnInterface = {
  async test(_: unknown, env: any) {
    class Client extends RpcTarget {
      answer(question: string) {
        return `"${question.toUpperCase()}"`;
      }
    }
    const { api } = await open(env, "both", new Client());
    assert.strictEqual(await api.askClient("why"), 'the client says "WHY"');
    assert.deepStrictEqual(await Promise.all(["a", "b", "c"].map((q) => api.askClient(q))), ['the client says "A"', 'the client says "B"', 'the client says "C"']);
  },
};

export const pipelinedOverTime = {
  async test(_: unknown, env: any) {
    const { api, queue } = await open(env, "pipelined");
    const before = queue.sent;
    const ann = api.open("ann");
    const sums = [ann.deposit(1), ann.deposit(2), ann.deposit(3)];
    const names = ann.friends().map((f: any) => api.greet(f));
    assert.ok(queue.sent > before); // sent before anything is awaited
    assert.deepStrictEqual(await Promise.all(sums), [1, 3, 6]);
    assert.deepStrictEqual(await names, ["Hello, bob!", "Hello, cyd!"]);
    const counter = await api.counter(5);
    assert.deepStrictEqual([counter.start, await counter.next(), await counter.next()], [5, 6, 7]);
    counter[Symbol.dispose]();
    assert.throws(() => counter.next(), /disposed/);
  },
};

export const stubsAreReleased = {
  async test(_: unknown, env: any) {
    const { api, session } = await open(env, "released");
    {
      using ann = await api.open("ann");
      assert.strictEqual(await ann.deposit(1), 1);
      assert.strictEqual(session.getStats().imports, 2);
      const copy = ann.dup();
      copy[Symbol.dispose]();
      assert.strictEqual(await ann.deposit(1), 2);
    }
    assert.strictEqual(session.getStats().imports, 1);
    await api.greet("so that the release has arrived");
    assert.deepStrictEqual(await env.DESK.getByName("released").disposed(), ["ann"]);
  },
};

export const passedBackAndForth = {
  async test(_: unknown, env: any) {
    const { api } = await open(env, "forth");
    class Mine extends RpcTarget {
      hello() { return "mine"; }
    }
    const mine = new Mine();
    const stub = new RpcStub(mine);
    using back = await api.copy(stub);
    assert.strictEqual(await back.copy.hello(), "mine");
    using same = await api.copy(api.open("ann"));
    assert.strictEqual(await same.copy.name, "ann");
  },
};

export const stubsOfTheRuntime = {
  async test(_: unknown, env: any) {
    const { api } = await open(env, "native");
    const other = env.DESK.getByName("other");
    const account = await other.account("eve");
    assert.deepStrictEqual(await api.depositTwice(account), [1, 3]); // from the object to here, and on to the other
    using copy = await api.copy(account);
    assert.strictEqual(await copy.copy.name, "eve");
    assert.strictEqual(await copy.copy.deposit(4), 7);
    const callback = await other.call((x: number) => x + 1);
    assert.deepStrictEqual(await api.each([1, 2], callback), [2, 3]);
  },
};

export const streams = {
  async test(_: unknown, env: any) {
    const { api } = await open(env, "streams");
    const numbers: number[] = [];
    for await (const n of await api.numbers(50)) numbers.push(n);
    assert.deepStrictEqual(numbers, Array.from({ length: 50 }, (_, i) => i));
    let left = 20;
    const bytes = new ReadableStream({ pull(c) { left-- > 0 ? c.enqueue(new Uint8Array(1000)) : c.close(); } });
    assert.strictEqual(await api.size(bytes), 20000);
  },
};

export const webTypes = {
  async test(_: unknown, env: any) {
    const { api } = await open(env, "web");
    const url = await api.echo(new URL("https://x.example/a?b#c"));
    assert.ok(url instanceof URL && url.href === "https://x.example/a?b#c");
    const headers = await api.echo(new Headers([["a", "b"], ["set-cookie", "c=1"], ["set-cookie", "d=2"]]));
    assert.deepStrictEqual([...headers], [["a", "b"], ["set-cookie", "c=1"], ["set-cookie", "d=2"]]);
    const response = await api.make("response");
    assert.deepStrictEqual([response.status, response.headers.get("x"), await response.text()], [418, "y", "body"]);
    const blob = await api.make("blob");
    assert.deepStrictEqual([blob.type, blob.size, await blob.text()], ["text/plain", 9, "some text"]);
    const request = await api.echo(new Request("https://x.example/p", { method: "PUT", headers: { k: "v" } }));
    assert.deepStrictEqual([request.method, request.url, request.headers.get("k")], ["PUT", "https://x.example/p", "v"]);
    assert.strictEqual(await api.read(new Request("https://x.example/", { method: "POST", body: "sent" })), 'Request of "sent"');
    assert.strictEqual(await api.read(new Blob(["piece"])), 'Blob of "piece"');
    const error = await api.echo(Object.assign(new SyntaxError("s", { cause: new Error("why") }), { extra: 1 }));
    assert.ok(error instanceof SyntaxError);
    assert.deepStrictEqual([error.message, (error.cause as any)?.message, (error as any).extra], ["s", "why", 1]);
  },
};

export const aBrokenSession = {
  async test(_: unknown, env: any) {
    const { api, queue } = await open(env, "broken");
    const broken: string[] = [];
    api.onRpcBroken((e: Error) => broken.push(e.message));
    const waiting = api.never();
    const rejected = assert.rejects(() => waiting.then(), { message: "the wire was cut" });
    await api.greet("x");
    queue.fail(new Error("the wire was cut"));
    await rejected;
    assert.deepStrictEqual(broken, ["the wire was cut"]);
    await assert.rejects(() => api.greet("y").then(), { message: "the wire was cut" });
  },
};
