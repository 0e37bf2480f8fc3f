// Rule: get, put, delete of single keys, their options and errors.
// Source: Cloudflare docs "Durable Object Storage"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails, failsToClone } from 'failure.js';

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

// A missing key is undefined.
export const getMissing = inside(async (storage) => {
  assert.strictEqual(await storage.get('none'), undefined);
});

// What was put is got.
export const putGet = inside(async (storage) => {
  await storage.put('k', { a: [1, new Date(0)] });
  assert.deepStrictEqual(await storage.get('k'), { a: [1, new Date(0)] });
});

// A put that was not awaited is seen by the next get.
export const readYourWrites = inside(async (storage) => {
  storage.put('k', 1);
  assert.strictEqual(await storage.get('k'), 1);
});

// A second put replaces the first.
export const overwrite = inside(async (storage) => {
  await storage.put('k', 1);
  await storage.put('k', 2);
  assert.strictEqual(await storage.get('k'), 2);
});

// put gives undefined.
export const putResult = inside(async (storage) => {
  assert.strictEqual(await storage.put('k', 1), undefined);
});

// Each get is a copy.
export const getCopies = inside(async (storage) => {
  await storage.put('k', { n: 1 });
  const first = await storage.get('k');
  first.n = 2;
  assert.deepStrictEqual(await storage.get('k'), { n: 1 });
});

// put copies at the call.
export const putCopies = inside(async (storage) => {
  const value = { n: 1 };
  const put = storage.put('k', value);
  value.n = 2;
  await put;
  assert.deepStrictEqual(await storage.get('k'), { n: 1 });
});

// null is a value.
export const putNull = inside(async (storage) => {
  await storage.put('k', null);
  assert.strictEqual(await storage.get('k'), null);
});

// undefined is none.
export const putUndefined = inside(async (storage) => {
  await fails(() => storage.put('k', undefined), TypeError, 'put() called with undefined value.');
});

// put without a value.
export const putNoValue = inside(async (storage) => {
  await fails(() => storage.put('k'), TypeError, 'put() called with undefined value.');
});

// A function cannot be stored.
export const putFunction = inside(async (storage) => {
  await failsToClone(() => storage.put('k', () => 1), '() => 1 could not be cloned.');
});

// A symbol cannot be stored.
export const putSymbol = inside(async (storage) => {
  await failsToClone(() => storage.put('k', Symbol('s')), 'Symbol(s) could not be cloned.');
});

// A stub cannot be stored.
export const putStub = inside(async (storage, ctx) => {
  await failsToClone(() => storage.put('k', ctx.exports.Obj.getByName('x')),
    'ServiceStub cannot be serialized in this context.');
});

// A class instance is stored as a plain object.
export const putInstance = inside(async (storage) => {
  class Point {
    x = 1;
    get y() {
      return 2;
    }
  }
  await storage.put('k', new Point());
  const out = await storage.get('k');
  assert.strictEqual(Object.getPrototypeOf(out), Object.prototype);
  assert.deepStrictEqual(out, { x: 1 });
});

// Every cloneable kind of value.
export const values = inside(async (storage) => {
  const all = [0, -0, 1.5, NaN, 2 ** 31, 2 ** 53, -7, true, 'text', '\u4e2d\u{1f600}', '', 10n ** 30n, -5n,
    [1, , 3], { z: 1, a: undefined }, new Map([[1, { x: 2 }]]), new Set(['q']), /a+/gi,
    new Uint8Array([1, 2]), new Float64Array([0.5]), new Uint8Array([3]).buffer, new Date(5), Object('boxed')];
  for (const value of all) {
    await storage.put('k', value);
    assert.deepStrictEqual(await storage.get('k'), value);
  }
});

// Errors are stored with class and message.
export const putError = inside(async (storage) => {
  await storage.put('k', new RangeError('m'));
  const out = await storage.get('k');
  assert.ok(out instanceof RangeError);
  assert.strictEqual(out.message, 'm');
});

// A cycle.
export const putCycle = inside(async (storage) => {
  const value = {};
  value.self = value;
  await storage.put('k', value);
  const out = await storage.get('k');
  assert.strictEqual(out.self, out);
});

// The empty string is a key.
export const emptyKey = inside(async (storage) => {
  await storage.put('', 'empty');
  assert.strictEqual(await storage.get(''), 'empty');
  assert.deepStrictEqual([...(await storage.list()).keys()], ['']);
});

// Keys are turned into strings.
export const keyCoercion = inside(async (storage) => {
  await storage.put(5, 'five');
  assert.strictEqual(await storage.get('5'), 'five');
  await storage.put(null, 'null');
  assert.strictEqual(await storage.get('null'), 'null');
});

// Keys are case sensitive and not normalised.
export const keyIdentity = inside(async (storage) => {
  await storage.put({ a: 1, A: 2, '\u00e9': 3, 'e\u0301': 4 });
  assert.strictEqual((await storage.list()).size, 4);
});

// delete tells whether the key was there.
export const deleteOne = inside(async (storage) => {
  await storage.put('k', 1);
  assert.strictEqual(await storage.delete('k'), true);
  assert.strictEqual(await storage.delete('k'), false);
  assert.strictEqual(await storage.get('k'), undefined);
});

// A deleted key can be put again.
export const deleteThenPut = inside(async (storage) => {
  await storage.put('k', 1);
  storage.delete('k');
  storage.put('k', 2);
  assert.strictEqual(await storage.get('k'), 2);
});

// The options of get, put and delete change no result.
export const options = inside(async (storage) => {
  await storage.put('k', 1, { allowUnconfirmed: true, noCache: true, allowConcurrency: true });
  assert.strictEqual(await storage.get('k', { allowConcurrency: true, noCache: true }), 1);
  assert.strictEqual(await storage.delete('k', { allowUnconfirmed: true, noCache: true }), true);
});

// Options may be null or undefined.
export const emptyOptions = inside(async (storage) => {
  await storage.put('k', 1, undefined);
  assert.strictEqual(await storage.get('k', null), 1);
});

// Options of a wrong type are refused.
export const wrongOptions = inside(async (storage) => {
  await fails(() => storage.get('k', 5), TypeError,
    "Failed to execute 'get' on 'DurableObjectStorage': parameter 2 is not of type 'GetOptions'.");
});

// get without a key.
export const getNothing = inside(async (storage) => {
  await fails(() => storage.get(), TypeError,
    "Failed to execute 'get' on 'DurableObjectStorage': parameter 1 is not of type 'string or Array'.");
});

// deleteAll removes everything.
export const deleteAll = inside(async (storage) => {
  await storage.put({ a: 1, b: 2 });
  assert.strictEqual(await storage.deleteAll(), undefined);
  assert.strictEqual((await storage.list()).size, 0);
  assert.strictEqual(await storage.get('a'), undefined);
});

// deleteAll of an empty object.
export const deleteAllEmpty = inside(async (storage) => {
  assert.strictEqual(await storage.deleteAll(), undefined);
});

// Puts after a deleteAll that was not awaited stay.
export const putAfterDeleteAll = inside(async (storage) => {
  await storage.put('a', 1);
  storage.deleteAll();
  storage.put('b', 2);
  assert.deepStrictEqual([...await storage.list()], [['b', 2]]);
});

// sync gives undefined, with or without writes before it.
export const sync = inside(async (storage) => {
  assert.strictEqual(await storage.sync(), undefined);
  storage.put('k', 1);
  assert.strictEqual(await storage.sync(), undefined);
});

// Operations not awaited keep their order.
export const order = inside(async (storage) => {
  storage.put('k', 1);
  const first = storage.get('k');
  storage.put('k', 2);
  const second = storage.get('k');
  storage.delete('k');
  const third = storage.get('k');
  assert.deepStrictEqual(await Promise.all([first, second, third]), [1, 2, undefined]);
});

// Objects do not see each other's keys.
export const isolation = {
  async test(ctrl, env) {
    const writer = bodies.push((storage) => storage.put('mine', 1)) - 1;
    const reader = bodies.push(async (storage) => assert.strictEqual(await storage.get('mine'), undefined)) - 1;
    await env.Obj.getByName('left').run(writer);
    assert.strictEqual(await env.Obj.getByName('right').run(reader), 'done');
  },
};

// Storage methods need their receiver.
export const detached = inside(async (storage) => {
  const { get } = storage;
  await fails(() => get('k'), TypeError, /^Illegal invocation: function called with incorrect `this` reference\. /);
});

// The tag.
export const tag = inside(async (storage) => {
  assert.strictEqual(Object.prototype.toString.call(storage), '[object DurableObjectStorage]');
});
