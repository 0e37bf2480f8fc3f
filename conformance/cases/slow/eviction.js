// Rule: an object is evicted after 10 seconds without activity; its stub goes on
// working. Source: workerd behaviour; Cloudflare docs "Lifecycle of a Durable Object".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';

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
}

// Nothing for 8 seconds: the same instance.
export const notYet = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('kept');
    const before = await stub.which();
    await scheduler.wait(8000);
    assert.strictEqual(await stub.which(), before);
  },
};

// Nothing for 13 seconds: a new instance, the old storage.
export const evicted = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('evicted');
    await stub.put(5);
    const before = await stub.which();
    await scheduler.wait(13000);
    assert.notStrictEqual(await stub.which(), before);
    assert.strictEqual(await stub.get(), 5);
  },
};
