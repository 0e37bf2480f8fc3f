// node:crypto: hashes, HMACs and random values. The arithmetic is in Go.
(function (require, host) {
  "use strict";
  const { Buffer } = require("node:buffer");
  const { NodeError, NodeTypeError, received } = require("internal:errors");
  const native = require("internal:native");
  const webcrypto = globalThis.crypto; // captured, like the other globals

  function bytes(data, encoding, name) {
    if (typeof data === "string") return Buffer.from(data, encoding);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (data instanceof ArrayBuffer) return new Uint8Array(data);
    throw new NodeTypeError("ERR_INVALID_ARG_TYPE",
      `The "${name}" argument must be of type string or an instance of Buffer, TypedArray, or DataView.` + received(data));
  }

  // A digest in progress; state is Go's.
  class Digest {
    #state;
    #done = false;
    constructor(algorithm, key) {
      this.#state = native.hash(String(algorithm), key);
      if (this.#state === undefined) throw new NodeError("ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${algorithm}`);
    }
    update(data, encoding) {
      if (this.#done) throw new NodeError("ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
      native.hashUpdate(this.#state, bytes(data, encoding, "data"));
      return this;
    }
    digest(encoding) {
      if (this.#done) throw new NodeError("ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
      this.#done = true;
      const out = Buffer.from(native.hashSum(this.#state));
      return encoding === undefined || encoding === "buffer" ? out : out.toString(encoding);
    }
  }
  class Hash extends Digest {}
  class Hmac extends Digest {}

  function createHash(algorithm) {
    return new Hash(algorithm, undefined);
  }
  function createHmac(algorithm, key) {
    return new Hmac(algorithm, bytes(key, "utf8", "key"));
  }
  function randomBytes(size, callback) {
    const out = Buffer.alloc(size);
    for (let at = 0; at < size; at += 65536) webcrypto.getRandomValues(out.subarray(at, at + 65536));
    if (callback === undefined) return out;
    queueMicrotask(() => callback(null, out));
  }
  function timingSafeEqual(a, b) {
    const x = bytes(a, "utf8", "buf1");
    const y = bytes(b, "utf8", "buf2");
    if (x.length !== y.length) {
      throw new RangeError("Input buffers must have the same byte length");
    }
    let diff = 0;
    for (let i = 0; i < x.length; i++) diff |= x[i] ^ y[i];
    return diff === 0;
  }
  const all = {
    createHash, createHmac, Hash, Hmac, randomBytes, timingSafeEqual, webcrypto,
    getHashes: () => native.hashNames(),
    randomUUID: () => webcrypto.randomUUID(),
    getRandomValues: (array) => webcrypto.getRandomValues(array),
    subtle: webcrypto && webcrypto.subtle,
  };
  return { ...all, default: all };
})
