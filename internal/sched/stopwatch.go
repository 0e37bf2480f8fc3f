package sched

import "time"

// NewStopwatch returns a stopped timer of the machine's clock that calls f, on a
// goroutine of its own, when it fires. It is for limits on computing, which need
// real time whatever the clock of the world is.
func NewStopwatch(f func()) *time.Timer {
	t := time.AfterFunc(time.Hour, f)
	t.Stop()
	return t
}
