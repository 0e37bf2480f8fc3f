// Rule: promises, async functions, generators and async generators: results and
// the order of their steps. Source: ECMAScript spec.
import assert from 'node:assert';

// await takes one microtask for a promise and for a plain value.
export const awaitTicks = {
  async test() {
    const order = [];
    const a = (async () => { await null; order.push('a1'); await null; order.push('a2'); })();
    const b = Promise.resolve().then(() => order.push('b1')).then(() => order.push('b2'));
    await Promise.all([a, b]);
    assert.deepStrictEqual(order, ['a1', 'b1', 'a2', 'b2']);
  },
};

// Returning a promise from an async function takes two microtasks more than a value.
export const returnPromise = {
  async test() {
    const order = [];
    const a = (async () => Promise.resolve())().then(() => order.push('a'));
    let b = Promise.resolve();
    for (let i = 1; i <= 4; i++) b = b.then(() => order.push(i));
    await Promise.all([a, b]);
    assert.deepStrictEqual(order, [1, 2, 'a', 3, 4]);
  },
};

// A thenable is called in a microtask of its own.
export const thenable = {
  async test() {
    const order = [];
    const thenable = { then(resolve) { order.push('then'); resolve(5); } };
    const p = (async () => await thenable)();
    order.push('after');
    assert.strictEqual(await p, 5);
    assert.deepStrictEqual(order, ['after', 'then']);
  },
};

// try, catch, finally around await.
export const tryFinally = {
  async test() {
    const order = [];
    const f = async () => {
      try {
        await Promise.reject(new Error('x'));
      } catch (e) {
        order.push(e.message);
        return 'from catch';
      } finally {
        await null;
        order.push('finally');
      }
    };
    assert.strictEqual(await f(), 'from catch');
    assert.deepStrictEqual(order, ['x', 'finally']);
  },
};

// Promise.any rejects with an AggregateError.
export const promiseAny = {
  async test() {
    assert.strictEqual(await Promise.any([Promise.reject(1), Promise.resolve(2)]), 2);
    await assert.rejects(Promise.any([Promise.reject(1)]), (e) => e instanceof AggregateError
      && e.message === 'All promises were rejected' && e.errors[0] === 1);
  },
};

// Promise.withResolvers and Promise.try.
export const newerPromises = {
  async test() {
    const { promise, resolve } = Promise.withResolvers();
    resolve(3);
    assert.strictEqual(await promise, 3);
    assert.strictEqual(await Promise.try((x) => x + 1, 4), 5);
    await assert.rejects(Promise.try(() => { throw new RangeError('r'); }), RangeError);
  },
};

// Generators: next, return, throw, yield*.
export const generators = {
  test() {
    const log = [];
    function* inner() { try { const got = yield 1; log.push(got); yield 2; } finally { log.push('closed'); } return 'inner'; }
    function* outer() { log.push(yield* inner()); }
    const g = outer();
    assert.deepStrictEqual(g.next(), { value: 1, done: false });
    assert.deepStrictEqual(g.next('got'), { value: 2, done: false });
    assert.deepStrictEqual(g.return('end'), { value: 'end', done: true });
    assert.deepStrictEqual(log, ['got', 'closed']);
  },
};

// for await over an async generator.
export const asyncGenerator = {
  async test() {
    async function* count(n) { for (let i = 0; i < n; i++) { await null; yield i; } }
    const out = [];
    for await (const x of count(3)) out.push(x);
    assert.deepStrictEqual(out, [0, 1, 2]);
  },
};

// Leaving the loop closes the generator; await works in its finally.
export const asyncGeneratorBreak = {
  async test() {
    const log = [];
    async function* source() { try { yield 1; yield 2; } finally { await null; log.push('closed'); } }
    for await (const x of source()) { log.push(x); break; }
    assert.deepStrictEqual(log, [1, 'closed']);
  },
};

// return() during a finally with await.
export const asyncGeneratorReturn = {
  async test() {
    const log = [];
    async function* source() { try { yield 1; } finally { await null; log.push('a'); await null; log.push('b'); } }
    const g = source();
    await g.next();
    assert.deepStrictEqual(await g.return(7), { value: 7, done: true });
    assert.deepStrictEqual(log, ['a', 'b']);
  },
};

// throw() into an async generator.
export const asyncGeneratorThrow = {
  async test() {
    async function* source() { try { yield 1; } catch (e) { yield 'caught ' + e.message; } }
    const g = source();
    await g.next();
    assert.deepStrictEqual(await g.throw(new Error('x')), { value: 'caught x', done: false });
    assert.deepStrictEqual(await g.next(), { value: undefined, done: true });
  },
};

// Calls of next() queue up.
export const asyncGeneratorQueue = {
  async test() {
    async function* source() { yield 1; yield 2; return 3; }
    const g = source();
    const results = await Promise.all([g.next(), g.next(), g.next(), g.next()]);
    assert.deepStrictEqual(results.map((r) => [r.value, r.done]), [[1, false], [2, false], [3, true], [undefined, true]]);
  },
};

// yield* in an async generator takes sync and async sources.
export const asyncYieldStar = {
  async test() {
    async function* inner() { yield 'a'; return 'r'; }
    async function* outer() { const r = yield* inner(); yield r; yield* [1, Promise.resolve(2)]; }
    const out = [];
    for await (const x of outer()) out.push(x);
    assert.deepStrictEqual(out, ['a', 'r', 1, 2]);
  },
};

// for await over an array of promises; a rejection ends it.
export const forAwaitSync = {
  async test() {
    const out = [];
    await assert.rejects(async () => {
      for await (const x of [Promise.resolve(1), 2, Promise.reject(new RangeError('r'))]) out.push(x);
    }, RangeError);
    assert.deepStrictEqual(out, [1, 2]);
  },
};

// Async generator methods may use super and private names.
export const asyncGeneratorMethod = {
  async test() {
    class Base { value() { return 5; } }
    class Derived extends Base { #p = 6; async *values() { yield super.value(); yield this.#p; } }
    const out = [];
    for await (const x of new Derived().values()) out.push(x);
    assert.deepStrictEqual(out, [5, 6]);
  },
};

// Array.fromAsync.
export const fromAsync = {
  async test() {
    async function* source() { yield 1; yield 2; }
    assert.deepStrictEqual(await Array.fromAsync(source(), (x) => x * 2), [2, 4]);
  },
};

// AsyncLocalStorage follows awaits, timers and promises.
export const asyncLocalStorage = {
  async test() {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const storage = new AsyncLocalStorage();
    const seen = await Promise.all(['a', 'b'].map((value) => storage.run(value, async () => {
      await null;
      const first = storage.getStore();
      await new Promise((resolve) => setTimeout(resolve, 1));
      return [first, storage.getStore()];
    })));
    assert.deepStrictEqual(seen, [['a', 'a'], ['b', 'b']]);
    assert.strictEqual(storage.getStore(), undefined);
  },
};
