// kysely, graphql, ky.
import assert from "node:assert";
import { buildSchema, graphql } from "graphql";
import ky, { HTTPError } from "ky";
import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";

export const kysely = {
  async test() {
    const db = new Kysely<any>({
      dialect: { createAdapter: () => new SqliteAdapter(), createDriver: () => new DummyDriver(), createIntrospector: (d) => new SqliteIntrospector(d), createQueryCompiler: () => new SqliteQueryCompiler() },
    });
    const query = db.selectFrom("person").innerJoin("pet", "pet.owner", "person.id").select(["person.id", sql<string>`upper(name)`.as("n")]).where("person.id", "in", [1, 2]).orderBy("n", "desc").limit(5).compile();
    assert.strictEqual(query.sql, 'select "person"."id", upper(name) as "n" from "person" inner join "pet" on "pet"."owner" = "person"."id" where "person"."id" in (?, ?) order by "n" desc limit ?');
    assert.deepStrictEqual(query.parameters, [1, 2, 5]);
    assert.strictEqual(db.insertInto("x").values({ id: 1, s: "a" }).onConflict((oc) => oc.column("id").doUpdateSet({ s: "b" })).returningAll().compile().sql,
      'insert into "x" ("id", "s") values (?, ?) on conflict ("id") do update set "s" = ? returning *');
    assert.deepStrictEqual(await db.selectFrom("person").selectAll().execute(), []);
  },
};

export const queryLanguage = {
  async test() {
    const schema = buildSchema("type Query { hello(name: String = \"x\"): String! items: [Item!]! } type Item { id: ID! n: Int }");
    const rootValue = { hello: ({ name }: any) => `hi ${name}`, items: async () => [{ id: 1, n: 2 }] };
    const run = async (source: string, variableValues?: any) => JSON.stringify(await graphql({ schema, source, variableValues, rootValue }));
    assert.strictEqual(await run("query Q($n: String) { hello(name: $n) items { ...f } } fragment f on Item { id n }", { n: "ann" }), '{"data":{"hello":"hi ann","items":[{"id":"1","n":2}]}}');
    assert.strictEqual(await run("{ nope }"), '{"errors":[{"message":"Cannot query field \\"nope\\" on type \\"Query\\".","locations":[{"line":1,"column":3}]}]}');
    assert.strictEqual(await run("{ hello"), '{"errors":[{"message":"Syntax Error: Expected Name, found <EOF>.","locations":[{"line":1,"column":8}]}]}');
  },
};

export const requests = {
  async test() {
    let n = 0;
    const fetch = async (input: any, init: any) => {
      n++;
      const req = new Request(input, init);
      return req.url.includes("fail") ? new Response("no", { status: 500 }) : Response.json({ url: req.url, method: req.method, body: await req.text(), type: req.headers.get("content-type") });
    };
    const api = ky.create({ retry: { limit: 2, delay: () => 1 }, fetch });
    assert.deepStrictEqual(await api.post("https://x.example/things", { json: { a: 1 }, searchParams: { q: "1 2" } }).json(), {
      url: "https://x.example/things?q=1+2", method: "POST", body: '{"a":1}', type: "application/json",
    });
    n = 0;
    await assert.rejects(() => api.get("https://x.example/fail").json(), (e: any) => e instanceof HTTPError && e.response.status === 500);
    assert.strictEqual(n, 3);
    await assert.rejects(() => ky.get("https://x.example/", { timeout: 20, retry: 0, fetch: () => new Promise(() => {}) }), { name: "TimeoutError" });
  },
};
