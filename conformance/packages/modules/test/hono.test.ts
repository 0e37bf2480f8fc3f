import assert from "node:assert";
import { Hono } from "hono";
import { basicAuth } from "hono/basic-auth";
import { getCookie, getSignedCookie, setCookie, setSignedCookie } from "hono/cookie";
import { compress } from "hono/compress";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { sign, verify } from "hono/jwt";
import { secureHeaders } from "hono/secure-headers";
import { streamSSE, streamText } from "hono/streaming";
import { timeout } from "hono/timeout";
import { validator } from "hono/validator";

export const routing = {
  async test() {
    const app = new Hono<any>()
      .get("/posts/:id{[0-9]+}", (c) => c.json({ id: c.req.param("id"), q: c.req.queries("q") }))
      .get("/posts/*", (c) => c.text("rest of " + c.req.path))
      .on(["PUT", "PATCH"], "/posts/:id", async (c) => c.json(await c.req.json()))
      .get("/env", (c) => c.text(c.env.NAME))
      .notFound((c) => c.text("lost", 404))
      .onError((e, c) => (e instanceof HTTPException ? e.getResponse() : c.text(e.message, 500)));
    app.route("/v1", new Hono().get("/boom", () => { throw new Error("boom"); }).get("/gone", () => { throw new HTTPException(410, { message: "gone" }); }));
    const get = async (path: string, init?: RequestInit) => {
      const res = await app.request(path, init, { NAME: "env" });
      return `${res.status} ${await res.text()}`;
    };
    assert.strictEqual(await get("/posts/12?q=a&q=b"), '200 {"id":"12","q":["a","b"]}');
    assert.strictEqual(await get("/posts/x/y"), "200 rest of /posts/x/y");
    assert.strictEqual(await get("/posts/1", { method: "PATCH", body: '{"a":1}' }), '200 {"a":1}');
    assert.strictEqual(await get("/posts/1", { method: "DELETE" }), "404 lost");
    assert.strictEqual(await get("/env"), "200 env");
    assert.strictEqual(await get("/v1/boom"), "500 boom");
    assert.strictEqual(await get("/v1/gone"), "410 gone");
  },
};

export const middleware = {
  async test() {
    const seen: string[] = [];
    const app = new Hono<any>();
    app.use(secureHeaders(), timeout(1000));
    app.use(async (c, next) => { seen.push("in"); c.set("who", "ann"); await next(); c.header("x-out", "1"); seen.push("out"); });
    app.use("/private/*", basicAuth({ username: "u", password: "p" }));
    app.use("/zip", compress());
    app.get("/private/x", (c) => c.text("in, " + c.var.who));
    app.get("/zip", (c) => c.text("x".repeat(5000)));
    assert.strictEqual((await app.request("/private/x")).status, 401);
    const res = await app.request("/private/x", { headers: { authorization: "Basic " + btoa("u:p") } });
    assert.deepStrictEqual([res.status, await res.text(), res.headers.get("x-out"), res.headers.get("x-frame-options")], [200, "in, ann", "1", "SAMEORIGIN"]);
    assert.deepStrictEqual(seen, ["in", "out", "in", "out"]);
    const zipped = await app.request("/zip", { headers: { "accept-encoding": "gzip" } });
    assert.strictEqual(zipped.headers.get("content-encoding"), "gzip");
    assert.strictEqual(await new Response(zipped.body!.pipeThrough(new DecompressionStream("gzip"))).text(), "x".repeat(5000));
  },
};

export const validators = {
  async test() {
    const app = new Hono();
    app.post("/f", validator("form", (v, c) => (typeof v.name === "string" ? { name: v.name } : c.text("no name", 400))), (c) => c.text(c.req.valid("form").name));
    app.get("/q", validator("query", (v) => ({ n: Number(v.n) })), (c) => c.json(c.req.valid("query")));
    app.get("/h", validator("header", (v) => v), (c) => c.text(c.req.valid("header")["x-a"]));
    const form = new FormData();
    form.append("name", "é");
    assert.strictEqual(await (await app.request("/f", { method: "POST", body: form })).text(), "é");
    assert.strictEqual((await app.request("/f", { method: "POST", body: new URLSearchParams({ a: "b" }) })).status, 400);
    assert.deepStrictEqual(await (await app.request("/q?n=5")).json(), { n: 5 });
    assert.strictEqual(await (await app.request("/h", { headers: { "X-A": "1" } })).text(), "1");
  },
};

export const streams = {
  async test() {
    const app = new Hono();
    app.get("/sse", (c) => streamSSE(c, async (s) => { for (let i = 0; i < 2; i++) { await s.writeSSE({ data: `d${i}`, event: "e", id: String(i) }); await s.sleep(1); } }));
    app.get("/text", (c) => streamText(c, async (s) => { await s.write("a"); await s.sleep(2); await s.writeln("b"); }));
    assert.strictEqual(await (await app.request("/sse")).text(), "event: e\ndata: d0\nid: 0\n\nevent: e\ndata: d1\nid: 1\n\n");
    assert.strictEqual(await (await app.request("/text")).text(), "ab\n");
  },
};

export const cookiesTokensAndHtml = {
  async test() {
    const app = new Hono();
    app.get("/set", async (c) => {
      setCookie(c, "a", "b c", { httpOnly: true, maxAge: 10, sameSite: "Lax" });
      await setSignedCookie(c, "s", "v", "secret");
      return c.html(html`<p>${"<&>"}${Promise.resolve("later")}</p>`);
    });
    app.get("/get", async (c) => c.json([getCookie(c, "a"), await getSignedCookie(c, "secret", "s")]));
    const set = await app.request("/set");
    assert.strictEqual(await set.text(), "<p>&lt;&amp;&gt;later</p>");
    assert.strictEqual(set.headers.getSetCookie()[0], "a=b%20c; Max-Age=10; Path=/; HttpOnly; SameSite=Lax");
    const cookie = set.headers.getSetCookie().map((c) => c.split(";")[0]).join("; ");
    assert.deepStrictEqual(await (await app.request("/get", { headers: { cookie } })).json(), ["b c", "v"]);
    const token = await sign({ sub: "a", exp: 9999999999 }, "k", "HS256");
    assert.deepStrictEqual(await verify(token, "k", "HS256"), { sub: "a", exp: 9999999999 });
    await assert.rejects(() => verify(token, "other", "HS256"), { name: "JwtTokenSignatureMismatched" });
  },
};
