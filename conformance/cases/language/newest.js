// Rule: built-ins of the newest editions. Source: https://tc39.es/ecma262/ and the proposals that the real runtime has.
import assert from 'node:assert';

const test = (f) => ({ test: f });
const type = (message) => ({ name: 'TypeError', message });

export const zip = test(() => {
  assert.deepStrictEqual([...Iterator.zip([[1, 2], [3, 4, 5]])], [[1, 3], [2, 4]]);
  assert.deepStrictEqual([...Iterator.zip([[1, 2], [3]], { mode: 'longest', padding: [7, 8] })], [[1, 3], [2, 8]]);
  assert.throws(() => [...Iterator.zip([[1], [3, 4]], { mode: 'strict' })], type("Iterators passed to Iterator.zip in 'strict' mode must have the same length"));
  assert.throws(() => Iterator.zip([], { mode: 'x' }), type("Iterator.zip mode must be 'shortest', 'longest', or 'strict'"));
  assert.throws(() => Iterator.zip(['ab']), type('ab is not iterable'));
});

export const zipKeyed = test(() => {
  const [first] = Iterator.zipKeyed({ a: [1], b: [2, 3] });
  assert.deepStrictEqual([{ ...first }, Object.getPrototypeOf(first)], [{ a: 1, b: 2 }, null]);
});

// The shorter iterator ends the others.
export const zipCloses = test(() => {
  let closed = 0;
  const endless = { next: () => ({ done: false, value: 0 }), return() { closed++; return {}; }, [Symbol.iterator]() { return this; } };
  assert.deepStrictEqual([...Iterator.zip([[1], endless])], [[1, 0]]);
  assert.strictEqual(closed, 1);
});

export const iteratorJoin = test(() => {
  assert.deepStrictEqual([[1, null, undefined, 'a'].values().join(), [1, 2].values().join('-'), [].values().join()], ['1,,,a', '1-2', '']);
});

export const iteratorIncludes = test(() => {
  assert.deepStrictEqual([[1, NaN].values().includes(NaN), [1].values().includes(2), [1, 2, 1].values().includes(1, 1), [1].values().includes(1, 1)], [true, false, true, false]);
  assert.throws(() => [1].values().includes(1, -1), { name: 'RangeError', message: '-1 must be positive' });
});

export const viewFloat16 = test(() => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat16(0, 1.1);
  view.setFloat16(2, 1.1, true);
  assert.deepStrictEqual([view.getFloat16(0), view.getFloat16(2, true), view.getUint16(0)], [1.099609375, 1.099609375, 15462]);
  for (const [x, want] of [[65504, 65504], [65520, Infinity], [5.96e-8, 5.960464477539063e-8], [-0, -0], [NaN, NaN], [2049, 2048], [1e-8, 0]]) {
    view.setFloat16(4, x);
    assert.strictEqual(view.getFloat16(4), want);
  }
  assert.throws(() => view.getFloat16(7), { name: 'RangeError', message: 'Offset is outside the bounds of the DataView' });
});

// Each operation: what it returns, and what the element is then.
export const atomicOperations = test(() => {
  const list = new Int32Array(1);
  const run = (op, ...args) => {
    list[0] = 6;
    return [Atomics[op](list, 0, ...args), list[0]];
  };
  assert.deepStrictEqual(['add', 'and', 'exchange', 'or', 'store', 'sub', 'xor'].map((op) => run(op, 3)), [[6, 9], [6, 2], [6, 3], [6, 7], [3, 3], [6, 3], [6, 5]]);
  assert.deepStrictEqual([run('compareExchange', 6, 7), run('compareExchange', 5, 7), run('load')], [[6, 7], [6, 6], [6, 6]]);
});

export const atomicElements = test(() => {
  const [bytes, bigs] = [new Uint8Array([250]), new BigInt64Array([5n])];
  assert.deepStrictEqual([Atomics.add(bytes, 0, 10), bytes[0], Atomics.add(bigs, 0, 3n), bigs[0]], [250, 4, 5n, 8n]);
  assert.throws(() => Atomics.add(bigs, 0, 1), type('Cannot convert 1 to a BigInt'));
  assert.throws(() => Atomics.add(bytes, 0, 1n), type('Cannot convert a BigInt value to a number'));
});

export const atomicErrors = test(() => {
  assert.throws(() => Atomics.load(new Int32Array(4), 4), { name: 'RangeError', message: 'Invalid atomic access index: 4' });
  assert.throws(() => Atomics.load(new Float32Array(4), 0), type('[object Float32Array] is not an integer typed array.'));
  assert.throws(() => Atomics.load({}, 0), type('#<Object> is not an integer typed array.'));
});

export const atomicWaiting = test(() => {
  assert.strictEqual(Atomics.notify(new Int32Array(1), 0), 0);
  assert.throws(() => Atomics.wait(new Int32Array(1), 0, 0, 0), type('[object Int32Array] is not a shared typed array.'));
  assert.throws(() => Atomics.notify(new Uint8Array(1), 0), type('[object Uint8Array] is not an int32 or BigInt64 typed array.'));
  assert.deepStrictEqual([0, 1, 2, 3, 4, 8].map(Atomics.isLockFree), [false, true, true, false, true, true]);
});

export const float16Array = test(() => {
  assert.deepStrictEqual([...new Float16Array([1, 1.1, 65520])], [1, 1.099609375, Infinity]);
});
