import assert from "node:assert";
import superjson from "superjson";

export const everyType = {
  test() {
    const shared = { deep: [1] };
    const value = {
      date: new Date(1e12), undef: undefined, big: 12345678901234567890n, re: /a+b/gi, nan: NaN, inf: -Infinity, zero: -0,
      map: new Map<unknown, unknown>([["k", new Set([1, "2"])], [3, { a: new Date(0) }]]),
      url: new URL("https://x.example/p?q=1"), bytes: new Uint8Array([1, 2, 255]), err: new RangeError("no"),
      a: shared, b: shared, sym: null as unknown,
    };
    const text = superjson.stringify(value);
    const back = superjson.parse<typeof value>(text);
    assert.deepStrictEqual(back.date, value.date);
    assert.ok("undef" in back && back.undef === undefined);
    assert.strictEqual(back.big, value.big);
    assert.strictEqual(String(back.re), "/a+b/gi");
    assert.ok(Number.isNaN(back.nan) && back.inf === -Infinity && Object.is(back.zero, -0));
    assert.deepStrictEqual(back.map, value.map);
    assert.ok(back.url instanceof URL && back.url.href === value.url.href);
    assert.deepStrictEqual([...back.bytes], [1, 2, 255]);
    assert.ok(back.bytes instanceof Uint8Array);
    assert.ok(back.err instanceof Error && back.err.message === "no" && back.err.name === "RangeError");
    assert.strictEqual(back.a, back.b);
    assert.deepStrictEqual(JSON.parse(text).meta.values.date, ["Date"]);
  },
};

export const customTypes = {
  test() {
    class Money { constructor(public cents: number) {} }
    superjson.registerClass(Money);
    const unit = Symbol("unit");
    superjson.registerSymbol(unit, "unit");
    const { m, u } = superjson.parse<any>(superjson.stringify({ m: new Money(5), u: unit }));
    assert.ok(m instanceof Money && m.cents === 5);
    assert.strictEqual(u, unit);
  },
};

export const overTheWire = {
  async test(_: unknown, env: any) {
    const notes = env.NOTES.getByName("superjson");
    await notes.write("v", superjson.serialize({ at: new Date(5), tags: new Set(["a"]) }));
    const back = superjson.deserialize<any>(await notes.read("v"));
    assert.deepStrictEqual(back, { at: new Date(5), tags: new Set(["a"]) });
  },
};
