// Rule: the text of an error's stack: a header, then a line for each call with its place. Source: https://v8.dev/docs/stack-trace-api
import assert from 'node:assert';

const thrown = (f) => {
  try {
    f();
  } catch (e) {
    return e.stack;
  }
  return assert.fail();
};
const line = /^ {4}at (?:async )?(?:[\w.$ ]+ \(stacks\.js:\d+:\d+\)|stacks\.js:\d+:\d+|[\w.]+ \(<anonymous>\))$/;
function wellFormed(stack, name) {
  const lines = stack.split('\n');
  assert.ok(lines[0].startsWith(name + ': '), lines[0]);
  assert.ok(lines.length > 1, stack);
  for (const l of lines.slice(1)) assert.match(l, line);
}

// Errors that the program makes.
export const made = {
  test() { wellFormed(thrown(() => { throw new RangeError('x'); }), 'RangeError'); },
};

// Errors that the engine makes.
export const engines = {
  test() {
    wellFormed(thrown(() => null.x), 'TypeError');
    wellFormed(thrown(() => undefinedName), 'ReferenceError');
    wellFormed(thrown(() => JSON.parse('{')), 'SyntaxError');
    wellFormed(thrown(() => [1].map(() => null.x)), 'TypeError');
  },
};

export const functionNames = {
  test() {
    const stack = thrown(function outer() { (function inner() { null.x; })(); }).split('\n');
    assert.match(stack[1], /^ {4}at inner \(stacks\.js:\d+:\d+\)$/);
    assert.match(stack[2], /^ {4}at outer \(stacks\.js:\d+:\d+\)$/);
  },
};

export const afterAwait = {
  async test() {
    try {
      await (async () => {
        await null;
        null.x;
      })();
      assert.fail();
    } catch (e) {
      wellFormed(e.stack, 'TypeError');
    }
  },
};

// A reaction to a rejection is no catch clause.
export const reactions = {
  async test() {
    wellFormed(await Promise.resolve().then(() => null.x).catch((e) => e.stack), 'TypeError');
  },
};

export const captured = {
  test() {
    const o = {};
    Error.captureStackTrace(o);
    assert.match(o.stack.split('\n')[1], line);
  },
};

export const prepared = {
  test() {
    const before = Error.prepareStackTrace;
    Error.prepareStackTrace = (e, calls) => e.message + ' ' + Array.isArray(calls);
    const text = thrown(() => { throw new Error('m'); });
    Error.prepareStackTrace = before;
    assert.strictEqual(text, 'm true');
  },
};

// An error that the engine throws has the same stack when only a handler of a promise sees it.
export const engineErrorsOfPromises = {
  async test() {
    const stacks = [];
    await (async () => { undefined.x; })().catch((e) => stacks.push(e.stack));
    await new Promise(() => { null.x; }).then(undefined, (e) => stacks.push(e.stack));
    await Promise.any([(async () => { null.x; })()]).catch((e) => stacks.push(e.errors[0].stack));
    assert.deepStrictEqual(stacks.map((s) => /^TypeError: .*\n    at .*:\d+:\d+(\n    at .*)*$/.test(s)), [true, true, true]);
  },
};
