// Rule: functions, RpcTargets and stubs as arguments and results; pipelining;
// disposal. Source: Cloudflare docs "Remote-procedure call (RPC)", "RPC: lifecycle"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, RpcStub, RpcTarget } from 'cloudflare:workers';
import { fails } from 'failure.js';
import { until } from 'until.js';

class Counter extends RpcTarget {
  #n = 0;
  own = 'hidden';
  constructor(onDispose) {
    super();
    this.onDispose = onDispose;
  }
  increment(by = 1) {
    return (this.#n += by);
  }
  get value() {
    return this.#n;
  }
  fail() {
    throw new RangeError('in target');
  }
  fetch() {
    return 'an ordinary method';
  }
  [Symbol.dispose]() {
    this.onDispose?.();
  }
}

let disposals = 0;

export class Obj extends DurableObject {
  counter() {
    return new Counter(() => disposals++);
  }
  plain() {
    return { f: (x) => x + 1, nested: { g: () => 'g' }, value: 5 };
  }
  call(f, ...args) {
    return f(...args);
  }
  async callTarget(target) {
    return [await target.increment(), await target.increment(5), await target.value];
  }
  tag(value) {
    return Object.prototype.toString.call(value);
  }
  field(value, name) {
    return value[name];
  }
  keep(f) {
    this.kept = f.dup ? f.dup() : f;
  }
  callKept(...args) {
    return this.kept(...args);
  }
  other(name) {
    return this.env.Obj.getByName(name);
  }
  who() {
    return this.ctx.id.name;
  }
  abort() {
    this.ctx.abort('gone');
  }
}

const stubOf = (env) => env.Obj.getByName('stubs');

// A function as an argument arrives as a stub that can be called.
export const functionArgument = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).call((a, b) => a + b, 1, 2), 3);
    assert.strictEqual(await stubOf(env).tag(() => 1), '[object JsRpcStub]');
  },
};

// What the function throws comes back to the caller.
export const functionThrows = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    await fails(() => stub.call(() => { throw new RangeError('mine'); }), RangeError, 'mine',
      { remote: true, durableObjectId: stub.id.toString() });
  },
};

// A function in a result.
export const functionResult = {
  async test(ctrl, env) {
    using out = await stubOf(env).plain();
    assert.strictEqual(await out.f(1), 2);
    assert.strictEqual(await out.nested.g(), 'g');
    assert.strictEqual(out.value, 5);
  },
};

// An RpcTarget as a result keeps its state.
export const targetResult = {
  async test(ctrl, env) {
    using counter = await stubOf(env).counter();
    assert.strictEqual(Object.prototype.toString.call(counter), '[object JsRpcStub]');
    assert.strictEqual(await counter.increment(), 1);
    assert.strictEqual(await counter.increment(10), 11);
    assert.strictEqual(await counter.value, 11);
  },
};

// An RpcTarget as an argument.
export const targetArgument = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await stubOf(env).callTarget(new Counter()), [1, 6, 6]);
  },
};

// Own properties of an RpcTarget are hidden; here the error carries durableObjectId.
export const targetOwnProperty = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    using counter = await stub.counter();
    await fails(() => counter.own, TypeError, 'The RPC receiver does not implement the method "own".',
      { remote: true, durableObjectId: stub.id.toString() });
  },
};

// fetch is an ordinary method of an RpcTarget.
export const targetFetch = {
  async test(ctrl, env) {
    using counter = await stubOf(env).counter();
    assert.strictEqual(await counter.fetch(), 'an ordinary method');
  },
};

// dup gives a second stub of the same target.
export const targetDup = {
  async test(ctrl, env) {
    using counter = await stubOf(env).counter();
    using copy = counter.dup();
    assert.strictEqual(await copy.increment(), 1);
    assert.strictEqual(await counter.increment(), 2);
  },
};

// An error of a target's method.
export const targetThrows = {
  async test(ctrl, env) {
    using counter = await stubOf(env).counter();
    await fails(() => counter.fail(), RangeError, 'in target',
      { remote: true, durableObjectId: stubOf(env).id.toString() });
  },
};

// Calls on a result that has not come yet.
export const pipelined = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).counter().increment(4), 4);
    assert.strictEqual(await stubOf(env).plain().nested.g(), 'g');
    assert.strictEqual(await stubOf(env).plain().value, 5);
  },
};

// A stub of another object as a result.
export const stubResult = {
  async test(ctrl, env) {
    using other = await stubOf(env).other('elsewhere');
    assert.strictEqual(await other.who(), 'elsewhere');
    assert.strictEqual(await stubOf(env).other('pipelined').who(), 'pipelined');
  },
};

// A stub as an argument.
export const stubArgument = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).tag(env.Obj.getByName('x')), '[object Fetcher]');
  },
};

// A Proxy of a plain object arrives as a stub, not as a copy.
export const proxyOfPlain = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).tag(new Proxy({ a: 1 }, {})), '[object JsRpcStub]');
    assert.strictEqual(await stubOf(env).field(new Proxy({ a: 1 }, {}), 'a'), 1);
  },
};

// A disposed stub cannot be used.
export const disposed = {
  async test(ctrl, env) {
    const counter = await stubOf(env).counter();
    counter[Symbol.dispose]();
    await fails(() => counter.increment(), Error, 'RPC stub used after being disposed.');
  },
};

// Disposal of the last stub runs the target's disposer.
export const disposer = {
  async test(ctrl, env) {
    const before = disposals;
    const counter = await stubOf(env).counter();
    await counter.increment();
    assert.strictEqual(disposals, before);
    counter[Symbol.dispose]();
    await until(() => disposals > before);
    assert.strictEqual(disposals, before + 1);
  },
};

// A function that was kept by dup() can be called in a later call.
export const keptFunction = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('keeper');
    await stub.keep((x) => 'kept ' + x);
    assert.strictEqual(await stub.callKept(5), 'kept 5');
  },
};

// A target of an object that was reset.
export const targetOfReset = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('reset');
    using counter = await stub.counter();
    await fails(() => stub.abort(), Error, 'gone', { durableObjectReset: true });
    await fails(() => counter.increment(), Error,
      'The execution context which hosts this callback is no longer running.');
  },
};

// RpcStub may be made locally.
export const localStub = {
  async test() {
    using stub = new RpcStub(new Counter());
    assert.strictEqual(await stub.increment(3), 3);
  },
};

// A class as an argument is a function, so a stub.
export const classArgument = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).tag(class {}), '[object JsRpcStub]');
  },
};
