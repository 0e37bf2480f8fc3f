package sched_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/durashim/durashim/internal/sched"
)

// A wait runs the work of all loops, and jumps to the timers on the way.
func ExampleVirtual() {
	v := sched.NewVirtual(sched.Epoch)
	loop := v.NewLoop("host")
	done := make(chan struct{})
	loop.Post(func() {
		v.AfterFunc(10*time.Second, sched.Needed, "backoff", func() {
			fmt.Println("retried after", v.Now().Sub(sched.Epoch))
			close(done)
		})
	})
	v.AfterFunc(3*time.Second, sched.Background, "interval", func() { fmt.Println("tick") })
	fmt.Println(v.Wait(context.Background(), done))
	// Output:
	// tick
	// retried after 10s
	// <nil>
}

// One goroutine waits for what the other brings. Because both have joined, it does
// not matter which comes first, and neither the limit nor a stall gets in the way.
func ExampleVirtual_Join() {
	v := sched.NewVirtual(sched.Epoch)
	loop := v.NewLoop("host")
	released := make(chan struct{})
	v.AfterFunc(30*time.Second, sched.Needed, "limit", func() { fmt.Println("too late") })
	first, firstLeaves := v.Join(context.Background())
	second, secondLeaves := v.Join(context.Background())
	var both sync.WaitGroup
	both.Go(func() {
		defer firstLeaves()
		fmt.Println(v.Wait(first, released), "after", v.Now().Sub(sched.Epoch))
	})
	both.Go(func() {
		defer secondLeaves()
		loop.Post(func() { close(released) })
		if err := v.Settle(second); err != nil {
			fmt.Println(err)
		}
	})
	both.Wait()
	// Output: <nil> after 0s
}

// Both schedulers work in a testing/synctest bubble: the real one follows the
// bubble's clock, the virtual one its own.
func TestExampleInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		virtual := sched.NewVirtual(sched.Epoch)
		for _, s := range []sched.Scheduler{sched.NewReal(), virtual} {
			start, before := s.Now(), time.Now()
			loop := s.NewLoop("host")
			done := make(chan struct{})
			s.AfterFunc(time.Hour, sched.Needed, "setTimeout", func() {
				loop.Post(func() { close(done) })
			})
			if err := s.Wait(t.Context(), done); err != nil {
				t.Fatal(err)
			}
			if took := s.Now().Sub(start); took != time.Hour {
				t.Errorf("%T: took %v of its own time, want an hour", s, took)
			}
			if took := time.Since(before); (took == 0) != (s == virtual) {
				t.Errorf("%T: took %v of the bubble's time", s, took)
			}
			loop.Close()
		}
	})
}
