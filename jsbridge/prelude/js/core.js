// Additions to the built-in objects that exist. Everything is written as
// methods of object literals: such functions have the right names, cannot be
// constructed and have no prototype property, as built-in functions must.
// Error texts are those of V8.

const { apply, ownKeys, getOwnPropertyDescriptor } = Reflect;
const TypeErr = TypeError, RangeErr = RangeError;
const isObject = (v) => (typeof v === "object" && v !== null) || typeof v === "function";

// define copies methods as properties that are not enumerable.
const define = host.define;

// hidden defines one data property with explicit attributes.
const hidden = host.hidden;

// show gives the form in which V8 names a receiver or argument in error texts.
function show(v) {
  if (typeof v === "function") return apply(Function.prototype.toString, v, []);
  if (typeof v === "string") return v;
  if (!isObject(v)) return String(v);
  if (Array.isArray(v)) return "[object Array]";
  const c = v.constructor;
  return "#<" + (typeof c === "function" && c.name || "Object") + ">";
}

function incompatible(method, v) {
  return new TypeErr("Method " + method + " called on incompatible receiver " + show(v));
}

function callable(f) {
  if (typeof f !== "function") throw new TypeErr(show(f) + " is not a function");
  return f;
}

function iterate(items) {
  const method = items[Symbol.iterator];
  if (typeof method !== "function") {
    throw new TypeErr((isObject(items) ? typeof items : typeof items + " " + String(items)) +
      " is not iterable (cannot read property Symbol(Symbol.iterator))");
  }
  return items;
}

hidden(Symbol, "dispose", Symbol("Symbol.dispose"), false, false);
hidden(Symbol, "asyncDispose", Symbol("Symbol.asyncDispose"), false, false);
if (!("asyncIterator" in Symbol)) hidden(Symbol, "asyncIterator", Symbol("Symbol.asyncIterator"), false, false);

define(Object, {
  groupBy(items, callback) {
    if (items == null) throw new TypeErr("Object.groupBy called on null or undefined");
    callable(callback);
    const out = { __proto__: null };
    let i = 0;
    for (const v of iterate(items)) {
      let k = callback(v, i++);
      if (typeof k !== "symbol") k = `${k}`;
      const list = out[k];
      if (list === undefined) out[k] = [v];
      else list[list.length] = v;
    }
    return out;
  },
});

define(Object.prototype, {
  __defineGetter__(name, get) {
    if (typeof get !== "function") throw new TypeErr("Object.prototype.__defineGetter__: Expecting function");
    Object.defineProperty(Object(this), name, { get, enumerable: true, configurable: true });
  },
  __defineSetter__(name, set) {
    if (typeof set !== "function") throw new TypeErr("Object.prototype.__defineSetter__: Expecting function");
    Object.defineProperty(Object(this), name, { set, enumerable: true, configurable: true });
  },
  __lookupGetter__(name) {
    for (let o = Object(this); o !== null; o = Object.getPrototypeOf(o)) {
      const d = Object.getOwnPropertyDescriptor(o, name);
      if (d !== undefined) return d.get;
    }
  },
  __lookupSetter__(name) {
    for (let o = Object(this); o !== null; o = Object.getPrototypeOf(o)) {
      const d = Object.getOwnPropertyDescriptor(o, name);
      if (d !== undefined) return d.set;
    }
  },
});

const { get: mapGet, set: mapSet, has: mapHas } = Map.prototype;
const { get: weakGet, set: weakSet, has: weakHas } = WeakMap.prototype;

define(Map, {
  groupBy(items, callback) {
    if (items == null) throw new TypeErr("Map.groupBy called on null or undefined");
    callable(callback);
    const out = new Map();
    let i = 0;
    for (const v of iterate(items)) {
      const k = callback(v, i++);
      const list = apply(mapGet, out, [k]);
      if (list === undefined) apply(mapSet, out, [k, [v]]);
      else list[list.length] = v;
    }
    return out;
  },
});

const isMap = (v) => { try { apply(mapHas, v, [0]); return true; } catch { return false; } };
const isWeakMap = (v) => { try { apply(weakHas, v, [Object]); return true; } catch { return false; } };

define(Map.prototype, {
  getOrInsert(key, value) {
    if (!isMap(this)) throw incompatible("Map.prototype.getOrInsert", this);
    if (apply(mapHas, this, [key])) return apply(mapGet, this, [key]);
    apply(mapSet, this, [key, value]);
    return value;
  },
  getOrInsertComputed(key, callback) {
    if (!isMap(this)) throw incompatible("Map.prototype.getOrInsertComputed", this);
    if (typeof callback !== "function") throw new TypeErr("Map.prototype.getOrInsertComputed is not a function");
    if (apply(mapHas, this, [key])) return apply(mapGet, this, [key]);
    const value = callback(key === 0 ? 0 : key);
    apply(mapSet, this, [key, value]);
    return value;
  },
});

define(WeakMap.prototype, {
  getOrInsert(key, value) {
    if (!isWeakMap(this)) throw incompatible("WeakMap.prototype.getOrInsert", this);
    if (!isObject(key)) throw new TypeErr("Invalid value used as weak map key");
    if (apply(weakHas, this, [key])) return apply(weakGet, this, [key]);
    apply(weakSet, this, [key, value]);
    return value;
  },
  getOrInsertComputed(key, callback) {
    if (!isWeakMap(this)) throw incompatible("WeakMap.prototype.getOrInsertComputed", this);
    if (!isObject(key)) throw new TypeErr("Invalid value used as weak map key");
    if (typeof callback !== "function") throw new TypeErr("WeakMap.prototype.getOrInsertComputed is not a function");
    if (apply(weakHas, this, [key])) return apply(weakGet, this, [key]);
    const value = callback(key);
    apply(weakSet, this, [key, value]);
    return value;
  },
});

define(Promise, {
  withResolvers() {
    if (!isObject(this)) throw new TypeErr("Promise.withResolvers called on non-object");
    let resolve, reject;
    const promise = new this((res, rej) => { resolve = res; reject = rej; });
    return { promise, resolve, reject };
  },
  try(callback, ...args) {
    if (!isObject(this)) throw new TypeErr("Promise.try called on non-object");
    return new this((resolve) => resolve(callback(...args)));
  },
});
hidden(Promise.try, "length", 1, false, true);

define(Array, {
  fromAsync(items, mapper = undefined, thisArg = undefined) {
    return rare().fromAsync(this, items, mapper, thisArg);
  },
});

function thisString(v, method) {
  if (v == null) throw new TypeErr("String.prototype." + method + " called on null or undefined");
  return `${v}`;
}

// loneSurrogate finds the first code unit that is not part of a pair, or -1.
function loneSurrogate(s, from) {
  for (let i = from; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if ((c & 0xf800) !== 0xd800) continue;
    if (c < 0xdc00 && (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
    else return i;
  }
  return -1;
}

const html = (s, method, tag, attr, value) => {
  s = thisString(s, method);
  const a = attr === undefined ? "" : ` ${attr}="${`${value}`.replaceAll('"', "&quot;")}"`;
  return `<${tag}${a}>${s}</${tag}>`;
};

define(String.prototype, {
  isWellFormed() { return loneSurrogate(thisString(this, "isWellFormed"), 0) < 0; },
  toWellFormed() {
    const s = thisString(this, "toWellFormed");
    let i = loneSurrogate(s, 0);
    if (i < 0) return s;
    const parts = [];
    let from = 0;
    for (; i >= 0; i = loneSurrogate(s, from)) {
      parts[parts.length] = s.slice(from, i);
      from = i + 1;
    }
    parts[parts.length] = s.slice(from);
    return parts.join("\ufffd");
  },
  anchor(name) { return html(this, "anchor", "a", "name", name); },
  big() { return html(this, "big", "big"); },
  blink() { return html(this, "blink", "blink"); },
  bold() { return html(this, "bold", "b"); },
  fixed() { return html(this, "fixed", "tt"); },
  fontcolor(color) { return html(this, "fontcolor", "font", "color", color); },
  fontsize(size) { return html(this, "fontsize", "font", "size", size); },
  italics() { return html(this, "italics", "i"); },
  link(url) { return html(this, "link", "a", "href", url); },
  small() { return html(this, "small", "small"); },
  strike() { return html(this, "strike", "strike"); },
  sub() { return html(this, "sub", "sub"); },
  sup() { return html(this, "sup", "sup"); },
});

define(Date.prototype, {
  getYear() { return this.getFullYear() - 1900; },
  setYear(year) {
    const y = Number(year), i = Math.trunc(y);
    if (y !== y) return this.setTime(NaN);
    if (isNaN(this.getTime())) this.setTime(new Date(1970, 0, 1).getTime());
    return this.setFullYear(i >= 0 && i <= 99 ? i + 1900 : y);
  },
});
// The engine has only the short names of time zones; Workers run in UTC.
const { toString: dateText, toTimeString: timeText } = Date.prototype;
const utcName = (s) => s.endsWith("(UTC)") ? s.slice(0, -4) + "Coordinated Universal Time)" : s;
define(Date.prototype, {
  toString() { return utcName(apply(dateText, this, [])); },
  toTimeString() { return utcName(apply(timeText, this, [])); },
});
hidden(Date.prototype, "toGMTString", Date.prototype.toUTCString, true, true);

define(RegExp, {
  escape(string) {
    if (typeof string !== "string") throw new TypeErr("input argument must be a string");
    let out = "";
    for (const c of string) out += rare().escapeRegExpChar(c, out === "");
    return out;
  },
});
