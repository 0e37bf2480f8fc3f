// Rule: built-ins that engines differ in or that are newer. Source: ECMAScript spec.
import assert from 'node:assert';

// structuredClone keeps types and cycles.
export const clone = {
  test() {
    const value = { map: new Map([[1, new Set([2])]]), date: new Date(5), big: 1n, list: [1, , 3], re: /x/g };
    value.self = value;
    const out = structuredClone(value);
    assert.notStrictEqual(out, value);
    assert.strictEqual(out.self, out);
    assert.deepStrictEqual(out.map, value.map);
    assert.deepStrictEqual([out.date, out.big, out.list, out.re], [value.date, 1n, value.list, value.re]);
  },
};

// structuredClone with transfer detaches.
export const transfer = {
  test() {
    const buffer = new Uint8Array([1, 2]).buffer;
    const out = structuredClone(buffer, { transfer: [buffer] });
    assert.deepStrictEqual([buffer.byteLength, out.byteLength], [0, 2]);
  },
};

// Iterator helpers.
export const iteratorHelpers = {
  test() {
    assert.deepStrictEqual([1, 2, 3, 4].values().filter((x) => x % 2).map((x) => x * 10).toArray(), [10, 30]);
    assert.deepStrictEqual(Iterator.from([1, 2, 3]).drop(1).take(1).toArray(), [2]);
    assert.strictEqual([1, 2, 3].values().reduce((a, b) => a + b), 6);
  },
};

// Object.groupBy and Map.groupBy.
export const groupBy = {
  test() {
    const out = Object.groupBy([1, 2, 3], (x) => (x % 2 ? 'odd' : 'even'));
    assert.deepStrictEqual([out.odd, out.even, Object.getPrototypeOf(out)], [[1, 3], [2], null]);
    assert.deepStrictEqual([...Map.groupBy([1, 2, 3], (x) => x % 2)], [[1, [1, 3]], [0, [2]]]);
  },
};

// Set methods.
export const setMethods = {
  test() {
    const [a, b] = [new Set([1, 2, 3]), new Set([3, 4])];
    assert.deepStrictEqual([...a.union(b)], [1, 2, 3, 4]);
    assert.deepStrictEqual([...a.intersection(b)], [3]);
    assert.deepStrictEqual([...a.difference(b)], [1, 2]);
    assert.deepStrictEqual([...a.symmetricDifference(b)], [1, 2, 4]);
  },
};

// Array copies: toSorted, toSpliced, with, at, findLast.
export const arrayCopies = {
  test() {
    const list = [3, 1, 2];
    assert.deepStrictEqual([list.toSorted(), list.toReversed(), list.with(0, 9), list.toSpliced(0, 1)],
      [[1, 2, 3], [2, 1, 3], [9, 1, 2], [1, 2]]);
    assert.deepStrictEqual([list, list.at(-1), list.findLast((x) => x > 1)], [[3, 1, 2], 2, 2]);
  },
};

// Unicode property escapes, named groups, lookbehind, the d and v flags.
export const regexps = {
  test() {
    assert.strictEqual(/^\p{Lu}\p{Ll}+$/u.test('\u00c9tude'), true);
    assert.deepStrictEqual({ ...'2026-11'.match(/(?<y>\d+)-(?<m>\d+)/).groups }, { y: '2026', m: '11' });
    assert.strictEqual('a1b2'.replace(/(?<=b)\d/, 'x'), 'a1bx');
    assert.deepStrictEqual(/b(c)/d.exec('abc').indices, Object.assign([[1, 3], [2, 3]], { groups: undefined }));
    assert.strictEqual(/^[\p{L}--[a-z]]$/v.test('a'), false);
  },
};

// Captures of a repeated group are reset at each turn.
export const regexpReset = {
  test() {
    assert.strictEqual(/(?:(a)|b)*/.exec('ab')[1], undefined);
  },
};

// Well-formed strings.
export const wellFormed = {
  test() {
    assert.strictEqual('a\ud800'.isWellFormed(), false);
    assert.strictEqual('a\ud800'.toWellFormed(), 'a\ufffd');
    assert.strictEqual('\ud800'.toUpperCase(), '\ud800');
  },
};

// JSON of odd strings and numbers.
export const json = {
  test() {
    assert.strictEqual(JSON.stringify('\ud800'), '"\\ud800"');
    assert.strictEqual(JSON.parse('"\\ud800"'), '\ud800');
    assert.strictEqual(JSON.parse('1e400'), Infinity);
    assert.strictEqual(Object.is(JSON.parse('-0'), -0), true);
  },
};

// ToInt32 of large numbers.
export const toInt32 = {
  test() {
    assert.deepStrictEqual([1e20 | 0, 2 ** 63 | 0, -(2 ** 32) - 1 | 0], [1661992960, 0, -1]);
  },
};

// arguments in an arrow belongs to the function around it.
export const argumentsInArrow = {
  test() {
    function f() { return (() => arguments[0])(); }
    assert.strictEqual(f(5), 5);
  },
};

// A comparator that shrinks the array while it is sorted.
export const sortShrinks = {
  test() {
    const list = [3, 2, 1, 0];
    list.sort((a, b) => { list.length = 0; return a - b; });
    assert.deepStrictEqual(list, [0, 1, 2, 3]);
  },
};

// instanceof a Proxy of a class; spread of a Proxy keeps keys without a value.
export const proxies = {
  test() {
    class C {}
    assert.ok(new C() instanceof new Proxy(C, {}));
    assert.deepStrictEqual({ ...new Proxy({ a: undefined, b: 1 }, {}) }, { a: undefined, b: 1 });
  },
};

// WeakRef holds while the target is reachable; FinalizationRegistry takes registrations.
export const weakRefs = {
  test() {
    const target = {};
    assert.strictEqual(new WeakRef(target).deref(), target);
    const registry = new FinalizationRegistry(() => {});
    assert.strictEqual(registry.register(target, 1, target), undefined);
    assert.strictEqual(registry.unregister(target), true);
  },
};

// Error stacks: header line, then "at" lines; the constructor's frames can be cut.
export const stacks = {
  test() {
    function here() { return new TypeError('m').stack; }
    const lines = here().split('\n');
    assert.strictEqual(lines[0], 'TypeError: m');
    assert.match(lines[1], /^    at here \(/);
    const target = {};
    Error.captureStackTrace(target);
    assert.strictEqual(typeof target.stack, 'string');
  },
};

// Messages of common errors.
export const messages = {
  test() {
    assert.throws(() => null.foo, { message: "Cannot read properties of null (reading 'foo')" });
    assert.throws(() => undefined.foo(), { message: "Cannot read properties of undefined (reading 'foo')" });
    assert.throws(() => missingName, { message: 'missingName is not defined' });
    assert.throws(() => ({}).foo(), { message: '{}.foo is not a function' });
    assert.throws(() => JSON.parse('{'), { name: 'SyntaxError' });
  },
};

// toISOString of far years.
export const farYears = {
  test() {
    assert.strictEqual(new Date(Date.UTC(12026, 0)).toISOString(), '+012026-01-01T00:00:00.000Z');
    assert.strictEqual(new Date(-1e14).toISOString(), '-001199-02-15T14:13:20.000Z');
  },
};

// toLocaleString of numbers in English.
export const localeNumbers = {
  test() {
    assert.strictEqual((1234567.5).toLocaleString('en-US'), '1,234,567.5');
  },
};

// ArrayBuffer: resizing and transfer.
export const buffers = {
  test() {
    const buffer = new ArrayBuffer(2, { maxByteLength: 8 });
    buffer.resize(4);
    assert.deepStrictEqual([buffer.byteLength, buffer.resizable], [4, true]);
    const moved = buffer.transfer();
    assert.deepStrictEqual([buffer.detached, moved.byteLength], [true, 4]);
  },
};

// Uint8Array in base64 and hex.
export const base64 = {
  test() {
    assert.strictEqual(new Uint8Array([1, 255]).toHex(), '01ff');
    assert.deepStrictEqual([...Uint8Array.fromBase64('AQI=')], [1, 2]);
  },
};

// The name of the time zone that Workers run in.
export const dateText = {
  test() {
    assert.match(String(new Date(0)), / GMT[+-]\d{4} \([A-Z][a-z]+ [A-Za-z ]+\)$/);
    assert.match(new Date(0).toTimeString(), / GMT[+-]\d{4} \([A-Z][a-z]+ [A-Za-z ]+\)$/);
  },
};
