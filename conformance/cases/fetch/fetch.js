// Rule: stub.fetch(): what the object receives, what the caller gets, and how
// failures arrive. Source: Cloudflare docs "Durable Object Stub", "Fetch handler"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Obj extends DurableObject {
  async fetch(request) {
    const url = new URL(request.url);
    switch (url.pathname) {
      case '/describe':
        return Response.json({
          method: request.method, url: request.url, headers: Object.fromEntries(request.headers),
          body: await request.text(), keys: Object.keys(request),
        });
      case '/echo':
        return new Response(request.body, { headers: { 'x-type': request.headers.get('content-type') ?? 'none' } });
      case '/status':
        return new Response(null, { status: Number(url.searchParams.get('code')), statusText: 'My Text' });
      case '/redirect':
        return Response.redirect('http://x/describe', 302);
      case '/headers': {
        const headers = new Headers({ 'x-one': '1' });
        headers.append('set-cookie', 'a=1');
        headers.append('set-cookie', 'b=2');
        return new Response('h', { headers });
      }
      case '/throw':
        throw Object.assign(new RangeError('broke'), { code: 3 });
      case '/throwString':
        throw 'text';
      case '/reject':
        return Promise.reject(new TypeError('rejected'));
      case '/undefined':
        return undefined;
      case '/string':
        return 'text';
      case '/object':
        return { status: 200 };
      case '/webSocket': {
        const pair = new WebSocketPair();
        pair[1].accept();
        return new Response(null, { status: 101, webSocket: pair[0] });
      }
      case '/null':
        return new Response(null);
      case '/error500':
        return new Response('sorry', { status: 500 });
    }
    return new Response('not found', { status: 404 });
  }
}

export class NoFetch extends DurableObject {
  hello() {
    return 'hello';
  }
}

export class Sync extends DurableObject {
  fetch(request) {
    if (request.url.endsWith('/string')) return 'text';
    if (request.url.endsWith('/undefined')) return undefined;
    return new Response('sync');
  }
}

const stubOf = (env) => env.Obj.getByName('f');
const describe = async (response) => await (await response).json();

// A GET with a URL only.
export const plainGet = {
  async test(ctrl, env) {
    const seen = await describe(stubOf(env).fetch('http://x/describe?q=1'));
    assert.deepStrictEqual([seen.method, seen.url, seen.body], ['GET', 'http://x/describe?q=1', '']);
  },
};

// A URL object is accepted.
export const urlObject = {
  async test(ctrl, env) {
    assert.strictEqual((await describe(stubOf(env).fetch(new URL('http://x/describe')))).url, 'http://x/describe');
  },
};

// A Request is accepted, with its method, headers and body.
export const requestObject = {
  async test(ctrl, env) {
    const request = new Request('http://x/describe', { method: 'PUT', headers: { 'X-A': 'b' }, body: 'data' });
    const seen = await describe(stubOf(env).fetch(request));
    assert.deepStrictEqual([seen.method, seen.headers['x-a'], seen.body], ['PUT', 'b', 'data']);
    assert.strictEqual(request.bodyUsed, true);
  },
};

// The init object overrides the Request.
export const requestAndInit = {
  async test(ctrl, env) {
    const seen = await describe(stubOf(env).fetch(new Request('http://x/describe'), { method: 'DELETE', headers: { y: 'z' } }));
    assert.deepStrictEqual([seen.method, seen.headers.y], ['DELETE', 'z']);
  },
};

// A Request has no own enumerable properties.
export const requestKeys = {
  async test(ctrl, env) {
    assert.deepStrictEqual((await describe(stubOf(env).fetch('http://x/describe'))).keys, []);
  },
};

// A plain GET brings no headers.
export const noHeaders = {
  async test(ctrl, env) {
    assert.deepStrictEqual((await describe(stubOf(env).fetch('http://x/describe'))).headers, {});
  },
};

// The host and the scheme of the URL are free.
export const anyHost = {
  async test(ctrl, env) {
    assert.strictEqual((await describe(stubOf(env).fetch('https://no.such.host:81/describe'))).url,
      'https://no.such.host:81/describe');
  },
};

// The object does not see the fragment of the URL.
export const fragment = {
  async test(ctrl, env) {
    assert.strictEqual((await describe(stubOf(env).fetch('http://x/describe#frag'))).url, 'http://x/describe');
  },
};

// Request bodies of every kind, with the content type each implies.
const body = (make, type, text) => ({
  async test(ctrl, env) {
    const response = await stubOf(env).fetch('http://x/echo', { method: 'POST', body: make() });
    assert.strictEqual(response.headers.get('x-type'), type);
    assert.strictEqual(await response.text(), text);
  },
});
export const bodyString = body(() => 'text\u00e9', 'text/plain;charset=UTF-8', 'text\u00e9');
export const bodyEmptyString = body(() => '', 'text/plain;charset=UTF-8', '');
export const bodyBuffer = body(() => new TextEncoder().encode('abc').buffer, 'none', 'abc');
export const bodyView = body(() => new TextEncoder().encode('xabcx').subarray(1, 4), 'none', 'abc');
export const bodyBlob = body(() => new Blob(['a', 'b'], { type: 'x/y' }), 'x/y', 'ab');
export const bodyParams = body(() => new URLSearchParams({ a: '1 2' }),
  'application/x-www-form-urlencoded;charset=UTF-8', 'a=1+2');
export const bodyStream = body(() => new Blob(['streamed']).stream(), 'none', 'streamed');

// Status and status text.
export const status = {
  async test(ctrl, env) {
    const response = await stubOf(env).fetch('http://x/status?code=418');
    assert.deepStrictEqual([response.status, response.statusText, response.ok], [418, 'My Text', false]);
  },
};

// A 500 is a response like others.
export const status500 = {
  async test(ctrl, env) {
    const response = await stubOf(env).fetch('http://x/error500');
    assert.deepStrictEqual([response.status, await response.text()], [500, 'sorry']);
  },
};

// A null body reads as empty.
export const nullBody = {
  async test(ctrl, env) {
    const response = await stubOf(env).fetch('http://x/null');
    assert.strictEqual(response.status, 200);
    assert.strictEqual(await response.text(), '');
  },
};

// Headers, several Set-Cookie among them.
export const responseHeaders = {
  async test(ctrl, env) {
    const response = await stubOf(env).fetch('http://x/headers');
    assert.strictEqual(response.headers.get('X-One'), '1');
    assert.deepStrictEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
  },
};

// Redirects are followed, to the same object.
export const redirectFollow = {
  async test(ctrl, env) {
    const response = await stubOf(env).fetch('http://x/redirect');
    assert.deepStrictEqual([response.status, response.redirected, response.url], [200, true, 'http://x/describe']);
  },
};

// redirect: "manual" gives the redirect itself.
export const redirectManual = {
  async test(ctrl, env) {
    const response = await stubOf(env).fetch('http://x/redirect', { redirect: 'manual' });
    assert.deepStrictEqual([response.status, response.headers.get('location')], [302, 'http://x/describe']);
  },
};

// A throw: class and message and remote; no durableObjectId.
export const throwsError = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).fetch('http://x/throw'), RangeError, 'broke', { code: 3, remote: true });
  },
};

// A rejected promise is the same as a throw.
export const rejects = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).fetch('http://x/reject'), TypeError, 'rejected', { remote: true });
  },
};

// A thrown string.
export const throwsString = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).fetch('http://x/throwString'), Error, 'text', { remote: true });
  },
};

// After a throw the stub works.
export const worksAfterThrow = {
  async test(ctrl, env) {
    const stub = stubOf(env);
    await fails(() => stub.fetch('http://x/throw'), RangeError, 'broke', { code: 3, remote: true });
    assert.strictEqual((await stub.fetch('http://x/error500')).status, 500);
  },
};

// What is not a Response is refused.
const notResponse = (path) => ({
  async test(ctrl, env) {
    await fails(() => stubOf(env).fetch('http://x' + path), TypeError,
      "Incorrect type for Promise: the Promise did not resolve to 'Response'.", { remote: true });
  },
});
export const returnsUndefined = notResponse('/undefined');
export const returnsString = notResponse('/string');
export const returnsObject = notResponse('/object');

// A handler that is not async: another message.
export const syncNotResponse = {
  async test(ctrl, env) {
    for (const path of ['/string', '/undefined']) {
      await fails(() => env.Sync.getByName('x').fetch('http://x' + path), TypeError,
        "Callback returned incorrect type; expected 'Promise'", { remote: true });
    }
  },
};

// A WebSocket without an upgrade request.
export const unexpectedWebSocket = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).fetch('http://x/webSocket'), TypeError,
      'Worker tried to return a WebSocket in a response to a request which did not contain the header "Upgrade: websocket".',
      { remote: true });
  },
};

// A class without fetch().
export const noHandler = {
  async test(ctrl, env) {
    await fails(() => env.NoFetch.getByName('x').fetch('http://x/'), Error,
      'Handler does not export a fetch() function.', { remote: true });
  },
};

// fetch() need not be async.
export const syncHandler = {
  async test(ctrl, env) {
    assert.strictEqual(await (await env.Sync.getByName('x').fetch('http://x/')).text(), 'sync');
  },
};

// A relative URL is refused by a rejection.
export const relativeUrl = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).fetch('/x'), TypeError, 'Invalid URL: /x');
  },
};

// fetch() without arguments is refused.
export const noArguments = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).fetch(), TypeError,
      "Failed to execute 'fetch' on 'Fetcher': parameter 1 is not of type 'Request or string'.");
  },
};

// A GET with a body is refused.
export const getWithBody = {
  async test(ctrl, env) {
    await fails(() => stubOf(env).fetch('http://x/', { body: 'b' }), TypeError,
      'Request with a GET or HEAD method cannot have a body.');
  },
};

// A used body cannot be sent again.
export const usedBody = {
  async test(ctrl, env) {
    const request = new Request('http://x/describe', { method: 'POST', body: 'b' });
    await request.text();
    await fails(() => stubOf(env).fetch(request), TypeError, /^Cannot reconstruct a Request with a used body\./);
  },
};

// An aborted signal: a DOMException, marked retryable.
export const abortedSignal = {
  async test(ctrl, env) {
    const error = await fails(() => stubOf(env).fetch('http://x/describe', { signal: AbortSignal.abort() }),
      DOMException, 'The operation was aborted', { retryable: true });
    assert.strictEqual(error.name, 'AbortError');
  },
};

// An aborted signal with a reason of one's own.
export const abortedWithReason = {
  async test(ctrl, env) {
    const reason = new RangeError('mine');
    await fails(() => stubOf(env).fetch('http://x/describe', { signal: AbortSignal.abort(reason) }),
      RangeError, 'mine');
  },
};

// The promise of fetch is an ordinary one.
export const ordinaryPromise = {
  async test(ctrl, env) {
    const promise = stubOf(env).fetch('http://x/null');
    assert.ok(promise instanceof Promise);
    await promise;
  },
};

// A String object is text, although it can be iterated.
export const stringObjectAsBody = {
  async test() {
    const res = new Response(new String('abc'));
    assert.deepStrictEqual([res.headers.get('content-type'), await res.text()], ['text/plain;charset=UTF-8', 'abc']);
    assert.strictEqual(await new Request('http://x/', { method: 'POST', body: new (class extends String {})('sub') }).text(), 'sub');
    await assert.rejects(() => new Response(['a']).text(), { name: 'TypeError', message: 'This ReadableStream did not return bytes.' });
  },
};
