// Rule: with rpc_params_transfer_stubs a stub that is an argument goes to the
// callee. Source: Cloudflare docs "Compatibility flags"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, RpcStub, RpcTarget } from 'cloudflare:workers';
import { fails } from 'failure.js';
import { until } from 'until.js';

let log = [];

class Target extends RpcTarget {
  hi() {
    return 'hi';
  }
  [Symbol.dispose]() {
    log.push('disposed');
  }
}

export class Obj extends DurableObject {
  async use(stub) {
    return await stub.hi();
  }
  give(stub) {
    return stub;
  }
}

// The caller's stub is disposed of.
export const moves = {
  async test(ctrl, env) {
    log = [];
    const stub = new RpcStub(new Target());
    assert.strictEqual(await env.Obj.getByName('x').use(stub), 'hi');
    await fails(() => stub.hi(), Error, 'RPC stub used after being disposed.');
    await until(() => log.length > 0);
    assert.deepStrictEqual(log, ['disposed']);
  },
};

// A duplicate stays.
export const duplicate = {
  async test(ctrl, env) {
    log = [];
    const stub = new RpcStub(new Target());
    assert.strictEqual(await env.Obj.getByName('x').use(stub.dup()), 'hi');
    assert.strictEqual(await stub.hi(), 'hi');
    assert.deepStrictEqual(log, []);
  },
};

// It is also when the call fails, or cannot be sent after all.
export const movesWithFailure = {
  async test(ctrl, env) {
    const obj = env.Obj.getByName('x');
    for (const call of [(stub) => obj.missing(stub), (stub) => obj.use(stub, Symbol('x'))]) {
      log = [];
      const stub = new RpcStub(new Target());
      await assert.rejects(async () => await call(stub));
      await fails(() => stub.hi(), Error, 'RPC stub used after being disposed.');
      await until(() => log.length > 0);
      assert.deepStrictEqual(log, ['disposed']);
    }
  },
};

// What comes back is another stub of the same target.
export const comesBack = {
  async test(ctrl, env) {
    log = [];
    const stub = new RpcStub(new Target());
    const back = await env.Obj.getByName('x').give(stub);
    await fails(() => stub.hi(), Error, 'RPC stub used after being disposed.');
    assert.strictEqual(await back.hi(), 'hi');
    assert.deepStrictEqual(log, []);
    back[Symbol.dispose]();
    await until(() => log.length > 0);
  },
};
