// Rule: what the rewriter takes for tags, texts and comments. Source: https://html.spec.whatwg.org/multipage/parsing.html
import assert from 'node:assert';

// Asserts the tokens of a document, and that it passes unchanged: elements are
// their names, comments have a #, ends of texts a |.
const tokens = (html, ...want) => ({
  async test() {
    const got = [];
    const out = await new HTMLRewriter()
      .on('*', { element(e) { got.push('<' + e.tagName + [...e.attributes].map(([k, v]) => ` ${k}=${v}`).join('')); } })
      .onDocument({ comments(c) { got.push('#' + c.text); }, text(t) { got.push(t.text + (t.lastInTextNode ? '|' : '')); } })
      .transform(new Response(html)).text();
    assert.deepStrictEqual([out, got], [html, want]);
  },
});
const namespaces = (html, ...want) => ({
  async test() {
    const got = [];
    await new HTMLRewriter().on('*', { element(e) { got.push(e.tagName + ' ' + e.namespaceURI.split('/').pop()); } }).transform(new Response(html)).text();
    assert.deepStrictEqual(got, want);
  },
});

export const attributes = tokens('<a =x y= z a=b/c d="x"e=\'q\'f/g>', '<a =x= y=z a=b/c d=x e=q f= g=');
export const spaces = tokens('<a x = "1" y\n=\n2 "q" \'>', '<a x=1 y=2 "q"= \'=');
export const stray = tokens('a < b <3<', 'a ', '<', ' b ', '<', '3', '<', '|');
export const endTags = tokens('</>a</3>b</a/>', 'a', '|', '#3', 'b', '|');
export const unfinishedTag = tokens('a<b x="y', 'a', '|');
export const unfinishedComment = tokens('a<!-- b', 'a', '|', '# b');
export const comments = tokens('<!-->a<!--->b<!--c--!>d<?e></ f><!g>', '#', 'a', '|', '#', 'b', '|', '#c', 'd', '|', '#?e', '# f', '#g');
export const nul = tokens('<a\0b x\0=y\0>t\0', '<a\0b x\0=y\0', 't\0', '|');
export const title = tokens('<title>a<b>&amp;</b></title>c', '<title', 'a', '<', 'b>&amp;', '</b', '>', '|', 'c', '|');
export const script = tokens('<script>if(a<b)"</scr"</script>', '<script', 'if(a', '<', 'b)"', '</scr', '"', '|');
export const scriptInComment = tokens('<script><!-- <script> </script> --></script>x',
  '<script', '<!-- ', '<script> ', '</script> --', '>', '|', 'x', '|');
export const plaintext = tokens('<plaintext><b></plaintext>', '<plaintext', '<b></plaintext>', '|');
export const rawText = tokens('<style><i></style><textarea><i></textarea><noscript><i></noscript>',
  '<style', '<', 'i>', '|', '<textarea', '<', 'i>', '|', '<noscript', '<', 'i>', '|');
export const cdata = tokens('<svg><![CDATA[x<b>]]></svg><![CDATA[y]]>', '<svg', 'x<b>', '|', '#[CDATA[y]]');
export const titleInSVG = tokens('<svg><title><b></b></title><style><c></c></style></svg>', '<svg', '<title', '<b', '<style', '<c');

export const svg = namespaces('<svg><a/><foreignObject><p></p></foreignObject><b></svg><i>',
  'svg svg', 'a svg', 'foreignobject svg', 'p xhtml', 'b xhtml', 'i xhtml');
export const math = namespaces('<math><mi><x></x></mi><y></math><annotation-xml>',
  'math MathML', 'mi MathML', 'x xhtml', 'y MathML', 'annotation-xml xhtml');
export const nestedSVG = namespaces('<svg><svg></svg><x></x></svg><x>', 'svg svg', 'svg svg', 'x svg', 'x xhtml');
export const breakout = namespaces('<svg><font color=a><x>', 'svg svg', 'font xhtml', 'x xhtml');
// An element that is not closed keeps the end tag of the integration point from counting.
export const unclosedInSVG = namespaces('<svg><desc><p></desc><x>', 'svg svg', 'desc svg', 'p xhtml', 'x xhtml');

// Where only a tree could tell whether raw text follows, the rewriter gives up.
export const ambiguous = {
  async test() {
    for (const [html, name] of [['<select><xmp>', 'xmp'], ['<frameset><title>', 'title'], ['<select><template><style>', 'style']]) {
      const error = await new HTMLRewriter().on('a', {}).transform(new Response(html)).text().catch((e) => e);
      const text = `Parser error: The parser has encountered a text content tag (\`<${name}>\`) in the context where it is ambiguous`;
      assert.deepStrictEqual([error.name, error.message.slice(0, text.length)], ['TypeError', text]);
    }
  },
};
