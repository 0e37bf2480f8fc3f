package sched

import (
	"context"
	"sync"
	"time"
)

// NewReal returns the scheduler that follows the machine's clock. Inside a
// testing/synctest bubble that is the bubble's clock.
func NewReal() Scheduler { return realScheduler{} }

type realScheduler struct{}

func (realScheduler) Now() time.Time { return time.Now() }

func (realScheduler) AfterFunc(d time.Duration, _ Kind, _ string, f func()) Timer {
	return time.AfterFunc(d, f)
}

func (realScheduler) Wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		// A result that is there wins over a context that ended as well.
		select {
		case <-done:
			return nil
		default:
			return context.Cause(ctx)
		}
	}
}

func (realScheduler) Outside() func() { return func() {} }

func (realScheduler) NewLoop(string) Loop {
	l := &realLoop{wake: make(chan struct{}, 1)}
	go l.run()
	return l
}

type realLoop struct {
	mu     sync.Mutex
	queue  []func()
	closed bool
	wake   chan struct{}
}

func (l *realLoop) Post(f func()) bool {
	l.mu.Lock()
	if l.closed {
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
	l.closed = true
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

func (l *realLoop) run() {
	var batch []func()
	for range l.wake {
		for {
			l.mu.Lock()
			if l.closed {
				l.mu.Unlock()
				return
			}
			batch, l.queue = l.queue, batch[:0]
			l.mu.Unlock()
			if len(batch) == 0 {
				break
			}
			for i, f := range batch {
				batch[i] = nil
				if l.isClosed() {
					return
				}
				f()
			}
		}
	}
}

func (l *realLoop) isClosed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// NewStopwatch returns a stopped timer of the machine's clock that calls f, on a
// goroutine of its own, when it fires. It is for limits on computing, which need
// real time whatever the clock of the world is.
func NewStopwatch(f func()) *time.Timer {
	t := time.AfterFunc(time.Hour, f)
	t.Stop()
	return t
}
