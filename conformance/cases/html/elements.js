// Rule: what the handlers of HTMLRewriter can do to elements. Source: https://developers.cloudflare.com/workers/runtime-apis/html-rewriter/#element
import assert from 'node:assert';

// Asserts what becomes of a document when f handles the elements of a selector.
const becomes = (html, selector, f, want) => ({
  async test() {
    assert.strictEqual(await new HTMLRewriter().on(selector, { element: f }).transform(new Response(html)).text(), want);
  },
});
const rejects = (html, f, error) => ({
  async test() {
    await assert.rejects(() => new HTMLRewriter().on('a, br', { element: f }).transform(new Response(html)).text(), error);
  },
});
const type = (message) => ({ name: 'TypeError', message });

// What no handler changes passes byte for byte.
export const untouched = becomes('<A HREF=x  Y=\'1\' z="&amp;"  b><Br/></a ><p>t&lt;</P x>', '*', () => {},
  '<A HREF=x  Y=\'1\' z="&amp;"  b><Br/></a ><p>t&lt;</P x>');

// before, after, prepend and append pile up around the content.
export const order = becomes('x<a>in</a>y', 'a', (e) => {
  e.before('B1').before('B2').after('A1').after('A2').prepend('P1').prepend('P2').append('E1').append('E2');
}, 'xB1B2<a>P2P1inE1E2</a>A2A1y');

// Text is escaped unless html is set.
export const escaping = becomes('<a></a>', 'a', (e) => {
  e.append('<&>"\'').append('<b>&</b>', { html: true }).append('<i>', { html: false }).append('<u>', null);
}, '<a>&lt;&amp;&gt;"\'<b>&</b>&lt;i&gt;&lt;u&gt;</a>');

export const setInnerContent = becomes('<a>q<b>r</b></a>', 'a', (e) => {
  e.prepend('P').append('lost').setInnerContent('<x>').append('E');
}, '<a>&lt;x&gt;E</a>');

// The last of several replacements counts; later insertions stay.
export const replace = becomes('x<a>q</a>y', 'a', (e) => { e.before('B').append('lost').replace('1').replace('2').after('A'); }, 'xB2Ay');
export const remove = becomes('x<a>q<b>r</b></a>y', 'a', (e) => { e.before('B').after('A').append('E').prepend('P').remove(); }, 'xBAy');
export const removeAndKeepContent = becomes('x<a>q</a>y', 'a', (e) => { e.before('B').append('E').prepend('P').removeAndKeepContent(); }, 'xBPqEy');
export const removeThenInsert = becomes('x<a>q</a>y', 'a', (e) => { e.remove().prepend('P').append('E'); }, 'xPEy');

// Handlers of elements in a removed one still run; what they insert is lost.
export const insideRemoved = {
  async test() {
    const seen = [];
    const out = await new HTMLRewriter().on('a', { element(e) { e.remove(); } })
      .on('b', { element(e) { seen.push(e.removed); e.after('lost'); }, text(t) { seen.push(t.text); } })
      .transform(new Response('<a>1<b>2</b></a>3')).text();
    assert.deepStrictEqual([out, seen], ['3', [true, '2', '']]);
  },
};

// An element without content takes nothing inside.
export const voidElement = becomes('<br>x', 'br', (e) => { e.prepend('P').append('E').setInnerContent('I').before('B').after('A'); }, 'B<br>Ax');
export const selfClosingInSVG = becomes('<svg><a/>x</svg>', 'a', (e) => { e.append('E').after('A'); }, '<svg><a/>Ax</svg>');

// A changed start tag is written anew, its other attributes as they were.
export const setAttribute = becomes('<A HREF=x  Y=\'1\' b>q</A>', 'a', (e) => { e.setAttribute('N', '"&<>'); e.setAttribute('hReF', 'z'); },
  '<A HREF="z" Y=\'1\' b n="&quot;&<>">q</A>');
export const setAttributeSelfClosing = becomes('<br x=1 />', 'br', (e) => { e.setAttribute('y', 2); }, '<br x=1 y="2" />');
export const removeAttribute = becomes('<a x=1 X=2  y>q</a>', 'a', (e) => { e.removeAttribute('x'); }, '<a y>q</a>');
export const removeNoAttribute = becomes('<a  x=1 >', 'a', (e) => { e.removeAttribute('y'); }, '<a  x=1 >');

export const readAttributes = becomes('<A HREF=x  Y=\'1\' z="&amp;" b x="" X=2>', 'a', (e) => {
  assert.deepStrictEqual([...e.attributes], [['href', 'x'], ['y', '1'], ['z', '&amp;'], ['b', ''], ['x', ''], ['x', '2']]);
  assert.deepStrictEqual([e.getAttribute('Y'), e.getAttribute('no'), e.hasAttribute('B'), e.hasAttribute('no')], ['1', null, true, false]);
}, '<A HREF=x  Y=\'1\' z="&amp;" b x="" X=2>');

// An iterator of attributes does not survive a change.
export const changeWhileIterating = rejects('<a x=1 y=2>', (e) => { for (const [k] of e.attributes) e.removeAttribute(k); }, {
  name: 'Error',
  message: 'The attributes of this element have been modified during iteration. You must create a new iterator after modifying attributes.',
});

export const badAttributeName = rejects('<a>', (e) => { e.setAttribute('a b', ''); }, type('Parser error: ` ` character is forbidden in the attribute name'));
export const emptyAttributeName = rejects('<a>', (e) => { e.setAttribute('', ''); }, type("Parser error: Attribute name can't be empty."));
export const missingValue = rejects('<a>', (e) => { e.setAttribute('x'); },
  type("Failed to execute 'setAttribute' on 'Element': parameter 2 is not of type 'string'."));

// The end tag takes the new name, too.
export const tagName = becomes('<a x>q</a  y>', 'a', (e) => {
  e.tagName = 'Span';
  assert.strictEqual(e.tagName, 'span');
}, '<Span x>q</Span>');
export const badTagName = rejects('<a>', (e) => { e.tagName = 'a/'; }, type('Parser error: `/` character is forbidden in the tag name'));
export const numericTagName = rejects('<a>', (e) => { e.tagName = '5'; },
  type('Parser error: The first character of the tag name should be an ASCII alphabetical character.'));

export const onEndTag = becomes('<a>x</A >y', 'a', (e) => {
  e.append('E').after('A');
  e.onEndTag((t) => { t.before('B').after('C'); });
}, '<a>xEB</A >CAy');
export const onEndTagTwice = becomes('<a>x</a>', 'a', (e) => {
  e.onEndTag((t) => { t.before('1'); });
  e.onEndTag((t) => { t.before('2'); });
}, '<a>x2</a>');
export const endTagName = becomes('<a>x</a>', 'a', (e) => {
  e.onEndTag((t) => {
    assert.strictEqual(t.name, 'a');
    t.name = 'Q';
  });
}, '<a>x</Q>');
export const removeEndTag = becomes('<a>x</a>y', 'a', (e) => { e.onEndTag((t) => { t.before('B').remove(); }); }, '<a>xBy');
export const noEndTag = rejects('<br>', (e) => { e.onEndTag(() => {}); }, type('Parser error: No end tag.'));

// An element that is not closed ends with the end tag of an outer one.
export const unclosed = becomes('<div><a><b>q</div>y', 'a', (e) => {
  e.append('E').after('A');
  e.onEndTag((t) => { t.before(t.name); });
}, '<div><a><b>qEdiv</div>Ay');
export const neverClosed = becomes('<div><a>x', 'a', (e) => { e.append('lost').onEndTag?.(() => { assert.fail(); }); }, '<div><a>x');

// Promises of handlers are awaited.
export const asyncHandler = becomes('<a>x</a>', 'a', async (e) => {
  await scheduler.wait(1);
  e.append('B');
  e.onEndTag(async (t) => {
    await scheduler.wait(1);
    t.before('C');
  });
}, '<a>xBC</a>');

// What a handler throws is what reading the body fails with.
export const throws = rejects('<a>', () => { throw new RangeError('boo'); }, { name: 'RangeError', message: 'boo' });
export const rejection = rejects('<a>', async () => { throw new RangeError('boo'); }, { name: 'RangeError', message: 'boo' });

// Responses and streams as content.
export const responseContent = becomes('<a></a>', 'a', (e) => { e.append(new Response('<r>')).prepend(new Response('<s>'), { html: true }); }, '<a><s>&lt;r&gt;</a>');
export const streamContent = becomes('<a></a>', 'a', (e) => {
  e.append(new Response('one').body).append('two').after(new Response('three').body);
}, '<a>onetwo</a>three');
export const emptyContent = becomes('<a></a>', 'a', (e) => { e.append(new Response(null)); }, '<a></a>');
export const usedContent = rejects('<a></a>', async (e) => {
  const r = new Response('x');
  await r.text();
  e.append(r);
}, type('The ReadableStream has been locked to a reader.'));

export const contentTypes = becomes('<a></a>', 'a', (e) => { e.append(5).append(null).append(undefined).append({}); }, '<a>5nullundefined[object Object]</a>');
export const noContent = rejects('<a></a>', (e) => { e.append(); },
  type("Failed to execute 'append' on 'Element': parameter 1 is not of type 'string or JsReadableStream or Response'."));
export const badOptions = rejects('<a></a>', (e) => { e.append('x', 5); },
  type("Failed to execute 'append' on 'Element': parameter 2 is not of type 'ContentOptions'."));
