import assert from "node:assert";
import { AutoRouter, error, json, Router, StatusError, withParams } from "itty-router";

const get = (router: any, path: string, init?: RequestInit, ...rest: unknown[]): Promise<Response> =>
  router.fetch(new Request("https://x.example" + path, init), ...rest);

export const routesAndParams = {
  async test() {
    const router = AutoRouter({ base: "/api" });
    router
      .get("/items/:id", ({ id }: any) => ({ id }))
      .get("/files/:path+", ({ params, query }: any) => ({ ...params, ...query }))
      .get("/maybe/:x?", ({ params }: any) => ({ x: params.x ?? "none" }))
      .get("/pics/:name.:ext", ({ params }: any) => params)
      .post("/items", async (req: any) => json(await req.json(), { status: 201 }))
      .all("/any", (req: any) => ({ method: req.method }));
    assert.deepStrictEqual(await (await get(router, "/api/items/7")).json(), { id: "7" });
    assert.deepStrictEqual(await (await get(router, "/api/files/a/b.txt?v=1&w=2&w=3")).json(), { path: "a/b.txt", v: "1", w: ["2", "3"] });
    assert.deepStrictEqual(await (await get(router, "/api/maybe")).json(), { x: "none" });
    assert.deepStrictEqual(await (await get(router, "/api/pics/a.jpg")).json(), { name: "a", ext: "jpg" });
    assert.strictEqual((await get(router, "/api/pics/a")).status, 404);
    const made = await get(router, "/api/items", { method: "POST", body: '{"a":1}' });
    assert.deepStrictEqual([made.status, await made.json()], [201, { a: 1 }]);
    assert.deepStrictEqual(await (await get(router, "/api/any", { method: "DELETE" })).json(), { method: "DELETE" });
    assert.deepStrictEqual(await (await get(router, "/nowhere")).json(), { status: 404, error: "Not Found" });
  },
};

export const errorsAndMiddleware = {
  async test() {
    const seen: string[] = [];
    const router = Router({ before: [withParams], catch: error, finally: [(r: any) => r ?? error(404), json] });
    router
      .all("*", (_: any, env: any) => { seen.push(env.name); })
      .get("/teapot/:n", ({ n }: any) => { throw new StatusError(418, { n }); })
      .get("/boom", () => { throw new Error("boom"); });
    const teapot = await get(router, "/teapot/3", {}, { name: "env" });
    assert.deepStrictEqual([teapot.status, await teapot.json()], [418, { status: 418, error: "Unknown Error", n: "3" }]);
    const boom = await get(router, "/boom", {}, { name: "env2" });
    assert.deepStrictEqual([boom.status, await boom.json()], [500, { status: 500, error: "boom" }]);
    assert.deepStrictEqual(seen, ["env", "env2"]);
  },
};
