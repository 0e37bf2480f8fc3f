// Rule: what crosses in a stream that is an RPC value, and how its ends learn of
// each other; messages with bodies. Source: Cloudflare docs "Remote-procedure call
// (RPC)", "ReadableStream, WritableStream, Request and Response"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject } from 'cloudflare:workers';
import { fails } from 'failure.js';
import { until } from 'until.js';

const text = (chunks) => chunks.map((c) => new TextDecoder().decode(c)).join('');

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) {
    assert.ok(chunk instanceof Uint8Array);
    chunks.push(chunk);
  }
  return text(chunks);
}

export class Obj extends DurableObject {
  async read(stream) {
    return await readAll(stream);
  }
  async cancel(stream) {
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel('the reason');
  }
  echo(value) {
    return value;
  }
  state(stream) {
    return [Object.prototype.toString.call(stream), stream.locked];
  }
  broken() {
    return new ReadableStream({ pull(controller) { controller.error(new RangeError('at the source')); } });
  }
  async write(stream, ...chunks) {
    const writer = stream.getWriter();
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  }
  async abort(stream) {
    const writer = stream.getWriter();
    await writer.write(new Uint8Array([65]));
    await writer.abort(new RangeError('the reason'));
  }
  describe(response) {
    return [response.status, response.url, response.ok, response.body === null];
  }
  empty() {
    return new Response(null, { status: 204 });
  }
  request() {
    return new Request('http://y/', { method: 'PUT', body: 'sent' });
  }
}

const stubOf = (env) => env.Obj.getByName('bodies');
const remote = (env) => ({ remote: true, durableObjectId: stubOf(env).id.toString() });
const premature = 'ReadableStream received over RPC disconnected prematurely.';
const source = (...chunks) => new ReadableStream({ start(controller) {
  for (const chunk of chunks) controller.enqueue(chunk);
  controller.close();
} });

function sink() {
  const log = [];
  const stream = new WritableStream({
    write(chunk) {
      log.push(chunk instanceof ArrayBuffer ? text([chunk]) : chunk);
    },
    close() {
      log.push('closed');
    },
    abort(reason) {
      log.push('aborted', reason);
    },
  });
  return { log, stream };
}

// Bytes and strings cross, as bytes.
export const readable = {
  async test(ctrl, env) {
    assert.strictEqual(await stubOf(env).read(source('ab', 'cd')), 'abcd');
    assert.strictEqual(await stubOf(env).read(source(new Uint8Array([65]), new ArrayBuffer(1))), 'A\0');
    assert.strictEqual(await readAll(await stubOf(env).echo(source('back'))), 'back');
    assert.deepStrictEqual(await stubOf(env).state(source('x')), ['[object ReadableStream]', false]);
  },
};

// Other chunks break the stream off, and so does an error of the source.
export const readableBroken = {
  async test(ctrl, env) {
    for (const chunk of [{ a: 1 }, 5]) await fails(() => stubOf(env).read(source(chunk)), Error, premature, remote(env));
    const failing = new ReadableStream({ pull(controller) { controller.error(new RangeError('mine')); } });
    await fails(() => stubOf(env).read(failing), Error, premature, remote(env));
    const result = await stubOf(env).broken();
    await fails(() => readAll(result), Error, premature);
  },
};

// The source does not learn why its reader gave up.
export const readableCancelled = {
  async test(ctrl, env) {
    const reasons = [];
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array([65]));
      },
      cancel(reason) {
        reasons.push(String(reason));
      },
    });
    await stubOf(env).cancel(stream);
    await until(() => reasons.length > 0);
    assert.deepStrictEqual(reasons, ['Error: Network connection lost.']);
    assert.ok(stream.locked);
  },
};

// Chunks arrive in an ArrayBuffer.
export const writable = {
  async test(ctrl, env) {
    for (const [chunk, want] of [[new Uint8Array([65]), 'A'], [new Uint8Array([66]).buffer, 'B'], ['C', 'C'], [new Uint16Array([0x4545]), 'EE']]) {
      const { log, stream } = sink();
      await stubOf(env).write(stream, chunk);
      assert.deepStrictEqual(log, [want, 'closed']);
      assert.ok(stream.locked);
    }
    assert.deepStrictEqual(await stubOf(env).state(sink().stream), ['[object WritableStream]', false]);
  },
};

// Objects do not cross.
export const writableObject = {
  async test(ctrl, env) {
    const { log, stream } = sink();
    await fails(() => stubOf(env).write(stream, { a: 1 }), TypeError, 'This TransformStream is being used as a byte stream, ' +
      'but received an object of non-ArrayBuffer/ArrayBufferView type on its writable side.', remote(env));
    assert.deepStrictEqual(log, []);
  },
};

// An error of the sink is the writer's; the reason of an abort stays behind.
export const writableFails = {
  async test(ctrl, env) {
    const failing = new WritableStream({ write() { throw new RangeError('in sink'); } });
    await fails(() => stubOf(env).write(failing, new Uint8Array([1]), new Uint8Array([2])), RangeError, 'in sink', remote(env));
    const { log, stream } = sink();
    await stubOf(env).abort(stream);
    await until(() => log.length >= 3);
    assert.deepStrictEqual(log.slice(0, 2), ['A', 'aborted']);
    assert.strictEqual(log[2].message, 'WritableStream received over RPC was disconnected because the remote execution context has ended.');
  },
};

// A stream that comes back.
export const writableResult = {
  async test(ctrl, env) {
    const { log, stream } = sink();
    const writer = (await stubOf(env).echo(stream)).getWriter();
    await writer.write(new Uint8Array([70]));
    await writer.close();
    await until(() => log.length === 2);
    assert.deepStrictEqual(log, ['F', 'closed']);
  },
};

// Locked streams.
export const locked = {
  async test(ctrl, env) {
    const { stream } = sink();
    stream.getWriter();
    await fails(() => stubOf(env).echo(stream), TypeError, 'This WritableStream is currently locked to a writer.');
    const used = new Response('x');
    await used.text();
    await fails(() => stubOf(env).echo(used), TypeError, 'The ReadableStream has been locked to a reader.');
  },
};

// A Response and a Request give their bodies away.
export const messages = {
  async test(ctrl, env) {
    const response = new Response('abc');
    assert.deepStrictEqual(await stubOf(env).describe(response), [200, '', true, false]);
    assert.ok(response.bodyUsed);
    const empty = await stubOf(env).empty();
    assert.deepStrictEqual([empty.status, empty.body], [204, null]);
    const request = await stubOf(env).request();
    assert.deepStrictEqual([request.method, request.url, await request.text()], ['PUT', 'http://y/', 'sent']);
  },
};

// Inside other values.
export const nested = {
  async test(ctrl, env) {
    const out = await stubOf(env).echo({ list: [source('n')], response: new Response('q') });
    assert.strictEqual(await readAll(out.list[0]), 'n');
    assert.strictEqual(await out.response.text(), 'q');
  },
};
