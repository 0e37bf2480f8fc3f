// Package runtime runs a Workers project inside a Go process: it opens a
// configuration, starts the scripts in isolates, and calls their Durable Objects
// through the same stubs, retry engine and fault points that the scripts use.
//
//	rt, err := runtime.Open("examples/inventory", runtime.Options{})
//	...
//	defer rt.Close()
//	apples := rt.Namespace("INVENTORY").GetByName("apples")
//	_, err = apples.Call(ctx, "setQuantity", "apple", 5)
package runtime
