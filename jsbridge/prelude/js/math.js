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
    return rare().sumPrecise(items);
  },
});
