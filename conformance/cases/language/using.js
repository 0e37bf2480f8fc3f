// Rule: explicit resource management: using, await using, the stacks and
// SuppressedError. Source: ECMAScript proposal "Explicit Resource Management".
import assert from 'node:assert';

const resource = (log, name) => ({ name, [Symbol.dispose]() { log.push(name); } });

// Disposed at the end of the block, in reverse order.
export const order = {
  test() {
    const log = [];
    {
      using a = resource(log, 'a');
      using b = resource(log, 'b');
      log.push('body ' + a.name + b.name);
    }
    assert.deepStrictEqual(log, ['body ab', 'b', 'a']);
  },
};

// Disposed also on a throw and a return.
export const throwAndReturn = {
  test() {
    const log = [];
    const f = (fail) => {
      using r = resource(log, 'r');
      if (fail) throw new RangeError('x');
      return 'value';
    };
    assert.strictEqual(f(false), 'value');
    assert.throws(() => f(true), RangeError);
    assert.deepStrictEqual(log, ['r', 'r']);
  },
};

// null and undefined are fine; other things without a disposer are not.
export const nothing = {
  test() {
    { using a = null; using b = undefined; assert.strictEqual(a, null); assert.strictEqual(b, undefined); }
    assert.throws(() => { using c = {}; }, TypeError);
  },
};

// An error in the body and one in the disposer: a SuppressedError.
export const suppressed = {
  test() {
    const [body, disposal] = [new Error('body'), new Error('disposal')];
    assert.throws(() => {
      using r = { [Symbol.dispose]() { throw disposal; } };
      throw body;
    }, (e) => e instanceof SuppressedError && e.error === disposal && e.suppressed === body);
  },
};

// await using waits for the disposer.
export const awaitUsing = {
  async test() {
    const log = [];
    {
      await using r = { async [Symbol.asyncDispose]() { await null; log.push('disposed'); } };
      log.push('body');
    }
    log.push('after');
    assert.deepStrictEqual(log, ['body', 'disposed', 'after']);
  },
};

// await using falls back on Symbol.dispose.
export const awaitUsingSync = {
  async test() {
    const log = [];
    { await using r = resource(log, 'sync'); }
    assert.deepStrictEqual(log, ['sync']);
  },
};

// using in a for-of loop disposes at each turn.
export const forOf = {
  test() {
    const log = [];
    for (using r of [resource(log, 1), resource(log, 2)]) log.push('body ' + r.name);
    assert.deepStrictEqual(log, ['body 1', 1, 'body 2', 2]);
  },
};

// DisposableStack.
export const stack = {
  test() {
    const log = [];
    {
      using s = new DisposableStack();
      s.use(resource(log, 'used'));
      s.adopt('value', (v) => log.push('adopted ' + v));
      s.defer(() => log.push('deferred'));
    }
    assert.deepStrictEqual(log, ['deferred', 'adopted value', 'used']);
  },
};
