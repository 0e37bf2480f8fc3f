// Rule: storage.kv: arguments, and the iterator of list. Source: workerd
// behaviour; Cloudflare docs "Durable Object Storage".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { failsToClone, throws } from 'failure.js';

const bodies = [];

export class Obj extends DurableObject {
  async run(index) {
    await bodies[index](this.ctx.storage.kv, this.ctx.storage);
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

const wrong = (method, n, type) => `Failed to execute '${method}' on 'SyncKvStorage': parameter ${n} is not of type '${type}'.`;
const invalidated = 'kv.list() iterator was invalidated because a new call to kv.list() was started. '
  + 'Only one kv.list() iterator can exist at a time.';
const keysOf = (iterator) => [...iterator].map(([key]) => key).join();

// Missing arguments.
export const missing = inside((kv) => {
  throws(() => kv.get(), TypeError, wrong('get', 1, 'string'));
  throws(() => kv.put(), TypeError, wrong('put', 1, 'string'));
  throws(() => kv.put('k'), TypeError, wrong('put', 2, 'Value'));
  throws(() => kv.delete(), TypeError, wrong('delete', 1, 'string'));
  throws(() => kv.list(5), TypeError, wrong('list', 1, 'ListOptions'));
});

// Every key is a string: arrays and objects too.
export const keys = inside((kv) => {
  kv.put({ a: 1 }, 2);
  kv.put(['x', 'y'], 3);
  kv.put(null, 4);
  assert.strictEqual(kv.get('[object Object]'), 2);
  assert.strictEqual(kv.get(['x', 'y']), 3);
  assert.strictEqual(kv.delete(null), true);
  assert.strictEqual(keysOf(kv.list(null)), '[object Object],x,y');
  throws(() => kv.get(Symbol('x')), TypeError, 'Cannot convert a Symbol value to a string');
});

// Surplus arguments do not matter.
export const surplus = inside((kv) => {
  kv.put('k', 1, 5);
  assert.strictEqual(kv.get('k', 5), 1);
  assert.strictEqual(kv.delete('k', 5), true);
});

// What cannot be cloned.
export const notCloneable = inside((kv) => failsToClone(() => kv.put('k', Symbol('s')), 'Symbol(s) could not be cloned.'));

// The iterator is one of the language.
export const iterator = inside((kv) => {
  kv.put('a', 1);
  const it = kv.list();
  assert.strictEqual(it[Symbol.iterator](), it);
  assert.strictEqual(String(it), '[object ListIterator]');
  assert.strictEqual(typeof it.return, 'undefined');
  assert.deepStrictEqual(it.next(), { done: false, value: ['a', 1] });
  assert.deepStrictEqual(Object.keys(it.next()), ['done', 'value']);
  assert.deepStrictEqual(it.next(), { done: true, value: undefined });
  assert.ok(it instanceof Iterator);
});

// It sees writes that lie ahead.
export const live = inside((kv) => {
  for (const key of ['a', 'c', 'd']) kv.put(key, 1);
  const it = kv.list();
  it.next();
  kv.put('b', 1);
  kv.delete('d');
  kv.put('e', 1);
  assert.strictEqual(keysOf(it), 'b,c,e');
});

// It goes on in a later turn.
export const laterTurn = inside(async (kv) => {
  kv.put('a', 1);
  kv.put('b', 1);
  const it = kv.list();
  it.next();
  await scheduler.wait(1);
  assert.strictEqual(keysOf(it), 'b');
});

// list() of the storage ends it as well.
export const asyncList = inside((kv, storage) => {
  kv.put('a', 1);
  const it = kv.list();
  storage.list();
  throws(() => it.next(), Error, invalidated);
});

// One that has come to its end cannot be invalidated.
export const exhausted = inside((kv) => {
  kv.put('a', 1);
  const it = kv.list();
  assert.strictEqual(keysOf(it), 'a');
  kv.list();
  assert.strictEqual(it.next().done, true);
});

// Methods need their receiver.
export const detached = inside((kv) => {
  const { get } = kv;
  throws(() => get('k'), TypeError, 'Illegal invocation: function called with incorrect `this` reference. See '
    + 'https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.');
});
