package jsclone

import "github.com/dop251/goja"

// stringCache keeps short strings met lately: the values of a list's records
// tend to repeat, and a string costs two allocations. A newer string takes the
// place of an older one of the same hash, so that the size is fixed and a miss
// is cheap.
type stringCache struct {
	l       *layout
	entries *[256]cachedString
}

type cachedString struct {
	text  string
	value goja.Value
}

const maxCachedString = 16 // bytes

// get returns the string of the ASCII characters in b, which is not empty.
func (c *stringCache) get(b []byte) goja.Value {
	if c.entries == nil {
		c.entries = new([256]cachedString)
	}
	h := uint32(2166136261)
	for _, x := range b {
		h = (h ^ uint32(x)) * 16777619
	}
	e := &c.entries[(h^h>>8^h>>16)&255]
	if e.text == string(b) {
		return e.value
	}
	v := c.l.newASCII(b)
	*e = cachedString{v.String(), v} // String does not copy
	return v
}
