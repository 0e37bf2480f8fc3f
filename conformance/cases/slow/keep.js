// Rule: what keeps an idle object in memory beyond 10 seconds, and what does not.
// Source: workerd behaviour; Cloudflare docs "Lifecycle of a Durable Object".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';

let made = 0;

export class Obj extends DurableObject {
  instance = ++made;
  which() {
    return this.instance;
  }
  nothing() {}
  timer() {
    setTimeout(() => {}, 60000);
  }
  interval() {
    setInterval(() => {}, 1000);
  }
  call() {
    this.env.Obj.getByName('callee').slow();
  }
  waitUntil() {
    this.ctx.waitUntil(scheduler.wait(60000));
  }
  slow() {
    return scheduler.wait(60000);
  }
  clearedTimer() {
    clearTimeout(setTimeout(() => {}, 60000));
  }
  endedBlock() {
    this.ctx.blockConcurrencyWhile(() => scheduler.wait(1));
  }
}

// Which of the objects are still the same instance 12.5 seconds after a method
// of theirs was called, each named after the method.
async function kept(env, methods) {
  const still = await Promise.all(methods.map(async (method) => {
    const stub = env.Obj.getByName(method);
    const before = await stub.which();
    await stub[method]();
    await scheduler.wait(12500);
    return await stub.which() === before;
  }));
  return methods.filter((method, i) => still[i]);
}

// A timer or an interval that is set, a call of its own without an answer yet,
// work given to waitUntil keep an object; a timer that was cleared and a block
// that has ended do not.
export const keep = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await kept(env, ['timer', 'interval', 'call', 'waitUntil', 'clearedTimer', 'endedBlock', 'nothing']),
      ['timer', 'interval', 'call', 'waitUntil']);
  },
};
