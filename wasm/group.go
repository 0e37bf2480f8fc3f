package wasm

import "weak"

// group is a set of objects that were linked together, so that a call into one
// instance may change the memories of all. It is a union-find forest.
type group struct {
	parent   *group
	memories []weak.Pointer[Memory]
	pruneAt  int
}

func (g *group) root() *group {
	for g.parent != nil {
		if g.parent.parent != nil {
			g.parent = g.parent.parent
		}
		g = g.parent
	}
	return g
}

func (g *group) join(o *group) {
	g, o = g.root(), o.root()
	if g == o {
		return
	}
	if len(g.memories) < len(o.memories) {
		g, o = o, g
	}
	for _, m := range o.memories {
		g.addWeak(m)
	}
	o.parent, o.memories = g, nil
}

func (g *group) add(m *Memory) { g.root().addWeak(weak.Make(m)) }

func (g *group) addWeak(p weak.Pointer[Memory]) {
	if len(g.memories) >= max(16, g.pruneAt) {
		g.memories = live(g.memories, func(*Memory) {})
		g.pruneAt = 2 * len(g.memories)
	}
	g.memories = append(g.memories, p)
}

// EachMemory calls f for the memories that a call into the instance may have
// grown and that Go has seen: exported ones and ones that Go made.
func (i *Instance) EachMemory(f func(*Memory)) {
	g := i.group.root()
	if i.memory != nil && len(g.memories) == 1 {
		f(i.memory)
		return
	}
	for _, p := range g.memories {
		if m := p.Value(); m != nil {
			f(m)
		}
	}
}
