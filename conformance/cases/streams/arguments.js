// Rule: what the stream classes say about arguments that they cannot take, and about streams that are
// locked. Source: the Streams Standard (https://streams.spec.whatwg.org); the texts are workerd's.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

const all = (...actions) => Promise.all(actions.map((f) => thrown(f)));

// Members of the underlying source.
export const readableSource = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new ReadableStream(5), () => new ReadableStream({ start: 5 }), () => new ReadableStream({ pull: 5 }), () => new ReadableStream({ cancel: 5 }), () => new ReadableStream({ type: 'x' }), () => new ReadableStream(null)),
      [
        'TypeError: Failed to construct \'ReadableStream\': constructor parameter 1 is not of type \'UnderlyingSource\'.',
        'TypeError: Incorrect type for the \'start\' field on \'UnderlyingSource\': the provided value is not of type \'function\'.',
        'TypeError: Incorrect type for the \'pull\' field on \'UnderlyingSource\': the provided value is not of type \'function\'.',
        'TypeError: Incorrect type for the \'cancel\' field on \'UnderlyingSource\': the provided value is not of type \'function\'.',
        'TypeError: "x" is not a valid type of ReadableStream.',
        'nothing',
      ],
    );
  },
};

// The queuing strategy.
export const readableStrategy = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new ReadableStream({}, 5), () => new ReadableStream({}, { highWaterMark: -1 }), () => new ReadableStream({}, { highWaterMark: NaN }), () => new ReadableStream({}, { size: 5 }), () => new ReadableStream({ type: 'bytes' }, { size() { return 1; } })),
      [
        'TypeError: Failed to construct \'ReadableStream\': constructor parameter 2 is not of type \'StreamQueuingStrategy\'.',
        'TypeError: The value cannot be converted because it is negative and this API expects a positive bigint.',
        'TypeError: The value cannot be converted because it is not an integer.',
        'TypeError: Incorrect type for the \'size\' field on \'StreamQueuingStrategy\': the provided value is not of type \'function\'.',
        'nothing',
      ],
    );
  },
};

// The modes of a reader.
export const getReader = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new ReadableStream().getReader({ mode: 'x' }), () => new ReadableStream().getReader({ mode: 'byob' }), () => new ReadableStream().getReader(5), () => new ReadableStream().getReader({ mode: undefined })),
      [
        'TypeError: mode must be undefined or \'byob\' in call to getReader().',
        'TypeError: This ReadableStream does not support BYOB reads.',
        'TypeError: Failed to execute \'getReader\' on \'ReadableStream\': parameter 1 is not of type \'GetReaderOptions\'.',
        'nothing',
      ],
    );
  },
};

// A locked stream cannot be locked again, cancelled or piped.
export const locked = {
  async test() {
    const s = new ReadableStream();
    s.getReader();
    assert.deepStrictEqual(
      await all(() => s.getReader(), () => s.cancel(), () => s.tee(), () => s.pipeTo(new WritableStream()), () => s.pipeThrough(new TransformStream()), () => s.values()),
      [
        'TypeError: This ReadableStream is currently locked to a reader.',
        'TypeError: This ReadableStream is currently locked to a reader.',
        'TypeError: This ReadableStream is currently locked to a reader,',
        'TypeError: This ReadableStream is currently locked to a reader.',
        'TypeError: This ReadableStream is currently locked to a reader.',
        'TypeError: This ReadableStream is currently locked to a reader.',
      ],
    );
  },
};

// Arguments of pipeTo and pipeThrough.
export const pipeArguments = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new ReadableStream().pipeTo(), () => new ReadableStream().pipeTo({}), () => new ReadableStream().pipeThrough(), () => new ReadableStream().pipeThrough({}), () => new ReadableStream().pipeTo(new WritableStream(), { signal: 5 })),
      [
        'TypeError: Failed to execute \'pipeTo\' on \'ReadableStream\': parameter 1 is not of type \'WritableStream\'.',
        'TypeError: Failed to execute \'pipeTo\' on \'ReadableStream\': parameter 1 is not of type \'WritableStream\'.',
        'TypeError: Failed to execute \'pipeThrough\' on \'ReadableStream\': parameter 1 is not of type \'Transform\'.',
        'TypeError: Incorrect type for the \'readable\' field on \'Transform\': the provided value is not of type \'ReadableStream\'.',
        'TypeError: Incorrect type for the \'signal\' field on \'PipeToOptions\': the provided value is not of type \'AbortSignal\'.',
      ],
    );
  },
};

// What ReadableStream.from takes.
export const from = {
  async test() {
    assert.deepStrictEqual(
      await all(() => ReadableStream.from(), () => ReadableStream.from(5), () => ReadableStream.from({}), () => ReadableStream.from([1]), () => ReadableStream.from('ab')),
      [
        'TypeError: Failed to execute \'from\' on \'ReadableStream\': parameter 1 is not of type \'AsyncGenerator\'.',
        'TypeError: Failed to execute \'from\' on \'ReadableStream\': parameter 1 is not of type \'AsyncGenerator\'.',
        'TypeError: Failed to execute \'from\' on \'ReadableStream\': parameter 1 is not of type \'AsyncGenerator\'.',
        'nothing',
        'nothing',
      ],
    );
  },
};

// Using a controller after its stream is closed.
export const controller = {
  async test() {
    let c;
    new ReadableStream({ start(x) { c = x; } });
    c.close();
    assert.deepStrictEqual(
      await all(() => c.enqueue(1), () => c.close(), () => c.error(1)),
      ['TypeError: Unable to enqueue', 'TypeError: This ReadableStream is closed.', 'nothing'],
    );
  },
};

// A reader that was released.
export const released = {
  async test() {
    const r = new ReadableStream().getReader();
    r.releaseLock();
    assert.deepStrictEqual(await all(() => r.read(), () => r.closed, () => r.cancel(), () => r.releaseLock()), [
      'TypeError: This ReadableStream reader has been released.',
      'TypeError: This ReadableStream reader has been released.',
      'TypeError: This ReadableStream reader has been released.',
      'nothing',
    ]);
  },
};

// What a BYOB reader reads into.
export const byobViews = {
  async test() {
    const reader = () => new ReadableStream({ type: 'bytes' }).getReader({ mode: 'byob' });
    assert.deepStrictEqual(
      await all(() => reader().read(), () => reader().read(5), () => reader().read(new Uint8Array(0)), () => reader().read(new ArrayBuffer(1))),
      [
        'TypeError: Failed to execute \'read\' on \'ReadableStreamBYOBReader\': parameter 1 is not of type \'ArrayBufferView\'.',
        'TypeError: Failed to execute \'read\' on \'ReadableStreamBYOBReader\': parameter 1 is not of type \'ArrayBufferView\'.',
        'TypeError: You must call read() on a "byob" reader with a positive-sized TypedArray object.',
        'TypeError: Failed to execute \'read\' on \'ReadableStreamBYOBReader\': parameter 1 is not of type \'ArrayBufferView\'.',
      ],
    );
  },
};

// Members of the underlying sink.
export const writableSink = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new WritableStream(5), () => new WritableStream({ start: 5 }), () => new WritableStream({ write: 5 }), () => new WritableStream({ close: 5 }), () => new WritableStream({ abort: 5 }), () => new WritableStream({ type: 'x' })),
      [
        'TypeError: Failed to construct \'WritableStream\': constructor parameter 1 is not of type \'UnderlyingSink\'.',
        'TypeError: Incorrect type for the \'start\' field on \'UnderlyingSink\': the provided value is not of type \'function\'.',
        'TypeError: Incorrect type for the \'write\' field on \'UnderlyingSink\': the provided value is not of type \'function\'.',
        'TypeError: Incorrect type for the \'close\' field on \'UnderlyingSink\': the provided value is not of type \'function\'.',
        'TypeError: Incorrect type for the \'abort\' field on \'UnderlyingSink\': the provided value is not of type \'function\'.',
        'nothing',
      ],
    );
  },
};

// A locked stream has no second writer.
export const writableLocked = {
  async test() {
    const s = new WritableStream();
    s.getWriter();
    assert.deepStrictEqual(await all(() => s.getWriter(), () => s.close(), () => s.abort(), () => new WritableStreamDefaultWriter(s)), [
      'TypeError: This WritableStream is currently locked to a writer.',
      'TypeError: This WritableStream is currently locked to a writer.',
      'TypeError: This WritableStream is currently locked to a writer.',
      'TypeError: This WritableStream is currently locked to a writer.',
    ]);
  },
};

// A writer that was released.
export const writerReleased = {
  async test() {
    const w = new WritableStream().getWriter();
    w.releaseLock();
    assert.deepStrictEqual(
      await all(() => w.write(1), () => w.close(), () => w.abort(), () => w.closed, () => w.ready, () => w.desiredSize),
      [
        'TypeError: This WritableStream writer has been released.',
        'TypeError: This WritableStream writer has been released.',
        'TypeError: This WritableStream writer has been released.',
        'TypeError: This WritableStream writer has been released.',
        'TypeError: This WritableStream writer has been released.',
        'TypeError: This WritableStream writer has been released.',
      ],
    );
  },
};

// Writing after the end.
export const writerClosed = {
  async test() {
    const w = new WritableStream().getWriter();
    await w.close();
    assert.deepStrictEqual(
      await all(() => w.write(1), () => w.close(), () => w.abort()),
      ['TypeError: This WritableStream has been closed.', 'TypeError: This WritableStream has been closed.', 'nothing'],
    );
  },
};

// Members of the transformer.
export const transformer = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new TransformStream(5), () => new TransformStream({ transform: 5 }), () => new TransformStream({ flush: 5 }), () => new TransformStream({ readableType: 'x' })),
      [
        'TypeError: Failed to construct \'TransformStream\': constructor parameter 1 is not of type \'Transformer\'.',
        'TypeError: Incorrect type for the \'transform\' field on \'Transformer\': the provided value is not of type \'function\'.',
        'TypeError: Incorrect type for the \'flush\' field on \'Transformer\': the provided value is not of type \'function\'.',
        'TypeError: transformer.readableType must be undefined.',
      ],
    );
  },
};

// Arguments of the queuing strategies.
export const strategies = {
  async test() {
    assert.deepStrictEqual([
      ...(await all(() => new CountQueuingStrategy(), () => new CountQueuingStrategy(5), () => new CountQueuingStrategy({}), () => new ByteLengthQueuingStrategy())),
      new CountQueuingStrategy({ highWaterMark: 3 }).highWaterMark, new CountQueuingStrategy({ highWaterMark: 3 }).size('x'), new ByteLengthQueuingStrategy({ highWaterMark: 3 }).size(new Uint8Array(5)),
    ], [
      'TypeError: Failed to construct \'CountQueuingStrategy\': constructor parameter 1 is not of type \'QueuingStrategyInit\'.',
      'TypeError: Failed to construct \'CountQueuingStrategy\': constructor parameter 1 is not of type \'QueuingStrategyInit\'.',
      'nothing',
      'TypeError: Failed to construct \'ByteLengthQueuingStrategy\': constructor parameter 1 is not of type \'QueuingStrategyInit\'.',
      3,
      1,
      5,
    ]);
  },
};

// The length of a FixedLengthStream.
export const fixedLength = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new FixedLengthStream(), () => new FixedLengthStream(-1), () => new FixedLengthStream('x'), () => new FixedLengthStream(5), () => new FixedLengthStream(2n ** 64n), () => new FixedLengthStream(-1n), () => new FixedLengthStream(2 ** 64), () => new FixedLengthStream(Infinity)),
      [
        'TypeError: Failed to construct \'FixedLengthStream\': constructor parameter 1 is not of type \'bigint\'.',
        'TypeError: The value cannot be converted because it is negative and this API expects a positive bigint.',
        'TypeError: The value cannot be converted because it is not an integer.',
        'nothing',
        'TypeError: The value cannot be converted because it is either negative and this API expects a positive bigint, or the value would be truncated.',
        'TypeError: The value cannot be converted because it is either negative and this API expects a positive bigint, or the value would be truncated.',
        'TypeError: FixedLengthStream requires an integer expected length less than 2^53.',
        'TypeError: The value cannot be converted because it is not an integer.',
      ],
    );
  },
};

// The formats of compression.
export const compression = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new CompressionStream(), () => new CompressionStream('x'), () => new DecompressionStream('x'), () => new CompressionStream('gzip')),
      [
        'TypeError: Failed to construct \'CompressionStream\': constructor parameter 1 is not of type \'string\'.',
        'TypeError: The compression format must be either \'deflate\', \'deflate-raw\' or \'gzip\'.',
        'TypeError: The compression format must be either \'deflate\', \'deflate-raw\' or \'gzip\'.',
        'nothing',
      ],
    );
  },
};

// Arguments of the text streams.
export const textStreams = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new TextDecoderStream('x'), () => new TextDecoderStream('utf-8', 5), () => new TextEncoderStream(5)),
      [
        'RangeError: "x" is not a valid encoding.',
        'TypeError: Failed to construct \'TextDecoderStream\': constructor parameter 2 is not of type \'TextDecoderStreamInit\'.',
        'nothing',
      ],
    );
  },
};
