// Rule: RpcPromise and RpcProperty, what they are locally and what a path on a
// result of plain data gives. Source: workerd behaviour; Cloudflare docs "Remote-procedure call (RPC): promise pipelining".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails, failsToClone, throws } from 'failure.js';

class Plain {
  x = 1;
}

export class Obj extends DurableObject {
  echo(value) {
    return value;
  }
  get data() {
    return { list: [1], date: new Date(0), plain: new Plain(), none: undefined, nil: null, text: 'x', a: { b: 1 } };
  }
}

const stubOf = (env) => env.Obj.getByName('properties');
const missing = (name) => `The RPC receiver does not implement the method "${name}".`;
const unsupported = (name) => `Could not serialize object of type "${name}". This type does not support serialization.`;

// A property is a function with a tag of its own and no own properties.
export const property = {
  test(ctrl, env) {
    const property = stubOf(env).anything;
    assert.strictEqual(typeof property, 'function');
    assert.strictEqual(Object.prototype.toString.call(property), '[object JsRpcProperty]');
    assert.strictEqual(property.constructor.name, 'RpcProperty');
    assert.deepStrictEqual(Object.getOwnPropertyNames(property), []);
    assert.ok('x' in property);
    assert.strictEqual(String(property), '[object JsRpcProperty]');
    assert.strictEqual(property[1], undefined);
    assert.strictEqual(property[Symbol.iterator], undefined);
    assert.ok(!(property instanceof Function));
  },
};

// What Function.prototype has are remote names too.
export const functionNames = {
  test(ctrl, env) {
    const property = stubOf(env).anything;
    for (const name of ['name', 'call', 'apply', 'bind']) {
      assert.strictEqual(Object.prototype.toString.call(property[name]), '[object JsRpcProperty]');
    }
  },
};

// then, catch, finally and constructor are on both prototypes.
export const prototypes = {
  async test(ctrl, env) {
    const promise = stubOf(env).echo(1);
    for (const object of [stubOf(env).anything, promise]) {
      assert.deepStrictEqual(Object.getOwnPropertyNames(Object.getPrototypeOf(object)), ['then', 'catch', 'finally', 'constructor']);
      assert.strictEqual(Object.getPrototypeOf(Object.getPrototypeOf(object)), Object.prototype);
    }
    assert.strictEqual(await promise, 1);
  },
};

// Their constructors cannot be called, their methods need them as this.
export const illegal = {
  async test(ctrl, env) {
    const property = stubOf(env).anything;
    throws(() => new property.constructor(), TypeError, 'Illegal constructor');
    throws(() => property.then.call({}), TypeError, 'Illegal invocation: function called with incorrect `this` reference. '
      + 'See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.');
  },
};

// Assigning to a property is local.
export const assignment = {
  test(ctrl, env) {
    const property = stubOf(env).anything;
    property.x = 5;
    assert.strictEqual(property.x, 5);
  },
};

// An RpcPromise can be disposed of.
export const dispose = {
  async test(ctrl, env) {
    const promise = stubOf(env).echo(1);
    assert.strictEqual(typeof promise[Symbol.dispose], 'function');
    assert.strictEqual(await promise, 1);
  },
};

// Neither can be sent or cloned.
export const notCloneable = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    await failsToClone(() => stub.echo(stub.echo(1)), unsupported('RpcPromise'));
    await failsToClone(() => stub.echo(stub.anything), unsupported('RpcProperty'));
    await failsToClone(() => structuredClone(stub.anything), '#<RpcProperty> could not be cloned.');
  },
};

// Every object that a call returns has a disposer of its own.
export const resultDisposer = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    for (const value of [{ a: {} }, [1], new Map(), new Date(0), new Uint8Array(1), new Error('x')]) {
      const out = await stub.echo(value);
      assert.deepStrictEqual(Object.getOwnPropertySymbols(out), [Symbol.dispose]);
    }
    assert.deepStrictEqual(Object.getOwnPropertySymbols((await stub.echo({ a: {} })).a), []);
  },
};

// A path of getters into plain objects can be read; arrays, dates, instances and
// what is no object have no remote names, and the error names the last property reached.
export const paths = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    const remote = { remote: true };
    assert.strictEqual(await stub.data.a.b, 1);
    assert.strictEqual(await stub.data.none, undefined);
    assert.strictEqual(await stub.data.nil, null);
    await fails(() => stub.data.list.length, TypeError, missing('list'), remote);
    await fails(() => stub.data.date.getTime(), TypeError, missing('date'), remote);
    await fails(() => stub.data.plain.x, TypeError, missing('plain'), remote);
    await fails(() => stub.data.none.x, TypeError, missing('none'), remote);
    await fails(() => stub.data.nil.x, TypeError, missing('nil'), remote);
    await fails(() => stub.data.text.length, TypeError, missing('text'), remote);
    await fails(() => stub.data.zzz.y, TypeError, missing('zzz'), remote);
    await fails(() => stub.data.none(), TypeError, '"data.none" is not a function.', remote);
    await fails(() => stub.data.plain(), TypeError, '"data.plain" is not a function.', remote);
    await failsToClone(() => stub.data.plain, unsupported('Plain'), remote);
    await fails(() => stub.data.dup, TypeError, "'dup' is a reserved method and cannot be called over RPC.", remote);
    await fails(() => stub.data.a.fetch, TypeError, "'fetch' is a reserved method and cannot be called over RPC.", remote);
  },
};

// The same on the result of a call that was not awaited; its errors name the object.
export const pipelined = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    const props = { remote: true, durableObjectId: stub.id.toString() };
    assert.strictEqual(await stub.echo({ a: { b: 5 } }).a.b, 5);
    assert.strictEqual(await stub.echo({ list: [1] }).list[0], undefined);
    await fails(() => stub.echo({ a: 'x' }).a.length, TypeError, missing('a'), props);
    await fails(() => stub.echo({}).zz, TypeError, missing('zz'), props);
    await fails(() => stub.echo({}).zz.y, TypeError, missing('zz'), props);
    await fails(() => stub.echo(5).x, TypeError, missing('x'), props);
    await fails(() => stub.echo([1]).length, TypeError, missing('length'), props);
    await fails(() => stub.echo({})(), TypeError, '"(this)" is not a function.', props);
    await fails(() => stub.echo({ a: {} }).a(), TypeError, '"a" is not a function.', props);
  },
};

// A failed call fails what was pipelined on it with the same error.
export const pipelinedOnFailure = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).nothing().a.b, TypeError, missing('nothing'), { remote: true });
  },
};

// then passes the result on, in every way of asking for it.
export const waysToWait = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    const promise = stub.echo(7);
    const { then } = promise;
    assert.strictEqual(await new Promise((yes, no) => then.call(promise, yes, no)), 7);
    assert.strictEqual(await promise, 7);
    assert.strictEqual(await Promise.resolve(promise), 7);
    assert.strictEqual(await (async () => stub.echo(8))(), 8);
    assert.strictEqual(await stub.nothing().catch((e) => e.name), 'TypeError');
    assert.deepStrictEqual(await Promise.allSettled([stub.echo(9), stub.nothing()]).then((all) => all.map((s) => s.status)),
      ['fulfilled', 'rejected']);
  },
};

// Unlike those of a Promise, its methods insist on functions.
export const functionsOnly = {
  async test(ctrl, env) {
    const promise = stubOf(env).echo(1);
    const wrong = (method, n) => `Failed to execute '${method}' on 'JsRpcPromise': parameter ${n} is not of type 'Function'.`;
    const f = () => {};
    throws(() => promise.then(), TypeError, wrong('then', 1));
    throws(() => promise.then(null, f), TypeError, wrong('then', 1));
    throws(() => promise.then(f, null), TypeError, wrong('then', 2));
    throws(() => promise.catch(), TypeError, wrong('catch', 1));
    throws(() => promise.finally(null), TypeError, wrong('finally', 1));
    await promise.then(f, undefined);
  },
};
