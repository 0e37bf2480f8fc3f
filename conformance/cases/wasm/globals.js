// Rule: WebAssembly.Global. Source: WebAssembly JavaScript Interface; texts are V8's.
import assert from 'node:assert';
import { throws } from './throws.js';
import kinds from './kinds.wasm';
import extra from './extra.wasm';

const e = new WebAssembly.Instance(kinds).exports;
const notFunction = 'function-typed object must be null (if nullable) or a Wasm function object';

// Exported globals.
export const exported = {
  test() {
    assert.ok(e.gi instanceof WebAssembly.Global);
    assert.deepStrictEqual([e.gi.value, e.gi.valueOf(), e.gm.value, e.gl.value], [7, 7, 1.25, -5n]);
    e.gm.value = '2.5';
    assert.strictEqual(e.gm.value, 2.5);
    e.gl.value = 2n ** 63n;
    assert.strictEqual(e.gl.value, -(2n ** 63n));
    throws(() => { e.gi.value = 2; }, TypeError, "set WebAssembly.Global.value): Can't set the value of an immutable global.");
    throws(() => { e.gl.value = 1; }, TypeError, 'Cannot convert 1 to a BigInt');
    throws(() => Object.getOwnPropertyDescriptor(WebAssembly.Global.prototype, 'value').get.call({}), TypeError,
      'get WebAssembly.Global.value): Receiver is not a WebAssembly.Global');
  },
};

// Globals of references and of v128.
export const references = {
  test() {
    const x = new WebAssembly.Instance(extra, { e: { t: new WebAssembly.Table({ element: 'anyfunc', initial: 2, maximum: 3 }) } }).exports;
    assert.strictEqual(x.gf.value, x.f1);
    x.gf.value = e.add;
    assert.strictEqual(x.gf.value, e.add);
    x.gf.value = null;
    assert.strictEqual(x.gf.value, null);
    throws(() => { x.gf.value = {}; }, TypeError, `set WebAssembly.Global.value): ${notFunction}`);
    assert.strictEqual(x.gx.value, null);
    throws(() => x.v.value, TypeError, "get WebAssembly.Global.value): Can't get the value of s128 WebAssembly.Global");
  },
};

// Making globals.
export const construct = {
  test() {
    const make = (value, ...args) => new WebAssembly.Global({ value }, ...args).value;
    const o = {};
    assert.deepStrictEqual([make('i32'), make('i32', 42.7), make('i32', undefined), make('i64'), make('i64', 5n), make('f32', 1.1), make('f64', 1.1)],
      [0, 42, 0, 0n, 5n, 1.100000023841858, 1.1]);
    assert.deepStrictEqual([make('externref'), make('externref', undefined), make('externref', null)], [undefined, undefined, null]);
    assert.strictEqual(make('externref', o), o);
    assert.strictEqual(make('anyfunc'), null);
    assert.strictEqual(make('anyfunc', e.add), e.add);
    const g = new WebAssembly.Global({ value: 'i32', mutable: true }, 1);
    g.value = 3;
    assert.strictEqual(g.value, 3);
    const bad = (d, v, text) => throws(() => new WebAssembly.Global(d, v), TypeError, text);
    bad(undefined, 0, 'WebAssembly.Global(): Argument 0 must be a global descriptor');
    bad({}, 0, "WebAssembly.Global(): Descriptor property 'value' must be a WebAssembly type");
    bad({ value: 'v128' }, 0, "WebAssembly.Global(): A global of type 'v128' cannot be created in JavaScript");
    bad({ value: 'i64' }, 5, 'Cannot convert 5 to a BigInt');
    bad({ value: 'anyfunc' }, {}, `WebAssembly.Global(): ${notFunction}`);
  },
};
