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
