// The worker that the benchmark runs on both runtimes. Each path does n steps and
// answers when they are done: the clock within a worker may stand still, so the
// time is taken outside.
import { DurableObject } from "cloudflare:workers";

export class Bench extends DurableObject {
  echo(value) {
    return value;
  }

  async addOne(key) {
    const n = ((await this.ctx.storage.get(key)) ?? 0) + 1;
    await this.ctx.storage.put(key, n);
    return n;
  }

  async put(value) {
    await this.ctx.storage.put("k", value);
  }
}

// A structured value of about `bytes` in the clone format.
function value(bytes) {
  const items = [];
  for (let size = 0, i = 0; size < bytes; i++, size += 107) {
    items.push({ id: i, name: "item " + i, tags: ["a", "b", "c"], price: i * 1.5, note: "some more text for the size" });
  }
  return items;
}

function fib(n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

// 64 KB pieces, made anew for each as a worker that produces data would.
function pieces(bytes) {
  return new ReadableStream({
    pull(c) {
      const size = Math.min(bytes, 65536);
      c.enqueue(new Uint8Array(size));
      bytes -= size;
      if (bytes === 0) c.close();
    },
  });
}

const steps = {
  async one(env, n) {
    const stub = env.BENCH.getByName("callee");
    for (let i = 0; i < n; i++) await stub.echo(i);
  },
  async many(env, n) {
    const stub = env.BENCH.getByName("callee");
    for (let i = 0; i < n; i += 64) await Promise.all(Array.from({ length: 64 }, () => stub.echo(i)));
  },
  async first(env, n, name) {
    for (let i = 0; i < n; i++) await env.BENCH.getByName(name + i).echo(i);
  },
  async store(env, n) {
    const stub = env.BENCH.getByName("store");
    for (let i = 0; i < n; i++) await stub.addOne("k");
  },
  async firstPut(env, n, name) {
    for (let i = 0; i < n; i++) await env.BENCH.getByName(name + i).put(i);
  },
  async echo(env, n, bytes) {
    const stub = env.BENCH.getByName("callee");
    const v = value(Number(bytes));
    for (let i = 0; i < n; i++) await stub.echo(v);
  },
  async compute(env, n) {
    for (let i = 0; i < n; i++) if (fib(20) !== 6765) throw new Error("fib");
  },
};

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const what = url.pathname.slice(1);
    const n = Number(url.searchParams.get("n"));
    const arg = url.searchParams.get("arg");
    if (what === "stream") {
      const through = new TransformStream();
      pieces(n).pipeTo(through.writable);
      return new Response(through.readable);
    }
    if (what === "object") {
      return new Response(String(await env.BENCH.getByName(arg ?? "callee").echo(n)));
    }
    await steps[what](env, n, arg);
    return new Response("done");
  },
};
