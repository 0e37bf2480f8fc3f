// Atomics, and the bits of half-precision numbers.

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
