// Rule: URLPattern: how patterns are parsed, normalised and matched. Source: the URL
// Pattern Standard (https://urlpattern.spec.whatwg.org); the texts of the errors are workerd's.
import assert from 'node:assert';
import { thrown } from 'thrown.js';

// all returns the patterns of all components.
const all = (p) => [p.protocol, p.username, p.password, p.hostname, p.port, p.pathname, p.search, p.hash];
// groups returns what a path captures.
const groups = (pattern, path) => new URLPattern({ pathname: pattern }).exec({ pathname: path })?.pathname.groups;
// path is the normalised form of a pattern for a path.
const path = (pattern) => new URLPattern({ pathname: pattern }).pathname;

// Without arguments a pattern matches everything.
export const everything = {
  async test() {
    assert.deepStrictEqual(
      [all(new URLPattern()), all(new URLPattern({})), new URLPattern().test('https://example.com/a')],
      [['*', '*', '*', '*', '*', '*', '*', '*'], ['*', '*', '*', '*', '*', '*', '*', '*'], true],
    );
  },
};

// A part that is not given is a wildcard.
export const missingParts = {
  async test() {
    assert.deepStrictEqual(all(new URLPattern({ pathname: '/a/:b' })), ['*', '*', '*', '*', '*', '/a/:b', '*', '*']);
  },
};

// A string is split into components; the later ones are wildcards when they are missing.
export const fullString = {
  async test() {
    assert.deepStrictEqual(
      ['https://example.com/a', 'https://example.com', 'https://h?x', 'https://h#x', 'https://h/*?q=:v'].map((s) => all(new URLPattern(s))),
      [
        ['https', '*', '*', 'example.com', '', '/a', '*', '*'],
        ['https', '*', '*', 'example.com', '', '*', '*', '*'],
        ['https', '*', '*', 'h', '', '/', 'x', '*'],
        ['https', '*', '*', 'h', '', '/', '', 'x'],
        ['https', '*', '*', 'h', '', '/*?q=:v', '*', '*'],
      ],
    );
  },
};

// A question mark after a group is its modifier, unless it is escaped.
export const questionMark = {
  async test() {
    assert.deepStrictEqual(
      ['https://h/:a?b', 'https://h/:a\\?b', 'https://h/{a}?q', 'https://h/*?q'].map((s) => all(new URLPattern(s)).slice(5, 7)),
      [['/:a?b', '*'], ['/:a', 'b'], ['/{a}?q', '*'], ['/*?q', '*']],
    );
  },
};

// User name and password in a string.
export const credentials = {
  async test() {
    assert.deepStrictEqual(
      ['https://u@h', 'https://u\\:p@h', 'https://u:p@h'].map((s) => all(new URLPattern(s)).slice(1, 4)),
      [['u', '*', 'h'], ['u', 'p', 'h'], ['u:p', '*', 'h']],
    );
  },
};

// A relative string takes what stands before it from the base.
export const relative = {
  async test() {
    assert.deepStrictEqual(all(new URLPattern('/a', 'https://x.y:81/z?q#h')), ['https', '*', '*', 'x.y', '81', '/a', '*', '*']);
  },
};

// A string of a search or a fragment takes the path as well.
export const relativeSearch = {
  async test() {
    assert.deepStrictEqual(
      [all(new URLPattern('?q#h', 'https://x/p')).slice(5), all(new URLPattern('#h', 'https://x/p?q')).slice(5)],
      [['/p', 'q', 'h'], ['/p', 'q', 'h']],
    );
  },
};

// The base of an init object works the same.
export const baseInInit = {
  async test() {
    assert.deepStrictEqual(
      all(new URLPattern({ pathname: 'b', baseURL: 'https://x.y/a/c?d#e' })),
      ['https', '*', '*', 'x.y', '', '/a/b', '*', '*'],
    );
  },
};

// With only a base, the pattern is the base, escaped.
export const baseOnly = {
  async test() {
    assert.deepStrictEqual(
      all(new URLPattern({ baseURL: 'https://u:p@h:81/p*/q?s+#f' })),
      ['https', '*', '*', 'h', '81', '/p\\*/q', 's\\+', 'f'],
    );
  },
};

// Names and regular expressions give groups.
export const groupsByName = {
  async test() {
    assert.deepStrictEqual(
      [groups('/a/:b', '/a/1'), groups('/:a.html', '/x.y.html'), groups('/:a(\\d+)-:b', '/12-ab')],
      [{ b: '1' }, { a: 'x.y' }, { b: 'ab', a: '12' }],
    );
  },
};

// Groups without a name are numbered.
export const groupsByNumber = {
  async test() {
    assert.deepStrictEqual([groups('/(a|b)/(\\d+)', '/b/12'), groups('/*/x/*', '/1/2/x/3')], [{ 0: 'b', 1: '12' }, { 0: '1/2', 1: '3' }]);
  },
};

// ?, + and * repeat a group together with its prefix.
export const modifiers = {
  async test() {
    assert.deepStrictEqual(
      [groups('/books/:id?', '/books'), groups('/:a+', '/1/2/3'), groups('/x{/:y}*/z', '/x/z'), groups('/x{/:y}*/z', '/x/1/2/z')],
      [{ id: undefined }, { a: '1/2/3' }, { y: undefined }, { y: '1/2' }],
    );
  },
};

// exec gives the inputs and, for each component, its input and groups.
export const result = {
  async test() {
    assert.deepStrictEqual(new URLPattern({ pathname: '/a/:b(\\d+)/*' }).exec('https://x.y/a/12/zz?w#e'), {
      inputs: ['https://x.y/a/12/zz?w#e'],
      protocol: { input: 'https', groups: { 0: 'https' } },
      username: { input: '', groups: { 0: '' } },
      password: { input: '', groups: { 0: '' } },
      hostname: { input: 'x.y', groups: { 0: 'x.y' } },
      port: { input: '', groups: { 0: '' } },
      pathname: { input: '/a/12/zz', groups: { 0: 'zz', b: '12' } },
      search: { input: 'w', groups: { 0: 'w' } },
      hash: { input: 'e', groups: { 0: 'e' } },
    });
  },
};

// The inputs of a match in parts have all members.
export const resultOfInit = {
  async test() {
    assert.deepStrictEqual(new URLPattern({ pathname: '/a' }).exec({ pathname: '/a', protocol: 'https:' }).inputs, [
      {
        protocol: 'https:',
        username: undefined,
        password: undefined,
        hostname: undefined,
        port: undefined,
        pathname: '/a',
        search: undefined,
        hash: undefined,
        baseURL: undefined,
      },
    ]);
  },
};

// With a base there are two inputs.
export const resultWithBase = {
  async test() {
    assert.deepStrictEqual(new URLPattern({ pathname: '/a' }).exec('/a', 'https://h').inputs, ['/a', 'https://h']);
  },
};

// What does not match gives null, and so does what is no URL.
export const noMatch = {
  async test() {
    const p = new URLPattern({ pathname: '/a' });
    assert.deepStrictEqual(
      [p.exec('https://h/b'), p.exec('no url'), p.exec('/a', 'no url'), p.test('https://h/b'), p.test(5), p.test(null), p.exec()],
      [null, null, null, false, false, false, null],
    );
  },
};

// A match in parts normalises them as a URL would.
export const testInit = {
  async test() {
    const p = new URLPattern({ hostname: 'h', port: '81', pathname: '/a b' });
    assert.deepStrictEqual(
      [p.test({ hostname: 'H', port: '81', pathname: '/x/../a b' }), p.test({ hostname: 'h', port: '0081x', pathname: '/a%20b' })],
      [true, true],
    );
  },
};

// A URL object is an init object to it.
export const testUrlObject = {
  async test() {
    assert.deepStrictEqual(new URLPattern({ pathname: '/a/:b' }).exec(new URL('https://x.y/a/c')).inputs, [
      {
        protocol: 'https:',
        username: '',
        password: '',
        hostname: 'x.y',
        port: '',
        pathname: '/a/c',
        search: '',
        hash: '',
        baseURL: undefined,
      },
    ]);
  },
};

// A base beside an object is an error.
export const baseWithInit = {
  async test() {
    assert.deepStrictEqual([
      await thrown(() => new URLPattern({}, 'https://x')), await thrown(() => new URLPattern().test({}, 'https://x')),
      await thrown(() => new URLPattern().exec({}, 'https://x')),
    ], [
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to test URLPattern',
      'TypeError: Failed to exec URLPattern',
    ]);
  },
};

// A relative string needs a base.
export const relativeWithoutBase = {
  async test() {
    assert.deepStrictEqual(
      [await thrown(() => new URLPattern('/a')), await thrown(() => new URLPattern('')), await thrown(() => new URLPattern('/a', 'bad'))],
      [
        'TypeError: Failed to construct URLPattern',
        'TypeError: Failed to construct URLPattern',
        'TypeError: Failed to construct URLPattern',
      ],
    );
  },
};

// Whatever is wrong with a pattern, the error is the same.
export const syntaxErrors = {
  async test() {
    assert.deepStrictEqual(await Promise.all(['/(', '/(a', '/:a/:a', '/(?a)', '/(a(b))', '/{a', '/a}', '/\\', '/:', '/(é)', '/()', '/a+b?'].map((pathname) =>
      thrown(() => new URLPattern({ pathname })))), [
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
    ]);
  },
};

// A component that no URL can have is an error too.
export const componentErrors = {
  async test() {
    assert.deepStrictEqual(await Promise.all([{ port: 'a' }, { port: '99999' }, { protocol: 'é' }, { protocol: 'ht tp' }, { hostname: 'a b' }, { hostname: 'a@b' }, { hostname: '[x]' }, { baseURL: 'foo' }].map((init) =>
      thrown(() => new URLPattern(init)))), [
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct URLPattern',
    ]);
  },
};

// Arguments of a wrong type.
export const argumentErrors = {
  async test() {
    assert.deepStrictEqual([
      await thrown(() => new URLPattern(5)), await thrown(() => new URLPattern(Symbol('x'))), await thrown(() => new URLPattern('https://x', 5)),
      await thrown(() => new URLPattern('https://x', 'https://y', 5)), await thrown(() => new URLPattern().test(Symbol('x'))),
      await thrown(() => URLPattern('https://x')), await thrown(() => URLPattern.prototype.test.call({}, 'x')),
    ], [
      'TypeError: Failed to construct URLPattern',
      'TypeError: Cannot convert a Symbol value to a string',
      'TypeError: Failed to construct URLPattern',
      'TypeError: Failed to construct \'URLPattern\': constructor parameter 3 is not of type \'URLPatternOptions\'.',
      'TypeError: Cannot convert a Symbol value to a string',
      'TypeError: Failed to construct \'URLPattern\': Please use the \'new\' operator, this object constructor cannot be called as a function.',
      'TypeError: Illegal invocation: function called with incorrect `this` reference. See https://developers.cloudflare.com/workers/observability/errors/#illegal-invocation-errors for details.',
    ]);
  },
};

// Options may be the second or the third argument.
export const optionForms = {
  async test() {
    assert.deepStrictEqual([
      new URLPattern('https://x/A', { ignoreCase: true }).test('https://x/a'), new URLPattern('/A', 'https://x', { ignoreCase: 1 }).test('https://x/a'),
      new URLPattern('https://x/A', undefined, { ignoreCase: true }).test('https://x/a'), new URLPattern('https://x/A', null).test('https://x/a'),
    ], [true, true, true, false]);
  },
};

// Case may be ignored in path, search and fragment; the pattern keeps its own.
export const ignoreCase = {
  async test() {
    const p = new URLPattern({ pathname: '/Foo/:b([a-z]+)', search: 'Q', hash: 'F' }, { ignoreCase: true });
    assert.deepStrictEqual([p.exec('https://x/fOO/XY?q#f').pathname.groups, p.pathname, p.search], [{ b: 'XY' }, '/Foo/:b([a-z]+)', 'Q']);
  },
};

// hasRegExpGroups tells of regular expressions other than wildcards.
export const regExpGroups = {
  async test() {
    assert.deepStrictEqual(
      ['*', '/:a', '/:a(b)', '/(.*)', '/([^\\/]+?)'].map((pathname) => new URLPattern({ pathname }).hasRegExpGroups),
      [false, false, true, false, false],
    );
  },
};

// What the pattern's text becomes.
export const normalised = {
  async test() {
    assert.deepStrictEqual(
      ['/:a{b}', '/{:a}b', '{/:a(x)}*', '/{a}{b}c', '{a}?', '/:a\\b', '/:a(.*)', '/:a([^\\/]+?)', '/(.*)', '/*{*}', '/{}', '/\\:a', '/./a/../b'].map(path),
      ['{/:a}b', '/{:a}b', '/:a(x)*', '/abc', '{a}?', '{/:a}b', '/:a(.*)', '/:a', '/*', '/*(.*)', '/', '/\\:a', '/b'],
    );
  },
};

// A wildcard keeps its form where another would mean something else.
export const normalisedWildcards = {
  async test() {
    assert.deepStrictEqual(
      ['/*/*', '/**', '/([^\\/]+?)', '/:a*:b', '/(.*)/x*y', '/:a.:b'].map(path),
      ['/*/*', '/**', '/([^\\/]+?)', '/:a*:b', '/*/x*y', '/:a.:b'],
    );
  },
};

// Text of a pattern is percent-encoded as in a URL.
export const encoded = {
  async test() {
    assert.deepStrictEqual([
      path('/é b'), new URLPattern({ search: "a'b\"<> é" }).search, new URLPattern({ hash: "a'b`<> é" }).hash,
      new URLPattern({ username: "a'b/\\:|" }).username, new URLPattern({ pathname: '/é/:é' }).pathname,
    ], ['/%C3%A9%20b', 'a\'b%22%3C%3E%20%C3%A9', 'a\'b%60%3C%3E%20%C3%A9', 'a\'b%2F%3A%7C', '/%C3%A9/:é']);
  },
};

// Hosts are normalised too.
export const hosts = {
  async test() {
    assert.deepStrictEqual(
      ['éx.com', 'EXAMPLE.com', 'a%41', '1.2.3', '[\\:\\:AB]', '*.h.com', ':sub.h.com', '{sub.}?h.com'].map((hostname) => new URLPattern({ hostname }).hostname),
      ['xn--x-9fa.com', 'example.com', 'aa', '1.2.0.3', '[\\:\\:ab]', '*.h.com', ':sub.h.com', '{sub.}?h.com'],
    );
  },
};

// In a host, a name goes up to the next dot.
export const hostSegments = {
  async test() {
    const p = new URLPattern({ hostname: ':sub.h.com' });
    assert.deepStrictEqual(
      [p.exec('https://a.h.com').hostname, p.exec('https://a.b.h.com')],
      [{ input: 'a.h.com', groups: { sub: 'a' } }, null],
    );
  },
};

// The default port of a protocol is written as none.
export const ports = {
  async test() {
    assert.deepStrictEqual([
      all(new URLPattern('https://h:443/'))[4], all(new URLPattern('https://h:80/'))[4], all(new URLPattern({ protocol: 'http', port: '80' }))[4],
      all(new URLPattern({ port: '080x' }))[4], new URLPattern({ protocol: 'http', port: '80' }).test('http://h/'),
    ], ['', '80', '', '80', true]);
  },
};

// A pattern for the protocol may stand in a string.
export const protocols = {
  async test() {
    assert.deepStrictEqual(
      ['http{s}?://h/', '(https?)://h/', '*://*/*', 'HTTPS://H/A', 'file:///a', 'data\\:foo', 'https:'].map((s) => all(new URLPattern(s))),
      [
        ['http{s}?', '*', '*', 'h', '', '/', '*', '*'],
        ['(https?)', '*', '*', 'h', '', '/', '*', '*'],
        ['*', '*', '*', '*', '', '/*', '*', '*'],
        ['https', '*', '*', 'h', '', '/A', '*', '*'],
        ['file', '*', '*', '', '', '/a', '*', '*'],
        ['data', '*', '*', '', '', 'foo', '*', '*'],
        ['https', '*', '*', '', '', '*', '*', '*'],
      ],
    );
  },
};

// The path of a protocol that is not special has no segments.
export const opaquePaths = {
  async test() {
    const p = new URLPattern({ protocol: 'data', pathname: 'a b/*' });
    assert.deepStrictEqual(
      [p.pathname, p.test('data:a b/c'), new URLPattern({ protocol: 'data', pathname: '/a/../b' }).pathname],
      ['a b/*', true, '/b'],
    );
  },
};

// Punctuation that begins or ends a component may be left on.
export const prefixes = {
  async test() {
    const p = new URLPattern({ search: '?a', hash: '#b', protocol: 'https:' });
    assert.deepStrictEqual([p.search, p.hash, p.protocol], ['a', 'b', 'https']);
  },
};

// Any port, or one of several.
export const portWildcard = {
  async test() {
    assert.deepStrictEqual(
      [new URLPattern('https://*:*').port, new URLPattern('https://h:(80|81)/').test('https://h:81/'), new URLPattern('https://h:{80}?/').port],
      ['*', true, '{80}?'],
    );
  },
};

// Members of the init object are converted to strings; undefined counts as absent.
export const conversions = {
  async test() {
    assert.deepStrictEqual(
      [new URLPattern({ pathname: 5 }).pathname, new URLPattern({ hash: null }).hash, new URLPattern({ pathname: undefined }).pathname, new URLPattern([]).pathname],
      ['5', 'null', '*', '*'],
    );
  },
};

// What a member of the init object throws goes through.
export const getterThrows = {
  async test() {
    assert.deepStrictEqual(await thrown(() => new URLPattern({ get pathname() { throw new RangeError('mine'); } })), 'RangeError: mine');
  },
};

// A regular expression is one of Unicode mode, with sets of properties.
export const unicodeMode = {
  async test() {
    assert.deepStrictEqual([groups('/(\\p{L}+)', '/abc'), groups('/(a{2})', '/aa')], [{ 0: 'abc' }, { 0: 'aa' }]);
  },
};

// Sets may be subtracted from each other.
export const setNotation = {
  async test() {
    const p = new URLPattern({ pathname: '/([\\p{L}--[a-z]])' });
    assert.deepStrictEqual([p.test('https://h/A'), p.test('https://h/a')], [true, false]);
  },
};

// The components cannot be assigned.
export const readOnly = {
  async test() {
    const p = new URLPattern({ pathname: '/a' });
    assert.deepStrictEqual(
      [await thrown(() => { 'use strict'; p.pathname = 'x'; }).then((t) => t.split(':')[0]), p.pathname, Reflect.ownKeys(p)],
      ['TypeError', '/a', []],
    );
  },
};
