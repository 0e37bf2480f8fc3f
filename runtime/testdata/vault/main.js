import { DurableObject } from "cloudflare:workers";
import assert from "node:assert";

class Point {
  constructor(x, y) { this.x = x; this.y = y; }
}
const cyclic = () => { const o = { name: "cyclic" }; o.self = o; return o; };
const shared = () => { const a = [1]; return { left: a, right: a }; };
const holes = () => { const a = [1, , 3]; a.extra = "x"; return a; };

// One value of every type that storage can hold.
const values = {
  true: () => true, false: () => false, null: () => null,
  zero: () => 0, minusZero: () => -0, int: () => 42, negative: () => -7, smiMax: () => 2 ** 30 - 1, big: () => 2 ** 40, half: () => 1.5,
  nan: () => NaN, infinity: () => Infinity, minusInfinity: () => -Infinity, tiny: () => 5e-324,
  bigint: () => 123456789012345678901234567890n, minusBigint: () => -1n, zeroBigint: () => 0n,
  empty: () => "", ascii: () => "hello", latin1: () => "häßlich", wide: () => "日本語", emoji: () => "a🙂b", surrogate: () => "\ud800",
  long: () => "x".repeat(100000),
  date: () => new Date(1767225600123),
  regexp: () => /ab+c/gi, bool: () => Object(true), number: () => Object(3), string: () => Object("s"), boxedBigint: () => Object(5n),
  object: () => ({ a: 1, b: { c: [true, null] }, 7: "seven", "": "empty key" }), emptyObject: () => ({}),
  array: () => [1, "two", [3]], emptyArray: () => [], holes, sparse: () => { const a = []; a[1000] = 1; return a; },
  doubles: () => [1.5, 2, -0], undefinedInside: () => ({ u: undefined, a: [undefined] }),
  map: () => new Map([["k", 1], [{ o: 1 }, new Set([1])]]), set: () => new Set(["a", [1]]),
  buffer: () => new Uint8Array([1, 2, 3]).buffer, emptyBuffer: () => new ArrayBuffer(0),
  uint8: () => new Uint8Array([1, 2, 255]), int8: () => new Int8Array([-1]), clamped: () => new Uint8ClampedArray([300]),
  int16: () => new Int16Array([-2]), uint16: () => new Uint16Array([65535]), int32: () => new Int32Array([-3]), uint32: () => new Uint32Array([4e9]),
  float32: () => new Float32Array([0.5]), float64: () => new Float64Array([0.1]), bigInt64: () => new BigInt64Array([-5n]), bigUint64: () => new BigUint64Array([5n]),
  dataView: () => new DataView(new Uint8Array([9, 8, 7]).buffer, 1, 2), part: () => new Uint8Array([0, 1, 2, 3]).subarray(1, 3),
  error: () => new Error("plain"), typeError: () => new TypeError("typed", { cause: new RangeError("why") }),
  errorProps: () => Object.assign(new RangeError("with"), { code: 7, list: [1] }),
  cyclic, shared, instance: () => new Point(1, 2), nested: () => ({ list: [new Map([["d", new Date(0)]])] }),
};

// What a stored value comes back as: a class is lost, and an error's own
// properties, its stack among them, become enumerable.
const plain = (v) => {
  if (v instanceof Point) return { ...v };
  if (!(v instanceof Error)) return v;
  const { name, message, code, list, cause } = v;
  return { type: Object.getPrototypeOf(v) === globalThis[name].prototype, name, message, code, list, cause: cause && plain(cause) };
};

export class Vault extends DurableObject {
  async fill() {
    for (const [key, make] of Object.entries(values)) await this.ctx.storage.put(key, make());
    await this.ctx.storage.put("invalidDate", new Date(NaN));
    return Object.keys(values).length;
  }
  async check() {
    let n = 0;
    for (const [key, make] of Object.entries(values)) {
      const got = await this.ctx.storage.get(key);
      try {
        assert.deepStrictEqual(plain(got), plain(make()));
      } catch (e) {
        throw new Error(`${key}: ${e.message}`);
      }
      n++;
    }
    assert.strictEqual((await this.ctx.storage.list()).size, n + 1);
    // deepStrictEqual finds two invalid dates different.
    assert.ok(Number.isNaN((await this.ctx.storage.get("invalidDate")).getTime()));
    assert.ok(Object.is(await this.ctx.storage.get("minusZero"), -0));
    const s = await this.ctx.storage.get("shared");
    assert.strictEqual(s.left, s.right);
    const c = await this.ctx.storage.get("cyclic");
    assert.strictEqual(c.self, c);
    return n;
  }
}

export default {
  async fetch(request, env) {
    const vault = env.VAULT.getByName("one");
    const path = new URL(request.url).pathname;
    try {
      if (path === "/fill") return Response.json(await vault.fill());
      if (path === "/check") return Response.json(await vault.check());
      if (path === "/id") return new Response(String(env.VAULT.idFromName("one")));
    } catch (e) {
      return new Response(e.stack, { status: 500 });
    }
    return new Response("ready");
  },
};
