import assert from "node:assert";
import { AsyncGzip, deflateSync, Gunzip, gunzipSync, Gzip, gzipSync, inflateSync, strFromU8, strToU8, unzipSync, unzlibSync, zipSync, zlibSync } from "fflate";

const text = "to be or not to be, that is the question. ".repeat(200) + "é€😀";
const data = strToU8(text);

export const roundTrips = {
  test() {
    for (const [pack, unpack] of [[gzipSync, gunzipSync], [deflateSync, inflateSync], [zlibSync, unzlibSync]] as const) {
      for (const level of [0, 1, 6, 9] as const) {
        const packed = pack(data, { level });
        assert.ok(level === 0 || packed.length < data.length / 10, `${packed.length} bytes at level ${level}`);
        assert.strictEqual(strFromU8(unpack(packed)), text);
      }
    }
    assert.throws(() => inflateSync(new Uint8Array([7, 1, 2, 3])), { code: 1 });
  },
};

export const zip = {
  test() {
    const files = { "a.txt": strToU8("hello"), dir: { "b.bin": new Uint8Array(1000) }, "é.txt": data };
    const back = unzipSync(zipSync(files, { mtime: new Date(2026, 0, 2) }));
    assert.deepStrictEqual(Object.keys(back).sort(), ["a.txt", "dir/", "dir/b.bin", "é.txt"]);
    assert.strictEqual(strFromU8(back["é.txt"]), text);
    assert.strictEqual(back["dir/b.bin"].length, 1000);
    assert.deepStrictEqual(Object.keys(unzipSync(zipSync(files), { filter: (f) => f.originalSize > 0 && f.originalSize < 10 })), ["a.txt"]);
  },
};

export const streams = {
  test() {
    const out: Uint8Array[] = [];
    const gzip = new Gzip({ level: 6 }, (chunk) => { out.push(chunk); });
    for (let i = 0; i < data.length; i += 1000) gzip.push(data.subarray(i, i + 1000), i + 1000 >= data.length);
    let back = "";
    const decoder = new TextDecoder();
    const gunzip = new Gunzip((chunk, final) => { back += decoder.decode(chunk, { stream: !final }); });
    out.forEach((chunk, i) => gunzip.push(chunk, i === out.length - 1));
    assert.strictEqual(back, text);
    assert.strictEqual(typeof AsyncGzip, "function");
  },
};

export const agreesWithTheRuntime = {
  async test() {
    const through = async (bytes: Uint8Array, by: any) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(by)).arrayBuffer());
    for (const [format, pack, unpack] of [["gzip", gzipSync, gunzipSync], ["deflate-raw", deflateSync, inflateSync], ["deflate", zlibSync, unzlibSync]] as const) {
      assert.strictEqual(strFromU8(await through(pack(data), new DecompressionStream(format))), text);
      assert.strictEqual(strFromU8(unpack(await through(data, new CompressionStream(format)))), text);
    }
  },
};

export const bytesInAnObject = {
  async test(_: unknown, env: any) {
    const notes = env.NOTES.getByName("fflate");
    await notes.write("gz", gzipSync(data));
    assert.strictEqual(strFromU8(gunzipSync(await notes.read("gz"))), text);
  },
};
