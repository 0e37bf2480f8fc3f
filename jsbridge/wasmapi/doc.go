// Package wasmapi is the WebAssembly namespace of JavaScript
// (https://webassembly.github.io/spec/js-api/) over plain goja, on package
// wasm.
//
// Results and error texts follow workerd; the tests in conformance/cases/wasm
// hold on both. As there, JavaScript can only use modules that came with the
// worker: compiling bytes at run time is refused with a CompileError.
//
// # Differences from workerd
//
//   - WebAssembly.Tag and WebAssembly.Exception cannot be constructed, and a
//     module's exceptions and JavaScript's do not meet: a JavaScript exception
//     passes through WebAssembly frames unseen by their handlers, and an
//     exception that leaves WebAssembly becomes a RuntimeError. JSTag,
//     Suspending, promising and SuspendError do not exist.
//   - Memories cannot be shared or have 64-bit addresses; toResizableBuffer
//     throws.
//   - memory.grow by 0 pages inside WebAssembly leaves the buffer attached.
//     Transferring a memory's buffer is not refused.
//   - A stack overflow inside WebAssembly is a RangeError as in V8, but its
//     depth differs; one that alternates with JavaScript ends at goja's limit.
//   - The trap texts "null function" and "table index is out of bounds", and
//     likewise those of division and conversion, are chosen by what the function
//     contains; in a function with both kinds the text may be the other's.
//   - Stack traces do not show WebAssembly frames.
//   - What package wasm lists.
//
// # Concurrency
//
// An API belongs to one goja.Runtime, and like it to one goroutine at a time.
package wasmapi
