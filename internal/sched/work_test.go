package sched

import (
	"strings"
	"testing"
	"time"
)

// Work that posts work for ever at one instant ends the wait with an error that
// names its loop.
func TestWorkWithoutEnd(t *testing.T) {
	v := NewVirtual(Epoch)
	v.most = 1000
	loop := v.NewLoop("COUNTER/0")
	ran := 0
	var f func()
	f = func() {
		ran++
		loop.Post(f)
	}
	loop.Post(f)
	for range 2 { // it is not over: the next wait is told again
		ran = 0
		e := stallOf(t, v.Wait(t.Context(), make(chan struct{})))
		if ran != 1000 || e.Work != 1000 || e.Loop != "COUNTER/0" || !strings.Contains(e.Error(), `1000 pieces of work ran at one instant of the virtual clock without ending the wait, the last on the loop "COUNTER/0"`) {
			t.Errorf("after %d pieces: %v", ran, e)
		}
	}
}

// The bound is per instant: work that lets time pass goes on.
func TestWorkOverTime(t *testing.T) {
	v := NewVirtual(Epoch)
	v.most = 10
	loop := v.NewLoop("")
	done := make(chan struct{})
	left := 100
	var f func()
	f = func() {
		if left--; left == 0 {
			close(done)
			return
		}
		if left%5 == 0 {
			v.AfterFunc(time.Millisecond, Needed, "", func() { loop.Post(f) })
			return
		}
		loop.Post(f)
	}
	loop.Post(f)
	must(t, v.Wait(t.Context(), done))
}
