// Rule: the classes of cloudflare:workers, env and exports as imports, and what stands in
// for them. Source: Cloudflare docs "Bindings (env): importing env as a global"; workerd behaviour.
import assert from 'node:assert';
import * as workers from 'cloudflare:workers';
import { DurableObject, RpcTarget, WorkerEntrypoint, WorkflowEntrypoint, env as imported, exports, withEnv, withEnvAndExports,
  withExports } from 'cloudflare:workers';
import { fails, throws } from 'failure.js';

const tag = (value) => Object.prototype.toString.call(value);
const failed = (own, text) => `Failed to construct '${own}': ${text}`;
const noNew = 'Please use the \'new\' operator, this object constructor cannot be called as a function.';

export class Obj extends DurableObject {
  tag() {
    return [tag(this), Object.keys(this)];
  }
  construct(...args) {
    return Object.keys(new DurableObject(...args.map((arg) => (arg === 'ctx' ? this.ctx : arg))));
  }
  bound() {
    return [Object.keys(this.env), imported.TEXT];
  }
}

export class Service extends WorkerEntrypoint {
  tag() {
    return [tag(this), Object.keys(this)];
  }
  replace() {
    return withEnv({ other: 1 }, () => [Object.keys(imported), Object.keys(this.env)]);
  }
}

// Base classes have tags, names and no parameters.
export const classes = {
  async test(ctrl, env, ctx) {
    assert.deepStrictEqual(await env.Obj.getByName('x').tag(), ['[object DurableObjectBase]', ['ctx', 'env']]);
    assert.deepStrictEqual(await ctx.exports.Service.tag(), ['[object WorkerEntrypoint]', ['ctx', 'env']]);
    assert.strictEqual(tag(new RpcTarget()), '[object JsRpcTarget]');
    for (const name of ['DurableObject', 'WorkerEntrypoint', 'WorkflowEntrypoint', 'RpcTarget', 'RpcStub']) {
      assert.strictEqual(workers[name].name, name);
      assert.strictEqual(workers[name].length, 0);
    }
  },
};

// Called without new.
export const withoutNew = {
  test() {
    throws(() => DurableObject({}, {}), TypeError, failed('DurableObjectBase', noNew));
    throws(() => WorkerEntrypoint({}, {}), TypeError, failed('WorkerEntrypoint', noNew));
    throws(() => WorkflowEntrypoint({}, {}), TypeError, failed('WorkflowEntrypoint', noNew));
    throws(() => RpcTarget(), TypeError, failed('JsRpcTarget', noNew));
    throws(() => workers.RpcStub(), TypeError, failed('JsRpcStub', noNew));
  },
};

// These cannot be constructed at all.
export const illegal = {
  test() {
    for (const name of ['RpcPromise', 'RpcProperty', 'ServiceStub']) throws(() => new workers[name](), TypeError, 'Illegal constructor');
  },
};

// What the constructors take.
export const parameters = {
  async test(ctrl, env, ctx) {
    const obj = env.Obj.getByName('x');
    const state = failed('DurableObjectBase', "constructor parameter 1 is not of type 'DurableObjectState'.");
    const enhanced = { remote: true, durableObjectId: String(obj.id) };
    await fails(() => obj.construct(), TypeError, state, enhanced);
    await fails(() => obj.construct({}, {}), TypeError, state, enhanced);
    await fails(() => obj.construct('ctx'), TypeError,
      failed('DurableObjectBase', "constructor parameter 2 is not of type 'Object'."), enhanced);
    assert.deepStrictEqual(await obj.construct('ctx', {}), ['ctx', 'env']);
    throws(() => new WorkerEntrypoint(1), TypeError, failed('WorkerEntrypoint', "constructor parameter 1 is not of type 'Object'."));
    throws(() => new WorkerEntrypoint({}), TypeError, failed('WorkerEntrypoint', "constructor parameter 2 is not of type 'Object'."));
    throws(() => new WorkflowEntrypoint({}, {}), TypeError,
      failed('WorkflowEntrypoint', "constructor parameter 1 is not of type 'ExecutionContext'."));
    assert.deepStrictEqual(Object.keys(new WorkflowEntrypoint(ctx, env)), ['ctx', 'env']);
  },
};

// The import env is another object with the same properties; changes go both ways.
export const env = {
  test(ctrl, bound) {
    assert.notStrictEqual(imported, bound);
    assert.strictEqual(Object.getPrototypeOf(imported), Object.prototype);
    assert.deepStrictEqual(Object.keys(imported).sort(), ['Obj', 'TEXT']);
    imported.added = 1;
    assert.strictEqual(bound.added, 1);
    assert.deepStrictEqual(Object.getOwnPropertyDescriptor(imported, 'added'), { value: 1, writable: true, enumerable: true, configurable: true });
    delete imported.added;
    assert.strictEqual('added' in bound, false);
  },
};

// It works in an object.
export const envInObject = {
  async test(ctrl, env) {
    const [keys, text] = await env.Obj.getByName('x').bound();
    assert.deepStrictEqual(keys.sort(), ['Obj', 'TEXT']);
    assert.strictEqual(text, 'bound');
  },
};

// withEnv() replaces the import, not what handlers were given.
export const replaced = {
  async test(ctrl, env, ctx) {
    assert.strictEqual(withEnv({ a: 1 }, () => JSON.stringify([imported, imported.TEXT, 'TEXT' in imported])), '[{"a":1},null,false]');
    assert.strictEqual(imported.TEXT, 'bound');
    const [inside, own] = await ctx.exports.Service.replace();
    assert.deepStrictEqual(inside, ['other']);
    assert.deepStrictEqual(own.sort(), ['Obj', 'TEXT']);
  },
};

// Code that goes on after an await keeps it, and nothing else sees it.
export const replacedAcrossAwait = {
  async test() {
    const waiting = withEnv({ a: 1 }, async () => {
      await scheduler.wait(1);
      const inner = withEnv({ b: 2 }, () => JSON.stringify(imported));
      return [JSON.stringify(imported), inner];
    });
    assert.strictEqual(imported.a, undefined);
    assert.deepStrictEqual(await waiting, ['{"a":1}', '{"b":2}']);
    assert.strictEqual(imported.a, undefined);
  },
};

// What is no object brings the original back, inside another one as well.
export const notAnObject = {
  test() {
    for (const value of [1, null, undefined, 'text']) {
      assert.strictEqual(withEnv({ a: 1 }, () => withEnv(value, () => imported.TEXT)), 'bound');
    }
  },
};

// Results, errors and bad callbacks.
export const callbacks = {
  test() {
    assert.strictEqual(withEnv({}, function () { return arguments.length; }, 1, 2), 0);
    throws(() => withEnv({}, () => { throw new RangeError('x'); }), RangeError, 'x');
    const bad = (name, n) => `Failed to execute '${name}' on 'EnvModule': parameter ${n} is not of type 'function'.`;
    throws(() => withEnv({}, 5), TypeError, bad('withEnv', 2));
    throws(() => withExports(), TypeError, bad('withExports', 2));
    throws(() => withEnvAndExports({}, {}), TypeError, bad('withEnvAndExports', 3));
  },
};

// exports has what ctx.exports has; assignments do nothing.
export const importedExports = {
  async test(ctrl, env, ctx) {
    assert.notStrictEqual(exports, ctx.exports);
    assert.deepStrictEqual(Object.keys(exports), Object.keys(ctx.exports));
    assert.strictEqual(exports.Service, ctx.exports.Service);
    exports.added = 1;
    assert.strictEqual(exports.added, undefined);
    assert.strictEqual(delete exports.Service, true);
    assert.strictEqual('Service' in exports, true);
  },
};

// withExports() and withEnvAndExports().
export const replacedExports = {
  test() {
    assert.strictEqual(withExports({ a: 1 }, () => JSON.stringify(exports)), '{"a":1}');
    assert.strictEqual(withEnvAndExports({ a: 1 }, { b: 2 }, () => JSON.stringify([imported, exports])), '[{"a":1},{"b":2}]');
  },
};

// waitUntil() takes what is no promise, but not nothing.
export const waitUntil = {
  test(ctrl, env, ctx) {
    assert.strictEqual(workers.waitUntil(5), undefined);
    assert.strictEqual(workers.waitUntil(Promise.resolve()), undefined);
    throws(() => workers.waitUntil(), TypeError, "Failed to execute 'waitUntil' on 'EntrypointsModule': parameter 1 is not of type 'Promise'.");
    throws(() => ctx.waitUntil(), TypeError, "Failed to execute 'waitUntil' on 'ExecutionContext': parameter 1 is not of type 'Promise'.");
  },
};

// The kinds of the others.
export const others = {
  test() {
    assert.strictEqual(String(workers.restore), 'Symbol(cloudflare:workers:restore)');
    assert.strictEqual(typeof workers.abortIsolate, 'function');
    assert.strictEqual(typeof workers.tracing, 'object');
    assert.strictEqual(typeof workers.cache, 'object');
  },
};
