// Rule: who disposes of the stubs in arguments and results, and when the target
// learns of it. Source: Cloudflare docs "RPC: lifecycle"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, RpcStub, RpcTarget } from 'cloudflare:workers';
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
  [Symbol.dispose]() {
    log.push(this.label);
  }
}

const disposedStub = 'RPC stub used after being disposed.';
let shared;

export class Obj extends DurableObject {
  target(name) {
    return new Target(name);
  }
  shared() {
    return (shared ??= new Target('shared'));
  }
  two() {
    return { a: new Target('a'), b: [new Target('b')], n: 5 };
  }
  own() {
    return (this.stub = new RpcStub(new Target('own')));
  }
  async useOwn() {
    return await this.stub.hi();
  }
  async use(stub) {
    return await stub.hi();
  }
  keep(stub) {
    this.kept = stub;
  }
  keepDup(stub) {
    this.kept = stub.dup();
  }
  async useKept() {
    return await this.kept.hi();
  }
  give(stub) {
    return stub;
  }
  async pass(stub) {
    return await this.env.Obj.getByName('further').use(stub);
  }
  disposeTwice(stub) {
    stub[Symbol.dispose]();
    stub[Symbol.dispose]();
  }
  fail() {
    throw new Error('no use');
  }
  count(...values) {
    return values.length;
  }
}

const stubOf = (env) => env.Obj.getByName('ownership');
const start = () => (log = []);
const disposed = (...names) => until(() => names.every((n) => log.includes(n))).then(() => assert.deepStrictEqual([...log].sort(), [...names].sort()));

// A result that is an object has a disposer for all the stubs in it.
export const wholeResult = {
  async test(ctrl, env) {
    start();
    const out = await stubOf(env).two();
    assert.deepStrictEqual(Object.keys(out), ['a', 'b', 'n']);
    assert.strictEqual(Object.getOwnPropertyDescriptor(out, Symbol.dispose).enumerable, false);
    out[Symbol.dispose]();
    await disposed('a', 'b');
    await fails(() => out.a.hi(), Error, disposedStub);
    await fails(() => out.b[0].hi(), Error, disposedStub);
  },
};

// A duplicate outlives the result that it came from.
export const duplicate = {
  async test(ctrl, env) {
    start();
    const out = await stubOf(env).two();
    const copy = out.a.dup();
    out[Symbol.dispose]();
    await disposed('b');
    assert.strictEqual(await copy.hi(), 'hi');
    copy[Symbol.dispose]();
    await disposed('a', 'b');
  },
};

// Disposing twice is disposing once.
export const twice = {
  async test(ctrl, env) {
    start();
    const out = await stubOf(env).target('once');
    const copy = out.dup();
    out[Symbol.dispose]();
    out[Symbol.dispose]();
    assert.strictEqual(await copy.hi(), 'hi');
    copy[Symbol.dispose]();
    await disposed('once');
  },
};

// The same target in two messages is disposed of twice.
export const sameTarget = {
  async test(ctrl, env) {
    start();
    using first = await stubOf(env).shared();
    using second = await stubOf(env).shared();
    first[Symbol.dispose]();
    await disposed('shared');
    assert.strictEqual(await second.hi(), 'hi');
    second[Symbol.dispose]();
    await until(() => log.length === 2);
  },
};

// Within a message it is one stub, and disposed of once.
export const sameTargetInMessage = {
  async test(ctrl, env) {
    start();
    const target = new Target('one');
    assert.strictEqual(await stubOf(env).count(target, target, [target]), 3);
    await disposed('one');
  },
};

// The stubs among the arguments are disposed of when the call ends.
export const argument = {
  async test(ctrl, env) {
    start();
    assert.strictEqual(await stubOf(env).use(new Target('arg')), 'hi');
    await disposed('arg');
  },
};

// Also when the call fails, or names nothing.
export const argumentOfFailed = {
  async test(ctrl, env) {
    start();
    await fails(() => stubOf(env).fail(new Target('failed')), Error, 'no use', { remote: true, durableObjectId: stubOf(env).id.toString() });
    await fails(() => stubOf(env).missing(new Target('missing')), TypeError,
      'The RPC receiver does not implement the method "missing".', { remote: true });
    await disposed('failed', 'missing');
  },
};

// Arguments that cannot be sent as a whole.
export const argumentOfUnsent = {
  async test(ctrl, env) {
    start();
    await assert.rejects(async () => await stubOf(env).count(new Target('unsent'), Symbol('x')), { name: 'DataCloneError' });
    await disposed('unsent');
  },
};

// What the callee keeps without dup() cannot be used later.
export const keptWithoutDup = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('kept');
    await stub.keep(new Target('kept'));
    await fails(() => stub.useKept(), Error, disposedStub, { remote: true, durableObjectId: stub.id.toString() });
    await stub.keepDup(new Target('kept'));
    assert.strictEqual(await stub.useKept(), 'hi');
  },
};

// A stub as an argument stays with the caller.
export const stubStays = {
  async test(ctrl, env) {
    start();
    const stub = new RpcStub(new Target('stays'));
    assert.strictEqual(await stubOf(env).use(stub), 'hi');
    assert.strictEqual(await stubOf(env).pass(stub), 'hi');
    assert.strictEqual(await stub.hi(), 'hi');
    assert.deepStrictEqual(log, []);
    stub[Symbol.dispose]();
    await disposed('stays');
  },
};

// Also when the call fails, or cannot be sent.
export const stubStaysAfterFailure = {
  async test(ctrl, env) {
    start();
    const stub = new RpcStub(new Target('stays'));
    await assert.rejects(async () => await stubOf(env).fail(stub), { message: 'no use' });
    await assert.rejects(async () => await stubOf(env).count(stub, Symbol('x')), { name: 'DataCloneError' });
    assert.strictEqual(await stub.hi(), 'hi');
    assert.deepStrictEqual(log, []);
  },
};

// A stub that was disposed of has no duplicates.
export const duplicateOfDisposed = {
  async test(ctrl, env) {
    const stub = await stubOf(env).target('gone');
    stub[Symbol.dispose]();
    await fails(() => stub.dup(), Error, /^internal error; reference = [0-9a-z]{24}$/);
  },
};

// A stub in a result goes to the caller.
export const resultMoves = {
  async test(ctrl, env) {
    start();
    const stub = env.Obj.getByName('moves');
    using out = await stub.own();
    assert.strictEqual(await out.hi(), 'hi');
    await fails(() => stub.useOwn(), Error, disposedStub, { remote: true, durableObjectId: stub.id.toString() });
    out[Symbol.dispose]();
    await disposed('own');
  },
};

// A target that comes back is a stub of it.
export const comesBack = {
  async test(ctrl, env) {
    start();
    const out = await stubOf(env).give(new Target('back'));
    assert.strictEqual(Object.prototype.toString.call(out), '[object JsRpcStub]');
    assert.strictEqual(await out.hi(), 'hi');
    assert.deepStrictEqual(log, []);
    out[Symbol.dispose]();
    await disposed('back');
  },
};

// The callee may dispose of an argument itself.
export const disposedByCallee = {
  async test(ctrl, env) {
    start();
    await stubOf(env).disposeTwice(new Target('early'));
    await disposed('early');
  },
};

// Disposing of the promise of a result disposes of the result.
export const promise = {
  async test(ctrl, env) {
    start();
    const early = stubOf(env).target('early');
    early[Symbol.dispose]();
    await disposed('early');
    await fails(() => early.hi(), Error, 'RPC promise used after being disposed.');
    start();
    const late = stubOf(env).target('late');
    const out = await late;
    late[Symbol.dispose]();
    await disposed('late');
    await fails(() => out.hi(), Error, disposedStub);
  },
};

// A stub made locally tells its target, too.
export const local = {
  async test() {
    start();
    const stub = new RpcStub(new Target('local'));
    stub[Symbol.dispose]();
    await fails(() => stub.hi(), Error, disposedStub);
    await disposed('local');
  },
};

// A result without stubs has a disposer that does nothing.
export const nothingToDispose = {
  async test(ctrl, env) {
    using out = await stubOf(env).give([1, 2]);
    assert.strictEqual(typeof out[Symbol.dispose], 'function');
    assert.deepStrictEqual([...out], [1, 2]);
  },
};
