// Rule: the shape of the platform's classes: names, lengths and attributes of their properties, and
// what a call and a construction without arguments give. Source: workerd.
import assert from 'node:assert';
import { shape } from 'shape.js';

// ReadableStream.
export const readableStream = {
  async test() {
    assert.deepStrictEqual(shape(ReadableStream), {
      static: ['from [wec] function from/0', 'length [c] 0', 'name [c] ReadableStream', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.asyncIterator) [wc] function /0',
        'Symbol(Symbol.toStringTag) [wc] ReadableStream',
        'cancel [wec] function cancel/0',
        'constructor [wc] function ReadableStream/0',
        'getReader [wec] function getReader/0',
        'locked [ec] get',
        'pipeThrough [wec] function pipeThrough/0',
        'pipeTo [wec] function pipeTo/0',
        'tee [wec] function tee/0',
        'values [wec] function values/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'ReadableStream\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// ReadableStreamDefaultReader.
export const readableStreamDefaultReader = {
  async test() {
    assert.deepStrictEqual(shape(ReadableStreamDefaultReader), {
      static: ['length [c] 0', 'name [c] ReadableStreamDefaultReader', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] ReadableStreamDefaultReader',
        'cancel [wec] function cancel/0',
        'closed [ec] get',
        'constructor [wc] function ReadableStreamDefaultReader/0',
        'read [wec] function read/0',
        'releaseLock [wec] function releaseLock/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'ReadableStreamDefaultReader\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'ReadableStreamDefaultReader\': constructor parameter 1 is not of type \'ReadableStream\'.',
    });
  },
};

// ReadableStreamBYOBReader.
export const readableStreamBYOBReader = {
  async test() {
    assert.deepStrictEqual(shape(ReadableStreamBYOBReader), {
      static: ['length [c] 0', 'name [c] ReadableStreamBYOBReader', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] ReadableStreamBYOBReader',
        'cancel [wec] function cancel/0',
        'closed [ec] get',
        'constructor [wc] function ReadableStreamBYOBReader/0',
        'read [wec] function read/0',
        'readAtLeast [wec] function readAtLeast/0',
        'releaseLock [wec] function releaseLock/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'ReadableStreamBYOBReader\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'ReadableStreamBYOBReader\': constructor parameter 1 is not of type \'ReadableStream\'.',
    });
  },
};

// ReadableStreamBYOBRequest.
export const readableStreamBYOBRequest = {
  async test() {
    assert.deepStrictEqual(shape(ReadableStreamBYOBRequest), {
      static: ['length [c] 0', 'name [c] ReadableStreamBYOBRequest', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] ReadableStreamBYOBRequest',
        'atLeast [ec] get',
        'constructor [wc] function ReadableStreamBYOBRequest/0',
        'respond [wec] function respond/0',
        'respondWithNewView [wec] function respondWithNewView/0',
        'view [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// ReadableStreamDefaultController.
export const readableStreamDefaultController = {
  async test() {
    assert.deepStrictEqual(shape(ReadableStreamDefaultController), {
      static: ['length [c] 0', 'name [c] ReadableStreamDefaultController', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] ReadableStreamDefaultController',
        'close [wec] function close/0',
        'constructor [wc] function ReadableStreamDefaultController/0',
        'desiredSize [ec] get',
        'enqueue [wec] function enqueue/0',
        'error [wec] function error/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// ReadableByteStreamController.
export const readableByteStreamController = {
  async test() {
    assert.deepStrictEqual(shape(ReadableByteStreamController), {
      static: ['length [c] 0', 'name [c] ReadableByteStreamController', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] ReadableByteStreamController',
        'byobRequest [ec] get',
        'close [wec] function close/0',
        'constructor [wc] function ReadableByteStreamController/0',
        'desiredSize [ec] get',
        'enqueue [wec] function enqueue/0',
        'error [wec] function error/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// WritableStream.
export const writableStream = {
  async test() {
    assert.deepStrictEqual(shape(WritableStream), {
      static: ['length [c] 0', 'name [c] WritableStream', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] WritableStream',
        'abort [wec] function abort/0',
        'close [wec] function close/0',
        'constructor [wc] function WritableStream/0',
        'getWriter [wec] function getWriter/0',
        'locked [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'WritableStream\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// WritableStreamDefaultWriter.
export const writableStreamDefaultWriter = {
  async test() {
    assert.deepStrictEqual(shape(WritableStreamDefaultWriter), {
      static: ['length [c] 0', 'name [c] WritableStreamDefaultWriter', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] WritableStreamDefaultWriter',
        'abort [wec] function abort/0',
        'close [wec] function close/0',
        'closed [ec] get',
        'constructor [wc] function WritableStreamDefaultWriter/0',
        'desiredSize [ec] get',
        'ready [ec] get',
        'releaseLock [wec] function releaseLock/0',
        'write [wec] function write/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'WritableStreamDefaultWriter\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'WritableStreamDefaultWriter\': constructor parameter 1 is not of type \'WritableStream\'.',
    });
  },
};

// WritableStreamDefaultController.
export const writableStreamDefaultController = {
  async test() {
    assert.deepStrictEqual(shape(WritableStreamDefaultController), {
      static: ['length [c] 0', 'name [c] WritableStreamDefaultController', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] WritableStreamDefaultController',
        'constructor [wc] function WritableStreamDefaultController/0',
        'error [wec] function error/0',
        'signal [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// TransformStream.
export const transformStream = {
  async test() {
    assert.deepStrictEqual(shape(TransformStream), {
      static: ['length [c] 0', 'name [c] TransformStream', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] TransformStream',
        'constructor [wc] function TransformStream/0',
        'readable [ec] get',
        'writable [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'TransformStream\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// TransformStreamDefaultController.
export const transformStreamDefaultController = {
  async test() {
    assert.deepStrictEqual(shape(TransformStreamDefaultController), {
      static: ['length [c] 0', 'name [c] TransformStreamDefaultController', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] TransformStreamDefaultController',
        'constructor [wc] function TransformStreamDefaultController/0',
        'desiredSize [ec] get',
        'enqueue [wec] function enqueue/0',
        'error [wec] function error/0',
        'terminate [wec] function terminate/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// ByteLengthQueuingStrategy.
export const byteLengthQueuingStrategy = {
  async test() {
    assert.deepStrictEqual(shape(ByteLengthQueuingStrategy), {
      static: ['length [c] 0', 'name [c] ByteLengthQueuingStrategy', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] ByteLengthQueuingStrategy',
        'constructor [wc] function ByteLengthQueuingStrategy/0',
        'highWaterMark [ec] get',
        'size [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'ByteLengthQueuingStrategy\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'ByteLengthQueuingStrategy\': constructor parameter 1 is not of type \'QueuingStrategyInit\'.',
    });
  },
};

// CountQueuingStrategy.
export const countQueuingStrategy = {
  async test() {
    assert.deepStrictEqual(shape(CountQueuingStrategy), {
      static: ['length [c] 0', 'name [c] CountQueuingStrategy', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] CountQueuingStrategy',
        'constructor [wc] function CountQueuingStrategy/0',
        'highWaterMark [ec] get',
        'size [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'CountQueuingStrategy\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'CountQueuingStrategy\': constructor parameter 1 is not of type \'QueuingStrategyInit\'.',
    });
  },
};

// TextEncoderStream.
export const textEncoderStream = {
  async test() {
    assert.deepStrictEqual(shape(TextEncoderStream), {
      static: ['length [c] 0', 'name [c] TextEncoderStream', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] TextEncoderStream',
        'constructor [wc] function TextEncoderStream/0',
        'encoding [ec] get',
      ],
      inherits: 'TransformStream',
      call: 'TypeError: Failed to construct \'TextEncoderStream\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// TextDecoderStream.
export const textDecoderStream = {
  async test() {
    assert.deepStrictEqual(shape(TextDecoderStream), {
      static: ['length [c] 0', 'name [c] TextDecoderStream', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] TextDecoderStream',
        'constructor [wc] function TextDecoderStream/0',
        'encoding [ec] get',
        'fatal [ec] get',
        'ignoreBOM [ec] get',
      ],
      inherits: 'TransformStream',
      call: 'TypeError: Failed to construct \'TextDecoderStream\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// IdentityTransformStream.
export const identityTransformStream = {
  async test() {
    assert.deepStrictEqual(shape(IdentityTransformStream), {
      static: ['length [c] 0', 'name [c] IdentityTransformStream', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] IdentityTransformStream',
        'constructor [wc] function IdentityTransformStream/0',
      ],
      inherits: 'TransformStream',
      call: 'TypeError: Failed to construct \'IdentityTransformStream\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// FixedLengthStream.
export const fixedLengthStream = {
  async test() {
    assert.deepStrictEqual(shape(FixedLengthStream), {
      static: ['length [c] 0', 'name [c] FixedLengthStream', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] FixedLengthStream', 'constructor [wc] function FixedLengthStream/0'],
      inherits: 'IdentityTransformStream',
      call: 'TypeError: Failed to construct \'FixedLengthStream\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'FixedLengthStream\': constructor parameter 1 is not of type \'bigint\'.',
    });
  },
};

// CompressionStream.
export const compressionStream = {
  async test() {
    assert.deepStrictEqual(shape(CompressionStream), {
      static: ['length [c] 0', 'name [c] CompressionStream', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] CompressionStream', 'constructor [wc] function CompressionStream/0'],
      inherits: 'TransformStream',
      call: 'TypeError: Failed to construct \'CompressionStream\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'CompressionStream\': constructor parameter 1 is not of type \'string\'.',
    });
  },
};

// DecompressionStream.
export const decompressionStream = {
  async test() {
    assert.deepStrictEqual(shape(DecompressionStream), {
      static: ['length [c] 0', 'name [c] DecompressionStream', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] DecompressionStream', 'constructor [wc] function DecompressionStream/0'],
      inherits: 'TransformStream',
      call: 'TypeError: Failed to construct \'DecompressionStream\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'DecompressionStream\': constructor parameter 1 is not of type \'string\'.',
    });
  },
};
