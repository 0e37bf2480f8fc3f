// Rule: which retry options get() and getByName() accept, and how they refuse
// others. Source: Cloudflare docs "Durable Object Stub" (retry options); workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { throws } from 'failure.js';

export class Obj extends DurableObject {
  hello() {
    return 'hello';
  }
  fetch() {
    return new Response('fetched');
  }
}

// Both ways to a stub, each a function of the options.
const ways = (env) => [
  (options) => env.Obj.get(env.Obj.idFromName('x'), options),
  (options) => env.Obj.getByName('x', options),
];

async function accepted(env, options) {
  for (const way of ways(env)) {
    const stub = way(options);
    assert.strictEqual(await stub.hello(), 'hello');
    assert.strictEqual(await (await stub.fetch('http://x/')).text(), 'fetched');
  }
}

function refused(env, options, Class, message) {
  for (const way of ways(env)) throws(() => way(options), Class, message);
}

const accept = (options) => ({ test: (ctrl, env) => accepted(env, options) });
const refuse = (retry, Class, message) => ({ test: (ctrl, env) => refused(env, { retry }, Class, message) });

const notOptions = "Incorrect type for the 'retry' field on 'GetDurableObjectOptions': the provided value is not of type 'RetryOptions'.";
const notNumber = (field) => `Incorrect type for the '${field}' field on 'RetryOptions': the provided value is not of type 'number'.`;
const badRetries = 'retry.maxRetries must be an integer between 0 and 10';
const badTimeout = 'retry.timeoutMs must be an integer between 500 and 60000';

// No options at all.
export const acceptNothing = accept(undefined);
export const acceptEmpty = accept({});

// retry undefined, null or empty means the defaults.
export const acceptUndefined = accept({ retry: undefined });
export const acceptNull = accept({ retry: null });
export const acceptEmptyRetry = accept({ retry: {} });

// A field that is undefined means its default.
export const acceptUndefinedFields = accept({ retry: { maxRetries: undefined, timeoutMs: undefined } });

// Either field may stand alone.
export const acceptRetriesAlone = accept({ retry: { maxRetries: 3 } });
export const acceptTimeoutAlone = accept({ retry: { timeoutMs: 700 } });

// The bounds are inclusive.
export const acceptLowest = accept({ retry: { maxRetries: 0, timeoutMs: 500 } });
export const acceptHighest = accept({ retry: { maxRetries: 10, timeoutMs: 60000 } });

// Minus zero is zero.
export const acceptMinusZero = accept({ retry: { maxRetries: -0 } });

// Unknown fields are ignored.
export const acceptUnknownField = accept({ retry: { maxRetries: 1, other: 'x' } });

// retry must be an object.
export const retryNumber = refuse(5, TypeError, notOptions);
export const retryString = refuse('x', TypeError, notOptions);
export const retryBoolean = refuse(true, TypeError, notOptions);

// maxRetries must be a number: nothing is coerced.
export const retriesString = refuse({ maxRetries: '3' }, TypeError, notNumber('maxRetries'));
export const retriesNull = refuse({ maxRetries: null }, TypeError, notNumber('maxRetries'));
export const retriesBoolean = refuse({ maxRetries: true }, TypeError, notNumber('maxRetries'));
export const retriesBigInt = refuse({ maxRetries: 3n }, TypeError, notNumber('maxRetries'));
export const retriesObject = refuse({ maxRetries: {} }, TypeError, notNumber('maxRetries'));
export const retriesBoxed = refuse({ maxRetries: new Number(3) }, TypeError, notNumber('maxRetries'));

// maxRetries must be an integer from 0 to 10.
export const retriesNaN = refuse({ maxRetries: NaN }, RangeError, badRetries);
export const retriesInfinity = refuse({ maxRetries: Infinity }, RangeError, badRetries);
export const retriesFraction = refuse({ maxRetries: 1.5 }, RangeError, badRetries);
export const retriesNegative = refuse({ maxRetries: -1 }, RangeError, badRetries);
export const retriesEleven = refuse({ maxRetries: 11 }, RangeError, badRetries);

// timeoutMs must be a number: nothing is coerced.
export const timeoutString = refuse({ timeoutMs: '1000' }, TypeError, notNumber('timeoutMs'));
export const timeoutNull = refuse({ timeoutMs: null }, TypeError, notNumber('timeoutMs'));
export const timeoutBoolean = refuse({ timeoutMs: false }, TypeError, notNumber('timeoutMs'));
export const timeoutBigInt = refuse({ timeoutMs: 1000n }, TypeError, notNumber('timeoutMs'));
export const timeoutObject = refuse({ timeoutMs: [1000] }, TypeError, notNumber('timeoutMs'));
export const timeoutBoxed = refuse({ timeoutMs: new Number(1000) }, TypeError, notNumber('timeoutMs'));

// timeoutMs must be an integer from 500 to 60000.
export const timeoutNaN = refuse({ timeoutMs: NaN }, RangeError, badTimeout);
export const timeoutInfinity = refuse({ timeoutMs: Infinity }, RangeError, badTimeout);
export const timeoutFraction = refuse({ timeoutMs: 500.5 }, RangeError, badTimeout);
export const timeoutLow = refuse({ timeoutMs: 499 }, RangeError, badTimeout);
export const timeoutHigh = refuse({ timeoutMs: 60001 }, RangeError, badTimeout);
export const timeoutNegative = refuse({ timeoutMs: -1 }, RangeError, badTimeout);

// One field wrong by type and the other by range: the TypeError wins.
export const typeBeforeRange1 = refuse({ maxRetries: 99, timeoutMs: 'x' }, TypeError, notNumber('timeoutMs'));
export const typeBeforeRange2 = refuse({ maxRetries: 'x', timeoutMs: 1 }, TypeError, notNumber('maxRetries'));

// Both wrong by range: maxRetries is named.
export const bothRanges = refuse({ maxRetries: 99, timeoutMs: 1 }, RangeError, badRetries);

// Both wrong by type: maxRetries is named.
export const bothTypes = refuse({ maxRetries: 'x', timeoutMs: 'x' }, TypeError, notNumber('maxRetries'));

// Getters are read, once each.
export const getters = {
  test(ctrl, env) {
    const read = [];
    env.Obj.getByName('x', {
      get retry() {
        read.push('retry');
        return {
          get timeoutMs() { read.push('timeoutMs'); return 500; },
          get maxRetries() { read.push('maxRetries'); return 1; },
        };
      },
    });
    assert.deepStrictEqual(read, ['retry', 'maxRetries', 'timeoutMs']);
  },
};

// What a getter throws passes through.
export const throwingGetter = {
  test(ctrl, env) {
    const error = new Error('mine');
    assert.throws(() => env.Obj.getByName('x', { get retry() { throw error; } }), error);
  },
};
