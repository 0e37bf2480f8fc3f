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

  // What flows through the object, changed on the way.
  async fetch(request) {
    return new Response(request.body.pipeThrough(inverted()));
  }

  through(stream) {
    return stream;
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

function inverted() {
  return new TransformStream({
    transform(chunk, c) {
      chunk[0] = ~chunk[0];
      c.enqueue(chunk);
    },
  });
}

// Made at the first use: the start of a process is measured with this worker, too.
let made;
const text = () => (made ??= JSON.stringify(value(700000)));
const bytes16M = () => new Uint8Array(16 << 20);

const steps = {
  async one(env, n) {
    const stub = env.BENCH.getByName("callee");
    for (let i = 0; i < n; i++) await stub.echo(i);
  },
  async many(env, n) {
    const stub = env.BENCH.getByName("callee");
    for (let i = 0; i < n; i += 64) await Promise.all(Array.from({ length: 64 }, () => stub.echo(i)));
  },
  async hundred(env, n, bytes) {
    const stub = env.BENCH.getByName("callee");
    const v = new Uint8Array(Number(bytes));
    for (let i = 0; i < n; i += 100) await Promise.all(Array.from({ length: 100 }, () => stub.echo(v)));
  },
  async bytes(env, n, size) {
    const stub = env.BENCH.getByName("callee");
    const v = new Uint8Array(Number(size));
    for (let i = 0; i < n; i++) await stub.echo(v);
  },
  async json(env, n) {
    for (let i = 0; i < n; i++) {
      const items = await new Request("http://bench/", { method: "POST", body: text() }).json();
      items[0].id = i;
      if ((await Response.json(items).text()).length < 1000) throw new Error("json");
    }
  },
  async headers(env, n) {
    for (let i = 0; i < n; i++) {
      const h = new Headers({ "content-type": "text/plain", "x-request-id": "r" + i, accept: "*/*" });
      h.set("X-Step", String(i));
      h.append("set-cookie", "a=1");
      h.append("Set-Cookie", "b=2");
      h.delete("accept");
      if (h.get("x-step") !== String(i) || [...h].length !== 5) throw new Error("headers");
    }
  },
  async digest(env, n) {
    const data = bytes16M();
    for (let i = 0; i < n; i++) if ((await crypto.subtle.digest("SHA-256", data)).byteLength !== 32) throw new Error("digest");
  },
  async urls(env, n) {
    for (let i = 0; i < n; i++) {
      const url = new URL("../b/./c%20d?x=1&y=%C3%A9#" + i, "https://user:pw@example.com:8080/a/b/c/d");
      url.searchParams.append("i", String(i));
      if (url.href.length < 50 || url.searchParams.get("y") !== "é") throw new Error("urls");
    }
  },
  async text(env, n) {
    const encoder = new TextEncoder(), decoder = new TextDecoder();
    for (let i = 0; i < n; i++) if (decoder.decode(encoder.encode(text())).length !== text().length) throw new Error("text");
  },
  async rpcStream(env, n) {
    const got = await env.BENCH.getByName("callee").through(pieces(n));
    let size = 0;
    for await (const chunk of got) size += chunk.byteLength;
    if (size !== n) throw new Error("a stream of " + size);
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
    if (what === "transform") {
      return new Response(pieces(n).pipeThrough(inverted()));
    }
    if (what === "upload") {
      return new Response(request.body.pipeThrough(inverted()));
    }
    if (what === "objectStream") {
      return env.BENCH.getByName("callee").fetch("http://bench/", { method: "POST", body: pieces(n) });
    }
    if (what === "object") {
      return new Response(String(await env.BENCH.getByName(arg ?? "callee").echo(n)));
    }
    await steps[what](env, n, arg);
    return new Response("done");
  },
};
