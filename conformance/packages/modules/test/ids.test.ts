import assert from "node:assert";
import { customAlphabet, nanoid, urlAlphabet } from "nanoid";
import { decodeTime, monotonicFactory, ulid } from "ulid";
import { NIL, parse, stringify, v1, v3, v4, v5, v6, v7, validate, version } from "uuid";

export const nanoids = {
  test() {
    const ids = new Set(Array.from({ length: 500 }, () => nanoid()));
    assert.strictEqual(ids.size, 500);
    for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{21}$/);
    assert.match(customAlphabet("ab", 40)(), /^[ab]{40}$/);
    assert.strictEqual(new Set(urlAlphabet).size, 64);
  },
};

export const ulids = {
  test() {
    assert.match(ulid(1469918176385), /^01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/);
    assert.strictEqual(decodeTime("01ARYZ6S41TSV4RRFFQ69G5FAV"), 1469918176385);
    const next = monotonicFactory();
    const [a, b] = [next(150000), next(150000)];
    assert.ok(a < b);
  },
};

export const uuids = {
  test() {
    assert.deepStrictEqual([v1, v4, v6, v7].map((make) => version(make())), [1, 4, 6, 7]);
    assert.strictEqual(v5("hello.example.com", v5.DNS), "fdda765f-fc57-5604-a269-52a7df8164ec");
    assert.strictEqual(v3("hello.example.com", v3.DNS), "9125a8dc-52ee-365b-a5aa-81b0b3681cf6");
    assert.strictEqual(stringify(parse(NIL)), NIL);
    assert.ok(!validate("fdda765f-fc57-5604-a269-52a7df8164e"));
  },
};
