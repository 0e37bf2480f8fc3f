(module (import "e" "f" (func $f (result i32 i64))) (func (export "g") (result i32 i64) (call $f)))
