// Rule: what a Durable Object stub looks like from outside, before any call.
// Source: workerd behaviour; Cloudflare docs "Durable Object Stub".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { failsToClone, throws } from 'failure.js';

let made = 0;

export class Obj extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    made++;
  }
  who() {
    return { name: this.ctx.id.name, id: this.ctx.id.toString() };
  }
  add(a, b) {
    return a + b;
  }
  get five() {
    return 5;
  }
  set(value) {
    this.value = value;
  }
  read() {
    return this.value;
  }
}

// get(idFromName(n)) and getByName(n) reach the same object.
export const sameObject = {
  async test(ctrl, env) {
    await env.Obj.get(env.Obj.idFromName('same')).set(7);
    assert.strictEqual(await env.Obj.getByName('same').read(), 7);
  },
};

// Making a stub does not start the object.
export const stubIsLazy = {
  async test(ctrl, env) {
    const before = made;
    const stub = env.Obj.get(env.Obj.newUniqueId());
    await scheduler.wait(5);
    assert.strictEqual(made, before);
    await stub.read();
    assert.strictEqual(made, before + 1);
  },
};

// stub.id and stub.name are own properties, in this order.
export const ownProperties = {
  test(ctrl, env) {
    const stub = env.Obj.getByName('foo');
    assert.deepStrictEqual(Object.keys(stub), ['name', 'id']);
    assert.strictEqual(stub.name, 'foo');
    assert.ok(stub.id.equals(env.Obj.idFromName('foo')));
  },
};

// The stub of a unique id has no name.
export const uniqueStubName = {
  test(ctrl, env) {
    assert.strictEqual(env.Obj.get(env.Obj.newUniqueId()).name, undefined);
  },
};

// The tag and the constructor of a stub.
export const tag = {
  test(ctrl, env) {
    const stub = env.Obj.getByName('foo');
    assert.strictEqual(Object.prototype.toString.call(stub), '[object DurableObject]');
    assert.strictEqual(stub.constructor.name, 'DurableObject');
    assert.strictEqual(typeof stub, 'object');
  },
};

// The constructor of a stub cannot be called.
export const illegalConstructor = {
  test(ctrl, env) {
    const stub = env.Obj.getByName('foo');
    throws(() => new stub.constructor(), TypeError, 'Illegal constructor');
  },
};

// Every name on a stub looks like a method.
export const anyNameIsAFunction = {
  test(ctrl, env) {
    const stub = env.Obj.getByName('foo');
    assert.strictEqual(typeof stub.anything, 'function');
    assert.ok('anything' in stub);
  },
};

// stub.then is undefined, so a stub can be awaited and is itself.
export const stubIsNotThenable = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('foo');
    assert.strictEqual(stub.then, undefined);
    assert.strictEqual(await stub, stub);
  },
};

// Symbols are not remote names.
export const symbols = {
  test(ctrl, env) {
    assert.strictEqual(env.Obj.getByName('foo')[Symbol('x')], undefined);
    assert.strictEqual(env.Obj.getByName('foo')[Symbol.iterator], undefined);
  },
};

// What Object.prototype has is found locally.
export const objectPrototype = {
  test(ctrl, env) {
    const stub = env.Obj.getByName('foo');
    assert.strictEqual(stub.toString(), '[object DurableObject]');
    assert.strictEqual(stub.valueOf(), stub);
    assert.strictEqual(stub.hasOwnProperty('name'), true);
  },
};

// Assigning to a stub is local.
export const assignment = {
  test(ctrl, env) {
    const stub = env.Obj.getByName('foo');
    stub.extra = 5;
    assert.strictEqual(stub.extra, 5);
    assert.strictEqual(typeof env.Obj.getByName('foo').extra, 'function');
  },
};

// A call returns an RpcPromise: callable, tagged, not an instance of Promise.
export const rpcPromise = {
  async test(ctrl, env) {
    const promise = env.Obj.getByName('foo').add(1, 2);
    assert.strictEqual(Object.prototype.toString.call(promise), '[object JsRpcPromise]');
    assert.strictEqual(promise.constructor.name, 'RpcPromise');
    assert.strictEqual(typeof promise, 'function');
    assert.ok(!(promise instanceof Promise));
    assert.strictEqual(await promise, 3);
  },
};

// An RpcPromise has then, catch and finally.
export const promiseMethods = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('foo');
    assert.strictEqual(await stub.add(1, 2).then((v) => v * 2), 6);
    let ran = false;
    assert.strictEqual(await stub.add(1, 2).finally(() => { ran = true; }), 3);
    assert.ok(ran);
    assert.strictEqual(await stub.nothing().catch((e) => e.name), 'TypeError');
  },
};

// The same RpcPromise can be awaited twice.
export const awaitTwice = {
  async test(ctrl, env) {
    const promise = env.Obj.getByName('foo').add(1, 2);
    assert.deepStrictEqual([await promise, await promise], [3, 3]);
  },
};

// A prototype getter is read by awaiting the property.
export const getter = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('foo').five, 5);
  },
};

// A method taken off the stub still works: it needs no `this`.
export const detachedMethod = {
  async test(ctrl, env) {
    const { add } = env.Obj.getByName('foo');
    assert.strictEqual(await add(2, 3), 5);
  },
};

// Promise.all over calls.
export const promiseAll = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('foo');
    assert.deepStrictEqual(await Promise.all([stub.add(1, 1), stub.add(2, 2), stub.five]), [2, 4, 5]);
  },
};

// Calls of one stub that are not awaited start in call order.
export const callOrder = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('order');
    const calls = [];
    for (let i = 0; i < 20; i++) calls.push(stub.set(i));
    assert.strictEqual(await stub.read(), 19);
    await Promise.all(calls);
  },
};

// The object knows its own id, and its name if reached by name.
export const identityInside = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await env.Obj.getByName('me').who(),
      { name: 'me', id: env.Obj.idFromName('me').toString() });
    const id = env.Obj.newUniqueId();
    assert.deepStrictEqual(await env.Obj.get(id).who(), { name: undefined, id: id.toString() });
  },
};

// An object first reached through idFromString has no name, also for later calls by name.
export const nameOfFirstContact = {
  async test(ctrl, env) {
    const id = env.Obj.idFromString(env.Obj.idFromName('late').toString());
    assert.strictEqual((await env.Obj.get(id).who()).name, undefined);
    assert.strictEqual((await env.Obj.getByName('late').who()).name, undefined);
  },
};

// A stub cannot be cloned locally.
export const stubIsNotCloneable = {
  async test(ctrl, env) {
    await failsToClone(() => structuredClone(env.Obj.getByName('foo')),
      'ServiceStub cannot be serialized in this context.');
  },
};
