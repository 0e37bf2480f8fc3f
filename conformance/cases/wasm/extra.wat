(module (import "e" "t" (table 2 5 funcref)) (global (export "v") (mut v128) (v128.const i32x4 1 2 3 4))
 (func $a (export "x") (export "y")) (func (export "m2") (result i32 i64) (i32.const 1) (i64.const 2)) (func $f1 (export "f1"))
 (global (export "gf") (mut funcref) (ref.func $f1)) (global (export "gx") externref (ref.null extern))
)
