package sched

import (
	"context"
	"errors"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestRealLoopOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := NewReal().NewLoop("")
		var got []int
		for i := range 1000 {
			loop.Post(func() {
				got = append(got, i)
				if i < 10 {
					loop.Post(func() { got = append(got, 1000+i) }) // from within
				}
			})
		}
		synctest.Wait()
		if len(got) != 1010 {
			t.Fatalf("%d ran", len(got))
		}
		seen, next, inner := map[int]bool{}, 0, 1000
		for _, i := range got {
			switch {
			case seen[i]:
				t.Fatalf("%d ran twice", i)
			case i < 1000 && i != next, i >= 1000 && i != inner:
				t.Fatalf("order: %v", got)
			case i < 1000:
				next++
			default:
				inner++
			}
			seen[i] = true
		}
		loop.Close() // else the bubble reports its goroutine
	})
}

func TestRealLoopManyPosters(t *testing.T) {
	loop := NewReal().NewLoop("")
	defer loop.Close()
	const posters, each = 8, 2000
	var last [posters]int
	var all sync.WaitGroup
	all.Add(posters * each)
	for p := range posters {
		go func() {
			for i := 1; i <= each; i++ {
				loop.Post(func() {
					if last[p] != i-1 { // no lock: the loop is serial
						t.Errorf("poster %d: %d after %d", p, i, last[p])
					}
					last[p] = i
					all.Done()
				})
			}
		}()
	}
	all.Wait()
}

func TestRealLoopClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, close := range map[string]func(Loop){
			"idle":        func(l Loop) { synctest.Wait(); l.Close() },
			"at once":     func(l Loop) { l.Close() },
			"twice":       func(l Loop) { l.Close(); l.Close() },
			"from within": func(l Loop) { l.Post(l.Close) },
			"in a batch": func(l Loop) {
				busy := make(chan struct{}) // so that what follows is one batch
				l.Post(func() { <-busy })
				l.Post(l.Close)
				l.Post(func() { t.Error("ran after Close") })
				close(busy)
			},
			"while busy": func(l Loop) {
				busy := make(chan struct{})
				l.Post(func() { <-busy })
				l.Post(func() { t.Error("ran after Close") })
				synctest.Wait()
				l.Close()
				close(busy)
			},
		} {
			l := NewReal().NewLoop(name)
			close(l)
			synctest.Wait()
			if l.Post(func() { t.Errorf("%s: ran after Close", name) }) {
				t.Errorf("%s: Post after Close reports true", name)
			}
		}
		// The bubble's end checks that all goroutines have ended.
	})
}

func TestRealLoopRetainsNothing(t *testing.T) {
	loop := NewReal().NewLoop("")
	defer loop.Close()
	g := make(garbage, 8)
	busy, done := make(chan struct{}), make(chan struct{})
	loop.Post(func() { <-busy })
	for _, name := range []string{"a", "b", "c"} { // one batch
		loop.Post(g.hold(name))
	}
	loop.Post(func() { close(done) })
	close(busy)
	<-done
	g.wantCollected(t, "a", "b", "c")

	closed := NewReal().NewLoop("")
	started, goOn := make(chan struct{}), make(chan struct{})
	closed.Post(func() { close(started); <-goOn })
	<-started
	closed.Post(g.hold("dropped"))
	closed.Close()
	g.wantCollected(t, "dropped")
	close(goOn)
}

func TestRealLoopIsLabelled(t *testing.T) {
	loop := NewReal().NewLoop("INVENTORY/0")
	defer loop.Close()
	text := make(chan string)
	loop.Post(func() {
		var b strings.Builder
		_ = pprof.Lookup("goroutine").WriteTo(&b, 1)
		text <- b.String()
	})
	if !strings.Contains(<-text, `"loop":"INVENTORY/0"`) {
		t.Error("the goroutine of a loop does not bear its name")
	}
}

func TestRealTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewReal()
		start := s.Now()
		done := make(chan struct{})
		s.AfterFunc(time.Hour, Background, "", func() { close(done) })
		stopped := s.AfterFunc(time.Minute, Needed, "", func() { t.Error("ran though stopped") })
		if !stopped.Stop() || stopped.Stop() {
			t.Error("Stop must report true once")
		}
		must(t, s.Wait(t.Context(), done))
		if took := s.Now().Sub(start); took != time.Hour {
			t.Errorf("took %v", took)
		}
		s.Outside()()
	})
}

func TestRealWait(t *testing.T) {
	s := NewReal()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if err := s.Wait(ctx, make(chan struct{})); err == nil || err.Error() != "enough" {
		t.Errorf("got %v", err)
	}
	done := make(chan struct{})
	close(done)
	for range 100 {
		must(t, s.Wait(ctx, done)) // a result that is there wins
	}
}

func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fired := 0
		w := NewStopwatch(func() { fired++ })
		time.Sleep(24 * time.Hour) // the bubble's clock
		if fired != 0 {
			t.Error("runs before Reset")
		}
		w.Reset(time.Second)
		w.Stop()
		w.Reset(2 * time.Second)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if fired != 1 {
			t.Errorf("fired %d times", fired)
		}
	})
}
