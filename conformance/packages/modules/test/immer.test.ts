import assert from "node:assert";
import { applyPatches, createDraft, current, enableMapSet, enablePatches, finishDraft, freeze, immerable, isDraft, original, produce, produceWithPatches } from "immer";

enableMapSet();
enablePatches();

const base = { user: { name: "ann", tags: ["a"] }, list: [{ n: 1 }, { n: 2 }, { n: 3 }], other: { x: 1 } };

export const sharingAndFreezing = {
  test() {
    const next = produce(base, (d) => {
      d.user.tags.push("b");
      d.list[1].n = 20;
      delete (d.list as any)[2];
      d.list.length = 2;
      d.list.unshift({ n: 0 });
    });
    assert.deepStrictEqual(next, { user: { name: "ann", tags: ["a", "b"] }, list: [{ n: 0 }, { n: 1 }, { n: 20 }], other: { x: 1 } });
    assert.strictEqual(next.other, base.other);
    assert.strictEqual(next.list[1], base.list[0]);
    assert.deepStrictEqual(base.list, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    assert.ok(Object.isFrozen(next.user.tags));
    assert.throws(() => { next.user.name = "bob"; }, TypeError);
    assert.strictEqual(produce(next, () => {}), next);
    assert.ok(Object.isFrozen(freeze({ a: { b: 1 } }, true).a));
  },
};

export const patches = {
  test() {
    const [next, forward, back] = produceWithPatches(base, (d) => {
      d.user.name = "bob";
      d.list.splice(0, 1);
      (d as any).added = 1;
    });
    assert.deepStrictEqual(applyPatches(base, forward), next);
    assert.deepStrictEqual(applyPatches(next, back), base);
    assert.deepStrictEqual(forward, [
      { op: "replace", path: ["list", 0], value: { n: 2 } },
      { op: "replace", path: ["list", 1], value: { n: 3 } },
      { op: "remove", path: ["list", 2] },
      { op: "replace", path: ["user", "name"], value: "bob" },
      { op: "add", path: ["added"], value: 1 },
    ]);
  },
};

export const mapsSetsAndClasses = {
  test() {
    class Point { [immerable] = true; constructor(public x: number, public y: number) {} get sum() { return this.x + this.y; } }
    const state = { m: new Map([["a", { n: 1 }]]), s: new Set([1, 2]), p: new Point(1, 2) };
    const next = produce(state, (d) => {
      assert.ok(isDraft(d) && isDraft(d.m.get("a")));
      d.m.get("a")!.n++;
      d.m.set("b", { n: 5 });
      d.s.delete(1);
      d.p.x = 10;
      assert.strictEqual(d.p.sum, 12);
      assert.deepStrictEqual(current(d.p), new Point(10, 2));
      assert.strictEqual(original(d)!.p.x, 1);
    });
    assert.deepStrictEqual([...next.m], [["a", { n: 2 }], ["b", { n: 5 }]]);
    assert.deepStrictEqual([...next.s], [2]);
    assert.ok(next.p instanceof Point && next.p.sum === 12 && state.p.sum === 3);
    assert.throws(() => next.s.add(9), /frozen/i);
  },
};

export const asyncDrafts = {
  async test() {
    const d = createDraft(base);
    d.user.name = await Promise.resolve("later");
    const next = finishDraft(d);
    assert.strictEqual(next.user.name, "later");
    assert.strictEqual(base.user.name, "ann");
    assert.throws(() => d.user.name, TypeError); // a revoked proxy
  },
};
