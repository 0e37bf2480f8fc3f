// Rule: how long what is reached through a stub lives: without dup() as long as the
// call that brought it, with dup() until it is disposed of or its holder ends; a call
// in flight keeps its target. All of it with stubs that stay and with stubs that move
// (rpc_params_transfer_stubs). Source: Cloudflare docs "RPC: lifecycle"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, RpcStub, RpcTarget, WorkerEntrypoint } from 'cloudflare:workers';
import { fails } from 'failure.js';
import { until } from 'until.js';

let log = [];

class Target extends RpcTarget {
  constructor(name) {
    super();
    this.label = name;
  }
  hi() {
    return 'hi';
  }
  async slow() {
    await scheduler.wait(20);
    return log.includes(this.label);
  }
  child(name) {
    return new Target(name);
  }
  [Symbol.dispose]() {
    log.push(this.label);
  }
}

const disposedStub = 'RPC stub used after being disposed.';

export class Obj extends DurableObject {
  target(name) {
    return new Target(name);
  }
  keep(stub) {
    this.kept = stub;
  }
  keepInside(value) {
    this.kept = value.inside.stub;
  }
  keepDup(stub) {
    this.kept = stub.dup();
  }
  keepDupInside(value) {
    this.kept = value.inside.stub.dup();
  }
  async useKept() {
    return await this.kept.hi();
  }
  giveKept() {
    return this.kept;
  }
  giveDup() {
    return this.kept.dup();
  }
  async laterByTimer(stub) {
    setTimeout(() => outcome(stub), 1);
  }
  async laterByWaitUntil(stub) {
    this.ctx.waitUntil(scheduler.wait(1).then(() => outcome(stub)));
  }
  async fetchTarget(name) {
    this.kept = await this.env.Obj.getByName(name).target(name);
  }
  abort() {
    this.ctx.abort('gone');
  }
  dead() {
    const stub = new RpcStub(new Target('dead'));
    stub[Symbol.dispose]();
    return stub;
  }
  unsendable() {
    this.kept = new RpcStub(new Target('unsendable'));
    return [this.kept, Symbol('x')];
  }
}

const outcome = (stub) => stub.hi().then((v) => log.push(v), (e) => log.push(e.message));

export class Service extends WorkerEntrypoint {
  async leave(how) {
    await this.env.Obj.getByName('leaving').target(how);
    if (how === 'throws') throw new RangeError('left');
    if (how === 'aborts') this.ctx.abort('left');
    if (how === 'waits') this.ctx.waitUntil(scheduler.wait(20).then(() => log.push('waited')));
  }
  target(name) {
    return new Target(name);
  }
}

const stubOf = (env, name = 'lifetimes') => env.Obj.getByName(name);
const start = () => (log = []);
const disposed = (...names) => until(() => log.length >= names.length).then(() => assert.deepStrictEqual(log, names));
const own = (stub) => ({ remote: true, durableObjectId: stub.id.toString() });
const keptIsDisposed = (stub) => fails(() => stub.useKept(), Error, disposedStub, own(stub));

// An argument that is kept without dup() ends with the call, be it a target or
// something deep in an object.
export const keptWithoutDup = {
  async test(ctrl, env) {
    start();
    const stub = stubOf(env);
    await stub.keep(new Target('plain'));
    await disposed('plain');
    await keptIsDisposed(stub);
    await stub.keepInside({ inside: { stub: new Target('inside') } });
    await disposed('plain', 'inside');
    await keptIsDisposed(stub);
  },
};

// A stub that is kept without dup() ends for the callee as well.
export const stubKeptWithoutDup = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    await stub.keep(new RpcStub(new Target('stub')));
    await keptIsDisposed(stub);
  },
};

// Neither a timer nor waitUntil() prolongs it.
export const usedAfterTheCall = {
  async test(ctrl, env) {
    for (const method of ['laterByTimer', 'laterByWaitUntil']) {
      start();
      await stubOf(env)[method](new RpcStub({ hi: () => 'hi' }));
      await disposed(disposedStub);
    }
  },
};

// With dup() it can be used in every later call.
export const keptWithDup = {
  async test(ctrl, env) {
    start();
    const stub = stubOf(env, 'dup');
    await stub.keepDupInside({ inside: { stub: new Target('inside') } });
    assert.strictEqual(await stub.useKept(), 'hi');
    await scheduler.wait(1);
    assert.strictEqual(await stub.useKept(), 'hi');
    assert.deepStrictEqual(log, []);
  },
};

// Stubs of objects and of services do not end with the call.
export const objectsAndServices = {
  async test(ctrl, env) {
    const stub = stubOf(env, 'stubs');
    await stub.keepInside({ inside: { stub: env.Service } });
    await fails(() => stub.useKept(), TypeError, 'The RPC receiver does not implement the method "hi".', own(stub));
    await stub.keep(stubOf(env, 'other'));
    await fails(() => stub.useKept(), TypeError, 'The RPC receiver does not implement the method "hi".', own(stub));
  },
};

// What an object keeps and returns goes to the caller; a duplicate does not.
export const givenAway = {
  async test(ctrl, env) {
    start();
    const stub = stubOf(env, 'giver');
    await stub.keepDup(new Target('dup'));
    using first = await stub.giveDup();
    assert.strictEqual(await first.hi(), 'hi');
    first[Symbol.dispose]();
    assert.strictEqual(await stub.useKept(), 'hi');
    using second = await stub.giveKept();
    await keptIsDisposed(stub);
    assert.strictEqual(await second.hi(), 'hi');
    assert.deepStrictEqual(log, []);
    second[Symbol.dispose]();
    await disposed('dup');
  },
};

// Duplicates of duplicates: the target lives as long as the last of them.
export const duplicates = {
  async test(ctrl, env) {
    start();
    const first = await stubOf(env).target('many');
    const second = first.dup();
    const third = second.dup();
    const fourth = first.dup();
    first[Symbol.dispose]();
    second[Symbol.dispose]();
    assert.strictEqual(await third.hi(), 'hi');
    third[Symbol.dispose]();
    third[Symbol.dispose]();
    assert.strictEqual(await fourth.hi(), 'hi');
    assert.deepStrictEqual(log, []);
    fourth[Symbol.dispose]();
    await disposed('many');
  },
};

// using: at the end of the block, however it is left; for a promise too.
export const blocks = {
  async test(ctrl, env) {
    start();
    {
      using target = await stubOf(env).target('block');
      assert.strictEqual(await target.hi(), 'hi');
    }
    await disposed('block');
    try {
      using target = await stubOf(env).target('thrown');
      throw new RangeError('out of ' + (await target.hi()));
    } catch (e) {
      assert.strictEqual(e.message, 'out of hi');
    }
    await disposed('block', 'thrown');
    {
      using promise = stubOf(env).target('promise');
      assert.strictEqual(await promise.hi(), 'hi');
    }
    await disposed('block', 'thrown', 'promise');
  },
};

// A call in flight keeps its target.
export const callKeepsTarget = {
  async test(ctrl, env) {
    start();
    const target = await stubOf(env).target('busy');
    const call = target.slow();
    target[Symbol.dispose]();
    assert.strictEqual(await call, false);
    await disposed('busy');
  },
};

// Disposing of a call's promise does not end the call, nor its target.
export const disposedCallKeepsTarget = {
  async test(ctrl, env) {
    start();
    const target = await stubOf(env).target('busy');
    target.slow()[Symbol.dispose]();
    target[Symbol.dispose]();
    await scheduler.wait(5);
    assert.deepStrictEqual(log, []);
    await disposed('busy');
  },
};

// The result of a call of a target outlives the target's stub.
export const childOutlives = {
  async test(ctrl, env) {
    start();
    const target = await stubOf(env).target('parent');
    const child = await target.child('child');
    target[Symbol.dispose]();
    await disposed('parent');
    assert.strictEqual(await child.hi(), 'hi');
    child[Symbol.dispose]();
    await disposed('parent', 'child');
  },
};

// A request lives on for the targets that it has returned.
export const requestLivesOn = {
  async test(ctrl, env) {
    start();
    const target = await env.Service.target('service');
    await scheduler.wait(5);
    assert.strictEqual(await target.hi(), 'hi');
    const child = await target.child('child');
    target[Symbol.dispose]();
    await disposed('service');
    assert.strictEqual(await child.hi(), 'hi');
  },
};

// What a request has received and not disposed of ends with the request, however
// it ends.
export const requestEnds = {
  async test(ctrl, env) {
    start();
    await env.Service.leave('returns');
    await disposed('returns');
    await fails(() => env.Service.leave('throws'), RangeError, 'left', { remote: true });
    await disposed('returns', 'throws');
    await fails(() => env.Service.leave('aborts'), Error, 'left');
    await disposed('returns', 'throws', 'aborts');
    await env.Service.leave('waits');
    await disposed('returns', 'throws', 'aborts', 'waited', 'waits');
  },
};

// What an object has received stays with it, in later calls as well, until it is reset.
export const objectEnds = {
  async test(ctrl, env) {
    start();
    const stub = stubOf(env, 'holder');
    await stub.fetchTarget('origin');
    assert.strictEqual(await stub.useKept(), 'hi');
    await fails(() => stub.abort(), Error, 'gone', { durableObjectReset: true });
    await disposed('origin');
  },
};

// The same for a target of the caller that it has duplicated.
export const objectWithCallbackEnds = {
  async test(ctrl, env) {
    start();
    const stub = stubOf(env, 'duplicator');
    const kept = new RpcStub(new Target('mine'));
    await stub.keepDup(kept.dup());
    await fails(() => stub.abort(), Error, 'gone', { durableObjectReset: true });
    assert.strictEqual(await kept.hi(), 'hi');
    await env.Obj.getByName('second').keepDup(new Target('theirs'));
    await fails(() => env.Obj.getByName('second').abort(), Error, 'gone', { durableObjectReset: true });
    await disposed('theirs');
  },
};

// A target whose object is reset cannot be reached, and hears nothing.
export const originEnds = {
  async test(ctrl, env) {
    start();
    const stub = stubOf(env, 'survivor');
    await stub.fetchTarget('victim');
    await fails(() => stubOf(env, 'victim').abort(), Error, 'gone', { durableObjectReset: true });
    await fails(() => stub.useKept(), Error, 'The execution context which hosts this callback is no longer running.',
      own(stub));
    assert.deepStrictEqual(log, []);
  },
};

// A stub that was disposed of can be sent; it fails where it is used.
export const deadArgument = {
  async test(ctrl, env) {
    const stub = stubOf(env, 'dead');
    const dead = new RpcStub(new Target('dead'));
    dead[Symbol.dispose]();
    await stub.keep(dead);
    await stub.keepDup(dead);
    await keptIsDisposed(stub);
  },
};

// So can one in a result.
export const deadResult = {
  async test(ctrl, env) {
    const out = await stubOf(env).dead();
    assert.strictEqual(Object.prototype.toString.call(out), '[object JsRpcStub]');
    await fails(() => out.hi(), Error, disposedStub);
  },
};

// A result that cannot be sent takes along the stubs that it has.
export const unsendableResult = {
  async test(ctrl, env) {
    start();
    const stub = stubOf(env, 'unsendable');
    await assert.rejects(async () => await stub.unsendable(), { name: 'DataCloneError', message: 'Symbol(x) could not be cloned.' });
    await disposed('unsendable');
    await keptIsDisposed(stub);
  },
};
