package sched

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// record is a log that many goroutines write.
type record struct {
	mu    sync.Mutex
	lines []string
}

func (r *record) add(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}

func (r *record) check(t *testing.T, want ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Equal(r.lines, want) {
		t.Errorf("got  %q\nwant %q", r.lines, want)
	}
}

// Guests and other work take turns, in one order.
func TestGuestsRunInOrder(t *testing.T) {
	for range 200 {
		v := NewVirtual(Epoch)
		loop := v.NewLoop("l")
		var log record
		all := make(chan struct{})
		wake := make(chan struct{})
		left := 3
		for i := range 3 {
			v.Go(t.Context(), func(ctx context.Context) {
				log.add("guest %d starts", i)
				loop.Post(func() { log.add("work of %d", i) })
				if err := v.Wait(ctx, wake); err != nil {
					t.Error(err)
				}
				log.add("guest %d goes on", i)
				loop.Post(func() { log.add("more work of %d", i) })
				if left--; left == 0 {
					loop.Post(func() { close(all) })
				}
			})
			loop.Post(func() { log.add("work between") })
		}
		v.AfterFunc(time.Second, Needed, "wake", func() { close(wake) })
		if err := v.Wait(t.Context(), all); err != nil {
			t.Fatal(err)
		}
		log.check(t, "guest 0 starts", "work between", "guest 1 starts", "work between", "guest 2 starts", "work between",
			"work of 0", "work of 1", "work of 2", "guest 0 goes on", "guest 1 goes on", "guest 2 goes on",
			"more work of 0", "more work of 1", "more work of 2")
		if len(v.guests) > 0 || len(v.strays) > 0 {
			t.Fatal("somebody stays")
		}
	}
}

// The clock moves while a guest waits, and stands still while it is busy.
func TestGuestAndClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewVirtual(Epoch)
		loop := v.NewLoop("l")
		done, worked := make(chan struct{}), make(chan struct{})
		v.Go(t.Context(), func(ctx context.Context) {
			timer := make(chan struct{})
			v.AfterFunc(time.Hour, Needed, "timer", func() { close(timer) })
			if err := v.Wait(ctx, timer); err != nil {
				t.Error(err)
			}
			if got := v.Now().Sub(Epoch); got != time.Hour {
				t.Errorf("it is %v", got)
			}
			v.AfterFunc(time.Hour, Needed, "later", func() { t.Error("the clock moved while a guest was busy") })
			loop.Post(func() { close(worked) })
			select {
			case <-worked:
				t.Error("no grace")
			case <-time.After(GuestGrace - 1):
			}
			<-worked // the rest goes on after the grace
			time.Sleep(time.Minute)
			close(done)
		})
		if err := v.Wait(t.Context(), done); err != nil {
			t.Error(err)
		}
	})
}

// A guest that forgets its context is not waited for while it waits.
func TestGuestWaitsWithoutItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := NewVirtual(Epoch)
		done := make(chan struct{})
		v.Go(t.Context(), func(context.Context) {
			timer := make(chan struct{})
			v.AfterFunc(time.Hour, Needed, "timer", func() { close(timer) })
			if err := v.Wait(t.Context(), timer); err != nil {
				t.Error(err)
			}
			close(done)
		})
		began := time.Now()
		if err := v.Wait(t.Context(), done); err != nil || v.Now().Sub(Epoch) != time.Hour {
			t.Errorf("%v, at %v", err, v.Now())
		}
		if d := time.Since(began); d != 0 {
			t.Errorf("it cost %v", d)
		}
	})
}

// A guest goes on by itself when nobody else waits, and its own context ends its
// wait.
func TestGuestAlone(t *testing.T) {
	v := NewVirtual(Epoch)
	start, ended := make(chan struct{}), make(chan error)
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	v.Go(ctx, func(ctx context.Context) {
		timer := make(chan struct{})
		v.AfterFunc(time.Hour, Needed, "timer", func() { close(timer) })
		close(start)
		ended <- v.Wait(ctx, timer)
		ended <- v.Wait(ctx, make(chan struct{}))
	})
	if err := v.Wait(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	cancel(stop)
	if err := <-ended; err != stop {
		t.Error(err)
	}
}

// A wait that a guest cannot end either is noticed.
func TestStallWithGuests(t *testing.T) {
	v := NewVirtual(Epoch)
	ended := make(chan error, 1)
	v.Go(t.Context(), func(ctx context.Context) { ended <- v.Wait(ctx, make(chan struct{})) })
	var stall *StallError
	if err := v.Wait(t.Context(), make(chan struct{})); !errors.As(err, &stall) {
		t.Error(err)
	}
	if err := <-ended; !errors.As(err, &stall) {
		t.Error(err)
	}
}
