// The HTTP front; SELF is the project's own worker.
import assert from "node:assert";
import { faults } from "durashim:test";

const url = (path: string) => `http://inventory.example${path}`;

export const listSetAndAdd = {
  async test(_: unknown, env: any) {
    const put = await env.SELF.fetch(url("/items/apple"), { method: "PUT", body: "5" });
    assert.deepStrictEqual(await put.json(), { apple: 5 });
    const add = await env.SELF.fetch(url("/items/apple/add"), { method: "POST" });
    assert.deepStrictEqual(await add.json(), { apple: 6 });
    const list = await env.SELF.fetch(url("/"));
    assert.deepStrictEqual(await list.json(), { apple: 6 });
  },
};

export const aBadQuantityIsRefused = {
  async test(_: unknown, env: any) {
    const res = await env.SELF.fetch(url("/items/apple"), { method: "PUT", body: "many" });
    assert.strictEqual(res.status, 400);
  },
};

export const aPutSurvivesALostReply = {
  async test(_: unknown, env: any) {
    faults.dropReply({ method: "setQuantity" });
    const res = await env.SELF.fetch(url("/items/apple"), { method: "PUT", body: "5" });
    assert.strictEqual(res.status, 200);
  },
};
