package sched

import (
	"context"
	"slices"
	"time"
)

// GuestGrace is how long, on the machine's clock, the virtual clock's work stands
// still for a guest that is doing something else than waiting with its context.
// Then the guest is taken to be blocked on the world outside: the rest goes on
// without it, while the clock still stands. In a testing/synctest bubble the
// grace is exact.
const GuestGrace = 200 * time.Millisecond

// guest is a goroutine of [Virtual.Go]. The clock's lock guards it.
type guest struct {
	resumed uint64 // when it ran on last, in the order of such moments
	loose   bool   // its grace is over
	waits   []*guestWait
}

// guestWait is a wait in progress of a guest. It ends when the driver grants
// that, so that guests run on one at a time and in order.
type guestWait struct {
	ctx     context.Context
	done    <-chan struct{}
	granted chan struct{}
}

func (w *guestWait) over() bool { return isClosed(w.done) || w.ctx.Err() != nil }

// stray is a wait in progress of a goroutine that is no member and no guest.
type stray struct {
	began uint64 // in the order of guest.resumed
	done  <-chan struct{}
}

// guestKey finds the guest of a clock in a context.
type guestKey struct{ v *Virtual }

// Go implements [Scheduler]. f becomes a guest: it starts as a piece of work in
// its turn, and nothing else runs until it has returned or waits with the context
// that it was given. Guests whose waits have ended run on one after another, in
// the order in which they began. So what guests do is in one order, too, as long
// as they do not block on anything else.
//
// A guest that blocks otherwise holds up the rest for [GuestGrace]. It may do so
// at no cost by waiting without its context: the wait of any goroutine that began
// after the guest ran on last is taken for the guest's own.
func (v *Virtual) Go(ctx context.Context, f func(context.Context)) {
	g := &guest{}
	start := func() {
		v.mu.Lock()
		v.resume(g)
		v.guests = append(v.guests, g)
		v.mu.Unlock()
		go func() {
			defer v.depart(g)
			f(context.WithValue(ctx, guestKey{v}, g))
		}()
	}
	v.mu.Lock()
	v.ready = append(v.ready, task{v.guest, start})
	v.mu.Unlock()
	v.signal()
}

func (v *Virtual) resume(g *guest) {
	v.moments++
	g.resumed, g.loose = v.moments, false
}

func (v *Virtual) depart(g *guest) {
	v.mu.Lock()
	i := slices.Index(v.guests, g)
	v.guests = slices.Delete(v.guests, i, i+1)
	v.mu.Unlock()
	v.signal()
}

// running reports whether a guest does something else than wait.
func (v *Virtual) running(g *guest) bool {
	if len(g.waits) > 0 && !slices.ContainsFunc(g.waits, func(w *guestWait) bool { return isClosed(w.granted) }) {
		return false
	}
	return !slices.ContainsFunc(v.strays, func(s *stray) bool { return s.began >= g.resumed && !isClosed(s.done) })
}

// hosting decides whether the guests let other work run. If not, busy is the
// guest that is to have its way first.
func (v *Virtual) hosting() (busy *guest) {
	for _, g := range v.guests {
		if !g.loose && v.running(g) {
			return g
		}
	}
	for _, g := range v.guests {
		for _, w := range g.waits {
			if w.over() && !isClosed(w.granted) {
				v.resume(g)
				close(w.granted)
				return g
			}
		}
	}
	return nil
}

// stray notes the wait of a goroutine that is no member and no guest; the result
// ends that.
func (v *Virtual) stray(done <-chan struct{}) (exit func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.guests) == 0 {
		return func() {}
	}
	s := &stray{v.moments, done}
	v.strays = append(v.strays, s)
	v.signal()
	return func() {
		v.mu.Lock()
		i := slices.Index(v.strays, s)
		v.strays = slices.Delete(v.strays, i, i+1)
		v.mu.Unlock()
	}
}

// waitGuest is Wait for a guest.
func (v *Virtual) waitGuest(ctx context.Context, done <-chan struct{}, g *guest) error {
	stop := context.AfterFunc(ctx, v.signal)
	defer stop()
	w := &guestWait{ctx, done, make(chan struct{})}
	v.mu.Lock()
	g.waits = append(g.waits, w)
	v.mu.Unlock()
	v.signal()
	defer func() {
		v.mu.Lock()
		i := slices.Index(g.waits, w)
		g.waits = slices.Delete(g.waits, i, i+1)
		v.mu.Unlock()
		v.signal()
	}()
	select {
	case <-w.granted:
	case v.driver <- struct{}{}:
		defer func() { <-v.driver }()
		if err := v.drive(ctx, done, nil, w); err != nil {
			return err
		}
	}
	return ended(ctx, done)
}
