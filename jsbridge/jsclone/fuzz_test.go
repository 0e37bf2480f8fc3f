package jsclone

import (
	"bytes"
	"encoding/hex"
	"runtime"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// FuzzDecode feeds anything to the decoder: no panic, and what was read and can
// be written gives the same bytes from then on.
func FuzzDecode(f *testing.F) {
	for _, file := range []string{"values.txt", "errors-v8.txt"} {
		for i, g := range golden(f, file) {
			if b, err := hex.DecodeString(g.want); err == nil && i%5 == 0 {
				f.Add(b)
			}
		}
	}
	rt := goja.New()
	c, err := New(rt)
	if err != nil {
		f.Fatal(err)
	}
	opts := Options{MaxDepth: 200}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		v, err := c.Decode(data, opts)
		if err != nil {
			return
		}
		once, err := c.Encode(nil, v, opts)
		if err != nil {
			return // nested in another way than it was
		}
		v, err = c.Decode(once, opts)
		if err != nil {
			t.Fatalf("own encoding is not read: %v\n%x", err, once)
		}
		twice, err := c.Encode(nil, v, opts)
		if err != nil {
			t.Fatal(err)
		}
		// The text of a stack is not part of what is compared: a decoded error
		// without one gets one that names the place. Nor is a regular expression
		// whose source has an escape in place of a line separator (U+2028): like V8
		// we write it with two bytes a character, as the unescaped one needed; what
		// is read from that is plain ASCII to the engine and written with one byte.
		escaped := bytes.Contains(once, []byte{'\\', 0, 'u', 0, '2', 0, '0', 0, '2', 0})
		if !bytes.Equal(once, twice) && !strings.Contains(string(once), "stack") && !escaped {
			t.Fatalf("not stable\n%x\n%x", once, twice)
		}
	})
}

// FuzzDecodeList is FuzzDecode for the arguments of a call. What is decoded takes
// memory in proportion to the bytes, whatever lengths they speak of.
func FuzzDecodeList(f *testing.F) {
	rt := goja.New()
	c, err := New(rt)
	if err != nil {
		f.Fatal(err)
	}
	for _, src := range []string{"[]", "[1,'a',{b:[2,,3]}]", "[new Map([[1,new Set([2])]]), new Error('x')]", "[new Uint8Array(8), 5n, new Date(0)]"} {
		v, err := rt.RunString(src)
		if err != nil {
			f.Fatal(err)
		}
		data, err := c.Encode(nil, v, Options{})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	for _, start := range []string{"ff0f41ffffffff0f", "ff0f61ffffffff0f", "ff0f42ffffffff0f", "ff0f22ffffffff0f", "ff0f63feffffff0f", "ff0f5affffffff0f", "ff0f4101" + strings.Repeat("4101", 300)} {
		b, _ := hex.DecodeString(start)
		f.Add(b)
	}
	opts := Options{MaxDepth: 200}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		list, err := c.DecodeList(data, opts)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20+1000*uint64(len(data)) {
			t.Fatalf("%d bytes took %d bytes of memory", len(data), used)
		}
		if err != nil {
			return
		}
		once, err := c.EncodeList(nil, list, opts)
		if err != nil {
			return // nested in another way than it was
		}
		if _, err := c.DecodeList(once, opts); err != nil {
			t.Fatalf("own encoding is not read: %v\n%x", err, once)
		}
	})
}
