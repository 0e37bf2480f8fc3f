package durable

// Crash ends the host as the death of its process would. The memory of all its
// objects is lost and writes that are not confirmed yet are undone; what was
// confirmed is kept, in memory too: an object's database outlives its host as a
// disk would. Every connection breaks, so that each attempt under way is
// uncertain to its caller ("the connection dropped", announcement), and claims
// are gone with the host: the next one has another incarnation, by which it
// knows what it cannot know.
//
// It must be called on the loop, outside of a turn of the object's code, and
// needs [Host.Restart].
func (h *Host) Crash() {
	if h.crashed {
		return
	}
	h.crashed = true
	for _, o := range h.inMemory() {
		o.act.crash()
	}
	h.Restart()
	// Only now: a retry must find the host that comes next.
	h.calls.Fail(Reply{Delivery: Uncertain, Err: ConnectionLost()})
}

// crash ends a life without a word to anybody.
func (a *Activation) crash() {
	a.broken = ConnectionLost()
	a.endStorage(true)
	a.host.forget(a.object)
	for _, inv := range a.calls.all() {
		inv.ran(&Error{Name: "Error", Message: "the host crashed", Reset: true})
		inv.answer = nil // what the method still brings is dropped
	}
	a.close()
}

// Move makes another host take this one's place, one that has an isolate of its
// own: what this host knows of objects, claims and sessions is the other's from
// now on, and requests that still arrive here are passed on. Objects in memory
// are evicted. It reports false, and changes nothing, when that is impossible:
// so many objects are busy, or, for storage that dies with the instance, in
// memory.
//
// It must be called on the loop, or while nothing runs, and before the first
// call is delivered to the other host.
func (h *Host) Move(to *Host) (inTheWay int, ok bool) {
	active := h.inMemory()
	for _, o := range active {
		if o.act.busy() || h.Mode == StorageMemory {
			inTheWay++
		}
	}
	if inTheWay > 0 || h.moved.Load() != nil {
		return inTheWay, false
	}
	for _, o := range active {
		h.Evict(o.id)
	}
	to.Incarnation = h.Incarnation
	to.claims, to.broken, to.session = h.claims, h.broken, h.session
	to.objects, to.dormant, to.outages = h.objects, h.dormant, h.outages
	h.claims, h.broken, h.objects, h.dormant = claims{}, nil, nil, dormant{}
	h.moved.Store(to)
	return 0, true
}

// home returns the host that the objects of this one are at now.
func (h *Host) home() *Host {
	for next := h.moved.Load(); next != nil; next = h.moved.Load() {
		h = next
	}
	return h
}
