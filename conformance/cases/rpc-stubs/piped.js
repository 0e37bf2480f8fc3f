// Rule: calls of what the result of a call names, sent before the result is there, and
// after. Source: Cloudflare docs "RPC: promise pipelining"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, RpcTarget, WorkerEntrypoint } from 'cloudflare:workers';
import { fails, failsToClone } from 'failure.js';

class Child extends RpcTarget {
  constructor(log) {
    super();
    this.log = log;
  }
  x(n) {
    this.log.push('x' + n);
    return n;
  }
}

class Target extends RpcTarget {
  constructor(log = []) {
    super();
    this.log = log;
  }
  a(n) {
    this.log.push('a' + n);
    return n;
  }
  child() {
    this.log.push('child');
    return new Child(this.log);
  }
  get num() {
    return 5;
  }
  get parts() {
    return { z: 5, list: [1] };
  }
  boom() {
    throw new RangeError('boom');
  }
  get bad() {
    throw new TypeError('bad');
  }
  callBack(f) {
    return f(3);
  }
  [Symbol.dispose]() {
    this.log.push('disposed');
  }
}

export class Obj extends DurableObject {
  #log = [];
  log() {
    return this.#log.splice(0);
  }
  c(n) {
    this.#log.push('c' + n);
    return n;
  }
  target() {
    this.#log.push('target');
    return new Target(this.#log);
  }
  async late() {
    this.#log.push('late');
    await scheduler.wait(3);
    this.#log.push('ready');
    return new Target(this.#log);
  }
  parts() {
    this.#log.push('parts');
    return { t: new Target(this.#log), n: 5, o: { p: 1 }, list: [1, { q: 2 }], f: (n) => n * 2, throws: () => { throw new RangeError('f'); },
      when: new Date(0), get g() { return 8; } };
  }
  value(v) {
    return v;
  }
  other() {
    return this.env.Obj.getByName('other');
  }
  nested() {
    return { o: this.env.Obj.getByName('other') };
  }
  response() {
    return new Response('body');
  }
  double() {
    return (n) => n * 2;
  }
  instance() {
    return new (class X {})();
  }
  boom() {
    throw new RangeError('ob');
  }
}

export class Service extends WorkerEntrypoint {
  parts() {
    return { v: { w: 1 }, n: 5, f: () => 3 };
  }
  target() {
    return new Target();
  }
  boom() {
    throw new Error('service');
  }
}

let count = 0;
const fresh = (env) => env.Obj.getByName('piped' + count++);

const ordered = (expected, run) => ({
  async test(ctrl, env) {
    const obj = fresh(env);
    await run(obj);
    await scheduler.wait(10);
    assert.deepStrictEqual(await obj.log(), expected);
  },
});

// Calls of one result start in the order in which they were made, after what its object was asked before the result was ready.
export const order = ordered(['target', 'c1', 'c2', 'a1', 'a2'], async (obj) => {
  const t = obj.target();
  t.a(1);
  t.a(2);
  obj.c(1);
  await obj.c(2);
});
export const orderMixed = ordered(['target', 'c0', 'c1', 'c2', 'cend', 'a0', 'a1', 'a2'], async (obj) => {
  const t = obj.target();
  for (let i = 0; i < 3; i++) {
    t.a(i);
    obj.c(i);
  }
  await obj.c('end');
});
export const orderLate = ordered(['late', 'c1', 'c2', 'ready', 'a1', 'a2'], async (obj) => {
  const t = obj.late();
  t.a(1);
  obj.c(1);
  t.a(2);
  await obj.c(2);
});
export const orderNested = ordered(['target', 'c1', 'child', 'a1', 'x1'], async (obj) => {
  const t = obj.target();
  const x = t.child().x(1);
  obj.c(1);
  t.a(1);
  await x;
});
export const orderInObject = ordered(['parts', 'c1', 'a1', 'a2'], async (obj) => {
  const o = obj.parts();
  o.t.a(1);
  obj.c(1);
  await o.t.a(2);
});

// What was sent before the promise is disposed of is served.
export const disposedEarly = ordered(['late', 'ready', 'a1', 'disposed'], async (obj) => {
  const t = obj.late();
  const a = t.a(1);
  t[Symbol.dispose]();
  assert.strictEqual(await a, 1);
});

// A function in the arguments of such a call.
export const callback = {
  async test(ctrl, env) {
    assert.strictEqual(await fresh(env).target().callBack((n) => n + 1), 4);
  },
};

const missing = (name) => [TypeError, `The RPC receiver does not implement the method "${name}".`];
const noFunction = (what) => [TypeError, `"${what}" is not a function.`];
const noObject = [TypeError, "Can't pipeline on RPC that did not return an object.", 'local'];

// Calls the method, then goes on with its promise: before the result is there, and when it is.
function piped(method, args, more, early, settled = early) {
  return {
    async test(ctrl, env) {
      for (const [expected, wait] of [[early, false], [settled, true]]) {
        const obj = fresh(env);
        const promise = obj[method](...args);
        if (wait) await promise.then(() => {}, () => {});
        if (!Array.isArray(expected)) {
          assert.deepStrictEqual(await more(promise), expected.value);
          continue;
        }
        const [Class, message, from] = expected;

        const props = from === 'local' ? {} : from === 'copy' ? { remote: true } : { remote: true, durableObjectId: String(obj.id) };
        await fails(() => more(promise), Class, message, props);
      }
    },
  };
}
const copy = (expected) => [...expected, 'copy'];

// Parts of a plain object.
export const value = piped('parts', [], (p) => p.n, { value: 5 });
export const getter = piped('parts', [], (p) => p.g, { value: 8 });
export const array = piped('parts', [], (p) => p.list, { value: [1, { q: 2 }] });
export const deepValue = piped('parts', [], (p) => p.o.p, { value: 1 });
export const functionInObject = piped('parts', [], (p) => p.f(4), { value: 8 });
export const functionThrows = piped('parts', [], (p) => p.throws(), [RangeError, 'f']);
export const callValue = piped('parts', [], (p) => p.n(), noFunction('n'), copy(noFunction('n')));
export const throughValue = piped('parts', [], (p) => p.n.x, missing('n'), copy(missing('n')));
export const throughDeepValue = piped('parts', [], (p) => p.o.p.x(), missing('p'), copy(missing('p')));
export const throughArray = piped('parts', [], (p) => p.list.q, missing('list'), copy(missing('list')));
export const throughDate = piped('parts', [], (p) => p.when.getTime(), missing('when'), copy(missing('when')));
export const missingPart = piped('parts', [], (p) => p.zz, missing('zz'), copy(missing('zz')));
export const callMissing = piped('parts', [], (p) => p.zz(), missing('zz'), copy(missing('zz')));
export const callObject = piped('parts', [], (p) => p(), noFunction('(this)'), copy(noFunction('(this)')));

// A target in it: the complaint has the path from where the message went.
export const targetInObject = piped('parts', [], (p) => p.t.a(1), { value: 1 });
export const callTarget = piped('parts', [], (p) => p.t(), noFunction('t'), noFunction('(this)'));
export const callGetter = piped('parts', [], (p) => p.t.num(), noFunction('t.num'), noFunction('num'));
export const callDeeper = piped('parts', [], (p) => p.t.parts.z(), noFunction('t.parts.z'), noFunction('parts.z'));

// A target as the result.
export const targetGetter = piped('target', [], (t) => t.num, { value: 5 });
export const targetPart = piped('target', [], (t) => t.parts.list, { value: [1] });
export const targetThrows = piped('target', [], (t) => t.boom(), [RangeError, 'boom']);
export const getterThrows = piped('target', [], (t) => t.bad, [TypeError, 'bad']);
export const calledGetterThrows = piped('target', [], (t) => t.bad(), [TypeError, 'bad']);
export const targetMissing = piped('target', [], (t) => t.zz, missing('zz'));
export const targetItself = piped('target', [], (t) => t(), noFunction('(this)'));
export const targetReserved = piped('target', [], (t) => t.dup(), [TypeError, "'dup' is a reserved method and cannot be called over RPC."]);
export const throughMethod = piped('target', [], (t) => t.a.b, missing('b'));
export const functionResult = piped('double', [], (f) => f(4), { value: 8 });
export const functionLength = piped('double', [], (f) => f.length, { value: 1 });

// What is no object has no parts.
export const onNumber = piped('value', [5], (p) => p.x, missing('x'), noObject);
export const callOnNumber = piped('value', [5], (p) => p.x(), missing('x'), noObject);
export const callNumber = piped('value', [5], (p) => p(), noFunction('(this)'), noObject);
export const onString = piped('value', ['abc'], (p) => p.length, missing('length'), noObject);
export const onNull = piped('value', [null], (p) => p.x, missing('x'), noObject);
export const onUndefined = piped('value', [undefined], (p) => p.x(), missing('x'), noObject);
export const onMap = piped('value', [new Map()], (p) => p.size, missing('size'), copy(missing('size')));
export const onResponse = piped('response', [], (p) => p.text(), missing('text'), copy(missing('text')));

// A failure of the call is that of everything that hangs on it.
export const onFailure = piped('boom', [], (p) => p.x(), [RangeError, 'ob']);
export const onFailureItself = piped('boom', [], (p) => p(), [RangeError, 'ob']);
export const onNotCloneable = {
  async test(ctrl, env) {
    await failsToClone(() => fresh(env).instance().x, 'Could not serialize object of type "X". This type does not support serialization.',
      { remote: true });
  },
};

// A stub of another object; as the result itself it can be used so only before it is there.
export const onStub = piped('other', [], (p) => p.c(1), { value: 1 }, copy(missing('c')));
export const onStubThrows = piped('other', [], (p) => p.boom(), [RangeError, 'ob'], copy(missing('boom')));
export const onStubId = piped('other', [], (p) => p.id, missing('id'), copy(missing('id')));
export const onStubName = piped('other', [], (p) => p.name, missing('name'), copy(missing('name')));
export const onStubMissing = piped('other', [], (p) => p.zz(), missing('zz'), copy(missing('zz')));
export const onStubInObject = piped('nested', [], (p) => p.o.c(1), { value: 1 });
export const onStubFurther = {
  async test(ctrl, env) {
    assert.strictEqual(await fresh(env).other().target().a(1), 1);
    const obj = fresh(env);
    await fails(() => obj.nested().o.boom(), RangeError, 'ob', { remote: true, durableObjectId: String(obj.id) });
  },
};

// A service instead of an object: errors name none.
export const service = {
  async test(ctrl, env, ctx) {
    const { Service } = ctx.exports;
    assert.strictEqual(await Service.parts().v.w, 1);
    assert.strictEqual(await Service.parts().f(), 3);
    assert.strictEqual(await Service.target().a(1), 1);
    await fails(() => Service.parts().n(), ...noFunction('n'), { remote: true });
    await fails(() => Service.parts().zz, ...missing('zz'), { remote: true });
    await fails(() => Service.target().boom(), RangeError, 'boom', { remote: true });
    await fails(() => Service.boom().x(), Error, 'service', { remote: true });
  },
};
