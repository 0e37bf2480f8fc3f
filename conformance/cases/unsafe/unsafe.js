// Rule: workerd:unsafe: evicting, aborting and deleting objects in tests. Needs
// the option --experimental of the real binary. Source: workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';
import unsafe from 'workerd:unsafe';

let made = 0;

export class Obj extends DurableObject {
  instance = ++made;
  which() {
    return this.instance;
  }
  put(value) {
    return this.ctx.storage.put('k', value);
  }
  get() {
    return this.ctx.storage.get('k');
  }
  async slow() {
    await scheduler.wait(20);
    return this.instance;
  }
  look() {
    return this.ctx.id.name;
  }
}

// evict(): the stub goes on working, with a new instance and the old storage.
export const evict = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('evict');
    await stub.put(5);
    const before = await stub.which();
    await unsafe.evict(stub);
    assert.notStrictEqual(await stub.which(), before);
    assert.strictEqual(await stub.get(), 5);
  },
};

// evict() waits for calls in flight, which complete.
export const evictWaits = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('evict waits');
    const before = await stub.which();
    const slow = stub.slow();
    await unsafe.evict(stub);
    assert.strictEqual(await slow, before);
    assert.notStrictEqual(await stub.which(), before);
  },
};

// The name is there after an eviction.
export const evictKeepsName = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('named');
    assert.strictEqual(await stub.look(), 'named');
    await unsafe.evict(stub);
    assert.strictEqual(await stub.look(), 'named');
  },
};

// evictAllDurableObjects(): the same for all.
export const evictAll = {
  async test(ctrl, env) {
    const [a, b] = [env.Obj.getByName('all a'), env.Obj.getByName('all b')];
    const before = [await a.which(), await b.which()];
    await unsafe.evictAllDurableObjects();
    assert.notStrictEqual(await a.which(), before[0]);
    assert.notStrictEqual(await b.which(), before[1]);
  },
};

// abortAllDurableObjects(): old stubs are broken, without properties; storage on disk stays.
export const abortAll = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('abort all');
    await stub.put(5);
    await unsafe.abortAllDurableObjects();
    await fails(() => stub.get(), Error, 'Application called abortAllDurableObjects().');
    assert.strictEqual(await env.Obj.getByName('abort all').get(), 5);
  },
};

// deleteAllDurableObjects(): storage is gone, too.
export const deleteAll = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('delete all');
    await stub.put(5);
    await unsafe.deleteAllDurableObjects();
    await fails(() => stub.get(), Error, 'Application called deleteAllDurableObjects().');
    assert.strictEqual(await env.Obj.getByName('delete all').get(), undefined);
  },
};
