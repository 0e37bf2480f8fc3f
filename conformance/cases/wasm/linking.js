// Rule: how the imports of a module are bound, and what instantiation refuses.
// Source: WebAssembly JavaScript Interface; texts are V8's.
import assert from 'node:assert';
import { throws, rejects } from './throws.js';
import kinds from './kinds.wasm';
import imports from './imports.wasm';
import start from './start.wasm';
import dataBounds from './data-bounds.wasm';
import elemBounds from './elem-bounds.wasm';

const e = new WebAssembly.Instance(kinds).exports;
const mem = new WebAssembly.Memory({ initial: 1, maximum: 5 });
const tab = new WebAssembly.Table({ element: 'anyfunc', initial: 4 });
const mg = new WebAssembly.Global({ value: 'i64', mutable: true }, 10n);
let seen;
const good = { f(...args) { seen = args; return 9n; }, mem, tab, g: 5, mg, nop() { return 'ignored'; } };
const link = (env) => new WebAssembly.Instance(imports, { env: { ...good, ...env } }).exports;

// Functions of JavaScript get converted arguments and no this.
export const calls = {
  test() {
    const x = link({});
    assert.strictEqual(x.call(1, 2n, 1.1, 2.2), 9n);
    assert.deepStrictEqual(seen, [1, 2n, 1.100000023841858, 2.2]);
    let self = 1;
    link({ nop() { self = this; } }).callnop();
    assert.strictEqual(self, undefined);
    throws(() => link({ f: () => 1 }).call(1, 2n, 3, 4), TypeError, 'Cannot convert 1 to a BigInt');
    throws(() => link({ f() {} }).call(1, 2n, 3, 4), TypeError, 'Cannot convert undefined to a BigInt');
  },
};

// Objects that are imported and exported again are the same objects; a function
// of JavaScript becomes a new one, of another module stays.
export const sameObjects = {
  test() {
    const x = link({});
    assert.deepStrictEqual([x.mem === mem, x.tab === tab, x.mg === mg, x.g.value], [true, true, true, 5]);
    assert.notStrictEqual(x.nop, good.nop);
    assert.strictEqual(x.nop.name, '1');
    assert.strictEqual(link({ nop: e.unreachable }).nop, e.unreachable);
    const before = mg.value;
    x.incmg();
    assert.strictEqual(mg.value, before + 1n);
    assert.strictEqual(link({ g: new WebAssembly.Global({ value: 'i32' }, 77) }).g.value, 77);
  },
};

// The exports of one instance serve another as imports.
export const chain = {
  test() {
    const x = link({});
    const y = link({ f: x.call, nop: x.callnop, mem: x.mem, tab: x.tab, g: x.g, mg: x.mg });
    assert.strictEqual(y.call(7, 8n, 0, 0), 9n);
    assert.deepStrictEqual(seen, [7, 8n, 0, 0]);
  },
};

// The import object.
export const importObject = {
  async test() {
    const bad = (o, text) => throws(() => new WebAssembly.Instance(imports, o), TypeError, `WebAssembly.Instance(): ${text}`);
    bad(undefined, 'Imports argument must be present and must be an object');
    bad(null, 'Argument 1 must be an object');
    bad(1, 'Argument 1 must be an object');
    bad({}, 'Import #0 "env": module is not an object or function');
    bad({ env: 1 }, 'Import #0 "env": module is not an object or function');
    await rejects(WebAssembly.instantiate(imports, {}), TypeError, 'WebAssembly.instantiate(): Import #0 "env": module is not an object or function');
    const mine = new Error('mine');
    assert.throws(() => new WebAssembly.Instance(imports, { get env() { throw mine; } }), (x) => x === mine);
    throws(() => new WebAssembly.Instance({}), TypeError, 'WebAssembly.Instance(): Argument 0 must be a WebAssembly.Module');
  },
};

// Each kind of import is checked.
export const mismatches = {
  test() {
    const bad = (n, name, v, text) => throws(() => link({ [name]: v }), WebAssembly.LinkError, `WebAssembly.Instance(): Import #${n} "env" "${name}": ${text}`);
    for (const v of [undefined, 1, {}]) bad(0, 'f', v, 'function import requires a callable');
    for (const v of [undefined, {}, new ArrayBuffer(65536)]) bad(1, 'mem', v, 'memory import must be a WebAssembly.Memory object');
    bad(1, 'mem', new WebAssembly.Memory({ initial: 0, maximum: 5 }), 'memory import has 0 pages which is smaller than the declared initial of 1');
    bad(1, 'mem', new WebAssembly.Memory({ initial: 1, maximum: 50 }), "memory import has a larger maximum size 50 than the module's declared maximum 10");
    for (const v of [undefined, {}]) bad(2, 'tab', v, 'table import requires a WebAssembly.Table');
    bad(2, 'tab', new WebAssembly.Table({ element: 'externref', initial: 4 }), 'imported table does not match the expected type');
    for (const v of [undefined, 'x', 5n, {}]) bad(3, 'g', v, 'global import must be a number, valid Wasm reference, or WebAssembly.Global object');
    bad(3, 'g', new WebAssembly.Global({ value: 'i64' }, 1n), 'imported global does not match the expected type');
    bad(3, 'g', new WebAssembly.Global({ value: 'i32', mutable: true }, 1), 'imported global does not match the expected mutability');
    for (const v of [undefined, 1n]) bad(4, 'mg', v, 'imported mutable global must be a WebAssembly.Global object');
    bad(4, 'mg', new WebAssembly.Global({ value: 'i64' }, 1n), 'imported global does not match the expected mutability');
    bad(5, 'nop', e.add, 'imported function does not match the expected type');
  },
};

// The memory is checked before everything else.
export const memoryFirst = {
  test() {
    throws(() => link({ f: 1, mem: 1 }), WebAssembly.LinkError, 'WebAssembly.Instance(): Import #1 "env" "mem": memory import must be a WebAssembly.Memory object');
  },
};

// The start function runs during instantiation, also in WebAssembly.instantiate.
export const startFunction = {
  async test() {
    let n = 0;
    const count = { e: { f() { n++; } } };
    new WebAssembly.Instance(start, count);
    assert.strictEqual(n, 1);
    const p = WebAssembly.instantiate(start, count);
    assert.strictEqual(n, 2);
    await p;
    const boom = new Error('boom');
    const fail = { e: { f() { throw boom; } } };
    assert.throws(() => new WebAssembly.Instance(start, fail), (x) => x === boom);
    await assert.rejects(WebAssembly.instantiate(start, fail), (x) => x === boom);
    throws(() => new WebAssembly.Instance(start, { e: { f: e.unreachable } }), WebAssembly.RuntimeError, 'unreachable');
  },
};

// Segments that do not fit.
export const segments = {
  test() {
    throws(() => new WebAssembly.Instance(dataBounds), WebAssembly.RuntimeError,
      'WebAssembly.Instance(): data segment 0 is out of bounds (offset 70000, length 1, memory size 65536)');
    throws(() => new WebAssembly.Instance(elemBounds), WebAssembly.RuntimeError, 'WebAssembly.Instance(): table index is out of bounds');
  },
};
