// Rule: objects can hold instances, each its own, and keep a memory's bytes in
// their storage. Source: workerd.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import counter from './counter.wasm';

export class Counter extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(() => this.load());
  }

  async load() {
    this.wasm = new WebAssembly.Instance(counter).exports;
    const saved = await this.ctx.storage.get('bytes');
    if (saved) new Uint8Array(this.wasm.memory.buffer).set(saved);
  }

  async add(n) {
    const total = this.wasm.add(n);
    await this.ctx.storage.put('bytes', new Uint8Array(this.wasm.memory.buffer).slice(0, 4));
    return total;
  }

  view() {
    return new Uint8Array(this.wasm.memory.buffer, 0, 4);
  }
}

// Each object counts for itself.
export const separate = {
  async test(_, env) {
    const a = env.COUNTERS.getByName('a');
    const b = env.COUNTERS.getByName('b');
    assert.strictEqual(await a.add(5), 5);
    assert.strictEqual(await b.add(1), 1);
    assert.strictEqual(await a.add(2), 7);
  },
};

// The bytes that were saved make a new instance go on.
export const restored = {
  async test(_, env) {
    const c = env.COUNTERS.getByName('c');
    assert.strictEqual(await c.add(300), 300);
    await c.load();
    assert.strictEqual(await c.add(1), 301);
  },
};

// A view of a memory can be a result; the caller gets a copy.
export const result = {
  async test(_, env) {
    const d = env.COUNTERS.getByName('d');
    await d.add(258);
    const view = await d.view();
    assert.deepStrictEqual([...view.slice(0, 4)], [2, 1, 0, 0]);
    view[0] = 9;
    assert.strictEqual(await d.add(0), 258);
  },
};
