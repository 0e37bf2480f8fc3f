package wasm

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"

	"github.com/tetratelabs/wazero"
)

var bg = context.Background()

var raceDetector bool // set by race_test.go

func load(t testing.TB, name string) *Module { return loadInto(t, sharedEngine(), name) }

func loadInto(t testing.TB, e *engine, name string) *Module {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".wasm")
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.compile(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// instance makes and starts an instance whose imports are given by name.
func instance(t testing.TB, s *Store, name string, imports map[string]any) *Instance {
	t.Helper()
	i, err := s.Instantiate(loadInto(t, s.e, name), func(_ int, im *ImportType) (any, error) { return imports[im.Name], nil })
	if err != nil {
		t.Fatal(err)
	}
	if err := i.Start(bg); err != nil {
		t.Fatal(err)
	}
	return i
}

func export[T any](t testing.TB, i *Instance, name string) T {
	t.Helper()
	for n, x := range i.module.Exports {
		if x.Name == name {
			if v, ok := i.Exports[n].(T); ok {
				return v
			}
		}
	}
	t.Fatalf("no export %q of that type", name)
	panic("unreachable")
}

func call(t testing.TB, i *Instance, name string, args ...uint64) ([]uint64, error) {
	t.Helper()
	f := export[*Func](t, i, name)
	stack := make([]uint64, max(f.Type().Slots(), len(args)))
	copy(stack, args)
	err := f.Call(bg, stack)
	return stack, err
}

func want(t testing.TB, i *Instance, result uint64, name string, args ...uint64) {
	t.Helper()
	got, err := call(t, i, name, args...)
	if err != nil || got[0] != result {
		t.Errorf("%s%v = %v, %v, want %d", name, args, got, err, result)
	}
}

func testTraps(t *testing.T, newStore func() *Store) {
	i := instance(t, newStore(), "kinds", nil)
	for _, c := range []struct {
		f    string
		code TrapCode
		args []uint64
	}{
		{"unreachable", TrapUnreachable, nil},
		{"oob", TrapMemoryOutOfBounds, nil},
		{"div0", TrapDivideByZero, []uint64{0}},
		{"rem0", TrapRemainderByZero, []uint64{0}},
		{"divov", TrapDivideOverflow, nil},
		{"trunc", TrapFloatUnrepresentable, []uint64{F64Bits(1e20)}},
		{"ci", TrapNullFunction, []uint64{2}},
		{"ci", TrapSignatureMismatch, []uint64{0}},
		{"rec", TrapStackOverflow, nil},
		{"minit", TrapMemoryOutOfBounds, nil},
		{"mfill", TrapMemoryOutOfBounds, nil},
		{"tcopy", TrapTableOutOfBounds, nil},
		{"tget", TrapTableOutOfBounds, []uint64{77}},
	} {
		_, err := call(t, i, c.f, c.args...)
		if !errors.Is(err, &Trap{Code: c.code}) {
			t.Errorf("%s%v: %v, want %s", c.f, c.args, err, trapTexts[c.code])
		}
		want(t, i, 3, "add", 1, 2) // the instance works on
	}
}

func testRefs(t *testing.T, newStore func() *Store) {
	s := newStore()
	i := instance(t, s, "kinds", nil)
	tab := export[*Table](t, i, "table")
	add := export[*Func](t, i, "add")
	id := export[*Func](t, i, "id32")
	at := func(n uint32) *Func {
		t.Helper()
		ref, ok := tab.Get(n)
		if !ok {
			t.Fatalf("no element %d", n)
		}
		return s.FuncOf(ref)
	}
	if at(0) != add || at(1) == nil || at(1) != at(1) || at(1).Index != 19 || at(2) != nil {
		t.Error("functions in the table are not themselves")
	}
	var stack [1]uint64
	if err := at(1).Call(bg, stack[:]); err != nil || stack[0] != 99 {
		t.Errorf("the hidden function: %v, %v", stack[0], err)
	}
	if !tab.Set(2, id.Ref(), id) || at(2) != id || tab.Set(3, 0, nil) {
		t.Error("Set")
	}
	if n, ok := tab.Grow(2, add.Ref(), add); n != 3 || !ok || tab.Size() != 5 || at(4) != add {
		t.Error("Grow")
	}
	if _, ok := tab.Grow(100, 0, nil); ok {
		t.Error("Grow past the maximum")
	}
	// A module that lets no references out by itself.
	start := instance(t, s, "bench", map[string]any{"f": HostFunc(func(context.Context, []uint64) error { return nil })})
	fib := export[*Func](t, start, "fib")
	tab.Set(3, fib.Ref(), fib)
	if at(3) != fib {
		t.Error("a function of another instance is not itself")
	}
}

// imports is what testdata/imports.wat takes.
func imports(t testing.TB, s *Store, more map[string]any) map[string]any {
	t.Helper()
	mem, err := s.NewMemory(Limits{Min: 1, Max: 5, HasMax: true})
	if err != nil {
		t.Fatal(err)
	}
	tab, err := s.NewTable(TableType{Elem: Funcref, Limits: Limits{Min: 4}})
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]any{
		"f":   HostFunc(func(_ context.Context, st []uint64) error { st[0] = st[1] + 1; return nil }),
		"nop": HostFunc(func(context.Context, []uint64) error { return nil }),
		"mem": mem, "tab": tab, "g": Value(5),
		"mg": s.NewGlobal(GlobalType{Value: I64, Mutable: true}, 10),
	}
	for k, v := range more {
		m[k] = v
	}
	return m
}

func testImports(t *testing.T, newStore func() *Store) {
	s := newStore()
	env := imports(t, s, nil)
	i := instance(t, s, "imports", env)
	want(t, i, 42, "call", 1, 41, 0, 0)
	if _, err := call(t, i, "incmg"); err != nil || env["mg"].(*Global).Get() != 11 {
		t.Error("the imported global did not change:", err)
	}
	if export[*Memory](t, i, "mem") != env["mem"] || export[*Table](t, i, "tab") != env["tab"] || export[*Global](t, i, "mg") != env["mg"] {
		t.Error("exports of imports are not the same objects")
	}
	if got, err := call(t, i, "multi", 7); err != nil || got[0] != 7 || got[1] != 1<<64-1 || F64Value(got[2]) != 1.5 {
		t.Error("multi:", got, err)
	}
	tab := env["tab"].(*Table)
	for n, name := range []string{"call", "nop"} {
		ref, _ := tab.Get(uint32(n))
		if s.FuncOf(ref) != export[*Func](t, i, name) {
			t.Errorf("element %d is not %s", n, name)
		}
	}
	// Another instance takes functions of this one, exported or not.
	ref, _ := export[*Table](t, instance(t, s, "kinds", nil), "table").Get(0)
	_, err := s.Instantiate(i.module, func(_ int, im *ImportType) (any, error) {
		if im.Name == "nop" {
			return s.FuncOf(ref), nil
		}
		return env[im.Name], nil
	})
	if err == nil || err.Error() != `Import #5 "env" "nop": imported function does not match the expected type` {
		t.Error(err)
	}
	other := instance(t, s, "imports", imports(t, s, map[string]any{"f": export[*Func](t, i, "call"), "nop": export[*Func](t, i, "callnop")}))
	want(t, other, 42, "call", 1, 41, 0, 0)
}

func testHostFailureKeepsItsValue(t *testing.T, newStore func() *Store) {
	s := newStore()
	boom := errors.New("boom")
	var fail func() error
	i := instance(t, s, "imports", imports(t, s, map[string]any{"nop": HostFunc(func(context.Context, []uint64) error { return fail() })}))
	fail = func() error { return boom }
	if _, err := call(t, i, "callnop"); err != boom {
		t.Errorf("got %v", err)
	}
	type secret struct{ x *int }
	v := secret{new(int)}
	fail = func() error { panic(v) }
	func() {
		defer func() {
			if x := recover(); x != v {
				t.Errorf("recovered %v", x)
			}
		}()
		_, err := call(t, i, "callnop")
		t.Error("no panic but", err)
	}()
	// Through two levels.
	depth := 0
	fail = func() error {
		if depth++; depth < 2 {
			_, err := call(t, i, "callnop")
			return err
		}
		return boom
	}
	if _, err := call(t, i, "callnop"); err != boom || depth != 2 {
		t.Errorf("got %v", err)
	}
	fail = func() error { return nil }
	if _, err := call(t, i, "callnop"); err != nil {
		t.Error(err)
	}
}

func testMemory(t *testing.T, newStore func() *Store) {
	s := newStore()
	i := instance(t, s, "kinds", nil)
	m := export[*Memory](t, i, "memory")
	m.Bytes()[3] = 42
	want(t, i, 42, "peek", 3)
	want(t, i, 1, "grow", 1)
	if m.Size() != 2*PageSize || m.Bytes()[3] != 42 {
		t.Error("after memory.grow")
	}
	m.Bytes()[PageSize+1] = 7
	want(t, i, 7, "peek", PageSize+1)
	if n, ok := m.Grow(2); n != 2 || !ok {
		t.Error("Grow")
	}
	if _, ok := m.Grow(1); ok {
		t.Error("Grow past the maximum")
	}
}

func testStartAndSegments(t *testing.T, newStore func() *Store) {
	s := newStore()
	n := 0
	instance(t, s, "start", map[string]any{"f": HostFunc(func(context.Context, []uint64) error { n++; return nil })})
	if n != 1 {
		t.Error("the start function ran", n, "times")
	}
	for name, text := range map[string]string{
		"data-bounds": "data segment 0 is out of bounds (offset 70000, length 1, memory size 65536)",
		"elem-bounds": "table index is out of bounds",
	} {
		_, err := s.Instantiate(loadInto(t, s.e, name), nil)
		var trap *Trap
		if !errors.As(err, &trap) || trap.Text != text {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// testInterrupt cancels from within a host function, so that the test needs no
// time to pass.
func testInterrupt(t *testing.T, newStore func() *Store) {
	s := newStore()
	ctx, cancel := context.WithCancelCause(bg)
	limit := errors.New("limit")
	calls := 0
	host := func(context.Context, []uint64) error {
		if calls++; calls == 5 {
			cancel(limit)
		}
		return nil
	}
	i := instance(t, s, "bench", map[string]any{"f": HostFunc(host)})
	f := export[*Func](t, i, "out")
	err := f.Call(ctx, []uint64{0}) // 1<<32 rounds
	var stopped *Interrupted
	if !errors.As(err, &stopped) || !errors.Is(err, limit) {
		t.Fatalf("got %v", err)
	}
	if err := f.Call(ctx, []uint64{1}); !errors.Is(err, limit) {
		t.Errorf("a call under a cancelled context: %v", err)
	}
	// Loops that call nothing, and recursion that ends only after ages, let the
	// garbage collector run: that stops the world, so without visits to Go it
	// would wait forever.
	for name, arg := range map[string]uint64{"kernel": 0, "fib": 90} {
		ctx, cancel := context.WithCancelCause(bg)
		cancelled := make(chan struct{})
		go func() {
			runtime.GC()
			cancel(limit)
			close(cancelled)
		}()
		err = export[*Func](t, i, name).Call(ctx, []uint64{arg})
		if !errors.Is(err, limit) {
			t.Errorf("%s: %v", name, err)
		}
		<-cancelled
	}
	want(t, i, 55, "fib", 10)
	want(t, i, 3, "add", 1, 2)
}

func testExternsAreForgotten(t *testing.T, newStore func() *Store) {
	s := newStore()
	i := instance(t, s, "kinds", nil)
	kept := &struct{ n int }{1}
	stack := []uint64{0, s.Extern(kept)}
	if err := export[*Func](t, i, "eset").Call(bg, stack); err != nil {
		t.Fatal(err)
	}
	for n := range 10 * externLimit {
		s.Tidy()
		v := &struct{ n int }{n}
		if got := s.ExternOf(s.Extern(v)); got != v {
			t.Fatal("not the same value")
		}
	}
	if n := len(s.externs.values); n > 2*externLimit {
		t.Errorf("%d values are held", n)
	}
	ref, _ := export[*Table](t, i, "ext").Get(0)
	if s.ExternOf(ref) != kept {
		t.Error("the value in the table is gone")
	}
}

// TestEngines runs everything on the compiler, where there is one, and on the
// interpreter.
func TestEngines(t *testing.T) {
	interpreter := newEngine(configure(wazero.NewRuntimeConfigInterpreter()))
	for name, newStore := range map[string]func() *Store{"default": NewStore, "interpreter": interpreter.store} {
		for test, f := range map[string]func(*testing.T, func() *Store){
			"Traps":                    testTraps,
			"Refs":                     testRefs,
			"Imports":                  testImports,
			"HostFailureKeepsItsValue": testHostFailureKeepsItsValue,
			"Memory":                   testMemory,
			"StartAndSegments":         testStartAndSegments,
			"Interrupt":                testInterrupt,
			"ExternsAreForgotten":      testExternsAreForgotten,
		} {
			t.Run(name+"/"+test, func(t *testing.T) {
				if raceDetector && name == "interpreter" && test == "Interrupt" {
					t.Skip("the interpreter reads the global that stops it while another goroutine writes it; see the package's limits")
				}
				f(t, newStore)
			})
		}
	}
}
