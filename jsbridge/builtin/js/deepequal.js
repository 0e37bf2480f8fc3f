// Strict deep equality, shared by node:assert and util.isDeepStrictEqual, and
// the partial form where the expected value may leave things out.
//
// What the real runtime compares is kept, surprises included: an error's name
// and message count but not its cause, a regular expression's lastIndex does,
// and two invalid dates differ.
(function (require, host) {
  "use strict";
  const K = require("internal:kinds");
  const native = require("internal:native");
  const { types } = K;
  const has = Object.prototype.hasOwnProperty;
  const isEnumerable = Object.prototype.propertyIsEnumerable;

  function isDeepStrictEqual(a, b) {
    return equal(a, b, { a: [], b: [], partial: false });
  }

  function isPartialMatch(a, b) {
    return equal(a, b, { a: [], b: [], partial: true });
  }

  function equal(a, b, memo) {
    if (a === b) return a !== 0 || Object.is(a, b);
    if (typeof a !== "object" || typeof b !== "object") return a !== a && b !== b && typeof a === typeof b;
    if (a === null || b === null) return false;
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    return sameKind(a, b, memo);
  }

  function boxed(v) {
    if (types.isNumberObject(v)) return Number.prototype.valueOf.call(v);
    if (types.isStringObject(v)) return String.prototype.valueOf.call(v);
    if (types.isBooleanObject(v)) return Boolean.prototype.valueOf.call(v);
    if (types.isBigIntObject(v)) return BigInt.prototype.valueOf.call(v);
    return Symbol.prototype.valueOf.call(v);
  }

  function bytesEqual(a, b) {
    if (a.byteLength !== b.byteLength) return false;
    const x = new Uint8Array(a);
    const y = new Uint8Array(b);
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
    return true;
  }

  // sameKind compares what no property shows; properties come after it.
  function sameKind(a, b, memo) {
    if (a[Symbol.toStringTag] !== b[Symbol.toStringTag]) return false;
    if (Array.isArray(a)) {
      if (!Array.isArray(b)) return false;
      if (memo.partial ? a.length < b.length : a.length !== b.length) return false;
      return properties(a, b, memo, K.extraKeys(a, false), K.extraKeys(b, false), elementsEqual);
    }
    if (Array.isArray(b)) return false;
    let kind = native.brand(a);
    const other = native.brand(b);
    if (kind !== other) {
      // A proxy stands for its target, of which only the properties show.
      if (kind !== "Proxy" && other !== "Proxy") return false;
      kind = "Proxy";
    }
    let inner;
    switch (kind) {
      case "Date":
        if (Date.prototype.getTime.call(a) !== Date.prototype.getTime.call(b)) return false;
        break;
      case "RegExp":
        if (a.source !== b.source || a.flags !== b.flags || a.lastIndex !== b.lastIndex) return false;
        break;
      case "Error":
        if (a.message !== b.message || a.name !== b.name) return false;
        break;
      case "TypedArray":
        if (a.length !== b.length) return false;
        for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
        return properties(a, b, memo, K.extraKeys(a, false), K.extraKeys(b, false));
      case "Set":
        if (!sizesFit(K.setSize(a), K.setSize(b), memo)) return false;
        inner = setsEqual;
        break;
      case "Map":
        if (!sizesFit(K.mapSize(a), K.mapSize(b), memo)) return false;
        inner = mapsEqual;
        break;
      case "ArrayBuffer":
        if (!bytesEqual(a, b)) return false;
        break;
      case "Number":
      case "String":
      case "Boolean":
      case "BigInt":
      case "Symbol":
        if (!Object.is(boxed(a), boxed(b))) return false;
        break;
      case "Object":
        if (Object.getPrototypeOf(a) !== Object.prototype && !sameRareKind(a, b)) return false;
    }
    return properties(a, b, memo, Object.keys(a), Object.keys(b), inner);
  }

  // sameRareKind is for the kinds that the engine does not tell from objects.
  function sameRareKind(a, b) {
    if (types.isDataView(a)) {
      if (!types.isDataView(b) || a.byteLength !== b.byteLength) return false;
      for (let i = 0; i < a.byteLength; i++) if (a.getUint8(i) !== b.getUint8(i)) return false;
      return true;
    }
    return !(a instanceof Error) || (a.message === b.message && a.name === b.name);
  }

  function sizesFit(a, b, memo) {
    return memo.partial ? a >= b : a === b;
  }

  function properties(a, b, memo, aKeys, bKeys, inner) {
    if (!memo.partial && aKeys.length !== bKeys.length) return false;
    for (const k of bKeys) if (!isEnumerable.call(a, k)) return false;
    const symbols = K.enumerableSymbols(b);
    if (!memo.partial && K.enumerableSymbols(a).length !== symbols.length) return false;
    for (const s of symbols) if (!isEnumerable.call(a, s)) return false;

    // Two values that are already being compared are equal as far as this
    // comparison goes: that is what ends cycles.
    for (let i = memo.a.length - 1; i >= 0; i--) {
      if (memo.a[i] === a || memo.b[i] === b) return memo.a[i] === a && memo.b[i] === b;
    }
    memo.a.push(a);
    memo.b.push(b);
    let ok = inner === undefined || inner(a, b, memo);
    for (let i = 0; ok && i < bKeys.length; i++) ok = equal(a[bKeys[i]], b[bKeys[i]], memo);
    for (let i = 0; ok && i < symbols.length; i++) ok = equal(a[symbols[i]], b[symbols[i]], memo);
    memo.a.pop();
    memo.b.pop();
    return ok;
  }

  function elementsEqual(a, b, memo) {
    const length = b.length;
    for (let i = 0; i < length; i++) {
      if (has.call(b, i)) {
        if (!has.call(a, i) || !equal(a[i], b[i], memo)) return false;
      } else if (has.call(a, i)) {
        if (!memo.partial) return false;
      } else if (length > 4096) {
        return sparseEqual(a, b, memo, i);
      }
    }
    return true;
  }

  // sparseEqual steps over the filled places only, so that an array of four
  // milliards of holes ends soon.
  function sparseEqual(a, b, memo, from) {
    const filled = (v) => Object.keys(v).filter((k) => K.isIndex(k) && +k >= from);
    const keys = filled(b);
    if (!memo.partial && filled(a).length !== keys.length) return false;
    return keys.every((k) => has.call(a, k) && equal(a[k], b[k], memo));
  }

  function setsEqual(a, b, memo) {
    const left = [];
    Set.prototype.forEach.call(b, (v) => {
      if (!Set.prototype.has.call(a, v)) left.push(v);
    });
    if (left.length === 0) return true;
    if (memo.partial) return false;
    const pool = [];
    Set.prototype.forEach.call(a, (v) => {
      if (!Set.prototype.has.call(b, v)) pool.push(v);
    });
    for (const v of left) {
      if (typeof v !== "object" || v === null) return false;
      const i = pool.findIndex((w) => equal(w, v, memo));
      if (i < 0) return false;
      pool.splice(i, 1);
    }
    return true;
  }

  function mapsEqual(a, b, memo) {
    const left = [];
    let ok = true;
    Map.prototype.forEach.call(b, (v, k) => {
      if (!ok) return;
      if (Map.prototype.has.call(a, k)) ok = equal(Map.prototype.get.call(a, k), v, memo);
      else if (typeof k !== "object" || k === null) ok = false;
      else left.push([k, v]);
    });
    if (!ok || left.length === 0) return ok;
    const pool = [];
    Map.prototype.forEach.call(a, (v, k) => {
      if (!Map.prototype.has.call(b, k)) pool.push([k, v]);
    });
    for (const [k, v] of left) {
      const i = pool.findIndex(([k2, v2]) => equal(k2, k, memo) && equal(v2, v, memo));
      if (i < 0) return false;
      pool.splice(i, 1);
    }
    return true;
  }

  return { isDeepStrictEqual, isPartialMatch };
})
