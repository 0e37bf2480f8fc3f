// What Math.sumPrecise, Array.fromAsync and RegExp.escape do.

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

async function fromAsync(C, items, mapper, thisArg) {
  if (mapper !== undefined) callable(mapper);
  const make = (...args) => (typeof C === "function" && C.prototype !== undefined ? new C(...args) : new Array(...args));
  const put = (to, k, value) => Object.defineProperty(to, k, { value, writable: true, enumerable: true, configurable: true });
  let method = items[Symbol.asyncIterator], sync = false;
  if (method == null) {
    method = items[Symbol.iterator];
    sync = method != null;
  }
  let k = 0;
  if (method == null) { // array-like
    const o = Object(items), n = Math.min(Math.max(Math.trunc(Number(o.length)) || 0, 0), Number.MAX_SAFE_INTEGER);
    const out = make(n);
    for (; k < n; k++) {
      let v = await o[k];
      if (mapper !== undefined) v = await apply(mapper, thisArg, [v, k]);
      put(out, k, v);
    }
    out.length = n;
    return out;
  }
  const it = apply(callable(method), items, []), next = it.next, out = make();
  for (;; k++) {
    let r = apply(next, it, []);
    if (!sync) r = await r;
    if (!isObject(r)) throw new TypeErr("Iterator result " + String(r) + " is not an object");
    if (r.done) {
      out.length = k;
      return out;
    }
    try {
      let v = r.value;
      if (sync) v = await v;
      if (mapper !== undefined) v = await apply(mapper, thisArg, [v, k]);
      put(out, k, v);
    } catch (e) {
      try {
        const close = it.return;
        if (close != null) await apply(close, it, []);
      } catch {} // the first error counts
      throw e;
    }
  }
}

const controls = { "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r" };
function escapeRegExpChar(c, first) {
  const n = c.codePointAt(0);
  if (first && (n >= 48 && n <= 57 || n >= 65 && n <= 90 || n >= 97 && n <= 122)) return "\\x" + n.toString(16);
  if ("^$\\.*+?()[]{}|/".includes(c)) return "\\" + c;
  if (controls[c] !== undefined) return controls[c];
  const lone = n >= 0xd800 && n <= 0xdfff;
  if (!lone && !",-=<>#&!%:;@~'`\"".includes(c) && !(c.trim() === "")) return c;
  return n <= 0xff ? "\\x" + n.toString(16).padStart(2, "0") : "\\u" + n.toString(16).padStart(4, "0");
}
