// Rule: the marking function retryable() of cloudflare:durable-objects.
// Source: Cloudflare docs "Durable Objects: automatic retries"; workerd behaviour.
import assert from 'node:assert';
import * as module from 'cloudflare:durable-objects';
import { retryable } from 'cloudflare:durable-objects';
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import { throws } from 'failure.js';

class Target extends RpcTarget {
  value() {
    return 'from target';
  }
}

export class Obj extends DurableObject {
  static {
    retryable(this.prototype.marked, this.prototype.target);
  }
  marked(x) {
    return x;
  }
  unmarked(x) {
    return -x;
  }
  target() {
    return new Target();
  }
}

export class Sub extends Obj {
  unmarked(x) {
    return x * 10;
  }
}

export class Fetches extends DurableObject {
  static {
    retryable(this.prototype.fetch);
  }
  fetch(request) {
    return new Response(request.method);
  }
}

const notFunctions = 'retryable() accepts only functions.';

// The module exports onHibernate and retryable.
export const exportsOfModule = {
  test() {
    assert.deepStrictEqual(Object.keys(module).sort(), ['onHibernate', 'retryable']);
  },
};

// It returns undefined.
export const returnsUndefined = {
  test() {
    assert.strictEqual(retryable(() => {}), undefined);
  },
};

// No arguments is fine.
export const noArguments = {
  test() {
    assert.strictEqual(retryable(), undefined);
  },
};

// Its length is 0 and its name is retryable.
export const lengthAndName = {
  test() {
    assert.strictEqual(retryable.length, 0);
    assert.strictEqual(retryable.name, 'retryable');
  },
};

// Functions of every kind are accepted, a class too.
export const functionKinds = {
  test() {
    assert.strictEqual(retryable(function () {}, async () => {}, function* () {}, class {}, Math.max,
      (() => {}).bind(null), new Proxy(() => {}, {})), undefined);
  },
};

// Marking twice is fine.
export const markTwice = {
  test() {
    const f = () => {};
    retryable(f, f);
    assert.strictEqual(retryable(f), undefined);
  },
};

// A frozen function can be marked.
export const frozenFunction = {
  test() {
    assert.strictEqual(retryable(Object.freeze(() => {})), undefined);
  },
};

// The mark is not visible on the function.
export const markIsInvisible = {
  test() {
    const f = () => {};
    const before = Reflect.ownKeys(f);
    retryable(f);
    assert.deepStrictEqual(Reflect.ownKeys(f), before);
  },
};

// What is not a function is refused.
const refuse = (...values) => ({
  test() {
    for (const value of values) throws(() => retryable(value), TypeError, notFunctions);
  },
});
export const refuseUndefined = refuse(undefined);
export const refuseNull = refuse(null);
export const refusePrimitives = refuse(1, 'x', true, 1n, Symbol('s'));
export const refuseObjects = refuse({}, [], new Date(0), { call() {} });

// One wrong argument among good ones is enough.
export const refuseMixed = {
  test() {
    throws(() => retryable(() => {}, 5), TypeError, notFunctions);
  },
};

// A marked method is called like any other.
export const markedMethod = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('a').marked(4), 4);
  },
};

// A marked and an unmarked method on the same stub, in either order.
export const mixedCalls = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('a');
    assert.strictEqual(await stub.unmarked(1), -1);
    assert.strictEqual(await stub.marked(2), 2);
    assert.strictEqual(await stub.unmarked(3), -3);
  },
};

// A subclass inherits marked methods and may override others.
export const subclass = {
  async test(ctrl, env) {
    const stub = env.Sub.getByName('a');
    assert.strictEqual(await stub.marked(2), 2);
    assert.strictEqual(await stub.unmarked(2), 20);
  },
};

// An RpcTarget from a marked method serves its unmarked methods.
export const targetOfMarked = {
  async test(ctrl, env) {
    using target = await env.Obj.getByName('a').target();
    assert.strictEqual(await target.value(), 'from target');
  },
};

// fetch may be marked.
export const markedFetch = {
  async test(ctrl, env) {
    const response = await env.Fetches.getByName('a').fetch('http://x/', { method: 'PUT', body: 'b' });
    assert.strictEqual(await response.text(), 'PUT');
  },
};
