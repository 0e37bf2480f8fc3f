package storage

import "sync"

// defaultHandles bounds the open databases of one Backend: two file descriptors
// and some 300 KiB each.
const defaultHandles = 256

// handleCache bounds the number of open connections. It evicts by the clock
// algorithm, an approximation of least-recently-used that needs no shared lock
// when a handle is used: that only sets a flag under the mutex of its own store.
//
// Lock order: a store's mutex, then the cache's, then (only tried) another
// store's.
type handleCache struct {
	mu    sync.Mutex
	max   int
	slots []*sqlKV
	hand  int
}

// makeRoom closes handles until there is room for one more. Handles that are
// pinned, or in use just now, are passed over: with more of them than max the
// cache grows for as long as they are.
func (h *handleCache) makeRoom() {
	h.mu.Lock()
	defer h.mu.Unlock()
	// Two turns: the first may do no more than clear the flags.
	for tries := 2 * len(h.slots); len(h.slots) >= h.max && tries > 0; tries-- {
		if h.hand >= len(h.slots) {
			h.hand = 0
		}
		k := h.slots[h.hand]
		if !k.s.mu.TryLock() {
			h.hand++
			continue
		}
		switch {
		case k.pinned():
			h.hand++
		case k.recently:
			k.recently = false
			h.hand++
		default:
			// Nothing is lost if this fails: all that was committed is in the
			// log. It is left there, as copying it waits for the disk.
			k.closeConn(false)
			h.drop(k)
		}
		k.s.mu.Unlock()
	}
}

func (h *handleCache) add(k *sqlKV) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k.slot = len(h.slots)
	h.slots = append(h.slots, k)
}

// remove takes k out; its connection has been closed.
func (h *handleCache) remove(k *sqlKV) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if k.slot < len(h.slots) && h.slots[k.slot] == k {
		h.drop(k)
	}
}

func (h *handleCache) drop(k *sqlKV) {
	last := len(h.slots) - 1
	h.slots[k.slot] = h.slots[last]
	h.slots[k.slot].slot = k.slot
	h.slots[last] = nil
	h.slots = h.slots[:last]
}

func (h *handleCache) len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.slots)
}
