// Rule: what may run between two steps of an object, and what waits for its
// writes. Source: Cloudflare docs "Durable Objects: input and output gates"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { until } from 'until.js';

const sent = [];

export class Obj extends DurableObject {
  trace = [];
  n = 0;
  async increment() {
    const n = (await this.ctx.storage.get('n')) ?? 0;
    await this.ctx.storage.put('n', n + 1);
  }
  async incrementSlowly() {
    const n = (await this.ctx.storage.get('n')) ?? 0;
    await scheduler.wait(100);
    await this.ctx.storage.put('n', n + 1);
  }
  async incrementInBlock() {
    await this.ctx.blockConcurrencyWhile(async () => {
      const n = (await this.ctx.storage.get('n')) ?? 0;
      await scheduler.wait(1);
      await this.ctx.storage.put('n', n + 1);
    });
  }
  async incrementInTransaction() {
    await this.ctx.storage.transaction(async (txn) => {
      await txn.put('n', ((await txn.get('n')) ?? 0) + 1);
    });
  }
  async incrementUngated() {
    const n = (await this.ctx.storage.get('n', { allowConcurrency: true })) ?? 0;
    await scheduler.wait(100);
    await this.ctx.storage.put('n', n + 1);
  }
  value() {
    return this.ctx.storage.get('n');
  }
  async step(name, ms) {
    this.trace.push(name + ' starts');
    if (ms !== undefined) await scheduler.wait(ms);
    this.trace.push(name + ' ends');
  }
  async stepMicro(name) {
    this.trace.push(name + ' starts');
    for (let i = 0; i < 10; i++) await null;
    this.trace.push(name + ' ends');
  }
  async block(name, ms) {
    this.trace.push(name + ' called');
    await this.ctx.blockConcurrencyWhile(async () => {
      this.trace.push(name + ' starts');
      await scheduler.wait(ms);
      this.trace.push(name + ' ends');
    });
    this.trace.push(name + ' done');
  }
  async blockWithStorage() {
    return await this.ctx.blockConcurrencyWhile(async () => {
      await this.ctx.storage.put('in', 'block');
      return await this.ctx.storage.get('in');
    });
  }
  async twoBlocks() {
    const order = [];
    const a = this.ctx.blockConcurrencyWhile(async () => {
      order.push('a starts');
      await scheduler.wait(3);
      order.push('a ends');
    });
    const b = this.ctx.blockConcurrencyWhile(async () => {
      order.push('b starts');
    });
    order.push('after');
    await Promise.all([a, b]);
    return order;
  }
  async nested() {
    const order = [];
    await this.ctx.blockConcurrencyWhile(async () => {
      order.push('outer');
      await this.ctx.blockConcurrencyWhile(async () => {
        order.push('inner');
      });
      order.push('outer again');
    });
    return order;
  }
  async timerDuringBlock() {
    const order = [];
    setTimeout(() => order.push('timer'), 1);
    await this.ctx.blockConcurrencyWhile(async () => {
      await scheduler.wait(10);
      order.push('block ends');
    });
    await until(() => order.length === 2);
    return order;
  }
  async putThenSend(key) {
    this.ctx.storage.put(key, 1);
    await this.env.Sink.getByName('sink').receive(key);
    return (await this.ctx.storage.get(key)) === 1;
  }
  async callOut() {
    this.trace.push('out starts');
    await this.env.Sink.getByName('sink').slow(200);
    this.trace.push('out ends');
  }
  getTrace() {
    return this.trace;
  }
  putAndReturn(key, value) {
    this.ctx.storage.put(key, value);
    return 'returned';
  }
  read(key) {
    return this.ctx.storage.get(key);
  }
}

export class Sink extends DurableObject {
  receive(key) {
    sent.push(key);
  }
  async slow(ms) {
    await scheduler.wait(ms);
  }
}

const fresh = (env) => env.Obj.get(env.Obj.newUniqueId());
const tenOf = async (stub, method) => {
  await Promise.all(Array.from({ length: 10 }, () => stub[method]()));
  return await stub.value();
};

// Ten concurrent increments, get then put: none is lost.
export const inputGate = {
  async test(ctrl, env) {
    assert.strictEqual(await tenOf(fresh(env), 'increment'), 10);
  },
};

// With a timer between get and put updates are lost.
export const timerOpensGate = {
  async test(ctrl, env) {
    assert.strictEqual(await tenOf(fresh(env), 'incrementSlowly'), 1);
  },
};

// In blockConcurrencyWhile even a timer lets nobody in.
export const blockKeepsGate = {
  async test(ctrl, env) {
    assert.strictEqual(await tenOf(fresh(env), 'incrementInBlock'), 10);
  },
};

// Transactions are serialised.
export const transactionGate = {
  async test(ctrl, env) {
    assert.strictEqual(await tenOf(fresh(env), 'incrementInTransaction'), 10);
  },
};

// allowConcurrency and a timer: updates are lost.
export const allowConcurrency = {
  async test(ctrl, env) {
    assert.strictEqual(await tenOf(fresh(env), 'incrementUngated'), 1);
  },
};

// Calls run side by side while one waits for a timer.
export const callsInterleave = {
  async test(ctrl, env) {
    const stub = fresh(env);
    await Promise.all([stub.step('a', 200), stub.step('b', 1)]);
    assert.deepStrictEqual(await stub.getTrace(), ['a starts', 'b starts', 'b ends', 'a ends']);
  },
};

// Microtasks of one call run out before the next call starts.
export const turnsAreWhole = {
  async test(ctrl, env) {
    const stub = fresh(env);
    await Promise.all([stub.stepMicro('a'), stub.stepMicro('b')]);
    assert.deepStrictEqual(await stub.getTrace(), ['a starts', 'a ends', 'b starts', 'b ends']);
  },
};

// A call that comes during blockConcurrencyWhile waits for its end.
export const callWaitsForBlock = {
  async test(ctrl, env) {
    const stub = fresh(env);
    await Promise.all([stub.block('block', 5), stub.step('call')]);
    assert.deepStrictEqual(await stub.getTrace(),
      ['block called', 'block starts', 'block ends', 'block done', 'call starts', 'call ends']);
  },
};

// Blocks of two calls run one after the other, in call order.
export const blocksQueue = {
  async test(ctrl, env) {
    const stub = fresh(env);
    await Promise.all([stub.block('a', 5), stub.block('b', 1)]);
    assert.deepStrictEqual(await stub.getTrace(), ['a called', 'a starts', 'a ends', 'a done',
      'b called', 'b starts', 'b ends', 'b done']);
  },
};

// Storage works inside the block, past the closed gate.
export const storageInBlock = {
  async test(ctrl, env) {
    assert.strictEqual(await fresh(env).blockWithStorage(), 'block');
  },
};

// Two blocks called in one turn: neither body runs within it, and the second
// starts when the first has ended.
export const twoBlocks = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await fresh(env).twoBlocks(), ['after', 'a starts', 'a ends', 'b starts']);
  },
};

// Nested blocks.
export const nestedBlocks = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await fresh(env).nested(), ['outer', 'inner', 'outer again']);
  },
};

// A timer set before the block waits for its end.
export const timerWaitsForBlock = {
  async test(ctrl, env) {
    assert.deepStrictEqual(await fresh(env).timerDuringBlock(), ['block ends', 'timer']);
  },
};

// A call out of the object opens the gate for others.
export const callOutOpensGate = {
  async test(ctrl, env) {
    const stub = fresh(env);
    await Promise.all([stub.callOut(), stub.step('other')]);
    assert.deepStrictEqual(await stub.getTrace(), ['out starts', 'other starts', 'other ends', 'out ends']);
  },
};

// A call out after a put that was not awaited arrives, and the write is there.
export const outputGateCall = {
  async test(ctrl, env) {
    assert.strictEqual(await fresh(env).putThenSend('sent-1'), true);
    assert.deepStrictEqual(sent, ['sent-1']);
  },
};

// The reply after a put that was not awaited: the write is visible to the next call.
export const outputGateReply = {
  async test(ctrl, env) {
    const stub = fresh(env);
    assert.strictEqual(await stub.putAndReturn('k', 5), 'returned');
    assert.strictEqual(await stub.read('k'), 5);
  },
};
