// Rule: a method of an object that never settles leaves its caller waiting; other
// calls of the object go on. A service that cannot be reached fails the call as a
// broken connection. Source: workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Obj extends DurableObject {
  never() {
    return new Promise(() => {});
  }
  ping() {
    return 'pong';
  }
}

export const methodThatNeverSettles = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('x');
    let ended = false;
    stub.never().then(() => { ended = true; }, () => { ended = true; });
    await scheduler.wait(50);
    assert.strictEqual(ended, false);
    assert.strictEqual(await stub.ping(), 'pong');
  },
};

export const unreachableService = {
  async test(ctrl, env) {
    await fails(() => env.DEAD.fetch('http://x/'), Error, 'Network connection lost.', { retryable: true });
  },
};
