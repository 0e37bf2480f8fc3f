package loader

import (
	"strings"
	"testing"
)

// runModule evaluates code as the only module.
func runModule(t *testing.T, code string) string {
	t.Helper()
	v, err := buildAndRun(Options{Modules: []Module{{Name: "main.js", Contents: []byte(code)}}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestArgumentsInArrows(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"plain", `function f(){ return (() => arguments[0])() } export default f(7)`, "7"},
		{"directive", `function f(){ "use strict"; return (() => arguments[0])() } export default f(7)`, "7"},
		{"nested arrows", `function f(){ return (() => () => arguments.length)()() } export default f(1,2,3)`, "3"},
		{"function between", `function f(){ return (() => function(){ return arguments[0] })() } export default f(1)(9)`, "9"},
		{"method", `export default ({m(){ return [1].map(() => arguments[1])[0] }}).m(1, 5)`, "5"},
		{"class method", `class A { m(){ return (() => arguments[0])() } } export default new A().m(4)`, "4"},
		{"constructor", `class A { constructor(){ this.f = () => arguments[0] } } export default new A(4).f()`, "4"},
		{"derived constructor", `class B {} class A extends B { constructor(){ super(); this.f = () => arguments[0] } } export default new A(4).f()`, "4"},
		{"async", `async function f(){ await null; return (async () => arguments[0])() } export default f(3)`, "3"},
		{"generator", `function* f(){ yield (() => arguments[0])() } export default f(3).next().value`, "3"},
		{"async generator", `async function* f(){ yield (() => arguments[0])() } export default f(3).next().then(r => r.value)`, "3"},
		{"in default value", `function f(a, b = () => arguments[0]){ return b() } export default f(8)`, "8"},
		{"default value and body", `function f(a, b = () => arguments[0]){ return b() + (() => arguments.length)() } export default f(8)`, "9"},
		{"defaults, used in body", `function f(a, b = 2){ return (() => arguments.length)() + b } export default f(8)`, "3"},
		{"destructured default", `function f({a = () => arguments.length} = {}){ return a() } export default f()`, "0"},
		{"getter", `export default ({get x(){ return (() => arguments.length)() }}).x`, "0"},
		{"property short", `function f(){ return (() => { const o = {...arguments}; return o[0] })() } export default f(6)`, "6"},
		{"for of", `function f(){ const g = () => { let s = 0; for (const x of arguments) s += x; return s }; return g() } export default f(1,2,3)`, "6"},
		{"default value before rest", `function f(a, b = () => arguments[0], ...c){ return b() + c.length } export default f(8, undefined, 1)`, "9"},
		{"length and extra argument", `function f(a, b = () => arguments.length){ return b() } export default f(8, undefined, 1, 2) + "/" + f.length`, "4/1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := runModule(t, c.code); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestNames holds what workerd answers for the same list of modules.
func TestNames(t *testing.T) {
	mods := []Module{
		{Name: "src/main.js"},
		{Name: "src/b.js", Contents: []byte("export const b = 'src/b'")},
		{Name: "b.js", Contents: []byte("export const b = 'root b'")},
		{Name: "c.js", Contents: []byte("export const b = 'root c'")},
		{Name: "pkg", Contents: []byte("export const b = 'pkg'")},
		{Name: "d.txt", Kind: Text, Contents: []byte("hello")},
		{Name: "j.json", Kind: JSON, Contents: []byte(`{"a":1}`)},
		{Name: "bin", Kind: Data, Contents: []byte("abc")},
		{Name: "cj.js", Kind: CommonJS, Contents: []byte("module.exports = {x: 1, file: __filename}")},
		{Name: "cj2", Kind: CommonJS, Contents: []byte("exports.y = 2; exports.c = require('./cj.js').x")},
		{Name: "throws.js", Contents: []byte("throw new Error('boom')")},
	}
	tests := []struct{ spec, want string }{
		{"./b.js", "src/b"},
		{"b.js", "src/b"},
		{"c.js", `Error: No such module "src/c.js".`},
		{"../c.js", "root c"},
		{"/c.js", "root c"},
		{"pkg", `Error: No such module "src/pkg".`},
		{"../pkg", "pkg"},
		{"nope", `Error: No such module "src/nope".`},
		{"../nope", `Error: No such module "nope".`},
		{"./nope.js", `Error: No such module "src/nope.js".`},
		{"node:nope", `Error: No such module "node:nope".`},
		{"cloudflare:nope", `Error: No such module "cloudflare:nope".`},
		{"../d.txt", "hello"},
		{"../j.json", `{"a":1}`},
		{"../bin", "[object ArrayBuffer]"},
		{"../cj.js", `{"x":1,"file":"/cj.js"}`},
		{"../cj2", `{"y":2,"c":1}`},
		{"../throws.js", "Error: boom"},
		{"/src/b.js", "src/b"},
		{"src/b.js", `Error: No such module "src/src/b.js".`},
		{"https://x.y/z", `Error: No such module "src/https:/x.y/z".`},
		{"", `Error: No such module "src".`},
		{"file:///src/b.js", `Error: No such module "src/file:/src/b.js".`},
	}
	const show = `const show = m => m.b ?? (m.default instanceof ArrayBuffer || typeof m.default === "string" ? String(m.default) : JSON.stringify(m.default));`
	for _, c := range tests {
		for kind, code := range map[string]string{
			"constant": show + "export default import(" + jsString(c.spec) + ").then(show, String)",
			"variable": show + "const spec = " + jsString(c.spec) + "; export default import(spec).then(show, String)",
		} {
			t.Run(kind+" "+c.spec, func(t *testing.T) {
				mods := append([]Module{{Name: "src/main.js", Contents: []byte(code)}}, mods[1:]...)
				got, err := buildAndRun(Options{Modules: mods})
				if err != nil {
					t.Fatal(err)
				}
				if got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			})
		}
	}
}

func TestModuleListErrors(t *testing.T) {
	for want, mods := range map[string][]Module{
		"bad.js:1:8: ":                      {{Name: "a.js"}, {Name: "bad.js", Contents: []byte("syntax error")}}, // never imported
		"j.json:1:1: ":                      {{Name: "a.js"}, {Name: "j.json", Kind: JSON, Contents: []byte("{")}},
		`a/m.js:1:8: No such module "a/x".`: {{Name: "a/m.js", Contents: []byte("import './x'")}},
		"a.js:1:9: The requested module 'b.js' does not provide an export named 'n'": {{Name: "a.js", Contents: []byte("import {n} from './b.js'; n")}, {Name: "b.js", Contents: []byte("export {}")}},
	} {
		_, err := Build(Options{Modules: mods})
		e, ok := err.(*Error)
		if !ok || len(e.Messages) != 1 || !strings.HasPrefix(e.Messages[0].String(), want) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
}

func TestVariableRequire(t *testing.T) {
	got, err := buildAndRun(Options{Modules: []Module{
		{Name: "a.js", Contents: []byte("import r from './c'; const s = './e'; export default import(s).then(m => m.x + r)")},
		{Name: "c", Kind: CommonJS, Contents: []byte("const f = s => { try { return require(s) } catch (e) { return e.message } }; module.exports = f('node:thing') + f('nope')")},
		{Name: "e", Contents: []byte("export const x = await 1")},
	}})
	if want := `1the default of node:thingNo such module "nope".`; err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestCommonJSMain(t *testing.T) {
	got, err := buildAndRun(Options{Modules: []Module{{Name: "a.js", Kind: CommonJS, Contents: []byte("module.exports = 'main ' + require('./b')")}, {Name: "b", Kind: Text, Contents: []byte("b")}}})
	if err != nil || got != "main b" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestTypeScriptModules(t *testing.T) {
	mods := []Module{
		{Name: "src/main.ts", Kind: TypeScript, Contents: []byte("import { type T, twice } from './lib.ts';\nimport el from './el.tsx';\nconst n: T = 21 as T;\nexport default twice<T>(n) + el;")},
		{Name: "src/lib.ts", Kind: TypeScript, Contents: []byte("export type T = number;\nexport enum E { two = 2 }\nexport const twice = <X extends T>(x: X) => x * E.two;")},
		{Name: "src/el.tsx", Kind: TypeScript, Contents: []byte("const React = { createElement: (tag: string) => tag };\nexport default <b/>;")},
	}
	got, err := buildAndRun(Options{Modules: mods})
	if err != nil || got != "42b" {
		t.Errorf("%s, %v", got, err)
	}
	// What is thrown names the line and column of the TypeScript.
	mods[1].Contents = []byte("interface Gone {\n  a: string;\n}\nexport type T = Gone;\nexport const twice = <X>(x: X): string => { return new Error((x as any)).stack! };")
	got, err = buildAndRun(Options{Modules: mods})
	if err != nil || !strings.Contains(got, "src/lib.ts:5:") {
		t.Errorf("%s, %v", got, err)
	}
	for want, code := range map[string]string{
		"src/lib.ts:2:11: ": "let a: number;\nconst b : = 5;",
		"src/main.ts:1:18: The requested module 'src/lib.ts' does not provide an export named 'twice'": "export type T = number;",
	} {
		mods[1].Contents = []byte(code)
		_, err := Build(Options{Modules: mods})
		e, ok := err.(*Error)
		if !ok || len(e.Messages) != 1 || !strings.HasPrefix(e.Messages[0].String(), want) {
			t.Errorf("want %s, got %v", want, err)
		}
	}
	// By kind, not by name: workerd's esModule named main.ts is JavaScript.
	if _, err := Build(Options{Modules: []Module{{Name: "main.ts", Contents: []byte("let a: number")}}}); err == nil {
		t.Error("types in a module of kind ESModule were taken")
	}
}
