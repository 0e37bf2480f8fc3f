// Rule: the shape of the platform's classes: names, lengths and attributes of their properties, and
// what a call and a construction without arguments give. Source: workerd.
import assert from 'node:assert';
import { shape } from 'shape.js';

// Crypto.
export const crypto = {
  async test() {
    assert.deepStrictEqual(shape(Crypto), {
      static: ['length [c] 0', 'name [c] Crypto', 'prototype [w] object'],
      prototype: [
        'DigestStream [wec] function DigestStream/0',
        'Symbol(Symbol.toStringTag) [wc] Crypto',
        'constructor [wc] function Crypto/0',
        'getRandomValues [wec] function getRandomValues/0',
        'randomUUID [wec] function randomUUID/0',
        'subtle [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// SubtleCrypto.
export const subtleCrypto = {
  async test() {
    assert.deepStrictEqual(shape(SubtleCrypto), {
      static: ['length [c] 0', 'name [c] SubtleCrypto', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] SubtleCrypto',
        'constructor [wc] function SubtleCrypto/0',
        'decrypt [wec] function decrypt/0',
        'deriveBits [wec] function deriveBits/0',
        'deriveKey [wec] function deriveKey/0',
        'digest [wec] function digest/0',
        'encrypt [wec] function encrypt/0',
        'exportKey [wec] function exportKey/0',
        'generateKey [wec] function generateKey/0',
        'importKey [wec] function importKey/0',
        'sign [wec] function sign/0',
        'timingSafeEqual [wec] function timingSafeEqual/0',
        'unwrapKey [wec] function unwrapKey/0',
        'verify [wec] function verify/0',
        'wrapKey [wec] function wrapKey/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// CryptoKey.
export const cryptoKey = {
  async test() {
    assert.deepStrictEqual(shape(CryptoKey), {
      static: ['length [c] 0', 'name [c] CryptoKey', 'prototype [w] object'],
      prototype: ['Symbol(Symbol.toStringTag) [wc] CryptoKey', 'constructor [wc] function CryptoKey/0'],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// Cache.
export const cache = {
  async test() {
    assert.deepStrictEqual(shape(Cache), {
      static: ['length [c] 0', 'name [c] Cache', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] Cache',
        'add [wec] function add/0',
        'addAll [wec] function addAll/0',
        'constructor [wc] function Cache/0',
        'delete [wec] function delete/0',
        'keys [wec] function keys/0',
        'match [wec] function match/0',
        'matchAll [wec] function matchAll/0',
        'put [wec] function put/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// CacheStorage.
export const cacheStorage = {
  async test() {
    assert.deepStrictEqual(shape(CacheStorage), {
      static: ['length [c] 0', 'name [c] CacheStorage', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] CacheStorage',
        'constructor [wc] function CacheStorage/0',
        'delete [wec] function delete/0',
        'has [wec] function has/0',
        'keys [wec] function keys/0',
        'match [wec] function match/0',
        'open [wec] function open/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// Navigator.
export const navigator = {
  async test() {
    assert.deepStrictEqual(shape(Navigator), {
      static: ['length [c] 0', 'name [c] Navigator', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] Navigator',
        'constructor [wc] function Navigator/0',
        'sendBeacon [wec] function sendBeacon/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// Performance.
export const performance = {
  async test() {
    assert.deepStrictEqual(shape(Performance), {
      static: ['length [c] 0', 'name [c] Performance', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] Performance',
        'clearMarks [wec] function clearMarks/0',
        'clearMeasures [wec] function clearMeasures/0',
        'clearResourceTimings [wec] function clearResourceTimings/0',
        'constructor [wc] function Performance/0',
        'eventCounts [ec] get',
        'eventLoopUtilization [wec] function eventLoopUtilization/0',
        'getEntries [wec] function getEntries/0',
        'getEntriesByName [wec] function getEntriesByName/0',
        'getEntriesByType [wec] function getEntriesByType/0',
        'mark [wec] function mark/0',
        'markResourceTiming [wec] function markResourceTiming/0',
        'measure [wec] function measure/0',
        'nodeTiming [ec] get',
        'now [wec] function now/0',
        'setResourceTimingBufferSize [wec] function setResourceTimingBufferSize/0',
        'timeOrigin [ec] get',
        'timerify [wec] function timerify/0',
        'toJSON [wec] function toJSON/0',
      ],
      inherits: 'EventTarget',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// PerformanceEntry.
export const performanceEntry = {
  async test() {
    assert.deepStrictEqual(shape(PerformanceEntry), {
      static: ['length [c] 0', 'name [c] PerformanceEntry', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] PerformanceEntry',
        'constructor [wc] function PerformanceEntry/0',
        'duration [ec] get',
        'entryType [ec] get',
        'name [ec] get',
        'startTime [ec] get',
        'toJSON [wec] function toJSON/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// PerformanceMark.
export const performanceMark = {
  async test() {
    assert.deepStrictEqual(shape(PerformanceMark), {
      static: ['length [c] 0', 'name [c] PerformanceMark', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] PerformanceMark',
        'constructor [wc] function PerformanceMark/0',
        'detail [ec] get',
        'toJSON [wec] function toJSON/0',
      ],
      inherits: 'PerformanceEntry',
      call: 'TypeError: Failed to construct \'PerformanceMark\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'PerformanceMark\': constructor parameter 1 is not of type \'string\'.',
    });
  },
};

// PerformanceMeasure.
export const performanceMeasure = {
  async test() {
    assert.deepStrictEqual(shape(PerformanceMeasure), {
      static: ['length [c] 0', 'name [c] PerformanceMeasure', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] PerformanceMeasure',
        'constructor [wc] function PerformanceMeasure/0',
        'detail [ec] get',
        'toJSON [wec] function toJSON/0',
      ],
      inherits: 'PerformanceEntry',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// PerformanceResourceTiming.
export const performanceResourceTiming = {
  async test() {
    assert.deepStrictEqual(shape(PerformanceResourceTiming), {
      static: ['length [c] 0', 'name [c] PerformanceResourceTiming', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] PerformanceResourceTiming',
        'connectEnd [ec] get',
        'connectStart [ec] get',
        'constructor [wc] function PerformanceResourceTiming/0',
        'decodedBodySize [ec] get',
        'domainLookupEnd [ec] get',
        'domainLookupStart [ec] get',
        'encodedBodySize [ec] get',
        'fetchStart [ec] get',
        'initiatorType [ec] get',
        'nextHopProtocol [ec] get',
        'redirectEnd [ec] get',
        'redirectStart [ec] get',
        'requestStart [ec] get',
        'responseEnd [ec] get',
        'responseStart [ec] get',
        'responseStatus [ec] get',
        'secureConnectionStart [ec] get',
        'transferSize [ec] get',
        'workerStart [ec] get',
      ],
      inherits: 'PerformanceEntry',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// PerformanceObserver.
export const performanceObserver = {
  async test() {
    assert.deepStrictEqual(shape(PerformanceObserver), {
      static: ['length [c] 0', 'name [c] PerformanceObserver', 'prototype [w] object', 'supportedEntryTypes [ec] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] PerformanceObserver',
        'constructor [wc] function PerformanceObserver/0',
        'disconnect [wec] function disconnect/0',
        'observe [wec] function observe/0',
        'takeRecords [wec] function takeRecords/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'PerformanceObserver\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'PerformanceObserver\': constructor parameter 1 is not of type \'Value\'.',
    });
  },
};

// PerformanceObserverEntryList.
export const performanceObserverEntryList = {
  async test() {
    assert.deepStrictEqual(shape(PerformanceObserverEntryList), {
      static: ['length [c] 0', 'name [c] PerformanceObserverEntryList', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] PerformanceObserverEntryList',
        'constructor [wc] function PerformanceObserverEntryList/0',
        'getEntries [wec] function getEntries/0',
        'getEntriesByName [wec] function getEntriesByName/0',
        'getEntriesByType [wec] function getEntriesByType/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// WorkerGlobalScope.
export const workerGlobalScope = {
  async test() {
    assert.deepStrictEqual(shape(WorkerGlobalScope), {
      static: ['length [c] 0', 'name [c] WorkerGlobalScope', 'prototype [w] object'],
      prototype: [
        'EventTarget [wec] function EventTarget/0',
        'Symbol(Symbol.toStringTag) [wc] WorkerGlobalScope',
        'constructor [wc] function WorkerGlobalScope/0',
      ],
      inherits: 'EventTarget',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// ServiceWorkerGlobalScope.
export const serviceWorkerGlobalScope = {
  async test() {
    assert.deepStrictEqual({ ...shape(ServiceWorkerGlobalScope), prototype: null }, {
      static: ['length [c] 0', 'name [c] ServiceWorkerGlobalScope', 'prototype [w] object'],
      prototype: null,
      inherits: 'WorkerGlobalScope',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};
