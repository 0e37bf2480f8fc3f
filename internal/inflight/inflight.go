// Package inflight keeps the calls that one side has accepted and not answered
// yet, so that somebody else can answer them when that side is given up: a
// goroutine that is stuck cannot do it.
package inflight

import "sync"

// List is a set of calls in order of arrival. The zero value is empty and ready.
// It is safe for use by many goroutines. E is the type of the error that calls
// fail with.
type List[E any] struct {
	mu         sync.Mutex
	head, tail *Entry[E]
	closed     bool
}

// Entry is one call. Embed it or keep it with the call; it must not be copied
// while it is in a list.
type Entry[E any] struct {
	// Fail answers the call with an error.
	Fail       func(E)
	prev, next *Entry[E]
	in         bool
}

// Add enters a call. It reports false when the list was failed before; then the
// caller answers the call itself.
func (l *List[E]) Add(e *Entry[E]) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return false
	}
	e.in, e.prev = true, l.tail
	if l.tail != nil {
		l.tail.next = e
	} else {
		l.head = e
	}
	l.tail = e
	return true
}

// Remove takes a call out because it is about to be answered. It reports false
// when somebody else has answered it.
func (l *List[E]) Remove(e *Entry[E]) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !e.in {
		return false
	}
	l.unlink(e)
	return true
}

func (l *List[E]) unlink(e *Entry[E]) {
	if e.prev != nil {
		e.prev.next = e.next
	} else {
		l.head = e.next
	}
	if e.next != nil {
		e.next.prev = e.prev
	} else {
		l.tail = e.prev
	}
	e.prev, e.next, e.in = nil, nil, false
}

// Fail answers all calls with err, in order of arrival, and closes the list.
func (l *List[E]) Fail(err E) {
	l.mu.Lock()
	l.closed = true
	var all []*Entry[E]
	for l.head != nil {
		e := l.head
		l.unlink(e)
		all = append(all, e)
	}
	l.mu.Unlock()
	for _, e := range all {
		e.Fail(err)
	}
}
