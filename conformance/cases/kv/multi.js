// Rule: get, put and delete of several keys.
// Source: Cloudflare docs "Durable Object Storage"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { failsToClone } from 'failure.js';

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

// get of an array gives a Map, without the missing keys.
export const getMany = inside(async (storage) => {
  await storage.put({ a: 1, b: 2 });
  const out = await storage.get(['a', 'none', 'b']);
  assert.ok(out instanceof Map);
  assert.deepStrictEqual([...out], [['a', 1], ['b', 2]]);
});

// The Map is in the order of the keys' bytes, not of the request.
export const getManyOrder = inside(async (storage) => {
  await storage.put({ c: 3, a: 1, b: 2 });
  assert.deepStrictEqual([...(await storage.get(['c', 'a', 'b'])).keys()], ['a', 'b', 'c']);
});

// A key named twice occurs once.
export const getManyTwice = inside(async (storage) => {
  await storage.put('a', 1);
  assert.deepStrictEqual([...await storage.get(['a', 'a'])], [['a', 1]]);
});

// No keys.
export const getNone = inside(async (storage) => {
  assert.strictEqual((await storage.get([])).size, 0);
});

// An object puts all its pairs.
export const putMany = inside(async (storage) => {
  assert.strictEqual(await storage.put({ x: 1, y: { z: 2 } }), undefined);
  assert.deepStrictEqual([...await storage.list()], [['x', 1], ['y', { z: 2 }]]);
});

// Integer-like keys are strings.
export const putIntegerKeys = inside(async (storage) => {
  await storage.put({ 10: 'ten', 9: 'nine' });
  assert.deepStrictEqual([...await storage.list()], [['10', 'ten'], ['9', 'nine']]);
});

// Pairs with an undefined value are left out.
export const putManyUndefined = inside(async (storage) => {
  await storage.put({ a: 1, b: undefined });
  assert.deepStrictEqual([...await storage.list()], [['a', 1]]);
});

// One value that cannot be stored: nothing is written.
export const putManyBad = inside(async (storage) => {
  await failsToClone(() => storage.put({ a: 1, b: Symbol('s') }), 'Symbol(s) could not be cloned.');
  assert.strictEqual((await storage.list()).size, 0);
});

// An empty object.
export const putEmpty = inside(async (storage) => {
  assert.strictEqual(await storage.put({}), undefined);
  assert.strictEqual((await storage.list()).size, 0);
});

// delete of an array counts what was there.
export const deleteMany = inside(async (storage) => {
  await storage.put({ a: 1, b: 2, c: 3 });
  assert.strictEqual(await storage.delete(['a', 'none', 'c']), 2);
  assert.deepStrictEqual([...(await storage.list()).keys()], ['b']);
});

// A key named twice counts once.
export const deleteTwice = inside(async (storage) => {
  await storage.put('a', 1);
  assert.strictEqual(await storage.delete(['a', 'a']), 1);
});

// No keys.
export const deleteNone = inside(async (storage) => {
  assert.strictEqual(await storage.delete([]), 0);
});

// Options come second.
export const options = inside(async (storage) => {
  await storage.put({ a: 1 }, { allowUnconfirmed: true });
  assert.deepStrictEqual([...await storage.get(['a'], { noCache: true })], [['a', 1]]);
  assert.strictEqual(await storage.delete(['a'], { noCache: true }), 1);
});

// 128 pairs at once.
export const many128 = inside(async (storage) => {
  const pairs = Object.fromEntries(Array.from({ length: 128 }, (_, i) => ['k' + i, i]));
  await storage.put(pairs);
  assert.strictEqual((await storage.get(Object.keys(pairs))).size, 128);
  assert.strictEqual(await storage.delete(Object.keys(pairs)), 128);
});
