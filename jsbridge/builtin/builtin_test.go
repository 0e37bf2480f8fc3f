package builtin

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dop251/goja"
)

// TestModules keeps Modules true: every module is evaluated and its exports
// compared with the list.
func TestModules(t *testing.T) {
	w := newWorld(t)
	all := Modules()
	if len(all) != 2*len(public) {
		t.Fatalf("%d specifiers for %d modules", len(all), len(public))
	}
	for _, spec := range Specifiers() {
		o, err := w.set.Load(spec)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		got := slices.Sorted(slices.Values(o.Keys()))
		want := slices.Sorted(slices.Values(all[spec]))
		if !slices.Equal(got, want) {
			t.Errorf("%s exports\n%v\nlisted are\n%v", spec, got, want)
		}
		bare, err := w.set.Load(strings.TrimPrefix(spec, "node:"))
		if err != nil || bare != o {
			t.Errorf("%s and its bare form give different objects (%v)", spec, err)
		}
	}
}

func TestUnknownModule(t *testing.T) {
	w := newWorld(t)
	for _, spec := range []string{"node:nope", "nope", "internal:nope", "", "node:"} {
		if o, err := w.set.Load(spec); err == nil {
			t.Errorf("Load(%q) = %v, want an error", spec, o)
		} else if !strings.Contains(err.Error(), `"`+spec+`"`) {
			t.Errorf("Load(%q): the error %q does not name it", spec, err)
		}
	}
}

// Every script compiles, whether or not some module requires it.
func TestScriptsCompile(t *testing.T) {
	for file, s := range compiled {
		if _, err := s.program(file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// Without the two host functions AsyncLocalStorage says which one it misses.
func TestMissingHost(t *testing.T) {
	rt := goja.New()
	set := New(rt, nil)
	o, err := set.Load("node:async_hooks")
	if err != nil {
		t.Fatal(err)
	}
	must(t, rt.Set("hooks", o))
	_, err = rt.RunString(`new hooks.AsyncLocalStorage().run(1, () => {})`)
	if err == nil || !strings.Contains(err.Error(), "getAsyncContext") {
		t.Fatalf("err = %v, want one that names getAsyncContext", err)
	}
}

// Runtimes on several goroutines share the compiled programs.
func TestConcurrentRuntimes(t *testing.T) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rt := goja.New()
			set := New(rt, nil)
			o, err := set.Load("node:assert")
			if err != nil {
				t.Error(err)
				return
			}
			if err := rt.Set("assert", o.Get("default")); err != nil {
				t.Error(err)
				return
			}
			_, err = rt.RunString(`assert.deepStrictEqual({a: [1, new Map([[1, 2]])]}, {a: [1, new Map([[1, 2]])]})`)
			if err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
}

// Values that a script can make huge at no cost must not cost much to show or
// to compare.
func TestHugeSparseValues(t *testing.T) {
	w := newWorld(t)
	for fn, want := range map[string]string{
		`() => inspect(new Array(4294967295))`:                                                                         "[ <4294967295 empty items> ]",
		`() => { const a = []; a[4294967293] = 1; return inspect(a) }`:                                                 "[ <4294967293 empty items>, 1 ]",
		`() => isDeepStrictEqual(new Array(4294967295), new Array(4294967295))`:                                        "true",
		`() => { const a = [], b = []; a[4e9] = 1; b[4e9] = 2; return isDeepStrictEqual(a, b) }`:                       "false",
		`() => String(t(() => assert.strictEqual("a\n".repeat(9000), "b\n".repeat(9000))).split("\n").length > 18000)`: "true",
	} {
		if got := w.eval(t, fn); got != want {
			t.Errorf("%s = %q, want %q", fn, got, want)
		}
	}
}

// An export that is absent says so by name, called or constructed.
func TestAbsentExports(t *testing.T) {
	w := newWorld(t)
	for _, name := range strings.Fields(`MIMEParams MIMEType getSystemErrorMap getSystemErrorMessage
		getSystemErrorName parseArgs parseEnv transferableAbortController transferableAbortSignal
		getCallSite getCallSites convertProcessSignalToExitCode setTraceSigInt diff _errnoException
		_exceptionWithHostPort`) {
		for _, call := range []string{"util." + name + "()", "new util." + name + "()"} {
			got := w.eval(t, "() => t(() => "+call+")")
			if want := "ERR_METHOD_NOT_IMPLEMENTED\nThe util." + name + " "; !strings.Contains(got, want) {
				t.Errorf("%s: %q does not contain %q", call, got, want)
			}
		}
	}
}

// The eleventh listener for one event is told of on the console, once.
func TestListenerLeakWarning(t *testing.T) {
	w := newWorld(t)
	got := w.eval(t, `() => {
		const lines = [];
		globalThis.console = { log: (...args) => lines.push(args.join(" ")) };
		const e = new EventEmitter();
		for (let i = 0; i < 13; i++) e.on("x", () => {});
		e.removeListener("x", () => {});
		delete globalThis.console;
		return lines.join("|");
	}`)
	want := "Possible EventEmitter memory leak detected. 11 x listeners added to an EventEmitter. Use emitter.setMaxListeners() to increase limit"
	if got != want {
		t.Errorf("the console has %q, want %q", got, want)
	}
}

// once, on and addAbortListener take any object with the methods of an
// EventTarget, and end when a signal aborts.
func TestEventsWithSignal(t *testing.T) {
	w := newWorld(t)
	const target = `
		class Target {
			constructor() { this.fns = []; this.aborted = false }
			addEventListener(type, fn, o) { this.fns.push({ type, fn, once: o && o.once }) }
			removeEventListener(type, fn) { this.fns = this.fns.filter((l) => l.fn !== fn || l.type !== type) }
			fire(type, ev) { for (const l of this.fns.slice()) if (l.type === type) { if (l.once) this.removeEventListener(type, l.fn); l.fn(ev) } }
		}
		const sig = new Target(), src = new Target(), e = new EventEmitter();`
	for body, want := range map[string]string{
		`const p = events.once(src, "go"); src.fire("go", 7); return [(await p)[0], src.fns.length].join()`:                                                    "7,0",
		`const p = events.once(e, "go", { signal: sig }); sig.fire("abort"); return p.then(() => "no", (x) => [x.name, x.code, e.listenerCount("go")].join())`: "AbortError,ABORT_ERR,0",
		`sig.aborted = true; return events.once(e, "go", { signal: sig }).then(() => "no", (x) => x.name)`:                                                     "AbortError",
		`const it = events.on(e, "go", { signal: sig }); const p = it.next(); sig.fire("abort"); return p.then(() => "no", (x) => x.name)`:                     "AbortError",
		`const it = events.on(src, "go"); src.fire("go", 1); const v = (await it.next()).value[0]; await it.return(); return [v, src.fns.length].join()`:       "1,0",
		`let n = 0; events.addAbortListener(sig, () => n++); sig.fire("abort"); sig.fire("abort"); return String(n)`:                                           "1",
	} {
		if got := w.eval(t, "async () => {"+target+body+"}"); got != want {
			t.Errorf("%s = %q, want %q", body, got, want)
		}
	}
}

func TestLineScript(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"a", "a", "0"},
		{"a", "b", "-1 1"},
		{"ab", "cd", "-1 -1 1 1"},
		{"abc", "axc", "0 -1 1 0"},
		{"abcd", "bd", "-1 0 -1 0"},
		{"", "xy", "1 1"},
	} {
		ids := func(s string) []int32 { return []int32(s) }
		var got []string
		for _, n := range lineScript(ids(c.a), ids(c.b)) {
			got = append(got, strconv.Itoa(n))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("lineScript(%q, %q) = %s, want %s", c.a, c.b, s, c.want)
		}
	}
}

func TestFormatAndInspect(t *testing.T) {
	w := newWorld(t)
	v, err := w.rt.RunString(`({a: {b: {c: {}}}})`)
	must(t, err)
	got, err := w.set.Format(w.rt.ToValue("%s:"), w.rt.ToValue(5), v)
	must(t, err)
	if want := "5: { a: { b: { c: {} } } }"; got != want {
		t.Errorf("Format = %q, want %q", got, want)
	}
	opts := w.rt.NewObject()
	must(t, opts.Set("depth", 0))
	got, err = w.set.Inspect(v, opts)
	must(t, err)
	if want := "{ a: [Object] }"; got != want {
		t.Errorf("Inspect = %q, want %q", got, want)
	}
	v, err = w.rt.RunString(`({[Symbol.for("nodejs.util.inspect.custom")]() { throw new Error("no look") }})`)
	must(t, err)
	if _, err = w.set.Inspect(v, nil); err == nil || !strings.Contains(err.Error(), "no look") {
		t.Errorf("Inspect of a value that throws: %v", err)
	}
}

func BenchmarkLoadAssert(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(goja.New(), nil).Load("node:assert"); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkSnippet(b *testing.B, src string) {
	w := newWorld(b)
	v, err := w.rt.RunString("(" + src + ")")
	must(b, err)
	fn, ok := goja.AssertFunction(v)
	if !ok {
		b.Fatal("no function")
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fn(goja.Undefined()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDeepStrictEqual(b *testing.B) {
	benchmarkSnippet(b, `() => assert.deepStrictEqual({a: 1, b: [1, 2, {c: 'x'}]}, {a: 1, b: [1, 2, {c: 'x'}]})`)
}

func BenchmarkInspect(b *testing.B) {
	benchmarkSnippet(b, `() => inspect({id: 1, name: 'apple', tags: ['fruit', 'red'], price: {amount: 12}})`)
}

func BenchmarkBufferHex(b *testing.B) {
	benchmarkSnippet(b, `(() => { const buf = Buffer.alloc(65536, 'abc'); return () => Buffer.from(buf.toString('hex'), 'hex') })()`)
}
