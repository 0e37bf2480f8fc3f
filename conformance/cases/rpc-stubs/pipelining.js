// Rule: calls and readings on results that have not come yet. Source: Cloudflare
// docs "Remote-procedure call (RPC)", promise pipelining; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import { fails } from 'failure.js';

class Target extends RpcTarget {
  own = 1;
  get five() {
    return 5;
  }
  hi(x = '') {
    return 'hi' + x;
  }
  next() {
    return new Target();
  }
  double() {
    return (x) => x * 2;
  }
  deep() {
    return { a: { b: { c: () => 'deep' }, t: new Target() }, v: 1 };
  }
  fail() {
    throw new RangeError('in target');
  }
}

export class Obj extends DurableObject {
  target() {
    return new Target();
  }
  five() {
    return 5;
  }
  other(name) {
    return this.env.Obj.getByName(name);
  }
  who() {
    return this.ctx.id.name;
  }
  async apply(f, x) {
    return await f(x);
  }
  fail() {
    throw new TypeError('at once');
  }
  otherInside(name) {
    return { stub: this.env.Obj.getByName(name) };
  }
  fetch(request) {
    if (request.url.endsWith('/fail')) throw new RangeError('no fetch');
    if (request.url.endsWith('/abort')) this.ctx.abort('gone');
    return new Response('fetched from ' + this.ctx.id.name);
  }
}

const stubOf = (env) => env.Obj.getByName('pipelining');
const remote = (env) => ({ remote: true, durableObjectId: stubOf(env).id.toString() });
const missing = (name) => `The RPC receiver does not implement the method "${name}".`;

// Several targets deep.
export const chain = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).target().next().next().hi(1), 'hi1');
    assert.strictEqual(await stubOf(env).target().next().five, 5);
  },
};

// A function in a result is called at once.
export const functionResult = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).target().double()(4), 8);
  },
};

// Through plain objects, by calling and by reading.
export const plain = {
  async test(ctrl, env) {
    const deep = stubOf(env).target().deep();
    assert.strictEqual(await deep.a.b.c(), 'deep');
    assert.strictEqual(await deep.a.t.hi(), 'hi');
    assert.strictEqual(await deep.v, 1);
    using b = await deep.a.b;
    assert.strictEqual(await b.c(), 'deep');
  },
};

// Each reading of a part of a result is a copy of its own.
export const copies = {
  async test(ctrl, env) {
    const deep = stubOf(env).target().deep();
    using first = await deep.a;
    using second = await deep.a;
    assert.notStrictEqual(first, second);
    first[Symbol.dispose]();
    assert.strictEqual(await second.b.c(), 'deep');
  },
};

// What is no target has no methods.
export const errors = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    await fails(() => stub.five().x, TypeError, missing('x'), remote(env));
    await fails(() => stub.five().x(), TypeError, missing('x'), remote(env));
    await fails(() => stub.five()(), TypeError, '"(this)" is not a function.', remote(env));
    await fails(() => stub.target()(), TypeError, '"(this)" is not a function.', remote(env));
    await fails(() => stub.target().own, TypeError, missing('own'), remote(env));
    await fails(() => stub.target().deep().v.x, TypeError, missing('v'), remote(env));
    await fails(() => stub.target().deep().v(), TypeError, '"v" is not a function.', remote(env));
    await fails(() => stub.target().deep().none.x, TypeError, missing('none'), remote(env));
    await fails(() => stub.target().deep().a.t.own, TypeError, missing('own'), remote(env));
  },
};

// The error of a step is the error of all that follow.
export const failingStep = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).fail().x.y(), TypeError, 'at once', remote(env));
    await fails(() => stubOf(env).target().fail().x(), RangeError, 'in target', remote(env));
  },
};

// Through a stub of another object: its methods, and fetch.
export const otherObject = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).other('far').who(), 'far');
    assert.strictEqual(await (await stubOf(env).other('far').fetch('http://x/')).text(), 'fetched from far');
    await fails(() => stubOf(env).other('far').nope(), TypeError, missing('nope'), remote(env));
    await fails(() => stubOf(env).other('far')(), TypeError, '"(this)" is not a function.', remote(env));
  },
};

// The properties that a stub of an object has itself are not remote ones.
export const stubsOwn = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).other('far').name(), TypeError, missing('name'), remote(env));
    await fails(() => stubOf(env).other('far').id, TypeError, missing('id'), remote(env));
  },
};

// A function as an argument of a pipelined call.
export const functionArgument = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).other('far').apply((x) => x + 1, 2), 3);
  },
};

// Neither a promise nor a property can be sent.
export const promiseArgument = {
  async test(ctrl, env) {
    const text = (name) => `Could not serialize object of type "${name}". This type does not support serialization.`;
    await assert.rejects(async () => await stubOf(env).apply(stubOf(env).target()), { name: 'DataCloneError', message: text('RpcPromise') });
    await assert.rejects(async () => await stubOf(env).apply(stubOf(env).target), { name: 'DataCloneError', message: text('RpcProperty') });
  },
};

// fetch() of a stub that has not come yet: its errors name the object that returns
// the stub, also those of bad arguments.
export const fetchOfStub = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('fetching');
    const props = { remote: true, durableObjectId: stub.id.toString() };
    assert.strictEqual(await (await stub.other('other').fetch('http://x/')).text(), 'fetched from other');
    await fails(() => stub.other('other').fetch('http://x/fail'), RangeError, 'no fetch', props);
    await fails(() => stub.otherInside('other').stub.fetch('http://x/fail'), RangeError, 'no fetch', props);
    await fails(() => stub.other('other').fetch('/relative'), TypeError, 'Invalid URL: /relative', props);
    await fails(() => stub.other('other').fetch(), TypeError,
      "Failed to execute 'fetch' on 'Fetcher': parameter 1 is not of type 'Request or string'.", props);
    await fails(() => stub.other('aborted').fetch('http://x/abort'), Error, 'gone', { durableObjectReset: true, ...props });
  },
};
