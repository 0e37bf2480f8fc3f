// CompressionStream and DecompressionStream (https://compression.spec.whatwg.org/),
// and crypto.DigestStream, which workerd adds. The bytes are worked on in Go.

// A transform from bytes to bytes by a codec of the host: push(u8) and end()
// return what came out, close() gives up.
function codecTransform(format, decompress) {
  const codec = host.codec(String(format), decompress);
  const step = (f) => async (chunk, c) => {
    let out;
    try {
      out = f(chunk);
    } catch (e) {
      codec.close();
      throw e;
    }
    if (out.byteLength > 0) c.enqueue(out);
  };
  const end = step(() => codec.end());
  return makeTransform({
    bytes: true,
    // Writes do not wait for a reader (measured on workerd).
    readableHWM: Infinity,
    prepare: toBytes,
    transform: step((u8) => codec.push(u8)),
    flush: (c) => end(undefined, c),
    cancel: async () => codec.close(),
  });
}

function formatArgument(args, name) {
  if (args.length === 0) fail(`Failed to construct '${name}': constructor parameter 1 is not of type 'string'.`);
  return args[0];
}

class CompressionStream extends TransformStream {
  constructor(...args) {
    const { t, begin } = codecTransform(formatArgument(args, 'CompressionStream'), false);
    super(TOKEN, t);
    begin();
  }
}

class DecompressionStream extends TransformStream {
  constructor(...args) {
    const { t, begin } = codecTransform(formatArgument(args, 'DecompressionStream'), true);
    super(TOKEN, t);
    begin();
  }
}

class DigestStream extends WritableStream {
  #digest;
  #hash;
  constructor(...args) {
    if (args.length === 0) fail("Failed to construct 'DigestStream': constructor parameter 1 is not of type 'string or HashAlgorithm'.");
    const hash = host.digest(args[0]);
    const digest = deferred();
    const ws = newWritableState({
      async write(chunk) {
        if (typeof chunk !== 'string' && !isBytes(chunk)) {
          const e = new TypeError('DigestStream is a byte stream but received an object of non-ArrayBuffer/ArrayBufferView/string type on its writable side.');
          digest.reject(e);
          throw e;
        }
        hash.write(typeof chunk === 'string' ? host.encode(chunk) : bytesOf(chunk));
      },
      async close() { digest.resolve(hash.sum()); },
      async abort(reason) { digest.reject(reason); },
    }, 1, undefined);
    super(TOKEN, ws);
    this.#digest = digest;
    this.#hash = hash;
    writableStart(ws, undefined);
  }
  static #of(o) { return isObject(o) && #hash in o ? o : fail(ILLEGAL); }
  get digest() { return DigestStream.#of(this).#digest.promise; }
  get bytesWritten() { return BigInt(DigestStream.#of(this).#hash.length()); }
}
