(module (import "e" "f" (func $f)) (start $f))
