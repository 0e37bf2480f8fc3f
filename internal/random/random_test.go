package random

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The sequence of a seed is part of what a test may rely on: it must not change
// from one version to the next. The values were computed by another
// implementation of ChaCha8Rand (https://c2sp.org/chacha8rand), keyed with the
// SHA-256 of the seed in eight bytes, little-endian.
func TestSeededSequenceIsFixed(t *testing.T) {
	for seed, want := range map[uint64][4]uint64{
		0:       {0xf77422662c6871fd, 0xea4f571912f9cd24, 0x71e1819e17569af5, 0x5d59797c914aeaac},
		1:       {0x9647d53234b558ac, 0x8b3794f3ba1ce582, 0x256fc7aacb3ec7be, 0xbdfdac500af4b71c},
		1 << 63: {0xd59fad4f5b91d59b, 0x4c7fe3785a30043e, 0x3521cbd016c6804f, 0xe7ecd131a019bf22},
	} {
		s := Seeded(seed)
		var all []uint64
		for range 128 { // the generator is keyed anew after 124
			all = append(all, s.Uint64())
		}
		if got := [4]uint64{all[0], all[1], all[2], all[127]}; got != want {
			t.Errorf("seed %d: %#x, want %#x", seed, got, want)
		}
	}
}

func TestDeterminism(t *testing.T) {
	draws := func(s *Source) (out []uint64) {
		buf := make([]byte, 16)
		for range 50 {
			_, _ = s.Read(buf)
			out = append(out, s.Uint64(), math.Float64bits(s.Float64()), uint64(s.Between(0, time.Hour)), uint64(buf[0]), uint64(buf[15]))
		}
		return out
	}
	if !slices.Equal(draws(Seeded(7)), draws(Seeded(7))) {
		t.Error("the same seed gives two sequences")
	}
	seen := map[uint64]uint64{}
	for seed := range uint64(1000) {
		v := Seeded(seed).Uint64()
		if other, ok := seen[v]; ok {
			t.Errorf("seeds %d and %d begin alike", seed, other)
		}
		seen[v] = seed
	}
	if slices.Equal(draws(New()), draws(New())) {
		t.Error("two sources of New give the same sequence")
	}
}

// Read in pieces gives the same bytes as Read at once.
func TestReadInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 300), 1, 8).Draw(t, "sizes")
		pieces, whole := Seeded(3), Seeded(3)
		var got []byte
		for _, n := range sizes {
			p := make([]byte, n)
			if k, err := pieces.Read(p); k != n || err != nil {
				t.Fatalf("Read of %d: %d, %v", n, k, err)
			}
			got = append(got, p...)
		}
		want := make([]byte, len(got))
		_, _ = whole.Read(want)
		if !bytes.Equal(got, want) {
			t.Fatalf("%x, want %x", got, want)
		}
	})
}

func TestFloat64(t *testing.T) {
	s := Seeded(1)
	var sum float64
	var seen uint64
	const n = 100_000
	for range n {
		f := s.Float64()
		if !(f >= 0 && f < 1) {
			t.Fatalf("%v is outside of [0, 1)", f)
		}
		scaled := f * (1 << 53)
		if scaled != math.Trunc(scaled) {
			t.Fatalf("%v has more than 53 bits", f)
		}
		seen |= uint64(scaled)
		sum += f
	}
	if bits.OnesCount64(seen) != 53 {
		t.Errorf("only the bits %#x ever appear", seen)
	}
	// The mean of n draws has a standard deviation of 1/sqrt(12 n) = 0.0009.
	if mean := sum / n; math.Abs(mean-0.5) > 0.005 {
		t.Errorf("mean %v", mean)
	}
}

func TestBetween(t *testing.T) {
	s := Seeded(1)
	rapid.Check(t, func(t *rapid.T) {
		lo := time.Duration(rapid.Int64Range(-1<<50, 1<<50).Draw(t, "lo"))
		hi := time.Duration(rapid.Int64Range(-1<<50, 1<<50).Draw(t, "hi"))
		got := s.Between(lo, hi)
		switch {
		case hi <= lo && got != lo:
			t.Fatalf("empty interval: %v, want %v", got, lo)
		case hi > lo && (got < lo || got >= hi):
			t.Fatalf("%v is outside of [%v, %v)", got, lo, hi)
		}
	})
	var seen [3]bool
	for range 1000 {
		seen[s.Between(10, 13)-10] = true
	}
	if seen != [3]bool{true, true, true} {
		t.Errorf("of three values only %v are drawn", seen)
	}
}

// Draws by many goroutines are together the sequence of one.
func TestConcurrentDraws(t *testing.T) {
	const goroutines, each = 8, 500
	s := Seeded(5)
	got := make([][]uint64, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for range each {
				got[g] = append(got[g], s.Uint64())
			}
		})
	}
	wg.Wait()
	one := Seeded(5)
	var want []uint64
	for range goroutines * each {
		want = append(want, one.Uint64())
	}
	all := slices.Concat(got...)
	slices.Sort(all)
	slices.Sort(want)
	if !slices.Equal(all, want) {
		t.Error("draws were lost or made twice")
	}
}

func TestUint128(t *testing.T) {
	a, b := Seeded(9), Seeded(9)
	for range 100 {
		hi, lo := a.Uint128()
		if wantHi, wantLo := b.Uint64(), b.Uint64(); hi != wantHi || lo != wantLo {
			t.Fatalf("%#x %#x, want two draws of 64 bits: %#x %#x", hi, lo, wantHi, wantLo)
		}
	}
}

func BenchmarkUint128(b *testing.B) {
	s := New()
	b.ReportAllocs()
	for b.Loop() {
		s.Uint128()
	}
}

func BenchmarkRead16(b *testing.B) {
	s := New()
	var id [16]byte
	b.ReportAllocs()
	for b.Loop() {
		_, _ = s.Read(id[:])
	}
}

func BenchmarkUint64(b *testing.B) {
	s := New()
	b.ReportAllocs()
	for b.Loop() {
		s.Uint64()
	}
}
