// Rule: WebAssembly.Table. Source: WebAssembly JavaScript Interface; texts are V8's.
import assert from 'node:assert';
import { throws } from './throws.js';
import kinds from './kinds.wasm';
import imports from './imports.wasm';
import extra from './extra.wasm';

const fresh = () => new WebAssembly.Instance(kinds).exports;
const notFunction = 'function-typed object must be null (if nullable) or a Wasm function object';

// Functions in a table are the exported functions, and others have an identity too.
export const identity = {
  test() {
    const e = fresh();
    const t = e.table;
    assert.strictEqual(t.length, 3);
    assert.strictEqual(t.get(0), e.add);
    assert.strictEqual(t.get(1), t.get(1));
    assert.deepStrictEqual([t.get(1).name, t.get(1).length, t.get(1)()], ['19', 0, 99]);
    assert.strictEqual(t.get(2), null);
  },
};

// set and grow.
export const change = {
  test() {
    const e = fresh();
    const t = e.table;
    t.set(2, e.add);
    assert.strictEqual(t.get(2), e.add);
    assert.strictEqual(e.tget(2), e.add);
    t.set(2);
    assert.strictEqual(t.get(2), null);
    assert.strictEqual(t.grow(2), 3);
    assert.strictEqual(t.grow(1, e.id32), 5);
    assert.strictEqual(t.length, 6);
    assert.deepStrictEqual([t.get(4), t.get(5)], [null, e.id32]);
    e.ext.set(0);
    assert.strictEqual(e.ext.get(0), undefined);
    e.ext.grow(1);
    assert.strictEqual(e.ext.get(2), undefined);
  },
};

// Functions of one instance work in another's table, and in call_indirect.
export const crossInstance = {
  test() {
    const a = fresh();
    const b = fresh();
    a.table.set(2, b.id32);
    assert.strictEqual(a.table.get(2), b.id32);
    assert.strictEqual(a.table.get(2)(5), 5);
    let called = 0;
    const x = new WebAssembly.Instance(imports, {
      env: {
        f: () => 0n, nop() { called++; return 'ignored'; }, g: 5,
        mem: new WebAssembly.Memory({ initial: 1, maximum: 5 }),
        tab: new WebAssembly.Table({ element: 'anyfunc', initial: 4 }),
        mg: new WebAssembly.Global({ value: 'i64', mutable: true }, 10n),
      },
    }).exports;
    // An import of JavaScript that is exported again is a function of the module.
    a.table.set(2, x.nop);
    assert.strictEqual(a.table.get(2), x.nop);
    a.ci(2);
    assert.strictEqual(called, 1);
    assert.strictEqual(x.nop(), undefined);
    assert.deepStrictEqual([x.tab.get(0), x.tab.get(1), x.tab.get(2)], [x.call, x.nop, null]);
  },
};

// What get, set and grow refuse.
export const refused = {
  test() {
    const { table, add } = fresh();
    const bad = (f, c, text) => throws(f, c, `WebAssembly.Table.${text}`);
    bad(() => table.get(3), RangeError, 'get(): invalid address 3 in funcref table of size 3');
    bad(() => table.get(-1), TypeError, 'get(): Argument 0 must be non-negative');
    bad(() => table.get(), TypeError, 'get(): Argument 0 must be convertible to a valid number');
    bad(() => table.set(9, null), RangeError, 'set(): invalid address 9 in funcref table of size 3');
    for (const v of [() => 1, {}, undefined, 1]) bad(() => table.set(2, v), TypeError, `set(): Argument 1 is invalid for table: ${notFunction}`);
    bad(() => table.grow(100), RangeError, 'grow(): failed to grow table by 100');
    bad(() => table.grow(1, {}), TypeError, `grow(): Argument 1 is invalid: ${notFunction}`);
    throws(() => WebAssembly.Table.prototype.get.call({}, 1), TypeError, 'WebAssembly.Table.get(): Receiver is not a WebAssembly.Table');
  },
};

// Making tables.
export const construct = {
  test() {
    const { add } = fresh();
    const t = new WebAssembly.Table({ element: 'anyfunc', initial: 2 }, add);
    assert.deepStrictEqual([t.length, t.get(0), t.get(1)], [2, add, add]);
    assert.strictEqual(new WebAssembly.Table({ element: 'externref', initial: 1 }).get(0), undefined);
    assert.strictEqual(new WebAssembly.Table({ element: 'externref', initial: 1 }, 5).get(0), 5);
    const bad = (d, c, text) => throws(() => new WebAssembly.Table(d), c, `WebAssembly.Table(): ${text}`);
    bad(undefined, TypeError, 'Argument 0 must be a table descriptor');
    bad({ initial: 1 }, TypeError, "Descriptor property 'element' must be a WebAssembly reference type");
    bad({ element: 'funcref', initial: 1 }, TypeError, "Descriptor property 'element' must be a WebAssembly reference type");
    bad({ element: 'anyfunc' }, TypeError, "Property 'initial' is required");
    bad({ element: 'anyfunc', initial: 3, maximum: 1 }, RangeError, "Property 'maximum': value 1 is below the lower bound 3");
    bad({ element: 'anyfunc', initial: 10000001 }, RangeError, "Property 'initial': value 10000001 is above the upper bound 10000000");
  },
};

// Imports of tables are checked against the declared size.
export const linking = {
  test() {
    const link = (d) => new WebAssembly.Instance(extra, { e: { t: new WebAssembly.Table({ element: 'anyfunc', ...d }) } });
    link({ initial: 2, maximum: 5 });
    link({ initial: 3, maximum: 4 });
    const bad = (d, text) => throws(() => link(d), WebAssembly.LinkError, `WebAssembly.Instance(): table import 0 ${text}`);
    bad({ initial: 1 }, 'is smaller than initial 2, got 1');
    bad({ initial: 2 }, 'has no maximum length; required: 5');
  },
};
