// Rule: what may be done with a transaction and beside it, nested transactions
// included. Source: workerd behaviour; Cloudflare docs "Durable Object Storage".
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

const ended = (method) =>
  `Cannot call ${method}() on transaction that has already committed: did you move \`txn\` outside of the closure?`;

// delete throws at once, the others reject.
export const deleteThrows = inside(async (storage) => {
  let kept;
  await storage.transaction(async (txn) => {
    kept = txn;
    throws(() => txn.delete(), TypeError,
      "Failed to execute 'delete' on 'DurableObjectTransaction': parameter 1 is not of type 'string or Array'.");
    throws(() => txn.delete('k', 5), TypeError,
      "Failed to execute 'delete' on 'DurableObjectTransaction': parameter 2 is not of type 'PutOptions'.");
    throws(() => txn.deleteAll(), Error, 'Cannot call deleteAll() within a transaction');
  });
  throws(() => kept.delete('k'), Error, ended('delete'));
  throws(() => kept.delete([]), Error, ended('delete'));
  throws(() => kept.rollback(), Error, ended('rollback'));
  await fails(() => kept.list(), Error, ended('list'));
  await fails(() => kept.put({}), Error, ended('put'));
});

// Arguments are looked at before the state.
export const argumentsFirst = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    txn.rollback();
    await fails(() => txn.put('k', undefined), TypeError, 'put() called with undefined value.');
    await fails(() => txn.list({ limit: 0 }), TypeError, 'List limit must be positive.');
    await fails(() => txn.get(), TypeError,
      "Failed to execute 'get' on 'DurableObjectTransaction': parameter 1 is not of type 'string or Array'.");
    throws(() => txn.delete(['k']), Error, 'Cannot delete() on rolled back transaction');
  });
});

// A failed closure leaves a rolled-back transaction.
export const afterFailure = inside(async (storage) => {
  let kept;
  await fails(() => storage.transaction((txn) => {
    kept = txn;
    throw new RangeError('x');
  }), RangeError, 'x');
  await fails(() => kept.get('k'), Error, 'Cannot get() on rolled back transaction');
  assert.strictEqual(kept.rollback(), undefined);
});

// Writes through storage after rollback() stay.
export const storageAfterRollback = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await txn.put('a', 1);
    txn.rollback();
    storage.put('b', 2);
    await storage.put('c', 3);
  });
  assert.deepStrictEqual([...await storage.list()], [['b', 2], ['c', 3]]);
});

// rollback() and then a throw: the error comes out.
export const rollbackThenThrow = inside(async (storage) => {
  await fails(() => storage.transaction(async (txn) => {
    await txn.put('a', 1);
    txn.rollback();
    throw new RangeError('x');
  }), RangeError, 'x');
  assert.strictEqual(await storage.get('a'), undefined);
});

// An inner transaction that fails leaves the outer one whole; one that
// succeeds adds to it.
export const nested = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await txn.put('outer', 1);
    await fails(() => storage.transaction(async (inner) => {
      await inner.put('failed', 2);
      throw new RangeError('inner');
    }), RangeError, 'inner');
    await storage.transaction((inner) => inner.put('inner', 3));
    assert.deepStrictEqual([...await txn.list()], [['inner', 3], ['outer', 1]]);
  });
  assert.deepStrictEqual([...await storage.list()], [['inner', 3], ['outer', 1]]);
});

// The outer transaction can be written while an inner one runs.
export const outerWhileInner = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await storage.transaction(async (inner) => {
      await txn.put('by outer', 1);
      await inner.put('by inner', 2);
    });
    assert.deepStrictEqual([...await txn.list()], [['by inner', 2], ['by outer', 1]]);
  });
});

// An inner transaction that was not awaited starts when the caller of the outer
// one has gone on.
export const innerNotAwaited = inside(async (storage) => {
  const order = [];
  let inner;
  await storage.transaction(async () => {
    order.push('outer starts');
    inner = storage.transaction(async (txn) => {
      order.push('inner starts');
      await txn.put('k', 1);
    });
    order.push('outer ends');
  });
  order.push('outer done');
  await inner;
  assert.deepStrictEqual(order, ['outer starts', 'outer ends', 'outer done', 'inner starts']);
  assert.strictEqual(await storage.get('k'), 1);
});

// sync() within a transaction does not wait for its end.
export const syncInside = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await txn.put('k', 1);
    assert.strictEqual(await storage.sync(), undefined);
  });
});

// A listing of the transaction: the store's keys, less the deleted ones, and its own.
export const listMerges = inside(async (storage) => {
  await storage.put({ a: 1, b: 2, d: 4, f: 6 });
  await storage.transaction(async (txn) => {
    await txn.delete(['a', 'd']);
    await txn.put({ c: 3, f: 7, g: 8 });
    const keys = async (options) => [...(await txn.list(options)).keys()].join('');
    assert.deepStrictEqual([...await txn.list()], [['b', 2], ['c', 3], ['f', 7], ['g', 8]]);
    assert.strictEqual(await keys({ reverse: true }), 'gfcb');
    assert.strictEqual(await keys({ start: 'c', end: 'g' }), 'cf');
    assert.strictEqual(await keys({ startAfter: 'c', reverse: true }), 'gf');
  });
  assert.strictEqual([...(await storage.list()).keys()].join(''), 'bcfg');
});

// The methods, in order.
export const methods = inside(async (storage) => {
  await storage.transaction((txn) => {
    assert.strictEqual(String(txn), '[object DurableObjectTransaction]');
    assert.deepStrictEqual(Object.getOwnPropertyNames(Object.getPrototypeOf(txn)), ['get', 'list', 'put', 'delete',
      'deleteAll', 'rollback', 'getAlarm', 'setAlarm', 'deleteAlarm', 'constructor']);
  });
});
