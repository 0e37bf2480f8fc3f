// preact (to a string), mustache, cookie, lodash's text functions.
import assert from "node:assert";
import * as cookie from "cookie";
import * as _ from "lodash-es";
import mustache from "mustache";
import { createContext, h } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import { renderToString, renderToStringAsync } from "preact-render-to-string";

export const preact = {
  async test() {
    const Place = createContext("none");
    function Item({ n }: { n: number }) {
      const [x] = useState(n);
      const double = useMemo(() => x * 2, [x]);
      return h("li", { class: "a", style: { color: "red", width: 5 }, "data-x": x }, useContext(Place), " & ", double);
    }
    assert.strictEqual(renderToString(h(Place.Provider, { value: "<in>" }, h("ul", null, [1, 2].map((n) => h(Item, { key: n, n }))))),
      '<ul><li class="a" style="color:red;width:5px;" data-x="1">&lt;in> &amp; 2</li><li class="a" style="color:red;width:5px;" data-x="2">&lt;in> &amp; 4</li></ul>');
    assert.strictEqual(await renderToStringAsync(h("p", { dangerouslySetInnerHTML: { __html: "<i>" } })), "<p><i></p>");
  },
};

export const templates = {
  test() {
    assert.strictEqual(mustache.render("{{#a}}<{{n}}>{{/a}}{{^b}}none{{/b}}{{{c}}}{{>p}}", { a: [{ n: "1&" }, { n: 2 }], c: "<i>" }, { p: "partial {{c}}" }), "<1&amp;><2>none<i>partial &lt;i&gt;");
  },
};

export const cookies = {
  test() {
    assert.deepStrictEqual({ ...cookie.parseCookie("a=b; c=%20d; a=x") }, { a: "b", c: " d" });
    assert.strictEqual(cookie.stringifySetCookie({ name: "s", value: "é", httpOnly: true, maxAge: 10, path: "/", sameSite: "lax" }), "s=%C3%A9; Max-Age=10; Path=/; HttpOnly; SameSite=Lax");
  },
};

export const words = {
  test() {
    assert.deepStrictEqual(_.words("fred, barney, & pebbles 😀"), ["fred", "barney", "pebbles", "😀"]);
    assert.deepStrictEqual([_.size("😀é"), _.toArray("a😀👍🏽").length, _.truncate("😀😀😀😀", { length: 3, omission: "…" })], [2, 3, "😀😀…"]);
    assert.deepStrictEqual([_.camelCase("Foo Bar-baz ünï"), _.kebabCase("fooBar_Baz9x"), _.startCase("--foo-bar--"), _.deburr("déjà vu")], ["fooBarBazUni", "foo-bar-baz-9-x", "Foo Bar", "deja vu"]);
  },
};

export const collections = {
  test() {
    const value = { b: [1, { c: new Map([[1, new Set([2])]]) }], d: new Date(1), r: /x/g, f: new Float32Array(2) };
    const copy = _.cloneDeep(value);
    assert.ok(_.isEqual(copy, value) && copy.b !== value.b);
    assert.deepStrictEqual(_.merge({}, value, { b: [5] }).b[0], 5);
    assert.deepStrictEqual(_.orderBy([{ a: 2, b: 1 }, { a: 1 }, { a: 2, b: 0 }], ["a", "b"], ["desc", "asc"]), [{ a: 2, b: 0 }, { a: 2, b: 1 }, { a: 1 }]);
    assert.deepStrictEqual([_.chunk([1, 2, 3], 2), _.groupBy([1.2, 1.8, 2.1], Math.floor), _.set({}, "a.b[0].c", 1)], [[[1, 2], [3]], { 1: [1.2, 1.8], 2: [2.1] }, { a: { b: [{ c: 1 }] } }]);
  },
};
