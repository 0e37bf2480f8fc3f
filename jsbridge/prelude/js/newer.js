// The newest iterator methods, half-precision floats in DataView, and Atomics.

define(IteratorClass, {
  zip(iterables, options) {
    if (!isObject(iterables)) throw new TypeErr("Iterator.zip called on non-object");
    const [mode, padding] = zipOptions(options, "zip");
    const its = [];
    for (const v of iterables) its[its.length] = opened(its, v);
    let pads = [];
    if (padding !== undefined) {
      let i = 0;
      for (const v of padding) {
        if (i === its.length) break;
        pads[i++] = v;
      }
    }
    return zipper("zip", its, mode, pads, (values) => values);
  },
  zipKeyed(iterables, options) {
    if (!isObject(iterables)) throw new TypeErr("Iterator.zipKeyed called on non-object");
    const [mode, padding] = zipOptions(options, "zipKeyed");
    const keys = [], its = [];
    for (const k of ownKeys(iterables)) {
      const d = getOwnPropertyDescriptor(iterables, k);
      if (d === undefined || !d.enumerable) continue;
      const v = iterables[k];
      if (v === undefined) continue;
      keys[keys.length] = k;
      its[its.length] = opened(its, v);
    }
    const pads = padding === undefined ? [] : keys.map((k) => padding[k]);
    return zipper("zipKeyed", its, mode, pads, (values) => {
      const out = { __proto__: null };
      for (let i = 0; i < keys.length; i++) out[keys[i]] = values[i];
      return out;
    });
  },
});
hidden(IteratorClass.zip, "length", 1, false, true);
hidden(IteratorClass.zipKeyed, "length", 1, false, true);

function zipOptions(options, name) {
  if (options === undefined) return ["shortest", undefined];
  if (!isObject(options)) throw new TypeErr("options called on non-object");
  const mode = options.mode === undefined ? "shortest" : options.mode;
  if (mode !== "shortest" && mode !== "longest" && mode !== "strict") {
    throw new TypeErr(`Iterator.${name} mode must be 'shortest', 'longest', or 'strict'`);
  }
  let padding;
  if (mode === "longest") {
    padding = options.padding;
    if (padding !== undefined && !isObject(padding)) throw new TypeErr("padding called on non-object");
  }
  return [mode, padding];
}

// opened takes the iterator of a value; if there is none, those that are open
// are closed.
function opened(its, v) {
  try {
    const method = isObject(v) ? v[Symbol.iterator] : undefined;
    if (!isObject(v) || method != null && typeof method !== "function") throw new TypeErr(String(v) + " is not iterable");
    const it = method == null ? v : apply(method, v, []);
    if (!isObject(it)) throw new TypeErr(String(it) + " is not an object");
    return { it, next: it.next };
  } catch (e) {
    throw closeAll(its, e);
  }
}

function closeAll(its, error) {
  for (let i = its.length - 1; i >= 0; i--) {
    if (its[i] !== null) error = closing(its[i].it, error);
  }
  return error;
}

function zipper(name, its, mode, pads, finish) {
  const open = its.slice();
  const self = {
    return() {
      let failed = false, error;
      for (let i = open.length - 1; i >= 0; i--) {
        if (open[i] === null) continue;
        const { it } = open[i];
        open[i] = null;
        try { close(it); } catch (e) { if (!failed) [failed, error] = [true, e]; }
      }
      if (failed) throw error;
      return {};
    },
  };
  const uneven = () => closeAll(open, new TypeErr(`Iterators passed to Iterator.${name} in 'strict' mode must have the same length`));
  return new Helper(self, undefined, (h) => {
    const values = [];
    let left = 0;
    if (open.length === 0) return false;
    for (let i = 0; i < open.length; i++) {
      if (open[i] === null) { // longest
        values[i] = pads[i];
        continue;
      }
      const { it, next } = open[i];
      let r;
      try {
        r = step(it, next);
        if (!r.done) {
          values[i] = r.value;
          left++;
          continue;
        }
      } catch (e) {
        open[i] = null;
        throw closeAll(open, e);
      }
      open[i] = null;
      if (mode === "longest") {
        values[i] = pads[i];
        continue;
      }
      if (mode === "shortest") {
        self.return();
        return false;
      }
      if (i > 0) throw uneven();
      for (let k = 1; k < open.length; k++) {
        const { it: other, next: otherNext } = open[k];
        let end;
        try { end = step(other, otherNext); } catch (e) {
          open[k] = null;
          throw closeAll(open, e);
        }
        if (!end.done) throw uneven();
        open[k] = null;
      }
      return false;
    }
    if (left === 0) return false;
    h.value = finish(values);
    return true;
  });
}

define(IteratorPrototype, {
  join(separator) {
    const it = receiver(this, "join");
    let sep;
    try { sep = separator === undefined ? "," : `${separator}`; } catch (e) { throw closing(it, e); }
    const next = it.next, parts = [];
    for (;;) {
      const r = step(it, next);
      if (r.done) return parts.join(sep);
      const v = r.value;
      try { parts[parts.length] = v == null ? "" : `${v}`; } catch (e) { throw closing(it, e); }
    }
  },
  includes(item, skipped) {
    const it = receiver(this, "includes");
    if (skipped !== undefined && (typeof skipped !== "number" || Math.trunc(skipped) !== skipped)) {
      throw closing(it, new TypeErr("skippedElements argument must be undefined or an integer"));
    }
    let skip = skipped === undefined ? 0 : skipped;
    if (skip < 0) throw closing(it, new RangeErr(show(skip) + " must be positive"));
    for (const next = it.next; ;) {
      const r = step(it, next);
      if (r.done) return false;
      if (skip > 0) skip--;
      else {
        const v = r.value;
        if (v === item || v !== v && item !== item) {
          close(it);
          return true;
        }
      }
    }
  },
});
hidden(IteratorPrototype.includes, "length", 1, false, true);

// The engine knows neither flag, so no expression has them.
for (const name of ["hasIndices", "unicodeSets"]) {
  defineAccessors(RegExp.prototype, { get [name]() {
    if (this === RegExp.prototype) return undefined;
    if (!isObject(this)) throw new TypeErr("RegExp.prototype." + name + " getter called on non-object " + show(this));
    return false;
  } });
}
// The engine's own.
delete BigInt.prototype.length;
delete BigInt.prototype.name;

const { getUint16, setUint16 } = DataView.prototype, { f16round } = Math;
function viewCall(view, f, name, args) {
  try {
    return apply(f, view, args);
  } catch (e) {
    if (e instanceof RangeErr) throw new RangeErr("Offset is outside the bounds of the DataView");
    if (!(e instanceof TypeErr) || isObject(view) && ArrayBuffer.isView(view)) throw e;
    throw incompatible("DataView.prototype." + name, view);
  }
}
define(DataView.prototype, {
  getFloat16(offset, little) { return fromHalf(viewCall(this, getUint16, "getFloat16", [offset, little])); },
  setFloat16(offset, value, little) { viewCall(this, setUint16, "setFloat16", [offset, toHalf(Number(unbig(value))), little]); },
});
hidden(DataView.prototype.getFloat16, "length", 1, false, true);
hidden(DataView.prototype.setFloat16, "length", 2, false, true);

function unbig(v) {
  if (typeof v === "bigint") throw new TypeErr("Cannot convert a BigInt value to a number");
  return v;
}

// fromHalf and toHalf convert the 16 bits of a half-precision number.
function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exp = bits >> 10 & 31, m = bits & 1023;
  if (exp === 31) return m === 0 ? sign * Infinity : NaN;
  return sign * (exp === 0 ? m * 2 ** -24 : (1024 + m) * 2 ** (exp - 25));
}
function toHalf(x) {
  const v = f16round(x), a = Math.abs(v);
  if (v !== v) return 0x7e00;
  const sign = v < 0 || Object.is(v, -0) ? 0x8000 : 0;
  if (a === Infinity) return sign | 0x7c00;
  if (a < 2 ** -14) return sign | a * 2 ** 24;
  const exp = Math.floor(Math.log2(a));
  return sign | exp + 15 << 10 | a * 2 ** (10 - exp) - 1024;
}

// Atomics works on plain buffers: nothing runs beside a script that could see a
// half-done operation, and there are no shared buffers to wait on.
function atomics() {
  const typed = Object.getPrototypeOf(Uint8Array.prototype);
  const tag = getOwnPropertyDescriptor(typed, Symbol.toStringTag).get, lengthOf = getOwnPropertyDescriptor(typed, "length").get;
  const bufferOf = getOwnPropertyDescriptor(typed, "buffer").get, detached = getOwnPropertyDescriptor(ArrayBuffer.prototype, "detached").get;
  const { slice } = typed;
  const kinds = ["Int8Array", "Uint8Array", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array", "BigInt64Array", "BigUint64Array"];
  const name = (v) => {
    const t = isObject(v) ? apply(tag, v, []) : undefined;
    return t === undefined ? show(v) : "[object " + t + "]";
  };
  const kindOf = (v) => (isObject(v) ? apply(tag, v, []) : undefined);
  function place(array, index, allowed, text) {
    const kind = kindOf(array);
    if (!allowed.includes(kind)) throw new TypeErr(name(array) + " is not " + text + ".");
    const n = Number(unbig(index)), i = n !== n ? 0 : Math.trunc(n);
    if (i < 0 || i >= apply(lengthOf, array, [])) throw new RangeErr("Invalid atomic access index: " + show(index));
    return [i + 0, kind.startsWith("Big")];
  }
  function at(op, array, index) {
    const kind = kindOf(array);
    if (kinds.includes(kind) && apply(detached, apply(bufferOf, array, []), [])) {
      throw new TypeErr("Cannot perform Atomics." + op + " on a detached or out-of-bounds ArrayBuffer");
    }
    return place(array, index, kinds, "an integer typed array");
  }
  const int = (v) => {
    const n = Number(unbig(v));
    return n !== n ? 0 : Math.trunc(n) + 0;
  };
  const big = (v) => {
    if (typeof v === "number") throw new TypeErr("Cannot convert " + v + " to a BigInt");
    return BigInt(v);
  };
  const out = {};
  function modify(op, combine) {
    define(out, { [op](array, index, value) {
      const [i, wide] = at(op, array, index);
      const v = wide ? big(value) : int(value), old = array[i];
      array[i] = combine(old, v, wide);
      return op === "store" ? v : old;
    } });
  }
  // Numbers are combined as 32 bits; the array keeps what fits its elements.
  modify("add", (a, b, wide) => (wide ? a + b : wrapped(a, b, 1)));
  modify("and", (a, b, wide) => (wide ? a & b : a & wrap32(b)));
  modify("exchange", (a, b, wide) => (wide ? b : wrap32(b)));
  modify("or", (a, b, wide) => (wide ? a | b : a | wrap32(b)));
  modify("store", (a, b, wide) => (wide ? b : wrap32(b)));
  modify("sub", (a, b, wide) => (wide ? a - b : wrapped(a, b, -1)));
  modify("xor", (a, b, wide) => (wide ? a ^ b : a ^ wrap32(b)));
  const wrap32 = (n) => (n - n === 0 ? n % 4294967296 : 0);
  const wrapped = (a, b, sign) => a + sign * wrap32(b);
  const waitable = ["Int32Array", "BigInt64Array"], text = "an int32 or BigInt64 typed array";
  const unshared = (array, index) => {
    place(array, index, waitable, text);
    throw new TypeErr(name(array) + " is not a shared typed array.");
  };
  define(out, {
    load(array, index) { return array[at("load", array, index)[0]]; },
    compareExchange(array, index, expected, replacement) {
      const [i, wide] = at("compareExchange", array, index);
      const probe = apply(slice, array, [i, i + 1]);
      probe[0] = wide ? big(expected) : wrap32(int(expected));
      const v = wide ? big(replacement) : wrap32(int(replacement)), old = array[i];
      if (old === probe[0]) array[i] = v;
      return old;
    },
    isLockFree(size) { return [1, 2, 4, 8].includes(Number(size)); },
    notify(array, index, count) {
      place(array, index, waitable, text);
      if (count !== undefined) Number(unbig(count));
      return 0;
    },
    wait(array, index, value, timeout) { return unshared(array, index); },
    waitAsync(array, index, value, timeout) { return unshared(array, index); },
    pause(n) {
      if (n !== undefined && (typeof n !== "number" || Math.trunc(n) !== n)) throw new TypeErr("Atomics.pause argument must be undefined or an integer");
    },
  });
  hidden(out.pause, "length", 0, false, true);
  hidden(out, Symbol.toStringTag, "Atomics", false, true);
  return out;
}
