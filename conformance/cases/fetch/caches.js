// Rule: caches without a cache service, as the local runtime has it by default: arguments are
// checked, and then every operation is refused. Source: workerd behaviour.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

const get = 'http://example.com/';
const post = new Request(get, { method: 'POST' });

// Without a service every operation fails.
export const refused = {
  async test() {
    assert.deepStrictEqual([
      await thrown(() => caches.default.match(get)), await thrown(() => caches.default.put(get, new Response('a'))),
      await thrown(() => caches.default.delete(get)), await thrown(async () => (await caches.open('a')).match(get)),
    ], [
      'Error: No Cache was configured',
      'Error: No Cache was configured',
      'Error: No Cache was configured',
      'Error: No Cache was configured',
    ]);
  },
};

// There is one default cache; open() makes a new object each time.
export const objects = {
  async test() {
    const a = await caches.open('a');
    assert.deepStrictEqual([
      caches.default === caches.default, caches.default instanceof Cache, caches instanceof CacheStorage, a instanceof Cache, a === await caches.open('a'),
      a === caches.default, Reflect.ownKeys(caches), Reflect.ownKeys(caches.default),
    ], [true, true, true, true, false, false, ['default'], []]);
  },
};

// Other methods than GET find nothing, and cannot be stored.
export const notGet = {
  async test() {
    assert.deepStrictEqual([
      await caches.default.match(post), await caches.default.delete(post), await thrown(() => caches.default.put(post, new Response('a'))),
      await thrown(() => caches.default.match(post, { ignoreMethod: true })), await thrown(() => caches.default.delete(post, { ignoreMethod: true })),
    ], [
      undefined,
      false,
      'TypeError: Cannot cache response to non-GET request.',
      'Error: No Cache was configured',
      'Error: No Cache was configured',
    ]);
  },
};

// A partial response cannot be stored, and keeps its body.
export const partial = {
  async test() {
    const response = new Response('a', { status: 206 });
    assert.deepStrictEqual(
      [await thrown(() => caches.default.put(get, response)), response.bodyUsed],
      ['TypeError: Cannot cache response to a range request (206 Partial Content).', false],
    );
  },
};

// A response that varies with everything cannot be stored.
export const vary = {
  async test() {
    assert.deepStrictEqual(
      await Promise.all(['*', 'a, *', 'accept'].map((vary) => thrown(() => caches.default.put(get, new Response('a', { headers: { vary } }))))),
      [
        'TypeError: Cannot cache response with \'Vary: *\' header.',
        'TypeError: Cannot cache response with \'Vary: *\' header.',
        'Error: No Cache was configured',
      ],
    );
  },
};

// A 304 is taken and ignored.
export const notModified = {
  async test() {
    assert.deepStrictEqual(await caches.default.put(get, new Response(null, { status: 304 })), undefined);
  },
};

// The body is used up.
export const bodies = {
  async test() {
    const response = new Response('a');
    await thrown(() => caches.default.put(get, response));
    assert.deepStrictEqual([response.bodyUsed, await thrown(() => caches.default.put(get, response))], [
      true,
      'TypeError: Body has already been used. It can only be used once. Use tee() first if you need to read it twice.',
    ]);
  },
};

// Arguments of match.
export const matchArguments = {
  async test() {
    assert.deepStrictEqual([
      await thrown(() => caches.default.match()), await thrown(() => caches.default.match('bad')), await thrown(() => caches.default.match(get, 5)),
      await thrown(() => caches.default.match(get, { ignoreSearch: true })), await thrown(() => caches.default.match(get, { ignoreVary: true })),
      await thrown(() => caches.default.match(get, { cacheName: 'x' })),
    ], [
      'TypeError: Failed to execute \'match\' on \'Cache\': parameter 1 is not of type \'Request or string\'.',
      'TypeError: Invalid URL: bad',
      'TypeError: Failed to execute \'match\' on \'Cache\': parameter 2 is not of type \'CacheQueryOptions\'.',
      'Error: The \'ignoreSearch\' field on \'CacheQueryOptions\' is not implemented.',
      'Error: The \'ignoreVary\' field on \'CacheQueryOptions\' is not implemented.',
      'Error: The \'cacheName\' field on \'CacheQueryOptions\' is not implemented.',
    ]);
  },
};

// Arguments of put and delete.
export const putArguments = {
  async test() {
    assert.deepStrictEqual([
      await thrown(() => caches.default.put()), await thrown(() => caches.default.put(get)), await thrown(() => caches.default.put(get, 5)),
      await thrown(() => caches.default.put(5, new Response('a'))), await thrown(() => caches.default.delete()),
    ], [
      'TypeError: Failed to execute \'put\' on \'Cache\': parameter 1 is not of type \'Request or string\'.',
      'TypeError: Failed to execute \'put\' on \'Cache\': parameter 2 is not of type \'Response\'.',
      'TypeError: Failed to execute \'put\' on \'Cache\': parameter 2 is not of type \'Response\'.',
      'TypeError: Invalid URL: 5',
      'TypeError: Failed to execute \'delete\' on \'Cache\': parameter 1 is not of type \'Request or string\'.',
    ]);
  },
};

// Arguments of open.
export const openArguments = {
  async test() {
    assert.deepStrictEqual(
      [await thrown(() => caches.open()), await thrown(() => caches.open('x'.repeat(2000))), await thrown(() => caches.open(''))],
      [
        'TypeError: Failed to execute \'open\' on \'CacheStorage\': parameter 1 is not of type \'string\'.',
        'TypeError: Cache name is too long.',
        'nothing',
      ],
    );
  },
};

// Methods of the standard that are not there.
export const absent = {
  async test() {
    assert.deepStrictEqual(await Promise.all([
      ...['add', 'addAll', 'keys', 'matchAll'].map((name) => thrown(() => caches.default[name](get))),
      ...['has', 'delete', 'keys', 'match'].map((name) => thrown(() => caches[name]('a'))),
    ]), [
      'Error: Failed to execute \'add\' on \'Cache\': the method is not implemented.',
      'Error: Failed to execute \'addAll\' on \'Cache\': the method is not implemented.',
      'Error: Failed to execute \'keys\' on \'Cache\': the method is not implemented.',
      'Error: Failed to execute \'matchAll\' on \'Cache\': the method is not implemented.',
      'Error: Failed to execute \'has\' on \'CacheStorage\': the method is not implemented.',
      'Error: Failed to execute \'delete\' on \'CacheStorage\': the method is not implemented.',
      'Error: Failed to execute \'keys\' on \'CacheStorage\': the method is not implemented.',
      'Error: Failed to execute \'match\' on \'CacheStorage\': the method is not implemented.',
    ]);
  },
};

// Errors of arguments are rejections; a wrong receiver is thrown at once.
export const promises = {
  async test() {
    const p = caches.default.put();
    const isPromise = p instanceof Promise;
    await thrown(() => p);
    let sync;
    try { Cache.prototype.match.call({}, get); } catch (e) { sync = e.name; }
    assert.deepStrictEqual([isPromise, sync, await thrown(() => CacheStorage.prototype.open.call({}, 'a'))], [
      true,
      'TypeError',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
    ]);
  },
};
