package storage

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/ncruces/go-sqlite3"
)

// Backend is where the objects of one namespace keep their data. It is safe for
// use by several goroutines.
type Backend struct {
	dir     string // "" in memory
	opts    options
	handles handleCache
	alarms  alarmIndex

	mu     sync.Mutex // never held while taking a store's mutex
	stores map[string]*Store
	closed bool
}

type options struct {
	handles     int
	synchronous string
	connInit    func(*sqlite3.Conn) error
}

// Option adjusts a Backend; see [NewMemory] and [NewDisk].
type Option func(*options)

// WithHandles bounds the number of databases that are open at a time; default
// 256. Each takes some 300 KiB and, on disk, two file descriptors. Databases with
// an open transaction or cursor stay open beyond the bound.
func WithHandles(n int) Option { return func(o *options) { o.handles = max(n, 1) } }

// WithPowerSafety makes every commit wait until the disk has it
// (synchronous=FULL), so that confirmed writes survive the loss of power and not
// only the death of the process. Slower by a disk flush per commit.
func WithPowerSafety() Option { return func(o *options) { o.synchronous = "FULL" } }

// WithConnInit has f set up every connection to an object's database when it is
// opened, for example with functions and limits. f must not write. What it
// sets applies to the store's own statements too, so an authorizer has to let
// those pass.
func WithConnInit(f func(*sqlite3.Conn) error) Option {
	return func(o *options) { o.connInit = f }
}

func newBackend(opts []Option) *Backend {
	o := options{handles: defaultHandles, synchronous: "NORMAL"}
	for _, f := range opts {
		f(&o)
	}
	return &Backend{opts: o, handles: handleCache{max: o.handles}, stores: map[string]*Store{}}
}

// NewMemory returns a Backend that keeps everything in memory until it is
// closed. The data of an object outlives the object's instance: it is found
// again by its id. Close it to free the databases of objects that used SQL.
func NewMemory(opts ...Option) *Backend {
	b := newBackend(opts)
	b.alarms = &memAlarms{}
	return b
}

// NewDisk returns a Backend on the directory dir, which is created if need be.
// The files are those of the real runtime (the folder of one uniqueKey of a
// localDisk), and each reads what the other wrote. It fails with [ErrInUse]
// while another process, a running workerd included, has the directory open,
// and keeps others out until it is closed.
func NewDisk(dir string, opts ...Option) (*Backend, error) {
	if dir == "" {
		return nil, errors.New("storage: no directory given")
	}
	// Absolute, so that a later change of the working directory does no harm.
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("storage: directory %s: %w", dir, err)
	}
	b := newBackend(opts)
	b.dir = dir
	alarms, err := openDiskAlarms(dir, b.opts.synchronous)
	if err != nil {
		return nil, err
	}
	b.alarms = alarms
	return b, nil
}

// Open returns the store of the object id: 64 lower-case hex digits, followed
// for a facet by a dot and its number. The same id gives the same *Store until
// it is deleted. Nothing is opened or created on disk before it is needed.
func (b *Backend) Open(id string) (*Store, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, ErrClosed
	}
	if s := b.stores[id]; s != nil {
		return s, nil
	}
	if !validID(id) {
		return nil, fmt.Errorf("storage: invalid object id %q: want 64 lower-case hex digits, for a facet followed by .N", id)
	}
	s := &Store{b: b, id: id}
	if b.dir == "" {
		s.kv = &memKV{s: s}
	} else {
		s.kv = &sqlKV{s: s, path: filepath.Join(b.dir, id+".sqlite")}
	}
	b.stores[id] = s
	return s, nil
}

// Delete removes the object id with all its data and its alarm. Its Store, if
// one was opened, is closed.
func (b *Backend) Delete(id string) error {
	s, err := b.Open(id)
	if err != nil {
		return err
	}
	if err := s.close(false); err != nil {
		return err
	}
	if b.dir != "" {
		err = removeFiles(filepath.Join(b.dir, id+".sqlite"))
	}
	err = errors.Join(err, b.alarms.delete(id))
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.stores, id)
	return err
}

// Close closes all stores, throwing away what was not committed, and lets other
// processes at the directory. A Backend in memory loses its data.
func (b *Backend) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil
	}
	b.closed = true
	stores := b.stores
	b.stores = nil
	b.mu.Unlock()

	var errs []error
	for _, s := range stores {
		if err := s.close(true); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(append(errs, b.alarms.close())...)
}

// close ends the store; with checkpoint its file is left complete in itself,
// without a write-ahead log, if it was open.
func (s *Store) close(checkpoint bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.endTxs(0)
	k, ok := s.kv.(*sqlKV)
	if !ok {
		s.kv = &memKV{s: s}
		return nil
	}
	err := k.rollback()
	opened := k.conn != nil
	err = errors.Join(err, k.closeConn(checkpoint))
	if opened {
		s.b.handles.remove(k)
	}
	s.kv = &memKV{s: s} // lets go of a database in memory
	return err
}

// validID also keeps an id from being a path.
func validID(id string) bool {
	for i := range len(id) {
		c := id[i]
		digit := '0' <= c && c <= '9'
		switch {
		case i < 64 && (digit || 'a' <= c && c <= 'f'):
		case i == 64 && c == '.' && len(id) > 65:
		case i > 64 && digit:
		default:
			return false
		}
	}
	return len(id) >= 64
}
