// Rule: what the methods of storage make of their arguments. Source: workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails, failsToClone, throws } from 'failure.js';

const bodies = [];
let leaked;

export class Obj extends DurableObject {
  async run(index) {
    await bodies[index](this.ctx.storage, this.ctx);
    return 'done';
  }
  leak() {
    leaked = this.ctx.storage;
    return leaked.put('k', 1);
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

const wrong = (method, n, type) => `Failed to execute '${method}' on 'DurableObjectStorage': parameter ${n} is not of type '${type}'.`;
const forms = 'put() may only be called with a single key-value pair and optional options as put(key, value, options) '
  + 'or with multiple key-value pairs and optional options as put(entries, options)';

// What is no array is a key: its string.
export const keyStrings = inside(async (storage) => {
  await storage.put({ undefined: 1, null: 2, '[object Object]': 3, '[object Set]': 4, 5: 5 });
  assert.strictEqual(await storage.get(undefined), 1);
  assert.strictEqual(await storage.get(null), 2);
  assert.strictEqual(await storage.get({}), 3);
  assert.strictEqual(await storage.get(new Set(['a'])), 4);
  assert.deepStrictEqual([...await storage.get([5, , null])], [['5', 5], ['null', 2], ['undefined', 1]]);
  assert.strictEqual(await storage.delete(null), true);
  assert.strictEqual(await storage.delete([undefined]), 1);
});

// Symbols are refused; what toString() throws comes out.
export const badKeys = inside(async (storage) => {
  const symbol = 'Cannot convert a Symbol value to a string';
  await fails(() => storage.get(Symbol('x')), TypeError, symbol);
  await fails(() => storage.get([Symbol('x')]), TypeError, symbol);
  await fails(() => storage.put(Symbol('x'), 1), TypeError, symbol);
  throws(() => storage.delete(Symbol('x')), TypeError, symbol);
  await fails(() => storage.get({ toString() { throw new RangeError('mine'); } }), RangeError, 'mine');
});

// A lone surrogate makes three bytes, and each of them comes back as U+FFFD.
export const loneSurrogate = inside(async (storage) => {
  await storage.put('\ud800', 1);
  assert.strictEqual(await storage.get('\ud800'), 1);
  assert.deepStrictEqual([...(await storage.list()).keys()], ['\ufffd\ufffd\ufffd']);
  await storage.put('v', '\ud800x');
  assert.strictEqual(await storage.get('v'), '\ud800x');
});

// Missing arguments.
export const missing = inside(async (storage) => {
  await fails(() => storage.put(), TypeError, wrong('put', 1, 'string or object'));
  await fails(() => storage.put(undefined), TypeError, 'put() called with undefined value.');
  await fails(() => storage.put(null), TypeError, 'put() called with undefined value.');
  throws(() => storage.delete(), TypeError, wrong('delete', 1, 'string or Array'));
  await fails(() => storage.transaction(), TypeError, wrong('transaction', 1, 'function'));
});

// Options that are no object. Any object will do, a function and an array too.
export const options = inside(async (storage) => {
  await fails(() => storage.get('k', 'x'), TypeError, wrong('get', 2, 'GetOptions'));
  await fails(() => storage.put('k', 1, 5), TypeError, wrong('put', 3, 'PutOptions'));
  throws(() => storage.delete('k', 5), TypeError, wrong('delete', 2, 'PutOptions'));
  await fails(() => storage.deleteAll(5), TypeError, wrong('deleteAll', 1, 'PutOptions'));
  await fails(() => storage.transaction(() => 1, 5), TypeError, wrong('transaction', 2, 'TransactionOptions'));
  await storage.put('k', 1, { allowUnconfirmed: 'yes' });
  assert.strictEqual(await storage.get('k', () => 1), 1);
  assert.strictEqual(await storage.get('k', []), 1);
  assert.strictEqual(await storage.sync(5), undefined);
});

// put with an object: its own enumerable properties with string keys.
export const putObject = inside(async (storage) => {
  await storage.put({ a: 1, skipped: undefined, [Symbol('s')]: 2 });
  await storage.put(Object.create({ inherited: 1 }));
  await storage.put(Object.defineProperty({}, 'hidden', { value: 1 }));
  await storage.put(new Map([['entry', 1]]));
  await storage.put({});
  assert.deepStrictEqual([...await storage.list()], [['a', 1]]);
});

// All or nothing: a value that cannot be cloned, a getter that throws.
export const putObjectFails = inside(async (storage) => {
  await failsToClone(() => storage.put({ a: 1, s: Symbol('s') }), 'Symbol(s) could not be cloned.');
  await fails(() => storage.put({ a: 1, get b() { throw new RangeError('mine'); } }), RangeError, 'mine');
  assert.strictEqual((await storage.list()).size, 0);
});

// The two forms of put are not mixed. An array is a key, any other object entries.
export const putForms = inside(async (storage) => {
  await storage.put({ a: 1 }, { allowUnconfirmed: true });
  await fails(() => storage.put({ a: 1 }, 5), TypeError, forms);
  await fails(() => storage.put({ a: 1 }, 'v', {}), TypeError, forms);
  await fails(() => storage.put(new Date(0), 1), TypeError, forms);
  await fails(() => storage.put(() => 1, 2), TypeError, forms);
  await fails(() => storage.put(['x', 'y']), TypeError, 'put() called with undefined value.');
});

// The limit of list.
export const limits = inside(async (storage) => {
  await storage.put({ a: 1, b: 2, c: 3 });
  const size = async (limit) => (await storage.list({ limit })).size;
  assert.strictEqual(await size('2'), 2);
  assert.strictEqual(await size(1.9), 1);
  assert.strictEqual(await size(undefined), 3);
  for (const limit of [null, NaN, {}, 0.5, -1]) await fails(() => size(limit), TypeError, 'List limit must be positive.');
  for (const limit of [2 ** 31, 1e10]) {
    await fails(() => size(limit), TypeError, 'Value out of range. Must be between -2147483648 and 2147483647 (inclusive).');
  }
  await fails(() => size(5n), TypeError, 'Cannot convert a BigInt value to a number');
});

// The bounds of list are strings; only undefined is none.
export const bounds = inside(async (storage) => {
  await storage.put({ 7: 1, a: 2, null: 3, o: 4 });
  const keys = async (options) => [...(await storage.list(options)).keys()].join();
  assert.strictEqual(await keys({ start: 5, limit: 1 }), '7');
  assert.strictEqual(await keys({ start: null }), 'null,o');
  assert.strictEqual(await keys({ end: '' }), '');
  assert.strictEqual(await keys({ startAfter: '', limit: 1 }), '7');
  const both = 'list() cannot be called with both start and startAfter values.';
  await fails(() => storage.list({ start: '', startAfter: '' }), TypeError, both);
  await fails(() => storage.list({ start: 'a', startAfter: null }), TypeError, both);
  await fails(() => storage.list({ limit: 0, start: 'a', startAfter: 'b' }), TypeError, both);
});

// Point-in-time recovery is not there locally.
export const recovery = inside(async (storage) => {
  const text = "This Durable Object's storage back-end does not implement point-in-time recovery.";
  await fails(() => storage.getBookmarkForTime(0), Error, text);
  await fails(() => storage.getBookmarkForTime('x'), TypeError, wrong('getBookmarkForTime', 1, 'date'));
  await fails(() => storage.onNextSessionRestoreBookmark('x'), Error, text);
});

// The closure's this and arguments.
export const closure = inside(async (storage) => {
  assert.strictEqual(await storage.transaction(function (...args) { return this === globalThis && args.length; }), 1);
});

// The methods, in order, and the own properties.
export const methods = inside(async (storage) => {
  assert.deepStrictEqual(Object.getOwnPropertyNames(Object.getPrototypeOf(storage)), ['get', 'list', 'put', 'delete',
    'deleteAll', 'transaction', 'getAlarm', 'setAlarm', 'deleteAlarm', 'sync', 'transactionSync', 'getCurrentBookmark',
    'getBookmarkForTime', 'onNextSessionRestoreBookmark', 'constructor']);
  assert.deepStrictEqual(Object.keys(storage).sort(), ['kv', 'sql']);
  assert.strictEqual(storage.kv, storage.kv);
  assert.strictEqual(String(storage.sql), '[object SqlStorage]');
  assert.strictEqual(String(storage.kv), '[object SyncKvStorage]');
  assert.strictEqual(storage.get.length, 0);
});

// The storage of an object is of no use to others.
export const elsewhere = {
  async test(ctrl, env) {
    await env.Obj.getByName('owner').leak();
    const text = (whose, created, accessed) => `Cannot perform I/O on behalf of a different ${whose}. I/O objects (such as streams, `
      + `request/response bodies, and others) created in the context of one ${created} cannot be accessed from a different ${accessed}. `
      + 'This is a limitation of Cloudflare Workers which allows us to improve overall performance. (I/O type: ActorCacheInterface)';
    await fails(() => leaked.get('k'), Error, text('request', 'request handler', "request's handler"));
    await fails(() => leaked.put('k', 2), Error, text('request', 'request handler', "request's handler"));
    const other = bodies.push(async () => fails(() => leaked.get('k'), Error,
      text('Durable Object', 'Durable Object', 'Durable Object in the same isolate'))) - 1;
    assert.strictEqual(await env.Obj.getByName('other').run(other), 'done');
  },
};
