// Rule: what only storage in SQLite does: synchronous KV, transactionSync, larger keys and values.
// Source: Cloudflare docs "Durable Object Storage"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails, failsToClone, throws } from 'failure.js';

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

// kv.get, put and delete answer at once.
export const kvBasics = inside(async (storage) => {
  assert.strictEqual(storage.kv.get('k'), undefined);
  assert.strictEqual(storage.kv.put('k', { a: 1 }), undefined);
  assert.deepStrictEqual(storage.kv.get('k'), { a: 1 });
  assert.strictEqual(storage.kv.delete('k'), true);
  assert.strictEqual(storage.kv.delete('k'), false);
});

// kv and the asynchronous methods see the same keys.
export const kvShared = inside(async (storage) => {
  storage.kv.put('a', 1);
  assert.strictEqual(await storage.get('a'), 1);
  storage.put('b', 2);
  assert.strictEqual(storage.kv.get('b'), 2);
});

// kv.put(k, undefined) stores undefined.
export const kvUndefined = inside(async (storage) => {
  storage.kv.put('k', undefined);
  assert.strictEqual(storage.kv.get('k'), undefined);
  assert.strictEqual(storage.kv.delete('k'), true);
});

// kv.put of a function throws at once.
export const kvFunction = inside(async (storage) => {
  await failsToClone(() => storage.kv.put('k', () => 1), '() => 1 could not be cloned.');
});

// kv.list gives an iterator of pairs, with the options of list.
export const kvList = inside(async (storage) => {
  for (const [i, key] of ['a', 'aa', 'ab', 'b', 'c'].entries()) storage.kv.put(key, i);
  assert.deepStrictEqual([...storage.kv.list()], [['a', 0], ['aa', 1], ['ab', 2], ['b', 3], ['c', 4]]);
  const keys = (options) => [...storage.kv.list(options)].map(([key]) => key);
  assert.deepStrictEqual(keys({ prefix: 'a' }), ['a', 'aa', 'ab']);
  assert.deepStrictEqual(keys({ start: 'ab', end: 'c' }), ['ab', 'b']);
  assert.deepStrictEqual(keys({ startAfter: 'ab' }), ['b', 'c']);
  assert.deepStrictEqual(keys({ reverse: true, limit: 2 }), ['c', 'b']);
});

// kv.list errors.
export const kvListErrors = inside(async (storage) => {
  throws(() => storage.kv.list({ limit: 0 }), TypeError, 'List limit must be positive.');
  throws(() => storage.kv.list({ start: 'a', startAfter: 'a' }), TypeError,
    'list() cannot be called with both start and startAfter values.');
});

// Another kv.list() ends the one before.
export const kvListInvalidated = inside(async (storage) => {
  storage.kv.put('a', 1);
  storage.kv.put('b', 2);
  const first = storage.kv.list();
  assert.deepStrictEqual(first.next().value, ['a', 1]);
  storage.kv.list();
  throws(() => first.next(), Error, 'kv.list() iterator was invalidated because a new call to kv.list() was started. '
    + 'Only one kv.list() iterator can exist at a time.');
});

// transactionSync commits and gives the closure's value.
export const transactionSync = inside(async (storage) => {
  assert.strictEqual(storage.transactionSync(() => {
    storage.kv.put('k', 1);
    return 'value';
  }), 'value');
  assert.strictEqual(storage.kv.get('k'), 1);
});

// transactionSync rolls back on a throw; the very error comes out.
export const transactionSyncThrow = inside(async (storage) => {
  storage.kv.put('k', 'before');
  const error = new RangeError('mine');
  assert.throws(() => storage.transactionSync(() => {
    storage.kv.put('k', 'inside');
    storage.sql.exec('CREATE TABLE t (a)');
    throw error;
  }), (e) => e === error);
  assert.strictEqual(storage.kv.get('k'), 'before');
  assert.strictEqual(storage.sql.exec("SELECT count(*) AS n FROM sqlite_master WHERE name = 't'").one().n, 0);
});

// transactionSync nests; an inner rollback keeps the outer writes.
export const transactionSyncNested = inside(async (storage) => {
  storage.transactionSync(() => {
    storage.kv.put('outer', 1);
    throws(() => storage.transactionSync(() => {
      storage.kv.put('inner', 2);
      throw new RangeError('inner');
    }), RangeError, 'inner');
  });
  assert.deepStrictEqual([...storage.kv.list()], [['outer', 1]]);
});

// A rolled-back transaction() undoes every write made in the closure.
export const rollbackTakesAll = inside(async (storage) => {
  await fails(() => storage.transaction(async (txn) => {
    await txn.put('by txn', 1);
    storage.put('by storage', 2);
    storage.kv.put('by kv', 3);
    throw new RangeError('x');
  }), RangeError, 'x');
  assert.strictEqual((await storage.list()).size, 0);
});

// Keys and values beyond the limits of namespaces in memory.
export const large = inside(async (storage) => {
  const key = 'k'.repeat(5000);
  await storage.put(key, 'x'.repeat(1 << 20));
  assert.strictEqual((await storage.get(key)).length, 1 << 20);
});

// More than 128 keys at once.
export const pairs = inside(async (storage) => {
  const all = Object.fromEntries(Array.from({ length: 300 }, (_, i) => ['k' + i, i]));
  await storage.put(all);
  assert.strictEqual((await storage.get(Object.keys(all))).size, 300);
  assert.strictEqual(await storage.delete(Object.keys(all)), 300);
});

// deleteAll removes tables too.
export const deleteAllTables = inside(async (storage) => {
  storage.sql.exec('CREATE TABLE t (a)');
  await storage.deleteAll();
  assert.strictEqual(storage.sql.exec("SELECT count(*) AS n FROM sqlite_master WHERE name = 't'").one().n, 0);
});

// The current bookmark is all zeros locally.
export const bookmark = inside(async (storage) => {
  assert.match(await storage.getCurrentBookmark(), /^[0-]+$/);
});

// Storage in SQLite says so by its size.
export const databaseSize = inside(async (storage) => {
  const before = storage.sql.databaseSize;
  storage.sql.exec('CREATE TABLE t (a)');
  assert.ok(storage.sql.databaseSize > before);
});
