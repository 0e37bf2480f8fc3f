// Rule: unhandledrejection and rejectionhandled events. Source: HTML spec,
// unhandled promise rejections; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

const seen = [];
addEventListener('unhandledrejection', (event) => {
  seen.push(['unhandled', event.reason, event.promise, event.type]);
  event.preventDefault();
});
const handled = [];
addEventListener('rejectionhandled', (event) => { handled.push([event.promise, event.reason]); });

const of = (reason) => seen.filter((entry) => entry[1] === reason);

export class Obj extends DurableObject {
  fail() {
    throw new Error('from object');
  }
  leak(reason) {
    Promise.reject(reason);
    return 'fine';
  }
}

// A rejection without a handler is reported once, with reason and promise.
export const unhandled = {
  async test() {
    const reason = new Error('unhandled');
    const promise = Promise.reject(reason);
    await scheduler.wait(1);
    assert.strictEqual(of(reason).length, 1);
    assert.deepStrictEqual(of(reason)[0].slice(0, 1), ['unhandled']);
    assert.strictEqual(of(reason)[0][2], promise);
    assert.strictEqual(of(reason)[0][3], 'unhandledrejection');
  },
};

// A handler attached in the same turn prevents the report.
export const handledInTurn = {
  async test() {
    const reason = new Error('handled in turn');
    const promise = Promise.reject(reason);
    await null;
    await null;
    promise.catch(() => {});
    await scheduler.wait(1);
    assert.strictEqual(of(reason).length, 0);
  },
};

// A handler attached later gives rejectionhandled, with the promise but no reason.
export const handledLater = {
  async test() {
    const reason = new Error('handled later');
    const promise = Promise.reject(reason);
    await scheduler.wait(1);
    promise.catch(() => {});
    await scheduler.wait(1);
    assert.strictEqual(of(reason).length, 1);
    assert.deepStrictEqual(handled.filter((entry) => entry[0] === promise).map((entry) => entry[1]), [undefined]);
  },
};

// then without a rejection handler hands the rejection on: only the last promise is reported.
export const chain = {
  async test() {
    const reason = new Error('chain');
    const last = Promise.reject(reason).then(() => {}).then(() => {});
    await scheduler.wait(1);
    assert.strictEqual(of(reason).length, 1);
    assert.strictEqual(of(reason)[0][2], last);
  },
};

// A failed async function that nobody awaits is reported.
export const asyncFunction = {
  async test() {
    const reason = new Error('async function');
    (async () => {
      await null;
      throw reason;
    })();
    await scheduler.wait(1);
    assert.strictEqual(of(reason).length, 1);
  },
};

// Reasons of every kind are reported unchanged.
export const primitiveReasons = {
  async test() {
    for (const reason of ['text reason', 12345, Symbol.for('reason')]) {
      Promise.reject(reason);
      await scheduler.wait(1);
      assert.strictEqual(of(reason).length, 1);
    }
  },
};

// Promise.allSettled handles all of its promises.
export const allSettled = {
  async test() {
    const reason = new Error('settled');
    await Promise.allSettled([Promise.reject(reason), Promise.resolve(1)]);
    await scheduler.wait(1);
    assert.strictEqual(of(reason).length, 0);
  },
};

// Promise.all handles also those that fail later.
export const promiseAll = {
  async test() {
    const [first, second] = [new Error('first'), new Error('second')];
    await fails(() => Promise.all([Promise.reject(first), scheduler.wait(1).then(() => { throw second; })]),
      Error, 'first');
    await scheduler.wait(5);
    assert.strictEqual(of(first).length + of(second).length, 0);
  },
};

// A leaked rejection in an object does not fail its call.
export const inObject = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('x').leak('leaked in object'), 'fine');
    await scheduler.wait(1);
    assert.strictEqual(of('leaked in object').length, 1);
  },
};
