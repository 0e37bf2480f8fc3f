// Rule: the CSS selectors that HTMLRewriter takes, and what they match. Source: https://developers.cloudflare.com/workers/runtime-apis/html-rewriter/#selectors
import assert from 'node:assert';

const doc = '<ul class="A b" lang=en-US><li id=One>1</li><li>2</li><li data-x="Foo bar">3<p><b>q</b></p></li></ul><ol><p></p><li>4</li></ol>';

// Asserts the texts of the elements that a selector matches in the document.
async function matches(selector, ...want) {
  const got = [];
  await new HTMLRewriter().on(selector, { element(e) { got.push(e.tagName + (e.getAttribute('id') ?? '')); } }).transform(new Response(doc)).text();
  assert.deepStrictEqual(got, want, selector);
}

function refused(selector, text) {
  assert.throws(() => new HTMLRewriter().on(selector, {}), { name: 'TypeError', message: 'Parser error: ' + text }, selector);
}

const test = (f) => ({ test: f });

// Names of elements, in any case; * is all.
export const types = test(async () => {
  await matches('p', 'p', 'p');
  await matches('LI', 'liOne', 'li', 'li', 'li');
  await matches('*', 'ul', 'liOne', 'li', 'li', 'p', 'b', 'ol', 'p', 'li');
  await matches('*|ol', 'ol');
});

// Classes and ids are compared exactly.
export const classes = test(async () => {
  await matches('.A', 'ul');
  await matches('.a');
  await matches('ul.A.b', 'ul');
  await matches('#One', 'liOne');
  await matches('#one');
});

// Descendants and children.
export const combinators = test(async () => {
  await matches('ul p', 'p');
  await matches('ul > p');
  await matches('ul > li > p > b', 'b');
  await matches('ol>*', 'p', 'li');
  await matches('ol, b', 'b', 'ol');
});

// Attributes: presence and the six operators.
export const attributes = test(async () => {
  await matches('[ID]', 'liOne');
  await matches('[id=One]', 'liOne');
  await matches('[data-x~=bar]', 'li');
  await matches('[data-x^=Foo]', 'li');
  await matches('[data-x$=bar]', 'li');
  await matches('[data-x*="o b"]', 'li');
  await matches('[lang|=en]', 'ul');
});

// An empty value matches no prefix, suffix, part or word.
export const emptyValue = test(async () => {
  await matches('[data-x^=""]');
  await matches('[data-x~=""]');
});

// The flags i and s; some attributes of HTML are compared in any case without.
export const attributeCase = test(async () => {
  await matches('[id=one]');
  await matches('[id=one i]', 'liOne');
  await matches('[id=One s]', 'liOne');
  await matches('[lang=EN-us]', 'ul');
});

// A value is compared as it stands in the source, with its character references.
export const references = test(async () => {
  for (const [selector, n] of [['[x="&"]', 0], ['[x="&amp;"]', 1]]) {
    let seen = 0;
    await new HTMLRewriter().on(selector, { element() { seen++; } }).transform(new Response('<a x="&amp;">')).text();
    assert.strictEqual(seen, n);
  }
});

// :nth-child and its kin count open elements as the markup nests them.
export const nth = test(async () => {
  await matches('li:first-child', 'liOne');
  await matches('li:nth-child(2)', 'li', 'li');
  await matches('li:nth-child(odd)', 'liOne', 'li');
  await matches('li:nth-child( 2n + 1 )', 'liOne', 'li');
  await matches('li:nth-child(-n+2)', 'liOne', 'li', 'li');
  await matches('li:first-of-type', 'liOne', 'li');
  await matches('li:nth-of-type(3)', 'li');
});

// :not takes a list of compounds, which may contain :not.
export const not = test(async () => {
  await matches('li:not(:first-child)', 'li', 'li', 'li');
  await matches('li:not([id], [data-x])', 'li', 'li');
  await matches('ul :not(li)', 'p', 'b');
  await matches('ol:not(:not(*))', 'ol');
});

// Escapes in names.
export const escapes = test(async () => {
  await matches('#\\4f ne', 'liOne');
  await matches('\\62', 'b');
  await matches('[data\\-x]', 'li');
});

// An element that several alternatives match is handled once.
export const once = test(async () => {
  await matches('b, p b, *:first-child > b', 'b');
});

export const emptySelector = test(() => {
  for (const s of ['', ' ', ',a', 'a,', '> a', '5', ':not()', '#']) refused(s, 'The selector is empty.');
});

export const unsupportedCombinator = test(() => {
  refused('a + b', 'Unsupported combinator `+` in selector.');
  refused('a ~ b', 'Unsupported combinator `~` in selector.');
});

export const unsupportedPseudo = test(() => {
  for (const s of ['a:hover', 'a::before', ':last-child', ':nth-last-child(1)', ':is(a)', ':has(a)', ':root', ':empty', ':not(a b)']) {
    refused(s, 'Unsupported pseudo-class or pseudo-element in selector.');
  }
});

export const syntaxErrors = test(() => {
  for (const s of ['[', '[x=', 'a:', '.', ':nth-child()']) refused(s, 'Unexpected end of selector.');
  for (const s of ['a]', 'a*', 'a%', '[x=a b]', ':nth-child(2 n)', 'a/**/b']) refused(s, 'Unexpected token in selector.');
  for (const s of ['a >', 'a > > b']) refused(s, 'Dangling combinator in selector.');
  refused('..a', 'Invalid or unescaped class name in selector.');
  refused('[1]', 'Missing attribute name in attribute selector.');
  refused('[x!=a]', 'Unexpected token in the attribute selector.');
  refused('svg|a', 'Selectors with explicit namespaces are not supported.');
});

// A missing bracket at the end is forgiven.
export const openEnd = test(async () => {
  await matches('[id="One"', 'liOne');
  await matches('b:not(a', 'b');
  await matches('li:nth-child(3', 'li');
});
