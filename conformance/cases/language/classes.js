// Rule: class fields, private members, accessors, static blocks, super and
// subclassing of built-ins. Source: ECMAScript spec, classes.
import assert from 'node:assert';

// Fields are set in order, before the rest of the constructor.
export const fieldOrder = {
  test() {
    const order = [];
    class Base { a = order.push('a'); constructor() { order.push('base'); } }
    class Derived extends Base { b = order.push('b'); constructor() { super(); order.push('derived'); } }
    new Derived();
    assert.deepStrictEqual(order, ['a', 'base', 'b', 'derived']);
  },
};

// Fields are own properties, defined and not assigned.
export const fieldsAreDefined = {
  test() {
    class Base { set x(v) { throw new Error('setter ran'); } }
    class Derived extends Base { x = 5; }
    assert.strictEqual(new Derived().x, 5);
  },
};

// Names of fields that are words of the language.
export const oddFieldNames = {
  test() {
    class C { get = 1; set = 2; async = 3; static = 4; 'quoted name' = 5; [`comp${'uted'}`] = 6; 7 = 7; }
    assert.deepStrictEqual({ ...new C() },
      { 7: 7, get: 1, set: 2, async: 3, static: 4, 'quoted name': 5, computed: 6 });
  },
};

// super in a field initialiser.
export const superInField = {
  test() {
    class Base { value() { return 5; } }
    class Derived extends Base { v = super.value() + 1; arrow = () => super.value(); }
    assert.strictEqual(new Derived().v, 6);
    assert.strictEqual(new Derived().arrow(), 5);
  },
};

// Private fields, methods, accessors, statics.
export const privateMembers = {
  test() {
    class C {
      #field = 1;
      static #count = 10;
      #method() { return this.#field; }
      get #accessor() { return this.#field * 2; }
      set #accessor(v) { this.#field = v; }
      run() { this.#accessor = 21; return [this.#method(), this.#accessor, ++C.#count]; }
    }
    assert.deepStrictEqual(new C().run(), [21, 42, 11]);
    assert.deepStrictEqual(Reflect.ownKeys(new C()), []);
  },
};

// #x in o.
export const brandCheck = {
  test() {
    class C { #x; static has(o) { return #x in o; } }
    assert.strictEqual(C.has(new C()), true);
    assert.strictEqual(C.has({}), false);
  },
};

// A private member of a foreign object is a TypeError.
export const foreignPrivate = {
  test() {
    class C { #x = 1; static read(o) { return o.#x; } }
    assert.throws(() => C.read({}), TypeError);
  },
};

// Static blocks see the class and its private names.
export const staticBlock = {
  test() {
    let read;
    class C { static order = ['field']; #x = 5; static { this.order.push('block'); read = (o) => o.#x; } static late = this.order.push('late'); }
    assert.deepStrictEqual(C.order, ['field', 'block', 'late']);
    assert.strictEqual(read(new C()), 5);
  },
};

// Names of classes and functions.
export const names = {
  test() {
    const A = class {};
    const B = class Inner {};
    class C { static name = 'own'; method() {} get x() { return 1; } #p() {} }
    assert.deepStrictEqual([A.name, B.name, C.name, C.prototype.method.name], ['A', 'Inner', 'own', 'method']);
    assert.strictEqual(Object.getOwnPropertyDescriptor(C.prototype, 'x').get.name, 'get x');
  },
};

// Subclasses of built-ins.
export const subclassing = {
  test() {
    class List extends Array { last() { return this[this.length - 1]; } }
    const list = List.from([1, 2, 3]);
    assert.ok(list.map((x) => x) instanceof List);
    assert.strictEqual(list.last(), 3);
    class E extends Error { constructor(m) { super(m); this.name = 'E'; } }
    assert.strictEqual(String(new E('m')), 'E: m');
    class M extends Map { get(k) { return super.get(k) ?? 'default'; } }
    assert.strictEqual(new M([[1, 2]]).get(5), 'default');
  },
};

// new.target and a constructor that returns an object.
export const newTarget = {
  test() {
    class Base { constructor() { this.target = new.target.name; } }
    class Derived extends Base {}
    assert.strictEqual(new Derived().target, 'Derived');
    class Returns { constructor() { return { other: true }; } }
    assert.deepStrictEqual(new Returns(), { other: true });
  },
};

// this before super() is a ReferenceError.
export const thisBeforeSuper = {
  test() {
    class Derived extends Object { constructor() { this.x = 1; super(); } }
    assert.throws(() => new Derived(), ReferenceError);
  },
};

// A class is not callable without new.
export const classCall = {
  test() {
    class C {}
    assert.throws(() => C(), { name: 'TypeError', message: "Class constructor C cannot be invoked without 'new'" });
  },
};

// Symbol.species, Symbol.hasInstance, Symbol.toPrimitive.
export const symbols = {
  test() {
    class L extends Array { static get [Symbol.species]() { return Array; } }
    assert.strictEqual(new L(1, 2, 3).map((x) => x).constructor, Array);
    class Even { static [Symbol.hasInstance](n) { return n % 2 === 0; } }
    assert.ok(4 instanceof Even);
    assert.strictEqual(`${{ [Symbol.toPrimitive]: (hint) => hint }}`, 'string');
  },
};

// Fields that are named as the keywords of a class element.
export const keywordFields = {
  test() {
    class C { get = (x) => x + 1; set = 2; async = 3; static set = 4; #own = 5; own() { return this.#own; } }
    const c = new C();
    assert.deepStrictEqual([c.get(1), c.set, c.async, C.set, c.own(), Object.keys(c)], [2, 2, 3, 4, 5, ['get', 'set', 'async']]);
  },
};

// A field whose value comes from the parent class.
export const superField = {
  test() {
    class A { m() { return 5; } }
    class B extends A { x = super.m(); #y = this.x + 1; y() { return this.#y; } }
    assert.strictEqual(new B().y(), 6);
  },
};

// A call of what a private field holds is no access to a property of it.
export const privateCall = {
  test() {
    const seen = [];
    const f = new Proxy(() => 'called', { get: (_, key) => { seen.push(key); return () => 'got'; } });
    class C { #f = f; run() { return this.#f() + this.#f?.(1); } }
    assert.strictEqual(new C().run(), 'calledcalled');
    assert.deepStrictEqual(seen, []);
  },
};

// The error for a private field of another class.
export const privateError = {
  test() {
    class C { #x = 1; static read(o) { return o.#x; } }
    assert.throws(() => C.read({}), { name: 'TypeError', message: 'Cannot read private member #x from an object whose class did not declare it' });
  },
};
