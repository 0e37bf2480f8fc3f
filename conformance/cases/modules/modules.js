// Rule: modules of a Worker: kinds, imports, evaluation order and what they
// export. Source: ECMAScript spec, modules; Cloudflare docs "Workers: bundling, module types"; workerd behaviour.
import assert from 'node:assert';
import * as self from './modules.js';
import * as lib from './lib/counter.js';
import { count, increment } from './lib/counter.js';
import defaultExport, { 'odd name' as odd, Named as Renamed } from './lib/forms.js';
import * as forms from './lib/forms.js';
import text from './data/text.txt';
import json from './data/value.json';
import data from './data/bytes.bin';
import commonJs from './lib/common.cjs';
import { slow, order } from './lib/slow.js';
import { evenFromCycle } from './lib/cycle-a.js';
import * as workers from 'cloudflare:workers';
import * as durableObjects from 'cloudflare:durable-objects';
import { fails } from 'failure.js';

const early = await Promise.resolve('top-level await');

// A text module exports its text as default.
export const textModule = {
  test() {
    assert.strictEqual(text, 'text \u00e9\n');
  },
};

// A JSON module exports its value as default.
export const jsonModule = {
  test() {
    assert.deepStrictEqual(json, { a: [1, null, '\u00e9'] });
  },
};

// A data module exports an ArrayBuffer as default.
export const dataModule = {
  test() {
    assert.ok(data instanceof ArrayBuffer);
    assert.deepStrictEqual([...new Uint8Array(data)], [0x61, 0x62, 0x63]);
  },
};

// A CommonJS module: module.exports is the default export; require works in it.
export const commonJsModule = {
  test() {
    assert.deepStrictEqual(commonJs, { name: 'common', answer: 42 });
  },
};

// Top-level await in the main module has ended before the first test.
export const topLevelAwait = {
  test() {
    assert.strictEqual(early, 'top-level await');
  },
};

// Top-level await in an import has ended before the importer runs.
export const topLevelAwaitImport = {
  test() {
    assert.strictEqual(slow, 'after await');
    assert.deepStrictEqual(order, ['slow starts', 'slow ends']);
  },
};

// Bindings are live.
export const liveBindings = {
  test() {
    const before = count;
    increment();
    assert.strictEqual(count, before + 1);
    assert.strictEqual(lib.count, before + 1);
  },
};

// Default, renamed and string-named exports.
export const exportForms = {
  test() {
    assert.strictEqual(defaultExport(), 'default');
    assert.strictEqual(new Renamed().hello(), 'named');
    assert.strictEqual(odd, 1);
  },
};

// A namespace object: sorted keys, tag, null prototype, sealed.
export const namespaceObject = {
  test() {
    assert.deepStrictEqual(Object.keys(forms), ['Named', 'default', 'odd name', 'reexported']);
    assert.strictEqual(Object.prototype.toString.call(forms), '[object Module]');
    assert.strictEqual(Object.getPrototypeOf(forms), null);
    assert.ok(!Object.isExtensible(forms));
  },
};

// Writing to a namespace object fails.
export const namespaceIsReadOnly = {
  test() {
    const namespace = forms;
    assert.throws(() => { namespace.Named = 1; }, TypeError);
    assert.throws(() => { namespace.added = 1; }, TypeError);
  },
};

// A module that imports itself sees its own exports.
export const selfImport = {
  test() {
    assert.strictEqual(self.selfImport, selfImport);
  },
};

// Hoisted functions work across a cycle of imports.
export const cycle = {
  test() {
    assert.strictEqual(evenFromCycle(10), true);
    assert.strictEqual(evenFromCycle(7), false);
  },
};

// import() gives the same namespace object as import.
export const dynamicImport = {
  async test() {
    assert.strictEqual(await import('./lib/counter.js'), lib);
  },
};

// import() with a computed name.
export const dynamicComputed = {
  async test() {
    const name = ['./lib/', 'counter', '.js'].join('');
    assert.strictEqual((await import(name)).count, count);
  },
};

// import() of a module that nobody has imported evaluates it once.
export const dynamicOnce = {
  async test() {
    const [a, b] = await Promise.all([import('./lib/lazy.js'), import('./lib/lazy.js')]);
    assert.strictEqual(a, b);
    assert.strictEqual(globalThis.lazyEvaluations, 1);
  },
};

// import() of a missing module rejects.
export const dynamicMissing = {
  async test() {
    await fails(() => import('./lib/none.js'), Error, 'No such module "lib/none.js".');
  },
};

// import() of a module that throws rejects with its error, the same each time.
export const dynamicThrowing = {
  async test() {
    const first = await fails(() => import('./lib/throws.js'), RangeError, 'while evaluating', { code: 9 });
    const second = await fails(() => import('./lib/throws.js'), RangeError, 'while evaluating', { code: 9 });
    assert.strictEqual(first, second);
  },
};

// import() of a text and a JSON module.
export const dynamicText = {
  async test() {
    assert.strictEqual((await import('./data/text.txt')).default, text);
    assert.strictEqual((await import('./data/value.json')).default, json);
  },
};

// `this` is undefined at the top level, and modules are strict.
export const strict = {
  test() {
    assert.strictEqual(lib.topLevelThis, undefined);
    assert.throws(() => { undeclaredName = 1; }, ReferenceError);
  },
};

// eval and the Function constructor are refused.
export const noEval = {
  async test() {
    await fails(() => eval('1'), EvalError, 'Code generation from strings disallowed for this context');
    await fails(() => new Function('return 1'), EvalError, 'Code generation from strings disallowed for this context');
  },
};

// Exports of cloudflare:workers.
export const workersExports = {
  test() {
    assert.deepStrictEqual(Object.keys(workers), ['DurableObject', 'RpcPromise', 'RpcProperty', 'RpcStub',
      'RpcTarget', 'ServiceStub', 'WorkerEntrypoint', 'WorkflowEntrypoint', 'abortIsolate', 'cache', 'env', 'exports',
      'restore', 'tracing', 'waitUntil', 'withEnv', 'withEnvAndExports', 'withExports']);
  },
};

// Exports of cloudflare:durable-objects.
export const durableObjectsExports = {
  test() {
    assert.deepStrictEqual(Object.keys(durableObjects), ['onHibernate', 'retryable']);
    assert.strictEqual(durableObjects.onHibernate, undefined);
    assert.strictEqual(typeof durableObjects.retryable, 'function');
  },
};

// env of cloudflare:workers is the env of the handlers' bindings.
export const importedEnv = {
  test(ctrl, env) {
    assert.strictEqual(workers.env.TEXT, 'bound text');
    assert.strictEqual(env.TEXT, 'bound text');
  },
};
