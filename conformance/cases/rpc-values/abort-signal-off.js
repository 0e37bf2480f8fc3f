// Rule: without the flag enable_abortsignal_rpc no AbortSignal is sent. Source: Cloudflare
// docs "Compatibility flags"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { failsToClone } from 'failure.js';

export class Obj extends DurableObject {
  take(value) {
    return value instanceof Request ? value.signal.aborted : 'taken';
  }
  give() {
    return new AbortController().signal;
  }
}

const message = 'AbortSignal serialization is not enabled.';
const refuses = (make) => ({
  async test(ctrl, env) {
    await failsToClone(() => env.Obj.getByName('x').take(make()), message);
  },
});

// In arguments: by itself, inside, aborted, and that of a request.
export const argument = refuses(() => new AbortController().signal);
export const inside = refuses(() => ({ signal: new AbortController().signal }));
export const aborted = refuses(() => AbortSignal.abort());
export const ofRequest = refuses(() => new Request('http://x/', { signal: new AbortController().signal }));

// A request without one can be sent.
export const requestWithout = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('x').take(new Request('http://x/')), false);
  },
};

// In a result.
export const result = {
  async test(ctrl, env) {
    await failsToClone(() => env.Obj.getByName('x').give(), message, { remote: true });
  },
};

// A copy cannot be made either.
export const cloned = {
  async test() {
    await failsToClone(() => structuredClone(new AbortController().signal), message);
  },
};
