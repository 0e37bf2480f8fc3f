// rxjs, xstate, yjs, ts-pattern, devalue.
import assert from "node:assert";
import * as devalue from "devalue";
import { combineLatest, firstValueFrom, from, interval, lastValueFrom, of, Subject, throwError } from "rxjs";
import { bufferCount, catchError, delay, filter, map, mergeMap, scan, take, toArray } from "rxjs/operators";
import { match, P } from "ts-pattern";
import { assign, createActor, createMachine } from "xstate";
import * as Y from "yjs";

export const observables = {
  async test() {
    assert.deepStrictEqual(await lastValueFrom(interval(1).pipe(take(5), map((x) => x * 2), filter((x) => x > 2), toArray())), [4, 6, 8]);
    assert.deepStrictEqual(await firstValueFrom(combineLatest([of(1, 2), from(Promise.resolve("a"))])), [2, "a"]);
    assert.strictEqual(await lastValueFrom(throwError(() => new Error("x")).pipe(catchError((e) => of(e.message)))), "x");
    assert.deepStrictEqual(await lastValueFrom(from([9, 1, 5]).pipe(mergeMap((x) => of(x).pipe(delay(x))), toArray())), [1, 5, 9]);
    const subject = new Subject<number>();
    const sums: number[][] = [];
    subject.pipe(scan((a, b) => a + b, 0), bufferCount(2)).subscribe((x) => sums.push(x));
    [1, 2, 3].forEach((n) => subject.next(n));
    subject.complete();
    assert.deepStrictEqual(sums, [[1, 3], [6]]);
  },
};

export const machines = {
  async test() {
    const machine = createMachine({
      initial: "a", context: { n: 0 },
      states: { a: { on: { GO: { target: "b", actions: assign({ n: ({ context }: any) => context.n + 1 }) } } }, b: { after: { 20: "c" } }, c: { type: "final" } },
    } as any);
    const actor = createActor(machine);
    const seen: unknown[] = [];
    const done = new Promise<void>((resolve) => actor.subscribe({ next: (s: any) => seen.push(s.value), complete: resolve }));
    actor.start();
    actor.send({ type: "GO" });
    await done;
    assert.deepStrictEqual(seen, ["a", "b", "c"]);
    assert.deepStrictEqual(actor.getSnapshot().context, { n: 1 });
  },
};

export const documents = {
  async test(_: unknown, env: any) {
    const a = new Y.Doc(), b = new Y.Doc();
    a.getMap("m").set("k", [1, 2]);
    a.getText("t").insert(0, "hello 😀");
    const notes = env.NOTES.getByName("yjs");
    await notes.write("doc", Y.encodeStateAsUpdate(a));
    Y.applyUpdate(b, await notes.read("doc"));
    b.getText("t").insert(5, "!");
    Y.applyUpdate(a, Y.encodeStateAsUpdate(b, Y.encodeStateVector(a)));
    assert.strictEqual(a.getText("t").toString(), "hello! 😀");
    assert.deepStrictEqual(a.getMap("m").toJSON(), { k: [1, 2] });
  },
};

export const patterns = {
  test() {
    const name = (v: any) => match(v).with({ t: "a", n: P.select() }, (n) => `a${n}`).with({ xs: P.array(P.union(P.number, P.string)) }, () => "b").with(P.number.gt(3), () => "big").otherwise(() => "?");
    assert.deepStrictEqual([{ t: "a", n: 1 }, { xs: [1, "x"] }, { xs: [null] }, 5, null].map(name), ["a1", "b", "?", "big", "?"]);
    assert.throws(() => match(1 as any).with(2, () => 1).exhaustive(), { message: "Pattern matching error: no pattern matches value 1" });
  },
};

export const values = {
  test() {
    const cycle: any = { a: new Map([[1, new Set([2n])]]), d: new Date(0), r: /x/gi, u: undefined, n: -0, b: new Uint8Array([1, 2]) };
    cycle.self = cycle;
    const text = devalue.stringify(cycle);
    assert.strictEqual(text, '[{"a":1,"d":5,"r":6,"u":-1,"n":-6,"b":7,"self":0},["Map",2,3],1,["Set",4],["BigInt","2"],["Date","1970-01-01T00:00:00.000Z"],["RegExp","x","gi"],["Uint8Array",8],["ArrayBuffer","AQI="]]');
    const back = devalue.parse(text);
    assert.strictEqual(back.self, back);
    assert.deepStrictEqual([back.a, back.d, [...back.b], Object.is(back.n, -0)], [cycle.a, cycle.d, [1, 2], true]);
    assert.strictEqual(devalue.uneval({ a: [1, new Date(0)] }), "{a:[1,new Date(0)]}");
  },
};
