// Rule: storage on disk without enableSql: the asynchronous methods work, sql and kv are refused.
// Source: workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { throws } from 'failure.js';

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

// get and put work.
export const basics = inside(async (storage) => {
  await storage.put('k', 1);
  assert.strictEqual(await storage.get('k'), 1);
});

// storage.sql is there; using it is refused.
export const noSql = inside(async (storage) => {
  for (const use of [() => storage.sql.exec('SELECT 1'), () => storage.sql.databaseSize]) {
    throws(use, Error, 'SQL is not enabled for this Durable Object class. To enable it, change `new_classes` to '
      + "`new_sqlite_classes` within the 'migrations' field in your wrangler.jsonc or wrangler.toml file. If using "
      + 'workerd directly,set `enableSql = true` in your workerd config for the class. Note that this change '
      + 'cannot be made after the class is already deployed to production.');
  }
});

// storage.kv is there; using it is refused.
export const noKv = inside(async (storage) => {
  const uses = [() => storage.kv.get('a'), () => storage.kv.put('a', 1), () => storage.kv.delete('a'), () => storage.kv.list()];
  for (const use of uses) {
    throws(use, Error, 'The storage.kv (synchronous KV) API is only available for SQLite-backed Durable Objects, '
      + "but this object's namespace is not declared to use SQLite. You can use the older, asyncronous interface "
      + 'via methods of `storage` itself (e.g. `storage.get()`). Alternatively, to enable SQLite, change '
      + "`new_classes` to `new_sqlite_classes` within the 'migrations' field in your wrangler.jsonc or wrangler.toml "
      + 'file. If using workerd directly, set `enableSql = true` in your workerd config for the class. Note that '
      + 'this change cannot be made after the class is already deployed to production.');
  }
});

// transactionSync works.
export const transactionSync = inside(async (storage) => {
  assert.strictEqual(storage.transactionSync(() => 5), 5);
});
