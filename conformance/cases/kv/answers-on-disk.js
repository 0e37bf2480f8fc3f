// Rule: when reads of storage on disk are answered: SQLite is at hand, so all but
// sync() are answered within the turn. Source: workerd behaviour.
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

// Reads of what nobody asked for before.
export const reads = inside(async (storage) => {
  assert.strictEqual(await rank(() => storage.get('k')), 2);
  assert.strictEqual(await rank(() => storage.get(['a', 'b'])), 2);
  assert.strictEqual(await rank(() => storage.delete('c')), 2);
  assert.strictEqual(await rank(() => storage.delete(['d'])), 2);
  assert.strictEqual(await rank(() => storage.list()), 2);
});

// sync() waits, for nothing too.
export const sync = inside(async (storage) => {
  assert.strictEqual(await rank(() => storage.sync()), 'later');
  storage.put('k', 1);
  assert.strictEqual(await rank(() => storage.sync()), 'later');
});
