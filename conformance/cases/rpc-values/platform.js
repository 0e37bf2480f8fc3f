// Rule: objects of the platform in calls and in structuredClone, and what is
// left of odd values that are thrown. Source: workerd behaviour; HTML spec, structured clone.
import assert from 'node:assert';
import { DurableObject, RpcTarget } from 'cloudflare:workers';
import { fails, failsToClone } from 'failure.js';

class Plain {
  x = 1;
}

const thrown = {
  instance: () => new Plain(),
  array: () => [1, 2],
  map: () => new Map([[1, 2]]),
  func: () => () => 1,
  symbol: () => Symbol('x'),
  withFunction: () => ({ a: 1, f() {} }),
};

export class Obj extends DurableObject {
  echo(value) {
    return value;
  }
  fail(kind) {
    throw thrown[kind]();
  }
}

const unsupported = (name) => `Could not serialize object of type "${name}". This type does not support serialization.`;

// Headers arrive as Headers with the same lines, and can be changed.
export const headers = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('x').echo(new Headers([['a', 'b'], ['set-cookie', '1'], ['set-cookie', '2']]));
    assert.ok(out instanceof Headers);
    assert.deepStrictEqual([...out], [['a', 'b'], ['set-cookie', '1'], ['set-cookie', '2']]);
    out.append('x', 'y');
    assert.strictEqual(out.get('x'), 'y');
  },
};

// A Blob arrives with its type.
export const blob = {
  async test(ctrl, env) {
    const out = await env.Obj.getByName('x').echo(new Blob(['x'], { type: 'a/b' }));
    assert.ok(out instanceof Blob);
    assert.deepStrictEqual([out.type, await out.text()], ['a/b', 'x']);
  },
};

// structuredClone copies Headers and DOMExceptions, and instances of classes as plain objects.
export const cloned = {
  test() {
    assert.deepStrictEqual([...structuredClone(new Headers({ a: 'b' }))], [['a', 'b']]);
    const error = structuredClone(new DOMException('m', 'AbortError'));
    assert.ok(error instanceof DOMException);
    assert.deepStrictEqual([error.name, error.message], ['AbortError', 'm']);
    assert.strictEqual(Object.getPrototypeOf(structuredClone(new Plain())), Object.prototype);
  },
};

// It refuses the rest.
export const refused = {
  async test(ctrl, env, ctx) {
    await failsToClone(() => structuredClone(new URL('http://x/')), unsupported('URL'));
    await failsToClone(() => structuredClone(env.Obj), unsupported('DurableObjectNamespace'));
    await failsToClone(() => structuredClone(ctx), unsupported('ExecutionContext'));
    await failsToClone(() => structuredClone(new (class extends RpcTarget {})()),
      'Remote RPC references can only be serialized for RPC.');
  },
};

// Thrown values that are no errors.
export const thrownValues = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('x');
    const remote = { remote: true };
    const named = { remote: true, durableObjectId: stub.id.toString() };
    await fails(() => stub.fail('instance'), Object, undefined, { x: 1, ...named });
    await fails(() => stub.fail('array'), Array, undefined, { 0: 1, 1: 2, ...named });
    await fails(() => stub.fail('map'), Map, undefined, remote);
    await fails(() => stub.fail('func'), Error, '() => 1', remote);
    await fails(() => stub.fail('symbol'), Error, 'Symbol(x)', remote);
    await fails(() => stub.fail('withFunction'), Error, '#<Object>', remote);
  },
};
