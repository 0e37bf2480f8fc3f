package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/runtime"
)

const goFunctions = `
import { DurableObject, RpcTarget } from "cloudflare:workers";
class Counter extends RpcTarget {
  #n; constructor(n) { super(); this.#n = n; }
  add(k) { return this.#n += k; }
  [Symbol.dispose]() { console.log("counter disposed"); }
}
export class Obj extends DurableObject {
  async call(f, ...args) { return await f(...args); }
  async twice(f) { return [await f(1), await f(2)]; }
  async inside(o) { return [await o.a.f(1), await o.list[0](2), await o.map.get(5)(3)]; }
  async all(f, n) { return await Promise.all(Array.from({ length: n }, (_, i) => f(i))); }
  async caught(f, ...args) {
    try { return await f(...args); } catch (e) {
      return { class: e.constructor.name, name: e.name, message: e.message, retryable: !!e.retryable, overloaded: !!e.overloaded,
        remote: !!e.remote, stack: typeof e.stack };
    }
  }
  async target(t) { return [await t.add(2), await t.getURL("x"), await t.id(), await t.pair(), await t.none()]; }
  async missing(t, name) { try { return await t[name](); } catch (e) { return e.constructor.name + ": " + e.message; } }
  async property(t) { const add = await t.add; return await add(40); }
  keep(f) { this.kept = f.dup(); }
  async useKept(x) { return await this.kept(x); }
  async drop() { this.kept[Symbol.dispose](); delete this.kept; }
  async later(f) { this.ctx.waitUntil((async () => { await scheduler.wait(1000); await this.kept("late"); })()); }
  peek(f) { void f("unawaited"); }
  add(a, b) { return a + b; }
  async sleep(ms) { await scheduler.wait(ms); return ms; }
  hang(f) { this.never = f.dup(); void this.never(1); return "started"; }
  hangs(f) { return f(1); }
  counter(n) { return new Counter(n); }
  functions() { return { double: (x) => x * 2, apply: async (f, x) => await f(x), nested: { counter: new Counter(5) } }; }
  echo(...x) { return x.length === 1 ? x[0] : x; }
  self() { return this.env.OBJ.getByName("other"); }
  abort() { this.ctx.abort("gone"); }
  get size() { return 7; }
  async recursive(f, n) { return n === 0 ? 0 : 1 + await f(n - 1); }
}
export default {};
`

type clocked struct {
	name string
	rt   *runtime.Runtime
	obj  *runtime.Stub
}

// bothClocks runs a test under a virtual clock and under the machine's.
func bothClocks(t *testing.T, test func(t *testing.T, c clocked)) {
	dir := project(t, goFunctions, "Obj")
	for _, name := range []string{"virtual clock", "machine's clock"} {
		t.Run(name, func(t *testing.T) {
			rt := open(t, dir, func(o *runtime.Options) {
				if name != "virtual clock" {
					o.Clock = nil
				}
			})
			test(t, clocked{name, rt, rt.Namespace("OBJ").GetByName("a")})
		})
	}
}

// call calls a method and returns the result's text.
func (c clocked) text(t *testing.T, method string, args ...any) string {
	t.Helper()
	v, err := c.obj.Call(t.Context(), method, args...)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	defer v.Close()
	return v.String()
}

func (c clocked) check(t *testing.T, want, method string, args ...any) {
	t.Helper()
	if got := c.text(t, method, args...); got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", method, got, want)
	}
}

func TestGoFunctions(t *testing.T) {
	type point struct {
		X int `json:"x"`
		Y int `json:"y"`
	}
	type box struct {
		F func(int) int `json:"f"`
	}
	bothClocks(t, func(t *testing.T, c clocked) {
		c.check(t, `"1 a"`, "call", func(ctx context.Context, x int, s string) (string, error) {
			return fmt.Sprint(x, " ", s), ctx.Err()
		}, 1, "a")
		c.check(t, "undefined", "call", func() {})
		c.check(t, "3", "call", func(p point) int { return p.X + p.Y }, point{1, 2})
		c.check(t, "{x: 5, y: 0}", "call", func(x int) point { return point{X: x} }, 5)
		c.check(t, `["a", [1, 2]]`, "call", func(s string, xs ...int) (string, []int) { return s, xs }, "a", 1, 2)
		c.check(t, `["", 0, null]`, "call", func(s string, n int, p *point) (string, int, *point) { return s, n, p })
		c.check(t, "5n", "call", func(b *big.Int, t time.Time) *big.Int { return b }, big.NewInt(5), time.Unix(1, 0))
		c.check(t, "Uint8Array(3)", "call", func(b []byte) []byte { return b }, []byte("abc"))
		n := 0
		c.check(t, "[1, 3]", "twice", func(x int) int { n += x; return n })
		double := func(x int) int { return 2 * x }
		c.check(t, "[2, 4, 6]", "inside", map[string]any{"a": box{double}, "list": []any{double}, "map": map[int]any{5: double}})
		c.check(t, "null", "echo", (func())(nil))
	})
}

func TestGoErrors(t *testing.T) {
	var logged strings.Builder
	dir := project(t, goFunctions, "Obj")
	rt := open(t, dir, func(o *runtime.Options) { o.Logger = slog.New(slog.NewTextHandler(&logged, nil)) })
	c := clocked{"", rt, rt.Namespace("OBJ").GetByName("a")}
	text := func(class, name, message string, flags ...string) string {
		has := func(f string) bool { return slices.Contains(flags, f) }
		return fmt.Sprintf(`{class: %q, name: %q, message: %q, retryable: %v, overloaded: %v, remote: true, stack: "string"}`,
			class, name, message, has("retryable"), has("overloaded"))
	}
	c.check(t, text("Error", "Error", "no apples"), "caught", func() error { return errors.New("no apples") })
	c.check(t, text("Error", "Error", "while x: no apples"), "caught", func() (int, error) { return 1, fmt.Errorf("while x: %w", errors.New("no apples")) })
	c.check(t, text("RangeError", "RangeError", "too far", "retryable", "overloaded"), "caught", func() error {
		return &durable.Error{Name: "RangeError", Message: "too far", Retryable: true, Overloaded: true}
	})
	c.check(t, text("Error", "OutOfApples", "sorry"), "caught", func() error { return &durable.Error{Name: "OutOfApples", Message: "sorry"} })
	c.check(t, text("Error", "Error", "the Go function panicked: oops"), "caught", func() { panic("oops") })
	if !strings.Contains(logged.String(), "oops") || !strings.Contains(logged.String(), "gofunc_test.go") {
		t.Errorf("the log has no stack of the panic: %s", logged.String())
	}
	c.check(t, text("Error", "Error", "the goroutine of the Go function has ended"), "caught", func() { goruntime.Goexit() })
	c.check(t, text("TypeError", "TypeError", "argument 2: value: at .a[1]: a string does not fit into a Go int"),
		"caught", func(int, map[string][]int) {}, 1, map[string]any{"a": []any{1, "x"}})
	c.check(t, text("Error", "Error", "value: at .C: a value of type chan int cannot be sent to JavaScript"), "caught", func() struct{ C chan int } {
		return struct{ C chan int }{make(chan int)}
	})
	// An error that passes through Go on its way between scripts stays what it is.
	c.check(t, text("TypeError", "TypeError", `The RPC receiver does not implement the method "nothing".`), "caught", func(ctx context.Context) error {
		_, err := rt.Namespace("OBJ").GetByName("b").Call(ctx, "nothing")
		return err
	})
}

type account struct {
	total    int
	disposed chan struct{}
}

func (a *account) Add(n int) int            { a.total += n; return a.total }
func (a *account) GetURL(s string) string   { return "http://" + s }
func (a *account) ID() string               { return "id" }
func (a *account) Pair() (int, string)      { return 1, "b" }
func (a *account) None() error              { return nil }
func (a *account) Close() error             { a.disposed <- struct{}{}; return nil }
func (a *account) URLFor(x string) []string { return []string{x} }

func TestGoTarget(t *testing.T) {
	bothClocks(t, func(t *testing.T, c clocked) {
		a := &account{disposed: make(chan struct{}, 10)}
		c.check(t, `[2, "http://x", "id", [1, "b"], undefined]`, "target", runtime.NewTarget(a))
		c.check(t, "42", "property", runtime.NewTarget(a))
		for _, name := range []string{"close", "Add", "total", "getURLx"} {
			c.check(t, fmt.Sprintf(`"TypeError: The RPC receiver does not implement the method \"%s\"."`, name), "missing", runtime.NewTarget(a), name)
		}
		c.check(t, `"TypeError: \"(this)\" is not a function."`, "missing", map[string]any{"x": runtime.NewTarget(a)}, "x")
		if err := c.rt.Close(); err != nil {
			t.Error(err)
		}
		for range 7 { // the last ones may be on their way
			<-a.disposed
		}
	})
	rt := open(t, project(t, goFunctions, "Obj"), nil)
	obj := rt.Namespace("OBJ").GetByName("a")
	for _, bad := range []any{nil, (*account)(nil), twins{}} {
		if _, err := obj.Call(t.Context(), "echo", []any{runtime.NewTarget(bad)}); err == nil || !strings.Contains(err.Error(), "calling echo: value: at [0][0]: NewTarget(") {
			t.Errorf("%T: %v", bad, err)
		}
	}
}

type twins struct{}

func (twins) URL() {}
func (twins) Url() {} //nolint:revive // the case that is tested

// A function lasts as long as a script keeps it, and is disposed of after that.
func TestGoTargetIsDisposedOf(t *testing.T) {
	bothClocks(t, func(t *testing.T, c clocked) {
		disposed := make(chan struct{})
		target := runtime.NewTarget(closer{func() { close(disposed) }})
		c.check(t, "undefined", "keep", target)
		select {
		case <-disposed:
			t.Fatal("it was disposed of while the script keeps it")
		default:
		}
		c.check(t, "undefined", "drop")
		if clock := c.rt.Clock(); clock != nil {
			if err := clock.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		<-disposed
	})
}

type closer struct{ f func() }

func (c closer) Dispose() { c.f() }

func TestGoFunctionAfterItsCall(t *testing.T) {
	bothClocks(t, func(t *testing.T, c clocked) {
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), account{}, "value"))
		_, err := c.obj.Call(ctx, "keep", func(ctx context.Context, x string) (string, error) {
			return fmt.Sprint(x, " ", ctx.Value(account{})), ctx.Err()
		})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		c.check(t, `"x value"`, "useKept", "x")
		// Without dup() it ends with its call.
		if _, err := c.obj.Call(t.Context(), "echo", 1); err != nil {
			t.Fatal(err)
		}
	})
}

// Calls of one function arrive in order, one at a time.
func TestGoCallsKeepTheirOrder(t *testing.T) {
	bothClocks(t, func(t *testing.T, c clocked) {
		var order []int // no lock: the race detector looks on
		v, err := c.obj.Call(t.Context(), "all", func(i int) int { order = append(order, i); return i * i }, 100)
		var got []int
		if err == nil {
			err = v.Decode(&got)
		}
		if err != nil || len(got) != 100 || got[99] != 99*99 {
			t.Fatal(got, err)
		}
		if !slices.IsSorted(order) || len(order) != 100 {
			t.Errorf("order: %v", order)
		}
	})
}

// A Go function may call the object that calls it, with its own context or not.
func TestGoFunctionCallsBack(t *testing.T) {
	bothClocks(t, func(t *testing.T, c clocked) {
		c.check(t, "3", "call", func(ctx context.Context, x int) (n int, err error) {
			v, err := c.obj.Call(ctx, "add", x, 2)
			if err == nil {
				err = v.Decode(&n)
			}
			return n, err
		}, 1)
		c.check(t, "3", "call", func(x int) (n int, err error) {
			v, err := c.obj.Call(t.Context(), "add", x, 2)
			if err == nil {
				err = v.Decode(&n)
			}
			return n, err
		}, 1)
		// Through the same function, ten levels deep.
		for _, own := range []bool{true, false} {
			var f func(ctx context.Context, n int) (int, error)
			f = func(ctx context.Context, n int) (out int, err error) {
				if !own {
					ctx = t.Context()
				}
				v, err := c.obj.Call(ctx, "recursive", f, n)
				if err == nil {
					err = v.Decode(&out)
				}
				return out, err
			}
			c.check(t, "10", "recursive", f, 10)
		}
		// A kept one that is called again while it runs.
		depth := 0
		c.check(t, "undefined", "keep", func(ctx context.Context, n int) (int, error) {
			depth++
			if n == 0 {
				return depth, nil
			}
			v, err := c.obj.Call(ctx, "useKept", n-1)
			var got int
			if err == nil {
				err = v.Decode(&got)
			}
			return got, err
		})
		c.check(t, "6", "useKept", 5)
	})
}

// The virtual clock moves while a Go function waits for it, and only then.
func TestGoFunctionAndTheClock(t *testing.T) {
	rt := open(t, project(t, goFunctions, "Obj"), func(o *runtime.Options) {
		o.Faults = []durable.Fault{durable.DropRequest().Method("add").Times(2)}
	})
	c := clocked{"", rt, rt.Namespace("OBJ").GetByName("a")}
	start := rt.Clock().Now()
	c.check(t, "3600000", "call", func(ctx context.Context) (any, error) {
		v, err := rt.Namespace("OBJ").GetByName("b").Call(ctx, "sleep", 3600_000)
		if err != nil {
			return nil, err
		}
		return v.Any()
	})
	if d := rt.Clock().Now().Sub(start); d != time.Hour {
		t.Errorf("%v have passed", d)
	}
	// A call that is retried, without the function's context.
	c.check(t, "3", "call", func() (any, error) {
		v, err := rt.Namespace("OBJ").GetByName("b").Call(t.Context(), "add", 1, 2)
		if err != nil {
			return nil, err
		}
		return v.Any()
	})
}

// What goes on between scripts and Go is the same in every run.
func TestGoFunctionsAreDeterministic(t *testing.T) {
	dir := project(t, goFunctions, "Obj")
	once := func() string {
		rt := open(t, dir, func(o *runtime.Options) { o.Isolates = 2 })
		var log []string
		other := rt.Namespace("OBJ").GetByName("b")
		f := func(ctx context.Context, i int) (int, error) {
			log = append(log, fmt.Sprint("in ", i))
			v, err := other.Call(ctx, "sleep", 100*(i%3))
			if err != nil {
				return 0, err
			}
			log = append(log, fmt.Sprint("out ", i, v))
			_, err = other.Call(ctx, "echo", func() {}, i)
			return i, err
		}
		v, err := rt.Namespace("OBJ").GetByName("a").Call(t.Context(), "all", f, 9)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(log, v, rt.Timeline().Text(nil))
	}
	want := once()
	for i := range 30 {
		if got := once(); got != want {
			t.Fatalf("run %d:\n%s\nwant\n%s", i, got, want)
		}
	}
}

// The context of a Go function ends with the script that waits for it.
func TestGoFunctionIsCancelled(t *testing.T) {
	bothClocks(t, func(t *testing.T, c clocked) {
		started, ended := make(chan struct{}), make(chan error, 1)
		wait := func(ctx context.Context, _ int) error {
			close(started)
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return ctx.Err()
		}
		call := start(t.Context(), c.obj, "hangs", wait)
		<-started
		if _, err := c.obj.Call(t.Context(), "abort"); err == nil {
			t.Error("the object was not reset")
		}
		if err := <-call; err == nil || !strings.Contains(err.Error(), "gone") {
			t.Error(err)
		}
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "the script that made the call has ended") {
			t.Error(err)
		}

		started = make(chan struct{})
		call = start(t.Context(), c.rt.Namespace("OBJ").GetByName("b"), "hangs", wait)
		<-started
		if err := c.rt.Close(); err != nil {
			t.Error(err)
		}
		if err := <-call; err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
			t.Error(err)
		}
		if err := <-ended; err == nil || !strings.Contains(err.Error(), "the runtime was closed") {
			t.Error(err)
		}
	})
}

// A call with a function, a stream and the like among its arguments is not sent
// again, even if the method is marked.
func TestCallByReferenceFromGoIsNotRetried(t *testing.T) {
	script := strings.Replace(goFunctions, "export class Obj extends DurableObject {",
		`import { retryable } from "cloudflare:durable-objects";
export class Obj extends DurableObject {
  static { retryable(this.prototype.echo); }`, 1)
	rt := open(t, project(t, script, "Obj"), nil)
	obj := rt.Namespace("OBJ").GetByName("a")
	ref, err := obj.Call(t.Context(), "functions")
	if err != nil {
		t.Fatal(err)
	}
	defer ref.Close()
	var fns struct {
		Double *runtime.Ref `json:"double"`
	}
	if err := ref.Decode(&fns); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		arg  any
		want durable.Outcome
	}{
		{1, durable.Recovered},
		{map[string]any{"a": []byte("b")}, durable.Recovered},
		{func() {}, durable.UnableToRetry},
		{[]any{1, map[string]any{"f": func() {}}}, durable.UnableToRetry},
		{runtime.NewTarget(&account{disposed: make(chan struct{}, 10)}), durable.UnableToRetry},
		{obj, durable.UnableToRetry},
		{fns.Double, durable.UnableToRetry},
		{strings.NewReader("abc"), durable.UnableToRetry},
		{io.Discard, durable.UnableToRetry},
		{mustRequest(t), durable.UnableToRetry},
	} {
		if err := rt.Faults().Add(durable.DropReply().Method("echo").Times(1)); err != nil {
			t.Fatal(err)
		}
		v, err := obj.Call(t.Context(), "echo", c.arg)
		if (err == nil) != (c.want == durable.Recovered) {
			t.Errorf("%T: %v", c.arg, err)
		}
		_ = v.Close()
		calls := rt.Timeline().Calls()
		if got := calls[len(calls)-1].Outcome; got != c.want {
			t.Errorf("%T: %v, want %v", c.arg, got, c.want)
		}
	}
}
