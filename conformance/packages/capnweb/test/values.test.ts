// Every type that capnweb passes by value, there and back.
import assert from "node:assert";
import { Buffer } from "node:buffer";
import { deserialize, newHttpBatchRpcSession, serialize } from "capnweb";

function open(env: any): any {
  const stub = env.DESK.getByName("values");
  (globalThis as any).fetch = (url: string, init: RequestInit) => stub.fetch(url, init);
  return newHttpBatchRpcSession<any>("https://desk.example/batch");
}

const values: unknown[] = [
  "é€😀", 1.5, NaN, Infinity, -Infinity, true, null, undefined, 12345678901234567890n, -5n,
  new Date(1e12), new Uint8Array([0, 1, 255]), new Uint8Array(0), new Float32Array([1.5, -2]), new Uint16Array([1, 65535]),
  [], [[1], ["a", [undefined]]], {}, { a: { b: [new Date(5)] }, "": 2 },
];

export const echoed = {
  async test(_: unknown, env: any) {
    const api = open(env);
    const back = await Promise.all(values.map((v) => api.echo(v)));
    back.forEach((v: any, i) => {
      if (v !== null && typeof v === "object") delete v[Symbol.dispose]; // every object that a call gives has one
      if (Buffer.isBuffer(v)) v = new Uint8Array(v); // what bytes become where there is one
      assert.deepStrictEqual(v, values[i], `value ${i}`);
      assert.ok(typeof v !== "number" || Object.is(v, values[i]), `value ${i}`);
    });
  },
};

export const namesOfTypes = {
  async test(_: unknown, env: any) {
    const api = open(env);
    const sent = [
      new ArrayBuffer(3), new DataView(new ArrayBuffer(2)), new BigInt64Array(1), new Uint8ClampedArray(2), new RangeError("r"),
      new URL("https://x.example/a?b#c"), new Headers({ a: "b" }), new Request("https://x.example/", { method: "POST", body: "x" }), new Response("y"), new Blob(["z"]),
    ];
    assert.deepStrictEqual(await Promise.all(sent.map((v) => api.describe(v))), [
      "[object ArrayBuffer] ArrayBuffer", "[object DataView] DataView", "[object BigInt64Array] BigInt64Array", "[object Uint8ClampedArray] Uint8ClampedArray", "[object Error] RangeError",
      "[object URL] URL", "[object Headers] Headers", "[object Request] Request", "[object Response] Response", "[object Blob] Blob",
    ]);
  },
};

export const serialized = {
  test() {
    const text = serialize({ n: 5n, d: new Date(0), b: new Uint8Array([1, 2]), a: [[undefined]], e: new TypeError("t") });
    assert.strictEqual(text, '{"n":["bigint","5"],"d":["date",0],"b":["bytes","AQI"],"a":[[[[["undefined"]]]]],"e":["error","TypeError","t"]}');
  },
};

export const deserialized = {
  test() {
    const back: any = deserialize(serialize({ n: 5n, d: new Date(0), b: new Uint8Array([1, 2]), a: [[undefined]] }));
    assert.ok(Buffer.isBuffer(back.b));
    back.b = new Uint8Array(back.b);
    assert.deepStrictEqual(back, { n: 5n, d: new Date(0), b: new Uint8Array([1, 2]), a: [[undefined]] });
    assert.throws(() => deserialize('["no such type",1]'));
    const cycle: any = {};
    cycle.self = cycle;
    assert.throws(() => serialize(cycle), /depth/);
    assert.throws(() => serialize(new (class X {})()), TypeError);
  },
};
