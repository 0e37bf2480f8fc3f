// Rule: when an object is made, in which order things start, and what its
// context offers. Source: Cloudflare docs "Durable Object State", "Lifecycle of a Durable Object"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';
import { until } from 'until.js';

const log = [];

export class Obj extends DurableObject {
  steps = ['field'];
  constructor(ctx, env) {
    super(ctx, env);
    this.steps.push('constructor');
    this.nameInConstructor = ctx.id.name;
    this.sameContext = this.ctx === ctx && this.env === env;
    ctx.blockConcurrencyWhile(async () => {
      this.steps.push('block starts');
      await scheduler.wait(2);
      this.steps.push('block ends');
    });
    this.steps.push('constructor ends');
  }
  read() {
    return [...this.steps, 'call'];
  }
  look() {
    return {
      id: this.ctx.id.toString(), name: this.ctx.id.name, inConstructor: this.nameInConstructor,
      same: this.sameContext, envKeys: Object.keys(this.env).sort(),
      equalsOwn: this.ctx.id.equals(this.env.Obj.idFromString(this.ctx.id.toString())),
    };
  }
  waitUntil(text) {
    this.ctx.waitUntil(scheduler.wait(200).then(() => log.push(text)));
    return 'returned';
  }
  waitUntilRejected() {
    this.ctx.waitUntil(Promise.reject(new Error('background')));
    return 'returned';
  }
  waitUntilNothing() {
    return this.ctx.waitUntil(5);
  }
  count() {
    return (this.n = (this.n ?? 0) + 1);
  }
  timer(text) {
    setTimeout(() => log.push(text), 200);
  }
  selfStub() {
    return this.env.Obj.get(this.ctx.id).count();
  }
  put(key, value) {
    this.ctx.storage.put(key, value);
  }
  get(key) {
    return this.ctx.storage.get(key);
  }
  blockResult() {
    return this.ctx.blockConcurrencyWhile(async () => 'value of the block');
  }
  blockSync() {
    return this.ctx.blockConcurrencyWhile(() => 5);
  }
}

export class Writer extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.put('early', 1);
  }
  list() {
    return this.ctx.storage.list();
  }
}

// Hands nothing on to the base class.
export class Bare extends DurableObject {
  constructor() {
    super();
  }
  look() {}
}

// No constructor at all: the inherited one sets ctx and env.
export class Default extends DurableObject {
  look() {
    return [typeof this.ctx, typeof this.env, this.ctx.id.name];
  }
}

// Order: fields, the whole constructor, the block's body, then the first call.
export const startOrder = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await env.Obj.getByName('order').read(),
      ['field', 'constructor', 'constructor ends', 'block starts', 'block ends', 'call']);
  },
};

// ctx.id, its name, and env inside the object.
export const context = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await env.Obj.getByName('me').look(), {
      id: env.Obj.idFromName('me').toString(), name: 'me', inConstructor: 'me', same: true,
      envKeys: ['Bare', 'Default', 'Obj', 'Writer'], equalsOwn: true,
    });
  },
};

// An object of a unique id has no name.
export const unnamed = {
  async test(ctrl, env) {
    const seen = await env.Obj.get(env.Obj.newUniqueId()).look();
    assert.deepStrictEqual([seen.name, seen.inConstructor], [undefined, undefined]);
  },
};

// The instance lives on between calls.
export const instanceLives = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('counter');
    assert.deepStrictEqual([await stub.count(), await stub.count()], [1, 2]);
    assert.strictEqual(await env.Obj.getByName('counter').count(), 3);
  },
};

// Two ids are two instances.
export const separateInstances = {
  async test(ctrl, env) {
    await env.Obj.getByName('one').count();
    assert.strictEqual(await env.Obj.getByName('two').count(), 1);
  },
};

// Module globals are shared by the Worker and all its objects.
export const sharedGlobals = {
  async test(ctrl, env) {
    await env.Obj.getByName('globals').waitUntil('shared');
    await until(() => log.includes('shared'));
    assert.ok(log.includes('shared'));
  },
};

// waitUntil does not delay the reply.
export const waitUntilDoesNotDelay = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('wu').waitUntil('not delayed'), 'returned');
    assert.ok(!log.includes('not delayed'));
    await until(() => log.includes('not delayed'));
  },
};

// A rejected waitUntil harms nobody.
export const waitUntilRejected = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('wu2');
    await stub.count();
    assert.strictEqual(await stub.waitUntilRejected(), 'returned');
    await scheduler.wait(5);
    assert.strictEqual(await stub.count(), 2);
  },
};

// waitUntil takes any value and returns undefined.
export const waitUntilValue = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('wu3').waitUntilNothing(), undefined);
  },
};

// A timer outlives the call that set it.
export const timerOutlivesCall = {
  async test(ctrl, env) {
    await env.Obj.getByName('timer').timer('timer ran');
    assert.ok(!log.includes('timer ran'));
    await until(() => log.includes('timer ran'));
  },
};

// An object may call itself through a stub.
export const selfCall = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('self').selfStub(), 1);
  },
};

// A put that is not awaited survives when no abort follows.
export const putNotAwaited = {
  async test(ctrl, env) {
    await env.Obj.getByName('put').put('k', 1);
    assert.strictEqual(await env.Obj.getByName('put').get('k'), 1);
  },
};

// A constructor may write.
export const constructorWrites = {
  async test(ctrl, env) {
    assert.deepStrictEqual([...await env.Writer.getByName('fine').list()], [['early', 1]]);
  },
};

// blockConcurrencyWhile gives the value of its body.
export const blockValue = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('b').blockResult(), 'value of the block');
  },
};

// The body of blockConcurrencyWhile need not be async.
export const blockSyncBody = {
  async test(ctrl, env) {
    assert.strictEqual(await env.Obj.getByName('b').blockSync(), 5);
  },
};

// super() without arguments fails, and so does the construction.
export const bareSuper = {
  async test(ctrl, env) {
    await fails(() => env.Bare.getByName('x').look(), TypeError,
      "Failed to construct 'DurableObjectBase': constructor parameter 1 is not of type 'DurableObjectState'.",
      { durableObjectReset: true });
  },
};

// The default constructor.
export const defaultConstructor = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await env.Default.getByName('x').look(), ['object', 'object', 'x']);
  },
};
