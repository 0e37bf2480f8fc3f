package sched

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const ms = time.Millisecond

// log collects what ran, with the virtual time in milliseconds.
type log struct {
	v *Virtual
	s []string
}

func (l *log) add(name string) func() {
	return func() { l.s = append(l.s, fmt.Sprintf("%s@%d", name, l.v.Now().Sub(Epoch)/ms)) }
}

func (l *log) want(t *testing.T, want string) {
	t.Helper()
	if got := strings.Join(l.s, " "); got != want {
		t.Errorf("ran %q, want %q", got, want)
	}
	l.s = nil
}

func (l *log) take() string {
	got := strings.Join(l.s, " ")
	l.s = nil
	return got
}

func newLog() (*Virtual, *log) {
	v := NewVirtual(Epoch)
	return v, &log{v: v}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func stallOf(t *testing.T, err error) *StallError {
	t.Helper()
	var s *StallError
	if !errors.As(err, &s) {
		t.Fatalf("got %v, want a StallError", err)
	}
	return s
}

func TestOrderIsTimeThenSequence(t *testing.T) {
	v, l := newLog()
	a, b := v.NewLoop("a"), v.NewLoop("b")
	done := make(chan struct{})
	v.AfterFunc(3*ms, Needed, "", func() { l.add("last")(); close(done) })
	v.AfterFunc(2*ms, Needed, "", l.add("x"))
	v.AfterFunc(1*ms, Background, "", l.add("y"))
	v.AfterFunc(2*ms, Background, "", l.add("z"))
	v.AfterFunc(-1, Needed, "", l.add("due"))
	a.Post(func() { l.add("a1")(); b.Post(l.add("b2")) })
	b.Post(l.add("b1"))
	a.Post(l.add("a2"))
	must(t, v.Wait(t.Context(), done))
	l.want(t, "a1@0 b1@0 a2@0 b2@0 due@0 y@1 x@2 z@2 last@3")
}

func TestBackgroundTimersDoNotMoveTheClock(t *testing.T) {
	v, l := newLog()
	ctx, leave := v.Join(t.Context())
	defer leave()
	v.AfterFunc(5*ms, Background, "idle", l.add("idle"))
	s := stallOf(t, v.Wait(ctx, make(chan struct{})))
	if v.Now() != Epoch || s.At != Epoch || s.Jumps != 0 || !slices.Equal(s.Timers, []string{"idle in 5ms"}) {
		t.Errorf("now %v, %+v", v.Now(), s)
	}
	const text = "the wait can never end: no work is pending and no timer is set that would move the virtual clock (timers: idle in 5ms)"
	if s.Error() != text {
		t.Errorf("%q, want %q", s.Error(), text)
	}
	l.want(t, "")
	must(t, v.Advance(ctx, 5*ms))
	l.want(t, "idle@5")
	if s := stallOf(t, v.Wait(ctx, make(chan struct{}))); strings.Contains(s.Error(), "(") {
		t.Errorf("names timers though none is set: %q", s)
	}
}

func TestRepeatedTimersMoveTheClockForAWhile(t *testing.T) {
	v, l := newLog()
	ctx, leave := v.Join(t.Context())
	defer leave()
	done := make(chan struct{})
	n := 0
	var tick func()
	tick = func() {
		if n++; n == 5 {
			close(done)
		}
		v.AfterFunc(ms, Repeated, "setInterval", tick)
	}
	v.AfterFunc(ms, Repeated, "setInterval", tick)
	v.AfterFunc(2500*time.Microsecond, Needed, "", l.add("needed"))
	v.AfterFunc(3500*time.Microsecond, Background, "", l.add("background"))
	must(t, v.Wait(ctx, done))
	l.want(t, "needed@2 background@3")
	if got := v.Now().Sub(Epoch); got != 5*ms {
		t.Errorf("the clock moved by %v", got)
	}
	n = 5
	s := stallOf(t, v.Wait(ctx, make(chan struct{})))
	const text = "the virtual clock went on 100000 times for timers that repeat without ending the wait (timers: setInterval in 1ms)"
	if n != 5+MaxRepeats || s.Repeats != MaxRepeats || s.Error() != text {
		t.Errorf("after %d ticks: %q, %d repeats", n, s, s.Repeats)
	}
}

func TestStallListsTheFirstTimersInOrder(t *testing.T) {
	v, _ := newLog()
	ctx, leave := v.Join(t.Context())
	defer leave()
	for i := 12; i > 0; i-- {
		v.AfterFunc(time.Duration(i)*ms, Background, fmt.Sprint("t", i), func() {})
	}
	s := stallOf(t, v.Wait(ctx, make(chan struct{})))
	if len(s.Timers) != 11 || s.Timers[0] != "t1 in 1ms" || s.Timers[9] != "t10 in 10ms" || s.Timers[10] != "and 2 more" {
		t.Errorf("%q", s.Timers)
	}
}

func TestAdvance(t *testing.T) {
	v, l := newLog()
	var tick func()
	tick = func() { l.add("tick")(); v.AfterFunc(ms, Background, "interval", tick) }
	v.AfterFunc(ms, Background, "interval", tick)
	must(t, v.Advance(t.Context(), 3*ms))
	// The third tick was armed after the move was asked for, and still belongs to it.
	l.want(t, "tick@1 tick@2 tick@3")
	must(t, v.Advance(t.Context(), 0))
	l.want(t, "")

	loop := v.NewLoop("")
	v.AfterFunc(ms/2, Needed, "", func() { loop.Post(func() { v.AfterFunc(0, Needed, "", l.add("chained")) }) })
	ran := false
	v.AdvanceFunc(ms/2, "", func() { ran = true })
	if ran {
		t.Error("the clock moved though nobody waits")
	}
	must(t, v.Advance(t.Context(), ms/2))
	l.want(t, "chained@3")
	if !ran {
		t.Error("AdvanceFunc was not called")
	}
}

func TestSettle(t *testing.T) {
	v, l := newLog()
	loop := v.NewLoop("")
	v.AfterFunc(ms, Needed, "", l.add("later"))
	loop.Post(func() { v.AfterFunc(0, Background, "", func() { loop.Post(l.add("now")) }) })
	must(t, v.Settle(t.Context()))
	l.want(t, "now@0")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if err := v.Settle(ctx); err == nil || err.Error() != "enough" {
		t.Errorf("got %v, want the context's cause", err)
	}
	// The abandoned settling must not disturb anybody.
	must(t, v.Settle(t.Context()))
}

func TestManual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v, l := newLog()
		v.Manual(true)
		v.AfterFunc(5*ms, Needed, "", l.add("needed"))
		end, over := make(chan struct{}), false
		go func() {
			if err := v.Wait(t.Context(), end); err != nil {
				t.Error(err)
			}
			over = true
		}()
		synctest.Wait()
		// The goroutine above has the driver's seat and keeps it.
		must(t, v.Settle(t.Context()))
		must(t, v.Advance(t.Context(), 4*ms))
		l.want(t, "")
		must(t, v.Advance(t.Context(), ms))
		l.want(t, "needed@5")
		v.AfterFunc(0, Needed, "", func() { close(end) })
		synctest.Wait()
		if !over {
			t.Error("what is due at once does not run while the clock is manual")
		}

		v.AfterFunc(ms, Needed, "", l.add("by itself"))
		done := make(chan struct{})
		v.AfterFunc(2*ms, Needed, "", func() { close(done) })
		go func() { synctest.Wait(); v.Manual(false) }()
		must(t, v.Wait(t.Context(), done))
		l.want(t, "by itself@6")
	})
}

// The driver leaves while another goroutine waits: that one takes the seat.
func TestHandOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewVirtual(Epoch)
		loop := v.NewLoop("")
		end := v.Outside() // holds the clock until all wait
		const n = 50
		var wg sync.WaitGroup
		var order []int
		for i := range n {
			done := make(chan struct{})
			v.AfterFunc(time.Duration(n-i)*ms, Needed, "", func() {
				loop.Post(func() { order = append(order, i); close(done) })
			})
			wg.Go(func() {
				if err := v.Wait(t.Context(), done); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		end()
		wg.Wait()
		for i, got := range order {
			if got != n-1-i {
				t.Fatalf("order %v", order)
			}
		}
		if len(order) != n || v.Now() != Epoch.Add(n*ms) {
			t.Errorf("%d ran, at %v", len(order), v.Now())
		}
	})
}

// The driver's context ends while it sleeps; another waits for the seat.
func TestHandOverFromACancelledDriver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewVirtual(Epoch)
		end := v.Outside()
		ctx, cancel := context.WithCancel(t.Context())
		var first, second error
		var wg sync.WaitGroup
		wg.Go(func() { first = v.Wait(ctx, make(chan struct{})) })
		synctest.Wait()
		done := make(chan struct{})
		wg.Go(func() { second = v.Wait(t.Context(), done) })
		synctest.Wait()
		cancel()
		synctest.Wait()
		v.NewLoop("").Post(func() { close(done) })
		wg.Wait()
		end()
		if !errors.Is(first, context.Canceled) || second != nil {
			t.Errorf("%v, %v", first, second)
		}
	})
}

// A wait ends when done is closed by somebody who does not use the clock, also
// without the seat.
func TestDoneFromElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewVirtual(Epoch)
		v.Manual(true)
		a, b := make(chan struct{}), make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() { must(t, v.Wait(t.Context(), a)) })
		synctest.Wait()
		wg.Go(func() { must(t, v.Wait(t.Context(), b)) })
		synctest.Wait()
		close(b)
		synctest.Wait()
		close(a)
		wg.Wait()
	})
}

func TestOutsideHoldsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v, l := newLog()
		loop := v.NewLoop("")
		end, other := v.Outside(), v.Outside()
		done := make(chan struct{})
		v.AfterFunc(ms, Needed, "", func() { l.add("timer")(); close(done) })
		v.AfterFunc(0, Needed, "", l.add("due"))
		go func() {
			synctest.Wait()
			other()
			other() // counts once
			synctest.Wait()
			loop.Post(l.add("io"))
			end()
		}()
		must(t, v.Wait(t.Context(), done))
		l.want(t, "due@0 io@0 timer@1")
	})
}

func TestStop(t *testing.T) {
	v, l := newLog()
	x := v.AfterFunc(ms, Needed, "", l.add("x"))
	y := v.AfterFunc(ms, Background, "", l.add("y"))
	z := v.AfterFunc(ms, Needed, "", func() { l.add("z")() })
	w := v.AfterFunc(0, Needed, "", func() {})
	if !x.Stop() || x.Stop() {
		t.Error("Stop of a pending timer must report true once")
	}
	v.AfterFunc(ms/2, Needed, "", func() { y.Stop() })
	must(t, v.Advance(t.Context(), ms))
	l.want(t, "z@1")
	if z.Stop() || w.Stop() || y.Stop() {
		t.Error("Stop of a timer that is over reports true")
	}
}

func TestBoundOnJumps(t *testing.T) {
	v := NewVirtual(Epoch)
	if v.bound != MaxJumps {
		t.Errorf("the bound is %d", v.bound)
	}
	v.bound = 1000 // a million is slow under the race detector
	var again func()
	again = func() { v.AfterFunc(time.Nanosecond, Needed, "again", again) }
	again()
	s := stallOf(t, v.Wait(t.Context(), make(chan struct{})))
	if s.Jumps != 1000 || v.Now() != Epoch.Add(1000) ||
		s.Error() != "the virtual clock jumped 1000 times without ending the wait (timers: again in 1ns)" {
		t.Errorf("%v at %v: %v", s.Jumps, v.Now(), s)
	}
	// A move that was asked for ends by itself, however many jumps it takes.
	must(t, v.Advance(t.Context(), 2000))
}

func TestBoundOnTimersAtOneInstant(t *testing.T) {
	v := NewVirtual(Epoch)
	v.bound = 1000
	var again func()
	again = func() { v.AfterFunc(0, Needed, "again", again) }
	again()
	for name, f := range map[string]func() error{
		"wait":    func() error { return v.Wait(t.Context(), make(chan struct{})) },
		"settle":  func() error { return v.Settle(t.Context()) },
		"advance": func() error { return v.Advance(t.Context(), ms) },
	} {
		s := stallOf(t, f())
		if !strings.HasPrefix(s.Error(), "1000 timers ran at one instant of the virtual clock without ending the wait (timers: again in 0s") {
			t.Errorf("%s: %v", name, s)
		}
	}
}

func TestClosedLoop(t *testing.T) {
	v, l := newLog()
	a, b := v.NewLoop("a"), v.NewLoop("b")
	a.Post(l.add("a1"))
	b.Post(l.add("b1"))
	a.Post(func() {
		l.add("a2")()
		b.Close()
		if b.Post(l.add("never")) {
			t.Error("a closed loop takes work")
		}
		a.Post(l.add("a3"))
	})
	b.Post(l.add("b2"))
	b.Close()
	b.Close()
	must(t, v.Settle(t.Context()))
	l.want(t, "a1@0 a2@0 a3@0")
}

// garbage makes functions that refer to something whose end shows.
type garbage chan string

func (g garbage) hold(name string) func() {
	x := new([1 << 16]byte)
	runtime.AddCleanup(x, func(s string) { g <- s }, name)
	return func() { x[0] = 1 }
}

func (g garbage) wantCollected(t *testing.T, names ...string) {
	t.Helper()
	left := map[string]bool{}
	for _, n := range names {
		left[n] = true
	}
	for range 200 {
		runtime.GC()
		for range 100 {
			runtime.Gosched() // cleanups have a goroutine of their own
		}
		for len(g) > 0 {
			delete(left, <-g)
		}
		if len(left) == 0 {
			return
		}
	}
	t.Errorf("still alive: %v", left)
}

// What a closed loop, a stopped timer or one that has fired referred to can be
// collected although the scheduler and the timers live on.
func TestNothingIsRetained(t *testing.T) {
	v := NewVirtual(Epoch)
	loop, open := v.NewLoop(""), v.NewLoop("")
	g := make(garbage, 8)
	open.Post(func() {})
	loop.Post(g.hold("posted to a closed loop"))
	stopped := v.AfterFunc(ms, Needed, "", g.hold("stopped"))
	fired := v.AfterFunc(0, Needed, "", g.hold("fired"))
	open.Post(g.hold("has run"))
	loop.Close()
	stopped.Stop()
	v.whenSettled(g.hold("settled"))
	must(t, v.Settle(t.Context()))
	g.wantCollected(t, "fired", "has run", "posted to a closed loop", "settled", "stopped")
	runtime.KeepAlive([]any{v, loop, open, stopped, fired})
}

func TestQueueIsCompacted(t *testing.T) {
	v := NewVirtual(Epoch)
	loop := v.NewLoop("")
	done, n := make(chan struct{}), 0
	var f func()
	f = func() { // two tasks are pending all the time, so the queue never drains
		if n++; n == 100_000 {
			close(done)
			return
		}
		loop.Post(f)
	}
	loop.Post(f)
	loop.Post(f)
	must(t, v.Wait(t.Context(), done))
	if cap(v.ready) > 10_000 {
		t.Errorf("the queue grew to %d for two tasks", cap(v.ready))
	}
	for i, rest := 0, v.ready[:cap(v.ready)]; i < len(rest); i++ {
		if pending := i >= v.head && i < len(v.ready); !pending && rest[i].f != nil {
			t.Fatalf("the queue keeps what has run alive, at %d of %d", i, len(rest))
		}
	}
}

func TestContext(t *testing.T) {
	v := NewVirtual(Epoch)
	ctx, cancel := context.WithCancelCause(t.Context())
	loop := v.NewLoop("")
	var f func()
	f = func() { loop.Post(f) }
	loop.Post(f) // never ends by itself
	v.NewLoop("").Post(func() { cancel(errors.New("enough")) })
	if err := v.Wait(ctx, make(chan struct{})); err == nil || err.Error() != "enough" {
		t.Errorf("got %v", err)
	}
	done := make(chan struct{})
	close(done)
	for range 100 {
		must(t, v.Wait(ctx, done)) // a result that is there wins
	}
}

func TestPanicLeavesTheSeatFree(t *testing.T) {
	v, l := newLog()
	loop := v.NewLoop("")
	loop.Post(func() { panic("boom") })
	loop.Post(l.add("next"))
	func() {
		defer func() {
			if r := recover(); r != "boom" {
				t.Errorf("recovered %v", r)
			}
		}()
		_ = v.Settle(t.Context())
	}()
	must(t, v.Settle(t.Context()))
	l.want(t, "next@0")
}

// Close comes from another goroutine than the driver's, in the middle of work.
func TestCloseWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewVirtual(Epoch)
		loop := v.NewLoop("")
		end := v.Outside()
		result := make(chan error)
		go func() { result <- v.Wait(t.Context(), make(chan struct{})) }()
		synctest.Wait()
		loop.Post(func() { loop.Close() })
		loop.Post(func() { t.Error("ran after Close") })
		synctest.Wait()
		v.NewLoop("").Close()
		end()
		stallOf(t, <-result)
	})
}

// Done waits for the piece of work that is running.
func TestLoopDone(t *testing.T) {
	for name, s := range map[string]Scheduler{"virtual": NewVirtual(Epoch), "real": NewReal()} {
		t.Run(name, func(t *testing.T) {
			l := s.NewLoop("l")
			entered, leave, ran := make(chan struct{}), make(chan struct{}), make(chan struct{})
			l.Post(func() { close(entered); <-leave })
			go func() { _ = s.Wait(t.Context(), ran) }()
			<-entered
			l.Close()
			l.Close()
			if isClosed(l.Done()) {
				t.Error("done while work is running")
			}
			close(leave)
			<-l.Done()
			close(ran)
			idle := s.NewLoop("idle")
			idle.Close()
			<-idle.Done()
		})
	}
}

// Timers end with their owner.
func TestOwned(t *testing.T) {
	v := NewVirtual(Epoch)
	o := NewOwned(v)
	var log record
	stopped := o.AfterFunc(time.Second, Needed, "stopped", func() { log.add("stopped") })
	fired := o.AfterFunc(time.Second, Needed, "fired", func() { log.add("fired") })
	if !stopped.Stop() || stopped.Stop() {
		t.Error("a timer can be stopped once")
	}
	if err := v.Advance(t.Context(), time.Second); err != nil || fired.Stop() {
		t.Error("the timer has not fired", err)
	}
	for i := range 9 {
		o.AfterFunc(time.Duration(9-i)*time.Hour, Needed, "late", func() { log.add("%d", i) })
	}
	o.Close()
	o.Close()
	if err := v.Advance(t.Context(), 100*time.Hour); err != nil {
		t.Error(err)
	}
	log.check(t, "fired", "0", "1", "2", "3", "4", "5", "6", "7", "8")
}
