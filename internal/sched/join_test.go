package sched

import (
	"context"
	"errors"
	"runtime"
	"strings"
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

// Functions that run together take turns in their order, whatever the machine does.
func TestTogether(t *testing.T) {
	want := ""
	for range 50 {
		v, l := newLog()
		loop := v.NewLoop("")
		call := func(ctx context.Context, name string, d time.Duration) {
			l.add(name + " calls")()
			done := make(chan struct{})
			loop.Post(func() {
				l.add(name + " runs")()
				v.AfterFunc(d, Needed, "", func() { close(done) })
			})
			if err := v.Wait(ctx, done); err != nil {
				t.Error(err)
			}
			l.add(name + " has it")()
		}
		v.Together(t.Context(), func(ctx context.Context) {
			call(ctx, "a", ms)
			call(ctx, "A", 0)
		}, func(ctx context.Context) {
			call(ctx, "b", ms)
			v.Together(ctx, func(ctx context.Context) { call(ctx, "c", ms) }, func(ctx context.Context) { call(ctx, "d", 0) })
			call(ctx, "B", 0)
		})
		got := l.take()
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
	if first := "a calls@0 b calls@0 a runs@0 b runs@0 a has it@1 A calls@1 "; !strings.HasPrefix(want, first) {
		t.Errorf("got %s, want it to begin with %s", want, first)
	}
}

// A deadlock is told to the first that waits; what it does then may free the
// second. A context that ends frees all.
func TestTogetherStalls(t *testing.T) {
	v := NewVirtual(Epoch)
	first, second := make(chan struct{}), make(chan struct{})
	v.Together(t.Context(), func(ctx context.Context) {
		stallOf(t, v.Wait(ctx, first))
		close(second)
	}, func(ctx context.Context) {
		if err := v.Wait(ctx, second); err != nil {
			t.Error(err)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	v.Manual(true)
	v.Together(ctx, func(ctx context.Context) {
		if err := v.Wait(ctx, first); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}, func(ctx context.Context) {
		cancel()
		if err := v.Wait(ctx, first); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}, func(context.Context) { runtime.Goexit() })
	if len(v.members) != 0 {
		t.Errorf("%d have not left", len(v.members))
	}
}

// Other goroutines of a function wait as those do that have not joined.
func TestTogetherWithFurtherGoroutines(t *testing.T) {
	v := NewVirtual(Epoch)
	v.Together(t.Context(), func(ctx context.Context) {
		done := make(chan struct{})
		v.AfterFunc(time.Second, Needed, "", func() { close(done) })
		others := make(chan error, 1)
		late := make(chan struct{})
		go func() {
			<-late
			others <- v.Wait(ctx, done)
		}()
		v.AfterFunc(ms, Needed, "", func() { close(late) })
		if err := v.Wait(ctx, done); err != nil {
			t.Error(err)
		}
		if err := <-others; err != nil {
			t.Error(err)
		}
	})
}
