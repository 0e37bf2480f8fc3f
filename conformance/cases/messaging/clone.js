// Rule: structuredClone(). Source: the HTML Standard
// (https://html.spec.whatwg.org/multipage/structured-data.html#dom-structuredclone); which of its own
// objects workerd clones is its own choice.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

// A buffer that is transferred is detached.
export const transferBuffer = {
  async test() {
    const buffer = new Uint8Array([1, 2, 3]).buffer;
    const copy = structuredClone(buffer, { transfer: [buffer] });
    assert.deepStrictEqual([buffer.byteLength, buffer.detached, copy !== buffer, [...new Uint8Array(copy)]], [0, true, true, [1, 2, 3]]);
  },
};

// A view may stand for its buffer.
export const transferView = {
  async test() {
    const view = new Uint8Array([1, 2, 3]);
    const copy = structuredClone(view, { transfer: [view] });
    assert.deepStrictEqual([view.length, [...copy]], [0, [1, 2, 3]]);
  },
};

// What is not in the value is detached all the same.
export const transferUnused = {
  async test() {
    const buffer = new ArrayBuffer(4);
    assert.deepStrictEqual([structuredClone(1, { transfer: [buffer] }), buffer.byteLength], [1, 0]);
  },
};

// The same buffer may be listed twice.
export const transferTwice = {
  async test() {
    const buffer = new ArrayBuffer(4);
    assert.deepStrictEqual(structuredClone(buffer, { transfer: [buffer, buffer] }).byteLength, 4);
  },
};

// Views keep sharing their buffer.
export const transferShared = {
  async test() {
    const buffer = new ArrayBuffer(4);
    const copy = structuredClone({ x: buffer, y: buffer, z: new Uint8Array(buffer, 1, 2) }, { transfer: [buffer] });
    assert.deepStrictEqual([copy.x === copy.y, copy.z.buffer === copy.x, copy.z.byteOffset, copy.z.length], [true, true, 1, 2]);
  },
};

// When the value cannot be cloned nothing is detached.
export const transferFails = {
  async test() {
    const buffer = new ArrayBuffer(4);
    assert.deepStrictEqual(
      [await thrown(() => structuredClone({ buffer, s: Symbol('s') }, { transfer: [buffer] })), buffer.byteLength],
      ['DataCloneError: Symbol(s) could not be cloned.', 4],
    );
  },
};

// Streams and ports cannot be transferred.
export const transferOthers = {
  async test() {
    const stream = new ReadableStream();
    const sink = new WritableStream();
    const { port1 } = new MessageChannel();
    assert.deepStrictEqual(
      await Promise.all([stream, sink, port1, {}, 5].map((v) => thrown(() => structuredClone(1, { transfer: [v] })))),
      [
        'TypeError: Object is not transferable',
        'TypeError: Object is not transferable',
        'TypeError: Object is not transferable',
        'TypeError: Object is not transferable',
        'TypeError: Object is not transferable',
      ],
    );
  },
};

// A detached buffer cannot be cloned.
export const detached = {
  async test() {
    const buffer = new ArrayBuffer(4);
    structuredClone(0, { transfer: [buffer] });
    assert.deepStrictEqual(
      await thrown(() => structuredClone(buffer)),
      'DataCloneError: An ArrayBuffer is detached and could not be cloned.',
    );
  },
};

// Arguments of a wrong type.
export const argumentErrors = {
  async test() {
    assert.deepStrictEqual([
      await thrown(() => structuredClone()), await thrown(() => structuredClone(1, 5)), await thrown(() => structuredClone(1, { transfer: 5 })),
      await thrown(() => structuredClone(1, { transfer: null })), await thrown(() => structuredClone(1, { transfer: new Set() })),
      await thrown(() => structuredClone.call({}, 1)),
    ], [
      'TypeError: Failed to execute \'structuredClone\' on \'ServiceWorkerGlobalScope\': parameter 1 is not of type \'Value\'.',
      'TypeError: Failed to execute \'structuredClone\' on \'ServiceWorkerGlobalScope\': parameter 2 is not of type \'StructuredCloneOptions\'.',
      'TypeError: Incorrect type for the \'transfer\' field on \'StructuredCloneOptions\': the provided value is not of type \'Array\'.',
      'TypeError: Incorrect type for the \'transfer\' field on \'StructuredCloneOptions\': the provided value is not of type \'Array\'.',
      'TypeError: Incorrect type for the \'transfer\' field on \'StructuredCloneOptions\': the provided value is not of type \'Array\'.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
    ]);
  },
};

// Options may be left out.
export const emptyOptions = {
  async test() {
    assert.deepStrictEqual(
      [structuredClone(undefined), structuredClone(1, null), structuredClone(1, undefined), structuredClone(1, {}), structuredClone(1, { transfer: [] })],
      [undefined, 1, 1, 1, 1],
    );
  },
};

// Streams are no values.
export const streams = {
  async test() {
    assert.deepStrictEqual(await Promise.all([new ReadableStream(), new WritableStream(), new TransformStream(), new ReadableStream().getReader(), new CompressionStream('gzip'), new CountQueuingStrategy({ highWaterMark: 1 })].map((v) =>
      thrown(() => structuredClone(v)))), [
      'DataCloneError: ReadableStream can only be serialized for RPC.',
      'DataCloneError: WritableStream can only be serialized for RPC.',
      'DataCloneError: Could not serialize object of type "TransformStream". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "ReadableStreamDefaultReader". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "CompressionStream". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "CountQueuingStrategy". This type does not support serialization.',
    ]);
  },
};

// Requests and responses without a body are.
export const messages = {
  async test() {
    const request = structuredClone(new Request('http://a/b', { method: 'POST', headers: { a: 'b' } }));
    const response = structuredClone(new Response(null, { status: 404, headers: { a: 'b' } }));
    assert.deepStrictEqual([
      request instanceof Request, request.method, request.url, [...request.headers], response instanceof Response, response.status, [...response.headers],
      await thrown(() => structuredClone(new Response('a'))), await thrown(() => structuredClone(new Request('http://a', { method: 'POST', body: 'x' }))),
    ], [
      true,
      'POST',
      'http://a/b',
      [['a', 'b']],
      true,
      404,
      [['a', 'b']],
      'DataCloneError: ReadableStream can only be serialized for RPC.',
      'DataCloneError: ReadableStream can only be serialized for RPC.',
    ]);
  },
};

// Of the platform's objects these are values.
export const platformValues = {
  async test() {
    const e = structuredClone(new DOMException('m', 'AbortError'));
    const blob = structuredClone(new Blob(['abc'], { type: 't/x' }));
    const headers = structuredClone(new Headers({ a: 'b' }));
    assert.deepStrictEqual(
      [e instanceof DOMException, e.name, e.message, blob instanceof Blob, blob.type, await blob.text(), headers instanceof Headers, [...headers]],
      [true, 'AbortError', 'm', true, 't/x', 'abc', true, [['a', 'b']]],
    );
  },
};

// These are not.
export const platformOthers = {
  async test() {
    assert.deepStrictEqual(await Promise.all([new URL('http://a'), new URLSearchParams(), new URLPattern(), new FormData(), new File([], 'n'), new TextDecoder(), new Event('a'), new EventTarget(), new AbortController(), new AbortController().signal, new MessageChannel(), new MessageChannel().port1, crypto, performance, navigator, caches].map((v) =>
      thrown(() => structuredClone(v)))), [
      'DataCloneError: Could not serialize object of type "URL". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "URLSearchParams". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "URLPattern". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "FormData". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "File". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "TextDecoder". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "Event". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "EventTarget". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "AbortController". This type does not support serialization.',
      'DataCloneError: AbortSignal serialization is not enabled.',
      'DataCloneError: Could not serialize object of type "MessageChannel". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "MessagePort". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "Crypto". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "Performance". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "Navigator". This type does not support serialization.',
      'DataCloneError: Could not serialize object of type "CacheStorage". This type does not support serialization.',
    ]);
  },
};

// Objects of the language that are no values.
export const language = {
  async test() {
    assert.deepStrictEqual(
      await Promise.all([Symbol('a'), new WeakMap(), Promise.resolve(), new Proxy({ a: 1 }, {}), new WeakRef({}), globalThis].map((v) => thrown(() => structuredClone(v)))),
      [
        'DataCloneError: Symbol(a) could not be cloned.',
        'DataCloneError: #<WeakMap> could not be cloned.',
        'DataCloneError: #<Promise> could not be cloned.',
        'DataCloneError: #<Object> could not be cloned.',
        'DataCloneError: #<WeakRef> could not be cloned.',
        'DataCloneError: #<ServiceWorkerGlobalScope> could not be cloned.',
      ],
    );
  },
};

// Errors keep their cause and their properties.
export const errors = {
  async test() {
    const e = structuredClone(Object.assign(new RangeError('m', { cause: 4 }), { code: 5 }));
    assert.deepStrictEqual([e instanceof RangeError, e.message, e.cause, e.code], [true, 'm', 4, 5]);
  },
};

// Properties are read, prototypes and holes are not kept as they are.
export const objects = {
  async test() {
    const list = structuredClone([1, , 3]);
    assert.deepStrictEqual(
      [structuredClone(Object.create({ a: 1 })), structuredClone({ get a() { return 5; } }), 1 in list, list.length, typeof structuredClone(Object(1n))],
      [{}, { a: 5 }, false, 3, 'object'],
    );
  },
};
