// Rule: calls through several objects and workers: callbacks that go on, objects that
// are called back while their own call runs, targets that come through a service.
// Source: Cloudflare docs "Remote-procedure call (RPC)"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import { fails } from 'failure.js';
import { until } from 'until.js';

let log = [];

class Target extends RpcTarget {
  constructor(name) {
    super();
    this.label = name;
  }
  hi() {
    return 'hi';
  }
  self() {
    return this;
  }
  boom() {
    throw new RangeError('boom');
  }
  [Symbol.dispose]() {
    log.push(this.label);
  }
}

export class Obj extends DurableObject {
  n = 0;
  add(by) {
    return (this.n += by);
  }
  target(name) {
    return new Target(name);
  }
  // Hands a function of its own down a chain of objects.
  async chain(names) {
    const results = await this.env.Obj.getByName(names[0]).down(names.slice(1), (by) => this.add(by));
    return [...results, this.n];
  }
  async down(names, f) {
    if (names.length > 0) return await this.env.Obj.getByName(names[0]).down(names.slice(1), f);
    return [await f(1), await f(10)];
  }
  // Is called back by name.
  async back(name) {
    return [...(await this.env.Obj.getByName(name).callBack(this.ctx.id.name)), this.n];
  }
  async callBack(name) {
    const stub = this.env.Obj.getByName(name);
    return [await stub.add(5), await stub.add(7)];
  }
  // A callback of its own comes while it lets nothing in.
  async closed() {
    const seen = [];
    const call = this.env.Obj.getByName('caller').down([], () => void seen.push('called'));
    await this.ctx.blockConcurrencyWhile(async () => {
      seen.push('in');
      await scheduler.wait(50);
      seen.push('out');
    });
    await call;
    return seen;
  }
  // A callback of its own comes while it reads storage.
  async reading() {
    const seen = [];
    const call = this.env.Obj.getByName('caller').down([], () => void seen.push('called'));
    await scheduler.wait(20);
    await this.ctx.storage.put('key', 'value');
    seen.push(await this.ctx.storage.get('key'));
    await call;
    return seen;
  }
  async run(f) {
    return await f();
  }
  async runLate(f) {
    await scheduler.wait(5);
    return await f();
  }
  both(a, b) {
    return Promise.all([a(), b()]);
  }
  abort() {
    this.ctx.abort('gone');
  }
}

const stubOf = (env, name) => env.Obj.getByName(name);
const own = (stub) => ({ remote: true, durableObjectId: stub.id.toString() });

// A callback through two objects back into the first, whose call is in flight.
export const callbackIntoFirst = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await stubOf(env, 'first').chain(['second', 'third']), [1, 11, 11]);
  },
};

// The chain ends at the object that it began with.
export const circle = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await stubOf(env, 'circle').chain(['two', 'three', 'circle']), [1, 11, 11]);
    assert.deepStrictEqual(await stubOf(env, 'alone').chain(['alone']), [1, 11, 11]);
  },
};

// The object is called back by name, through a stub of its own.
export const calledBack = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await stubOf(env, 'called').back('other'), [5, 12, 12]);
    assert.deepStrictEqual(await stubOf(env, 'self').back('self'), [5, 12, 12]);
  },
};

// Callbacks wait for blockConcurrencyWhile().
export const calledBackWhileClosed = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await stubOf(env, 'closed').closed(), ['in', 'out', 'called', 'called']);
  },
};

// They come before what storage answers later.
export const calledBackWhileWaiting = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await stubOf(env, 'reading').reading(), ['called', 'called', 'value']);
  },
};

// A callback through another worker into an object of this one.
export const callbackThroughService = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Hop.pass('run', () => 7), 7);
    assert.strictEqual(await env.Hop.pass('runLate', () => 8), 8);
    assert.deepStrictEqual(await env.Hop.pass('both', () => 1, async () => 2), [1, 2]);
  },
};

// What it throws names the object that called it on the way.
export const callbackThrows = {
  async test(ctrl, env) {
    await fails(() => env.Hop.pass('run', () => { throw new RangeError('mine'); }), RangeError, 'mine',
      own(stubOf(env, 'passed')));
  },
};

// A target that comes through another worker: awaited there, not awaited there, and
// inside an object. Its disposer learns of the end.
export const targetThroughService = {
  async test(ctrl, env) {
    for (const method of ['target', 'targetAwaited']) {
      log = [];
      const target = await env.Hop[method]('origin', method);
      assert.strictEqual(await target.hi(), 'hi');
      using self = await target.self();
      assert.strictEqual(await self.hi(), 'hi');
      self[Symbol.dispose]();
      target[Symbol.dispose]();
      await until(() => log.includes(method));
    }
    log = [];
    const object = await env.Hop.inObject('origin', 'in object');
    assert.strictEqual(await object.target.hi(), 'hi');
    object[Symbol.dispose]();
    await until(() => log.length > 0);
    assert.deepStrictEqual(log, ['in object']);
  },
};

// Its errors name the object that has it, pipelined or not.
export const targetThroughServiceFails = {
  async test(ctrl, env) {
    const props = own(stubOf(env, 'origin'));
    using target = await env.Hop.target('origin', 'x');
    await fails(() => target.boom(), RangeError, 'boom', props);
    await fails(() => env.Hop.target('origin', 'x').boom(), RangeError, 'boom', props);
    await fails(() => target.label, TypeError, 'The RPC receiver does not implement the method "label".', props);
  },
};

// The object is reset: the worker in between changes nothing.
export const targetThroughServiceReset = {
  async test(ctrl, env) {
    using target = await env.Hop.target('reset', 'x');
    assert.strictEqual(await target.hi(), 'hi');
    await fails(() => stubOf(env, 'reset').abort(), Error, 'gone', { durableObjectReset: true });
    await fails(() => target.hi(), Error, 'The execution context which hosts this callback is no longer running.');
  },
};

// A target that the worker in between has used and kept to itself ends with its request.
export const targetLeftInService = {
  async test(ctrl, env) {
    log = [];
    assert.strictEqual(await env.Hop.use('origin', 'left'), 'hi');
    await until(() => log.length > 0);
    assert.deepStrictEqual(log, ['left']);
  },
};

// The object that runs a callback is reset meanwhile: its caller gets the reason.
export const resetDuringCallback = {
  async test(ctrl, env) {
    const stub = stubOf(env, 'running');
    const started = Promise.withResolvers();
    const call = stub.run(() => {
      started.resolve();
      return scheduler.wait(1000);
    });
    const failed = fails(() => call, Error, 'gone', { durableObjectReset: true });
    await started.promise;
    await fails(() => stub.abort(), Error, 'gone', { durableObjectReset: true });
    await failed;
  },
};

// A promise or property of a call can stand where a function is expected; calling it
// sends a call.
export const promiseAsFunction = {
  async test(ctrl, env) {
    using target = await stubOf(env, 'origin').target('x');
    const results = await Promise.all([1, 2].map(target.hi));
    assert.deepStrictEqual(results, ['hi', 'hi']);
    using promise = stubOf(env, 'origin').target('y');
    assert.deepStrictEqual(await Promise.all([1, 2].map(promise.hi)), ['hi', 'hi']);
    await fails(() => promise(), TypeError, '"(this)" is not a function.', own(stubOf(env, 'origin')));
  },
};
