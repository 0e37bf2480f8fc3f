// Rule: an error that passes through a second object: which properties each
// caller sees, and whom durableObjectId names. Source: workerd behaviour.
import assert from 'node:assert';
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Inner extends DurableObject {
  fail() {
    throw new RangeError('inner');
  }
  abort() {
    this.ctx.abort('inner gone');
  }
}

export class Outer extends DurableObject {
  n = 0;
  pass(method) {
    return this.env.Inner.getByName('inner')[method]();
  }
  async rethrow(method) {
    this.n++;
    try {
      await this.env.Inner.getByName('inner')[method]();
    } catch (e) {
      this.seen = { ...e };
      throw e;
    }
  }
  async callService() {
    try {
      await this.env.Service.fail();
    } catch (e) {
      return { ...e };
    }
  }
  report() {
    return { n: this.n, seen: this.seen };
  }
}

export class Service extends WorkerEntrypoint {
  fail() {
    throw Object.assign(new RangeError('service'), { code: 1 });
  }
  throughObject() {
    return this.env.Inner.getByName('inner').fail();
  }
}

const idOf = (ns, name) => ns.idFromName(name).toString();

// Inside the outer object the error carries the outer object's own id already,
// not that of the object it came from; so it does for the caller.
export const rethrown = {
  async test(ctrl, env) {
    const outer = env.Outer.getByName('rethrown');
    await fails(() => outer.rethrow('fail'), RangeError, 'inner',
      { remote: true, durableObjectId: idOf(env.Outer, 'rethrown') });
    assert.deepStrictEqual((await outer.report()).seen,
      { remote: true, durableObjectId: idOf(env.Outer, 'rethrown') });
  },
};

// The same when the promise is handed on without a catch.
export const handedOn = {
  async test(ctrl, env) {
    await fails(() => env.Outer.getByName('handed').pass('fail'), RangeError, 'inner',
      { remote: true, durableObjectId: idOf(env.Outer, 'handed') });
  },
};

// An abort of the inner object: durableObjectReset is handed on; the outer one is not reset.
export const innerAbort = {
  async test(ctrl, env) {
    const outer = env.Outer.getByName('abort');
    await fails(() => outer.rethrow('abort'), Error, 'inner gone',
      { durableObjectReset: true, remote: true, durableObjectId: idOf(env.Outer, 'abort') });
    assert.deepStrictEqual(await outer.report(), { n: 1, seen: { durableObjectReset: true } });
  },
};

// A service that is no object adds remote only.
export const service = {
  async test(ctrl, env) {
    await fails(() => env.Service.fail(), RangeError, 'service', { code: 1, remote: true });
  },
};

// A service hands on the object's error with the object's id.
export const serviceThroughObject = {
  async test(ctrl, env) {
    await fails(() => env.Service.throughObject(), RangeError, 'inner',
      { remote: true, durableObjectId: idOf(env.Inner, 'inner') });
  },
};

// An object that calls a service sees its own id on the error too.
export const objectCallsService = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await env.Outer.getByName('o').callService(),
      { code: 1, remote: true, durableObjectId: idOf(env.Outer, 'o') });
  },
};
