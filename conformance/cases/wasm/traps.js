// Rule: traps are RuntimeErrors, and exceptions of JavaScript pass through
// WebAssembly unchanged. Source: WebAssembly JavaScript Interface; texts are V8's.
import assert from 'node:assert';
import { throws } from './throws.js';
import kinds from './kinds.wasm';
import imports from './imports.wasm';

const e = new WebAssembly.Instance(kinds).exports;

function link(env) {
  return new WebAssembly.Instance(imports, {
    env: {
      f: () => 0n, nop() {}, g: 5,
      mem: new WebAssembly.Memory({ initial: 1, maximum: 5 }),
      tab: new WebAssembly.Table({ element: 'anyfunc', initial: 4 }),
      mg: new WebAssembly.Global({ value: 'i64', mutable: true }, 10n),
      ...env,
    },
  }).exports;
}

// Each trap has its text, and the instance works on afterwards.
export const texts = {
  test() {
    for (const [f, text, ...args] of [
      ['unreachable', 'unreachable'],
      ['oob', 'memory access out of bounds'],
      ['minit', 'memory access out of bounds'],
      ['mfill', 'memory access out of bounds'],
      ['div0', 'divide by zero', 0],
      ['rem0', 'remainder by zero', 0],
      ['divov', 'divide result unrepresentable'],
      ['trunc', 'float unrepresentable in integer range', 1e20],
      ['trunc', 'float unrepresentable in integer range', NaN],
      ['ci', 'null function', 2],
      ['ci', 'function signature mismatch', 0],
      ['tcopy', 'table index is out of bounds'],
      ['tget', 'table index is out of bounds', 77],
    ]) {
      throws(() => e[f](...args), WebAssembly.RuntimeError, text);
      assert.strictEqual(e.add(1, 2), 3);
    }
  },
};

// Endless recursion is a RangeError, which can be caught.
export const recursion = {
  test() {
    throws(() => e.rec(), RangeError, 'Maximum call stack size exceeded');
    assert.strictEqual(e.add(1, 2), 3);
  },
};

// What JavaScript throws comes out as the same value, through any number of frames.
export const exceptions = {
  test() {
    for (const value of [new Error('boom'), 5, undefined, Symbol(), { a: 1 }]) {
      let depth = 0;
      const x = link({ nop() { if (depth++ < 3) x.callnop(); throw value; } });
      let caught;
      try {
        x.callnop();
        caught = 'nothing';
      } catch (thrown) {
        caught = thrown;
      }
      assert.strictEqual(caught, value);
      assert.strictEqual(depth, 4);
    }
  },
};

// JavaScript between two WebAssembly frames can catch, and finally blocks run.
export const catchBetween = {
  test() {
    const log = [];
    const x = link({
      nop() {
        log.push('in');
        if (log.length > 2) throw new Error('inner');
        try {
          x.callnop();
        } catch (thrown) {
          log.push(thrown.message);
        } finally {
          log.push('finally');
        }
      },
    });
    x.callnop();
    assert.deepStrictEqual(log, ['in', 'in', 'in', 'inner', 'finally', 'finally']);
  },
};

// A trap in an imported function of another instance comes through.
export const trapOfOther = {
  test() {
    throws(() => link({ nop: e.unreachable }).callnop(), WebAssembly.RuntimeError, 'unreachable');
  },
};

// Calls may nest deeply.
export const nesting = {
  test() {
    let n = 0;
    const x = link({ nop() { if (++n < 200) x.callnop(); } });
    x.callnop();
    assert.strictEqual(n, 200);
  },
};
