// Rule: values that survive a call both ways, as argument and as result.
// Source: Cloudflare docs "Remote-procedure call (RPC)"; HTML spec, structured clone; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';

export class Obj extends DurableObject {
  echo(value) {
    return value;
  }
  count(...args) {
    return args.length;
  }
  kind(value) {
    return Object.prototype.toString.call(value);
  }
}

// The echoed value is deeply equal and, inside the object, has the same tag.
const echo = (make) => ({
  async test(ctrl, env) {
    const stub = env.Obj.getByName('echo');
    assert.deepStrictEqual(await stub.echo(make()), make());
    assert.strictEqual(await stub.kind(make()), Object.prototype.toString.call(make()));
  },
});

// Primitives.
export const undefinedValue = echo(() => undefined);
export const nullValue = echo(() => null);
export const booleans = echo(() => [true, false]);
export const integers = echo(() => [0, 1, -1, 2 ** 30, -(2 ** 31), 2 ** 31, 2 ** 53, -(2 ** 53)]);
export const doubles = echo(() => [1.5, -0, NaN, Infinity, -Infinity, 5e-324, 1.7976931348623157e308]);
export const minusZero = echo(() => -0);
export const bigints = echo(() => [0n, 1n, -1n, 2n ** 64n, -(2n ** 200n)]);
export const strings = echo(() => ['', 'a', '\u00e9', '\u4e2d\u6587', '\u{1f600}', '\u0000', '\ud800']);
export const longString = echo(() => 'x\u00e9'.repeat(50000));

// Boxed primitives stay boxed.
export const boxed = echo(() => [new Number(1), new String('s'), new Boolean(false), Object(5n)]);

// Plain objects and arrays.
export const emptyObject = echo(() => ({}));
export const nestedObject = echo(() => ({ a: { b: { c: [1, { d: null }] } }, e: undefined }));
export const integerKeys = echo(() => ({ 2: 'two', 1: 'one', b: 'b', a: 'a' }));
export const oddKeys = echo(() => ({ '': 1, '\u00e9': 2, '-1': 3, 'a b': 4 }));
export const denseArray = echo(() => [1, 'a', null, undefined, [2]]);
export const sparseArray = echo(() => [1, , 3]);
export const arrayWithProperty = echo(() => Object.assign([1, 2], { extra: 'x' }));
export const longArray = echo(() => Array.from({ length: 10000 }, (_, i) => i * 3));

// Dates, an invalid one included.
export const dates = echo(() => [new Date(0), new Date(-1), new Date(8.64e15)]);
export const invalidDate = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('echo').echo(new Date(NaN));
    assert.ok(out instanceof Date);
    assert.strictEqual(out.getTime(), NaN);
  },
};

// Regular expressions keep source and flags.
export const regexps = echo(() => [/ab+/gi, /\//, /a.c/s, /x/y, /\u{61}/u]);

// Maps and Sets keep order and nesting.
export const map = echo(() => new Map([[1, 'a'], ['k', new Map([[null, []]])], [{ o: 1 }, undefined]]));
export const set = echo(() => new Set([3, 1, 'q', null, NaN]));

// Buffers and views.
export const arrayBuffer = echo(() => new Uint8Array([1, 2, 3]).buffer);
export const emptyBuffer = echo(() => new ArrayBuffer(0));
export const views = echo(() => [
  new Int8Array([-1]), new Uint8Array([255]), new Uint8ClampedArray([300]), new Int16Array([-2]),
  new Uint16Array([3]), new Int32Array([-4]), new Uint32Array([5]), new Float32Array([1.5]),
  new Float64Array([2.5]), new BigInt64Array([-6n]), new BigUint64Array([7n]),
]);
export const dataView = echo(() => new DataView(new Uint8Array([9, 8, 7, 6]).buffer, 1, 2));

// Errors as values.
export const errors = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('e').echo([new Error('a'), new TypeError('b'), new RangeError('c')]);
    assert.deepStrictEqual(out.map((e) => [e.constructor.name, e.message]),
      [['Error', 'a'], ['TypeError', 'b'], ['RangeError', 'c']]);
  },
};

// The cause of an error value arrives.
export const errorCause = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('e').echo(new Error('a', { cause: { code: 5 } }));
    assert.deepStrictEqual(out.cause, { code: 5 });
  },
};

// A DOMException value keeps name, message and code.
export const domException = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('e').echo(new DOMException('m', 'AbortError'));
    assert.ok(out instanceof DOMException);
    assert.deepStrictEqual([out.name, out.message, out.code], ['AbortError', 'm', 20]);
  },
};

// A view keeps its offset and its whole buffer.
export const viewOfLargerBuffer = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('e').echo(new Uint8Array([1, 2, 3, 4]).subarray(1, 3));
    assert.deepStrictEqual([...out], [2, 3]);
    assert.deepStrictEqual([out.byteOffset, out.buffer.byteLength], [1, 4]);
  },
};

// Two views of one buffer share it afterwards.
export const sharedBuffer = {
  async test(ctrl, env) {
    const buffer = new ArrayBuffer(4);
    const [a, b] = await env.Obj.getByName('e').echo([new Uint8Array(buffer), new Uint8Array(buffer)]);
    assert.strictEqual(a.buffer, b.buffer);
  },
};

// Arguments are copies: the caller's buffer is not detached.
export const notDetached = {
  async test(ctrl, env) {
    const bytes = new Uint8Array([1, 2, 3]);
    const out = await env.Obj.getByName('e').echo(bytes);
    out[0] = 9;
    assert.deepStrictEqual([...bytes], [1, 2, 3]);
  },
};

// Arguments are taken at the call: later changes are not seen.
export const copiedAtCall = {
  async test(ctrl, env) {
    const value = { n: 1 };
    const promise = env.Obj.getByName('e').echo(value);
    value.n = 2;
    assert.deepStrictEqual(await promise, { n: 1 });
  },
};

// Cycles survive.
export const cycle = {
  async test(ctrl, env) {
    const value = { name: 'loop' };
    value.self = value;
    const out = await env.Obj.getByName('e').echo(value);
    assert.strictEqual(out.self, out);
  },
};

// An object that is named twice is one object afterwards, within one argument.
export const sameObjectTwice = {
  async test(ctrl, env) {
    const shared = { x: 1 };
    const out = await env.Obj.getByName('e').echo({ a: shared, b: [shared] });
    assert.strictEqual(out.a, out.b[0]);
  },
};

// Key order survives.
export const keyOrder = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('e').echo({ z: 1, a: 2, 1: 3 });
    assert.deepStrictEqual(Object.keys(out), ['1', 'z', 'a']);
  },
};

// Getters are read by the sender and arrive as plain values.
export const getterBecomesValue = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('e').echo({ get x() { return 5; } });
    assert.deepStrictEqual(Object.getOwnPropertyDescriptor(out, 'x'),
      { value: 5, writable: true, enumerable: true, configurable: true });
  },
};

// Symbol keys and non-enumerable properties are dropped; results get a
// disposer of their own, which is not enumerable.
export const droppedProperties = {
  async test(ctrl, env) {
    const value = { kept: 1, [Symbol('s')]: 2 };
    Object.defineProperty(value, 'hidden', { value: 3 });
    const out = await env.Obj.getByName('e').echo(value);
    assert.deepStrictEqual(Reflect.ownKeys(out), ['kept', Symbol.dispose]);
    assert.strictEqual(Object.getOwnPropertyDescriptor(out, Symbol.dispose).enumerable, false);
  },
};

// Frozen objects arrive unfrozen.
export const frozen = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('e').echo(Object.freeze({ a: 1 }));
    assert.ok(!Object.isFrozen(out));
    assert.deepStrictEqual(out, { a: 1 });
  },
};

// Every argument counts, undefined ones at the end too.
export const argumentCount = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('e');
    assert.strictEqual(await stub.count(), 0);
    assert.strictEqual(await stub.count(undefined), 1);
    assert.strictEqual(await stub.count(1, undefined, undefined), 3);
  },
};

// A method without a return value gives undefined.
export const noReturn = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('e').echo(), undefined);
  },
};

// A value of 1 MiB goes through.
export const oneMebibyte = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('e').echo(new Uint8Array(1 << 20).fill(7));
    assert.strictEqual(out.length, 1 << 20);
    assert.ok(out.every((b) => b === 7));
  },
};
