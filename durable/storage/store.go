package storage

import (
	"fmt"
	"sync"
)

// kv is what a Store needs of an engine. The Store holds its mutex around every
// call and has checked that the store is usable.
type kv interface {
	get(key string) ([]byte, bool, error)
	put(key string, value []byte) error
	del(key string) (bool, error)
	scan(b bounds, reverse bool, n int) ([]Entry, error)
	deleteAll(keepAlarm bool) error

	getAlarm() (alarmState, error)
	setAlarm(alarmState) error

	dirty() bool
	commit() error
	rollback() error

	begin(tx *Tx) error
	release(tx *Tx) error
	rollbackTo(tx *Tx) error
}

// Store is the storage of one object. It is used by one goroutine at a time;
// stores of one Backend are independent and may be used at the same time.
//
// Writes become visible at once and durable with [Store.Commit]; until then
// [Store.Rollback] takes them back. Reads see uncommitted writes.
//
// Keys are valid UTF-8 strings; the caller sees to that. Values are opaque.
type Store struct {
	b  *Backend
	id string

	mu      sync.Mutex // guards the rest against the handle cache and Backend.Close
	kv      kv
	closed  bool
	version uint64 // counts writes, see Iter
	txs     []*Tx  // open transactions, outermost first
	lost    error  // see ErrLost
}

// ID returns the id the store was opened with.
func (s *Store) ID() string { return s.id }

// usable is called, with the mutex held, before every operation.
func (s *Store) usable() error {
	if s.closed {
		return ErrClosed
	}
	return s.lost
}

// Get returns the value of key and whether it exists. The value must not be
// modified.
func (s *Store) Get(key string) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return nil, false, err
	}
	return s.kv.get(key)
}

// GetMany returns the values of keys, in their order; a key that does not exist
// has a nil value, an empty value is not nil. The values must not be modified.
func (s *Store) GetMany(keys []string) ([][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return nil, err
	}
	out := make([][]byte, len(keys))
	for i, k := range keys {
		v, ok, err := s.kv.get(k)
		if err != nil {
			return nil, err
		}
		if ok && v == nil {
			v = []byte{}
		}
		out[i] = v
	}
	return out, nil
}

// Put stores value under key. It keeps no reference to value.
func (s *Store) Put(key string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return err
	}
	s.version++
	return s.kv.put(key, value)
}

// PutMany stores all entries, in order, or, on an error, none.
func (s *Store) PutMany(entries []Entry) error {
	return s.atomically(func() error {
		for _, e := range entries {
			if err := s.kv.put(e.Key, e.Value); err != nil {
				return err
			}
		}
		return nil
	})
}

// Delete removes key and reports whether it existed.
func (s *Store) Delete(key string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return false, err
	}
	s.version++
	return s.kv.del(key)
}

// DeleteMany removes keys and returns how many of them existed; on an error it
// removes none.
func (s *Store) DeleteMany(keys []string) (int, error) {
	n := 0
	err := s.atomically(func() error {
		for _, k := range keys {
			ok, err := s.kv.del(k)
			if err != nil {
				return err
			}
			if ok {
				n++
			}
		}
		return nil
	})
	if err != nil {
		n = 0
	}
	return n, err
}

// atomically runs f and takes back what it wrote if it fails.
func (s *Store) atomically(f func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	tx, err := s.beginLocked()
	if err != nil {
		return err
	}
	if err := f(); err != nil {
		if rerr := tx.rollbackLocked(); rerr != nil && s.lost == nil {
			return fmt.Errorf("%w (and taking back the writes before it failed: %v)", err, rerr)
		}
		return err
	}
	return tx.commitLocked()
}

// List walks the entries that o selects. See [Iter].
func (s *Store) List(o ListOptions) *Iter {
	it := &Iter{s: s, b: o.bounds(), reverse: o.Reverse, left: -1, pos: -1}
	if o.Limit > 0 {
		it.left = o.Limit
	}
	return it
}

// Entries returns the entries that o selects, in order.
func (s *Store) Entries(o ListOptions) ([]Entry, error) {
	var out []Entry
	it := s.List(o)
	for it.Next() {
		out = append(out, Entry{it.Key(), it.Value()})
	}
	return out, it.Err()
}

// DeleteAll removes everything the object has stored, SQL tables included, and
// its alarm unless keepAlarm is set (the alarm goes since the compatibility date
// 2026-02-24). As in the real runtime it takes effect at once and for good:
// writes not yet committed are gone with the rest, and Rollback does not bring
// anything back. Statements of a connection from [Store.Conn] are closed. It
// fails with [ErrTxOpen] within an explicit transaction.
func (s *Store) DeleteAll(keepAlarm bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return err
	}
	if len(s.txs) > 0 {
		return ErrTxOpen
	}
	s.version++
	return s.kv.deleteAll(keepAlarm)
}

// Dirty reports whether there are writes that Commit would make durable.
func (s *Store) Dirty() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.closed && (s.lost != nil || s.kv.dirty())
}

// Commit makes all writes since the last Commit durable at once: after a crash
// either all of them are there or none. It fails with [ErrTxOpen] while an
// explicit transaction is open. If it fails otherwise, but for [ErrAlarmIndex],
// nothing was committed and the store must be rolled back.
func (s *Store) Commit() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return err
	}
	if len(s.txs) > 0 {
		return ErrTxOpen
	}
	return s.kv.commit()
}

// Rollback throws away all writes since the last Commit and ends all open
// transactions. Use it when an object is aborted before its writes were
// flushed.
func (s *Store) Rollback() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.endTxs(0)
	s.version++
	s.lost = nil
	return s.kv.rollback()
}
