// toucan-js (Sentry), @tsndr/cloudflare-worker-jwt.
import assert from "node:assert";
import jwt from "@tsndr/cloudflare-worker-jwt";
import { Toucan } from "toucan-js";

export const errorReports = {
  async test() {
    const sent: any[] = [];
    const request = new Request("https://x.example/a?b=1", { headers: { "user-agent": "me" } });
    const sentry = new Toucan({
      dsn: "https://abc@sentry.example/1", request, context: { waitUntil() {}, request } as any,
      transportOptions: { fetcher: async (url: string, init: any) => { sent.push([url, typeof init.body === "string" ? init.body : new TextDecoder().decode(init.body)]); return new Response("{}"); } } as any,
    });
    sentry.setTag("a", "b");
    sentry.captureException(new TypeError("boom", { cause: new Error("why") }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const event = JSON.parse(sent[0][1].split("\n")[2]);
    assert.match(sent[0][0], /^https:\/\/sentry\.example\/api\/1\/envelope\//);
    assert.deepStrictEqual(event.exception.values.map((v: any) => `${v.type}: ${v.value}`), ["Error: why", "TypeError: boom"]);
    assert.deepStrictEqual([event.tags, event.request.url, event.request.query_string], [{ a: "b" }, "https://x.example/a", undefined]);
    const frame = event.exception.values[1].stacktrace.frames.at(-1);
    assert.ok(frame.lineno > 0 && frame.colno > 0, JSON.stringify(frame));
  },
};

export const tokens = {
  async test() {
    const token = await jwt.sign({ a: 1, exp: 9999999999 }, "secret");
    assert.strictEqual((await jwt.verify(token, "secret"))?.payload.a, 1);
    assert.strictEqual(await jwt.verify(token, "other"), undefined);
    assert.strictEqual(jwt.decode(token).payload.a, 1);
    const pair: any = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
    const signed = await jwt.sign({ b: 2 }, (await crypto.subtle.exportKey("jwk", pair.privateKey)) as any, { algorithm: "ES256" });
    assert.ok(await jwt.verify(signed, (await crypto.subtle.exportKey("jwk", pair.publicKey)) as any, { algorithm: "ES256" }));
  },
};
