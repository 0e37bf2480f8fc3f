// Rule: storage in memory dies with the instance: a reset loses everything.
// Source: workerd behaviour; Cloudflare docs "Durable Object Storage".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Obj extends DurableObject {
  async write(key, value, ...steps) {
    const put = this.ctx.storage.put(key, value);
    if (steps.includes('await')) await put;
    if (steps.includes('sync')) await this.ctx.storage.sync();
    if (steps.includes('abort')) this.ctx.abort('stop');
    if (steps.includes('throw')) throw new RangeError('thrown');
    if (steps.includes('block')) await this.ctx.blockConcurrencyWhile(() => Promise.reject(new RangeError('block')));
  }
  get(key) {
    return this.ctx.storage.get(key);
  }
}

// Writes before it throws for the first time.
export class Failing extends DurableObject {
  static made = 0;
  constructor(ctx, env) {
    super(ctx, env);
    if (Failing.made++ === 0) {
      ctx.storage.put('early', 1);
      throw new RangeError('not yet');
    }
  }
  get(key) {
    return this.ctx.storage.get(key);
  }
}

const reset = { durableObjectReset: true };

// A write, the steps that follow it, and what is stored afterwards.
const after = (steps, expected, Class, message, props) => ({
  async test(ctrl, env) {
    const id = env.Obj.newUniqueId();
    const write = () => env.Obj.get(id).write('k', 1, ...steps);
    if (Class) await fails(write, Class, message, props ?? { remote: true, durableObjectId: id.toString() });
    else await write();
    assert.strictEqual(await env.Obj.get(id).get('k'), expected);
  },
});

// No reset: the write is there.
export const noReset = after([], 1);

// A method that throws after a write has written.
export const throwKeeps = after(['throw'], 1, RangeError, 'thrown');

// A write that was not awaited before ctx.abort() is lost.
export const abortAtOnce = after(['abort'], undefined, Error, 'stop', reset);

// sync() before the abort does not help.
export const abortAfterSync = after(['await', 'sync', 'abort'], undefined, Error, 'stop', reset);

// A failing blockConcurrencyWhile after a write.
export const failedBlock = after(['await', 'block'], undefined, RangeError, 'block', reset);

// Nor does it help that the write was answered to the caller before.
export const abortInLaterCall = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('later');
    await stub.write('k', 1);
    await fails(() => stub.write('other', 2, 'abort'), Error, 'stop', reset);
    assert.strictEqual(await env.Obj.getByName('later').get('k'), undefined);
    assert.strictEqual(await env.Obj.getByName('later').get('other'), undefined);
  },
};

// Writes of a constructor that throws are lost.
export const failedConstructor = {
  async test(ctrl, env) {
    await fails(() => env.Failing.getByName('x').get('early'), RangeError, 'not yet', reset);
    assert.strictEqual(await env.Failing.getByName('x').get('early'), undefined);
  },
};
