// Rule: CompressionStream and DecompressionStream. Source: Compression standard;
// RFC 1950 to 1952; error texts as workerd words them.
import assert from 'node:assert';
import { fails } from 'failure.js';

const bytes = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());
const source = (...chunks) => new ReadableStream({ start(c) { for (const x of chunks) c.enqueue(x); c.close(); } });
const zip = (format, ...chunks) => bytes(source(...chunks).pipeThrough(new CompressionStream(format)));
const unzip = (format, ...chunks) => bytes(source(...chunks).pipeThrough(new DecompressionStream(format)));
const text = new TextEncoder().encode('hello hello hello hello');

// What goes in comes out, whole or byte by byte.
const roundTrip = (format) => ({
  async test() {
    const packed = await zip(format, text, text);
    assert.deepStrictEqual(await unzip(format, packed), new Uint8Array([...text, ...text]));
    assert.deepStrictEqual(await unzip(format, ...Array.from(packed, (x) => new Uint8Array([x]))), new Uint8Array([...text, ...text]));
  },
});
export const gzip = roundTrip('gzip');
export const deflate = roundTrip('deflate');
export const deflateRaw = roundTrip('deflate-raw');

// Nothing is packed too.
export const empty = {
  async test() {
    for (const format of ['gzip', 'deflate', 'deflate-raw']) assert.strictEqual((await unzip(format, await zip(format))).length, 0);
  },
};

// RFC 1952: the header of gzip, and the length at its end.
export const gzipForm = {
  async test() {
    const packed = await zip('gzip', text);
    assert.deepStrictEqual([...packed.slice(0, 10)], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    assert.deepStrictEqual([...packed.slice(-4)], [text.length, 0, 0, 0]);
  },
};

export const large = {
  async test() {
    const data = new Uint8Array(500_000);
    for (let i = 0; i < data.length; i += 7) data[i] = i >> 5;
    const packed = await zip('gzip', data);
    assert.strictEqual(packed.length < data.length / 2, true);
    const back = await unzip('gzip', packed);
    assert.strictEqual(back.length, data.length);
    assert.strictEqual(back.every((x, i) => x === data[i]), true);
  },
};

export const unknownFormat = {
  async test() {
    for (const C of [CompressionStream, DecompressionStream]) {
      await fails(() => new C('br'), TypeError, "The compression format must be either 'deflate', 'deflate-raw' or 'gzip'.");
    }
  },
};

export const corrupt = {
  async test() {
    await fails(() => unzip('gzip', new Uint8Array(30)), TypeError, 'Decompression failed.');
    const packed = await zip('gzip', text);
    packed[packed.length - 5] ^= 1; // of the checksum
    await fails(() => unzip('gzip', packed), TypeError, 'Decompression failed.');
  },
};

export const incomplete = {
  async test() {
    const packed = await zip('deflate', text);
    await fails(() => unzip('deflate', packed.slice(0, -1)), TypeError, 'Called close() on a decompression stream with incomplete data');
  },
};

export const trailing = {
  async test() {
    const packed = await zip('gzip', text);
    await fails(() => unzip('gzip', packed, new Uint8Array(1)), TypeError, 'Trailing bytes after end of compressed data');
  },
};

// Writes do not wait for a reader.
export const writeFirst = {
  async test() {
    const s = new CompressionStream('gzip');
    const w = s.writable.getWriter();
    await w.write(text);
    await w.close();
    assert.strictEqual(await new Response(s.readable.pipeThrough(new DecompressionStream('gzip'))).text(), 'hello hello hello hello');
  },
};

// They are transforms.
export const shape = {
  test() {
    const s = new CompressionStream('gzip');
    assert.strictEqual(s instanceof TransformStream, true);
    assert.strictEqual(Object.prototype.toString.call(s), '[object CompressionStream]');
    assert.strictEqual(Object.prototype.toString.call(new DecompressionStream('deflate')), '[object DecompressionStream]');
  },
};
