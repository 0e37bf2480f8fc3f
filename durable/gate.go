package durable

// MaxSectionDepth is how deep critical sections may nest (measured on workerd).
const MaxSectionDepth = 64

// InputGate decides when an event may enter an object. It is closed while a
// storage operation or a critical section (blockConcurrencyWhile) is in
// progress, not while a call is: calls of one object interleave at every other
// await (https://blog.cloudflare.com/durable-objects-easy-fast-correct-choose-three/).
//
// A critical section has a gate of its own. Events that belong to the section
// (the results of I/O that its body started) pass at that gate, all others wait
// at the object's.
//
// Gates belong to the host's loop.
type InputGate struct {
	parent *InputGate // of a critical section, nil for the object's own gate
	depth  int
	over   bool       // the section has ended; its events pass at the parent
	child  *InputGate // the critical section that holds this gate closed
	locks  int
	queue  []func()
	dead   *bool // shared by all gates of an activation
}

func newInputGate() *InputGate { return &InputGate{dead: new(bool)} }

// Enter runs f when the gate is open: at once, or later on the host's loop.
// Events enter in the order in which they came. After the activation has ended
// f never runs.
func (g *InputGate) Enter(f func()) {
	for g.over {
		g = g.parent
	}
	if *g.dead {
		return
	}
	if g.locks > 0 || len(g.queue) > 0 {
		g.queue = append(g.queue, f)
		return
	}
	f()
}

// Lock closes the gate until Unlock. Locks are counted. It returns the gate that
// it closed, the one to unlock: that of a critical section which is over stands
// for the gate around it.
func (g *InputGate) Lock() *InputGate {
	for g.over {
		g = g.parent
	}
	g.locks++
	return g
}

// Unlock undoes one Lock and lets in who waits.
func (g *InputGate) Unlock() {
	if g.locks--; g.locks < 0 && !*g.dead {
		panic("durable: an input gate was unlocked that was not locked")
	}
	g.admit()
}

func (g *InputGate) admit() {
	for g.locks == 0 && len(g.queue) > 0 && !*g.dead {
		f := g.queue[0]
		g.queue[0] = nil
		g.queue = g.queue[1:]
		f()
	}
	if len(g.queue) == 0 {
		g.queue = nil
	}
}

// Section starts a critical section: when the gate is open it is locked and body
// runs with the gate of the section. The section ends with the call of end. The
// result is false when sections are nested too deeply.
func (g *InputGate) Section(body func(section *InputGate, end func())) bool {
	for g.over {
		g = g.parent
	}
	if g.depth >= MaxSectionDepth {
		return false
	}
	g.Enter(func() {
		// The section around may have ended while this one waited.
		locked := g.Lock()
		s := &InputGate{parent: locked, depth: locked.depth + 1, dead: g.dead}
		locked.child = s
		body(s, s.end)
	})
	return true
}

// end ends a critical section; only the first call counts.
func (g *InputGate) end() {
	if g.over {
		return
	}
	g.over = true
	outer := g.parent
	outer.child = nil
	// What still waits inside belongs to the outer gate now, before the events
	// that came there later.
	outer.queue = append(g.queue, outer.queue...)
	g.queue = nil
	if inner := g.child; inner != nil {
		// A section that was started inside and not awaited goes on: it takes
		// over this one's lock.
		inner.parent = outer
		outer.child = inner
		return
	}
	outer.Unlock()
}

// InSection reports whether the gate belongs to a critical section in progress.
func (g *InputGate) InSection() bool { return g.parent != nil && !g.over }

// close drops all that waits.
func (g *InputGate) close() { *g.dead = true; g.queue = nil }

// OutputGate holds messages that leave an object until the writes made before
// them are durable. It belongs to the host's loop.
type OutputGate struct {
	writes int
	queue  []message
	dead   bool
}

// message is something that waits at an output gate. drop, if not nil, gives up
// what it holds when it can never leave.
type message struct{ leave, drop func() }

// Leave runs f once the writes that are pending now are durable: at once, or
// later on the host's loop. Messages leave in order. After the activation has
// ended f never runs.
func (g *OutputGate) Leave(f func()) { g.LeaveOr(f, nil) }

// LeaveOr is Leave for a message that holds something by reference: when it can
// never leave because the activation has ended, drop runs instead, so that the
// owners of what it holds may let go of it.
func (g *OutputGate) LeaveOr(f, drop func()) {
	switch {
	case g.dead:
		if drop != nil {
			drop()
		}
	case g.writes > 0 || len(g.queue) > 0:
		g.queue = append(g.queue, message{f, drop})
	default:
		f()
	}
}

func (g *OutputGate) lock() { g.writes++ }

func (g *OutputGate) unlock() {
	g.writes--
	for g.writes == 0 && len(g.queue) > 0 && !g.dead {
		m := g.queue[0]
		g.queue[0] = message{}
		g.queue = g.queue[1:]
		m.leave()
	}
}

// close drops all that waits.
func (g *OutputGate) close() {
	g.dead = true
	waiting := g.queue
	g.queue = nil
	for _, m := range waiting {
		if m.drop != nil {
			m.drop()
		}
	}
}
