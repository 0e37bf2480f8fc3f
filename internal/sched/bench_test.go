package sched

import (
	"testing"
	"time"
)

func eachScheduler(b *testing.B, f func(b *testing.B, s Scheduler, loop Loop)) {
	for name, s := range map[string]Scheduler{"real": NewReal(), "virtual": NewVirtual(Epoch)} {
		b.Run(name, func(b *testing.B) {
			loop := s.NewLoop(name)
			defer loop.Close()
			b.ReportAllocs()
			f(b, s, loop)
		})
	}
}

// One piece of work, posted and waited for.
func BenchmarkPostAndWait(b *testing.B) {
	eachScheduler(b, func(b *testing.B, s Scheduler, loop Loop) {
		for b.Loop() {
			done := make(chan struct{})
			loop.Post(func() { close(done) })
			if err := s.Wait(b.Context(), done); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// Work that posts the next piece: what a turn costs the scheduler.
func BenchmarkPostFromWork(b *testing.B) {
	eachScheduler(b, func(b *testing.B, s Scheduler, loop Loop) {
		done := make(chan struct{})
		n := 0
		var f func()
		f = func() {
			if n++; n >= b.N {
				close(done)
				return
			}
			loop.Post(f)
		}
		b.ResetTimer()
		loop.Post(f)
		if err := s.Wait(b.Context(), done); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkAfterFuncFires(b *testing.B) {
	eachScheduler(b, func(b *testing.B, s Scheduler, _ Loop) {
		for b.Loop() {
			done := make(chan struct{})
			s.AfterFunc(time.Nanosecond, Needed, "timer", func() { close(done) })
			if err := s.Wait(b.Context(), done); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A timer that is stopped, among a thousand others: a retry window.
func BenchmarkAfterFuncStopped(b *testing.B) {
	eachScheduler(b, func(b *testing.B, s Scheduler, _ Loop) {
		for i := range 1000 {
			defer s.AfterFunc(time.Hour+time.Duration(i), Background, "other", func() {}).Stop()
		}
		for b.Loop() {
			s.AfterFunc(time.Minute, Needed, "window", func() {}).Stop()
		}
	})
}

func BenchmarkWaitForWhatIsThere(b *testing.B) {
	done := make(chan struct{})
	close(done)
	eachScheduler(b, func(b *testing.B, s Scheduler, _ Loop) {
		for b.Loop() {
			if err := s.Wait(b.Context(), done); err != nil {
				b.Fatal(err)
			}
		}
	})
}
