//go:build go1.26 && !go1.27 && !wasm

package jsclone

import (
	"errors"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"
)

// tryMaps looks at a map while it grows, and checks that it is laid out as
// mapHeader and mapGroup say.
func tryMaps() error {
	bad := errors.New("a map is laid out differently")
	m := newMap()
	h := headerOf(m)
	if *h != (mapHeader{seed: h.seed}) {
		return bad
	}
	seed := h.seed
	for n := 1; n <= 8; n++ {
		name := unistring.String("abcdefgh"[:n])
		m[name] = goja.Undefined()
		if h.group == nil || *h != (mapHeader{used: uint64(n), seed: seed, group: h.group}) {
			return bad
		}
		g, found := (*mapGroup)(h.group), 0
		for i := range g.slots {
			switch ctrl := byte(g.ctrl >> (8 * i)); {
			case ctrl < 0x80 && g.slots[i].value == goja.Undefined():
				if _, ok := m[g.slots[i].name]; ok {
					found++
				}
			case ctrl != 0x80 || g.slots[i].name != "" || g.slots[i].value != nil:
				return bad
			}
		}
		if found != n {
			return bad
		}
	}
	if m["more"] = goja.Null(); h.dirLen != 1 || len(m) != 9 || m["a"] != goja.Undefined() {
		return bad
	}
	return nil
}
