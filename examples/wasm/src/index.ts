import { DurableObject } from "cloudflare:workers";
import { retryable } from "cloudflare:durable-objects";
import sieve from "./primes.wasm";

interface Env {
  PRIMES: DurableObjectNamespace<Primes>;
}

/** Counts primes in WebAssembly and remembers every answer. */
export class Primes extends DurableObject<Env> {
  static {
    retryable(this.prototype.below);
  }

  // One instance, and so one memory, for each object.
  #count = new WebAssembly.Instance(sieve).exports.count as (n: number) => number;

  /** How many primes there are below n. */
  async below(n: number): Promise<number> {
    const key = `below:${n}`;
    const known = await this.ctx.storage.get<number>(key);
    if (known !== undefined) return known;
    const count = this.#count(n);
    if (count < 0) throw new RangeError(`${n} is too large for the sieve`);
    await this.ctx.storage.put(key, count);
    return count;
  }
}

/** GET /N answers how many primes there are below N. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const n = Number(new URL(request.url).pathname.slice(1));
    if (!Number.isInteger(n) || n < 0 || n > 16_000_000) {
      return new Response("ask for a whole number up to 16000000\n", { status: 400 });
    }
    return Response.json({ below: n, primes: await env.PRIMES.getByName("sieve").below(n) });
  },
};
