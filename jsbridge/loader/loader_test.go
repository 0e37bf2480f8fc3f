package loader

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dop251/goja"
)

// project writes files, given as name and contents in turn.
func project(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		write(t, dir, files[i], files[i+1])
	}
	return dir
}

func write(t testing.TB, dir, name, contents string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(contents), 0o644); err != nil {
		t.Fatal(err)
	}
}

var testBuiltins = map[string][]string{
	"node:thing":         {"default", "answer"},
	"cloudflare:workers": {"DurableObject"},
}

// run evaluates a bundle and gives String() of the default export.
func run(b *Bundle) (string, error) {
	rt := goja.New()
	if _, err := rt.RunString(`Object.defineProperty(Symbol,'asyncIterator',{value:Symbol('Symbol.asyncIterator')})`); err != nil {
		return "", err
	}
	ns, p, err := b.Run(rt, Host{Builtin: func(s string) (*goja.Object, error) {
		v, err := rt.RunString(`({answer: 42, default: "the default of ` + s + `", DurableObject: class DurableObject {}})`)
		if err != nil {
			return nil, err
		}
		return v.ToObject(rt), nil
	}})
	if err != nil {
		return "", err
	}
	switch p.State() {
	case goja.PromiseStatePending:
		return "", errors.New("pending")
	case goja.PromiseStateRejected:
		return "", errors.New(p.Result().String())
	}
	if p.Result() != ns {
		return "", errors.New("the promise is not fulfilled with the namespace")
	}
	v := ns.Get("default")
	if v == nil {
		return "no default export", nil
	}
	if pr, ok := v.Export().(*goja.Promise); ok {
		if pr.State() == goja.PromiseStateRejected {
			return "", errors.New(pr.Result().String())
		}
		v = pr.Result()
	}
	return v.String(), nil
}

func buildAndRun(o Options) (string, error) {
	o.Builtins = testBuiltins
	o.NoCache = true
	b, err := Build(o)
	if err != nil {
		return "", err
	}
	return run(b)
}

func TestDirectory(t *testing.T) {
	tests := []struct {
		name  string
		entry string
		files []string
		want  string
	}{
		{"typescript", "src/index.ts", []string{"src/index.ts", `
			import { f, type T } from "./util"; import { DurableObject } from "cloudflare:workers";
			enum E { A = 2 } const enum C { X = 7 } namespace N { export const y = 3 }
			class K extends DurableObject { constructor(private readonly z: number = 4) { super() } get v(): number { return this.z } }
			export default [f<number>(1), E.A, C.X, N.y, new K().v, E[2] satisfies string] as any;`,
			"src/util.ts", `export interface T {} export function f<T>(x: T): T { return x }`}, "1,2,7,3,4,A"},
		{"jsx by tsconfig", "a.tsx", []string{"a.tsx", `const h = (n, p, ...c) => n + JSON.stringify(p) + c.join(); export default <b id="x">hi{1}</b>`,
			"tsconfig.json", `{"compilerOptions": {"jsxFactory": "h"}}`}, `b{"id":"x"}hi,1`},
		{"paths by tsconfig", "a.ts", []string{"a.ts", `import x from "@/b"; export default x`, "lib/b.ts", `export default "b"`,
			"tsconfig.json", `{"compilerOptions": {"paths": {"@/*": ["./lib/*"]}}}`}, "b"},
		{"experimental decorators", "a.ts", []string{"a.ts", `function d(t: any, k: string) { t.seen = k } class A { @d m() {} } export default (A.prototype as any).seen`,
			"tsconfig.json", `{"compilerOptions": {"experimentalDecorators": true}}`}, "m"},
		{"standard decorators", "a.ts", []string{"a.ts", `function d(f: any, c: any) { return function() { return c.name + f.call(this) } } class A { @d m() { return 1 } accessor q = 2 } export default new A().m() + new A().q`}, "m12"},
		{"text, html, json", "a.js", []string{"a.js", `import t from "./t.txt"; import h from "./h.html"; import s from "./q.sql"; import j, { k } from "./j.json"; export default [t, h, s, j.k, k].join()`,
			"t.txt", "T\u00e9", "h.html", "<i>", "q.sql", "select 1", "j.json", `{"k": 5}`}, "Té,<i>,select 1,5,5"},
		{"data", "a.js", []string{"a.js", `import d from "./d.bin"; export default d.constructor.name + new Uint8Array(d).join()`, "d.bin", "\x00\xff"}, "ArrayBuffer0,255"},
		{"package with conditions", "a.js", []string{"a.js", `import x from "p"; import y from "p/sub"; export default x + y`,
			"node_modules/p/package.json", `{"name": "p", "exports": {".": {"node": "./n.js", "workerd": "./w.js"}, "./sub": "./s.mjs"}}`,
			"node_modules/p/w.js", `export default "w"`, "node_modules/p/n.js", `export default "n"`, "node_modules/p/s.mjs", `export default "s"`}, "ws"},
		{"package with browser field", "a.js", []string{"a.js", `import x from "p"; export default x`,
			"node_modules/p/package.json", `{"name": "p", "main": "m.js", "browser": "b.js"}`, "node_modules/p/m.js", `module.exports = "m"`, "node_modules/p/b.js", `module.exports = "b"`}, "b"},
		{"commonjs package", "a.js", []string{"a.js", `import p, { named } from "p"; import * as ns from "p"; export default [p.named, named, ns.named, typeof p.req].join()`,
			"node_modules/p/index.js", `exports.named = 1; exports.req = require("./o").x; exports.t = require("node:thing")`, "node_modules/p/o.js", `module.exports = { get x() { return this } }`}, "1,1,1,object"},
		{"require of a host module", "a.cjs", []string{"a.cjs", `module.exports = require("node:thing") + require("thing")`}, "the default of node:thingthe default of node:thing"},
		{"host module", "a.js", []string{"a.js", `import d, { answer } from "node:thing"; import * as ns from "node:thing"; import { answer as b } from "thing"; export default [d, answer, ns.answer, b, Object.keys(ns)].join()`}, "the default of node:thing,42,42,42,answer,default"},
		{"circular", "a.js", []string{"a.js", `import { b } from "./b"; export function a() { return "a" } export default b()`, "b.js", `import { a } from "./a"; export const b = () => a() + "b"`}, "ab"},
		{"export star", "a.js", []string{"a.js", `import * as ns from "./b"; export default Object.keys(ns).join() + ns.x`, "b.js", `export * from "./c"; export * as d from "./c"; const q = 1; export { q as "odd name" }`, "c.js", `export let x = 3`}, "d,odd name,x3"},
		{"dynamic import", "a.js", []string{"a.js", `export default (async () => { const m = await import("./b"); const n = await import("./b"); const h = await import("node:thing"); return [m.x, m === n, m.default, h.answer].join() })()`, "b.js", `export const x = await Promise.resolve(5); export default "d"`}, "5,true,d,42"},
		{"dynamic import of a variable", "a.js", []string{"a.js", `const f = async (s) => { try { const m = await import(s); return m.answer + m.default } catch (e) { return e.name + ": " + e.message } }; export default (async () => [await f("node:thing"), await f("./b"), await f("node:nope"), await f("nope")].join("|"))()`, "b.js", `export const x = 1`},
			`42the default of node:thing|Error: No such module "b".|Error: No such module "node:nope".|Error: No such module "nope".`},
		{"dynamic import of nothing", "a.js", []string{"a.js", `export default import("cloudflare:nope").catch(e => e.message)`}, `No such module "cloudflare:nope".`},
		{"shebang", "a.js", []string{"a.js", "#!/usr/bin/env node\nexport default 1"}, "1"},
		{"byte order mark", "a.js", []string{"a.js", "\uFEFFexport default 1"}, "1"},
		{"fields named as keywords", "a.js", []string{"a.js", "let get = 1; const f = () => {\n  get = 2;\n  return get;\n};\nclass A {\n  get = (x) => x + `\n get = 5`.length; set = 2; async = 3; static set = 4; #p = (x) => x;\n  get q() { return this.#p(1) }\n}\n" +
			"const a = new A(); export default [f(), a.get(1), a.set, a.async, A.set, a.q, Object.keys(a)].join()"}, "2,10,2,3,4,1,get,set,async"},
		{"private fields named as keywords", "a.js", []string{"a.js", `class A { #get = 1; static #async = 2; f() { return this.#get + A.#async } } export default new A().f()`}, "3"},
		{"super in a field", "a.js", []string{"a.js", `class A { m() { return 5 } } class B extends A { x = super.m(); #y = 1 + super.m(); static z = super.name; w = () => super.m(); v = { t() { return super.toString === Object.prototype.toString } }; f() { return this.#y } }
			const b = new B(); export default [b.x, b.f(), B.z, b.w(), b.v.t()].join()`}, "5,6,A,5,true"},
		{"a call of what a private field holds", "a.js", []string{"a.js", `const p = new Proxy(() => "called", { get(_, k) { return () => "got " + String(k) } });
			class A { #p = p; static s = 1; f() { return this.#p(1) + this.#p?.(1) } } export default new A().f()`}, "calledcalled"},
		{"super in an async generator method", "a.js", []string{"a.js", `class A { m() { return 5 } } class B extends A { async *g() { yield super.m() } } export default new B().g().next().then(r => r.value)`}, "5"},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			got, err := buildAndRun(Options{Dir: project(t, c.files...), Entry: c.entry})
			if err != nil {
				t.Fatal(err)
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestRulesDefineAlias(t *testing.T) {
	dir := project(t, "a.js", `import m from "./doc/x.md"; import d from "./x.dat"; import z from "zed"; export default [m, d.byteLength, VERSION, z].join()`,
		"doc/x.md", "# md", "x.dat", "abc", "zed.js", `export default "Z"`)
	got, err := buildAndRun(Options{Dir: dir, Entry: "a.js",
		Rules:  []Rule{{Kind: Text, Globs: []string{"**/*.md"}}, {Kind: Data, Globs: []string{"*.dat"}}},
		Define: map[string]string{"VERSION": `"v1"`}, Alias: map[string]string{"zed": "./zed.js"}})
	if err != nil || got != "# md,3,v1,Z" {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestWasm(t *testing.T) {
	dir := project(t, "src/a.js", `import w from "./m.wasm"; import v from "./m.wasm?module"; export default [w, v].join()`, "src/m.wasm", "\x00asm")
	b, err := Build(Options{Dir: dir, Entry: "src/a.js"})
	if err != nil {
		t.Fatal(err)
	}
	rt := goja.New()
	ns, _, err := b.Run(rt, Host{Data: func(m *DataModule) (goja.Value, error) {
		return rt.ToValue(m.Name + " " + m.Kind.String() + " " + string(m.Bytes[1:])), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := ns.Get("default").String(); got != "src/m.wasm CompiledWasm asm,src/m.wasm CompiledWasm asm" {
		t.Error(got)
	}
	_, p, err := b.Run(goja.New(), Host{})
	if err != nil {
		t.Fatal(err)
	}
	if p.State() != goja.PromiseStateRejected || !strings.Contains(p.Result().String(), "src/m.wasm: WebAssembly") {
		t.Errorf("without Host.Data: %v", p.Result())
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  []string // "file:line:column: text" of every message, or its start
	}{
		{"syntax", []string{"a.ts", "let x = 1;\n  let y = = 2;"}, []string{`a.ts:2:11: Unexpected "="`}},
		{"several files", []string{"a.ts", "import './b'\nimport './c'", "b.ts", "}", "c.ts", "\nlet = ;"}, []string{"b.ts:1:1: ", "c.ts:2:7: "}},
		{"missing file", []string{"a.ts", "import './nope'"}, []string{`a.ts:1:8: Could not resolve "./nope"`}},
		{"missing package", []string{"a.ts", "import 'nope'"}, []string{`a.ts:1:8: Could not resolve "nope"`}},
		{"missing host module", []string{"a.ts", "\nimport x from 'cloudflare:nope'; import y from 'node:nope'; x(y)"}, []string{`a.ts:2:15: No such module "cloudflare:nope".`, `a.ts:2:48: No such module "node:nope".`}},
		{"missing export", []string{"a.ts", "import {x} from './b'; x()", "b.ts", "export let y = 1"}, []string{`a.ts:1:9: The requested module 'b.ts' does not provide an export named 'x'`}},
		{"missing export of a host module", []string{"a.ts", "import {x} from 'cloudflare:workers'; x()"}, []string{`a.ts:1:9: The requested module 'cloudflare:workers' does not provide an export named 'x'`}},
		{"no default export of a host module", []string{"a.ts", "import x from 'cloudflare:workers'; x()"}, []string{`a.ts:1:8: The requested module 'cloudflare:workers' does not provide an export named 'default'`}},
		{"bad json", []string{"a.ts", "import './j.json'", "j.json", "{\n 1}"}, []string{`j.json:2:2: `}},
		{"bad tsconfig", []string{"a.ts", "export {}", "tsconfig.json", "{"}, []string{`tsconfig.json:1:2: `}},
		{"no entry", []string{"b.ts", ""}, []string{`The entry file "a.ts" was not found in `}},
		{"binary", []string{"a.ts", "\x00\x01\xff\xfe"}, []string{`a.ts:1:1: `}},
		{"unknown property of characters", []string{"a.ts", "\nexport default /\\p{Emojis}/u"}, []string{"a.ts:2:16: the property \\p{Emojis} in"}},
		{"arguments that the engine loses", []string{"a.ts", "\n\nfunction f({a = () => arguments.length}) { return a() } f({})"}, []string{"a.ts:3:"}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			_, err := Build(Options{Dir: project(t, c.files...), Entry: "a.ts", Builtins: testBuiltins})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v", err)
			}
			got := make([]string, len(e.Messages))
			for i, m := range e.Messages {
				got[i] = m.String()
			}
			slices.Sort(got)
			ok := len(got) == len(c.want)
			for i := range got {
				ok = ok && strings.HasPrefix(got[i], c.want[i])
			}
			if !ok {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	_, err := Build(Options{Dir: project(t, "a.js", "let x;\n\tlet y = = 2;"), Entry: "a.js"})
	const want = "a.js:2:10: Unexpected \"=\"\n     let y = = 2;\n             ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestWarnings(t *testing.T) {
	b, err := Build(Options{Dir: project(t, "a.js", "import * as ns from './b';\nexport default ns.nope", "b.js", "export let x"), Entry: "a.js"})
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Warnings) != 1 || b.Warnings[0].File != "a.js" || b.Warnings[0].Line != 2 {
		t.Errorf("%v", b.Warnings)
	}
}

func TestOptionErrors(t *testing.T) {
	for want, o := range map[string]Options{
		"neither modules nor": {},
		"is not absolute":     {Dir: "x", Entry: "a.js"},
		"has no name":         {Modules: []Module{{}}},
		"two modules":         {Modules: []Module{{Name: "a"}, {Name: "a"}}},
		"not code":            {Modules: []Module{{Name: "a", Kind: Text}}},
		"unknown kind":        {Modules: []Module{{Name: "a", Kind: 99}}},
	} {
		if _, err := Build(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestPositions(t *testing.T) {
	dir := project(t, "src/a.ts", "import { f } from './lib/b';\n\nexport default { go() {\n  type X = 1;\n  f();\n} };\n",
		"src/lib/b.ts", "export function f(): never {\n\n  throw new Error('x');\n}\n")
	b, err := Build(Options{Dir: dir, Entry: "src/a.ts"})
	if err != nil {
		t.Fatal(err)
	}
	rt := goja.New()
	ns, _, err := b.Run(rt, Host{})
	if err != nil {
		t.Fatal(err)
	}
	o := ns.Get("default").ToObject(rt)
	goFn, _ := goja.AssertFunction(o.Get("go"))
	_, err = goFn(o)
	var ex *goja.Exception
	if !errors.As(err, &ex) {
		t.Fatal(err)
	}
	var got []string
	for _, f := range ex.Stack() {
		got = append(got, f.Position().String())
	}
	if want := "src/lib/b.ts:3:9 src/a.ts:5:3"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if st := ex.Value().ToObject(rt).Get("stack").String(); !strings.Contains(st, "src/lib/b.ts:3:9") {
		t.Error(st)
	}
}

func TestInputs(t *testing.T) {
	dir := project(t, "src/a.ts", `import "./b"; import "p"; import "./t.txt"`, "src/b.ts", "", "src/t.txt", "", "src/unused.ts", "",
		"node_modules/p/package.json", `{"main": "x.js"}`, "node_modules/p/x.js", "", "tsconfig.json", "{}")
	b, err := Build(Options{Dir: dir, Entry: "src/a.ts"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range b.Inputs {
		rel, err := filepath.Rel(dir, f)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, filepath.ToSlash(rel))
	}
	if want := "node_modules/p/package.json node_modules/p/x.js src/a.ts src/b.ts src/t.txt tsconfig.json"; strings.Join(got, " ") != want {
		t.Errorf("got %v", got)
	}
}

func TestLiveBindings(t *testing.T) {
	b, err := Build(Options{Modules: []Module{{Name: "m.js", Contents: []byte("export let n = 1; export const inc = () => ++n")}}})
	if err != nil {
		t.Fatal(err)
	}
	rt := goja.New()
	ns, _, err := b.Run(rt, Host{})
	if err != nil {
		t.Fatal(err)
	}
	inc, _ := goja.AssertFunction(ns.Get("inc"))
	if _, err := inc(nil); err != nil {
		t.Fatal(err)
	}
	if got := ns.Get("n").ToInteger(); got != 2 {
		t.Errorf("n is %d", got)
	}
}

func TestTopLevelAwaitPending(t *testing.T) {
	b, err := Build(Options{Modules: []Module{{Name: "m.js", Contents: []byte("export const x = await gate")}}})
	if err != nil {
		t.Fatal(err)
	}
	rt := goja.New()
	gate, open, _ := rt.NewPromise()
	if err := rt.Set("gate", gate); err != nil {
		t.Fatal(err)
	}
	ns, p, err := b.Run(rt, Host{})
	if err != nil || ns != nil || p.State() != goja.PromiseStatePending {
		t.Fatalf("%v, %v, %v", ns, p.State(), err)
	}
	if err := open(7); err != nil {
		t.Fatal(err)
	}
	if p.State() != goja.PromiseStateFulfilled || p.Result().ToObject(rt).Get("x").ToInteger() != 7 {
		t.Errorf("%v %v", p.State(), p.Result())
	}
}

func TestCache(t *testing.T) {
	dir := project(t, "a.ts", `import x from "./b"; export default x`, "b.js", `export default 1`)
	o := Options{Dir: dir, Entry: "a.ts"}
	build := func() *Bundle {
		t.Helper()
		b, err := Build(o)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	first := build()
	if build() != first {
		t.Error("built again although nothing changed")
	}
	write(t, dir, "data.sqlite", "x")
	if build() != first {
		t.Error("built again because of a file that is no module")
	}
	write(t, dir, "b.js", `export default 2`) // the same size
	second := build()
	if second == first {
		t.Error("a changed file was not noticed")
	}
	if got, err := run(second); err != nil || got != "2" {
		t.Errorf("%s, %v", got, err)
	}
	write(t, dir, "b.ts", `export default 3`)
	if got, err := run(build()); err != nil || got != "3" {
		t.Errorf("a file that takes precedence: %s, %v", got, err)
	}
	if err := os.Remove(filepath.Join(dir, "b.ts")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "b.js", `export default (`)
	if _, err := Build(o); err == nil {
		t.Error("no error after a syntax error was made")
	}
	write(t, dir, "b.js", `export default 4`)
	if got, err := run(build()); err != nil || got != "4" {
		t.Errorf("after the error was mended: %s, %v", got, err)
	}
	o.Define = map[string]string{"x": "1"}
	fourth := build()
	o.Define = nil
	if build() == fourth {
		t.Error("other options gave the same bundle")
	}
}

func TestConcurrent(t *testing.T) {
	dir := project(t, "a.ts", `export default [1,2].map(x => x + 1).join()`)
	var wg sync.WaitGroup
	bundles := make([]*Bundle, 8)
	for i := range bundles {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b, err := Build(Options{Dir: dir, Entry: "a.ts"})
			if err != nil {
				t.Error(err)
				return
			}
			bundles[i] = b
			if got, err := run(b); err != nil || got != "2,3" {
				t.Errorf("%s, %v", got, err)
			}
		}()
	}
	wg.Wait()
	for _, b := range bundles {
		if b != bundles[0] {
			t.Error("built more than once")
		}
	}
}

func benchProject(b *testing.B) Options {
	return Options{Dir: project(b, "src/index.ts", `import { DurableObject } from "cloudflare:workers"; import { h } from "./h";
		export class C extends DurableObject { n = 0; async inc(by: number) { return h(this.n += by) } }
		export default { async fetch(r: any, env: any) { return env.C.getByName("x").inc(1) } }`,
		"src/h.ts", `export const h = (x: number) => x + 1`), Entry: "src/index.ts", Builtins: testBuiltins}
}

func BenchmarkBuildCold(b *testing.B) {
	o := benchProject(b)
	o.NoCache = true
	for b.Loop() {
		if _, err := Build(o); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBuildCached(b *testing.B) {
	o := benchProject(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Build(o); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	bundle, err := Build(benchProject(b))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		rt := goja.New()
		class, err := rt.RunString("({DurableObject: class {}})")
		if err != nil {
			b.Fatal(err)
		}
		_, p, err := bundle.Run(rt, Host{Builtin: func(string) (*goja.Object, error) { return class.ToObject(rt), nil }})
		if err != nil || p.State() != goja.PromiseStateFulfilled {
			b.Fatal(err, p.Result())
		}
	}
}

// Fields are left as they are: see build for what the rewriting changes.
func TestFieldsAreNotRewritten(t *testing.T) {
	for _, code := range []string{
		"let set = 1; class A {\n  get = () => 1;\n  static async = 2;\n  set = `\n  get = 5`;\n #p = 3 }\nset = 2; class B extends A { async = super.toString; static #q = super.name }",
		"class A { #get = 1; static #set = 2; async = 1 }",
	} {
		if _, _, err := buildOnce(Options{Modules: []Module{{Name: "a.js", Contents: []byte(code)}}}); err != nil {
			t.Errorf("%s: %v", code, err)
		}
	}
}
