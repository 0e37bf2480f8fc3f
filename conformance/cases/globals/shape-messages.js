// Rule: the shape of the platform's classes: names, lengths and attributes of their properties, and
// what a call and a construction without arguments give. Source: workerd.
import assert from 'node:assert';
import { shape } from 'shape.js';

// Body.
export const bodyClass = {
  async test() {
    assert.deepStrictEqual(shape(Body), {
      static: ['length [c] 0', 'name [c] Body', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] Body',
        'arrayBuffer [wec] function arrayBuffer/0',
        'blob [wec] function blob/0',
        'body [ec] get',
        'bodyUsed [ec] get',
        'bytes [wec] function bytes/0',
        'constructor [wc] function Body/0',
        'formData [wec] function formData/0',
        'json [wec] function json/0',
        'text [wec] function text/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Illegal constructor',
      construct: 'TypeError: Illegal constructor',
    });
  },
};

// Headers.
export const headers = {
  async test() {
    assert.deepStrictEqual(shape(Headers), {
      static: ['length [c] 0', 'name [c] Headers', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.iterator) [wc] function /0',
        'Symbol(Symbol.toStringTag) [wc] Headers',
        'append [wec] function append/0',
        'constructor [wc] function Headers/0',
        'delete [wec] function delete/0',
        'entries [wec] function entries/0',
        'forEach [wec] function forEach/0',
        'get [wec] function get/0',
        'getAll [wec] function getAll/0',
        'getSetCookie [wec] function getSetCookie/0',
        'has [wec] function has/0',
        'keys [wec] function keys/0',
        'set [wec] function set/0',
        'values [wec] function values/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'Headers\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// Request.
export const request = {
  async test() {
    assert.deepStrictEqual(shape(Request), {
      static: ['length [c] 0', 'name [c] Request', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] Request',
        'cache [ec] get',
        'cf [ec] get',
        'clone [wec] function clone/0',
        'constructor [wc] function Request/0',
        'fetcher [ec] get',
        'headers [ec] get',
        'integrity [ec] get',
        'keepalive [ec] get',
        'method [ec] get',
        'redirect [ec] get',
        'signal [ec] get',
        'url [ec] get',
      ],
      inherits: 'Body',
      call: 'TypeError: Failed to construct \'Request\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'Request\': constructor parameter 1 is not of type \'Request or string\'.',
    });
  },
};

// Response.
export const response = {
  async test() {
    assert.deepStrictEqual(shape(Response), {
      static: [
        'error [wec] function error/0',
        'json [wec] function json/0',
        'length [c] 0',
        'name [c] Response',
        'prototype [w] object',
        'redirect [wec] function redirect/0',
      ],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] Response',
        'cf [ec] get',
        'clone [wec] function clone/0',
        'constructor [wc] function Response/0',
        'headers [ec] get',
        'ok [ec] get',
        'redirected [ec] get',
        'status [ec] get',
        'statusText [ec] get',
        'type [ec] get',
        'url [ec] get',
        'webSocket [ec] get',
      ],
      inherits: 'Body',
      call: 'TypeError: Failed to construct \'Response\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// FormData.
export const formData = {
  async test() {
    assert.deepStrictEqual(shape(FormData), {
      static: ['length [c] 0', 'name [c] FormData', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.iterator) [wc] function /0',
        'Symbol(Symbol.toStringTag) [wc] FormData',
        'append [wec] function append/0',
        'constructor [wc] function FormData/0',
        'delete [wec] function delete/0',
        'entries [wec] function entries/0',
        'forEach [wec] function forEach/0',
        'get [wec] function get/0',
        'getAll [wec] function getAll/0',
        'has [wec] function has/0',
        'keys [wec] function keys/0',
        'set [wec] function set/0',
        'values [wec] function values/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'FormData\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// Blob.
export const blob = {
  async test() {
    assert.deepStrictEqual(shape(Blob), {
      static: ['length [c] 0', 'name [c] Blob', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] Blob',
        'arrayBuffer [wec] function arrayBuffer/0',
        'bytes [wec] function bytes/0',
        'constructor [wc] function Blob/0',
        'size [ec] get',
        'slice [wec] function slice/0',
        'stream [wec] function stream/0',
        'text [wec] function text/0',
        'type [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'Blob\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// File.
export const file = {
  async test() {
    assert.deepStrictEqual(shape(File), {
      static: ['length [c] 0', 'name [c] File', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] File',
        'constructor [wc] function File/0',
        'lastModified [ec] get',
        'name [ec] get',
      ],
      inherits: 'Blob',
      call: 'TypeError: Failed to construct \'File\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'File\': constructor parameter 2 is not of type \'string\'.',
    });
  },
};

// URL.
export const url = {
  async test() {
    assert.deepStrictEqual(shape(URL), {
      static: [
        'canParse [wec] function canParse/0',
        'createObjectURL [wec] function createObjectURL/0',
        'length [c] 0',
        'name [c] URL',
        'parse [wec] function parse/0',
        'prototype [w] object',
        'revokeObjectURL [wec] function revokeObjectURL/0',
      ],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] URL',
        'constructor [wc] function URL/0',
        'hash [ec] get set',
        'host [ec] get set',
        'hostname [ec] get set',
        'href [ec] get set',
        'origin [ec] get',
        'password [ec] get set',
        'pathname [ec] get set',
        'port [ec] get set',
        'protocol [ec] get set',
        'search [ec] get set',
        'searchParams [ec] get',
        'toJSON [wec] function toJSON/0',
        'toString [wec] function toString/0',
        'username [ec] get set',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'URL\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'TypeError: Failed to construct \'URL\': constructor parameter 1 is not of type \'USVString\'.',
    });
  },
};

// URLSearchParams.
export const urlsearchparams = {
  async test() {
    assert.deepStrictEqual(shape(URLSearchParams), {
      static: ['length [c] 0', 'name [c] URLSearchParams', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.iterator) [wc] function /0',
        'Symbol(Symbol.toStringTag) [wc] URLSearchParams',
        'append [wec] function append/0',
        'constructor [wc] function URLSearchParams/0',
        'delete [wec] function delete/0',
        'entries [wec] function entries/0',
        'forEach [wec] function forEach/0',
        'get [wec] function get/0',
        'getAll [wec] function getAll/0',
        'has [wec] function has/0',
        'keys [wec] function keys/0',
        'set [wec] function set/0',
        'size [ec] get',
        'sort [wec] function sort/0',
        'toString [wec] function toString/0',
        'values [wec] function values/0',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'URLSearchParams\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// URLPattern.
export const urlpattern = {
  async test() {
    assert.deepStrictEqual(shape(URLPattern), {
      static: ['length [c] 0', 'name [c] URLPattern', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] URLPattern',
        'constructor [wc] function URLPattern/0',
        'exec [wec] function exec/0',
        'hasRegExpGroups [ec] get',
        'hash [ec] get',
        'hostname [ec] get',
        'password [ec] get',
        'pathname [ec] get',
        'port [ec] get',
        'protocol [ec] get',
        'search [ec] get',
        'test [wec] function test/0',
        'username [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'URLPattern\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// TextEncoder.
export const textEncoder = {
  async test() {
    assert.deepStrictEqual(shape(TextEncoder), {
      static: ['length [c] 0', 'name [c] TextEncoder', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] TextEncoder',
        'constructor [wc] function TextEncoder/0',
        'encode [wec] function encode/0',
        'encodeInto [wec] function encodeInto/0',
        'encoding [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'TextEncoder\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};

// TextDecoder.
export const textDecoder = {
  async test() {
    assert.deepStrictEqual(shape(TextDecoder), {
      static: ['length [c] 0', 'name [c] TextDecoder', 'prototype [w] object'],
      prototype: [
        'Symbol(Symbol.toStringTag) [wc] TextDecoder',
        'constructor [wc] function TextDecoder/0',
        'decode [wec] function decode/0',
        'encoding [ec] get',
        'fatal [ec] get',
        'ignoreBOM [ec] get',
      ],
      inherits: 'Object',
      call: 'TypeError: Failed to construct \'TextDecoder\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      construct: 'ok',
    });
  },
};
