import assert from "node:assert";
export const shift = { test() {
  const q = []; for (let i = 0; i < 100000; i++) q.push(i);
  let sum = 0; while (q.length) sum += q.shift();
  assert.strictEqual(sum, 4999950000); assert.strictEqual(q.length, 0); assert.strictEqual(q.shift(), undefined);
  q.push(1, 2); q.shift(); q.push(3); assert.deepStrictEqual(q, [2, 3]); assert.strictEqual(q[2], undefined); assert.ok(!(2 in q));
  q.unshift(0); assert.deepStrictEqual(q, [0, 2, 3]);
  q.length = 5; assert.ok(!(3 in q)); assert.strictEqual(q.shift(), 0); assert.strictEqual(q.length, 4); assert.deepStrictEqual(Object.keys(q), ["0", "1"]);
  const steady = [1,2,3]; for (let i = 0; i < 1000; i++) { steady.push(i); steady.shift(); } assert.deepStrictEqual(steady, [997, 998, 999]);
}};
export const kinds = { test() {
  const frozen = Object.freeze([1, 2]); assert.throws(() => frozen.shift(), TypeError); assert.deepStrictEqual(frozen, [1, 2]);
  const sealed = Object.seal([1, 2]); assert.throws(() => sealed.shift(), TypeError);
  const ext = Object.preventExtensions([1, 2]); assert.strictEqual(ext.shift(), 1); assert.deepStrictEqual([...ext], [2]); assert.throws(() => ext.push(1), TypeError);
  const holes = [, 1, , 2]; assert.strictEqual(holes.shift(), undefined); assert.deepStrictEqual(Object.keys(holes), ["0", "2"]); assert.strictEqual(holes.length, 3);
  const ro = [1, 2]; Object.defineProperty(ro, "length", { writable: false }); assert.throws(() => ro.shift(), TypeError);
  const get = [1, 2]; Object.defineProperty(get, 0, { get() { return "g"; }, set(v) { this.s = v; }, configurable: true }); assert.strictEqual(get.shift(), "g"); assert.strictEqual(get.s, 2);
  assert.strictEqual(Array.prototype.shift.call({ length: 2, 0: "a", 1: "b" }), "a");
  assert.throws(() => Array.prototype.shift.call(null), TypeError);
  class Q extends Array {} const s = Q.of(1, 2); assert.strictEqual(s.shift(), 1); assert.ok(s instanceof Q); assert.strictEqual(s.length, 1);
  const p = new Proxy([1, 2], {}); assert.strictEqual(p.shift(), 1); assert.strictEqual(p.length, 1);
  assert.strictEqual([].shift.name, "shift"); assert.strictEqual([].shift.length, 0); assert.throws(() => new [].shift(), TypeError);
  const d = Object.getOwnPropertyDescriptor(Array.prototype, "shift"); assert.deepStrictEqual([d.writable, d.enumerable, d.configurable], [true, false, true]);
  const a = [1, 2, 3]; const b = a.slice(); a.shift(); assert.deepStrictEqual(b, [1, 2, 3]); a.push(9); assert.deepStrictEqual(a, [2, 3, 9]);
  const c = [1,2,3,4]; const it = c.values(); it.next(); c.shift(); assert.strictEqual(it.next().value, 3); c.sort((x, y) => y - x); assert.deepStrictEqual(c, [4,3,2]); c.splice(1, 1); assert.deepStrictEqual(c, [4, 2]); c.reverse(); assert.deepStrictEqual(c, [2, 4]);
}};
