import assert from 'node:assert';

export default {
  test() {
    assert.strictEqual(1, 1);
  },
};

export const fails = {
  test() {
    assert.strictEqual(1, 2, 'one is not two');
  },
};

// Reaches none of its assertions.
export const inert = {
  test() {
    if (false) assert.fail();
  },
};

export const rejects = {
  async test() {
    await assert.rejects(Promise.reject(new TypeError('m')), TypeError);
  },
};

export const swallows = {
  test() {
    try {
      assert.ok(true);
    } catch {
      // An assertion whose failure goes nowhere is no assertion.
    }
  },
};
