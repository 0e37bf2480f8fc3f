// Rule: errors with the flag legacy_error_serialization: class and message only,
// and no durableObjectId. Source: Cloudflare docs "Compatibility flags"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

class MyError extends Error {
  name = 'MyError';
  detail = 5;
}

const makers = {
  typeError: () => new TypeError('m'),
  withProps: () => Object.assign(new RangeError('m'), { code: 1 }),
  myError: () => new MyError('custom'),
  object: () => ({ message: 'm', a: 1 }),
  string: () => 'text',
  retryable: () => Object.assign(new Error('m'), { retryable: true }),
  number: () => 42,
  nothing: () => undefined,
  withFunction: () => Object.assign(new RangeError('m'), { code: 1, f() {} }),
  aggregate: () => new AggregateError([new TypeError('one')], 'm'),
  dom: () => Object.assign(new DOMException('m', 'NotFoundError'), { extra: 1 }),
  withCause: () => new Error('m', { cause: 5 }),
  overloaded: () => Object.assign(new Error('m'), { overloaded: true }),
};

export class Obj extends DurableObject {
  fail(kind) {
    throw makers[kind]();
  }
  abort() {
    this.ctx.abort('gone');
  }
  async callsOneThatAborts(name) {
    await this.env.Obj.getByName(name).abort();
  }
}

const remote = { remote: true };
const gives = (kind, Class, message, props = remote) => ({
  async test(ctrl, env) {
    await fails(() => env.Obj.getByName('x').fail(kind), Class, message, props);
  },
});

// The standard classes survive.
export const standardClass = gives('typeError', TypeError, 'm');

// Own properties do not.
export const ownProperties = gives('withProps', RangeError, 'm');

// A class of one's own goes into the message.
export const customClass = gives('myError', Error, 'MyError: custom');

// A thrown object becomes a useless string.
export const thrownObject = gives('object', Error, '#<Object>');

// A thrown string.
export const thrownString = gives('string', Error, 'text');

// Other values.
export const thrownNumber = gives('number', Error, '42');
export const thrownUndefined = gives('nothing', Error, 'undefined');

// A function among the properties makes no difference, nor does a cause.
export const functionProperty = gives('withFunction', RangeError, 'm');
export const cause = gives('withCause', Error, 'm');

// An AggregateError keeps its class, and loses its errors.
export const aggregate = gives('aggregate', AggregateError, 'm');

// A DOMException stays one.
export const domException = {
  async test(ctrl, env) {
    const error = await fails(() => env.Obj.getByName('x').fail('dom'), DOMException, 'm', remote);
    assert.strictEqual(error.name, 'NotFoundError');
  },
};

// The stack is the caller's own.
export const stack = {
  async test(ctrl, env) {
    const error = await fails(() => env.Obj.getByName('x').fail('typeError'), TypeError, 'm', remote);
    assert.ok(error.stack.includes('test'), error.stack);
    assert.ok(!error.stack.includes('makers'), error.stack);
  },
};

// retryable and overloaded travel all the same.
export const retryable = gives('retryable', Error, 'm', { remote: true, retryable: true });
export const overloaded = gives('overloaded', Error, 'm', { remote: true, overloaded: true });

// A missing method.
export const missingMethod = {
  async test(ctrl, env) {
    await fails(() => env.Obj.getByName('x').none(), TypeError, 'The RPC receiver does not implement the method "none".', remote);
  },
};

// An abort.
export const abort = {
  async test(ctrl, env) {
    await fails(() => env.Obj.getByName('abort').abort(), Error, 'gone', { durableObjectReset: true });
  },
};

// An object that calls one that is reset passes the error on without the reset's
// flag, and is not reset itself.
export const abortedCallee = {
  async test(ctrl, env) {
    const outer = env.Obj.getByName('outer');
    await fails(() => outer.callsOneThatAborts('inner'), Error, 'gone', remote);
    await fails(() => outer.fail('typeError'), TypeError, 'm', remote);
  },
};
