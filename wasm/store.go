package wasm

import (
	"context"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/tetratelabs/wazero/api"
)

// Store is a world of instances that can be linked to each other. All that is
// in it belongs to one goroutine at a time; different stores are independent.
//
// Nothing needs to be closed: instances are collected like other Go values.
type Store struct {
	e       *engine
	depth   int // of calls into WebAssembly that are running
	pending *hostFailure
	halted  atomic.Bool
	refs    refTable
	externs externTable

	mu        sync.Mutex // guards what a cancelled context touches
	instances []weak.Pointer[Instance]
	pruneAt   int
	done      <-chan struct{} // of the context that is watched
	cause     func() error
	unwatch   func() bool
}

// NewStore returns an empty store.
func NewStore() *Store { return sharedEngine().store() }

func (e *engine) store() *Store { return &Store{e: e, pruneAt: 64} }

// register adds an instance to those that a cancelled context stops.
func (s *Store) register(i *Instance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.instances) >= s.pruneAt {
		kept := s.instances[:0]
		for _, p := range s.instances {
			if p.Value() != nil {
				kept = append(kept, p)
			}
		}
		clear(s.instances[len(kept):])
		s.instances = kept
		s.pruneAt = max(64, 2*len(kept))
	}
	s.instances = append(s.instances, weak.Make(i))
	if s.halted.Load() {
		i.halt.Set(1)
	}
}

// enter is called before WebAssembly runs, leave after. They see to it that it
// stops when ctx is cancelled.
func (s *Store) enter(ctx context.Context) error {
	if done := ctx.Done(); done != s.done || s.halted.Load() {
		if err := ctx.Err(); err != nil {
			return &Interrupted{context.Cause(ctx)}
		}
		if s.depth == 0 || done != nil {
			s.watch(ctx)
		}
	} else if done != nil {
		if ctx.Err() != nil {
			return &Interrupted{context.Cause(ctx)}
		}
	}
	s.depth++
	return nil
}

func (s *Store) leave() { s.depth-- }

func (s *Store) watch(ctx context.Context) {
	if s.unwatch != nil {
		s.unwatch()
		s.unwatch = nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.halted.Load() {
		s.setHalt(0)
		s.halted.Store(false)
	}
	done := ctx.Done()
	s.done = done
	s.cause = func() error { return context.Cause(ctx) }
	if done != nil {
		s.unwatch = context.AfterFunc(ctx, func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.done == done {
				s.halted.Store(true)
				s.setHalt(1)
			}
		})
	}
}

func (s *Store) setHalt(v uint64) {
	for _, p := range s.instances {
		if i := p.Value(); i != nil {
			i.halt.Set(v)
		}
	}
}

// interrupted returns the error of a computation that was stopped, or nil.
func (s *Store) interrupted() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.halted.Load() {
		return nil
	}
	return &Interrupted{s.cause()}
}

// hostFailure is what ended a Go function that WebAssembly called.
type hostFailure struct {
	err   error
	value any // of a panic
}

// helper makes an instance of a module that this package made.
func (s *Store) helper(w *writer) (api.Module, error) {
	return s.e.instantiate(s.e.compileHelper(w), "", nil)
}
