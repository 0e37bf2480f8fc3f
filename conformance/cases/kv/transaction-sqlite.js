// Rule: a transaction on disk is one of SQLite: whatever is written while it is
// open belongs to it. Source: workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails, throws } from 'failure.js';

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

// storage and txn see the same.
export const shared = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await txn.put('a', 1);
    assert.strictEqual(await storage.get('a'), 1);
    await storage.put('b', 2);
    assert.strictEqual(await txn.get('b'), 2);
  });
});

// An inner transaction sees what the outer one wrote.
export const innerSeesOuter = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await txn.put('outer', 1);
    await storage.transaction(async (inner) => assert.strictEqual(await inner.get('outer'), 1));
  });
});

// The outer transaction cannot be rolled back while an inner one runs.
export const rollbackOuter = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await storage.transaction(async (inner) => {
      await inner.put('k', 1);
      throws(() => txn.rollback(), Error, 'Cannot roll back an outer transaction while a nested transaction is still running.');
    });
    assert.strictEqual(await txn.get('k'), 1);
  });
});

// storage.deleteAll() is refused too.
export const deleteAll = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await txn.put('k', 1);
    await fails(() => storage.deleteAll(), Error, 'Cannot call deleteAll() within a transaction');
  });
  assert.strictEqual(await storage.get('k'), 1);
});

// Limits count what is left.
export const listLimit = inside(async (storage) => {
  await storage.put({ a: 1, b: 2, d: 4, f: 6 });
  await storage.transaction(async (txn) => {
    await txn.delete(['a', 'd']);
    await txn.put({ c: 3, f: 7, g: 8 });
    assert.deepStrictEqual([...(await txn.list({ limit: 2 })).keys()], ['b', 'c']);
    assert.deepStrictEqual([...(await txn.list({ reverse: true, limit: 3 })).keys()], ['g', 'f', 'c']);
  });
});

// transactionSync within transaction.
export const syncInside = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    assert.strictEqual(storage.transactionSync(() => {
      txn.put('kept', 1);
      return 7;
    }), 7);
    throws(() => storage.transactionSync(() => {
      txn.put('lost', 1);
      throw new RangeError('x');
    }), RangeError, 'x');
    assert.deepStrictEqual([...await txn.list()], [['kept', 1]]);
  });
});

// transaction called within transactionSync starts after it.
export const asyncInsideSync = inside(async (storage) => {
  let later;
  storage.transactionSync(() => {
    later = storage.transaction((txn) => txn.put('k', 1));
    assert.strictEqual(storage.kv.get('k'), undefined);
  });
  await later;
  assert.strictEqual(await storage.get('k'), 1);
});

// transactionSync does not look at a promise that its closure returns.
export const promise = inside(async (storage) => {
  assert.strictEqual(await storage.transactionSync(async () => 5), 5);
});

// A put that transactionSync rolled back has been answered all the same.
export const rolledBackPut = inside(async (storage) => {
  let put;
  throws(() => storage.transactionSync(() => {
    put = storage.put('k', 1);
    throw new RangeError('x');
  }), RangeError, 'x');
  assert.strictEqual(await put, undefined);
  assert.strictEqual(await storage.get('k'), undefined);
});
