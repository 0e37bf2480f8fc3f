package wasmapi

import (
	"math"
	"math/big"
	"testing"

	"github.com/dop251/goja"
)

// FuzzToInt32 compares with exact arithmetic. (goja's own v | 0 is wrong for
// numbers beyond 64 bits.)
func FuzzToInt32(f *testing.F) {
	for _, v := range []float64{0, -1, 1 << 31, -1 << 31, 1<<32 + 5, 1e300, -1e20, math.NaN(), math.Inf(1), 0.5, 1 << 53, 1 << 63} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		want := uint32(0)
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			exact, _ := big.NewFloat(v).Int(nil)
			exact.Mod(exact, big.NewInt(1<<32)) // Euclidean
			want = uint32(exact.Uint64())
		}
		if got := toInt32(v); got != want {
			t.Errorf("%v became %d, want %d", v, got, want)
		}
	})
}

// FuzzBigInt compares with BigInt.asIntN.
func FuzzBigInt(f *testing.F) {
	f.Add([]byte{1}, false)
	f.Add([]byte{0x80, 0, 0, 0, 0, 0, 0, 0}, true)
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0}, true)
	rt := goja.New()
	a := Install(rt, Env{})
	asIntN, _ := goja.AssertFunction(eval(f, rt, `(function (v) { return BigInt.asIntN(64, v) })`))
	f.Fuzz(func(t *testing.T, data []byte, negative bool) {
		b := new(big.Int).SetBytes(data)
		if negative {
			b.Neg(b)
		}
		want, err := asIntN(goja.Undefined(), rt.ToValue(b))
		if err != nil {
			t.Fatal(err)
		}
		if got := big.NewInt(int64(a.bigInt(rt.ToValue(b)))); got.Cmp(want.Export().(*big.Int)) != 0 {
			t.Errorf("%v became %v, want %v", b, got, want)
		}
	})
}
