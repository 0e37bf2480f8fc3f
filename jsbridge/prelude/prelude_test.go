package prelude

import (
	"runtime"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

func install(t *testing.T, o Options) (*goja.Runtime, *Prelude) {
	t.Helper()
	rt := goja.New()
	p, err := Install(rt, o)
	if err != nil {
		t.Fatal(err)
	}
	return rt, p
}

func eval(t *testing.T, rt *goja.Runtime, src string) string {
	t.Helper()
	v, err := rt.RunString(src)
	if err != nil {
		t.Fatal(err)
	}
	return v.String()
}

// collect runs the collector until done says so; cleanups run on a goroutine
// of the Go runtime, so it may take several rounds.
func collect(done func() bool) bool {
	for range 200 {
		runtime.GC()
		runtime.Gosched()
		if done() {
			return true
		}
	}
	return false
}

func TestCollection(t *testing.T) {
	rt, p := install(t, Options{})
	eval(t, rt, `var log = [], token = {}, kept = { k: 1 };
		var reg = new FinalizationRegistry(h => log.push(h));
		var refs = (() => { const o = {}; reg.register(o, "o"); reg.register({}, "never", token); reg.register(kept, "kept"); return [new WeakRef(o), new WeakRef(kept)] })();
		reg.unregister(token)`)
	if got := eval(t, rt, `refs.map(r => typeof r.deref()).join()`); got != "object,object" {
		t.Errorf("within the turn: %s", got)
	}
	ok := collect(func() bool {
		if errs := p.StartTurn(); len(errs) > 0 {
			t.Fatal(errs)
		}
		return eval(t, rt, `log.join()`) == "o"
	})
	if !ok {
		t.Fatalf("log: %q", eval(t, rt, `log.join()`))
	}
	if got := eval(t, rt, `refs.map(r => typeof r.deref()).join()`); got != "undefined,object" {
		t.Errorf("afterwards: %s", got)
	}
}

func TestCollectionError(t *testing.T) {
	rt, p := install(t, Options{})
	eval(t, rt, `var reg = new FinalizationRegistry(() => { throw new Error("in cleanup") }); (() => reg.register({}, 1))()`)
	var errs []error
	collect(func() bool { errs = append(errs, p.StartTurn()...); return len(errs) > 0 })
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "in cleanup") {
		t.Errorf("%v", errs)
	}
}

func TestNeverCollect(t *testing.T) {
	rt, p := install(t, Options{NeverCollect: true})
	eval(t, rt, `var n = 0, reg = new FinalizationRegistry(() => n++); var ref = (() => { const o = {}; reg.register(o, 1); return new WeakRef(o) })()`)
	for range 5 {
		runtime.GC()
		p.StartTurn()
	}
	if got := eval(t, rt, `typeof ref.deref() + n`); got != "object0" {
		t.Error(got)
	}
}

func TestAllowCode(t *testing.T) {
	rt, p := install(t, Options{})
	const try = `[() => eval("1+1"), () => Function("return 2")(), () => new Function("return this === undefined")(), () => (() => {}).constructor("return 3")(),
		() => (function* () {}).constructor("yield 4")().next().value, () => typeof (async () => {}).constructor("return 5"), () => (function () { var local = 6; return eval("local") })()
	].map(f => { try { return f() } catch (e) { return e instanceof EvalError ? e.message : String(e) } }).join("|")`
	const allowed = "2|2|false|3|4|function|6"
	if got := eval(t, rt, try); got != allowed {
		t.Errorf("allowed: %s", got)
	}
	if err := p.AllowCode(false); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSuffix(strings.Repeat("Code generation from strings disallowed for this context|", 7), "|")
	if got := eval(t, rt, try); got != want {
		t.Errorf("denied: %s", got)
	}
	if err := p.AllowCode(true); err != nil {
		t.Fatal(err)
	}
	if got := eval(t, rt, try+` + "|" + ((() => {}) instanceof Function && (() => {}).constructor === Function)`); got != allowed+"|true" {
		t.Errorf("allowed again: %s", got)
	}
}

func TestFixStack(t *testing.T) {
	rt, p := install(t, Options{})
	if p.errs.layout == nil {
		t.Fatal("the engine's error objects have another layout")
	}
	_, err := rt.RunScript("a.js", "function f() {\n  null.x\n}\nf()")
	ex, ok := err.(*goja.Exception)
	if !ok {
		t.Fatal(err)
	}
	p.FixStack(ex.Value())
	lines := strings.Split(ex.Value().ToObject(rt).Get("stack").String(), "\n")
	if len(lines) != 3 || lines[1] != "    at f (a.js:2:8)" || lines[2] != "    at a.js:4:2" {
		t.Errorf("%q", lines)
	}
	p.FixStack(rt.ToValue("no object"))
}

// What ends a script must pass through the native functions of this package.
func TestUncatchable(t *testing.T) {
	rt, _ := install(t, Options{})
	if err := rt.Set("stop", func() { rt.Interrupt("halt") }); err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{
		`(() => { stop(); for (;;); }).apply(null, [])`,
		`Reflect.apply(() => { stop(); for (;;); }, null, [])`,
		`try { new Uint8Array({ get length() { stop(); for (;;); } }) } catch {}`,
		`try { [1, 2].sort(() => { stop(); for (;;); }) } catch {}`,
	} {
		_, err := rt.RunString(src)
		if _, ok := err.(*goja.InterruptedError); !ok {
			t.Errorf("%s: %v", src, err)
		}
		rt.ClearInterrupt()
	}
	rt.SetMaxCallStackSize(500)
	_, err := rt.RunString(`(function f() { f.apply(null, []) })()`)
	if _, ok := err.(*goja.StackOverflowError); !ok {
		t.Errorf("recursion through apply: %v", err)
	}
	_, err = rt.RunString(`(() => { throw new TypeError("inner") }).apply(null, [])`)
	if ex, ok := err.(*goja.Exception); !ok || len(ex.Stack()) == 0 || !strings.Contains(ex.Error(), "TypeError: inner") {
		t.Errorf("exception through apply: %v", err)
	}
}
