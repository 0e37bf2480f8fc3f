// Rule: WebAssembly.Memory: one buffer over the module's own bytes, detached when
// the memory grows. Source: WebAssembly JavaScript Interface; texts are V8's.
import assert from 'node:assert';
import { throws } from './throws.js';
import kinds from './kinds.wasm';
import imports from './imports.wasm';

const fresh = () => new WebAssembly.Instance(kinds).exports;

// The buffer is the memory: writes are seen on both sides at once.
export const shared = {
  test() {
    const e = fresh();
    assert.ok(e.memory instanceof WebAssembly.Memory);
    assert.ok(e.memory.buffer instanceof ArrayBuffer);
    assert.strictEqual(e.memory.buffer, e.memory.buffer);
    assert.strictEqual(e.memory.buffer.byteLength, 65536);
    new Uint8Array(e.memory.buffer)[3] = 42;
    assert.strictEqual(e.peek(3), 42);
  },
};

// grow from JavaScript: the old buffer is detached, the bytes stay.
export const growOutside = {
  test() {
    const e = fresh();
    const before = e.memory.buffer;
    const view = new Uint8Array(before);
    view[3] = 42;
    assert.strictEqual(e.memory.grow(1), 1);
    assert.strictEqual(before.byteLength, 0);
    assert.strictEqual(view.length, 0);
    assert.strictEqual(view[3], undefined);
    assert.notStrictEqual(e.memory.buffer, before);
    assert.strictEqual(e.memory.buffer.byteLength, 131072);
    assert.strictEqual(new Uint8Array(e.memory.buffer)[3], 42);
    new Uint8Array(e.memory.buffer)[100000] = 7;
    assert.strictEqual(e.peek(100000), 7);
  },
};

// memory.grow in WebAssembly has the same effect.
export const growInside = {
  test() {
    const e = fresh();
    const before = e.memory.buffer;
    new Uint8Array(before)[3] = 42;
    assert.strictEqual(e.grow(1), 1);
    assert.strictEqual(before.byteLength, 0);
    assert.strictEqual(e.memory.buffer.byteLength, 131072);
    assert.strictEqual(new Uint8Array(e.memory.buffer)[3], 42);
    assert.strictEqual(e.grow(100), -1);
    assert.strictEqual(e.memory.buffer.byteLength, 131072);
  },
};

// Growing by nothing detaches too.
export const growByNothing = {
  test() {
    const { memory } = fresh();
    const before = memory.buffer;
    assert.strictEqual(memory.grow(0), 1);
    assert.strictEqual(before.byteLength, 0);
    assert.strictEqual(memory.buffer.byteLength, 65536);
  },
};

// JavaScript that WebAssembly calls sees a memory that has just grown, and the
// other way round; also when the memory belongs to another instance.
export const growWhileRunning = {
  test() {
    const e = fresh();
    const { memory } = e;
    const x = new WebAssembly.Instance(imports, {
      env: {
        f() {
          const before = memory.buffer;
          e.grow(1);
          assert.strictEqual(before.byteLength, 0);
          new Uint8Array(memory.buffer)[70000] = 9;
          return BigInt(memory.buffer.byteLength);
        },
        nop() {}, g: 5, mem: memory,
        tab: new WebAssembly.Table({ element: 'anyfunc', initial: 4 }),
        mg: new WebAssembly.Global({ value: 'i64', mutable: true }, 10n),
      },
    }).exports;
    const before = memory.buffer;
    assert.strictEqual(x.mem, memory);
    assert.strictEqual(x.call(0, 0n, 0, 0), 131072n);
    assert.strictEqual(before.byteLength, 0);
    assert.strictEqual(e.peek(70000), 9);
  },
};

// What grow refuses.
export const growRefused = {
  test() {
    const { memory } = fresh();
    throws(() => memory.grow(4), RangeError, 'WebAssembly.Memory.grow(): Maximum memory size exceeded');
    throws(() => memory.grow(-1), TypeError, 'WebAssembly.Memory.grow(): Argument 0 must be non-negative');
    throws(() => memory.grow(), TypeError, 'WebAssembly.Memory.grow(): Argument 0 must be convertible to a valid number');
    throws(() => memory.grow(2 ** 32), TypeError, 'WebAssembly.Memory.grow(): Argument 0 must be in the unsigned long range');
    throws(() => new WebAssembly.Memory({ initial: 1 }).grow(65537), RangeError, 'WebAssembly.Memory.grow(): Unable to grow instance memory');
    throws(() => WebAssembly.Memory.prototype.grow.call({}, 1), TypeError, 'WebAssembly.Memory.grow(): Receiver is not a WebAssembly.Memory');
  },
};

// Making memories.
export const construct = {
  test() {
    const m = new WebAssembly.Memory({ initial: 1, maximum: 3 });
    assert.strictEqual(m.grow(2), 1);
    assert.strictEqual(m.buffer.byteLength, 3 * 65536);
    assert.strictEqual(new WebAssembly.Memory({ initial: '2' }).buffer.byteLength, 131072);
    const bad = (d, c, text) => throws(() => new WebAssembly.Memory(d), c, `WebAssembly.Memory(): ${text}`);
    bad(undefined, TypeError, 'Argument 0 must be a memory descriptor');
    bad({}, TypeError, "Property 'initial' is required");
    bad({ initial: -1 }, TypeError, "Property 'initial' must be non-negative");
    bad({ initial: 'x' }, TypeError, "Property 'initial' must be convertible to a valid number");
    bad({ initial: 5, maximum: 1 }, RangeError, "Property 'maximum': value 1 is below the lower bound 5");
    bad({ initial: 70000 }, RangeError, "Property 'initial': value 70000 is above the upper bound 65536");
    bad({ initial: 1, shared: true }, TypeError, 'If shared is true, maximum property should be defined.');
  },
};
