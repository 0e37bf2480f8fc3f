// Rule: an I/O object belongs to the request or object that made it. Source:
// Cloudflare docs "Errors and exceptions: cannot perform I/O on behalf of a different request"; workerd behaviour.
import assert from 'node:assert';
import { DurableObject, RpcStub, RpcTarget, WorkerEntrypoint } from 'cloudflare:workers';
import { fails, throws } from 'failure.js';

let shared;

class Target extends RpcTarget {
  hello() {
    return 'hello';
  }
}

export class Service extends WorkerEntrypoint {
  hello() {
    return 'hello';
  }
}

const stream = () => new ReadableStream({
  start(c) {
    c.enqueue(new TextEncoder().encode('script'));
    c.close();
  },
});

const makers = {
  stub: (o) => o.env.Obj.getByName('other'),
  property: (o) => o.env.Obj.getByName('other').hello,
  promise: (o) => o.env.Obj.getByName('other').parts(),
  ownRpcStub: () => new RpcStub(new Target()),
  rpcStub: async (o) => ({ stub: await o.env.Obj.getByName('other').target() }),
  specialised: (o) => o.ctx.exports.Service({ props: {} }),
  loopback: (o) => o.ctx.exports.Service,
  namespace: (o) => o.env.Obj,
  id: (o) => o.ctx.id,
  response: () => new Response('text'),
  fromStream: () => new Response(stream()),
  noBody: () => new Response(null),
  fetched: (o) => o.env.Obj.getByName('other').fetch('http://x/'),
  request: () => new Request('http://x/', { method: 'POST', body: 'text' }),
  body: () => new Response('text').body,
  reader: () => new Response('text').body.getReader(),
  scriptStream: stream,
  identity: () => new IdentityTransformStream(),
  writer: () => new IdentityTransformStream().writable.getWriter(),
  compression: () => new CompressionStream('gzip'),
  blob: () => new Blob(['text']),
  headers: () => new Headers({ a: 'b' }),
  controller: () => new AbortController(),
  wait: () => scheduler.wait(5),
  storage: (o) => o.ctx.storage,
  ctx: (o) => o.ctx,
  object: (o) => o,
  listed: (o) => o.ctx.storage.list(),
  data: () => ({ plain: 1 }),
};

const unawaited = ['promise', 'property', 'wait'];
const uses = {};

export class Obj extends DurableObject {
  async make(kind) {
    const made = makers[kind](this);
    shared = unawaited.includes(kind) ? made : await made;
  }
  hello() {
    return 'hello';
  }
  parts() {
    return { a: 1, f: () => 2 };
  }
  target() {
    return new Target();
  }
  take() {}
  fetch() {
    return new Response('fetched');
  }
  use(name) {
    return uses[name](Object.assign((...args) => failure(true, ...args), { env: this.env }));
  }
}

// The text depends on who uses the thing, whoever it belongs to.
const message = (inObject, type) => (inObject
  ? 'Cannot perform I/O on behalf of a different Durable Object. I/O objects (such as streams, request/response bodies, and '
    + 'others) created in the context of one Durable Object cannot be accessed from a different Durable Object in the same '
    + 'isolate.'
  : 'Cannot perform I/O on behalf of a different request. I/O objects (such as streams, request/response bodies, and others) '
    + "created in the context of one request handler cannot be accessed from a different request's handler.")
  + ` This is a limitation of Cloudflare Workers which allows us to improve overall performance. (I/O type: ${type})`;

async function failure(inObject, type, f, sync = false) {
  if (sync) throws(f, Error, message(inObject, type));
  else await fails(f, Error, message(inObject, type));
}

// What an object made is used by a request, and by another object; what a
// request made, by an object.
function used(name, kind, use) {
  uses[name] = use;
  return {
    async test(ctrl, env, ctx) {
      const maker = env.Obj.getByName('maker');
      await maker.make(kind);
      await use(Object.assign((...args) => failure(false, ...args), { env }));
      await maker.make(kind);
      await env.Obj.getByName('user').use(name);
      if (['storage', 'ctx', 'object', 'listed', 'id'].includes(kind)) return;
      const made = makers[kind]({ env, ctx });
      shared = unawaited.includes(kind) ? made : await made;
      await env.Obj.getByName('user').use(name);
    },
  };
}

// A stub of a namespace: calls and fetch fail, the names of the object can be read.
export const foreignStub = used('foreignStub', 'stub', async (refused) => {
  await refused('OutgoingFactory', () => shared.hello());
  await refused('OutgoingFactory', () => shared.fetch('http://x/'));
  assert.strictEqual(shared.name, 'other');
  assert.strictEqual(typeof shared.hello, 'function');
});

// It can neither be sent nor cloned.
export const foreignStubSent = used('foreignStubSent', 'stub', async (refused) => {
  await refused('OutgoingFactory', () => refused.env.Obj.getByName('z').take(shared));
  await refused('OutgoingFactory', () => structuredClone(shared), true);
});

// A property of such a stub.
export const foreignProperty = used('foreignProperty', 'property', async (refused) => {
  await refused('OutgoingFactory', () => shared);
  await refused('OutgoingFactory', () => shared());
});

// The promise of a call can be awaited anywhere; nothing can be pipelined on it.
export const foreignPromise = used('foreignPromise', 'promise', async (refused) => {
  assert.strictEqual((await shared).a, 1);
  await refused('JsRpcPromise', () => shared.f());
  await refused('JsRpcPromise', () => shared.a);
});

// The stub in its result belongs to who made the call.
export const foreignResult = used('foreignResult', 'promise', async (refused) => {
  const { f } = await shared;
  await refused('Client', () => f());
});

// An RpcStub that was received, and one that was made.
async function useRpcStub(refused, stub) {
  await refused('Client', () => stub.hello());
  await refused('Client', () => stub.hello);
  await refused('Client', () => stub.dup(), true);
  await refused('Client', () => refused.env.Obj.getByName('z').take(stub));
  stub[Symbol.dispose]();
}
export const foreignRpcStub = used('foreignRpcStub', 'rpcStub', (refused) => useRpcStub(refused, shared.stub));
export const foreignOwnStub = used('foreignOwnStub', 'ownRpcStub', (refused) => useRpcStub(refused, shared));

// A stub of ctx.exports can be used anywhere, unless it was given props.
export const loopback = used('loopback', 'loopback', async () => {
  assert.strictEqual(await shared.hello(), 'hello');
});
export const specialised = used('specialised', 'specialised', async (refused) => {
  await refused('SubrequestChannel', () => shared.hello());
});

// Namespaces and ids can be used anywhere.
export const namespace = used('namespace', 'namespace', async () => {
  assert.strictEqual(await shared.getByName('z').hello(), 'hello');
});
export const id = used('id', 'id', async ({ env }) => {
  assert.strictEqual(await env.Obj.get(shared).hello(), 'hello');
});

// The body of a response cannot be read; the rest of it can.
export const foreignResponse = used('foreignResponse', 'response', async (refused) => {
  assert.strictEqual(shared.status, 200);
  assert.strictEqual(shared.headers.get('content-type'), 'text/plain;charset=UTF-8');
  await refused('ReadableStreamSource>', () => shared.text());
  assert.strictEqual(shared.bodyUsed, true);
});
export const foreignClone = used('foreignClone', 'response', async (refused) => {
  await refused('ReadableStreamSource>', () => shared.clone(), true);
});
export const foreignResponseSent = used('foreignResponseSent', 'response', async (refused) => {
  await refused('ReadableStreamSource>', () => refused.env.Obj.getByName('z').take(shared));
});
export const foreignFetched = used('foreignFetched', 'fetched', async (refused) => {
  await refused('ReadableStreamSource>', () => shared.text());
});

// A body of a script's own stream can be read, and one that is none.
export const scriptBody = used('scriptBody', 'fromStream', async () => {
  assert.strictEqual(await shared.text(), 'script');
});
export const noBody = used('noBody', 'noBody', async () => {
  assert.strictEqual(await shared.text(), '');
});

// The body of a request.
export const foreignRequest = used('foreignRequest', 'request', async (refused) => {
  assert.strictEqual(shared.url, 'http://x/');
  await refused('ReadableStreamSource>', () => shared.text());
});
export const foreignRequestSent = used('foreignRequestSent', 'request', async (refused) => {
  await refused('ReadableStreamSource>', () => refused.env.Obj.getByName('z').fetch(shared));
});
export const foreignRequestCopied = used('foreignRequestCopied', 'request', async (refused) => {
  await refused('ReadableStreamSource>', () => new Request(shared), true);
});

// A stream of the platform can be locked, not read.
export const foreignStream = used('foreignStream', 'body', async (refused) => {
  const reader = shared.getReader();
  await refused('ReadableStreamSource>', () => reader.read());
  await refused('ReadableStreamSource>', () => reader.cancel());
});
export const foreignBYOB = used('foreignBYOB', 'body', async (refused) => {
  await refused('ReadableStreamSource>', () => shared.getReader({ mode: 'byob' }).read(new Uint8Array(4)));
});
export const foreignTee = used('foreignTee', 'body', async (refused) => {
  await refused('ReadableStreamSource>', () => shared.tee(), true);
});
export const foreignPipe = used('foreignPipe', 'body', async (refused) => {
  await refused('ReadableStreamSource>', () => shared.pipeTo(new WritableStream()));
});
export const foreignCancel = used('foreignCancel', 'body', async (refused) => {
  await refused('ReadableStreamSource>', () => shared.cancel());
});
export const foreignIteration = used('foreignIteration', 'body', async (refused) => {
  await refused('ReadableStreamSource>', async () => {
    for await (const chunk of shared) assert.fail(String(chunk));
  });
});
export const foreignStreamSent = used('foreignStreamSent', 'body', async (refused) => {
  await refused('ReadableStreamSource>', () => refused.env.Obj.getByName('z').take(shared));
});
export const foreignReader = used('foreignReader', 'reader', async (refused) => {
  await refused('ReadableStreamSource>', () => shared.read());
});

// A stream of a script's can be read anywhere.
export const scriptStream = used('scriptStream', 'scriptStream', async () => {
  assert.strictEqual(new TextDecoder().decode((await shared.getReader().read()).value), 'script');
});

// Both ends of the platform's transforms.
export const foreignTransform = used('foreignTransform', 'identity', async (refused) => {
  await refused('Writable', () => shared.writable.getWriter().write(new Uint8Array(1)));
  await refused('ReadableStreamSource>', () => shared.readable.getReader().read());
});
export const foreignWriter = used('foreignWriter', 'writer', async (refused) => {
  await refused('Writable', () => shared.write(new Uint8Array(1)));
  await refused('Writable', () => shared.abort());
});
export const foreignCompression = used('foreignCompression', 'compression', async (refused) => {
  await refused('ReadableStreamSource>', () => shared.readable.getReader().read());
});

// The storage of another object; methods of the instance run in the caller's context.
export const foreignStorage = used('foreignStorage', 'storage', async (refused) => {
  await refused('ActorCacheInterface', () => shared.get('a'));
  await refused('ActorCacheInterface', () => shared.put('a', 1));
  await refused('ActorCacheInterface', () => shared.list());
  await refused('ActorCacheInterface', () => shared.deleteAll());
  await refused('ActorCacheInterface', () => shared.transaction(() => {}));
  await refused('ActorCacheInterface', () => shared.sync());
});
export const foreignInstance = used('foreignInstance', 'object', async (refused) => {
  assert.strictEqual(shared.hello(), 'hello');
  await refused('ActorCacheInterface', () => shared.ctx.storage.get('a'));
  assert.strictEqual(await shared.env.Obj.getByName('z').hello(), 'hello');
});

// The ctx of another object: it cannot be aborted; waitUntil() is that of the code that runs.
export const foreignAbort = used('foreignAbort', 'ctx', async (refused) => {
  await refused('ActorCacheInterface', () => shared.abort('why'), true);
  assert.strictEqual(await refused.env.Obj.getByName('maker').hello(), 'hello');
});
export const foreignWaitUntil = used('foreignWaitUntil', 'ctx', async () => {
  assert.strictEqual(shared.waitUntil(Promise.resolve()), undefined);
  assert.strictEqual(String(shared.id).length, 64);
});
export const foreignBlock = {
  async test(ctrl, env) {
    await env.Obj.getByName('maker').make('ctx');
    assert.strictEqual(await env.Obj.getByName('user').use('foreignBlock'), 5);
  },
};
uses.foreignBlock = () => shared.blockConcurrencyWhile(async () => 5);

// What is no I/O may be shared.
export const plainData = used('plainData', 'data', () => assert.deepStrictEqual(shared, { plain: 1 }));
export const listed = used('listed', 'listed', () => assert.strictEqual(shared.size, 0));
export const headers = used('headers', 'headers', () => assert.strictEqual(shared.get('a'), 'b'));
export const blob = used('blob', 'blob', async () => assert.strictEqual(await shared.text(), 'text'));
export const wait = used('wait', 'wait', async () => assert.strictEqual(await shared, undefined));
export const controller = used('controller', 'controller', () => {
  shared.abort('why');
  assert.strictEqual(shared.signal.reason, 'why');
});
