// Rule: a transaction in memory keeps apart what is written through it; storage
// itself stands beside it. Source: workerd behaviour.
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

// storage does not see what txn wrote; txn sees what storage wrote.
export const apart = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await txn.put('a', 1);
    assert.strictEqual(await storage.get('a'), undefined);
    await storage.put('b', 2);
    assert.strictEqual(await txn.get('b'), 2);
  });
  assert.deepStrictEqual([...(await storage.list()).keys()], ['a', 'b']);
});

// An inner transaction does not see what the outer one wrote.
export const innerApart = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await txn.put('outer', 1);
    await storage.transaction(async (inner) => assert.strictEqual(await inner.get('outer'), undefined));
  });
});

// The outer transaction can be rolled back at any time.
export const rollbackOuter = inside(async (storage) => {
  await storage.transaction(async (txn) => {
    await storage.transaction(async (inner) => {
      await txn.put('lost', 1);
      txn.rollback();
      await inner.put('kept', 1);
    });
  });
  assert.deepStrictEqual([...(await storage.list()).keys()], ['kept']);
});

// storage.deleteAll() spares what txn wrote.
export const deleteAll = inside(async (storage) => {
  await storage.put('old', 1);
  await storage.transaction(async (txn) => {
    await txn.put('new', 1);
    assert.strictEqual(await storage.deleteAll(), undefined);
    assert.strictEqual((await storage.list()).size, 0);
    assert.deepStrictEqual([...(await txn.list()).keys()], ['new']);
  });
  assert.deepStrictEqual([...(await storage.list()).keys()], ['new']);
});

// A limit of list holds for the transaction's own keys and for the store's, each
// by themselves: there may be more in the end.
export const listLimit = inside(async (storage) => {
  await storage.put({ a: 1, b: 2, d: 4, f: 6 });
  await storage.transaction(async (txn) => {
    await txn.delete(['a', 'd']);
    await txn.put({ c: 3, f: 7, g: 8 });
    assert.deepStrictEqual([...(await txn.list({ limit: 2 })).keys()], ['b', 'c', 'f']);
    assert.deepStrictEqual([...(await txn.list({ limit: 9 })).keys()], ['b', 'c', 'f', 'g']);
  });
});
