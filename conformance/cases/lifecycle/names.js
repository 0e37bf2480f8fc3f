// Rule: when an object knows its name. Source: workerd behaviour; Cloudflare
// docs "Durable Object ID".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Obj extends DurableObject {
  nameOf() {
    return this.ctx.id.name ?? 'none';
  }
  abort() {
    this.ctx.abort('stop');
  }
}

const reset = { durableObjectReset: true };
const byString = (env, name) => env.Obj.get(env.Obj.idFromString(env.Obj.idFromName(name).toString()));

// Started through an id from a string it has none, for later callers by name too.
export const fromString = {
  async test(ctrl, env) {
    const stub = byString(env, 'a');
    assert.strictEqual(await stub.nameOf(), 'none');
    assert.strictEqual(await env.Obj.getByName('a').nameOf(), 'none');
    assert.strictEqual(stub.name, undefined);
  },
};

// Started by name it keeps it, for callers without the name too.
export const byName = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('b').nameOf(), 'b');
    assert.strictEqual(await byString(env, 'b').nameOf(), 'b');
  },
};

// After a reset the next caller decides.
export const afterReset = {
  async test(ctrl, env) {
    await fails(() => byString(env, 'c').abort(), Error, 'stop', reset);
    assert.strictEqual(await env.Obj.getByName('c').nameOf(), 'c');
    await fails(() => env.Obj.getByName('c').abort(), Error, 'stop', reset);
    assert.strictEqual(await byString(env, 'c').nameOf(), 'none');
  },
};

// Names of up to 1024 bytes.
export const longName = {
  async test(ctrl, env) {
    for (const name of ['x'.repeat(1024), '\u00e9'.repeat(512)]) {
      assert.strictEqual(await env.Obj.getByName(name).nameOf(), name);
    }
    for (const name of ['x'.repeat(1025), '\u00e9'.repeat(513)]) {
      assert.strictEqual(await env.Obj.getByName(name).nameOf(), 'none');
    }
  },
};
