// Rule: what ctx.abort() takes back when it ends transactions, blocks and calls,
// for storage on disk. Source: workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

const received = [];
const bodies = [];

export class Sink extends DurableObject {
  receive(what) {
    received.push(what);
  }
}

export class Obj extends DurableObject {
  async run(index) {
    await bodies[index](this.ctx.storage, this.ctx, this.env);
  }
  async keys() {
    return [...(await this.ctx.storage.list()).keys()].join();
  }
}

// A body that ends in a reset, and the keys that are stored afterwards.
const leaves = (keys, body, Class = Error) => {
  const index = bodies.push(body) - 1;
  return {
    async test(ctrl, env) {
      const id = env.Obj.newUniqueId();
      await fails(() => env.Obj.get(id).run(index), Class, 'stop', { durableObjectReset: true });
      assert.strictEqual(await env.Obj.get(id).keys(), keys);
    },
  };
};

// A timer that was waited for is time enough for a write.
export const timer = leaves('k', async (storage, ctx) => {
  storage.put('k', 1);
  await scheduler.wait(1);
  ctx.abort('stop');
});

// Promise jobs and reads are not.
export const reads = leaves('', async (storage, ctx) => {
  await storage.put('k', 1);
  await storage.get('k');
  await storage.get('missing');
  await storage.list();
  for (let i = 0; i < 50; i++) await null;
  ctx.abort('stop');
});

// An answer from elsewhere means that the write is safe.
export const call = leaves('k', async (storage, ctx, env) => {
  storage.put('k', 1);
  await env.Sink.getByName('s').receive('call');
  ctx.abort('stop');
});

// A transaction that was awaited is safe.
export const transaction = leaves('k', async (storage, ctx) => {
  await storage.transaction((txn) => txn.put('k', 1));
  ctx.abort('stop');
});

// An open transaction is lost, what was written before it is not.
export const inTransaction = leaves('before', async (storage, ctx) => {
  storage.put('before', 1);
  await storage.transaction(async (txn) => {
    await txn.put('k', 1);
    await scheduler.wait(1);
    ctx.abort('stop');
  });
});

// A call out of a transaction does not wait for its end.
export const callInTransaction = leaves('', async (storage, ctx, env) => {
  await storage.transaction(async (txn) => {
    await txn.put('k', 1);
    await env.Sink.getByName('s').receive('from transaction');
    assert.ok(received.includes('from transaction'));
    ctx.abort('stop');
  });
});

// transactionSync makes nothing safe by itself.
export const transactionSync = leaves('', async (storage, ctx) => {
  storage.put('before', 1);
  storage.transactionSync(() => {
    storage.put('k', 1);
  });
  ctx.abort('stop');
});

// From within transactionSync.
export const inTransactionSync = leaves('', async (storage, ctx) => {
  storage.transactionSync(() => {
    storage.put('k', 1);
    ctx.abort('stop');
  });
});

// A block starts when the writes before it are safe.
export const inBlock = leaves('before', async (storage, ctx) => {
  storage.put('before', 1);
  await ctx.blockConcurrencyWhile(async () => {
    storage.put('k', 1);
    ctx.abort('stop');
  });
});

// The writes of a failed block are lost.
export const failedBlock = leaves('before', async (storage, ctx) => {
  storage.put('before', 1);
  await ctx.blockConcurrencyWhile(async () => {
    await storage.put('k', 1);
    await storage.get('x');
    throw new RangeError('stop');
  });
}, RangeError);

// deleteAll() acts at once and for good.
export const deleteAll = leaves('', async (storage, ctx) => {
  await storage.put('k', 1);
  await storage.sync();
  storage.put('l', 1);
  storage.deleteAll();
  storage.put('m', 1);
  ctx.abort('stop');
});
