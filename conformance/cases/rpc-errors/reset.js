// Rule: what resets an object, what each caller then gets, and how long.
// Source: workerd behaviour; Cloudflare docs "Durable Objects: error handling", "Durable Object State".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

let started = 0;

export class Obj extends DurableObject {
  instance = ++started;
  which() {
    return this.instance;
  }
  abort(...args) {
    this.ctx.abort(...args);
  }
  abortWith(kind) {
    this.ctx.abort({ typeError: new TypeError('as error'), error: new Error('x'), object: {} }[kind]);
  }
  async abortInTry() {
    try {
      this.ctx.abort('in try');
    } catch {
      globalThis.abortCaught = true;
    } finally {
      globalThis.abortFinally = true;
    }
    globalThis.abortWentOn = true;
  }
  abortLater() {
    setTimeout(() => this.ctx.abort('later'), 5);
  }
  async slow() {
    await scheduler.wait(2000);
    return 'slow';
  }
  async failBlock() {
    try {
      await this.ctx.blockConcurrencyWhile(async () => {
        throw new RangeError('block failed');
      });
    } catch {
      globalThis.blockCaught = true;
    }
  }
  async nestBlock(depth) {
    const nest = (n) => this.ctx.blockConcurrencyWhile(() => (n > 1 ? nest(n - 1) : Promise.resolve('bottom')));
    return await nest(depth);
  }
  async nestCaught(depth) {
    const nest = (n) => this.ctx.blockConcurrencyWhile(async () => {
      if (n <= 1) return 'bottom';
      try {
        return await nest(n - 1);
      } catch (e) {
        return `${e.name}: ${e.message}`;
      }
    });
    return await nest(depth);
  }
  fetch(request) {
    if (request.url.endsWith('/abort')) this.ctx.abort('by fetch');
    return scheduler.wait(2000).then(() => new Response('slow'));
  }
}

const attempts = {};

// Fails in its constructor until attempts allow it.
export class Failing extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    const name = ctx.id.name;
    attempts[name] = (attempts[name] ?? 0) + 1;
    if (name.startsWith('block')) {
      ctx.blockConcurrencyWhile(async () => {
        await scheduler.wait(1);
        throw new TypeError('no block');
      });
    } else if (attempts[name] === 1 || name.startsWith('always')) {
      throw Object.assign(new RangeError('no start'), { code: 7 });
    }
  }
  ok() {
    return attempts[this.ctx.id.name];
  }
  fetch() {
    return new Response('never');
  }
}

const reset = { durableObjectReset: true };
const fresh = (env) => env.Obj.get(env.Obj.newUniqueId());

// ctx.abort() without a reason.
export const abortNoReason = {
  async test(ctrl, env) {
    await fails(() => fresh(env).abort(), Error, 'Application called abort() to reset Durable Object.', reset);
  },
};

// ctx.abort(reason): an Error with the reason as a string.
export const abortReason = {
  async test(ctrl, env) {
    await fails(() => fresh(env).abort('my reason'), Error, 'my reason', reset);
  },
};

// The empty reason is kept.
export const abortEmptyReason = {
  async test(ctrl, env) {
    await fails(() => fresh(env).abort(''), Error, '', reset);
  },
};

// A reason that is an error becomes the string of that error.
export const abortErrorReason = {
  async test(ctrl, env) {
    await fails(() => fresh(env).abortWith('typeError'), Error, 'TypeError: as error', reset);
    await fails(() => fresh(env).abortWith('error'), Error, 'Error: x', reset);
    await fails(() => fresh(env).abortWith('object'), Error, '[object Object]', reset);
  },
};

// The same stub gives the same error for ever.
export const abortBreaksStub = {
  async test(ctrl, env) {
    const stub = fresh(env);
    await fails(() => stub.abort('gone'), Error, 'gone', reset);
    await fails(() => stub.which(), Error, 'gone', reset);
    await fails(() => stub.fetch('http://x/'), Error, 'gone', reset);
    await fails(() => stub.which(), Error, 'gone', reset);
  },
};

// A fresh stub gets a new instance.
export const abortFreshStub = {
  async test(ctrl, env) {
    const id = env.Obj.newUniqueId();
    const before = await env.Obj.get(id).which();
    await fails(() => env.Obj.get(id).abort('gone'), Error, 'gone', reset);
    assert.notStrictEqual(await env.Obj.get(id).which(), before);
  },
};

// Every stub made before the abort is broken, also one that did not call it.
export const abortBreaksOtherStubs = {
  async test(ctrl, env) {
    const id = env.Obj.newUniqueId();
    const other = env.Obj.get(id);
    await other.which();
    await fails(() => env.Obj.get(id).abort('gone'), Error, 'gone', reset);
    await fails(() => other.which(), Error, 'gone', reset);
  },
};

// A stub made before the abort that has not been used yet.
export const abortUnusedStub = {
  async test(ctrl, env) {
    const id = env.Obj.newUniqueId();
    const unused = env.Obj.get(id);
    await fails(() => env.Obj.get(id).abort('gone'), Error, 'gone', reset);
    assert.strictEqual(typeof (await unused.which()), 'number');
  },
};

// Calls in flight get the reason: an RPC call without remote, a fetch with it.
export const abortInFlight = {
  async test(ctrl, env) {
    const stub = fresh(env);
    const slow = stub.slow();
    const response = stub.fetch('http://x/slow');
    await fails(() => stub.abort('gone'), Error, 'gone', reset);
    await fails(() => slow, Error, 'gone', reset);
    await fails(() => response, Error, 'gone', { ...reset, remote: true });
  },
};

// ctx.abort() ends JavaScript at once: neither catch nor finally runs.
export const abortStopsAtOnce = {
  async test(ctrl, env) {
    await fails(() => fresh(env).abortInTry(), Error, 'in try', reset);
    assert.strictEqual(globalThis.abortCaught, undefined);
    assert.strictEqual(globalThis.abortFinally, undefined);
    assert.strictEqual(globalThis.abortWentOn, undefined);
  },
};

// An abort by a timer, with no call in progress.
export const abortWhileIdle = {
  async test(ctrl, env) {
    const stub = fresh(env);
    await stub.abortLater();
    await scheduler.wait(300);
    await fails(() => stub.which(), Error, 'later', reset);
  },
};

// An abort in fetch carries remote; the next call on the stub does not.
export const abortInFetch = {
  async test(ctrl, env) {
    const stub = fresh(env);
    await fails(() => stub.fetch('http://x/abort'), Error, 'by fetch', { ...reset, remote: true });
    await fails(() => stub.which(), Error, 'by fetch', reset);
  },
};

// An abort does not touch other objects of the class.
export const abortIsLocal = {
  async test(ctrl, env) {
    const other = fresh(env);
    const before = await other.which();
    await fails(() => fresh(env).abort('gone'), Error, 'gone', reset);
    assert.strictEqual(await other.which(), before);
  },
};

// A constructor that throws: the error with its class, and durableObjectReset.
export const constructorThrows = {
  async test(ctrl, env) {
    await fails(() => env.Failing.getByName('always 1').ok(), RangeError, 'no start', { ...reset, code: 7 });
  },
};

// By fetch the same error carries remote.
export const constructorThrowsFetch = {
  async test(ctrl, env) {
    await fails(() => env.Failing.getByName('always 2').fetch('http://x/'), RangeError, 'no start',
      { ...reset, code: 7, remote: true });
  },
};

// Concurrent calls share one construction and its error.
export const constructorSharedFailure = {
  async test(ctrl, env) {
    const stub = env.Failing.getByName('always 3');
    const calls = [stub.ok(), stub.ok(), stub.ok()];
    for (const call of calls) await fails(() => call, RangeError, 'no start', { ...reset, code: 7 });
    assert.strictEqual(attempts['always 3'], 1);
  },
};

// The same stub does not construct again.
export const constructorSameStub = {
  async test(ctrl, env) {
    const stub = env.Failing.getByName('always 4');
    await fails(() => stub.ok(), RangeError, 'no start', { ...reset, code: 7 });
    await fails(() => stub.ok(), RangeError, 'no start', { ...reset, code: 7 });
    assert.strictEqual(attempts['always 4'], 1);
  },
};

// A fresh stub does.
export const constructorFreshStub = {
  async test(ctrl, env) {
    await fails(() => env.Failing.getByName('once').ok(), RangeError, 'no start', { ...reset, code: 7 });
    assert.strictEqual(await env.Failing.getByName('once').ok(), 2);
  },
};

// blockConcurrencyWhile failing in the constructor.
export const blockInConstructor = {
  async test(ctrl, env) {
    const stub = env.Failing.getByName('block 1');
    await fails(() => stub.ok(), TypeError, 'no block', reset);
    await fails(() => stub.ok(), TypeError, 'no block', reset);
    await fails(() => env.Failing.getByName('block 1').ok(), TypeError, 'no block', reset);
    assert.strictEqual(attempts['block 1'], 2);
  },
};

// blockConcurrencyWhile failing in a method resets the object; its catch never runs.
export const blockInMethod = {
  async test(ctrl, env) {
    const stub = fresh(env);
    await fails(() => stub.failBlock(), RangeError, 'block failed', reset);
    assert.strictEqual(globalThis.blockCaught, undefined);
    await fails(() => stub.which(), RangeError, 'block failed', reset);
  },
};

// Calls queued behind the failing block get its error.
export const blockQueuedCalls = {
  async test(ctrl, env) {
    const stub = fresh(env);
    const first = stub.failBlock();
    const queued = stub.which();
    await fails(() => first, RangeError, 'block failed', reset);
    await fails(() => queued, RangeError, 'block failed', reset);
  },
};

// A new instance after a failed block.
export const blockFreshStub = {
  async test(ctrl, env) {
    const id = env.Obj.newUniqueId();
    const before = await env.Obj.get(id).which();
    await fails(() => env.Obj.get(id).failBlock(), RangeError, 'block failed', reset);
    assert.notStrictEqual(await env.Obj.get(id).which(), before);
  },
};

// blockConcurrencyWhile may nest 64 deep.
export const blockNested64 = {
  async test(ctrl, env) {
    assert.strictEqual(await fresh(env).nestBlock(64), 'bottom');
  },
};

// 65 deep is refused, with an error that can be caught.
export const blockNested65 = {
  async test(ctrl, env) {
    assert.strictEqual(await fresh(env).nestCaught(65),
      'Error: blockConcurrencyWhile() calls are nested too deeply.');
  },
};
