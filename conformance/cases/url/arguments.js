// Rule: what URL, URLSearchParams, TextEncoder and TextDecoder say about arguments that they cannot
// take. Source: workerd; the texts are its own.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

const all = (...actions) => Promise.all(actions.map((f) => thrown(f)));
const params = new URLSearchParams('a=1');

// URLs that are none.
export const url = {
  async test() {
    assert.deepStrictEqual(
      await all(() => new URL(), () => new URL(''), () => new URL('/a'), () => new URL('/a', ''), () => new URL('/a', 'b'), () => new URL('http://a b'), () => new URL('http://a:99999'), () => new URL(Symbol('x'))),
      [
        'TypeError: Failed to construct \'URL\': constructor parameter 1 is not of type \'USVString\'.',
        'TypeError: Invalid URL string.',
        'TypeError: Invalid URL string.',
        'TypeError: Invalid URL string.',
        'TypeError: Invalid URL string.',
        'TypeError: Invalid URL string.',
        'TypeError: Invalid URL string.',
        'TypeError: Cannot convert a Symbol value to a string',
      ],
    );
  },
};

// The base may be anything that becomes a URL.
export const urlBase = {
  async test() {
    assert.deepStrictEqual(
      [new URL('b', new URL('http://a/c')).href, new URL('?q', 'http://a/c').href, new URL('http://x', undefined).href, await thrown(() => new URL('http://x', null))],
      ['http://a/b', 'http://a/c?q', 'http://x/', 'TypeError: Invalid URL string.'],
    );
  },
};

// Assigning a URL that is none.
export const urlHref = {
  async test() {
    const u = new URL('http://a/');
    assert.deepStrictEqual([await thrown(() => { u.href = 'x'; }), u.href], [
      'TypeError: Failed to set the \'href\' property on \'URL\': the provided value is not of type \'valid URL string\'.',
      'http://a/',
    ]);
  },
};

// Parts that cannot be are ignored.
export const urlSetters = {
  async test() {
    const u = new URL('http://a:8080/');
    u.port = '99999';
    u.protocol = 'data';
    u.hostname = 'a b';
    assert.deepStrictEqual(u.href, 'http://a:8080/');
  },
};

// Arguments of the static functions.
export const urlStatics = {
  async test() {
    assert.deepStrictEqual(
      [await thrown(() => URL.canParse()), URL.canParse('x'), URL.canParse('x', 'http://a'), await thrown(() => URL.parse()), URL.parse('x'), URL.parse('x', 'http://a').href],
      [
        'TypeError: Failed to execute \'canParse\' on \'URL\': parameter 1 is not of type \'USVString\'.',
        false,
        true,
        'TypeError: Failed to execute \'parse\' on \'URL\': parameter 1 is not of type \'USVString\'.',
        null,
        'http://a/x',
      ],
    );
  },
};

// There are no object URLs.
export const objectUrls = {
  async test() {
    assert.deepStrictEqual(
      await all(() => URL.createObjectURL(new Blob([])), () => URL.revokeObjectURL('x')),
      ['Error: URL.createObjectURL() is not implemented', 'Error: URL.revokeObjectURL() is not implemented'],
    );
  },
};

// Methods of URLSearchParams without arguments.
export const paramsMissing = {
  async test() {
    assert.deepStrictEqual(
      await all(() => params.get(), () => params.append('a'), () => params.set('a'), () => params.has(), () => params.delete(), () => params.getAll(), () => params.forEach()),
      [
        'TypeError: Failed to execute \'get\' on \'URLSearchParams\': parameter 1 is not of type \'USVString\'.',
        'TypeError: Failed to execute \'append\' on \'URLSearchParams\': parameter 2 is not of type \'USVString\'.',
        'TypeError: Failed to execute \'set\' on \'URLSearchParams\': parameter 2 is not of type \'USVString\'.',
        'TypeError: Failed to execute \'has\' on \'URLSearchParams\': parameter 1 is not of type \'USVString\'.',
        'TypeError: Failed to execute \'delete\' on \'URLSearchParams\': parameter 1 is not of type \'USVString\'.',
        'TypeError: Failed to execute \'getAll\' on \'URLSearchParams\': parameter 1 is not of type \'USVString\'.',
        'TypeError: Failed to execute \'forEach\' on \'URLSearchParams\': parameter 1 is not of type \'function\'.',
      ],
    );
  },
};

// What URLSearchParams can be made of.
export const paramsInit = {
  async test() {
    assert.deepStrictEqual([
      ...(await all(() => new URLSearchParams([['a']]), () => new URLSearchParams([5]), () => new URLSearchParams(Symbol('x')), () => new URLSearchParams([['a', 'b', 'c']]))),
      String(new URLSearchParams(5)), String(new URLSearchParams(null)), String(new URLSearchParams(undefined)), String(new URLSearchParams({ a: 1, b: undefined })),
    ], [
      'TypeError: Invalid URL search params sequence.',
      'TypeError: Incorrect type: the provided value is not of type \'Sequence\'.',
      'TypeError: Cannot convert a Symbol value to a string',
      'TypeError: Invalid URL search params sequence.',
      '5=',
      'null=',
      '',
      'a=1&b=undefined',
    ]);
  },
};

// has and delete may ask for a value.
export const paramsValue = {
  async test() {
    const p = new URLSearchParams('a=1&a=2&b=1');
    const before = [p.has('a', '2'), p.has('a', '3'), p.has('a', undefined)];
    p.delete('a', '1');
    assert.deepStrictEqual([before, String(p), p.size], [[true, false, true], 'a=2&b=1', 2]);
  },
};

// What TextEncoder takes.
export const encoder = {
  async test() {
    assert.deepStrictEqual(
      [new TextEncoder().encode().length, new TextEncoder().encode(undefined).length, [...new TextEncoder().encode(null)].length, new TextEncoder('x').encoding, await thrown(() => new TextEncoder().encode(Symbol('x')))],
      [0, 0, 4, 'utf-8', 'TypeError: Cannot convert a Symbol value to a string'],
    );
  },
};

// Arguments of encodeInto.
export const encodeInto = {
  async test() {
    const e = new TextEncoder();
    assert.deepStrictEqual([
      await thrown(() => e.encodeInto()), await thrown(() => e.encodeInto('a')), await thrown(() => e.encodeInto('a', [])), await thrown(() => e.encodeInto('a', new Uint16Array(2))),
      { ...e.encodeInto('aé€', new Uint8Array(4)) },
    ], [
      'TypeError: Failed to execute \'encodeInto\' on \'TextEncoder\': parameter 1 is not of type \'String\'.',
      'TypeError: Failed to execute \'encodeInto\' on \'TextEncoder\': parameter 2 is not of type \'Uint8Array\'.',
      'TypeError: Failed to execute \'encodeInto\' on \'TextEncoder\': parameter 2 is not of type \'Uint8Array\'.',
      'TypeError: Failed to execute \'encodeInto\' on \'TextEncoder\': parameter 2 is not of type \'Uint8Array\'.',
      { read: 2, written: 3 },
    ]);
  },
};

// Labels of encodings.
export const decoderLabels = {
  async test() {
    assert.deepStrictEqual([
      ...(await all(() => new TextDecoder('x'), () => new TextDecoder(''), () => new TextDecoder(null), () => new TextDecoder(5))),
      new TextDecoder(' UTF8 ').encoding, new TextDecoder('latin1').encoding, new TextDecoder('utf-16').encoding, new TextDecoder(undefined).encoding,
    ], [
      'RangeError: "x" is not a valid encoding.',
      'RangeError: "" is not a valid encoding.',
      'RangeError: "null" is not a valid encoding.',
      'RangeError: "5" is not a valid encoding.',
      'utf-8',
      'windows-1252',
      'utf-16le',
      'utf-8',
    ]);
  },
};

// Options of a decoder.
export const decoderOptions = {
  async test() {
    assert.deepStrictEqual(
      [await thrown(() => new TextDecoder('utf-8', 5)), new TextDecoder('utf-8', { fatal: 1 }).fatal, new TextDecoder('utf-8', { ignoreBOM: true }).ignoreBOM],
      [
        'TypeError: Failed to construct \'TextDecoder\': constructor parameter 2 is not of type \'ConstructorOptions\'.',
        true,
        true,
      ],
    );
  },
};

// What a decoder takes.
export const decoderInput = {
  async test() {
    const d = new TextDecoder();
    assert.deepStrictEqual(
      [await thrown(() => d.decode('a')), await thrown(() => d.decode(5)), await thrown(() => d.decode(null)), d.decode(), d.decode(undefined), d.decode(new Uint16Array([0x6161])), await thrown(() => d.decode(new Uint8Array(1), 5))],
      [
        'TypeError: Failed to execute \'decode\' on \'TextDecoder\': parameter 1 is not of type \'Array\'.',
        'TypeError: Failed to execute \'decode\' on \'TextDecoder\': parameter 1 is not of type \'Array\'.',
        'TypeError: Failed to execute \'decode\' on \'TextDecoder\': parameter 1 is not of type \'Array\'.',
        '',
        '',
        'aa',
        'TypeError: Failed to execute \'decode\' on \'TextDecoder\': parameter 2 is not of type \'DecodeOptions\'.',
      ],
    );
  },
};

// A fatal decoder throws.
export const decoderFatal = {
  async test() {
    const d = new TextDecoder('utf-8', { fatal: true });
    assert.deepStrictEqual(
      [await thrown(() => d.decode(new Uint8Array([0xff]))), await thrown(() => d.decode(new Uint8Array([0xe2, 0x82]))), d.decode(new Uint8Array([0x61]))],
      ['TypeError: Failed to decode input.', 'TypeError: Failed to decode input.', 'a'],
    );
  },
};
