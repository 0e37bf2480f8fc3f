package durable

import "testing"

// I/O that code of a section starts after the section has ended closes the gate
// around it.
func TestLockAfterSection(t *testing.T) {
	var s steps
	g := newInputGate()
	var inner *InputGate
	g.Section(func(section *InputGate, end func()) {
		inner = section
		if locked := section.Lock(); locked != section {
			t.Error("a lock in a section closes another gate")
		}
		section.Unlock()
		end()
	})
	locked := inner.Lock()
	if locked != g {
		t.Fatal("a lock after the section does not close the gate around it")
	}
	g.Enter(s.add("late"))
	s.want(t)
	locked.Unlock()
	s.want(t, "late")
}
