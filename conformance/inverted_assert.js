// node:assert with every assertion inverted: what holds throws, what does not
// hold passes. A case that passes with it has asserted nothing. fail() stays as
// it is, because reaching it means that the case has failed anyway.
import real, * as names from 'node:assert';

const { AssertionError } = names;

function inverted(name) {
  return new AssertionError({ message: `inverted: assert.${name} held`, operator: name });
}

function invert(name, check) {
  return function (...args) {
    let result;
    try {
      result = check(...args);
    } catch {
      return undefined;
    }
    if (typeof result?.then !== 'function') throw inverted(name);
    return result.then(() => { throw inverted(name); }, () => undefined);
  };
}

const assert = invert('ok', real);
for (const [name, value] of Object.entries(real)) {
  const isAssertion = typeof value === 'function' && /^[a-z]/.test(name) && name !== 'fail' && name !== 'strict';
  assert[name] = isAssertion ? invert(name, value) : value;
}
assert.strict = assert;
assert.default = assert;

export default assert;
export const {
  fail, ok, equal, notEqual, deepEqual, notDeepEqual, strictEqual, notStrictEqual,
  deepStrictEqual, notDeepStrictEqual, partialDeepStrictEqual, match, doesNotMatch,
  throws, doesNotThrow, rejects, doesNotReject, ifError, strict,
} = assert;
export { AssertionError };
export const Assert = names.Assert;
