package wasm_test

import (
	"context"
	"fmt"
	"os"

	"github.com/durashim/durashim/wasm"
)

// The module imports a function f from "h" and exports one that adds.
func ExampleStore_Instantiate() {
	data, err := os.ReadFile("testdata/bench.wasm")
	if err != nil {
		panic(err)
	}
	m, err := wasm.Compile(data)
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	i, err := wasm.NewStore().Instantiate(m, func(_ int, im *wasm.ImportType) (any, error) {
		fmt.Println("imports", im.Module, im.Name, im.Type.Func)
		return wasm.HostFunc(func(_ context.Context, stack []uint64) error { return nil }), nil
	})
	if err != nil {
		panic(err)
	}
	if err := i.Start(ctx); err != nil {
		panic(err)
	}
	for n, x := range m.Exports {
		if x.Name == "add" {
			stack := []uint64{40, 2}
			if err := i.Exports[n].(*wasm.Func).Call(ctx, stack); err != nil {
				panic(err)
			}
			fmt.Println("add:", stack[0])
		}
	}
	// Output:
	// imports h f (i32) -> (i32)
	// add: 42
}
