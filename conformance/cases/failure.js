// Shared by the cases: assertions on a failure that leave nothing about it open.
import assert from 'node:assert';

// What every DOMException has as own enumerable properties here.
const domProperties = ['code', 'name', 'message', 'stack'];

function check(error, Class, message, props) {
  assert.strictEqual(error?.constructor, Class, `wrong class: ${error?.constructor?.name}: ${error}`);
  if (message instanceof RegExp) assert.match(error.message, message);
  else assert.strictEqual(error.message, message);
  const own = { ...error };
  if (Class === DOMException) for (const key of domProperties) delete own[key];
  assert.deepStrictEqual(own, props);
  return error;
}

// fails asserts that action() throws or rejects with an error of exactly this
// class, this message and these own enumerable properties. Returns the error.
export async function fails(action, Class, message, props = {}) {
  let error;
  try {
    await action();
  } catch (e) {
    error = e;
    return check(error, Class, message, props);
  }
  assert.fail('expected a failure: ' + message);
}

// throws is the same for an error that is thrown synchronously.
export function throws(action, Class, message, props = {}) {
  let error;
  try {
    action();
  } catch (e) {
    error = e;
    return check(error, Class, message, props);
  }
  assert.fail('expected a synchronous throw: ' + message);
}

// failsToClone is fails for a DataCloneError.
export async function failsToClone(action, message, props = {}) {
  const error = await fails(action, DOMException, message, props);
  assert.strictEqual(error.name, 'DataCloneError');
  assert.strictEqual(error.code, 25);
  return error;
}
