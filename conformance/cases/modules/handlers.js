// Rule: what a test handler and its arguments are. Source: workerd behaviour
// (`workerd test`).
import assert from 'node:assert';
import { WorkerEntrypoint } from 'cloudflare:workers';

// An entrypoint class may hold a test, too.
export class Entry extends WorkerEntrypoint {
  value() {
    return [typeof this.env, typeof this.ctx];
  }
}

// The default export may hold a test.
export default {
  test(ctrl, env, ctx) {
    assert.strictEqual(arguments.length, 3);
    assert.strictEqual(typeof ctx.waitUntil, 'function');
  },
};

// `this` of a handler is the exported object.
export const receiver = {
  own: 5,
  test() {
    assert.strictEqual(this.own, 5);
    assert.strictEqual(this, receiver);
  },
};

// env holds every binding: text, JSON and data.
export const bindings = {
  test(ctrl, env) {
    assert.strictEqual(env.TEXT, 'bound text');
    assert.deepStrictEqual(env.JSON, { deep: [1, { two: 2 }] });
    assert.deepStrictEqual([...new Uint8Array(env.DATA)], [0x64, 0x61]);
    assert.deepStrictEqual(Object.keys(env).sort(), ['DATA', 'Entry', 'JSON', 'TEXT']);
  },
};

// An entrypoint reached through a service binding to the same Worker.
export const entrypoint = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await env.Entry.value(), ['object', 'object']);
  },
};
