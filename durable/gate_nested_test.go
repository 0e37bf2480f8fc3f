package durable

import "testing"

// Sections that wait inside a section which ends belong to the gate around it:
// they run there, one after the other, and the gate opens afterwards.
func TestSectionsOutliveTheOneAround(t *testing.T) {
	g := newInputGate()
	var outer *InputGate
	var endOuter func()
	g.Section(func(in *InputGate, end func()) { outer, endOuter = in, end })
	var ends []func()
	for range 3 {
		outer.Section(func(_ *InputGate, end func()) { ends = append(ends, end) })
	}
	entered := false
	g.Enter(func() { entered = true })
	endOuter()
	for i := 0; i < 3; i++ {
		if len(ends) != i+1 {
			t.Fatalf("%d sections have started, want %d", len(ends), i+1)
		}
		if entered {
			t.Fatal("an event entered while a section runs")
		}
		ends[i]()
	}
	if !entered || g.locks != 0 {
		t.Errorf("the gate stays closed: entered %v, %d locks", entered, g.locks)
	}
}
