// Rule: critical sections: their depth, their errors, and when they start.
// Source: workerd behaviour; Cloudflare docs "Durable Object State".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Obj extends DurableObject {
  async block(depth) {
    return depth > 0 ? 1 + await this.ctx.blockConcurrencyWhile(() => this.block(depth - 1)) : 0;
  }
  async transaction(depth) {
    return depth > 0 ? 1 + await this.ctx.storage.transaction(() => this.transaction(depth - 1)) : 0;
  }
  async caught(method, depth) {
    try {
      return await (method === 'block'
        ? this.ctx.blockConcurrencyWhile(async () => depth > 1 ? this.caught(method, depth - 1) : 'bottom')
        : this.ctx.storage.transaction(async () => depth > 1 ? this.caught(method, depth - 1) : 'bottom'));
    } catch (e) {
      return depth + ': ' + e.message;
    }
  }
  async notAFunction() {
    let threw = true;
    const promise = (() => {
      try {
        return this.ctx.blockConcurrencyWhile(5);
      } finally {
        threw = false;
      }
    })();
    await fails(() => promise, TypeError,
      "Failed to execute 'blockConcurrencyWhile' on 'DurableObjectState': parameter 1 is not of type 'function'.");
    return threw;
  }
  async throwsAtOnce() {
    try {
      await this.ctx.blockConcurrencyWhile(() => {
        throw new RangeError('at once');
      });
    } catch {
      return 'caught';
    }
  }
  async order() {
    const order = [];
    setTimeout(() => order.push('timer'), 1);
    const block = this.ctx.blockConcurrencyWhile(async () => {
      order.push('block');
      await null;
      order.push('block goes on');
      return order;
    });
    queueMicrotask(() => order.push('job'));
    assert.strictEqual(await block, order);
    order.push('caller');
    await null;
    order.push('caller goes on');
    await scheduler.wait(20);
    return order;
  }
  closure() {
    return this.ctx.blockConcurrencyWhile(function (...args) {
      return this === globalThis && args.length;
    });
  }
}

const deep = 'blockConcurrencyWhile() calls are nested too deeply.';

// 64 levels of blocks, and of transactions.
export const depth = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('a').block(64), 64);
    assert.strictEqual(await env.Obj.getByName('a').transaction(64), 64);
  },
};

// The 65th fails; a block whose promise is rejected by that resets the object.
export const tooDeep = {
  async test(ctrl, env) {
    await fails(() => env.Obj.getByName('b').block(65), Error, deep, { durableObjectReset: true });
    assert.strictEqual(await env.Obj.getByName('b').caught('block', 65), '1: ' + deep);
    assert.strictEqual(await env.Obj.getByName('b').caught('transaction', 65), '1: ' + deep);
  },
};

// What is no function rejects the promise.
export const notAFunction = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('c').notAFunction(), false);
  },
};

// A body that throws before its first await resets the object as well.
export const throwsAtOnce = {
  async test(ctrl, env) {
    await fails(() => env.Obj.getByName('d').throwsAtOnce(), RangeError, 'at once', { durableObjectReset: true });
  },
};

// The caller goes on before the gate opens.
export const order = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await env.Obj.getByName('e').order(),
      ['job', 'block', 'block goes on', 'caller', 'caller goes on', 'timer']);
  },
};

// The body's this and arguments.
export const closure = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('f').closure(), 0);
  },
};
