;; The sieve of Eratosthenes. count(n) marks the multiples of every prime in its
;; own memory, a byte for each number, and returns how many numbers below n are
;; prime. It returns -1 when n needs more memory than it can get.
(module
  (memory (export "memory") 1 256)

  (func (export "count") (param $n i32) (result i32)
    (local $i i32) (local $j i32) (local $count i32) (local $pages i32)
    ;; pages = n / 65536 + 1 - memory.size
    (local.set $pages
      (i32.sub
        (i32.add (i32.shr_u (local.get $n) (i32.const 16)) (i32.const 1))
        (memory.size)))
    (if (i32.gt_s (local.get $pages) (i32.const 0))
      (then
        (if (i32.eq (memory.grow (local.get $pages)) (i32.const -1))
          (then (return (i32.const -1))))))
    (memory.fill (i32.const 0) (i32.const 0) (local.get $n))
    (local.set $i (i32.const 2))
    (block $done
      (loop $numbers
        (br_if $done (i32.ge_u (local.get $i) (local.get $n)))
        (if (i32.eqz (i32.load8_u (local.get $i)))
          (then
            (local.set $count (i32.add (local.get $count) (i32.const 1)))
            ;; The square of a number above 46340 does not fit.
            (if (i32.le_u (local.get $i) (i32.const 46340))
              (then
                (local.set $j (i32.mul (local.get $i) (local.get $i)))
                (block $marked
                  (loop $multiples
                    (br_if $marked (i32.ge_u (local.get $j) (local.get $n)))
                    (i32.store8 (local.get $j) (i32.const 1))
                    (local.set $j (i32.add (local.get $j) (local.get $i)))
                    (br $multiples)))))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $numbers)))
    (local.get $count)))
