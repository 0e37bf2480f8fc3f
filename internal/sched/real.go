package sched

import (
	"context"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"time"
)

// NewReal returns the scheduler that follows the machine's clock. Inside a
// testing/synctest bubble that is the bubble's clock; loops must be closed
// before the bubble ends, for each has a goroutine.
func NewReal() Scheduler { return realScheduler{} }

type realScheduler struct{}

func (realScheduler) Now() time.Time { return time.Now() }

func (realScheduler) AfterFunc(d time.Duration, _ Kind, _ string, f func()) Timer {
	return time.AfterFunc(d, f)
}

func (realScheduler) Wait(ctx context.Context, done <-chan struct{}) error {
	if isClosed(done) { // quicker than a select over two channels
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ended(ctx, done)
	}
}

func (realScheduler) Outside() func() { return func() {} }

func (realScheduler) Go(ctx context.Context, f func(context.Context)) { go f(ctx) }

func (realScheduler) NewLoop(name string) Loop {
	l := &realLoop{wake: make(chan struct{}, 1), done: make(chan struct{})}
	go pprof.Do(context.Background(), pprof.Labels("loop", name), l.run)
	return l
}

type realLoop struct {
	mu     sync.Mutex
	queue  []func()
	closed atomic.Bool   // set with the lock held
	wake   chan struct{} // the queue is no longer empty, or the loop is closed
	done   chan struct{}
}

func (l *realLoop) Done() <-chan struct{} { return l.done }

func (l *realLoop) Post(f func()) bool {
	l.mu.Lock()
	if l.closed.Load() {
		l.mu.Unlock()
		return false
	}
	l.queue = append(l.queue, f)
	first := len(l.queue) == 1
	l.mu.Unlock()
	if first {
		l.signal()
	}
	return true
}

func (l *realLoop) Close() {
	l.mu.Lock()
	l.closed.Store(true)
	l.queue = nil
	l.mu.Unlock()
	l.signal()
}

func (l *realLoop) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run is the loop's goroutine. It takes the queue as a whole, so that posting
// and running seldom meet at the lock.
func (l *realLoop) run(context.Context) {
	defer close(l.done)
	var batch []func()
	for range l.wake {
		for {
			l.mu.Lock()
			batch, l.queue = l.queue, batch[:0]
			l.mu.Unlock()
			if len(batch) == 0 {
				break
			}
			for i, f := range batch {
				batch[i] = nil // what ran is not kept alive by the reused slice
				if l.closed.Load() {
					return
				}
				f()
			}
		}
		if l.closed.Load() {
			return
		}
	}
}
