// What the Go side asks of the streams.

const classes = {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, ReadableStreamBYOBRequest,
  ReadableStreamDefaultController, ReadableByteStreamController, WritableStream, WritableStreamDefaultWriter,
  WritableStreamDefaultController, TransformStream, TransformStreamDefaultController, ByteLengthQueuingStrategy,
  CountQueuingStrategy, TextEncoderStream, TextDecoderStream, IdentityTransformStream, FixedLengthStream,
  CompressionStream, DecompressionStream, DigestStream,
};

// The streams are made when they are first used. By then Object.prototype may
// have members that would make descriptors of plain objects invalid.
const define = (o, k, d) => Reflect.defineProperty(o, k, Reflect.setPrototypeOf(d, null) && d);

// Scripts cannot construct these at all.
const unconstructible = new Set([
  ReadableStreamBYOBRequest, ReadableStreamDefaultController, ReadableByteStreamController,
  WritableStreamDefaultController, TransformStreamDefaultController,
]);

// Gives the classes the shape that workerd's have: enumerable members, length
// 0, a tag, and constructors that do not inherit from each other. A class is
// put behind a plain function for that, which also words the error for a call
// without new.
for (const [name, C] of Object.entries(classes)) {
  const F = { [name]: function (...args) {
    if (new.target === undefined) {
      if (unconstructible.has(C)) fail('Illegal constructor');
      fail(`Failed to construct '${name}': Please use the 'new' operator, this object constructor cannot be called as a function.`);
    }
    return Reflect.construct(C, args, new.target);
  } }[name];
  F.prototype = C.prototype;
  for (const [from, to] of [[C, F], [C.prototype, C.prototype]]) {
    for (const k of Object.getOwnPropertyNames(from)) {
      if (k === 'constructor' || k === 'prototype' || k === 'name' || k === 'length') continue;
      const d = Object.getOwnPropertyDescriptor(from, k);
      d.enumerable = true;
      for (const f of [d.value, d.get, d.set]) {
        if (typeof f === 'function') define(f, 'length', { value: 0, configurable: true });
      }
      define(to, k, d);
    }
  }
  define(F, 'length', { value: 0, configurable: true });
  define(F.prototype, 'constructor', { value: F, writable: true, configurable: true });
  define(F.prototype, Symbol.toStringTag, { value: name, writable: true, configurable: true });
  classes[name] = F;
}
if (Symbol.asyncIterator) {
  const values = ReadableStream.prototype.values;
  const f = { f(...args) { return values.apply(this, args); } }.f;
  define(f, 'name', { value: '', configurable: true });
  define(ReadableStream.prototype, Symbol.asyncIterator, { value: f, writable: true, configurable: true });
}

// As the platform made them: scripts may have others by the time they are used.
const made = {
  __proto__: null,
  getReader: ReadableStream.prototype.getReader,
  read: ReadableStreamDefaultReader.prototype.read,
  getWriter: WritableStream.prototype.getWriter,
  write: WritableStreamDefaultWriter.prototype.write,
  close: WritableStreamDefaultWriter.prototype.close,
  abort: WritableStreamDefaultWriter.prototype.abort,
};
const { apply } = Reflect;

const owned = ({ stream, s }) => {
  s.owner = host.owner();
  return stream;
};

return {
  classes,
  // Locks a stream and returns a function that reads the next chunk.
  reader(o) {
    const r = apply(made.getReader, o, []);
    return () => apply(made.read, r, []);
  },
  // The same for writing; what is write, close or abort.
  writer(o) {
    const w = apply(made.getWriter, o, []);
    return (what, v) => apply(made[what], w, [v]);
  },
  isReadable: (o) => readableState(o) !== undefined,
  isWritable: (o) => writableState(o) !== undefined,
  locked: (o) => readableState(o).reader !== null,
  disturbed: (o) => readableState(o).disturbed,
  length: (o) => readableState(o).length,
  fromIterable,
  // A stream over bytes that are all there.
  fromBytes: (u8) => owned(makeReadable({
    bytes: true,
    hwm: 0,
    pull(c) {
      if (u8.byteLength > 0) c.enqueue(u8);
      c.close();
    },
  })),
  // A stream whose chunks come from Go: pull(done) calls done(u8) with a
  // chunk, done(null) at the end, done(undefined, error) on failure.
  fromGo: (pull, cancel) => owned(makeReadable({
    bytes: true,
    hwm: 0,
    pull: (c) => new Promise((resolve, reject) => pull((chunk, error) => {
      if (error !== undefined) reject(error);
      else {
        if (c.canEnqueue()) {
          if (chunk === null) c.close();
          else c.enqueue(chunk);
        }
        resolve();
      }
    })),
    cancel: (reason) => {
      cancel(reason);
      return Promise.resolve();
    },
  })),
  // Locks and ends a stream whose bytes Go took by another way.
  seize(o) {
    const s = readableState(o);
    s.disturbed = true;
    acquireReader(s, false);
    closeReadable(s);
  },
  tee: (o) => tee(readableState(o)),
  own: (o, owner) => { readableState(o).owner = owner; },
  native: (o) => Boolean(readableState(o).owner),
  check: (o) => checkOwner(readableState(o), SOURCE),
  // Reads a stream chunk by chunk: each(u8, next) for a chunk, end() at the
  // end, error(reason). Go calls next() when it wants more. text: strings are
  // chunks, too. Returns cancel.
  drain(o, each, end, error, text) {
    const s = readableState(o);
    const r = acquireReader(s, false);
    const next = () => readDefault(r, {
      chunk(value) {
        if (isBytes(value)) {
          each(bytesOf(value), next);
          return;
        }
        if (text && typeof value === 'string') {
          each(value, next);
          return;
        }
        const e = new TypeError('This ReadableStream did not return bytes.');
        cancelReadable(s, e).then(undefined, ignore);
        error(e);
      },
      close: () => end(),
      error,
    });
    next();
    return (reason) => { cancelReadable(s, reason).then(undefined, ignore); };
  },
};
