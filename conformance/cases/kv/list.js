// Rule: list: order, bounds and options.
// Source: Cloudflare docs "Durable Object Storage"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

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

const fill = (storage) => storage.put({ a: 1, aa: 2, ab: 3, b: 4, ba: 5, c: 6 });
const keys = async (storage, options) => [...(await storage.list(options)).keys()];

// Each row: what it shows, the options, the keys.
const lists = (options, expected) => inside(async (storage) => {
  await fill(storage);
  assert.deepStrictEqual(await keys(storage, options), expected);
});

// No options: all of them, in order.
export const all = lists(undefined, ['a', 'aa', 'ab', 'b', 'ba', 'c']);
export const emptyOptions = lists({}, ['a', 'aa', 'ab', 'b', 'ba', 'c']);

// start is inclusive.
export const start = lists({ start: 'ab' }, ['ab', 'b', 'ba', 'c']);
export const startBetween = lists({ start: 'aaa' }, ['ab', 'b', 'ba', 'c']);

// startAfter is exclusive.
export const startAfter = lists({ startAfter: 'ab' }, ['b', 'ba', 'c']);
export const startAfterBetween = lists({ startAfter: 'aaa' }, ['ab', 'b', 'ba', 'c']);

// end is exclusive.
export const end = lists({ end: 'b' }, ['a', 'aa', 'ab']);

// start and end.
export const startEnd = lists({ start: 'aa', end: 'ba' }, ['aa', 'ab', 'b']);
export const startAfterEnd = lists({ startAfter: 'aa', end: 'ba' }, ['ab', 'b']);
export const startEqualsEnd = lists({ start: 'b', end: 'b' }, []);
export const startBehindEnd = lists({ start: 'c', end: 'a' }, []);

// prefix.
export const prefix = lists({ prefix: 'a' }, ['a', 'aa', 'ab']);
export const prefixNone = lists({ prefix: 'zz' }, []);
export const prefixEmpty = lists({ prefix: '' }, ['a', 'aa', 'ab', 'b', 'ba', 'c']);

// prefix with start, startAfter and end.
export const prefixStart = lists({ prefix: 'a', start: 'aa' }, ['aa', 'ab']);
export const prefixStartAfter = lists({ prefix: 'a', startAfter: 'aa' }, ['ab']);
export const prefixEnd = lists({ prefix: 'a', end: 'ab' }, ['a', 'aa']);
export const prefixStartOutside = lists({ prefix: 'a', start: 'b' }, []);

// limit.
export const limit = lists({ limit: 2 }, ['a', 'aa']);
export const limitLarge = lists({ limit: 100 }, ['a', 'aa', 'ab', 'b', 'ba', 'c']);

// reverse turns the order round, not the bounds.
export const reverse = lists({ reverse: true }, ['c', 'ba', 'b', 'ab', 'aa', 'a']);
export const reverseStartEnd = lists({ reverse: true, start: 'aa', end: 'ba' }, ['b', 'ab', 'aa']);
export const reverseLimit = lists({ reverse: true, limit: 2 }, ['c', 'ba']);
export const reversePrefixLimit = lists({ reverse: true, prefix: 'a', limit: 2 }, ['ab', 'aa']);
export const reverseStartAfter = lists({ reverse: true, startAfter: 'ab' }, ['c', 'ba', 'b']);

// The other options change no result.
export const cacheOptions = lists({ allowConcurrency: true, noCache: true, limit: 1 }, ['a']);

// The result is a Map with the values.
export const resultIsMap = inside(async (storage) => {
  await fill(storage);
  const out = await storage.list({ limit: 2 });
  assert.ok(out instanceof Map);
  assert.deepStrictEqual([...out], [['a', 1], ['aa', 2]]);
});

// An empty object lists nothing.
export const empty = inside(async (storage) => {
  assert.strictEqual((await storage.list()).size, 0);
});

// Writes not awaited are listed.
export const unconfirmed = inside(async (storage) => {
  storage.put('x', 1);
  storage.put('y', 2);
  storage.delete('x');
  assert.deepStrictEqual(await keys(storage), ['y']);
});

// The order is that of the UTF-8 bytes, not of UTF-16 code units.
export const byteOrder = inside(async (storage) => {
  await storage.put({ '\u{1f600}': 1, '\uffee': 2, '\u00e9': 3, Z: 4, a: 5, '~': 6 });
  assert.deepStrictEqual(await keys(storage), ['Z', 'a', '~', '\u00e9', '\uffee', '\u{1f600}']);
});

// A NUL byte in a key.
export const nulKey = inside(async (storage) => {
  await storage.put({ 'a\0b': 1, a: 2, 'a\0': 3 });
  assert.deepStrictEqual(await keys(storage), ['a', 'a\0', 'a\0b']);
});

// Wildcards of SQL mean nothing in a prefix.
export const wildcards = inside(async (storage) => {
  await storage.put({ 'a%b': 1, axb: 2, a_c: 3, 'a*': 4 });
  assert.deepStrictEqual(await keys(storage, { prefix: 'a%' }), ['a%b']);
  assert.deepStrictEqual(await keys(storage, { prefix: 'a_' }), ['a_c']);
  assert.deepStrictEqual(await keys(storage, { prefix: 'a*' }), ['a*']);
});

// A long prefix works.
export const longPrefix = inside(async (storage) => {
  await storage.put('p'.repeat(100) + 'x', 1);
  assert.deepStrictEqual(await keys(storage, { prefix: 'p'.repeat(100) }), ['p'.repeat(100) + 'x']);
});

// A prefix that ends in the highest character.
export const highPrefix = inside(async (storage) => {
  await storage.put({ '\u{10ffff}': 1, '\u{10ffff}a': 2, b: 3 });
  assert.deepStrictEqual(await keys(storage, { prefix: '\u{10ffff}' }), ['\u{10ffff}', '\u{10ffff}a']);
});

// More than a thousand keys.
export const manyKeys = inside(async (storage) => {
  for (let i = 0; i < 1500; i++) storage.put(String(i).padStart(5, '0'), i);
  const out = await storage.list();
  assert.strictEqual(out.size, 1500);
  assert.deepStrictEqual([...out.values()].slice(-2), [1498, 1499]);
});

// limit must be positive.
export const limitZero = inside(async (storage) => {
  await fails(() => storage.list({ limit: 0 }), TypeError, 'List limit must be positive.');
});
export const limitNegative = inside(async (storage) => {
  await fails(() => storage.list({ limit: -1 }), TypeError, 'List limit must be positive.');
});

// start and startAfter exclude each other.
export const startAndStartAfter = inside(async (storage) => {
  await fails(() => storage.list({ start: 'a', startAfter: 'a' }), TypeError,
    'list() cannot be called with both start and startAfter values.');
});

// Options of a wrong type.
export const wrongOptions = inside(async (storage) => {
  await fails(() => storage.list('a'), TypeError,
    "Failed to execute 'list' on 'DurableObjectStorage': parameter 1 is not of type 'ListOptions'.");
});
