// Describes the property descriptors of every class and prototype in one line
// each. Symbols private to a runtime are left out.
const shapeNames = ['DOMException', 'Event', 'EventTarget', 'CustomEvent', 'ErrorEvent', 'MessageEvent', 'CloseEvent', 'AbortController', 'AbortSignal', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'Headers', 'Request', 'Response', 'Blob', 'File', 'FormData', 'Crypto', 'SubtleCrypto', 'Performance', 'Navigator',
  'ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'ReadableStreamBYOBRequest', 'ReadableStreamDefaultController',
  'ReadableByteStreamController', 'WritableStream', 'WritableStreamDefaultWriter', 'WritableStreamDefaultController', 'TransformStream',
  'TransformStreamDefaultController', 'ByteLengthQueuingStrategy', 'CountQueuingStrategy', 'TextEncoderStream', 'TextDecoderStream',
  'IdentityTransformStream', 'FixedLengthStream', 'CompressionStream', 'DecompressionStream', 'CryptoKey'];

function describeValue(v) {
  if (typeof v === 'function') return 'function ' + v.name + '/' + v.length;
  if (typeof v === 'object' && v !== null) return 'object';
  return String(v);
}

function describeObject(o) {
  const out = [];
  for (const k of Reflect.ownKeys(o)) {
    if (typeof k === 'symbol' && !k.toString().startsWith('Symbol(Symbol.')) continue;
    const d = Object.getOwnPropertyDescriptor(o, k);
    const flags = (d.writable ? 'w' : '') + (d.enumerable ? 'e' : '') + (d.configurable ? 'c' : '');
    let v;
    if (k === 'prototype') v = 'object';
    else if ('value' in d) v = describeValue(d.value);
    else v = (d.get ? 'get ' : '') + (d.set ? 'set' : '');
    out.push(k.toString() + ' [' + flags + '] ' + v);
  }
  return out.sort().join('; ');
}

function dumpShape(out) {
  const chain = (o) => {
    const names = [];
    for (let p = Object.getPrototypeOf(o); p; p = Object.getPrototypeOf(p)) names.push(p.constructor.name);
    return names.join(' < ');
  };
  for (const n of shapeNames) {
    const c = globalThis[n];
    out(n, describeObject(c));
    out(n + '.prototype', describeObject(c.prototype));
    out(n + ' chain', chain(c.prototype));
    out(n + ' constructor chain', String(Object.getPrototypeOf(c) === Function.prototype));
  }
  out('Body.prototype', describeObject(Object.getPrototypeOf(Request.prototype)));
  const instances = {
    headers: new Headers(), request: new Request('http://a'), response: new Response(), url: new URL('http://a'),
    params: new URLSearchParams(), blob: new Blob(), file: new File([], 'a'), formData: new FormData(),
    encoder: new TextEncoder(), decoder: new TextDecoder(), event: new Event('a'), custom: new CustomEvent('a'),
    error: new ErrorEvent('a'), message: new MessageEvent('a', {}), close: new CloseEvent('a', {}), target: new EventTarget(),
    controller: new AbortController(), signal: AbortSignal.abort(), crypto, subtle: crypto.subtle, performance, navigator,
    entries: Object.getPrototypeOf(new Headers().entries()), keys: Object.getPrototypeOf(new URLSearchParams().keys()),
    values: Object.getPrototypeOf(new FormData().values()),
  };
  for (const [k, v] of Object.entries(instances)) out('instance ' + k, describeObject(v));
}
