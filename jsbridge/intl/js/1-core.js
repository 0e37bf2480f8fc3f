// What the classes share: locales, options, and how a class is put together.
// Error texts are those of V8.

const { apply, construct, ownKeys, getOwnPropertyDescriptor } = Reflect;
// Intl is made when it is first used; members of Object.prototype must not get
// into descriptors.
const defineProperty = (o, k, d) => Reflect.defineProperty(o, k, Reflect.setPrototypeOf(d, null) && d);
const isObject = (v) => (typeof v === "object" && v !== null) || typeof v === "function";
const show = (v) => (isObject(v) ? "#<" + (typeof v.constructor === "function" && v.constructor.name || "Object") + ">" : String(v));

// The canonical locales of an argument
// (https://tc39.es/ecma402/#sec-canonicalizelocalelist).
function locales(arg) {
  if (arg === undefined) return [];
  if (arg === null) throw new TypeError("Cannot convert undefined or null to object");
  const list = typeof arg === "string" || arg instanceof Locale ? [arg] : Array.from(Object(arg));
  const out = [];
  for (const v of list) {
    if (typeof v !== "string" && !isObject(v)) throw new TypeError("Language ID should be string or object.");
    const text = String(v);
    const tag = host.canonical(text);
    if (tag === undefined) throw new RangeError("Invalid language tag: " + text);
    if (!out.includes(tag)) out.push(tag);
  }
  return out;
}

// The locale that serves the first one asked for: English, whatever it was.
function resolve(list) {
  for (const tag of list) {
    const have = host.supported(tag);
    if (have !== "") return have;
  }
  return "en-US";
}

// A reader of options for a class.
function reader(name, options) {
  if (options === null) throw new TypeError(`Intl.${name} called on null or undefined`);
  const o = options === undefined ? Object.create(null) : Object(options);
  return {
    object: o,
    text(key, values, fallback) {
      const v = o[key];
      if (v === undefined) return fallback;
      const s = String(v);
      if (values !== undefined && !values.includes(s)) {
        throw new RangeError(`Value ${s} out of range for Intl.${name} options property ${key}`);
      }
      return s;
    },
    flag: (key, fallback) => (o[key] === undefined ? fallback : Boolean(o[key])),
    number: (key, min, max, fallback) => integer(key, o[key], min, max, fallback),
  };
}

function integer(key, v, min, max, fallback) {
  if (v === undefined) return fallback;
  const n = Number(v);
  if (!(n >= min && n <= max)) throw new RangeError(key + " value is out of range.");
  return Math.floor(n);
}

// Joins flat parts to a text, and makes objects of them.
const textOf = (flat) => {
  // In pieces: the engine copies a string when it is appended to.
  let s = "", piece = "";
  for (let i = 1; i < flat.length; i += 2) {
    piece += flat[i];
    if (piece.length > 1000) {
      s += piece;
      piece = "";
    }
  }
  return s + piece;
};
const partsOf = (flat, more) => {
  const out = [];
  for (let i = 0; i < flat.length; i += 2) out.push({ type: flat[i], value: flat[i + 1], ...more });
  return out;
};

const stateSymbol = new WeakMap();

// Makes a class: init(locales, options) gives the state of an instance, members
// take it from at(this). callable classes may be called without new.
function intlClass(name, length, init, members, callable = false) {
  const full = "Intl." + name;
  const C = { [name]: function (...args) {
    if (new.target === undefined && !callable) throw new TypeError(`Constructor ${full} requires 'new'`);
    const self = construct(Object, [], new.target ?? C);
    stateSymbol.set(self, { name, ...init(...args) });
    return self;
  } }[name];
  const literal = members((self, method) => {
    const s = isObject(self) ? stateSymbol.get(self) : undefined;
    if (s === undefined || s.name !== name) throw new TypeError(`Method ${method} called on incompatible receiver ${show(self)}`);
    return s;
  });
  for (const k of ownKeys(literal)) {
    const d = getOwnPropertyDescriptor(literal, k);
    d.enumerable = false;
    defineProperty(C.prototype, k, d);
  }
  defineProperty(C, "length", { value: length, configurable: true });
  defineProperty(C, "prototype", { writable: false });
  defineProperty(C.prototype, Symbol.toStringTag, { value: full, configurable: true });
  const statics = {
    supportedLocalesOf(list) { return locales(list).filter((tag) => host.supported(tag) !== ""); },
  };
  defineProperty(C, "supportedLocalesOf", { value: statics.supportedLocalesOf, writable: true, configurable: true });
  return C;
}

// A class that is not there says so when it is used.
const missing = (name, length) => intlClass(name, length, () => { throw new Error(`Intl.${name} is not implemented`); }, () => ({}));

const Intl = {};
const methods = { Intl };
defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });
const define = (name, value) => { defineProperty(Intl, name, { value, writable: true, configurable: true }); };
const cached = (make) => {
  let value;
  return () => value ??= make();
};
