package loader

import (
	"strings"
	"testing"
)

// TestHelperNames declares every name that the helpers use, so that esbuild
// renames them.
func TestHelperNames(t *testing.T) {
	names := strings.Split("resume k v yes no x y e method call wait clear q it obj isAwait done key fn arg value mod target isNodeMode promise run a b", " ")
	code := "var " + strings.Join(names, " = 1, ") + " = 1; globalThis.keep = [" + strings.Join(names, ", ") + "];\n" + `
import c from "./c";
const log = [];
async function* g() { try { yield 1 } finally { await null; log.push("f"); await null; log.push("g") } }
const bad = { [Symbol.iterator]: () => ({ next: () => ({ value: Promise.reject(1), done: false }), return: () => (log.push("closed"), {}) }) };
export default (async () => {
  for await (const i of g()) break;
  try { for await (const i of bad); } catch (err) { log.push("e" + err) }
  const s = "./e";
  return log.join() + (await import(s)).e + c;
})()`
	got, err := buildAndRun(Options{Modules: []Module{
		{Name: "a.js", Contents: []byte(code)},
		{Name: "c", Kind: CommonJS, Contents: []byte("const s = 'node:thing'; module.exports = require(s)")},
		{Name: "e", Contents: []byte("export const e = 5")},
	}})
	if want := "f,g,closed,e15the default of node:thing"; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// A package that was bundled before brings helpers of its own.
func TestHelpersOfThePackage(t *testing.T) {
	for name, code := range map[string]string{
		"its own alone": `var __toESM = (mod, isNodeMode, target) => (target = mod != null ? 1 : {}, mod);
			var __asyncGenerator = (x) => x, __forAwait = (x) => x, __require = (x) => x + "!";
			export default __toESM(__asyncGenerator(__forAwait(__require(5))))`,
		"and esbuild's": `var __toESM = (mod, isNodeMode, target) => (target = mod != null ? 1 : {}, mod);
			var __require = ((x) => typeof require !== "undefined" ? require : typeof Proxy !== "undefined" ? x : x)(function(x) { return x + "!" });
			const f = Promise.resolve().then(() => __toESM(__require("c")));
			import c from "./c"; const s = "./e";
			export default (async () => (await import(s)).e + c + (typeof f.then === "function" ? "" : "no promise"))()`,
	} {
		got, err := buildAndRun(Options{Modules: []Module{
			{Name: "a.js", Contents: []byte(code)},
			{Name: "c", Kind: CommonJS, Contents: []byte("module.exports = '!'")},
			{Name: "e", Contents: []byte("export const e = 5")},
		}})
		if err != nil || got != "5!" {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
}

func TestHelperChanged(t *testing.T) {
	for _, f := range helperFixes {
		if _, err := f.apply(f.helper + "something else"); err == nil || !strings.Contains(err.Error(), f.why) {
			t.Errorf("%s: %v", f.why, err)
		}
	}
}

func TestShiftColumns(t *testing.T) {
	for in, want := range map[string]string{
		"":                "",
		"AAAA,CAAC;;AACA": "CAAC,CAAC;;CACA",
		"A,AAAA":          "C,AAAC",
		";EAAD,GAAD":      ";GAAA,GAAD",
		"eAAA":            "gBAAC",
	} {
		if got, err := shiftColumns(in); err != nil || got != want {
			t.Errorf("%q gives %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"A?", "g", "gggggggggA"} {
		if _, err := shiftColumns(in); err == nil {
			t.Errorf("%q: no error", in)
		}
	}
}

func FuzzVLQ(f *testing.F) {
	f.Add(0, 1)
	f.Add(-15, 16)
	f.Add(1<<28, -(1 << 20))
	f.Fuzz(func(t *testing.T, a, b int) {
		if max(a, -a) >= 1<<30 || max(b, -b) >= 1<<30 {
			t.Skip()
		}
		var s strings.Builder
		encodeVLQ(&s, a)
		encodeVLQ(&s, b)
		got, err := decodeVLQ(s.String())
		if err != nil || len(got) != 2 || got[0] != a || got[1] != b {
			t.Errorf("%d %d became %q, %v, %v", a, b, s.String(), got, err)
		}
	})
}
