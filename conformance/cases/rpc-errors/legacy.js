// Rule: errors with the flag legacy_error_serialization: class and message only,
// and no durableObjectId. Source: Cloudflare docs "Compatibility flags"; workerd behaviour.
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
  overloaded: () => Object.assign(new Error('m'), { overloaded: true }),
};

export class Obj extends DurableObject {
  fail(kind) {
    throw makers[kind]();
  }
  abort() {
    this.ctx.abort('gone');
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
