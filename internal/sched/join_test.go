package sched

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A goroutine waits for what only another one brings, which has not come yet:
// the wait goes on until every goroutine is blocked.
func TestGraceForOtherGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewVirtual(Epoch)
		loop := v.NewLoop("")
		done := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := v.Wait(t.Context(), done); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		for range 10 { // each piece of work starts a new grace
			time.Sleep(StallGrace - 1)
			loop.Post(func() {})
			synctest.Wait()
		}
		time.Sleep(StallGrace - 1)
		loop.Post(func() { close(done) })
		wg.Wait()

		start := time.Now() // the bubble's clock
		stallOf(t, v.Wait(t.Context(), make(chan struct{})))
		if took := time.Since(start); took != StallGrace {
			t.Errorf("gave up after %v, want %v", took, StallGrace)
		}
	})
}

// Signals that bring nothing do not prolong the grace.
func TestGraceIsNotProlonged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewVirtual(Epoch)
		start := time.Now()
		var wg sync.WaitGroup
		defer wg.Wait()
		wg.Go(func() {
			for range 200 {
				time.Sleep(ms)
				v.AfterFunc(time.Hour, Background, "", func() {})
			}
		})
		stallOf(t, v.Wait(t.Context(), make(chan struct{})))
		if took := time.Since(start); took != StallGrace {
			t.Errorf("gave up after %v, want %v", took, StallGrace)
		}
	})
}

// While a goroutine that joined is busy elsewhere the clock stands still.
func TestJoinHoldsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v, l := newLog()
		loop := v.NewLoop("")
		actx, aleave := v.Join(t.Context())
		bctx, bleave := v.Join(t.Context())
		a, b := make(chan struct{}), make(chan struct{})
		v.AfterFunc(30*time.Second, Needed, "limit", func() { l.add("limit")(); close(a) })
		v.AfterFunc(time.Second, Needed, "", func() { close(b) })
		var wg sync.WaitGroup
		wg.Go(func() {
			defer aleave()
			if err := v.Wait(actx, a); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			defer bleave()
			if err := v.Wait(bctx, b); err != nil {
				t.Error(err)
			}
			// Slow, in the machine's time. The first goroutine must not run into
			// its limit meanwhile.
			time.Sleep(time.Hour)
			l.add("b goes on")()
			loop.Post(l.add("work"))
			if err := v.Settle(bctx); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		l.want(t, "b goes on@1000 work@1000 limit@30000")
	})
}

// When all that joined wait for nothing that can come, each is told at once.
func TestJoinedDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewVirtual(Epoch)
		start := time.Now()
		var wg sync.WaitGroup
		for range 3 {
			ctx, leave := v.Join(t.Context())
			wg.Go(func() {
				defer leave()
				err := v.Wait(ctx, make(chan struct{}))
				var s *StallError
				if !errors.As(err, &s) {
					t.Errorf("got %v", err)
				}
			})
		}
		wg.Wait()
		if took := time.Since(start); took != 0 {
			t.Errorf("it took %v to notice", took)
		}
	})
}

// A party whose result is there, or whose context has ended, counts as running
// even before its goroutine has left the wait.
func TestPartyThatIsAboutToLeave(t *testing.T) {
	v := NewVirtual(Epoch)
	for name, over := range map[string]func(close, cancel func()){
		"result":  func(done, _ func()) { done() },
		"context": func(_, cancel func()) { cancel() },
	} {
		ctx, leave := v.Join(t.Context())
		ctx, cancel := context.WithCancel(ctx)
		done := make(chan struct{})
		exit := v.enter(ctx, done)
		p := v.parties[0]
		if p.running() {
			t.Errorf("%s: waits, and counts as running", name)
		}
		over(func() { close(done) }, cancel)
		if !p.running() {
			t.Errorf("%s: has ended, and does not count as running", name)
		}
		exit()
		if !p.running() || len(p.waits) != 0 {
			t.Errorf("%s: does not count as running after the wait", name)
		}
		leave()
		leave()
		cancel()
		if len(v.parties) != 0 {
			t.Errorf("%s: has not left", name)
		}
	}
}

// A context that has joined one clock means nothing to another.
func TestJoinIsPerClock(t *testing.T) {
	v, w := NewVirtual(Epoch), NewVirtual(Epoch)
	vctx, vleave := v.Join(t.Context())
	defer vleave()
	wctx, wleave := w.Join(vctx)
	defer wleave()
	must(t, v.Advance(vctx, time.Second))
	must(t, w.Advance(wctx, time.Second))
	must(t, v.Advance(wctx, time.Second)) // has joined both
	if v.Now() != Epoch.Add(2*time.Second) || w.Now() != Epoch.Add(time.Second) {
		t.Errorf("%v, %v", v.Now(), w.Now())
	}
}
