// Rule: what a namespace in memory limits, and what it lacks: no SQL, no synchronous KV.
// Source: workerd behaviour.
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

// A key of 2048 bytes is the longest.
export const keyLength = inside(async (storage) => {
  await storage.put('k'.repeat(2048), 1);
  assert.strictEqual(await storage.get('k'.repeat(2048)), 1);
  await fails(() => storage.put('k'.repeat(2049), 1), RangeError,
    'Keys cannot be larger than 2048 bytes. A key of size 2049 was provided.');
});

// The limit counts UTF-8 bytes.
export const keyLengthInBytes = inside(async (storage) => {
  await fails(() => storage.put('\u00e9'.repeat(1025), 1), RangeError,
    'Keys cannot be larger than 2048 bytes. A key of size 2050 was provided.');
});

// get limits the key too.
export const getKeyLength = inside(async (storage) => {
  await fails(() => storage.get('k'.repeat(2049)), RangeError,
    'Keys cannot be larger than 2048 bytes. A key of size 2049 was provided.');
});

// delete throws at once.
export const deleteKeyLength = inside(async (storage) => {
  throws(() => storage.delete('k'.repeat(2049)), RangeError,
    'Keys cannot be larger than 2048 bytes. A key of size 2049 was provided.');
});

// A serialised value may take 131106 bytes: 34 more than the message says. A
// one-byte string takes six more than its length.
export const valueLength = inside(async (storage) => {
  await storage.put('k', 'x'.repeat(131100));
  assert.strictEqual((await storage.get('k')).length, 131100);
  await fails(() => storage.put('k', 'x'.repeat(131101)), RangeError,
    'Values cannot be larger than 131072 bytes. A value of size 131107 was provided.');
});

// get of 129 keys is refused; put and delete of 129 are not.
export const pairs = inside(async (storage) => {
  const all = Object.fromEntries(Array.from({ length: 129 }, (_, i) => ['k' + i, i]));
  await storage.put(all);
  await fails(() => storage.get(Object.keys(all)), RangeError,
    'Maximum number of key value pairs is 128. 129 pairs were provided.');
  assert.strictEqual(await storage.delete(Object.keys(all)), 129);
});

// storage.sql is there; using it is refused.
export const noSql = inside(async (storage) => {
  for (const use of [() => storage.sql.exec('SELECT 1'), () => storage.sql.databaseSize]) {
    throws(use, Error, 'This Durable Object is not backed by SQLite storage, so the SQL API is not available. '
      + 'SQL can be enabled on a new Durable Object class by using the `new_sqlite_classes` instead of '
      + '`new_classes` under `[[migrations]]` in your wrangler.toml, but an already-deployed class cannot be '
      + 'converted to SQLite (except by deleting the existing data).');
  }
});

// storage.kv is there; using it is refused.
export const noKv = inside(async (storage) => {
  const uses = [() => storage.kv.get('a'), () => storage.kv.put('a', 1), () => storage.kv.delete('a'), () => storage.kv.list()];
  for (const use of uses) {
    throws(use, Error, 'The storage.kv (synchronous KV) API is only available for SQLite-backed Durable Objects, '
      + "but this object's namespace is not declared to use SQLite. You can use the older, asyncronous interface "
      + 'via methods of `storage` itself (e.g. `storage.get()`). SQLite can be enabled on a new Durable Object '
      + 'class by using the `new_sqlite_classes` instead of `new_classes` under `migrations` in your '
      + 'wrangler.jsonc or wrangler.toml, but an already-deployed class cannot be converted to SQLite (except by '
      + 'deleting the existing data).');
  }
});

// transactionSync is refused.
export const noTransactionSync = inside(async (storage) => {
  throws(() => storage.transactionSync(() => 1), Error, 'Durable Object is not backed by SQL.');
});

// Bookmarks are refused.
export const noBookmark = inside(async (storage) => {
  await fails(() => storage.getCurrentBookmark(), Error,
    "This Durable Object's storage back-end does not implement point-in-time recovery.");
});

// A rolled-back transaction undoes what went through txn, not what went through storage.
export const rollbackSparesStorage = inside(async (storage) => {
  await fails(() => storage.transaction(async (txn) => {
    await txn.put('by txn', 1);
    storage.put('by storage', 2);
    throw new RangeError('x');
  }), RangeError, 'x');
  assert.deepStrictEqual([...(await storage.list()).keys()], ['by storage']);
});
