// Rule: streams, Request, Response, Headers and Blob as RPC values. Source:
// Cloudflare docs "Remote-procedure call (RPC)"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';

export class Obj extends DurableObject {
  async readAll(stream) {
    return await new Response(stream).text();
  }
  stream(text) {
    return new Blob([text]).stream();
  }
  async write(stream, text) {
    const writer = stream.getWriter();
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  }
  echo(value) {
    return value;
  }
  async describe(request) {
    return [request.method, request.url, request.headers.get('x-a'), await request.text()];
  }
  response() {
    return new Response('made', { status: 201, headers: { 'x-b': 'c' } });
  }
}

const stubOf = (env) => env.Obj.getByName('streams');

// A ReadableStream as an argument.
export const readableArgument = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).readAll(new Blob(['streamed']).stream()), 'streamed');
  },
};

// A ReadableStream as a result.
export const readableResult = {
  async test(ctrl, env) {
    assert.strictEqual(await new Response(await stubOf(env).stream('result')).text(), 'result');
  },
};

// A WritableStream as an argument.
export const writableArgument = {
  async test(ctrl, env) {
    const { readable, writable } = new IdentityTransformStream();
    const text = new Response(readable).text();
    await stubOf(env).write(writable, 'written');
    assert.strictEqual(await text, 'written');
  },
};

// A locked stream is refused.
export const locked = {
  async test(ctrl, env) {
    const stream = new Blob(['x']).stream();
    stream.getReader();
    await fails(() => stubOf(env).readAll(stream), TypeError, 'The ReadableStream has been locked to a reader.');
  },
};

// Headers.
export const headers = {
  async test(ctrl, env) {
    const out = await stubOf(env).echo(new Headers({ 'X-A': '1' }));
    assert.deepStrictEqual([...out], [['x-a', '1']]);
  },
};

// A Request as an argument.
export const request = {
  async test(ctrl, env) {
    const request = new Request('http://x/path', { method: 'POST', headers: { 'x-a': '1' }, body: 'b' });
    assert.deepStrictEqual(await stubOf(env).describe(request), ['POST', 'http://x/path', '1', 'b']);
  },
};

// A Response as a result.
export const response = {
  async test(ctrl, env) {
    const out = await stubOf(env).response();
    assert.ok(out instanceof Response);
    assert.deepStrictEqual([out.status, out.headers.get('x-b'), await out.text()], [201, 'c', 'made']);
  },
};

// A Blob both ways.
export const blob = {
  async test(ctrl, env) {
    const out = await stubOf(env).echo(new Blob(['abc'], { type: 'x/y' }));
    assert.deepStrictEqual([out.size, out.type, await out.text()], [3, 'x/y', 'abc']);
  },
};
