package jsclone

import (
	"bytes"
	"encoding/hex"
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
		// without one gets one that names the place.
		if !bytes.Equal(once, twice) && !strings.Contains(string(once), "stack") {
			t.Fatalf("not stable\n%x\n%x", once, twice)
		}
	})
}
