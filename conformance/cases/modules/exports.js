// Rule: ctx.exports: the Worker's own classes, without bindings. Source:
// Cloudflare docs "Context (ctx): exports"; workerd behaviour (enable_ctx_exports).
import assert from 'node:assert';
import { DurableObject, WorkerEntrypoint, exports } from 'cloudflare:workers';

export class Obj extends DurableObject {
  who() {
    return this.ctx.id.name;
  }
  self() {
    return this.ctx.exports.Obj.getByName('reached from inside').who();
  }
}

export class Service extends WorkerEntrypoint {
  greet() {
    return 'hello ' + this.ctx.props.who;
  }
}

// ctx.exports has every export of the main module, objects with handlers too.
export const keys = {
  test(ctrl, env, ctx) {
    assert.deepStrictEqual(Object.keys(ctx.exports).sort(), ['Obj', 'Service', 'default', 'defaultExport', 'imported',
      'inside', 'keys', 'namespace', 'props']);
  },
};

export default {
  fetch() {
    return new Response('default');
  },
};

// An object class is its namespace.
export const namespace = {
  async test(ctrl, env, ctx) {
    assert.strictEqual(await ctx.exports.Obj.getByName('x').who(), 'x');
    assert.ok(ctx.exports.Obj.idFromName('a').equals(env.Obj.idFromName('a')));
  },
};

// It works inside an object.
export const inside = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('x').self(), 'reached from inside');
  },
};

// An entrypoint takes props.
export const props = {
  async test(ctrl, env, ctx) {
    assert.strictEqual(await ctx.exports.Service({ props: { who: 'you' } }).greet(), 'hello you');
  },
};

// The default export is a service.
export const defaultExport = {
  async test(ctrl, env, ctx) {
    assert.strictEqual(await (await ctx.exports.default.fetch('http://x/')).text(), 'default');
  },
};

// cloudflare:workers exports the same.
export const imported = {
  async test() {
    assert.strictEqual(await exports.Obj.getByName('imported').who(), 'imported');
  },
};
