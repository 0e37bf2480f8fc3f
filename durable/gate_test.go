package durable

import (
	"slices"
	"strings"
	"testing"
)

// steps records the order in which things happen.
type steps []string

func (s *steps) add(name string) func() { return func() { *s = append(*s, name) } }

func (s *steps) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(*s, want) {
		t.Errorf("got %q, want %q", strings.Join(*s, " "), strings.Join(want, " "))
	}
	*s = nil
}

func TestInputGateOrder(t *testing.T) {
	var s steps
	g := newInputGate()
	g.Enter(s.add("open"))
	s.want(t, "open")
	g.Lock()
	g.Lock()
	g.Enter(s.add("1"))
	g.Enter(func() {
		s.add("2")()
		g.Lock() // who enters may close the gate again
	})
	g.Enter(s.add("3"))
	g.Unlock()
	s.want(t)
	g.Unlock()
	s.want(t, "1", "2")
	g.Enter(s.add("4"))
	g.Unlock()
	s.want(t, "3", "4")
	// An event that arrives while the gate lets others in does not overtake.
	g.Lock()
	g.Enter(func() { s.add("5")(); g.Enter(s.add("7")) })
	g.Enter(s.add("6"))
	g.Unlock()
	s.want(t, "5", "6", "7")
}

func TestCriticalSection(t *testing.T) {
	var s steps
	g := newInputGate()
	var section *InputGate
	var end func()
	if !g.Section(func(in *InputGate, e func()) { section, end = in, e }) {
		t.Fatal("refused")
	}
	if !section.InSection() || g.InSection() {
		t.Error("InSection")
	}
	g.Enter(s.add("outer 1"))
	section.Enter(s.add("inner 1")) // passes its own closed gate
	s.want(t, "inner 1")
	section.Lock()
	section.Enter(s.add("inner 2"))
	g.Enter(s.add("outer 2"))
	end()
	// What waits inside comes before what waits outside.
	s.want(t, "inner 2", "outer 1", "outer 2")
	if section.InSection() {
		t.Error("the section is over")
	}
	end() // counts once
	section.Enter(s.add("late"))
	s.want(t, "late")
	g.Lock()
	section.Enter(s.add("late, gate closed"))
	s.want(t)
	g.Unlock()
	s.want(t, "late, gate closed")
}

func TestSectionsQueue(t *testing.T) {
	var s steps
	g := newInputGate()
	var ends []func()
	for _, name := range []string{"a", "b"} {
		g.Section(func(_ *InputGate, end func()) { s.add(name)(); ends = append(ends, end) })
	}
	g.Enter(s.add("event"))
	s.want(t, "a")
	ends[0]()
	s.want(t, "b")
	ends[1]()
	s.want(t, "event")
}

func TestSectionDepth(t *testing.T) {
	g := newInputGate()
	in, ends := g, []func(){}
	for i := range MaxSectionDepth {
		if !in.Section(func(s *InputGate, end func()) { in = s; ends = append(ends, end) }) {
			t.Fatalf("section %d is refused", i+1)
		}
	}
	deepest := in
	if deepest.Section(func(*InputGate, func()) { t.Error("ran") }) {
		t.Errorf("section %d is allowed", MaxSectionDepth+1)
	}
	var s steps
	deepest.Lock()
	deepest.Enter(s.add("waits in the deepest"))
	g.Enter(s.add("waits outside"))
	for i, end := range slices.Backward(ends) {
		s.want(t)
		end()
		if i == len(ends)-1 {
			// It belongs to the section around now, whose gate is open for it.
			s.want(t, "waits in the deepest")
		}
	}
	s.want(t, "waits outside")
	// All are over: a section started there is one of the object's gate again.
	if !deepest.Section(func(in *InputGate, end func()) {
		if in.depth != 1 {
			t.Errorf("depth %d, want 1", in.depth)
		}
		end()
	}) {
		t.Error("refused")
	}
}

// Sections may end in any order: the outer one first, while the inner one runs.
func TestOuterSectionEndsFirst(t *testing.T) {
	var s steps
	g := newInputGate()
	var outer, inner *InputGate
	var endOuter, endInner func()
	g.Section(func(in *InputGate, end func()) { outer, endOuter = in, end })
	outer.Section(func(in *InputGate, end func()) { inner, endInner = in, end })
	outer.Enter(s.add("in outer")) // waits for the inner section
	g.Enter(s.add("outside"))
	s.want(t)
	endOuter()
	inner.Enter(s.add("in inner"))
	endInner()
	if len(s) != 3 || s[0] != "in outer" && s[0] != "in inner" {
		t.Errorf("got %q: an event was lost", s)
	}
	s = nil
	g.Enter(s.add("later"))
	s.want(t, "later")
}

func TestDeadInputGate(t *testing.T) {
	g := newInputGate()
	never := func() { t.Error("an event entered a dead gate") }
	var section *InputGate
	var end func()
	g.Section(func(in *InputGate, e func()) { section, end = in, e })
	g.Enter(never)
	section.Lock()
	section.Enter(never)
	g.close()
	g.Enter(never)
	section.Enter(never)
	section.Unlock()
	end()
	g.Unlock()
	g.Section(func(*InputGate, func()) { never() })

	// Death in the middle of letting events in.
	h := newInputGate()
	h.Lock()
	h.Enter(h.close)
	h.Enter(never)
	h.Unlock()
}

func TestOutputGate(t *testing.T) {
	var s steps
	var g OutputGate
	g.Leave(s.add("at once"))
	s.want(t, "at once")
	g.lock()
	g.Leave(s.add("1"))
	g.lock()
	g.Leave(func() { s.add("2")(); g.lock() })
	g.Leave(s.add("3"))
	g.unlock()
	s.want(t)
	g.unlock()
	s.want(t, "1", "2")
	g.unlock()
	s.want(t, "3")
	g.lock()
	g.Leave(func() { s.add("4")(); g.Leave(s.add("6")) })
	g.Leave(s.add("5"))
	g.unlock()
	s.want(t, "4", "5", "6")

	never := func() { t.Error("a message left a dead gate") }
	g.lock()
	g.Leave(g.close)
	g.Leave(never)
	g.unlock()
	g.Leave(never)
}
