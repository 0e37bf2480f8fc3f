package wasmapi

import (
	"context"
	"errors"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/durashim/durashim/wasm"
)

func eval(t testing.TB, rt *goja.Runtime, script string) goja.Value {
	t.Helper()
	v, err := rt.RunString(script)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestEndlessLoop cancels the context from within, so that no time must pass.
func TestEndlessLoop(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	limit := errors.New("limit")
	rt := runtime(t, Env{Context: func() context.Context { return ctx }}, "bench")
	must(rt.Set("stop", func() { cancel(limit) }))
	eval(t, rt, `
		var caught = false, n = 0;
		var x = new WebAssembly.Instance(modules.bench, {h: {f(v) { if (++n === 5) stop(); return v; }}}).exports;`)
	_, err := rt.RunString(`try { x.out(0) } catch { caught = true } finally { caught = true }`)
	var stopped *goja.InterruptedError
	var cause *wasm.Interrupted
	if !errors.As(err, &stopped) || !errors.As(stopped.Value().(error), &cause) || !errors.Is(cause, limit) {
		t.Fatalf("got %v", err)
	}
	rt.ClearInterrupt()
	ctx = context.Background()
	if v := eval(t, rt, `[caught, n >= 5, x.add(1, 2), x.out(3)].join()`).String(); v != "false,true,3,3" {
		t.Errorf("afterwards: %s", v)
	}
}

// TestOwnInterrupted is about surroundings that end JavaScript themselves.
func TestOwnInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	type end struct{}
	rt := runtime(t, Env{Context: func() context.Context { return ctx }, Interrupted: func(error) { panic(end{}) }}, "kinds")
	defer func() {
		if x := recover(); x != (end{}) {
			t.Errorf("recovered %v", x)
		}
	}()
	_, err := rt.RunString(`new WebAssembly.Instance(modules.kinds).exports.add(1, 2)`)
	t.Errorf("no panic but %v", err)
}

// TestGoPanicPassesThrough is about what ends JavaScript by force inside of a
// call from WebAssembly.
func TestGoPanicPassesThrough(t *testing.T) {
	rt := runtime(t, Env{}, "bench")
	type fault struct{ n int }
	must(rt.Set("fail", func() { panic(fault{7}) }))
	func() {
		defer func() {
			if x := recover(); x != (fault{7}) {
				t.Errorf("recovered %v", x)
			}
		}()
		_, err := rt.RunString(`new WebAssembly.Instance(modules.bench, {h: {f() { fail() }}}).exports.out(1)`)
		t.Errorf("no panic but %v", err)
	}()
	rt = runtime(t, Env{}, "bench")
	must(rt.Set("interrupt", func() { rt.Interrupt("now") }))
	_, err := rt.RunString(`new WebAssembly.Instance(modules.bench, {h: {f() { interrupt(); for (;;); }}}).exports.out(1)`)
	var stopped *goja.InterruptedError
	if !errors.As(err, &stopped) || stopped.Value() != "now" {
		t.Errorf("got %v", err)
	}
}

func TestOwns(t *testing.T) {
	rt := goja.New()
	a := Install(rt, Env{})
	m, err := a.NewModule([]byte(read(t, "kinds.wasm")))
	if err != nil {
		t.Fatal(err)
	}
	must(rt.Set("m", m))
	for script, want := range map[string]bool{
		"m": true, "new WebAssembly.Instance(m)": true, "new WebAssembly.Instance(m).exports.add": true,
		"new WebAssembly.Memory({initial: 1})": true, "({})": false, "1": false, "new WebAssembly.Instance(m).exports": false,
	} {
		if got := a.Owns(eval(t, rt, script)); got != want {
			t.Errorf("Owns(%s) = %v", script, got)
		}
	}
}

func TestBadModule(t *testing.T) {
	a := Install(goja.New(), Env{})
	var e *wasm.CompileError
	if _, err := a.NewModule([]byte("\x00asm\x02")); !errors.As(err, &e) || !strings.Contains(err.Error(), "not a WebAssembly module") {
		t.Errorf("got %v", err)
	}
	bad := []byte(read(t, "kinds.wasm"))
	if _, err := a.NewModule(bad[:len(bad)/2]); !errors.As(err, &e) || e.Offset <= 0 {
		t.Errorf("got %v", err)
	}
}

// TestInstancesAreCollected makes instances that are all part of cycles through
// JavaScript. Kept, they would hold 260 MB.
func TestInstancesAreCollected(t *testing.T) {
	rt := runtime(t, Env{}, "imports", "kinds")
	before := heap()
	for range 20 {
		eval(t, rt, `for (let i = 0; i < 100; i++) {
			const k = new WebAssembly.Instance(modules.kinds).exports;
			const x = new WebAssembly.Instance(modules.imports, {env: {
				f() { return x.mg.value }, nop() { return [x, k] }, mem: new WebAssembly.Memory({initial: 1, maximum: 2}),
				tab: new WebAssembly.Table({element: 'anyfunc', initial: 4}), g: 1, mg: new WebAssembly.Global({value: 'i64', mutable: true}, 10n)}}).exports;
			k.table.set(2, x.nop);
			k.eset(0, x);
			x.callnop();
			if (k.table.get(2) !== x.nop || x.tab.get(0) !== x.call || k.eget(0) !== x) throw new Error('wrong');
			k.eset(0, null);
		}`)
	}
	if grown := int64(heap()) - int64(before); grown > 40<<20 {
		t.Errorf("%d MB are still held", grown>>20)
	}
	goruntime.KeepAlive(rt)
}

func heap() uint64 {
	for range 4 {
		goruntime.GC()
	}
	var s goruntime.MemStats
	goruntime.ReadMemStats(&s)
	return s.HeapAlloc
}

func BenchmarkCallFromJS(b *testing.B) { benchmark(b, "x.add(1, 2)") }

func BenchmarkCallToJS(b *testing.B) {
	rt := runtime(b, Env{}, "bench")
	eval(b, rt, `var x = new WebAssembly.Instance(modules.bench, {h: {f: (v) => v}}).exports;`)
	must(rt.Set("n", b.N))
	b.ReportAllocs()
	b.ResetTimer()
	eval(b, rt, `x.out(n)`)
}

// BenchmarkKernel is a million rounds of a loop; see BenchmarkKernel of package
// wasm.
func BenchmarkKernel(b *testing.B) { benchmark(b, "x.kernel(1000000)") }

// BenchmarkBytes reads memory from JavaScript.
func BenchmarkBytes(b *testing.B) { benchmark(b, "view[17]") }

func BenchmarkInstantiate(b *testing.B) {
	benchmark(b, "new WebAssembly.Instance(modules.bench, imports)")
}

func BenchmarkInstall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Install(goja.New(), Env{})
	}
}

func benchmark(b *testing.B, expression string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rt := runtime(b, Env{Context: func() context.Context { return ctx }}, "bench")
	eval(b, rt, `var imports = {h: {f: (v) => v}};
		var x = new WebAssembly.Instance(modules.bench, imports).exports; var view = new Uint8Array(x.m.buffer);`)
	run, _ := goja.AssertFunction(eval(b, rt, `(function (n) { for (let i = 0; i < n; i++) `+expression+`; })`))
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := run(goja.Undefined(), rt.ToValue(b.N)); err != nil {
		b.Fatal(err)
	}
}
