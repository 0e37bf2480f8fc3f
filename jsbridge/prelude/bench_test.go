package prelude

import (
	"runtime"
	"testing"

	"github.com/dop251/goja"
)

func BenchmarkInstall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Install(goja.New(), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInstallLive reports the memory that a runtime with the prelude
// keeps.
func BenchmarkInstallLive(b *testing.B) {
	const n = 50
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var all [n]*goja.Runtime
		for i := range all {
			all[i] = goja.New()
			if _, err := Install(all[i], Options{}); err != nil {
				b.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "live-B/runtime")
		runtime.KeepAlive(all)
	}
}

func benchmarkScript(b *testing.B, body string) {
	rt := goja.New()
	if _, err := Install(rt, Options{}); err != nil {
		b.Fatal(err)
	}
	v, err := rt.RunString("(function(){" + body + "})")
	if err != nil {
		b.Fatal(err)
	}
	f, _ := goja.AssertFunction(v)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f(nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewError(b *testing.B)      { benchmarkScript(b, `return new Error("x")`) }
func BenchmarkNewUint8Array(b *testing.B) { benchmarkScript(b, `return new Uint8Array(16)`) }
func BenchmarkApply(b *testing.B)         { benchmarkScript(b, `return Math.max.apply(null, [1, 2, 3])`) }
func BenchmarkIteratorMap(b *testing.B) {
	benchmarkScript(b, `return [1,2,3,4,5,6,7,8].values().map(x => x + 1).toArray()`)
}
