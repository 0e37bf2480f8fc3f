// Rule: an AbortSignal over RPC, with the flag enable_abortsignal_rpc. Source: Cloudflare
// docs "Compatibility flags"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
import { fails, failsToClone } from 'failure.js';

const shown = (reason) => (reason instanceof Error || reason instanceof DOMException
  ? [reason.constructor.name, reason.name, reason.message, reason.retryable] : reason);

const heard = (signal) => new Promise((resolve) => {
  signal.addEventListener('abort', () => resolve([signal.aborted, shown(signal.reason)]));
  scheduler.wait(400).then(() => resolve('nothing'));
});

export class Obj extends DurableObject {
  look(signal) {
    return [Object.prototype.toString.call(signal), signal instanceof AbortSignal, signal.aborted, shown(signal.reason)];
  }
  hear(signal) {
    return heard(signal);
  }
  hearAny(signal) {
    return heard(AbortSignal.any([signal]));
  }
  hearRequest(request) {
    return heard(request.signal);
  }
  lookRequest(request) {
    return [request.signal.aborted, request.signal.reason];
  }
  async hop(signal) {
    return await this.env.Obj.getByName('hop').hear(signal);
  }
  async hopAny(signal) {
    return await this.env.Obj.getByName('hop').hear(AbortSignal.any([signal]));
  }
  async hopLook(signal) {
    return await this.env.Obj.getByName('hop').look(signal);
  }
  async throwIfAborted(signal) {
    await new Promise((resolve) => { signal.addEventListener('abort', resolve); });
    signal.throwIfAborted();
  }
  give() {
    this.controller = new AbortController();
    return this.controller.signal;
  }
  abortGiven(reason) {
    this.controller.abort(reason);
  }
  keep(signal) {
    this.kept = signal;
  }
  lookKept() {
    return [this.kept.aborted, this.kept.reason];
  }
  async reasonResult(signal) {
    return await signal.reason(4);
  }
}

export class Service extends WorkerEntrypoint {
  hear(signal) {
    return heard(signal);
  }
}

const obj = (env) => env.Obj.getByName('x');
const soon = (reason, ms = 5) => {
  const controller = new AbortController();
  scheduler.wait(ms).then(() => controller.abort(reason));
  return controller.signal;
};
const gives = (method, make, expected) => ({
  async test(ctrl, env) {
    assert.deepStrictEqual(await obj(env)[method](make()), expected);
  },
});

// A signal that is not aborted.
export const pending = gives('look', () => new AbortController().signal, ['[object AbortSignal]', true, false, undefined]);

// One that is brings its reason, whatever can be sent; the default one loses its property.
const aborted = (reason) => ['[object AbortSignal]', true, true, reason];
export const already = gives('look', () => AbortSignal.abort(), aborted(['DOMException', 'AbortError', 'The operation was aborted', undefined]));
export const alreadyString = gives('look', () => AbortSignal.abort('why'), aborted('why'));
export const alreadyError = gives('look', () => AbortSignal.abort(new RangeError('r')), aborted(['RangeError', 'RangeError', 'r', undefined]));
export const alreadyObject = gives('look', () => AbortSignal.abort({ a: 1 }), aborted({ a: 1 }));
export const alreadyFunction = gives('reasonResult', () => AbortSignal.abort((n) => n * 2), 8);
export const alreadySymbol = {
  async test(ctrl, env) {
    await failsToClone(() => obj(env).look(AbortSignal.abort(Symbol('x'))), 'Symbol(x) could not be cloned.');
  },
};

// One that is aborted later.
export const later = gives('hear', () => soon(), [true, ['DOMException', 'AbortError', 'The operation was aborted', undefined]]);
export const laterString = gives('hear', () => soon('why'), [true, 'why']);
export const laterError = gives('hear', () => soon(new TypeError('t')), [true, ['TypeError', 'TypeError', 't', undefined]]);
export const timeout = gives('hear', () => AbortSignal.timeout(5),
  [true, ['DOMException', 'TimeoutError', 'The operation was aborted due to timeout', undefined]]);
export const any = gives('hear', () => AbortSignal.any([soon('why')]), [true, 'why']);
export const anyInside = gives('hearAny', () => soon('why'), [true, 'why']);

// In the same turn as the call.
export const atOnce = {
  async test(ctrl, env) {
    const controller = new AbortController();
    const call = obj(env).hear(controller.signal);
    controller.abort('why');
    assert.deepStrictEqual(await call, [true, 'why']);
  },
};

// A reason that holds a function does not follow.
export const laterFunction = gives('hear', () => soon(() => 1), 'nothing');

// The same signal in two calls.
export const twice = {
  async test(ctrl, env) {
    const signal = soon('why');
    assert.deepStrictEqual(await Promise.all([obj(env).hear(signal), env.Obj.getByName('y').hear(signal)]), [[true, 'why'], [true, 'why']]);
  },
};

// After the call it still arrives.
export const kept = {
  async test(ctrl, env) {
    const controller = new AbortController();
    await obj(env).keep(controller.signal);
    assert.deepStrictEqual(await obj(env).lookKept(), [false, undefined]);
    controller.abort('why');
    await scheduler.wait(30);
    assert.deepStrictEqual(await obj(env).lookKept(), [true, 'why']);
  },
};

// In a result.
export const returned = {
  async test(ctrl, env) {
    const signal = await obj(env).give();
    const call = heard(signal);
    await obj(env).abortGiven('why');
    assert.deepStrictEqual(await call, [true, 'why']);
  },
};

// Two hops: what is aborted already arrives; of a signal that was received, nothing follows, unless it is made part of another.
export const hopAborted = gives('hopLook', () => AbortSignal.abort('why'), aborted('why'));
export const hop = gives('hop', () => soon('why'), 'nothing');
export const hopAny = gives('hopAny', () => soon('why'), [true, 'why']);

// What throwIfAborted() throws there.
export const thrown = {
  async test(ctrl, env) {
    await fails(() => obj(env).throwIfAborted(soon(new RangeError('r'))), RangeError, 'r',
      { remote: true, durableObjectId: String(obj(env).id) });
    const e = await fails(() => obj(env).throwIfAborted(soon()), DOMException, 'The operation was aborted', { remote: true });
    assert.strictEqual(e.name, 'AbortError');
  },
};

// A service.
export const service = {
  async test(ctrl, env, ctx) {
    assert.deepStrictEqual(await ctx.exports.Service.hear(soon('why')), [true, 'why']);
  },
};

// The signal of a request travels with it.
export const ofRequest = gives('hearRequest', () => new Request('http://x/', { signal: soon('why') }), [true, 'why']);
export const ofRequestAborted = gives('lookRequest', () => new Request('http://x/', { signal: AbortSignal.abort('why') }), [true, 'why']);
export const ofRequestNone = gives('lookRequest', () => new Request('http://x/'), [false, undefined]);

// A copy cannot be made.
export const cloned = {
  async test() {
    await failsToClone(() => structuredClone(new AbortController().signal), 'AbortSignal can only be serialized for RPC.');
  },
};
