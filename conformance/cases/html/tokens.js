// Rule: the rewriter itself, and the tokens that are no elements. Source: https://developers.cloudflare.com/workers/runtime-apis/html-rewriter/
import assert from 'node:assert';

const rewrite = (html, selector, handlers) => new HTMLRewriter().on(selector, handlers).transform(new Response(html)).text();
const document = (html, handlers) => new HTMLRewriter().onDocument(handlers).transform(new Response(html)).text();
const chunks = (...list) => new Response(new ReadableStream({
  start(c) {
    for (const s of list) c.enqueue(typeof s === 'string' ? new TextEncoder().encode(s) : new Uint8Array(s));
    c.close();
  },
}));
const test = (f) => ({ test: f });
const type = (message) => ({ name: 'TypeError', message });

// Texts come in pieces; the last is empty.
export const texts = test(async () => {
  const seen = [];
  await rewrite('<a>x&lt;y<b>z</b>w</a>q', 'a', { text(t) { seen.push(t.text, t.lastInTextNode); } });
  assert.deepStrictEqual(seen, ['x&lt;y', false, '', true, 'z', false, '', true, 'w', false, '', true]);
});

// A character may be split between two chunks.
export const splitCharacter = test(async () => {
  const seen = [];
  await new HTMLRewriter().on('a', { text(t) { seen.push(t.text); } }).transform(chunks('<a>', [0xc3], [0xa9], '</a>')).text();
  assert.deepStrictEqual(seen, ['é', '']);
});

// So may anything else.
export const splitTags = test(async () => {
  const out = new HTMLRewriter().on('a', { element(e) { e.append('Z'); } }).transform(chunks('ab<', 'a x="', '>">c</', 'a', '>d<b', ' x>e'));
  assert.strictEqual(await out.text(), 'ab<a x=">">cZ</a>d<b x>e');
});

export const textChanges = test(async () => {
  assert.strictEqual(await rewrite('<a>x</a>', 'a', {
    text(t) {
      if (!t.lastInTextNode) t.before('<B>').after('<A>', { html: true }).replace('R');
      else t.after('M');
    },
  }), '<a>&lt;B&gt;R<A>M</a>');
});

export const textRemoval = test(async () => {
  assert.strictEqual(await rewrite('<a>x</a>', 'a', {
    text(t) {
      t.remove();
      assert.strictEqual(t.removed, true);
    },
  }), '<a></a>');
});

export const textIsReadOnly = test(async () => {
  await assert.rejects(() => rewrite('<a>x</a>', 'a', { text(t) { t.text = 'y'; } }), type("Cannot assign to read only property 'text' of object '#<Text>'"));
});

// Bytes that are no UTF-8 pass, unless a handler has seen the text.
export const badBytes = test(async () => {
  const run = async (h) => [...new Uint8Array(await new HTMLRewriter().on('a', h).transform(chunks('<a>', [255], '</a>')).arrayBuffer())];
  assert.deepStrictEqual(await run({ element() {} }), [60, 97, 62, 255, 60, 47, 97, 62]);
  assert.deepStrictEqual(await run({ text() {} }), [60, 97, 62, 239, 191, 189, 60, 47, 97, 62]);
});

export const comments = test(async () => {
  const seen = [];
  const out = await rewrite('<a><!-- x --><?y></a><!--z-->', 'a', {
    comments(c) {
      seen.push(c.text);
      c.before('<B>');
      c.text = 'new<';
      seen.push(c.text);
    },
  });
  assert.deepStrictEqual([out, seen], ['<a>&lt;B&gt;<!--new<-->&lt;B&gt;<!--new<--></a><!--z-->', [' x ', 'new<', '?y', 'new<']]);
});

export const commentRemoval = test(async () => {
  assert.strictEqual(await rewrite('<a>1<!--x-->2<!--y--></a>', 'a', { comments(c) { if (c.text === 'x') c.remove(); else c.replace('R'); } }), '<a>12R</a>');
});

export const closingComment = test(async () => {
  for (const text of ['a-->b', 'a--!>b']) {
    await assert.rejects(() => rewrite('<a><!--x--></a>', 'a', { comments(c) { c.text = text; } }),
      type("Parser error: Comment text shouldn't contain a comment-closing sequence."));
  }
});

export const doctype = test(async () => {
  const seen = [];
  await document('<!DOCTYPE HTML PUBLIC "-//W3C" \'http://x\'><!doctype a SYSTEM "q"><!DOCTYPE>', { doctype(d) { seen.push([d.name, d.publicId, d.systemId]); } });
  assert.deepStrictEqual(seen, [['html', '-//W3C', 'http://x'], ['a', null, 'q'], [null, null, null]]);
});

export const documentEnd = test(async () => {
  assert.strictEqual(await document('a', { end(e) { e.append('<x>', { html: true }).append('<y>'); } }), 'a<x>&lt;y&gt;');
  assert.strictEqual(await document('', { async end(e) { e.append('z'); } }), 'z');
});

// A token is valid only while its handler runs.
export const invalidAfterwards = test(async () => {
  const dead = type('This content token is no longer valid. Content tokens are only valid during the execution of the relevant content handler.');
  let element, text, attributes;
  await rewrite('<a x=1>q</a>', 'a', { element(e) { element = e; attributes = e.attributes; }, text(t) { text = t; } });
  assert.throws(() => element.tagName, dead);
  assert.throws(() => element.append('x'), dead);
  assert.throws(() => attributes.next(), dead);
  assert.throws(() => text.text, dead);
});

// Handlers run in the order they were added, those of the document last.
export const order = test(async () => {
  const seen = [];
  const text = (name) => ({ element() { seen.push(name); }, text(t) { if (t.text) seen.push(name + 't'); } });
  await new HTMLRewriter().onDocument(text('d')).on('a', text('1')).on('*', text('2')).on('a', text('3')).transform(new Response('<a>x</a>')).text();
  assert.deepStrictEqual(seen, ['1', '2', '3', '1t', '2t', '3t', 'dt']);
});

// A handler is called on the object it came from.
export const receiver = test(async () => {
  class H {
    n = 5;
    element(e) { e.append(String(this.n)); }
  }
  assert.strictEqual(await rewrite('<a></a>', 'a', new H()), '<a>5</a>');
});

// The new response has the status and headers of the old, whose body is taken.
export const response = test(async () => {
  const old = new Response('<a>x</a>', { status: 201, statusText: 'Foo', headers: { etag: 'x', 'content-type': 'text/html' } });
  const fresh = new HTMLRewriter().transform(old);
  assert.deepStrictEqual([fresh.status, fresh.statusText, [...fresh.headers], old.bodyUsed], [201, 'Foo', [['content-type', 'text/html'], ['etag', 'x']], true]);
  assert.strictEqual(await fresh.text(), '<a>x</a>');
  assert.throws(() => new HTMLRewriter().transform(old), type('The ReadableStream has been locked to a reader.'));
  assert.strictEqual(new HTMLRewriter().transform(new Response(null)).body, null);
});

export const reuse = test(async () => {
  const r = new HTMLRewriter().on('a', { element(e) { e.append('1'); } });
  assert.strictEqual(await r.transform(r.transform(new Response('<a></a>'))).text(), '<a>11</a>');
});

// The encoding is that of the content type; what it lacks is written as a reference.
export const encoding = test(async () => {
  const seen = [];
  const source = new Response(new Uint8Array([60, 97, 62, 0xe9, 60, 47, 97, 62]), { headers: { 'content-type': 'text/html; charset=iso-8859-1' } });
  const out = new HTMLRewriter().on('a', { text(t) { seen.push(t.text); }, element(e) { e.append('é☃'); } }).transform(source);
  assert.strictEqual(new TextDecoder('latin1').decode(await out.arrayBuffer()), '<a>éé&#9731;</a>');
  assert.deepStrictEqual(seen, ['é', '']);
});

export const badEncoding = test(async () => {
  const run = async (charset) => new HTMLRewriter().transform(new Response('x', { headers: { 'content-type': 'text/html; charset=' + charset } })).text();
  await assert.rejects(() => run('utf-16'), type('Parser error: Expected ASCII-compatible encoding.'));
  await assert.rejects(() => run('nope'), type('Parser error: Unknown character encoding has been provided.'));
});

export const badArguments = test(() => {
  const r = new HTMLRewriter();
  assert.throws(() => r.on(), type("Failed to execute 'on' on 'HTMLRewriter': parameter 1 is not of type 'string'."));
  assert.throws(() => r.on('a'), type("Failed to execute 'on' on 'HTMLRewriter': parameter 2 is not of type 'ElementContentHandlers'."));
  assert.throws(() => r.on('a', { element: 5 }), type("Incorrect type for the 'element' field on 'ElementContentHandlers': the provided value is not of type 'function'."));
  assert.throws(() => r.onDocument(), type("Failed to execute 'onDocument' on 'HTMLRewriter': parameter 1 is not of type 'DocumentContentHandlers'."));
  assert.throws(() => r.transform('x'), type("Failed to execute 'transform' on 'HTMLRewriter': parameter 1 is not of type 'Response'."));
  assert.throws(() => HTMLRewriter(), type("Failed to construct 'HTMLRewriter': Please use the 'new' operator, this object constructor cannot be called as a function."));
});
