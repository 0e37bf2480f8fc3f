// Rule: timers, microtasks, and the time within a turn. Source: HTML spec,
// timers; Cloudflare docs "Web standards: timers", "Performance and timers"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';
import { until } from 'until.js';

export class Obj extends DurableObject {
  async order() {
    const order = [];
    await new Promise((resolve) => {
      setTimeout(() => { order.push('300'); resolve(); }, 300);
      setTimeout(() => order.push('1'), 1);
      setTimeout(() => order.push('150'), 150);
    });
    return order;
  }
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Timers fire by time, not in the order they were set.
export const byTime = {
  async test() {
    const order = [];
    setTimeout(() => order.push('300'), 300);
    setTimeout(() => order.push('1'), 1);
    setTimeout(() => order.push('150'), 150);
    await until(() => order.length === 3);
    assert.deepStrictEqual(order, ['1', '150', '300']);
  },
};

// Equal delays fire in the order they were set.
export const equalDelays = {
  async test() {
    const order = [];
    for (let i = 0; i < 10; i++) setTimeout(() => order.push(i), 5);
    await until(() => order.length === 10);
    assert.deepStrictEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  },
};

// Code, then microtasks, then timers.
export const microtasksFirst = {
  async test() {
    const order = [];
    setTimeout(() => order.push('timer'), 0);
    queueMicrotask(() => order.push('microtask'));
    Promise.resolve().then(() => order.push('then'));
    order.push('code');
    await until(() => order.length === 4);
    assert.deepStrictEqual(order, ['code', 'microtask', 'then', 'timer']);
  },
};

// Microtasks of one timer run before the next timer.
export const microtasksBetweenTimers = {
  async test() {
    const order = [];
    setTimeout(() => {
      order.push('first');
      Promise.resolve().then(() => order.push('then of first'));
    }, 1);
    setTimeout(() => order.push('second'), 1);
    await until(() => order.length === 3);
    assert.deepStrictEqual(order, ['first', 'then of first', 'second']);
  },
};

// Further arguments are handed on.
export const timerArguments = {
  async test() {
    assert.deepStrictEqual(await new Promise((resolve) => setTimeout((...args) => resolve(args), 1, 'a', 2)), ['a', 2]);
  },
};

// A missing, negative or odd delay counts as 0 or is turned into a number.
export const oddDelays = {
  async test() {
    const order = [];
    setTimeout(() => order.push('none'));
    setTimeout(() => order.push('negative'), -5);
    setTimeout(() => order.push('string'), '1');
    await until(() => order.length === 3);
    assert.deepStrictEqual(order.sort(), ['negative', 'none', 'string']);
  },
};

// clearTimeout stops a timer.
export const clear = {
  async test() {
    let ran = false;
    clearTimeout(setTimeout(() => { ran = true; }, 1));
    await wait(10);
    assert.strictEqual(ran, false);
  },
};

// clearTimeout ignores what is no timer.
export const clearNothing = {
  test() {
    assert.strictEqual(clearTimeout(undefined), undefined);
    assert.strictEqual(clearTimeout(null), undefined);
    assert.strictEqual(clearTimeout(987654), undefined);
  },
};

// A timer may clear another that is due at the same time.
export const clearDue = {
  async test() {
    const order = [];
    let second;
    setTimeout(() => { order.push('first'); clearTimeout(second); }, 1);
    second = setTimeout(() => order.push('second'), 1);
    await until(() => order.length > 0);
    await wait(50);
    assert.deepStrictEqual(order, ['first']);
  },
};

// setInterval repeats until it is cleared, also from inside.
export const interval = {
  async test() {
    let n = 0;
    await new Promise((resolve) => {
      const id = setInterval(() => {
        if (++n === 3) {
          clearInterval(id);
          resolve();
        }
      }, 1);
    });
    await wait(10);
    assert.strictEqual(n, 3);
  },
};

// clearTimeout stops an interval, too.
export const clearTimeoutInterval = {
  async test() {
    let n = 0;
    const id = setInterval(() => n++, 1);
    clearTimeout(id);
    await wait(10);
    assert.strictEqual(n, 0);
  },
};

// setTimeout wants a function; the error is that of Node.js.
export const notAFunction = {
  test() {
    assert.throws(() => setTimeout('code', 1), {
      name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE',
      message: 'The "callback" argument must be of type function. Received type string (\'code\')',
    });
  },
};

// A timer is an object, as in Node.js.
export const timerObject = {
  test() {
    const timer = setTimeout(() => {}, 1);
    assert.strictEqual(typeof timer, 'object');
    clearTimeout(timer);
  },
};

// setImmediate runs after microtasks.
export const immediate = {
  async test() {
    const order = [];
    setImmediate((x) => order.push(x), 'immediate');
    Promise.resolve().then(() => order.push('then'));
    await until(() => order.length === 2);
    assert.deepStrictEqual(order, ['then', 'immediate']);
  },
};

// queueMicrotask wants a function.
export const microtaskNotAFunction = {
  async test() {
    await fails(() => queueMicrotask(5), TypeError,
      "Failed to execute 'queueMicrotask' on 'ServiceWorkerGlobalScope': parameter 1 is not of type 'function'.");
  },
};

// scheduler.wait resolves to undefined after the time.
export const schedulerWait = {
  async test() {
    const order = [];
    setTimeout(() => order.push('1'), 1);
    assert.strictEqual(await scheduler.wait(200), undefined);
    order.push('200');
    assert.deepStrictEqual(order, ['1', '200']);
  },
};

// scheduler.wait ends with its signal.
export const schedulerSignal = {
  async test() {
    const controller = new AbortController();
    const waiting = scheduler.wait(10000, { signal: controller.signal });
    controller.abort(new RangeError('stop'));
    await fails(() => waiting, RangeError, 'stop');
  },
};

// The clock never goes back.
export const monotonic = {
  async test() {
    let last = Date.now();
    for (let i = 0; i < 5; i++) {
      await wait(1);
      assert.ok(Date.now() >= last);
      last = Date.now();
    }
  },
};

// Date.now() is a whole number of milliseconds.
export const wholeMilliseconds = {
  test() {
    assert.ok(Number.isInteger(Date.now()));
    assert.strictEqual(typeof performance.now(), 'number');
  },
};

// Time goes on over a timer, by at least its delay.
export const timeMoves = {
  async test() {
    const before = Date.now();
    await wait(20);
    assert.ok(Date.now() - before >= 20);
  },
};

// Timers in an object work alike.
export const inObject = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await env.Obj.getByName('x').order(), ['1', '150', '300']);
  },
};

// AbortSignal.timeout aborts with a TimeoutError.
export const signalTimeout = {
  async test() {
    const signal = AbortSignal.timeout(50);
    assert.strictEqual(signal.aborted, false);
    await until(() => signal.aborted);
    assert.strictEqual(signal.reason.name, 'TimeoutError');
    assert.strictEqual(signal.reason.message, 'The operation was aborted due to timeout');
  },
};

// An interval is enough to wait for.
export const awaitedInterval = {
  async test() {
    let n = 0;
    await new Promise((resolve) => {
      const id = setInterval(() => {
        if (++n === 5) {
          clearInterval(id);
          resolve();
        }
      }, 1);
    });
    assert.strictEqual(n, 5);
  },
};
