import assert from "node:assert";
import { Lexer, Marked, marked } from "marked";

const source = `# Title *em*

A [link](https://x.example "t") and \`code\`, **bold**, ~~gone~~, <b>raw</b> & more.
Auto: https://auto.example

- one
- [x] done
  1. deep

> quote

| a | b |
|:--|--:|
| 1 | 2 |

\`\`\`js
if (a < b) {}
\`\`\`

***
![alt](i.png)
`;

const html = `<h1>Title <em>em</em></h1>
<p>A <a href="https://x.example" title="t">link</a> and <code>code</code>, <strong>bold</strong>, <del>gone</del>, <b>raw</b> &amp; more.
Auto: <a href="https://auto.example">https://auto.example</a></p>
<ul>
<li>one</li>
<li><input checked="" disabled="" type="checkbox"> done<ol>
<li>deep</li>
</ol>
</li>
</ul>
<blockquote>
<p>quote</p>
</blockquote>
<table>
<thead>
<tr>
<th align="left">a</th>
<th align="right">b</th>
</tr>
</thead>
<tbody><tr>
<td align="left">1</td>
<td align="right">2</td>
</tr>
</tbody></table>
<pre><code class="language-js">if (a &lt; b) {}
</code></pre>
<hr>
<p><img src="i.png" alt="alt"></p>
`;

export const document = {
  test() {
    assert.strictEqual(marked.parse(source), html);
    assert.strictEqual(marked.parseInline("a *b* `c`"), "a <em>b</em> <code>c</code>");
    assert.deepStrictEqual(new Lexer().lex("# a\n\nb").map((t) => t.type), ["heading", "space", "paragraph"]);
  },
};

export const emphasisAcrossScripts = {
  test() {
    assert.strictEqual(marked.parse("naïve **été**, 日本**語**。 _a_b_ **“q”**"), "<p>naïve <strong>été</strong>, 日本<strong>語</strong>。 <em>a_b</em> <strong>“q”</strong></p>\n");
  },
};

export const extensions = {
  async test() {
    const m = new Marked({
      async: true,
      walkTokens: async (t) => { if (t.type === "text") { await null; t.text = t.text.toUpperCase(); } },
      renderer: { heading({ tokens, depth }) { return `<h${depth} class="x">${this.parser.parseInline(tokens)}</h${depth}>`; } },
      extensions: [{
        name: "tag", level: "inline", start: (s) => s.indexOf("@"),
        tokenizer(s) { const t = /^@(\w+)/.exec(s); return t ? { type: "tag", raw: t[0], name: t[1] } : undefined; },
        renderer: (t) => `<i>${t.name}</i>`,
      }],
    });
    assert.strictEqual(await m.parse("## hi @ann"), '<h2 class="x">HI <i>ann</i></h2>');
  },
};
