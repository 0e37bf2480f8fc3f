// Rule: when reads of storage in memory are answered: it is a cache with nothing
// behind it, and what the cache does not know takes a turn. Source: workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';

const bodies = [];

export class Obj extends DurableObject {
  async run(index) {
    await bodies[index](this.ctx.storage, this.ctx);
    return 'done';
  }
}

// A test whose body runs inside a fresh object.
const inside = (body) => {
  const index = bodies.push(body) - 1;
  return {
    async test(ctrl, env) {
      assert.strictEqual(await env.Obj.get(env.Obj.newUniqueId()).run(index), 'done');
    },
  };
};

// The rank of the promise among a chain of promise jobs that starts with it: 2
// means behind the second, 'later' behind all of them.
async function rank(start) {
  const log = [];
  const promise = start();
  promise.then(() => log.push('settled'));
  let job = Promise.resolve();
  for (let i = 0; i < 20; i++) job = job.then(() => log.push('job'));
  await scheduler.wait(1);
  await promise;
  const at = log.indexOf('settled');
  return at === 20 || at === -1 ? 'later' : at;
}

// The first get of a missing key, one or many.
export const getMissing = inside(async (storage) => {
  assert.strictEqual(await rank(() => storage.get('k')), 'later');
  assert.strictEqual(await rank(() => storage.get(['a', 'b'])), 'later');
});

// delete of a key that was never looked for.
export const deleteMissing = inside(async (storage) => {
  assert.strictEqual(await rank(() => storage.delete('k')), 'later');
  assert.strictEqual(await rank(() => storage.delete(['a', 'b'])), 'later');
});

// The same in a transaction.
export const transaction = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    assert.strictEqual(await rank(() => txn.get('a')), 'later');
    assert.strictEqual(await rank(() => txn.delete('b')), 'later');
    assert.strictEqual(await rank(() => txn.delete('b')), 2);
    assert.strictEqual(await rank(() => txn.list()), 'later');
    assert.strictEqual(await rank(() => txn.list()), 2);
  });
});

// list, but for the second time.
export const list = inside(async (storage) => {
  storage.put('k', 1);
  assert.strictEqual(await rank(() => storage.list()), 'later');
  assert.strictEqual(await rank(() => storage.list()), 2);
});

// There is nothing to wait for in sync().
export const sync = inside(async (storage) => {
  storage.put('k', 1);
  assert.strictEqual(await rank(() => storage.sync()), 1);
});

// The input gate is closed while a read waits: a timer fires behind it.
export const gate = inside(async (storage) => {
  const log = [];
  setTimeout(() => log.push('timer'), 0);
  await storage.get('k');
  log.push('read');
  await scheduler.wait(5);
  assert.deepStrictEqual(log, ['read', 'timer']);
});
