package runtime_test

import (
	"errors"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/jsbridge"
	"github.com/durashim/durashim/runtime"
)

// endlessWasm is (module (func (export "f") (loop (br 0)))).
const endlessWasm = "\x00asm\x01\x00\x00\x00" + "\x01\x04\x01\x60\x00\x00" + "\x03\x02\x01\x00" +
	"\x07\x05\x01\x01f\x00\x00" + "\x0a\x09\x01\x07\x00\x03\x40\x0c\x00\x0b\x0b"

// An endless loop in WebAssembly ends with the turn's limit, and an object beside
// it in the same isolate keeps its memory.
func TestEndlessWebAssembly(t *testing.T) {
	dir := project(t, `
import { DurableObject } from "cloudflare:workers";
import module from "./loop.wasm";
export class A extends DurableObject {
  count = 0;
  spin() { new WebAssembly.Instance(module).exports.f(); }
  next() { return ++this.count; }
}
export default {};
`, "A")
	write(t, dir, "loop.wasm", endlessWasm)
	rt := open(t, dir, func(o *runtime.Options) { o.Limits = jsbridge.Limits{Turn: 500 * time.Millisecond} })
	beside := rt.Namespace("A").GetByName("beside")
	if _, err := beside.Call(t.Context(), "next"); err != nil {
		t.Fatal(err)
	}
	if _, err := rt.Namespace("A").GetByName("spinning").Call(t.Context(), "spin"); !errors.Is(err, durable.ErrReset) {
		t.Errorf("the endless loop ended with %v", err)
	}
	v, err := beside.Call(t.Context(), "next")
	if n := number(t, v, err); n != 2 {
		t.Errorf("the neighbour counted %v, want 2", n)
	}
}
