// Asserts that f throws (or an async f rejects) with exactly this class and message.
import assert from 'node:assert';

function check(e, constructor, message) {
  assert.strictEqual(e.constructor, constructor);
  assert.strictEqual(e.message, message);
}

export function throws(f, constructor, message) {
  let e;
  try {
    f();
  } catch (thrown) {
    e = thrown;
  }
  assert.ok(e !== undefined, `nothing thrown, expected: ${message}`);
  check(e, constructor, message);
}

export async function rejects(promise, constructor, message) {
  let e;
  try {
    await promise;
  } catch (thrown) {
    e = thrown;
  }
  assert.ok(e !== undefined, `not rejected, expected: ${message}`);
  check(e, constructor, message);
}
