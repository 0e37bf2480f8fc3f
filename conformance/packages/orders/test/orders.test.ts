// Runs on the real runtime too, so it uses nothing of durashim's own.
import assert from "node:assert";

const url = (path: string) => `https://orders.example${path}`;
const send = (env: any, path: string, method: string, value: unknown) =>
  env.SELF.fetch(url(path), { method, body: JSON.stringify(value), headers: { "content-type": "application/json" } });

const apple = { item: " apple ", quantity: "3", email: "ann@example.com" };

export const placeFindAndList = {
  async test(_: unknown, env: any) {
    const placed = await send(env, "/customers/ann/orders", "POST", apple);
    assert.strictEqual(placed.status, 201);
    assert.strictEqual(placed.headers.get("x-shop"), "corner");
    const order = await placed.json();
    assert.match(order.id, /^[A-Za-z0-9_-]{21}$/);
    assert.strictEqual(placed.headers.get("location"), url(`/customers/ann/orders/${order.id}`));
    assert.deepStrictEqual(
      { ...order, id: 0, placedAt: 0 },
      { item: "apple", quantity: 3, email: "ann@example.com", gift: false, id: 0, state: "placed", placedAt: 0 },
    );
    assert.ok(Math.abs(Date.now() - Date.parse(order.placedAt)) < 60_000);

    const found = await (await env.SELF.fetch(url(`/customers/ann/orders/${order.id}`))).json();
    assert.match(found.receipt, /^[0-9]{6}$/);
    assert.deepStrictEqual(found, { ...order, receipt: found.receipt });
    const list = await env.SELF.fetch(url("/customers/ann/orders"));
    assert.deepStrictEqual(await list.json(), [order]);
    assert.deepStrictEqual(await (await env.SELF.fetch(url("/customers/bob/orders"))).json(), []);
  },
};

export const aBodyThatDoesNotFitIsRefused = {
  async test(_: unknown, env: any) {
    const bad = await send(env, "/customers/ann/orders", "POST", { item: "", quantity: 1.5, email: "x", notes: ["a", 2] });
    assert.strictEqual(bad.status, 400);
    assert.deepStrictEqual(await bad.json(), {
      errors: [
        { path: "item", code: "too_small" },
        { path: "quantity", code: "invalid_type" },
        { path: "email", code: "invalid_format" },
        { path: "notes.1", code: "invalid_type" },
      ],
    });
    const broken = await env.SELF.fetch(url("/customers/ann/orders"), {
      method: "POST", body: "{", headers: { "content-type": "application/json" },
    });
    assert.strictEqual(broken.status, 400);
    assert.deepStrictEqual(await broken.json(), { error: "Malformed JSON in request body" });
  },
};

export const statesFollowEachOther = {
  async test(_: unknown, env: any) {
    const { id } = await (await send(env, "/customers/cyd/orders", "POST", apple)).json();
    const change = async (state: string) => {
      const res = await send(env, `/customers/cyd/orders/${id}`, "PATCH", { state });
      return [res.status, await res.json()];
    };
    assert.deepStrictEqual(await change("sent"), [409, { error: "placed cannot become sent" }]);
    assert.strictEqual((await (await env.SELF.fetch(url(`/customers/cyd/orders/${id}`))).json()).state, "placed");
    const [status, paid] = await change("paid");
    assert.deepStrictEqual([status, paid.state], [200, "paid"]);
    assert.strictEqual((await change("lost"))[0], 400);
    const gone = await send(env, "/customers/cyd/orders/nope", "PATCH", { state: "paid" });
    assert.deepStrictEqual([gone.status, await gone.json()], [404, { error: "no order nope" }]);
    const missing = await env.SELF.fetch(url("/customers/cyd/orders/nope"));
    assert.deepStrictEqual([missing.status, await missing.json()], [404, { error: "not found" }]);
  },
};

export const manyAtOnce = {
  async test(_: unknown, env: any) {
    const placed = await Promise.all(Array.from({ length: 40 }, (_, i) => send(env, "/customers/dan/orders", "POST", { ...apple, quantity: i + 1 })));
    const ids = new Set(await Promise.all(placed.map(async (r) => (await r.json()).id)));
    assert.strictEqual(ids.size, 40);
    const list = await (await env.SELF.fetch(url("/customers/dan/orders"))).json();
    assert.deepStrictEqual(list.map((o: any) => o.quantity).sort((a: number, b: number) => a - b), Array.from({ length: 40 }, (_, i) => i + 1));
    assert.deepStrictEqual(new Set(list.map((o: any) => o.id)), ids);
  },
};

export const middleware = {
  async test(_: unknown, env: any) {
    const home = await env.SELF.fetch(url("/"), { headers: { origin: "https://shop.example" } });
    assert.deepStrictEqual([home.headers.get("content-type"), await home.text()], ["text/html; charset=UTF-8", "<h1>orders</h1>"]);
    assert.strictEqual(home.headers.get("access-control-allow-origin"), "https://shop.example");
    const preflight = await env.SELF.fetch(url("/customers/ann/orders"), {
      method: "OPTIONS", headers: { origin: "https://shop.example", "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
    });
    assert.strictEqual(preflight.status, 204);
    assert.strictEqual(preflight.headers.get("access-control-allow-headers"), "content-type");
    assert.strictEqual((await env.SELF.fetch(url("/admin/health"))).status, 401);
    const health = await env.SELF.fetch(url("/admin/health"), { headers: { authorization: "Bearer s3cret" } });
    assert.strictEqual(await health.text(), "fine");
    const search = await env.SELF.fetch(url("/search?q=a%20b&tag=1&tag=%C3%A9"));
    assert.deepStrictEqual(await search.json(), { q: "a b", tags: ["1", "é"] });
  },
};

export const forms = {
  async test(_: unknown, env: any) {
    const form = new FormData();
    form.append("a", "1");
    form.append("a", "2");
    form.append("b", "é");
    const multipart = await env.SELF.fetch(url("/form"), { method: "POST", body: form });
    assert.deepStrictEqual(await multipart.json(), { a: ["1", "2"], b: "é" });
    const encoded = await env.SELF.fetch(url("/form"), { method: "POST", body: new URLSearchParams({ x: "y z" }) });
    assert.deepStrictEqual(await encoded.json(), { x: "y z" });
  },
};

export const entityTags = {
  async test(_: unknown, env: any) {
    await send(env, "/customers/eve/orders", "POST", apple);
    const first = await env.SELF.fetch(url("/customers/eve/orders"));
    const tag = first.headers.get("etag");
    assert.match(tag, /^"[0-9a-f]{40}"$/);
    await first.text();
    const again = await env.SELF.fetch(url("/customers/eve/orders"), { headers: { "if-none-match": tag } });
    assert.strictEqual(again.status, 304);
    assert.strictEqual(await again.text(), "");
  },
};
