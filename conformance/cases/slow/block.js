// Rule: blockConcurrencyWhile may take 30 seconds. Source: Cloudflare docs
// "Durable Object State"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

const props = { overloaded: true, durableObjectReset: true };
const message = 'A call to blockConcurrencyWhile() in a Durable Object waited for too long. '
  + 'The call was canceled and the Durable Object was reset.';

export class Obj extends DurableObject {
  block() {
    return this.ctx.blockConcurrencyWhile(() => new Promise(() => {}));
  }
  ok() {
    return 'ok';
  }
}

// A block that never ends: its caller and queued calls fail after 30 seconds, a fresh stub works.
export const tooLong = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('x');
    const start = Date.now();
    const [blocked, queued] = [stub.block(), stub.ok()];
    await fails(() => blocked, Error, message, props);
    await fails(() => queued, Error, message, props);
    await fails(() => stub.ok(), Error, message, props);
    // A timer counts from when the runtime last looked at the clock, which on a busy machine is a while before start.
    assert.ok(Date.now() - start >= 28000);
    assert.ok(Date.now() - start < 40000);
    assert.strictEqual(await env.Obj.getByName('x').ok(), 'ok');
  },
};
