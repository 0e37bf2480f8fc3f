// Rule: what becomes of an error that a method throws: class, message, own
// properties, and `remote` and `durableObjectId` added. Source: workerd
// behaviour (enhanced_error_serialization); Cloudflare docs "Durable Objects: error handling".
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

class MyError extends Error {
  name = 'MyError';
  detail = 5;
}

class Unnamed extends TypeError {}

class NamedTypeError extends TypeError {
  name = 'NamedTypeError';
}

const makers = {
  Error: () => new Error('m'),
  TypeError: () => new TypeError('m'),
  RangeError: () => new RangeError('m'),
  SyntaxError: () => new SyntaxError('m'),
  ReferenceError: () => new ReferenceError('m'),
  EvalError: () => new EvalError('m'),
  URIError: () => new URIError('m'),
  empty: () => new Error(),
  withProps: () => Object.assign(new RangeError('m'), { code: 'E_X', data: { list: [1, new Date(0)] } }),
  withCause: () => new Error('m', { cause: new TypeError('inner') }),
  withFunction: () => Object.assign(new RangeError('m'), { code: 1, f() {} }),
  myError: () => new MyError('m'),
  unnamed: () => new Unnamed('m'),
  namedTypeError: () => new NamedTypeError('m'),
  aggregate: () => new AggregateError([new TypeError('one'), 2], 'm'),
  dom: () => Object.assign(new DOMException('m', 'NotFoundError'), { extra: 1 }),
  object: () => ({ message: 'm', a: 1 }),
  array: () => [1, 2],
  string: () => 'text',
  number: () => 42,
  nullValue: () => null,
  undefinedValue: () => undefined,
  boolean: () => false,
  bigint: () => 7n,
  frozen: () => Object.freeze(new Error('m')),
  retryable: () => Object.assign(new Error('m'), { retryable: true }),
  overloaded: () => Object.assign(new Error('m'), { overloaded: true }),
  bothProps: () => Object.assign(new Error('m'), { overloaded: true, retryable: true }),
  falseProps: () => Object.assign(new Error('m'), { overloaded: false, retryable: 0 }),
  truthyProps: () => Object.assign(new Error('m'), { retryable: 'yes' }),
  fakeRemote: () => Object.assign(new Error('m'), { durableObjectReset: true, durableObjectId: 'fake' }),
};

export class Obj extends DurableObject {
  n = 0;
  sync(kind) {
    this.n++;
    throw makers[kind]();
  }
  async later(kind) {
    await scheduler.wait(1);
    throw makers[kind]();
  }
  distinctiveName() {
    throw new Error('m');
  }
  count() {
    return this.n;
  }
  slow() {
    return scheduler.wait(10).then(() => 'done');
  }
}

const stubOf = (env) => env.Obj.getByName('thrower');
const remote = (stub, more) => ({ ...more, remote: true, durableObjectId: stub.id.toString() });

// Thrown synchronously or after an await: the same.
const both = (kind, Class, message, more = {}) => ({
  async test(ctrl, env) {
    const stub = stubOf(env);
    await fails(() => stub.sync(kind), Class, message, remote(stub, more));
    await fails(() => stub.later(kind), Class, message, remote(stub, more));
  },
});

// The same, where durableObjectId cannot be added.
const bare = (kind, Class, message) => ({
  async test(ctrl, env) {
    const stub = stubOf(env);
    await fails(() => stub.sync(kind), Class, message, { remote: true });
    await fails(() => stub.later(kind), Class, message, { remote: true });
  },
});

// The standard classes keep class and message.
export const plainError = both('Error', Error, 'm');
export const typeError = both('TypeError', TypeError, 'm');
export const rangeError = both('RangeError', RangeError, 'm');
export const syntaxError = both('SyntaxError', SyntaxError, 'm');
export const referenceError = both('ReferenceError', ReferenceError, 'm');
export const evalError = both('EvalError', EvalError, 'm');
export const uriError = both('URIError', URIError, 'm');
export const emptyMessage = both('empty', Error, '');

// Own properties survive.
export const ownProperties = both('withProps', RangeError, 'm',
  { code: 'E_X', data: { list: [1, new Date(0)] } });

// With a function among the own properties all of them are lost.
export const functionProperty = bare('withFunction', RangeError, 'm');

// A class of one's own arrives as a plain Error with its name and properties.
export const customClass = both('myError', Error, 'm', { name: 'MyError', detail: 5 });

// A subclass without a name of its own arrives as its standard parent.
export const unnamedSubclass = both('unnamed', TypeError, 'm');

// A subclass with its own name arrives as a plain Error with that name.
export const namedSubclass = both('namedTypeError', Error, 'm', { name: 'NamedTypeError' });

// The cause survives; it becomes enumerable.
export const cause = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    let error;
    await stub.sync('withCause').catch((e) => { error = e; });
    assert.deepStrictEqual(Object.keys(error).sort(), ['cause', 'durableObjectId', 'remote']);
    assert.strictEqual(error.message, 'm');
    assert.ok(error.cause instanceof TypeError);
    assert.strictEqual(error.cause.message, 'inner');
    assert.deepStrictEqual({ ...error.cause }, {});
  },
};

// An AggregateError keeps its errors; they become enumerable.
export const aggregate = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    let error;
    await stub.sync('aggregate').catch((e) => { error = e; });
    assert.deepStrictEqual(Object.keys(error).sort(), ['durableObjectId', 'errors', 'remote']);
    assert.strictEqual(error.constructor, AggregateError);
    assert.strictEqual(error.message, 'm');
    assert.strictEqual(error.errors.length, 2);
    assert.ok(error.errors[0] instanceof TypeError);
    assert.strictEqual(error.errors[1], 2);
  },
};

// A DOMException keeps name and message, loses own properties, and gets no durableObjectId.
export const domException = {
  async test(ctrl, env) {
    const error = await fails(() => stubOf(env).sync('dom'), DOMException, 'm', { remote: true });
    assert.strictEqual(error.name, 'NotFoundError');
    assert.strictEqual(error.code, 8);
  },
};

// A thrown object arrives as an object.
export const thrownObject = both('object', Object, 'm', { message: 'm', a: 1 });

// A thrown primitive arrives as an Error with its string.
export const thrownString = bare('string', Error, 'text');
export const thrownNumber = bare('number', Error, '42');
export const thrownNull = bare('nullValue', Error, 'null');
export const thrownUndefined = bare('undefinedValue', Error, 'undefined');
export const thrownBoolean = bare('boolean', Error, 'false');
export const thrownBigInt = bare('bigint', Error, '7');

// A frozen error cannot carry durableObjectId.
export const frozenError = bare('frozen', Error, 'm');

// retryable and overloaded travel; overloaded wins over retryable.
export const retryableProperty = both('retryable', Error, 'm', { retryable: true });
export const overloadedProperty = both('overloaded', Error, 'm', { overloaded: true });
export const overloadedAndRetryable = both('bothProps', Error, 'm', { overloaded: true, retryable: true });
export const falseProperties = both('falseProps', Error, 'm', { overloaded: false, retryable: 0 });
export const truthyProperty = both('truthyProps', Error, 'm', { retryable: true });

// durableObjectId cannot be forged.
export const forgedProperties = both('fakeRemote', Error, 'm', { durableObjectReset: true });

// The added properties are ordinary ones.
export const propertyAttributes = {
  async test(ctrl, env) {
    const error = await fails(() => stubOf(env).sync('Error'), Error, 'm', remote(stubOf(env)));
    assert.deepStrictEqual(Object.getOwnPropertyDescriptor(error, 'remote'),
      { value: true, writable: true, enumerable: true, configurable: true });
    assert.strictEqual(Object.getOwnPropertyDescriptor(error, 'durableObjectId').writable, true);
  },
};

// The stack is the caller's, never the object's.
export const stackIsLocal = {
  async test(ctrl, env) {
    const error = await fails(() => stubOf(env).distinctiveName(), Error, 'm', remote(stubOf(env)));
    assert.ok(error.stack.startsWith('Error: m\n'));
    assert.ok(!error.stack.includes('distinctiveName'));
  },
};

// An object that threw is the same instance afterwards.
export const sameInstance = {
  async test(ctrl, env) {
    const stub = env.Obj.get(env.Obj.newUniqueId());
    await fails(() => stub.sync('Error'), Error, 'm', remote(stub));
    await fails(() => stub.sync('Error'), Error, 'm', remote(stub));
    assert.strictEqual(await stub.count(), 2);
  },
};

// A throw does not disturb another call in flight.
export const othersUnaffected = {
  async test(ctrl, env) {
    const stub = env.Obj.getByName('busy');
    const slow = stub.slow();
    await fails(() => stub.sync('Error'), Error, 'm', remote(stub));
    assert.strictEqual(await slow, 'done');
  },
};
