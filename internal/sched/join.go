package sched

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// member is a goroutine that has joined the clock. The clock's lock guards it.
type member struct {
	state memberState
	wake  chan struct{} // a token: it is its turn
	ctx   context.Context
	done  <-chan struct{}
	err   *StallError // what its wait ends with; nil for none
}

type memberState uint8

const (
	running memberState = iota // somewhere outside of Wait
	ready                      // its wait is over, or it has not begun; it waits for its turn
	waiting
)

// over says that the wait can end.
func (m *member) over() bool { return isClosed(m.done) || m.ctx.Err() != nil }

// memberKey finds the member of a clock in a context.
type memberKey struct{ v *Virtual }

// Join announces a goroutine that uses the clock along with others: until leave
// is called, nothing runs while that goroutine is somewhere else than in
// [Virtual.Wait] (or Advance, or Settle) with the context that Join returns.
// Goroutines that all join before the first of them waits therefore see the clock
// move only when all of them wait, however slow one of them is, and a deadlock
// among them is noticed at once. When several waits are over, their goroutines go
// on one at a time, in the order in which they joined. Without Join the clock
// knows nothing of goroutines that are not waiting; see [StallGrace].
//
// A goroutine that joined must leave before it blocks on anything else that
// another one brings (a channel, a sync.WaitGroup): everything would stand still
// for ever. Only the first call of leave counts. Waits of further goroutines with
// the same context are those of goroutines that have not joined.
func (v *Virtual) Join(ctx context.Context) (joined context.Context, leave func()) {
	return v.join(ctx, running)
}

func (v *Virtual) join(ctx context.Context, s memberState) (joined context.Context, leave func()) {
	m := &member{state: s, wake: make(chan struct{}, 1)}
	v.mu.Lock()
	v.members = append(v.members, m)
	v.mu.Unlock()
	return context.WithValue(ctx, memberKey{v}, m), func() {
		v.mu.Lock()
		if i := slices.Index(v.members, m); i >= 0 {
			v.members = slices.Delete(v.members, i, i+1)
			v.pass()
		}
		v.mu.Unlock()
		v.signal()
	}
}

// Together runs functions side by side and returns when all have returned. Each has
// a goroutine, and a context to wait with; but only one of them runs at a time, in
// the order in which they are given, and goes on until it waits, so that the same
// functions do the same in the same order every time. They are bound by the rules
// of [Virtual.Join]. When ctx ends, their waits do.
func (v *Virtual) Together(ctx context.Context, fs ...func(context.Context)) {
	var all sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(len(fs)))
	done := make(chan struct{})
	for _, f := range fs {
		joined, leave := v.join(ctx, ready)
		m := joined.Value(memberKey{v}).(*member)
		all.Go(func() {
			defer func() { // also when the goroutine is ended by FailNow
				if left.Add(-1) == 0 {
					close(done) // while nothing can run yet
				}
				leave()
			}()
			<-m.wake
			f(joined)
		})
	}
	v.mu.Lock()
	v.pass()
	v.mu.Unlock()
	if m := v.member(ctx); m != nil && len(fs) > 0 {
		// A function of another Together: its own must have their turns meanwhile.
		_ = v.waitMember(context.WithoutCancel(ctx), done, m)
	}
	all.Wait()
}

// member returns the member that waits with a context; nil if it is none.
func (v *Virtual) member(ctx context.Context) *member {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.members) == 0 {
		return nil
	}
	m, _ := ctx.Value(memberKey{v}).(*member)
	if m == nil || m.state != running || !slices.Contains(v.members, m) {
		return nil
	}
	return m
}

// pass gives the turn to the first member that is ready, unless one is running. It
// is called with the lock held.
func (v *Virtual) pass() {
	for _, m := range v.members {
		if m.state == running {
			return
		}
	}
	for _, m := range v.members {
		if m.state == ready {
			m.state = running
			m.wake <- struct{}{}
			return
		}
	}
}

// busy reports whether a member is running, or may now. It is called with the lock
// held.
func (v *Virtual) busy() bool {
	if len(v.members) == 0 {
		return false
	}
	for _, m := range v.members {
		if m.state == waiting && m.over() {
			m.state = ready
		}
	}
	v.pass()
	return slices.ContainsFunc(v.members, func(m *member) bool { return m.state == running })
}

// waitMember is Wait for a member. It returns when it is the member's turn.
func (v *Virtual) waitMember(ctx context.Context, done <-chan struct{}, m *member) error {
	stop := context.AfterFunc(ctx, v.signal)
	defer stop()
	v.mu.Lock()
	m.state, m.ctx, m.done, m.err = waiting, ctx, done, nil
	v.pass()
	v.mu.Unlock()
	v.signal()
	select {
	case <-m.wake:
	case v.driver <- struct{}{}:
		defer func() { <-v.driver }()
		_ = v.drive(ctx, done, m, nil) // the member has its own error
	}
	if m.err != nil && !isClosed(done) {
		return m.err
	}
	return ended(ctx, done)
}

// give ends the first wait of a member with an error, because nothing else can end
// it. It reports false when no member waits.
func (v *Virtual) give(err *StallError) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, m := range v.members {
		if m.state == waiting {
			m.err, m.state = err, ready
			v.pass()
			return true
		}
	}
	return false
}
