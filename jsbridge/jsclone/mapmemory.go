//go:build go1.26 && !go1.27 && !wasm

package jsclone

import (
	"unsafe"

	"github.com/dop251/goja"
	"github.com/dop251/goja/unistring"
)

// knownMaps says that mapHeader and mapGroup are how this version of Go keeps a
// map. Later ones need a look at internal/runtime/maps first; until then objects
// are made by goja alone.
const knownMaps = true

// mapHeader is the head of a map.
type mapHeader struct {
	used                uint64
	seed                uintptr
	group               unsafe.Pointer // *mapGroup while dirLen is 0
	dirLen              int
	depth, shift, write uint8
	tombstones          bool
	clears              uint64
}

// mapGroup is what a map with at most eight entries keeps them in.
type mapGroup struct {
	ctrl  uint64 // a byte for each slot
	slots [8]struct {
		name  unistring.String
		value goja.Value
	}
}

// emptyGroup is the ctrl of a group in which all slots are free.
const emptyGroup = 0x8080808080808080
