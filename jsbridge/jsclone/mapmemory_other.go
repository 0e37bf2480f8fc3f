//go:build !go1.26 || go1.27 || wasm

package jsclone

import "unsafe"

// Maps of this version of Go are not known; see mapmemory.go.
const knownMaps = false

type mapHeader struct {
	used   uint64
	group  unsafe.Pointer
	dirLen int
}

type mapGroup struct{ ctrl uint64 }

const emptyGroup = 0

func tryMaps() error { return nil }
