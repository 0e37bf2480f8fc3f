// zod, valibot: what they accept, and what they say of what they do not.
import assert from "node:assert";
import * as v from "valibot";
import { z } from "zod";

export const zodTypes = {
  async test() {
    const schema = z.object({
      name: z.string().min(2), age: z.coerce.number().int(), email: z.email(), id: z.uuid(), at: z.iso.datetime(), mood: z.emoji(),
      role: z.enum(["admin", "user"]).default("user"), tags: z.set(z.string()), big: z.bigint().positive(),
      kind: z.discriminatedUnion("t", [z.object({ t: z.literal("a"), n: z.number() }), z.object({ t: z.literal("b"), s: z.string().transform((s) => s.length) })]),
    });
    const good = { name: "ann", age: "5", email: "a@b.cd", id: "fdda765f-fc57-5604-a269-52a7df8164ec", at: "2026-01-01T00:00:00Z", mood: "😀", tags: new Set(["x"]), big: 5n, kind: { t: "b", s: "four" } };
    assert.deepStrictEqual(schema.parse(good), { ...good, age: 5, role: "user", kind: { t: "b", s: 4 } });
    const bad = schema.safeParse({ ...good, name: "x", age: "y", email: "z", at: "today", mood: "sad", big: -1n, kind: { t: "c" }, tags: new Set([1]) });
    assert.deepStrictEqual(bad.error!.issues.map((i) => [i.path.join("."), i.code, i.message]), [
      ["name", "too_small", "Too small: expected string to have >=2 characters"],
      ["age", "invalid_type", "Invalid input: expected number, received NaN"],
      ["email", "invalid_format", "Invalid email address"],
      ["at", "invalid_format", "Invalid ISO datetime"],
      ["mood", "invalid_format", "Invalid emoji"],
      ["tags", "invalid_type", "Invalid input: expected string, received number"],
      ["big", "too_small", "Too small: expected bigint to be >0"],
      ["kind.t", "invalid_union", "Invalid discriminator value. Expected 'a' | 'b'"],
    ]);
    await assert.rejects(() => z.string().refine(async (s) => s === "x", "not x").parseAsync("y"), (e: any) => e instanceof z.ZodError && e.issues[0].message === "not x");
  },
};

export const zodJsonSchema = {
  test() {
    assert.deepStrictEqual(z.toJSONSchema(z.object({ a: z.number().min(1).optional(), b: z.array(z.string()) })), {
      $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", additionalProperties: false, required: ["b"],
      properties: { a: { type: "number", minimum: 1 }, b: { type: "array", items: { type: "string" } } },
    });
    assert.strictEqual(z.prettifyError(z.object({ a: z.string() }).safeParse({ a: 1 }).error!), "✖ Invalid input: expected string, received number\n  → at a");
  },
};

export const valibot = {
  test() {
    const schema = v.object({
      email: v.pipe(v.string(), v.email()), n: v.pipe(v.number(), v.integer(), v.minValue(2)), at: v.optional(v.date()),
      kind: v.variant("t", [v.object({ t: v.literal("x"), y: v.bigint() }), v.object({ t: v.literal("z") })]), mood: v.pipe(v.string(), v.emoji()),
    });
    const good = { email: "a@b.cd", n: 3, at: new Date(0), kind: { t: "z" }, mood: "😀" };
    assert.deepStrictEqual(v.parse(schema, good), good);
    assert.deepStrictEqual(v.safeParse(schema, { email: "no", n: 1.5, kind: { t: "x", y: 1 }, mood: "a" }).issues!.map((i) => i.message), [
      'Invalid email: Received "no"', "Invalid integer: Received 1.5", "Invalid value: Expected >=2 but received 1.5",
      "Invalid type: Expected bigint but received 1", 'Invalid emoji: Received "a"',
    ]);
  },
};
