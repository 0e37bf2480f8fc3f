// Rule: what stands on the global object and what on its prototypes. Source: workerd.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

const scope = Object.getPrototypeOf(globalThis);

// The platform's classes and functions are properties of the global object's prototype.
export const prototypeNames = {
  async test() {
    assert.deepStrictEqual(Object.getOwnPropertyNames(scope).filter((name) => name !== 'constructor'), [
      'DOMException',
      'WorkerGlobalScope',
      'btoa',
      'atob',
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'queueMicrotask',
      'structuredClone',
      'reportError',
      'fetch',
      'Event',
      'ExtendableEvent',
      'CustomEvent',
      'PromiseRejectionEvent',
      'FetchEvent',
      'TailEvent',
      'TraceEvent',
      'ScheduledEvent',
      'MessageEvent',
      'CloseEvent',
      'ReadableStreamDefaultReader',
      'ReadableStreamBYOBReader',
      'ReadableStream',
      'WritableStream',
      'WritableStreamDefaultWriter',
      'TransformStream',
      'ByteLengthQueuingStrategy',
      'CountQueuingStrategy',
      'ErrorEvent',
      'MessageChannel',
      'MessagePort',
      'EventSource',
      'ReadableStreamBYOBRequest',
      'ReadableStreamDefaultController',
      'ReadableByteStreamController',
      'WritableStreamDefaultController',
      'TransformStreamDefaultController',
      'setImmediate',
      'clearImmediate',
      'CompressionStream',
      'DecompressionStream',
      'TextEncoderStream',
      'TextDecoderStream',
      'Headers',
      'Body',
      'Request',
      'Response',
      'WebSocket',
      'WebSocketPair',
      'WebSocketRequestResponsePair',
      'AbortController',
      'AbortSignal',
      'TextDecoder',
      'TextEncoder',
      'Navigator',
      'URL',
      'URLSearchParams',
      'URLPattern',
      'Blob',
      'File',
      'FormData',
      'Crypto',
      'SubtleCrypto',
      'CryptoKey',
      'CacheStorage',
      'Cache',
      'FixedLengthStream',
      'IdentityTransformStream',
      'HTMLRewriter',
      'Performance',
      'PerformanceEntry',
      'PerformanceMark',
      'PerformanceMeasure',
      'PerformanceResourceTiming',
      'PerformanceObserver',
      'PerformanceObserverEntryList',
    ]);
  },
};

// All of them are writable, enumerable and configurable, except for the constructor.
export const prototypeFlags = {
  async test() {
    const flags = new Set();
    for (const [name, d] of Object.entries(Object.getOwnPropertyDescriptors(scope))) if (name !== 'constructor') flags.add(`${d.writable} ${d.enumerable} ${d.configurable}`);
    assert.deepStrictEqual([...flags], ['true true true']);
  },
};

// What the platform has on the global object itself.
export const ownFlags = {
  async test() {
    const names = ['navigator', 'global', 'process', 'Buffer', 'origin', 'performance', 'scheduler', 'caches', 'crypto', 'self', 'console', 'WebAssembly', 'ServiceWorkerGlobalScope', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'];
    assert.deepStrictEqual(names.map((name) => {
      const d = Object.getOwnPropertyDescriptor(globalThis, name);
      return `${name} ${d.writable} ${d.enumerable} ${d.configurable}`;
    }), [
      'navigator true true true',
      'global true true true',
      'process true true true',
      'Buffer true true true',
      'origin false true true',
      'performance true true true',
      'scheduler true true true',
      'caches true true true',
      'crypto true true true',
      'self true true true',
      'console true false true',
      'WebAssembly true false true',
      'ServiceWorkerGlobalScope true true true',
      'setTimeout true true true',
      'setInterval true true true',
      'clearTimeout true true true',
      'clearInterval true true true',
    ]);
  },
};

// Classes are no own properties.
export const inherited = {
  async test() {
    assert.deepStrictEqual(
      [Object.hasOwn(globalThis, 'Headers'), 'Headers' in globalThis, Object.getOwnPropertyDescriptor(globalThis, 'fetch')],
      [false, true, undefined],
    );
  },
};

// A script may hide a class, and see it again.
export const replaced = {
  async test() {
    globalThis.TextEncoder = 5;
    const seen = TextEncoder;
    delete globalThis.TextEncoder;
    assert.deepStrictEqual([seen, typeof TextEncoder], [5, 'function']);
  },
};

// What a script adds to the prototype is global.
export const added = {
  async test() {
    scope.added = 7;
    const seen = globalThis.added;
    assert.deepStrictEqual([seen, delete scope.added, typeof added], [7, true, 'object']);
  },
};

// The global object is a ServiceWorkerGlobalScope, but no EventTarget to instanceof.
export const instance = {
  async test() {
    assert.deepStrictEqual([
      globalThis instanceof ServiceWorkerGlobalScope, globalThis instanceof WorkerGlobalScope, globalThis instanceof EventTarget,
      Object.prototype.toString.call(globalThis), self === globalThis, global === globalThis, origin,
    ], [true, false, false, '[object ServiceWorkerGlobalScope]', true, true, 'null']);
  },
};

// The functions of the scope accept no other receiver.
export const receivers = {
  async test() {
    assert.deepStrictEqual(await Promise.all([
      () => atob.call({}, ''), () => btoa.call({}, ''), () => fetch.call({}, 'http://x'), () => queueMicrotask.call({}, () => {}), () => reportError.call({}, 1),
      () => structuredClone.call({}, 1), () => scope.addEventListener('x', () => {}),
    ].map((f) => thrown(f))), [
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
    ]);
  },
};

// The functions of the scope without arguments.
export const missingArguments = {
  async test() {
    assert.deepStrictEqual(
      await Promise.all([() => atob(), () => btoa(), () => fetch(), () => queueMicrotask(), () => reportError(), () => structuredClone(), () => setImmediate(), () => addEventListener(), () => dispatchEvent()].map((f) => thrown(f))),
      [
        'TypeError: Failed to execute \'atob\' on \'ServiceWorkerGlobalScope\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'btoa\' on \'ServiceWorkerGlobalScope\': parameter 1 is not of type \'String\'.',
        'TypeError: Failed to execute \'fetch\' on \'ServiceWorkerGlobalScope\': parameter 1 is not of type \'Request or string\'.',
        'TypeError: Failed to execute \'queueMicrotask\' on \'ServiceWorkerGlobalScope\': parameter 1 is not of type \'function\'.',
        'TypeError: Failed to execute \'reportError\' on \'ServiceWorkerGlobalScope\': parameter 1 is not of type \'Value\'.',
        'TypeError: Failed to execute \'structuredClone\' on \'ServiceWorkerGlobalScope\': parameter 1 is not of type \'Value\'.',
        'TypeError: Failed to execute \'setImmediate\' on \'ServiceWorkerGlobalScope\': parameter 1 is not of type \'function\'.',
        'TypeError: Failed to execute \'addEventListener\' on \'EventTarget\': parameter 1 is not of type \'string\'.',
        'TypeError: Failed to execute \'dispatchEvent\' on \'EventTarget\': parameter 1 is not of type \'Event\'.',
      ],
    );
  },
};

// Names and lengths.
export const functions = {
  async test() {
    assert.deepStrictEqual(
      [atob, btoa, fetch, queueMicrotask, reportError, structuredClone, setImmediate, clearImmediate, setTimeout, clearTimeout, setInterval, clearInterval].map((f) => `${f.name}/${f.length}`),
      [
        'atob/0',
        'btoa/0',
        'fetch/0',
        'queueMicrotask/0',
        'reportError/0',
        'structuredClone/0',
        'setImmediate/0',
        'clearImmediate/0',
        'setTimeout/2',
        'clearTimeout/1',
        'setInterval/2',
        'clearInterval/1',
      ],
    );
  },
};

// What the navigator says.
export const navigatorValues = {
  async test() {
    assert.deepStrictEqual(
      [navigator.userAgent, navigator.language, navigator.languages, navigator.hardwareConcurrency, navigator.platform],
      ['Cloudflare-Workers', 'en', ['en'], 1, ''],
    );
  },
};

// Arguments of sendBeacon.
export const sendBeacon = {
  async test() {
    assert.deepStrictEqual(
      [await thrown(() => navigator.sendBeacon()), await thrown(() => Navigator.prototype.sendBeacon.call({}, 'http://x'))],
      [
        'TypeError: Failed to execute \'sendBeacon\' on \'Navigator\': parameter 1 is not of type \'string\'.',
        'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
      ],
    );
  },
};

// atob and btoa, and what they refuse.
export const base64 = {
  async test() {
    assert.deepStrictEqual(
      [btoa('a\u00ffb'), atob(' YQ = = '), atob(''), await thrown(() => btoa('\u0100')), await thrown(() => atob('a')), await thrown(() => atob('a*bc')), await thrown(() => atob('YQ=')), btoa(null), btoa(undefined)],
      [
        'Yf9i',
        'a',
        '',
        'InvalidCharacterError: btoa() can only operate on characters in the Latin1 (ISO/IEC 8859-1) range.',
        'InvalidCharacterError: atob() called with invalid base64-encoded data. (Only whitespace, \'+\', \'/\', alphanumeric ASCII, and up to two terminal \'=\' signs when the input data length is divisible by 4 are allowed.)',
        'InvalidCharacterError: atob() called with invalid base64-encoded data. (Only whitespace, \'+\', \'/\', alphanumeric ASCII, and up to two terminal \'=\' signs when the input data length is divisible by 4 are allowed.)',
        'InvalidCharacterError: atob() called with invalid base64-encoded data. (Only whitespace, \'+\', \'/\', alphanumeric ASCII, and up to two terminal \'=\' signs when the input data length is divisible by 4 are allowed.)',
        'bnVsbA==',
        'dW5kZWZpbmVk',
      ],
    );
  },
};
