// Rule: transaction(): commit, rollback, nesting and errors.
// Source: Cloudflare docs "Durable Object Storage"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

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

// A closure that returns commits; its value is the result.
export const commit = inside(async (storage) => {
  const out = await storage.transaction(async (txn) => {
    await txn.put('k', 1);
    return 'value';
  });
  assert.strictEqual(out, 'value');
  assert.strictEqual(await storage.get('k'), 1);
});

// A closure that throws rolls back; the very error comes out.
export const throwRollsBack = inside(async (storage) => {
  await storage.put('k', 'before');
  const error = new RangeError('mine');
  await assert.rejects(storage.transaction(async (txn) => {
    await txn.put('k', 'inside');
    await txn.put('other', 1);
    throw error;
  }), (e) => e === error);
  assert.deepStrictEqual([...await storage.list()], [['k', 'before']]);
});

// rollback() undoes; the closure's value still comes out.
export const rollback = inside(async (storage) => {
  const out = await storage.transaction(async (txn) => {
    await txn.put('k', 1);
    txn.rollback();
    return 'value';
  });
  assert.strictEqual(out, 'value');
  assert.strictEqual(await storage.get('k'), undefined);
});

// rollback() gives undefined and may be repeated.
export const rollbackTwice = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    assert.strictEqual(txn.rollback(), undefined);
    assert.strictEqual(txn.rollback(), undefined);
  });
});

// The transaction sees its own writes and those before it.
export const readsOwnWrites = inside(async (storage) => {
  await storage.put({ a: 1, b: 2 });
  await storage.transaction(async (txn) => {
    await txn.put('b', 3);
    await txn.delete('a');
    await txn.put('c', 4);
    assert.deepStrictEqual([...await txn.list()], [['b', 3], ['c', 4]]);
    assert.deepStrictEqual([...await txn.get(['a', 'b'])], [['b', 3]]);
  });
  assert.deepStrictEqual([...await storage.list()], [['b', 3], ['c', 4]]);
});

// delete in a transaction counts as outside.
export const deleteCounts = inside(async (storage) => {
  await storage.put('a', 1);
  await storage.transaction(async (txn) => {
    assert.strictEqual(await txn.delete('a'), true);
    assert.strictEqual(await txn.delete('a'), false);
    assert.strictEqual(await txn.delete(['a', 'b']), 0);
  });
});

// A write not awaited in the closure is committed.
export const notAwaited = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    txn.put('k', 1);
  });
  assert.strictEqual(await storage.get('k'), 1);
});

// Transactions run one after the other.
export const serialised = inside(async (storage) => {
  const order = [];
  await Promise.all(['a', 'b'].map((name) => storage.transaction(async (txn) => {
    order.push(name + ' starts');
    await txn.get('k');
    await scheduler.wait(1);
    order.push(name + ' ends');
  })));
  assert.deepStrictEqual(order, ['a starts', 'a ends', 'b starts', 'b ends']);
});

// get after the end of a committed transaction.
export const getAfterCommit = inside(async (storage) => {
  let kept;
  await storage.transaction(async (txn) => { kept = txn; });
  await fails(() => kept.get('k'), Error,
    'Cannot call get() on transaction that has already committed: did you move `txn` outside of the closure?');
});

// put after the end of a committed transaction.
export const putAfterCommit = inside(async (storage) => {
  let kept;
  await storage.transaction(async (txn) => { kept = txn; });
  await fails(() => kept.put('k', 1), Error,
    'Cannot call put() on transaction that has already committed: did you move `txn` outside of the closure?');
});

// rollback after the end of a committed transaction.
export const rollbackAfterCommit = inside(async (storage) => {
  let kept;
  await storage.transaction(async (txn) => { kept = txn; });
  await fails(() => kept.rollback(), Error,
    'Cannot call rollback() on transaction that has already committed: did you move `txn` outside of the closure?');
});

// Every operation after a rollback.
export const afterRollback = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    txn.rollback();
    await fails(() => txn.put('k', 1), Error, 'Cannot put() on rolled back transaction');
    await fails(() => txn.get('k'), Error, 'Cannot get() on rolled back transaction');
    await fails(() => txn.delete('k'), Error, 'Cannot delete() on rolled back transaction');
    await fails(() => txn.list(), Error, 'Cannot list() on rolled back transaction');
  });
});

// deleteAll within a transaction.
export const deleteAllRefused = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await fails(() => txn.deleteAll(), Error, 'Cannot call deleteAll() within a transaction');
  });
});

// put(undefined) in a transaction.
export const putUndefined = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await fails(() => txn.put('k', undefined), TypeError, 'put() called with undefined value.');
  });
});

// A closure that is not async.
export const syncClosure = inside(async (storage) => {
  assert.strictEqual(await storage.transaction(() => 5), 5);
});

// A closure that throws synchronously rejects.
export const syncThrow = inside(async (storage) => {
  await fails(() => storage.transaction(() => { throw new RangeError('sync'); }), RangeError, 'sync');
});

// What is not a function is refused.
export const notAFunction = inside(async (storage) => {
  await fails(() => storage.transaction(5), TypeError,
    "Failed to execute 'transaction' on 'DurableObjectStorage': parameter 1 is not of type 'function'.");
});

// The storage is usable after a failed transaction.
export const usableAfterwards = inside(async (storage) => {
  await fails(() => storage.transaction(async () => { throw new RangeError('x'); }), RangeError, 'x');
  await storage.put('k', 1);
  assert.strictEqual(await storage.transaction((txn) => txn.get('k')), 1);
});
