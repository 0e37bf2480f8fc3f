// Rule: storage.sql: bindings, results, cursors and errors.
// Source: Cloudflare docs "SQLite in Durable Objects"; workerd behaviour.
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

const table = (storage) => storage.sql.exec('CREATE TABLE t (a PRIMARY KEY, b); INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)');

// exec gives a cursor that yields objects.
export const rows = inside(async (storage) => {
  table(storage);
  assert.deepStrictEqual([...storage.sql.exec('SELECT a, b FROM t ORDER BY a')],
    [{ a: 1, b: 10 }, { a: 2, b: 20 }, { a: 3, b: 30 }]);
});

// toArray, one, raw, columnNames.
export const cursorMethods = inside(async (storage) => {
  table(storage);
  const exec = (query) => storage.sql.exec(query);
  assert.deepStrictEqual(exec('SELECT a FROM t WHERE a > 1').toArray(), [{ a: 2 }, { a: 3 }]);
  assert.deepStrictEqual(exec('SELECT count(*) AS n FROM t').one(), { n: 3 });
  assert.deepStrictEqual([...exec('SELECT a, b FROM t LIMIT 1').raw()], [[1, 10]]);
  assert.deepStrictEqual(exec('SELECT a, b AS bee, 1 + 1 FROM t').columnNames, ['a', 'bee', '1 + 1']);
});

// A cursor can be read once.
export const readOnce = inside(async (storage) => {
  table(storage);
  const cursor = storage.sql.exec('SELECT a FROM t');
  assert.strictEqual(cursor.toArray().length, 3);
  assert.deepStrictEqual(cursor.toArray(), []);
  assert.strictEqual(cursor.next().done, true);
});

// one() wants exactly one row.
export const one = inside(async (storage) => {
  table(storage);
  throws(() => storage.sql.exec('SELECT a FROM t WHERE a = 9').one(), Error,
    'Expected exactly one result from SQL query, but got no results.');
  throws(() => storage.sql.exec('SELECT a FROM t').one(), Error,
    'Expected exactly one result from SQL query, but got multiple results.');
});

// rowsRead and rowsWritten.
export const counts = inside(async (storage) => {
  table(storage);
  const cursor = storage.sql.exec('UPDATE t SET b = 0 WHERE a = 2');
  assert.strictEqual(cursor.rowsWritten, 1);
  const read = storage.sql.exec('SELECT * FROM t');
  read.toArray();
  assert.strictEqual(read.rowsRead, 3);
});

// Types of bindings.
export const bindings = inside(async (storage) => {
  const type = (value) => storage.sql.exec('SELECT typeof(?) AS t, ? AS v', value, value).one();
  assert.deepStrictEqual(type(1), { t: 'real', v: 1 });
  assert.deepStrictEqual(type('x'), { t: 'text', v: 'x' });
  assert.deepStrictEqual(type(null), { t: 'null', v: null });
  assert.deepStrictEqual(type(undefined), { t: 'null', v: null });
  assert.deepStrictEqual(type(NaN), { t: 'null', v: null });
  assert.deepStrictEqual(type(true), { t: 'text', v: 'true' });
  assert.strictEqual(type(new Uint8Array([1])).t, 'blob');
  assert.strictEqual(type(new Date(0)).v, String(new Date(0)));
});

// A BigInt is refused.
export const bigint = inside(async (storage) => {
  throws(() => storage.sql.exec('SELECT ?', 5n), TypeError, 'Cannot convert a BigInt value to a number');
});

// A BLOB comes back as an ArrayBuffer.
export const blob = inside(async (storage) => {
  const out = storage.sql.exec("SELECT x'0102' AS b").one().b;
  assert.ok(out instanceof ArrayBuffer);
  assert.deepStrictEqual([...new Uint8Array(out)], [1, 2]);
});

// Integers beyond 2^53 are rounded.
export const bigIntegers = inside(async (storage) => {
  assert.strictEqual(storage.sql.exec('SELECT 9007199254740993 AS n').one().n, 9007199254740992);
});

// Duplicate names collapse in objects, not in raw rows.
export const duplicateNames = inside(async (storage) => {
  const query = 'SELECT 1 AS a, 2 AS a';
  assert.deepStrictEqual(storage.sql.exec(query).one(), { a: 2 });
  assert.deepStrictEqual([...storage.sql.exec(query).raw()], [[1, 2]]);
  assert.deepStrictEqual(storage.sql.exec(query).columnNames, ['a', 'a']);
});

// A wrong number of bindings.
export const bindingCount = inside(async (storage) => {
  throws(() => storage.sql.exec('SELECT ?'), Error, 'Wrong number of parameter bindings for SQL query.');
  throws(() => storage.sql.exec('SELECT 1', 1), Error, 'Wrong number of parameter bindings for SQL query.');
});

// Several statements: the bindings go to the last, whose rows come out.
export const severalStatements = inside(async (storage) => {
  const query = 'CREATE TABLE u (x); INSERT INTO u VALUES (5); SELECT x + ? AS y FROM u';
  assert.deepStrictEqual(storage.sql.exec(query, 1).one(), { y: 6 });
});

// Syntax errors.
export const syntaxError = inside(async (storage) => {
  throws(() => storage.sql.exec('SELEC 1'), Error, 'near "SELEC": syntax error at offset 0: SQLITE_ERROR');
});

// No statement.
export const emptyStatement = inside(async (storage) => {
  throws(() => storage.sql.exec(''), Error, 'SQL code did not contain a statement.');
});

// A missing table.
export const missingTable = inside(async (storage) => {
  throws(() => storage.sql.exec('SELECT * FROM none'), Error, 'no such table: none: SQLITE_ERROR');
});

// A violated constraint.
export const constraint = inside(async (storage) => {
  table(storage);
  throws(() => storage.sql.exec('INSERT INTO t VALUES (1, 1)'), Error,
    'UNIQUE constraint failed: t.a: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_PRIMARYKEY)');
});

// Internal tables are out of reach.
export const internalTables = inside(async (storage) => {
  await storage.put('k', 1);
  throws(() => storage.sql.exec('SELECT key FROM _cf_KV'), Error, 'access to _cf_KV.key is prohibited: SQLITE_AUTH');
});

// ATTACH is not allowed.
export const attach = inside(async (storage) => {
  throws(() => storage.sql.exec("ATTACH ':memory:' AS x"), Error, 'not authorized: SQLITE_AUTH');
});

// BEGIN is refused with a hint.
export const begin = inside(async (storage) => {
  throws(() => storage.sql.exec('BEGIN'), Error, /state\.storage\.transaction\(\)/);
});

// A column limit of 100.
export const columnLimit = inside(async (storage) => {
  const columns = (n) => Array.from({ length: n }, (_, i) => 'c' + i).join(', ');
  storage.sql.exec(`CREATE TABLE fine (${columns(100)})`);
  throws(() => storage.sql.exec(`CREATE TABLE wide (${columns(101)})`), Error,
    'too many columns on wide: SQLITE_ERROR');
});

// A LIKE pattern of more than 50 bytes.
export const likeLimit = inside(async (storage) => {
  assert.strictEqual(storage.sql.exec('SELECT ? LIKE ? AS r', 'x', 'x'.repeat(50)).one().r, 0);
  throws(() => storage.sql.exec('SELECT ? LIKE ? AS r', 'x', 'x'.repeat(51)).toArray(), Error,
    'LIKE or GLOB pattern too complex: SQLITE_ERROR');
});

// SQL and KV share a transaction.
export const sharedTransaction = inside(async (storage) => {
  table(storage);
  throws(() => storage.transactionSync(() => {
    storage.sql.exec('DELETE FROM t');
    storage.kv.put('k', 1);
    throw new RangeError('x');
  }), RangeError, 'x');
  assert.strictEqual(storage.sql.exec('SELECT count(*) AS n FROM t').one().n, 3);
  assert.strictEqual(storage.kv.get('k'), undefined);
});

// JSON functions and full-text search are there.
export const extensions = inside(async (storage) => {
  assert.strictEqual(storage.sql.exec(`SELECT json_extract('{"a": [1, 2]}', '$.a[1]') AS v`).one().v, 2);
  storage.sql.exec("CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f VALUES ('hello world'), ('other')");
  assert.strictEqual(storage.sql.exec("SELECT body FROM f WHERE f MATCH 'world'").one().body, 'hello world');
});
