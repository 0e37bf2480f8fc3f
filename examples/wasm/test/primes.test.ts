import assert from "node:assert";
import { faults, timeline } from "durashim:test";

export const counts = {
  async test(_: unknown, env: any) {
    const primes = env.PRIMES.getByName("sieve");
    // https://oeis.org/A006880
    for (const [n, count] of [[2, 0], [3, 1], [10, 4], [100, 25], [1000, 168], [1_000_000, 78498]]) {
      assert.strictEqual(await primes.below(n), count);
    }
  },
};

export const tooLarge = {
  async test(_: unknown, env: any) {
    await assert.rejects(() => env.PRIMES.getByName("sieve").below(2 ** 31 - 1), { name: "RangeError" });
    // The memory could not grow, and the object lives.
    assert.strictEqual(await env.PRIMES.getByName("sieve").below(100), 25);
  },
};

export const anAnswerSurvivesALostReply = {
  async test(_: unknown, env: any) {
    faults.dropReply({ method: "below" });
    const res = await env.SELF.fetch("http://primes.example/1000");
    assert.deepStrictEqual(await res.json(), { below: 1000, primes: 168 });
    assert.strictEqual(timeline.calls()[0].outcome, "recovered");
  },
};
