package prelude

import (
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// What would end the process, or the runtime, is an error instead. The texts are
// V8's; the last column says where the limit is lower than V8's.
func TestGuards(t *testing.T) {
	const apply = "RangeError: Invalid array length"
	for _, c := range [][2]string{
		{"new ArrayBuffer({ valueOf: () => 2 ** 40 })", "RangeError: Array buffer allocation failed"},
		{"new ArrayBuffer({ valueOf: () => -1 })", "RangeError: Invalid array buffer length"},
		{"new ArrayBuffer({ valueOf: () => 8 }).byteLength", "8"},
		{"let calls = 0; new ArrayBuffer({ valueOf: () => calls++ ? 2 ** 40 : 8 }).byteLength", "8"},
		{"new ArrayBuffer({ valueOf() { throw new TypeError('mine') } })", "TypeError: mine"},
		{"new Uint8Array({ length: { valueOf: () => 2 ** 40 } })", "RangeError: Array buffer allocation failed"},
		{"new Uint8Array({ length: { valueOf: () => 2 }, 0: 5, 1: 6 }).join()", "5,6"},
		{"new Float64Array(new Array(2 ** 31))", "RangeError: Array buffer allocation failed"},
		{"Math.max.apply(null, { length: { valueOf: () => 2 ** 31 } })", apply},
		{"Math.max.apply(null, { length: { valueOf: () => 2 }, 0: 5, 1: 7 })", "7"},
		{"Reflect.construct(Array, { length: { valueOf: () => 2 ** 31 } })", apply},
		{"Array.from({ length: 2 ** 32 })", apply},
		{"Array.from({ length: { valueOf: () => 2 ** 32 } })", apply},
		{"Array.from({ length: 2, 0: 1 }, (x) => x + 1).join()", "2,NaN"},
		{"Array.from(new Set([1, 2])).join()", "1,2"},
		{"Array.from.call(class A extends Array {}, { length: 1 }).constructor.name", "A"},
		{"Array.prototype.toSorted.call({ length: 2 ** 32 })", apply},
		{"Array.prototype.toReversed.call({ length: 2 ** 32 })", apply},
		{"Array.prototype.toSpliced.call({ length: 2 ** 32 }, 0, 0)", apply},
		{"Array.prototype.with.call({ length: 2 ** 32 }, 0, 1)", apply},
		{"new Array(2 ** 32 - 1).join('x')", "RangeError: Invalid string length"},
		{"new Array(4).join('ab')", "ababab"},
		{"[1, 2].join({ toString: () => '-' })", "1-2"},
		{"BigInt.asUintN(2 ** 53 - 1, 5n)", "5"},
		{"BigInt.asUintN(2 ** 53 - 1, -5n)", "RangeError: Maximum BigInt size exceeded"},
		{"BigInt.asIntN(2 ** 53 - 1, -5n)", "-5"},
		{"BigInt.asUintN(2 ** 53, 5n)", "RangeError: Invalid value: not (convertible to) a safe integer"},
		{"BigInt.asUintN('8', '257')", "1"},
		{"BigInt.asIntN(8.9, 255n)", "-1"},
		{"BigInt.asUintN(8, 1)", "TypeError: Cannot convert 1 to a BigInt"},
		{"JSON.parse('['.repeat(2e6) + ']'.repeat(2e6))", "RangeError: Maximum call stack size exceeded"},
		{"JSON.parse('{\"a\":'.repeat(2e6))", "RangeError: Maximum call stack size exceeded"},
		{"JSON.parse({ toString: () => '['.repeat(2e6) })", "RangeError: Maximum call stack size exceeded"},
		{"JSON.parse(JSON.stringify('[\"\\\\'.repeat(2e5))).length", "600000"},
		{"JSON.parse('[1, 2]', (k, v) => v === 1 ? 7 : v).join()", "7,2"},
		{"JSON.parse()", "SyntaxError"},
		{"const a = []; for (let i = 0; i < 50; i++) a.push({ toString() { a.length = 0; return 'x' + i } }); a.sort(); a.length", "50"},
		{"[3, , 1, undefined, 2].sort().length + JSON.stringify([3, , 1, undefined, 2].sort())", "5[1,2,3,null,null]"},
		{"3 in [3, , 1].sort() || 2 in [3, , 1].sort()", "false"},
		{"Object.defineProperty(Error, 'stackTraceLimit', { get() { throw 'leak' } }); typeof new Error('x').stack", "undefined"},
		{"Object.defineProperty(Error, 'stackTraceLimit', { get() { return new Error('x') } }); typeof new Error('x').stack", "undefined"},
		{"delete globalThis.RangeError; 'a'.repeat(-1)", "RangeError: Invalid count value: -1"},
		{"delete globalThis.RangeError; new ArrayBuffer(2 ** 40)", "RangeError: Array buffer allocation failed"},
	} {
		rt := goja.New()
		if _, err := Install(rt, Options{}); err != nil {
			t.Fatal(err)
		}
		// A program of its own, so that names do not clash.
		v, err := rt.RunString("(() => { try { return String(eval(" + quote(c[0]) + ")) } catch (e) { return String(e) } })()")
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
		} else if got := v.String(); got != c[1] && !(c[1] == "SyntaxError" && strings.HasPrefix(got, c[1])) {
			t.Errorf("%s\n got %.200s\nwant %s", c[0], got, c[1])
		}
	}
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func FuzzNesting(f *testing.F) {
	for _, s := range []string{"", "[[1]]", `{"a":["]"]}`, `"\\"[`, "]][[", `["[\"["]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// The deepest nesting is where the answer changes, and only once.
		depth := 0
		for nestsDeeper(s, depth) {
			depth++
		}
		if depth > len(s) {
			t.Errorf("%q nests %d deep", s, depth)
		}
		if nestsDeeper("["+s, depth+1) || strings.Count(s, `"`) == 0 && depth > 0 && !nestsDeeper("["+s, depth) {
			t.Errorf("%q nests %d deep, but a bracket before it does not add one", s, depth)
		}
	})
}
