// Rule: the WebAssembly namespace, modules and instances; code that did not come
// with the worker is refused. Source: WebAssembly JavaScript Interface; error
// texts and the refusal are workerd's (V8's).
import assert from 'node:assert';
import { throws, rejects } from './throws.js';
import kinds from './kinds.wasm';
import imports from './imports.wasm';
import extra from './extra.wasm';
import bytes from './kinds.bin';

const disallowed = 'Wasm code generation disallowed by embedder';

// An import of a .wasm module is a WebAssembly.Module.
export const importIsModule = {
  test() {
    assert.ok(kinds instanceof WebAssembly.Module);
    assert.strictEqual(Object.prototype.toString.call(kinds), '[object WebAssembly.Module]');
    assert.deepStrictEqual(Reflect.ownKeys(kinds), []);
  },
};

// Compiling bytes is refused everywhere, before they are looked at.
export const compileRefused = {
  async test() {
    throws(() => new WebAssembly.Module(bytes), WebAssembly.CompileError, `WebAssembly.Module(): ${disallowed}`);
    throws(() => new WebAssembly.Module({}), WebAssembly.CompileError, `WebAssembly.Module(): ${disallowed}`);
    await rejects(WebAssembly.compile(bytes), WebAssembly.CompileError, `WebAssembly.compile(): ${disallowed}`);
    await rejects(WebAssembly.instantiate(bytes), WebAssembly.CompileError, `WebAssembly.instantiate(): ${disallowed}`);
    await rejects(WebAssembly.instantiate({}), TypeError, 'WebAssembly.instantiate(): Argument 0 must be a buffer source');
    assert.strictEqual(WebAssembly.compileStreaming, undefined);
    assert.strictEqual(WebAssembly.instantiateStreaming, undefined);
  },
};

// Validating bytes is allowed.
export const validate = {
  test() {
    assert.strictEqual(WebAssembly.validate(bytes), true);
    assert.strictEqual(WebAssembly.validate(new Uint8Array(bytes)), true);
    assert.strictEqual(WebAssembly.validate(new Uint8Array([0, 0x61, 0x73])), false);
    throws(() => WebAssembly.validate({}), TypeError, 'WebAssembly.validate(): Argument 0 must be a buffer source');
  },
};

// The namespace and the properties of its members.
export const namespace = {
  test() {
    assert.strictEqual(Object.prototype.toString.call(WebAssembly), '[object WebAssembly]');
    for (const name of ['Module', 'Instance', 'Memory', 'Table', 'Global', 'CompileError', 'LinkError', 'RuntimeError']) {
      const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(WebAssembly, name);
      assert.deepStrictEqual([writable, enumerable, configurable], [true, false, true], name);
      assert.strictEqual(WebAssembly[name].name, name);
      assert.strictEqual(WebAssembly[name].length, 1);
    }
    for (const name of ['compile', 'validate', 'instantiate']) {
      assert.ok(Object.getOwnPropertyDescriptor(WebAssembly, name).enumerable, name);
    }
  },
};

// Constructors need new.
export const needNew = {
  test() {
    throws(() => WebAssembly.Memory({ initial: 1 }), TypeError, "WebAssembly.Memory(): WebAssembly.Memory must be invoked with 'new'");
    throws(() => WebAssembly.Instance(kinds), TypeError, "WebAssembly.Instance must be invoked with 'new'");
  },
};

// The three error classes are subclasses of Error that can be called without new.
export const errors = {
  test() {
    for (const name of ['CompileError', 'LinkError', 'RuntimeError']) {
      const e = new WebAssembly[name]('text', { cause: 1 });
      assert.ok(e instanceof Error && e instanceof WebAssembly[name]);
      assert.deepStrictEqual([e.name, e.message, e.cause, String(e)], [name, 'text', 1, `${name}: text`]);
      assert.ok(WebAssembly[name]('x') instanceof WebAssembly[name]);
      assert.strictEqual(Object.getPrototypeOf(WebAssembly[name]), Error);
    }
  },
};

// What a module says about itself.
export const reflection = {
  test() {
    assert.deepStrictEqual(WebAssembly.Module.imports(imports).slice(0, 3), [
      { module: 'env', name: 'f', kind: 'function' },
      { module: 'env', name: 'mem', kind: 'memory' },
      { module: 'env', name: 'tab', kind: 'table' },
    ]);
    assert.deepStrictEqual(WebAssembly.Module.exports(extra).slice(0, 2), [{ name: 'v', kind: 'global' }, { name: 'x', kind: 'function' }]);
    assert.strictEqual(WebAssembly.Module.exports(kinds).length, 30);
    const sections = WebAssembly.Module.customSections(extra, 'meta');
    assert.deepStrictEqual(sections.map((s) => new TextDecoder().decode(s)), ['abc']);
    assert.deepStrictEqual(WebAssembly.Module.customSections(extra, 'none'), []);
    throws(() => WebAssembly.Module.customSections(extra), TypeError, 'WebAssembly.Module.customSections(): Argument 1 is required');
    throws(() => WebAssembly.Module.exports({}), TypeError, 'WebAssembly.Module.exports(): Argument 0 must be a WebAssembly.Module');
  },
};

// The exports object is frozen, has no prototype and keeps the module's order.
export const exportsObject = {
  test() {
    const instance = new WebAssembly.Instance(kinds);
    const e = instance.exports;
    assert.deepStrictEqual(Reflect.ownKeys(instance), []);
    assert.strictEqual(instance.exports, e);
    assert.strictEqual(Object.getPrototypeOf(e), null);
    assert.ok(Object.isFrozen(e));
    assert.deepStrictEqual(Object.keys(e).slice(0, 7), ['memory', 'table', 'ext', 'gi', 'gm', 'gl', 'unreachable']);
    throws(() => { e.foo = 1; }, TypeError, 'Cannot add property foo, object is not extensible');
  },
};

// An exported function is a function object whose name is its index.
export const exportedFunction = {
  test() {
    const { add, add2 } = new WebAssembly.Instance(kinds).exports;
    assert.deepStrictEqual([add.name, add.length, typeof add], ['18', 2, 'function']);
    assert.strictEqual(String(add), 'function 18() { [native code] }');
    assert.strictEqual(add, add2);
    assert.strictEqual(Object.getPrototypeOf(add), Function.prototype);
    assert.strictEqual('prototype' in add, false);
    assert.throws(() => new add(), TypeError);
  },
};

// Instances of one module are independent.
export const instances = {
  test() {
    const a = new WebAssembly.Instance(kinds).exports;
    const b = new WebAssembly.Instance(kinds).exports;
    assert.notStrictEqual(a.add, b.add);
    new Uint8Array(a.memory.buffer)[0] = 9;
    assert.strictEqual(b.peek(0), 0);
    assert.strictEqual(a.peek(0), 9);
  },
};

// WebAssembly.instantiate of a module gives the instance alone, a microtask late.
export const instantiate = {
  async test() {
    const order = [];
    const p = WebAssembly.instantiate(kinds).then((i) => { order.push('then'); return i; });
    order.push('sync');
    const q = Promise.resolve().then(() => order.push(1)).then(() => order.push(2)).then(() => order.push(3));
    assert.ok((await p) instanceof WebAssembly.Instance);
    await q;
    assert.deepStrictEqual(order, ['sync', 1, 'then', 2, 3]);
    await rejects(WebAssembly.instantiate(imports), TypeError, 'WebAssembly.instantiate(): Imports argument must be present and must be an object');
    await rejects(WebAssembly.instantiate(imports, 1), TypeError, 'WebAssembly.instantiate(): Argument 1 must be an object');
  },
};

// The classes can be extended.
export const subclass = {
  test() {
    class M extends WebAssembly.Memory {}
    const m = new M({ initial: 1 });
    assert.ok(m instanceof M);
    assert.strictEqual(m.buffer.byteLength, 65536);
    class I extends WebAssembly.Instance {}
    assert.strictEqual(new I(kinds).exports.add(1, 2), 3);
  },
};
