// Rule: how values pass between JavaScript and WebAssembly. Source: WebAssembly
// JavaScript Interface, ToJSValue and ToWebAssemblyValue; error texts are V8's.
import assert from 'node:assert';
import { throws } from './throws.js';
import kinds from './kinds.wasm';
import multi from './multi.wasm';

const e = new WebAssembly.Instance(kinds).exports;

// i32: ToInt32.
export const i32 = {
  test() {
    const cases = [[1.9, 1], [-1.9, -1], [2 ** 32 + 5, 5], [2 ** 53, 0], [-(2 ** 31) - 1, 2 ** 31 - 1], [1e300, 0], ['12', 12], ['x', 0], [null, 0],
      [undefined, 0], [true, 1], [{ valueOf: () => 3 }, 3], [NaN, 0], [Infinity, 0]];
    for (const [given, want] of cases) assert.strictEqual(e.id32(given), want);
    assert.strictEqual(e.id32(), 0);
    assert.strictEqual(e.add(1, 2, 3), 3);
    assert.strictEqual(e.add(2 ** 31 - 1, 1), -(2 ** 31));
    throws(() => e.id32(1n), TypeError, 'Cannot convert a BigInt value to a number');
    throws(() => e.id32(Symbol()), TypeError, 'Cannot convert a Symbol value to a number');
    const mine = new Error('mine');
    assert.throws(() => e.id32({ valueOf() { throw mine; } }), (x) => x === mine);
  },
};

// i64: ToBigInt64.
export const i64 = {
  test() {
    const cases = [[1n, 1n], [2n ** 64n - 1n, -1n], [2n ** 63n, -(2n ** 63n)], ['7', 7n], [true, 1n], [false, 0n], [3n - 2n ** 70n, 3n], [{ valueOf: () => 4n }, 4n]];
    for (const [given, want] of cases) assert.strictEqual(e.idi64(given), want);
    throws(() => e.idi64(1), TypeError, 'Cannot convert 1 to a BigInt');
    throws(() => e.idi64(), TypeError, 'Cannot convert undefined to a BigInt');
    throws(() => e.idi64(null), TypeError, 'Cannot convert null to a BigInt');
    throws(() => e.idi64('x'), SyntaxError, 'Cannot convert x to a BigInt');
    throws(() => e.idi64(Symbol('s')), TypeError, 'Cannot convert Symbol(s) to a BigInt');
  },
};

// f32 rounds, f64 does not.
export const floats = {
  test() {
    for (const [given, want] of [[1.1, 1.100000023841858], [NaN, NaN], [-0, -0], [1e39, Infinity], ['2.5', 2.5]]) {
      assert.ok(Object.is(e.idf32(given), want), String(given));
    }
    for (const v of [1.1, -0, NaN, 5e-324, 1e308]) assert.ok(Object.is(e.idf64(v), v), String(v));
  },
};

// externref: every value comes back as it went in.
export const externref = {
  test() {
    const o = {};
    const s = Symbol();
    for (const v of [o, s, 1, 1.5, -0, 'text', 'täxt', undefined, null, NaN, 5n, true, e.add]) {
      e.eset(0, v);
      assert.ok(Object.is(e.eget(0), v), String(v));
      assert.ok(Object.is(e.ext.get(0), v), String(v));
    }
    assert.strictEqual(e.eget(1), null);
  },
};

// Thousands of references to values that are then forgotten do no harm.
export const manyExternrefs = {
  test() {
    const kept = { kept: true };
    e.eset(1, kept);
    for (let i = 0; i < 5000; i++) {
      const o = { i };
      e.eset(0, o);
      assert.strictEqual(e.eget(0), o);
    }
    assert.strictEqual(e.eget(1), kept);
    e.eset(1, null);
  },
};

// funcref: null or an exported function, which keeps its identity.
export const funcref = {
  test() {
    e.tset(2, e.id32);
    assert.strictEqual(e.tget(2), e.id32);
    e.tset(2, null);
    assert.strictEqual(e.tget(2), null);
    const text = 'type incompatibility when transforming from/to JS';
    for (const v of [() => 1, undefined, {}, 1]) throws(() => e.tset(2, v), TypeError, text);
  },
};

// v128 has no JavaScript form.
export const v128 = {
  test() {
    throws(() => e.v128(), TypeError, 'type incompatibility when transforming from/to JS');
  },
};

// Several results are an array; from JavaScript they are any iterable of that length.
export const multipleResults = {
  test() {
    const g = (f) => new WebAssembly.Instance(multi, { e: { f } }).exports.g();
    assert.deepStrictEqual(g(() => [1, 2n]), [1, 2n]);
    assert.deepStrictEqual(g(() => new Set([1.5, 2n])), [1, 2n]);
    assert.deepStrictEqual(g(function* () { yield 3; yield 4n; }), [3, 4n]);
    throws(() => g(() => [1]), TypeError, 'multi-return length mismatch');
    throws(() => g(() => [1, 2n, 3]), TypeError, 'multi-return length mismatch');
    throws(() => g(() => 7), TypeError, 'number 7 is not iterable (cannot read property Symbol(Symbol.iterator))');
    throws(() => g(() => [1, 2]), TypeError, 'Cannot convert 2 to a BigInt');
  },
};
