package wasm

import (
	"context"
	"os"
	"testing"
)

func nop(context.Context, []uint64) error { return nil }

func benchInstance(b *testing.B) *Instance {
	return instance(b, NewStore(), "bench", map[string]any{"f": HostFunc(nop)})
}

// BenchmarkCall is a call from Go and back.
func BenchmarkCall(b *testing.B) {
	f := export[*Func](b, benchInstance(b), "add")
	stack := []uint64{1, 2}
	ctx, cancel := context.WithCancel(bg)
	defer cancel()
	b.ReportAllocs()
	for b.Loop() {
		if err := f.Call(ctx, stack); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHostCall is a call from WebAssembly to Go and back.
func BenchmarkHostCall(b *testing.B) {
	f := export[*Func](b, benchInstance(b), "out")
	b.ReportAllocs()
	stack := []uint64{uint64(b.N)}
	if b.N > 0 {
		if err := f.Call(bg, stack); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkKernel runs a loop of a multiplication, a load and a store; one
// operation is a million rounds.
func BenchmarkKernel(b *testing.B) {
	f := export[*Func](b, benchInstance(b), "kernel")
	for b.Loop() {
		if err := f.Call(bg, []uint64{1_000_000}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFib computes fib(25), which is 242785 calls.
func BenchmarkFib(b *testing.B) {
	f := export[*Func](b, benchInstance(b), "fib")
	for b.Loop() {
		if err := f.Call(bg, []uint64{25}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInstantiate(b *testing.B) {
	for _, name := range []string{"bench", "kinds"} {
		b.Run(name, func(b *testing.B) {
			m, s := load(b, name), NewStore()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Instantiate(m, func(int, *ImportType) (any, error) { return HostFunc(nop), nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLink(b *testing.B) {
	s := NewStore()
	env := imports(b, s, nil)
	m := load(b, "imports")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Instantiate(m, func(_ int, im *ImportType) (any, error) { return env[im.Name], nil }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	data, err := os.ReadFile("testdata/kinds.wasm")
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	for b.Loop() {
		// A custom section makes each a module of its own.
		n++
		if _, err := Compile(append(data[:len(data):len(data)], 0, 5, 1, 'x', byte(n), byte(n>>8), byte(n>>16))); err != nil {
			b.Fatal(err)
		}
	}
}
