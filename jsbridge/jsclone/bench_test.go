package jsclone

import (
	"testing"

	"github.com/dop251/goja"
)

// benchValues are an argument list, records of about 1 KB and 100 KB, and an
// array of strings of 1 MB.
var benchValues = []struct{ name, src string }{
	{"args", `["apple", 5]`},
	{"1KB", jsonLike + `(8)`},
	{"100KB", jsonLike + `(820)`},
	{"strings1MB", `Array.from({length: 10000}, (_, i) => ("item " + i + " ").padEnd(100, "x"))`},
	{"bytes1MB", `new Uint8Array(1 << 20)`},
}

const jsonLike = `(n => ({total: n, items: Array.from({length: n}, (_, i) => ({id: i, name: "item " + i, price: i + 0.25,
	tags: ["red", "blue"], nested: {ok: true, none: null}}))}))`

func benchEncode(b *testing.B, src string) (*Codec, goja.Value, []byte) {
	rt, c := newCodec(b)
	v := eval(b, rt, src)
	data, err := c.Encode(nil, v, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	return c, v, data
}

func BenchmarkEncode(b *testing.B) {
	for _, bv := range benchValues {
		b.Run(bv.name, func(b *testing.B) {
			c, v, buf := benchEncode(b, bv.src)
			for b.Loop() {
				var err error
				if buf, err = c.Encode(buf[:0], v, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, bv := range benchValues {
		b.Run(bv.name, func(b *testing.B) {
			c, _, data := benchEncode(b, bv.src)
			for b.Loop() {
				if _, err := c.Decode(data, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newCodec(b)
	}
}
