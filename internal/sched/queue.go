package sched

import "container/heap"

// Queued is something that waits in a [Queue].
type Queued[T any] interface {
	// Before reports whether it is due before another; of two that are equal
	// neither is.
	Before(T) bool
	// Place points to where the queue keeps its place; -1 outside of the queue.
	Place() *int
}

// Queue is a priority queue of which anything can be removed: the timers of the
// virtual clock, and those of an isolate. The zero value is empty. It is not safe
// for use by several goroutines.
type Queue[T Queued[T]] struct{ order order[T] }

// Push puts t into the queue, in which it must not be.
func (q *Queue[T]) Push(t T) { heap.Push(&q.order, t) }

// First returns what is due first, and the zero value if the queue is empty.
func (q *Queue[T]) First() (first T) {
	if len(q.order) > 0 {
		first = q.order[0]
	}
	return first
}

// Remove takes t from the queue, and reports whether it was there.
func (q *Queue[T]) Remove(t T) bool {
	i := *t.Place()
	if i < 0 {
		return false
	}
	heap.Remove(&q.order, i)
	return true
}

// All returns what is in the queue, in no particular order. It must not be changed.
func (q *Queue[T]) All() []T { return q.order }

// order implements [heap.Interface].
type order[T Queued[T]] []T

func (o order[T]) Len() int           { return len(o) }
func (o order[T]) Less(i, j int) bool { return o[i].Before(o[j]) }
func (o order[T]) Swap(i, j int) {
	o[i], o[j] = o[j], o[i]
	*o[i].Place(), *o[j].Place() = i, j
}

func (o *order[T]) Push(x any) {
	t := x.(T)
	*t.Place() = len(*o)
	*o = append(*o, t)
}

func (o *order[T]) Pop() any {
	old := *o
	t := old[len(old)-1]
	clear(old[len(old)-1:]) // or it would stay alive
	*o = old[:len(old)-1]
	*t.Place() = -1
	return t
}
