// Rule: what an RpcStub can wrap, which names it takes, where its code runs.
// Source: Cloudflare docs "Remote-procedure call (RPC)"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, RpcPromise, RpcProperty, RpcStub, RpcTarget, ServiceStub } from 'cloudflare:workers';
import { fails } from 'failure.js';

class Target extends RpcTarget {
  hi() {
    return 'hi';
  }
}

export class Obj extends DurableObject {
  log = [];
  echo(value) {
    return value;
  }
  tag(value) {
    return Object.prototype.toString.call(value);
  }
  same(list) {
    return list[0] === list[1];
  }
  async callAll(f, list) {
    for (const x of list) f(x);
    await f('end');
  }
  async relay(names, f) {
    if (names.length === 0) return await f(1);
    return await this.env.Obj.getByName(names[0]).relay(names.slice(1), async (x) => (await f(x)) * 10 + names.length);
  }
  keep(f) {
    this.kept = f.dup();
  }
  async useKept() {
    return await this.kept();
  }
  async section(f) {
    return await this.ctx.blockConcurrencyWhile(async () => await f(() => 5));
  }
  async outside(f) {
    const called = f(() => void this.log.push('called'));
    await this.ctx.blockConcurrencyWhile(async () => {
      this.log.push('in');
      await scheduler.wait(50);
      this.log.push('out');
    });
    await called;
    return this.log;
  }
  async put(value) {
    await this.ctx.storage.put('key', value);
  }
  target() {
    return new Target();
  }
  async slow() {
    return { wait: () => new Promise(() => {}) };
  }
  abortSoon() {
    setTimeout(() => this.ctx.abort('gone'), 20);
  }
}

const request = { async fetch(req, env) {
  await env.Obj.getByName('dead').keep(() => 5);
  return new Response('done');
} };
export default request;

const stubOf = (env) => env.Obj.getByName('receivers');
const missing = (name) => `The RPC receiver does not implement the method "${name}".`;

// The class RpcStub.
export const construct = {
  async test() {
    const name = "Failed to construct 'JsRpcStub': ";
    assert.throws(() => RpcStub(new Target()), { name: 'TypeError',
      message: name + "Please use the 'new' operator, this object constructor cannot be called as a function." });
    for (const args of [[], [5], [null]]) {
      assert.throws(() => new RpcStub(...args), { name: 'TypeError', message: name + "constructor parameter 1 is not of type 'Object'." });
    }
    assert.throws(() => new RpcStub(new (class A {})()), { name: 'TypeError',
      message: 'RpcStubs can only wrap plain objects, functions, and RpcTarget derivatives.' });
    assert.strictEqual(RpcStub.name, 'RpcStub');
    assert.strictEqual(RpcStub.length, 0);
    using stub = new RpcStub({});
    assert.ok(stub instanceof RpcStub);
    assert.strictEqual(typeof stub, 'function');
    assert.strictEqual(stub.then, undefined);
    assert.strictEqual(stub[0], undefined);
    assert.ok('anything' in stub);
    assert.deepStrictEqual(Object.keys(stub), []);
    assert.strictEqual(Object.prototype.toString.call(stub), '[object JsRpcStub]');
  },
};

// The other classes.
export const classes = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    assert.ok(stub.echo instanceof RpcProperty);
    assert.ok(stub.echo(1) instanceof RpcPromise);
    assert.ok(stub instanceof ServiceStub);
    assert.ok((await stub.echo(stub)) instanceof ServiceStub);
    assert.strictEqual(ServiceStub.name, 'Fetcher');
    assert.throws(() => new ServiceStub(), { name: 'TypeError', message: 'Illegal constructor' });
  },
};

// What can be wrapped, and how it takes names.
export const wrapped = {
  async test() {
    const object = new RpcStub({ v: 4, nested: { x: 1 }, list: [1], m() { return this.v; } });
    assert.strictEqual(await object.m(), 4);
    assert.strictEqual(await object.nested.x, 1);
    assert.deepStrictEqual(await object.list, [1]);
    await fails(() => object.list.length, TypeError, missing('list'), { remote: true });
    await fails(() => object.none, TypeError, missing('none'), { remote: true });
    assert.strictEqual(await new RpcStub((x) => x * 3)(2), 6);
    assert.strictEqual(await new RpcStub(new Proxy(new Target(), {})).hi(), 'hi');
    await fails(() => new RpcStub(new Target())(), TypeError, '"(this)" is not a function.', { remote: true });
    await fails(() => new RpcStub(new RpcStub(new Target())).hi(), TypeError, missing('hi'), { remote: true });
  },
};

// Functions: this, properties, inherited methods.
export const functions = {
  async test(ctrl, env) {
    const self = new RpcStub(function () { return typeof this; });
    assert.strictEqual(await self(), 'function');
    const f = Object.assign((x) => x, { extra: { a: 5 } });
    using stub = await stubOf(env).echo(f);
    assert.deepStrictEqual(await stub.extra, { a: 5 });
    await fails(() => stub.call(null, 1), TypeError, missing('call'), { remote: true });
    using klass = await stubOf(env).echo(class { static m() { return 1; } });
    assert.strictEqual(await klass.m(), 1);
  },
};

// A method that was read is a function.
export const readMethod = {
  async test(ctrl, env) {
    using target = await stubOf(env).target();
    using hi = await target.hi;
    assert.strictEqual(Object.prototype.toString.call(hi), '[object JsRpcStub]');
    assert.strictEqual(await hi(), 'hi');
  },
};

// Calls are messages, even within one context.
export const posted = {
  async test() {
    const log = [];
    const f = new RpcStub(() => void log.push('called'));
    const p = f();
    log.push('after');
    await p;
    assert.deepStrictEqual(log, ['after', 'called']);
  },
};

// Calls of a callback start in the order in which they were made.
export const order = {
  async test(ctrl, env) {
    const log = [];
    await stubOf(env).callAll((x) => void log.push(x), [1, 2, 3]);
    assert.deepStrictEqual(log, [1, 2, 3, 'end']);
  },
};

// References within one message stay shared.
export const shared = {
  async test(ctrl, env) {
    const f = () => 1;
    assert.strictEqual(await stubOf(env).same([f, f]), true);
    assert.strictEqual(await stubOf(env).same([() => 1, () => 1]), false);
  },
};

// In collections.
export const collections = {
  async test(ctrl, env) {
    using out = await stubOf(env).echo(new Map([['f', () => 3]]));
    assert.strictEqual(await out.get('f')(), 3);
    using list = await stubOf(env).echo([() => 1, new Target()]);
    assert.strictEqual(await list[0](), 1);
    assert.strictEqual(await list[1].hi(), 'hi');
  },
};

// A callback through a chain of objects.
export const relay = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).relay(['a', 'b', 'c'], (x) => x + 1), 2321);
  },
};

// A function of a critical section can be called while it lasts; one from before
// cannot.
export const sections = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).section(async (f) => await f()), 5);
    const log = await env.Obj.getByName('outside').outside(async (f) => {
      using kept = f.dup();
      await scheduler.wait(10);
      await kept();
    });
    assert.deepStrictEqual(log, ['in', 'out', 'called']);
  },
};

// The context of a request that is over.
export const deadContext = {
  async test(ctrl, env) {
    assert.strictEqual(await (await env.Self.fetch('http://x/')).text(), 'done');
    const stub = env.Obj.getByName('dead');
    await fails(() => stub.useKept(), Error, 'The execution context which hosts this callback is no longer running.',
      { remote: true, durableObjectId: stub.id.toString() });
  },
};

// A call of a target that is in flight when its object is reset.
export const inFlight = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('in flight');
    using out = await stub.slow();
    const pending = out.wait();
    await stub.abortSoon();
    await fails(() => pending, Error, 'gone', { remote: true, durableObjectReset: true, durableObjectId: stub.id.toString() });
  },
};

// Where stubs cannot go.
export const refused = {
  async test(ctrl, env) {
    using target = await stubOf(env).target();
    const refuses = async (f, message) => await assert.rejects(async () => await f(), { name: 'DataCloneError', message });
    await refuses(() => structuredClone(target), '#<RpcStub> could not be cloned.');
    await refuses(() => structuredClone(new Target()), 'Remote RPC references can only be serialized for RPC.');
    await refuses(() => structuredClone(stubOf(env)), 'ServiceStub cannot be serialized in this context.');
    await refuses(() => stubOf(env).put(target), 'RpcStub cannot be serialized in this context.');
    await refuses(() => stubOf(env).put(() => 1), 'RpcStub cannot be serialized in this context.');
  },
};
