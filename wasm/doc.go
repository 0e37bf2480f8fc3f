// Package wasm runs WebAssembly modules: the state and the calls of the
// JavaScript interface (https://webassembly.github.io/spec/js-api/) without
// JavaScript. It stands on wazero's compiler; where that does not support the
// machine, on its interpreter.
//
//	m, err := wasm.Compile(bytes)
//	s := wasm.NewStore()
//	i, err := s.Instantiate(m, func(n int, im *wasm.ImportType) (any, error) {
//		return wasm.HostFunc(func(ctx context.Context, stack []uint64) error { ... }), nil
//	})
//	err = i.Start(ctx)
//	stack := []uint64{1, 2}
//	err = i.Exports[0].(*wasm.Func).Call(ctx, stack) // the result is stack[0]
//
// A [Module] is compiled once per process; a [Store] belongs to one isolate.
// Calls take about 70 ns in either direction and allocate nothing.
//
// # Stopping
//
// A computation ends soon after the context of its [Func.Call] is cancelled.
// Modules are rewritten for that, and so that a long one does not hold up the
// garbage collector; see rewrite.go. The instances that ran stay usable.
//
// # Limits
//
// Of what V8 runs these are refused, each with an error that names it: more
// than one memory, shared memories (atomic instructions on others work),
// memories and tables with 64-bit addresses, typed function references and garbage-collected types, tables with
// an initial value, relaxed SIMD, exception handling of the old form (try and
// catch; the form with try_table works within a module), immutable globals that
// the host makes of a reference and a module imports, host access to exceptions.
//
// Further differences:
//
//   - An exception that no WebAssembly handler catches is a [Trap]; handlers of
//     WebAssembly do not see errors and panics of Go functions.
//   - A call may use 50 MB of stack, then it is a [Trap].
//   - memory.grow and table.grow are limited by the machine's memory only, as
//     far as the module sets no maximum (tables: [MaxTableSize]).
//   - The engine has fewer kinds of traps than V8. Which it was is told by what
//     the function contains; see [Trap].
//   - A memory of exactly 4 GiB cannot be read from Go.
//   - A bulk instruction over a large memory is not interrupted; it is over in a
//     second.
//   - Values behind externrefs are found by searching tables and globals. One
//     that leads back to the table that it is in is never forgotten.
//   - With the interpreter, the flag that stops a computation is written while
//     the interpreter reads it, which the race detector reports. Compiled code
//     sees an aligned word, as it does with any shared memory.
//   - With the interpreter, a host function that a module imports and puts into
//     a table is another [Func] in each module that does so.
package wasm
