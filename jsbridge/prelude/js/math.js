// Math.sumPrecise and Math.f16round.

define(Math, {
  f16round(x) {
    x = Number(x);
    if (x === 0 || x !== x || x === Infinity || x === -Infinity) return x;
    const a = Math.abs(x);
    if (a >= 65520) return x < 0 ? -Infinity : Infinity;
    // The distance between neighbours at a: 2^-24 for subnormal numbers.
    const step = 2 ** Math.max(Math.floor(Math.log2(a)) - 10, -24);
    const q = a / step; // exact: a power of two
    let n = Math.floor(q);
    const rest = q - n;
    if (rest > 0.5 || rest === 0.5 && n % 2 === 1) n++;
    return x < 0 ? -(n * step) : n * step;
  },
  sumPrecise(items) {
    if (items == null || typeof items[Symbol.iterator] !== "function") {
      throw new TypeErr(Object.prototype.toString.call(items) + " is not iterable");
    }
    return sumPrecise(items);
  },
});

// sumPrecise adds exactly: every finite double is an integer times 2^-1074, so
// the sum is kept as a BigInt and rounded once.
function sumPrecise(items) {
  const view = new DataView(new ArrayBuffer(8));
  let sum = 0n, onlyMinusZero = true, special = 0;
  for (const x of items) {
    if (typeof x !== "number") {
      throw new TypeErr("Type of 'Iterator value' must be 'number', found '" + typeof x + "'");
    }
    if (!Object.is(x, -0)) onlyMinusZero = false;
    if (x - x !== 0) {
      special += x;
      continue;
    }
    view.setFloat64(0, x);
    const bits = view.getBigUint64(0), exp = bits >> 52n & 0x7ffn;
    let m = bits & 0xfffffffffffffn;
    if (exp !== 0n) m = (m | 0x10000000000000n) << exp - 1n;
    sum += x < 0 ? -m : m;
  }
  if (special !== 0) return special;
  if (onlyMinusZero) return -0;
  if (sum === 0n) return 0;
  const negative = sum < 0n;
  let m = negative ? -sum : sum;
  let shift = m.toString(2).length - 53;
  if (shift > 0) {
    // Round to nearest, ties to even.
    const s = BigInt(shift), rest = m & (1n << s) - 1n, half = 1n << s - 1n;
    m >>= s;
    if (rest > half || rest === half && (m & 1n) === 1n) m++;
    if (m === 1n << 53n) {
      m >>= 1n;
      shift++;
    }
  } else {
    shift = 0;
  }
  // m < 2^53 and the exponent is that of m * 2^(shift-1074).
  let bits;
  if (m < 1n << 52n) bits = m; // subnormal: shift is 0
  else if (shift + 1 >= 2047) return negative ? -Infinity : Infinity;
  else bits = BigInt(shift + 1) << 52n | m & 0xfffffffffffffn;
  view.setBigUint64(0, bits);
  const r = view.getFloat64(0);
  return negative ? -r : r;
}
