// Rule: when the promises of storage are settled: within the turn, two promise
// jobs on, or in a later turn. Source: workerd behaviour.
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

// put, of one or many, awaits nothing.
export const put = inside(async (storage) => {
  assert.strictEqual(await rank(() => storage.put('k', 1)), 2);
  assert.strictEqual(await rank(() => storage.put({ a: 1, b: 2 })), 2);
  assert.strictEqual(await rank(() => storage.put('k', 1, { allowUnconfirmed: true })), 2);
});

// get of what was put.
export const getWritten = inside(async (storage) => {
  storage.put('k', 1);
  assert.strictEqual(await rank(() => storage.get('k')), 2);
  assert.strictEqual(await rank(() => storage.get(['k'])), 2);
  assert.strictEqual(await rank(() => storage.get('k', { allowConcurrency: true })), 2);
});

// The second get of a missing key.
export const getMissingAgain = inside(async (storage) => {
  await storage.get('k');
  assert.strictEqual(await rank(() => storage.get('k')), 2);
});

// delete of what was put, and get of what was deleted.
export const deleteWritten = inside(async (storage) => {
  storage.put('k', 1);
  assert.strictEqual(await rank(() => storage.delete('k')), 2);
  assert.strictEqual(await rank(() => storage.get('k')), 2);
});

// After deleteAll() everything is known.
export const afterDeleteAll = inside(async (storage) => {
  assert.strictEqual(await rank(() => storage.deleteAll()), 2);
  assert.strictEqual(await rank(() => storage.get('never')), 2);
  assert.strictEqual(await rank(() => storage.delete('never')), 2);
  assert.strictEqual(await rank(() => storage.list()), 2);
});

// After list() everything is known.
export const afterList = inside(async (storage) => {
  await storage.list();
  assert.strictEqual(await rank(() => storage.get(['a', 'b'])), 2);
  assert.strictEqual(await rank(() => storage.list({ prefix: 'a' })), 2);
  assert.strictEqual(await rank(() => storage.list({ reverse: true, limit: 1 })), 2);
});

// The same within a transaction.
export const transaction = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    assert.strictEqual(await rank(() => txn.put('k', 1)), 2);
    assert.strictEqual(await rank(() => txn.get('k')), 2);
    assert.strictEqual(await rank(() => txn.delete('k')), 2);
    assert.strictEqual(await rank(() => txn.get('k')), 2);
  });
});

// A transaction and a block take turns of their own.
export const sections = inside(async (storage, ctx) => {
  assert.strictEqual(await rank(() => storage.transaction(() => {})), 'later');
  assert.strictEqual(await rank(() => ctx.blockConcurrencyWhile(() => {})), 'later');
});

// Errors in arguments reject at once.
export const errors = inside(async (storage) => {
  const at = async (start) => rank(() => start().catch(() => {}));
  assert.strictEqual(await at(() => storage.put('k')), 1);
  assert.strictEqual(await at(() => storage.get()), 1);
  assert.strictEqual(await at(() => storage.list({ limit: 0 })), 1);
});
