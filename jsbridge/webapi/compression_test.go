package webapi

import (
	"bytes"
	"errors"
	"testing"
)

// A decoder that was given up refuses input instead of waiting for more.
func TestClosedDecoder(t *testing.T) {
	for _, fed := range [][]byte{nil, {0x1f}} {
		d := newDecoder("gzip")
		if len(fed) > 0 {
			if _, err := d.push(fed); err != nil {
				t.Fatal(err)
			}
		}
		d.close()
		d.close()
		if _, err := d.push([]byte{0x8b}); !errors.Is(err, errStopped) {
			t.Errorf("after %d bytes: push gave %v, want %v", len(fed), err, errStopped)
		}
	}
}

// FuzzDecompression feeds a decoder in pieces. However it is cut, the outcome is the
// same, and what was compressed comes out again.
func FuzzDecompression(f *testing.F) {
	for _, format := range []string{"gzip", "deflate", "deflate-raw"} {
		f.Add(format, []byte("hello hello"), uint8(3))
		f.Add(format, []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1}, uint8(1))
	}
	f.Fuzz(func(t *testing.T, format string, data []byte, size uint8) {
		decode := func(in []byte, size int) ([]byte, error) {
			c, err := newCodec(format, true)
			if err != nil {
				return nil, err
			}
			defer c.close()
			var out []byte
			for len(in) > 0 {
				n := min(size, len(in))
				chunk, err := c.push(bytes.Clone(in[:n]))
				if err != nil {
					return nil, err
				}
				out, in = append(out, chunk...), in[n:]
			}
			rest, err := c.end()
			return append(out, rest...), err
		}
		whole, wholeErr := decode(data, max(1, len(data)))
		parts, partsErr := decode(data, 1+int(size))
		if !errors.Is(partsErr, wholeErr) || wholeErr == nil && !bytes.Equal(whole, parts) {
			t.Fatalf("whole: %q, %v; in parts: %q, %v", whole, wholeErr, parts, partsErr)
		}
		e, err := newCodec(format, false)
		if err != nil {
			return
		}
		packed, err := e.push(data)
		if err != nil {
			t.Fatal(err)
		}
		rest, err := e.end()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := decode(append(packed, rest...), 1+int(size)); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("%q came back as %q, %v", data, back, err)
		}
	})
}
