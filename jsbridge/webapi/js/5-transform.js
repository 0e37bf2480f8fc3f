// TransformStream and the transforms built on it
// (https://streams.spec.whatwg.org/#ts).

let transformState;

// Connects a writable with a readable. prepare(chunk) checks and converts a
// chunk before there is room for it. transform(chunk, c), flush(c) and
// cancel(reason) return promises; c has enqueue, fail and terminate.
function makeTransform({ start, prepare, transform, flush, cancel, writableHWM = 1, readableHWM = 0, writableSize, readableSize, bytes = false }) {
  const t = { readable: null, writable: null, c: null, blocked: deferred() };
  const rs = newReadableState();
  if (bytes) rs.owner = host.owner();
  const readable = new ReadableStream(TOKEN, rs);
  let finished = null;
  const unblock = () => { t.blocked.resolve(undefined); };
  const rc = (bytes ? byteController : (...a) => defaultController(...a, readableSize))(rs, undefined,
    () => {
      unblock();
      // The next pull is due when the transform has produced something.
      t.blocked = deferred();
      t.ready = true;
      return t.blocked.promise;
    },
    (reason) => {
      finished = finished || cancel(reason);
      return finished.then(() => {
        if (ws.state === 'writable') startErroring(ws, reason);
        wake();
      }, (e) => {
        if (ws.state === 'writable') startErroring(ws, e);
        wake();
        throw e;
      });
    }, readableHWM, undefined);
  let wakeWriter = null;
  const wake = () => {
    if (wakeWriter) {
      const f = wakeWriter;
      wakeWriter = null;
      f();
    }
  };
  const hasRoom = () => rs.state !== 'readable' || (rs.reader && (rs.reader.requests.length > 0 || (bytes && rc.pending.length > 0))) || rc.desired() > 0;
  const pullFn = rc.pullFn;
  rc.pullFn = () => {
    const p = pullFn();
    wake();
    return p;
  };
  const c = {
    desired: () => rc.desired(),
    enqueue(chunk) {
      if (!rc.canEnqueue()) fail('Unable to enqueue');
      rc.enqueue(chunk);
      unblock();
    },
    fail(e) {
      rc.fail(e);
      if (ws.state === 'writable') startErroring(ws, e);
      unblock();
      wake();
    },
    terminate() {
      if (rc.canEnqueue()) rc.close();
      const e = new TypeError('The transform stream has been terminated');
      if (ws.state === 'writable') startErroring(ws, e);
      unblock();
      wake();
    },
    object: null,
  };
  const ws = newWritableState({
    async write(chunk) {
      if (prepare) chunk = prepare(chunk);
      if (!hasRoom()) await new Promise((f) => { wakeWriter = f; });
      if (ws.state === 'erroring') throw ws.error;
      try {
        await transform(chunk, c);
      } catch (e) {
        c.fail(e);
        throw e;
      }
    },
    async close() {
      finished = finished || flush(c);
      try {
        await finished;
      } catch (e) {
        c.fail(e);
        throw e;
      }
      if (rs.state === 'errored') throw rs.error;
      if (rc.canEnqueue()) rc.close();
    },
    async abort(reason) {
      finished = finished || cancel(reason);
      try {
        await finished;
      } catch (e) {
        rc.fail(e);
        throw e;
      }
      rc.fail(reason);
    },
  }, writableHWM, writableSize);
  ws.owner = rs.owner;
  t.readable = readable;
  t.writable = new WritableStream(TOKEN, ws);
  t.c = c;
  const begin = () => {
    let result;
    try {
      result = start === undefined ? undefined : start(c);
    } catch (e) {
      c.fail(e);
      result = rejected(e);
    }
    rc.start(() => result);
    writableStart(ws, result);
  };
  return { t, c, begin };
}

class TransformStream {
  #t;
  constructor(transformer = undefined, writableStrategy = undefined, readableStrategy = undefined) {
    if (transformer === TOKEN) {
      this.#t = writableStrategy;
      return;
    }
    transformer = options(transformer, 1, 'TransformStream', 'Transformer');
    writableStrategy = options(writableStrategy, 2, 'TransformStream', 'StreamQueuingStrategy');
    readableStrategy = options(readableStrategy, 3, 'TransformStream', 'StreamQueuingStrategy');
    for (const type of ['readableType', 'writableType']) {
      if (transformer !== undefined && transformer[type] !== undefined) fail(`transformer.${type} must be undefined.`);
    }
    const startFn = method(transformer, 'start', 'Transformer');
    const transformFn = method(transformer, 'transform', 'Transformer');
    const flushFn = method(transformer, 'flush', 'Transformer');
    const cancelFn = method(transformer, 'cancel', 'Transformer');
    const { t, c, begin } = makeTransform({
      start: startFn && (() => startFn.call(transformer, c.object)),
      transform: transformFn
        ? (chunk) => invoke(transformFn, transformer, chunk, c.object)
        : async (chunk) => c.enqueue(chunk),
      flush: () => invoke(flushFn, transformer, c.object),
      cancel: (reason) => invoke(cancelFn, transformer, reason),
      writableHWM: highWaterMark(writableStrategy, 1),
      readableHWM: highWaterMark(readableStrategy, 0),
      writableSize: method(writableStrategy, 'size', 'StreamQueuingStrategy'),
      readableSize: method(readableStrategy, 'size', 'StreamQueuingStrategy'),
    });
    c.object = new TransformStreamDefaultController(TOKEN, c);
    this.#t = t;
    begin();
  }
  static { transformState = (o) => (isObject(o) && #t in o ? o.#t : fail(ILLEGAL)); }
  get readable() { return transformState(this).readable; }
  get writable() { return transformState(this).writable; }
}

class TransformStreamDefaultController {
  #c;
  constructor(token, c) {
    if (token !== TOKEN) fail('Illegal constructor');
    this.#c = c;
  }
  static #of(o) { return isObject(o) && #c in o ? o.#c : fail(ILLEGAL); }
  get desiredSize() { return TransformStreamDefaultController.#of(this).desired(); }
  enqueue(chunk) { TransformStreamDefaultController.#of(this).enqueue(chunk); }
  error(e) { TransformStreamDefaultController.#of(this).fail(e); }
  terminate() { TransformStreamDefaultController.#of(this).terminate(); }
}

// A byte pipe: what is written can be read, strings as UTF-8.
const NOT_BYTES = 'This TransformStream is being used as a byte stream, but received an object of non-ArrayBuffer/ArrayBufferView type on its writable side.';
function toBytes(chunk) {
  if (typeof chunk === 'string') return host.encode(chunk);
  if (!isBytes(chunk)) fail(NOT_BYTES);
  return bytesOf(chunk).slice();
}

class IdentityTransformStream extends TransformStream {
  constructor(strategy = undefined, hooks = undefined) {
    const { t, begin } = makeTransform({
      bytes: true,
      prepare: toBytes,
      transform: async (u8, c) => {
        if (hooks && strategy === TOKEN) hooks.check(u8.byteLength);
        if (u8.byteLength > 0) c.enqueue(u8);
      },
      flush: async () => { if (hooks && strategy === TOKEN) hooks.end(); },
      cancel: () => Promise.resolve(),
    });
    super(TOKEN, t);
    begin();
  }
}

class FixedLengthStream extends IdentityTransformStream {
  constructor(expected, strategy = undefined) {
    if (arguments.length === 0) fail("Failed to construct 'FixedLengthStream': constructor parameter 1 is not of type 'bigint'.");
    if (typeof expected === 'bigint' && (expected < 0n || expected >= 2n ** 64n)) {
      fail('The value cannot be converted because it is either negative and this API expects a positive bigint, or the value would be truncated.');
    }
    const limit = Math.trunc(Number(expected));
    if (!Number.isFinite(limit)) fail('The value cannot be converted because it is not an integer.');
    if (limit < 0) fail('The value cannot be converted because it is negative and this API expects a positive bigint.');
    if (limit >= 2 ** 53) fail('FixedLengthStream requires an integer expected length less than 2^53.');
    let seen = 0;
    super(TOKEN, {
      check(n) {
        if ((seen += n) > limit) fail('Attempt to write too many bytes through a FixedLengthStream.');
      },
      end() {
        if (seen < limit) fail('FixedLengthStream did not see all expected bytes before close().');
      },
    });
    readableState(this.readable).length = limit;
  }
}

class TextEncoderStream extends TransformStream {
  constructor() {
    // A surrogate pair may be split between two chunks.
    let high = '';
    const { t, begin } = makeTransform({
      transform: async (chunk, c) => {
        let text = high + String(chunk);
        high = '';
        const last = text.charCodeAt(text.length - 1);
        if (last >= 0xD800 && last < 0xDC00) {
          high = text[text.length - 1];
          text = text.slice(0, -1);
        }
        if (text !== '') c.enqueue(host.encode(text));
      },
      flush: async (c) => { if (high !== '') c.enqueue(host.encode(high)); },
      cancel: () => Promise.resolve(),
    });
    super(TOKEN, t);
    begin();
  }
  get encoding() {
    transformState(this);
    return 'utf-8';
  }
}

class TextDecoderStream extends TransformStream {
  #d;
  constructor(label = 'utf-8', opts = undefined) {
    const d = new host.TextDecoder(label, options(opts, 2, 'TextDecoderStream', 'TextDecoderStreamInit') ?? {});
    const { t, begin } = makeTransform({
      transform: async (chunk, c) => {
        if (!isBytes(chunk)) fail("Failed to execute 'decode' on 'TextDecoder': parameter 1 is not of type 'Array'.");
        const text = d.decode(chunk, { stream: true });
        if (text !== '') c.enqueue(text);
      },
      flush: async (c) => {
        const text = d.decode();
        if (text !== '') c.enqueue(text);
      },
      cancel: () => Promise.resolve(),
    });
    super(TOKEN, t);
    this.#d = d;
    begin();
  }
  static #of(o) { return isObject(o) && #d in o ? o.#d : fail(ILLEGAL); }
  get encoding() { return TextDecoderStream.#of(this).encoding; }
  get fatal() { return TextDecoderStream.#of(this).fatal; }
  get ignoreBOM() { return TextDecoderStream.#of(this).ignoreBOM; }
}

function strategy(name, size) {
  const C = { [name]: class {
    #h;
    constructor(init) {
      if (!isObject(init)) fail(`Failed to construct '${name}': constructor parameter 1 is not of type 'QueuingStrategyInit'.`);
      this.#h = Number(init.highWaterMark);
    }
    get highWaterMark() { return this.#h; }
    get size() {
      this.#h;
      return size;
    }
  } }[name];
  return C;
}
const ByteLengthQueuingStrategy = strategy('ByteLengthQueuingStrategy', ({ byteLength }) => byteLength);
const CountQueuingStrategy = strategy('CountQueuingStrategy', () => 1);
