// Rule: ctx.exports and ctx.props. Source: workerd behaviour; Cloudflare docs "Context (ctx): exports, props".
import assert from 'node:assert';
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
import { fails, failsToClone, throws } from 'failure.js';

export class Obj extends DurableObject {
  props() {
    return this.ctx.props;
  }
  names() {
    return Object.keys(this.ctx.exports).includes('Service');
  }
  add(a, b) {
    return a + b;
  }
}

export class Service extends WorkerEntrypoint {
  props() {
    return this.ctx.props;
  }
  fetch() {
    return Response.json(this.ctx.props);
  }
}

export class NoFetch extends WorkerEntrypoint {}

export const handlers = {
  value: 5,
  one(value) {
    return value;
  },
};

const tag = (value) => Object.prototype.toString.call(value);

// A service is a function, a class of objects as well.
export const kinds = {
  test(ctrl, env, ctx) {
    assert.strictEqual(tag(ctx.exports), '[object Object]');
    assert.strictEqual(ctx.exports, ctx.exports);
    assert.strictEqual(typeof ctx.exports.Service, 'function');
    assert.strictEqual(tag(ctx.exports.Service), '[object LoopbackServiceStub]');
    assert.strictEqual(typeof ctx.exports.handlers, 'function');
    assert.strictEqual(typeof ctx.exports.Obj, 'function');
    assert.strictEqual(tag(ctx.exports.Obj), '[object LoopbackDurableObjectNamespace]');
    assert.strictEqual(tag(ctx.exports.Service({})), '[object Fetcher]');
  },
};

// Without props ctx.props is an empty object, in an object as well.
export const noProps = {
  async test(ctrl, env, ctx) {
    assert.deepStrictEqual(ctx.props, {});
    assert.deepStrictEqual({ ...(await ctx.exports.Service.props()) }, {});
    assert.deepStrictEqual({ ...(await env.Plain.props()) }, {});
    assert.deepStrictEqual({ ...(await env.Obj.getByName('x').props()) }, {});
  },
};

// Props of the configuration, by a call and by fetch.
export const configured = {
  async test(ctrl, env) {
    assert.deepStrictEqual({ ...(await env.WithProps.props()) }, { a: 1 });
    assert.deepStrictEqual(await (await env.WithProps.fetch('http://x/')).json(), { a: 1 });
  },
};

// Props given to an export may be whatever can be cloned.
export const specialised = {
  async test(ctrl, env, ctx) {
    const stub = ctx.exports.Service({ props: { when: new Date(0) } });
    assert.deepStrictEqual({ ...(await stub.props()) }, { when: new Date(0) });
    assert.deepStrictEqual(await (await stub.fetch('http://x/')).json(), { when: '1970-01-01T00:00:00.000Z' });
  },
};

// Bad options are refused at once.
export const badOptions = {
  async test(ctrl, env, ctx) {
    const { Service } = ctx.exports;
    const wrong = "Failed to execute '(called as function)' on 'LoopbackServiceStub': parameter 1 is not of type 'Options'.";
    throws(() => Service(), TypeError, wrong);
    throws(() => Service(5), TypeError, wrong);
    throws(() => Service({ props: 5 }), TypeError,
      "Incorrect type for the 'props' field on 'Options': the provided value is not of type 'Object'.");
    await failsToClone(() => Service({ props: { f: () => 1 } }), '() => 1 could not be cloned.');
  },
};

// A class of objects can be used as a namespace.
export const namespace = {
  async test(ctrl, env, ctx) {
    assert.strictEqual(await ctx.exports.Obj.getByName('x').add(1, 2), 3);
    assert.ok(ctx.exports.Obj.idFromName('x').equals(env.Obj.idFromName('x')));
  },
};

// An object sees the exports as well.
export const insideObject = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('x').names(), true);
  },
};

// Values of an exported object can be read, and not called.
export const handlerValue = {
  async test(ctrl, env, ctx) {
    assert.strictEqual(await ctx.exports.handlers.value, 5);
    await fails(() => ctx.exports.handlers.value(1), TypeError, '"value" is not a function.', { remote: true });
    await fails(() => ctx.exports.handlers.none(1), TypeError, 'The RPC receiver does not implement the method "none".', { remote: true });
  },
};

// An export without fetch().
export const noFetch = {
  async test(ctrl, env, ctx) {
    for (const stub of [ctx.exports.NoFetch, ctx.exports.handlers]) {
      await fails(() => stub.fetch('http://x/'), Error, 'Handler does not export a fetch() function.', { remote: true });
    }
  },
};
