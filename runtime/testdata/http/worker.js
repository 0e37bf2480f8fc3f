import { DurableObject } from "cloudflare:workers";

const enc = new TextEncoder();

function slowly(chunks) {
  let i = 0;
  return new ReadableStream({
    async pull(c) {
      await scheduler.wait(1);
      if (i === chunks.length) c.close();
      else c.enqueue(enc.encode(chunks[i++]));
    },
  });
}

function ready(chunks) {
  return new ReadableStream({
    start(c) {
      for (const chunk of chunks) c.enqueue(enc.encode(chunk));
      c.close();
    },
  });
}

// What a handler answers.
const answers = {
  text: () => new Response("hello"),
  bytes: () => new Response(enc.encode("hello")),
  null: () => new Response(null),
  empty: () => new Response(""),
  stream: () => new Response(slowly(["a", "b", "c"])),
  emptyStream: () => new Response(slowly([])),
  fixed() {
    const { readable, writable } = new FixedLengthStream(5);
    const w = writable.getWriter();
    w.write(enc.encode("12345"));
    w.close();
    return new Response(readable);
  },
  streamWithLength: () => new Response(slowly(["ab", "c"]), { headers: { "content-length": "3" } }),
  streamWithWrongLength: () => new Response(slowly(["ab", "c"]), { headers: { "content-length": "5" } }),
  wrongLength: () => new Response("abc", { headers: { "content-length": "7" } }),
  nullWithLength: () => new Response(null, { headers: { "content-length": "10" } }),
  s204: () => new Response(null, { status: 204 }),
  s205: () => new Response(null, { status: 205 }),
  s304: () => new Response(null, { status: 304, headers: { etag: "x", "content-length": "10" } }),
  s404: () => new Response("nope", { status: 404 }),
  redirect: () => Response.redirect("http://x/y", 302),
  gzip: () => new Response("hello hello hello", { headers: { "content-encoding": "gzip" } }),
  gzipStream: () => new Response(slowly(["hello ", "hello"]), { headers: { "content-encoding": "gzip" } }),
  // All of it is there at once.
  gzipReady: () => new Response(ready(["hello ", "hello"]), { headers: { "content-encoding": "gzip" } }),
  streamReady: () => new Response(ready(["hello ", "hello"])),
  deflate: () => new Response("hello", { headers: { "content-encoding": "deflate" } }),
  manual: () => new Response("not gzip", { headers: { "content-encoding": "gzip" }, encodeBody: "manual" }),
  headers() {
    const h = new Headers([["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x", "1"], ["x", "2"]]);
    for (const name of ["Date", "Connection", "Server", "Keep-Alive", "Upgrade", "TE", "Trailer", "Transfer-Encoding", "Proxy-Connection"]) h.set(name, "me");
    h.set("x-utf8", "caf\u00e9");
    return new Response("x", { headers: h });
  },
  html: () => new Response(enc.encode("<html><body>not sniffed</body></html>")),
  throws() { throw new Error("boom"); },
  throwsRetryable() { throw Object.assign(new Error("boom"), { retryable: true }); },
  throwsOverloaded() { throw Object.assign(new Error("boom"), { overloaded: true }); },
  notAResponse: () => 5,
  nothing: () => undefined,
  errorResponse: () => Response.error(),
  streamFails() {
    let i = 0;
    return new Response(new ReadableStream({ async pull(c) { await scheduler.wait(1); i++ ? c.error(new Error("boom")) : c.enqueue(enc.encode("part")); } }));
  },
  async echo(req) {
    const { clientIp, ...cf } = req.cf ?? {};
    return Response.json({
      url: req.url.replace(/:\d{4,5}\//, ":PORT/"), method: req.method, redirect: req.redirect, cf, clientIp: typeof clientIp,
      headers: [...req.headers].map(([k, v]) => k === "host" ? [k, v.replace(/:\d{4,5}$/, ":PORT")] : [k, v]),
      body: req.body === null ? null : await req.text(),
    });
  },
  passThrough: (req) => new Response(req.body),
  passThroughScript: (req) => new Response(req.body.pipeThrough(new TransformStream())),
  ignoresBody: () => new Response("ignored"),
  sum: async (req) => {
    let n = 0;
    for await (const c of req.body) n += c.length;
    return new Response(String(n));
  },
  toObject: (req, env) => env.OBJECT.getByName("a").fetch(req),
  toService: (req, env) => env.SELF.fetch(req),
};

function show(e) {
  if (!(e instanceof Error)) return String(e);
  const own = {};
  for (const k of ["retryable", "remote", "code"]) if (k in e) own[k] = e[k];
  return { name: e.name, message: e.message.replace(/reference = \w+/, "reference = R"), ...own };
}

async function result(f) {
  try {
    const r = await f();
    if (!(r instanceof Response)) return r;
    const out = { status: r.status, statusText: r.statusText, url: r.url, redirected: r.redirected, headers: [...r.headers], hasBody: r.body !== null };
    try { out.body = await r.text(); } catch (e) { out.bodyError = show(e); }
    return out;
  } catch (e) {
    return show(e);
  }
}

// What fetch() gives; b is the back end.
const fetches = {
  get: (b) => fetch(b + "/echo?x=1#fragment"),
  post: (b) => fetch(b + "/echo", { method: "POST", body: "abc" }),
  postNothing: (b) => fetch(b + "/echo", { method: "POST" }),
  deleteNothing: (b) => fetch(b + "/echo", { method: "DELETE" }),
  stream: (b) => fetch(b + "/echo", { method: "PUT", body: slowly(["a", "b"]) }),
  wrongLength: (b) => fetch(b + "/echo", { method: "PUT", body: "abc", headers: { "content-length": "7" } }),
  headers: (b) => fetch(b + "/echo", { headers: [["Host", "other"], ["user-agent", "me"], ["Connection", "close"], ["x-a", "1"], ["X-A", "2"], ["te", "x"], ["keep-alive", "1"], ["upgrade", "x"], ["accept-encoding", "br"]] }),
  userInfo: (b) => fetch(b.replace("//", "//u:p@") + "/echo"),
  request: (b) => fetch(new Request(b + "/echo", { method: "PATCH", body: "zz" })),
  gzip: (b) => fetch(b + "/gzip"),
  gzipAgain: async (b) => { const r = await fetch(b + "/gzip"); return new Response(r.body, r); },
  unknownEncoding: (b) => fetch(b + "/encoding"),
  r301: (b) => fetch(b + "/redirect/301"),
  manual: (b) => fetch(b + "/redirect/302", { redirect: "manual" }),
  fragment: (b) => fetch(b + "/redirect/302?to=/echo%23new"),
  crossOrigin: (b) => fetch(b + "/redirect/302?to=" + encodeURIComponent(b.replace("127.0.0.1", "localhost") + "/echo"), { headers: { authorization: "secret", cookie: "c", "x-z": "1" } }),
  loop: (b) => fetch(b + "/loop"),
  noLocation: (b) => fetch(b + "/redirect/302?to="),
  r300: (b) => fetch(b + "/redirect/300"),
  stream307: (b) => fetch(b + "/redirect/307", { method: "POST", body: slowly(["a"]) }),
  stream303: (b) => fetch(b + "/redirect/303", { method: "POST", body: slowly(["a"]) }),
  s204: (b) => fetch(b + "/status/204"),
  s304: (b) => fetch(b + "/status/304"),
  empty: (b) => fetch(b + "/status/200"),
  drop: (b) => fetch(b + "/drop"),
  partial: (b) => fetch(b + "/partial"),
  garbage: (b) => fetch(b + "/garbage"),
  refused: () => fetch("http://127.0.0.1:1/"),
  unknownHost: () => fetch("http://no.such.host.invalid/"),
  ftp: () => fetch("ftp://127.0.0.1/"),
  file: () => fetch("file:///etc/passwd"),
  relative: () => fetch("/x"),
  noArguments: () => fetch(),
  data: () => fetch("data:,A%20b"),
  dataBase64: () => fetch("data:text/html;base64,aGk="),
  dataWithoutComma: () => fetch("data:x"),
  cookies: (b) => fetch(b + "/cookies"),
  chunks: (b) => fetch(b + "/chunks"),
  clone: async (b) => { const r = await fetch(b + "/chunks"); const c = r.clone(); return [await r.text(), await c.text()]; },
  timeout: (b) => fetch(b + "/hang", { signal: AbortSignal.timeout(30) }),
  aborted: (b) => fetch(b + "/echo", { signal: AbortSignal.abort() }),
  abort: (b) => { const c = new AbortController(); setTimeout(() => c.abort(new Error("mine")), 30); return fetch(b + "/hang", { signal: c.signal }); },
  abortBody: async (b) => { const c = new AbortController(); const r = await fetch(b + "/chunks", { signal: c.signal }); c.abort(new Error("mine")); return r; },
  abortWhileReading: async (b) => { const c = new AbortController(); const r = await fetch(b + "/hangBody", { signal: c.signal }); const rd = r.body.getReader(); await rd.read(); setTimeout(() => c.abort(new Error("mine")), 5); return await rd.read(); },
  internet: (b, env) => env.INTERNET.fetch(b + "/echo"),
  denied: (b, env) => env.DENIED.fetch(b + "/echo"),
  server: (b, env) => env.SERVER.fetch("https://whatever:99/echo?q", { headers: { "x-a": "1" } }),
  proxy: (b, env) => env.PROXY.fetch("http://whatever:99/echo?q", { headers: { "x-remove": "1" }, cf: { a: 1 } }),
  service: (b, env) => env.SELF.fetch("http://x/echo#f", { method: "POST", body: "abc", headers: { connection: "close", host: "q" } }),
  serviceStream: (b, env) => env.SELF.fetch("http://x/echo", { method: "POST", body: slowly(["q"]) }),
  serviceRedirect: (b, env) => env.SELF.fetch("http://x/redirectToEcho"),
  serviceGzip: (b, env) => env.SELF.fetch("http://x/gzip"),
  serviceManual: (b, env) => env.SELF.fetch("http://x/manual"),
  serviceStreamFails: (b, env) => env.SELF.fetch("http://x/streamFails"),
  serviceTimeout: (b, env) => env.SELF.fetch("http://x/hang", { signal: AbortSignal.timeout(20) }),
  // What the callee saw: of its request's signal, and of the end of the bodies.
  seen: async (b, env) => {
    log.length = 0;
    await result(() => env.SELF.fetch("http://x/hang", { signal: AbortSignal.timeout(20) }));
    await scheduler.wait(50);
    await result(() => env.SELF.fetch("http://x/ignoresBody", { method: "POST", body: new ReadableStream({ async pull(c) { await scheduler.wait(1); c.enqueue(enc.encode("q")); }, cancel(r) { log.push("body " + r); } }) }));
    await scheduler.wait(50);
    const rd = (await env.SELF.fetch("http://x/endless")).body.getReader();
    await rd.read();
    await rd.cancel(new Error("why"));
    await scheduler.wait(50);
    return [...log];
  },
  object: (b, env) => env.OBJECT.getByName("a").fetch("http://x/echo", { method: "POST", body: "abc" }),
  objectRedirect: (b, env) => env.OBJECT.getByName("a").fetch("http://x/redirectToEcho"),
  objectDrop: (b, env) => env.OBJECT.getByName("a").fetch("http://x/fetches?what=drop&backend=" + encodeURIComponent(b)),
};

for (const status of [301, 302, 303, 307, 308]) {
  for (const method of ["POST", "PUT", "HEAD"]) {
    const body = method === "HEAD" ? undefined : "abc";
    fetches[method + status] = (b) => fetch(b + "/redirect/" + status, { method, body, headers: { "x-y": "1", authorization: "zz" } });
  }
}

const log = [];
Object.assign(answers, {
  redirectToEcho: () => Response.redirect("http://x/echo", 302),
  hang: async (req) => {
    req.signal.addEventListener("abort", () => { log.push(String(req.signal.reason) + " " + req.signal.reason.retryable); });
    for (let i = 0; i < 10_000; i++) await scheduler.wait(5);
    return new Response("late");
  },
  endless: () => new Response(new ReadableStream({ async pull(c) { await scheduler.wait(1); c.enqueue(enc.encode("x")); }, cancel(r) { log.push("cancel " + r); } })),
  signals: (req) => Response.json([req.signal === req.signal, req.clone().signal === req.signal, req.signal.aborted]),
  log: () => Response.json(log.splice(0)),
  names: () => Response.json({ answers: Object.keys(answers), fetches: Object.keys(fetches) }),
  async fetches(req, env) {
    const q = new URL(req.url).searchParams;
    return Response.json(await result(() => fetches[q.get("what")](q.get("backend"), env)));
  },
});

const handler = {
  fetch(req, env, ctx) {
    const name = new URL(req.url).pathname.split("/").pop();
    return answers[name]?.(req, env, ctx) ?? new Response("no such case", { status: 404 });
  },
};

export default { fetch: (req, env, ctx) => answers[new URL(req.url).pathname.split("/")[1]](req, env, ctx) };
export const Named = handler;
export class Echo extends DurableObject {
  fetch(req) { return handler.fetch(req, this.env, this.ctx); }
}
