// Rule: what belongs to a request or an object cannot be made before there is one: while
// the script loads. Source: workerd behaviour; Cloudflare docs "Workers: errors".
import assert from 'node:assert';
import { DurableObject, env, exports, RpcStub, RpcTarget, waitUntil } from 'cloudflare:workers';

export class Obj extends DurableObject {
  hello() {
    return 'hello';
  }
}

const attempts = {
  response: () => new Response('text'),
  responseOfStream: () => new Response(new Blob(['x']).stream()),
  request: () => new Request('http://x/', { method: 'POST', body: 'a' }),
  identity: () => new IdentityTransformStream(),
  compression: () => new CompressionStream('gzip'),
  blobStream: () => new Blob(['x']).stream(),
  getByName: () => env.Obj.getByName('x'),
  get: () => env.Obj.get(env.Obj.idFromName('x')),
  rpcStub: () => new RpcStub(new RpcTarget()),
  call: () => env.Self.hello(),
  waitUntil: () => waitUntil(Promise.resolve(1)),
  timeoutSignal: () => AbortSignal.timeout(5),
  timer: () => setTimeout(() => {}, 1),
  fetch: () => env.Self.fetch('http://x/'),
  globalFetch: () => fetch('http://x/'),
  wait: () => scheduler.wait(1),
  emptyResponse: () => new Response(null),
  emptyRequest: () => new Request('http://x/'),
  scriptStream: () => new ReadableStream(),
  controller: () => new AbortController(),
  idFromName: () => env.Obj.idFromName('x'),
  exports: () => Object.keys(exports),
};

const thrown = {};
const rejected = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    const made = attempt();
    if (made instanceof Promise) made.catch((e) => { rejected[name] = e; });
    else thrown[name] = null;
  } catch (e) {
    thrown[name] = e;
  }
}

const message = 'Disallowed operation called within global scope. Asynchronous I/O (ex: fetch() or connect()), setting a timeout, '
  + 'and generating random values are not allowed within global scope. To fix this error, perform this operation within a handler. '
  + 'https://developers.cloudflare.com/workers/runtime-apis/handlers/';

const throws = (name) => ({
  test() {
    assert.strictEqual(thrown[name]?.constructor, Error);
    assert.strictEqual(thrown[name].message, message);
  },
});
const rejects = (name) => ({
  test() {
    assert.strictEqual(rejected[name]?.constructor, Error);
    assert.strictEqual(rejected[name].message, message);
  },
});
const works = (name) => ({
  test() {
    assert.strictEqual(thrown[name], null);
  },
});

// Bodies and the platform's streams.
export const response = throws('response');
export const responseOfStream = throws('responseOfStream');
export const request = throws('request');
export const identity = throws('identity');
export const compression = throws('compression');
export const blobStream = throws('blobStream');

// Stubs and calls.
export const getByName = throws('getByName');
export const get = throws('get');
export const rpcStub = throws('rpcStub');
export const call = throws('call');
export const waitUntilCall = throws('waitUntil');

// Timers.
export const timeoutSignal = throws('timeoutSignal');
export const timer = throws('timer');

// Promises reject.
export const fetchOfStub = rejects('fetch');
export const globalFetch = rejects('globalFetch');
export const wait = rejects('wait');

// What is no I/O can be made.
export const emptyResponse = works('emptyResponse');
export const emptyRequest = works('emptyRequest');
export const scriptStream = works('scriptStream');
export const controller = works('controller');
export const idFromName = works('idFromName');
export const exportsEmpty = works('exports');
