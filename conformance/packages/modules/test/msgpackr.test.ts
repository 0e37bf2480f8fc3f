import assert from "node:assert";
import { addExtension, Encoder, pack, Packr, Unpackr, unpack, unpackMultiple } from "msgpackr";

export const everyType = {
  test() {
    const value = {
      small: -1, byte: 200, word: 60_000, int: -2_000_000_000, big: 12345678901234n, float: 1.5, yes: true, nil: null, undef: undefined,
      short: "é", long: "x".repeat(300) + "😀", list: [1, [2, [3]]], bytes: new Uint8Array([1, 2, 255]), date: new Date(1_234_567_890_123), map: { nested: { deep: "v" } },
    };
    const back = unpack(pack(value));
    assert.deepStrictEqual({ ...back, bytes: [...back.bytes], big: BigInt(back.big) }, { ...value, bytes: [1, 2, 255] });
    assert.deepStrictEqual([...pack({ a: 1 })].slice(0, 1).length, 1);
  },
};

export const standardBytes = {
  test() {
    const plain = new Packr({ useRecords: false, mapsAsObjects: true });
    assert.deepStrictEqual([...plain.pack({ a: [1, "b", null, true] })], [0xde, 0, 1, 0xa1, 0x61, 0x94, 1, 0xa1, 0x62, 0xc0, 0xc3]);
    assert.deepStrictEqual(plain.unpack(new Uint8Array([0x82, 0xa1, 0x61, 1, 0xa1, 0x62, 0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0])), { a: 1, b: 1.5 });
    assert.throws(() => plain.unpack(new Uint8Array([0x92, 1])), /end of/i);
  },
};

export const recordsAndSharing = {
  test() {
    const p = new Packr({ structures: [] });
    const rows = Array.from({ length: 50 }, (_, i) => ({ id: i, name: `row ${i}`, ok: i % 2 === 0 }));
    const packed = p.pack(rows);
    assert.ok(packed.length < new Packr({ useRecords: false }).pack(rows).length);
    assert.deepStrictEqual(p.unpack(packed), rows);

    const structured = new Packr({ structuredClone: true });
    const cycle: any = { set: new Set([1, "a"]), map: new Map([[1, { a: 1 }]]), re: /x/g, err: new TypeError("t"), f32: new Float32Array([1.5]) };
    cycle.self = cycle;
    const back = structured.unpack(structured.pack(cycle));
    assert.strictEqual(back.self, back);
    assert.deepStrictEqual(back.set, cycle.set);
    assert.deepStrictEqual(back.map, cycle.map);
    assert.strictEqual(String(back.re), "/x/g");
    assert.ok(back.err instanceof TypeError && back.err.message === "t");
    assert.deepStrictEqual([...back.f32], [1.5]);
  },
};

export const extensionsAndStreams = {
  test() {
    class Point { constructor(public x: number, public y: number) {} }
    addExtension({ Class: Point, type: 42, pack: (p: Point) => new Uint8Array([p.x, p.y]), unpack: (b: Uint8Array) => new Point(b[0], b[1]) } as any);
    const p = unpack(pack([new Point(3, 4)]))[0];
    assert.ok(p instanceof Point && p.x === 3 && p.y === 4);
    const one = new Encoder({ useRecords: false }).encode("one"), two = pack(2);
    const both = new Uint8Array(one.length + two.length);
    both.set(one);
    both.set(two, one.length);
    assert.deepStrictEqual(unpackMultiple(both), ["one", 2]);
    assert.deepStrictEqual(new Unpackr({ mapsAsObjects: false }).unpack(new Uint8Array([0x81, 1, 2])), new Map([[1, 2]]));
  },
};

export const bytesInAnObject = {
  async test(_: unknown, env: any) {
    const notes = env.NOTES.getByName("msgpackr");
    await notes.write("v", pack({ a: [1, 2], at: new Date(5) }));
    assert.deepStrictEqual(unpack(await notes.read("v")), { a: [1, 2], at: new Date(5) });
  },
};
