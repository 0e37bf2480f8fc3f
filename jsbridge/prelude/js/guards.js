// Sizes that would end the process, and small repairs of existing functions.

const maxString = host.maxString;
const tooLong = () => new RangeErr("Invalid string length");
const { repeat, padStart, padEnd } = String.prototype;

define(String.prototype, {
  repeat(count) {
    const s = thisString(this, "repeat"), n = Math.trunc(Number(count)) || 0;
    if (n < 0 || n === Infinity) throw new RangeErr("Invalid count value: " + String(count));
    if (s === "") return s;
    if (n * s.length > maxString) throw tooLong();
    return apply(repeat, s, [n]);
  },
  padStart(maxLength, ...fill) { return pad(padStart, this, "padStart", maxLength, fill[0]); },
  padEnd(maxLength, ...fill) { return pad(padEnd, this, "padEnd", maxLength, fill[0]); },
});

function pad(native, v, name, maxLength, fill) {
  const s = thisString(v, name), n = Math.trunc(Number(maxLength)) || 0;
  if (n <= s.length) return s;
  if (fill !== undefined) fill = `${fill}`;
  if (fill === "") return s;
  if (n > maxString) throw tooLong();
  return apply(native, s, [n, fill]);
}

// The sort that the engine runs in place does not survive a comparison
// function, or a toString of an element, that shrinks the array, so it works on
// a copy, as the specification has it.
const { sort } = Array.prototype;
define(Array.prototype, {
  sort(compare) {
    if (compare !== undefined && typeof compare !== "function") {
      throw new TypeErr("The comparison function must be either a function or undefined" + (isObject(compare) ? "" : ": " + String(compare)));
    }
    const o = Object(this), n = Math.min(Math.max(Math.trunc(Number(o.length)) || 0, 0), Number.MAX_SAFE_INTEGER);
    const copy = [];
    let k = 0;
    for (let i = 0; i < n; i++) if (i in o) copy[k++] = o[i];
    apply(sort, copy, compare === undefined ? [] : [compare]);
    for (let i = 0; i < k; i++) o[i] = copy[i];
    for (let i = k; i < n; i++) if (i in o) delete o[i];
    return o;
  },
});

// The engine makes the number 2 ** bits on every call, however large. No BigInt
// of V8 has more than maxBigInt bits, so beyond them only a negative number
// changes, and the result does not fit.
const { asIntN, asUintN } = BigInt;
const maxBigInt = 2 ** 30;
function bitCount(v) {
  const bits = Math.trunc(Number(v)) || 0;
  if (bits < 0 || bits > Number.MAX_SAFE_INTEGER) throw new RangeErr("Invalid value: not (convertible to) a safe integer");
  return bits;
}
define(BigInt, {
  asIntN(bits, bigint) {
    const n = bitCount(bits);
    if (n > maxBigInt && typeof bigint === "bigint") return bigint;
    return apply(asIntN, this, [Math.min(n, maxBigInt), bigint]);
  },
  asUintN(bits, bigint) {
    const n = bitCount(bits);
    if (n <= maxBigInt) return apply(asUintN, this, [n, bigint]);
    const v = typeof bigint === "bigint" ? bigint : apply(asIntN, this, [maxBigInt, bigint]);
    if (v < 0n) throw new RangeErr("Maximum BigInt size exceeded");
    return v;
  },
});

// from() of the engine takes a string for an object and fails.
const TypedArray = Object.getPrototypeOf(Uint8Array);
const { from } = TypedArray;
define(TypedArray, {
  from(source, mapper = undefined, thisArg = undefined) {
    return apply(from, this, [typeof source === "string" ? [...source] : source, mapper, thisArg]);
  },
});

// The helpers of the engine's own that no standard has.
for (const k of ["groupBy", "groupByToMap"]) delete Array.prototype[Symbol.unscopables][k];
if (!("at" in Array.prototype[Symbol.unscopables])) Array.prototype[Symbol.unscopables].at = true;
