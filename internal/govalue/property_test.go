package govalue

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anyValue draws values in the form in which they come out of Decode.
func anyValue(depth int) *rapid.Generator[any] {
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Bool().AsAny(),
		rapid.Map(rapid.Int32(), func(i int32) any { return float64(i) }),
		rapid.Float64().AsAny(),
		rapid.String().AsAny(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return b }),
		rapid.Map(rapid.Int64Range(-8.64e15, 8.64e15), func(ms int64) any { return time.UnixMilli(ms).UTC() }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) any {
			if n := new(big.Int).SetBytes(b); n.Sign() != 0 {
				return n.Neg(n)
			}
			return new(big.Int) // as the reader makes it, for DeepEqual
		}),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	sub := anyValue(depth - 1)
	return rapid.OneOf(append(leaves,
		rapid.Map(rapid.SliceOfN(sub, 0, 5), func(s []any) any { return s }),
		rapid.Map(rapid.MapOfN(rapid.String(), sub, 0, 5), func(m map[string]any) any { return m }),
		rapid.Map(rapid.SliceOfN(sub, 1, 4), func(s []any) any { return &Set{s} }),
		rapid.Map(rapid.SliceOfN(sub, 1, 4), func(s []any) any {
			m := &Map{}
			for _, v := range s {
				m.Entries = append(m.Entries, Entry{v, v})
			}
			return m
		}),
		rapid.Map(rapid.MapOfN(rapid.StringMatching(`[a-d]`), sub, 1, 3), func(m map[string]any) any {
			return &Error{Name: "TypeError", Message: "m", Stack: "S", Props: m}
		}),
	)...)
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(3).Draw(t, "value")
		data, err := Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		// Not a number is not equal to itself: compare what it is encoded as.
		again, err := Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, again) {
			t.Fatalf("%#v came back as %#v", v, got)
		}
		if !hasNaN(v) && !reflect.DeepEqual(v, got) {
			t.Fatalf("%#v came back as %#v", v, got)
		}
	})
}

func hasNaN(v any) bool {
	switch v := v.(type) {
	case float64:
		return v != v
	case []any:
		for _, x := range v {
			if hasNaN(x) {
				return true
			}
		}
	case map[string]any:
		for _, x := range v {
			if hasNaN(x) {
				return true
			}
		}
	case *Set:
		return hasNaN(v.Values)
	case *Map:
		for _, e := range v.Entries {
			if hasNaN(e.Key) {
				return true
			}
		}
	case *Error:
		return hasNaN(v.Props)
	}
	return false
}

func TestStructRoundTrip(t *testing.T) {
	type inner struct {
		S string            `json:"s,omitempty"`
		M map[string]string `json:"m"`
	}
	type outer struct {
		I8  int8
		U   uint32 `json:"u"`
		F   float32
		B   bool `json:",omitempty"`
		L   []inner
		P   *inner
		K   map[int16]uint8
		Raw [3]byte
	}
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.Make[outer]().Draw(t, "value")
		data, err := Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var out outer
		if err := Unmarshal(data, &out); err != nil {
			t.Fatal(err)
		}
		if in.F == in.F && !reflect.DeepEqual(in, out) {
			t.Fatalf("%#v came back as %#v", in, out)
		}
	})
}

func FuzzUnmarshal(f *testing.F) {
	for _, s := range []string{"ff0f6f22016149027b01", "ff0f410342040000000056420004005e0156770202005e01240003",
		"ff0f3b49022201613a02", "ff0f5c0a0022054d7945727222016d6f2205737461636b2201537b01", "ff0f61034900490249044906400203",
		"ff0f6f220473656c665e007b01", "ff0f72546d22016d73220153632201632e", "ff0f4400b08756febc7842"} {
		b, _ := hex.DecodeString(s)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		if Unmarshal(data, &v) != nil {
			return
		}
		var into item
		_ = Unmarshal(data, &into)
		once, err := Marshal(v)
		if err != nil {
			return // a cycle
		}
		if len(once) > 1<<20 {
			return // references multiplied
		}
		var back any
		if err := Unmarshal(once, &back); err != nil {
			t.Fatalf("own encoding is not read: %v\n%x", err, once)
		}
		twice, err := Marshal(back)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("not stable: %v\n%x\n%x", err, once, twice)
		}
	})
}

func BenchmarkMarshal(b *testing.B) {
	for _, bv := range benchValues() {
		b.Run(bv.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Marshal(bv.v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	for _, bv := range benchValues() {
		b.Run(bv.name, func(b *testing.B) {
			data, err := Marshal(bv.v)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				var v any
				if err := Unmarshal(data, &v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

type benchValue struct {
	name string
	v    any
}

func benchValues() []benchValue {
	var list []any
	for i := range 820 {
		list = append(list, map[string]any{"id": i, "name": "item", "price": float64(i) + 0.25, "tags": []any{"red", "blue"}})
	}
	return []benchValue{{"args", []any{"apple", 5}}, {"1KB", list[:10]}, {"100KB", list}}
}
