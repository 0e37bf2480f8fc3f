package storage

import (
	"cmp"
	"slices"
	"sort"
)

// Overlay keeps a transaction's writes apart from its store until they are
// applied: the store's other users do not see them, the overlay's see both. It
// is how transactions work where there is no SQLite. It is for one goroutine at
// a time.
type Overlay struct {
	s    *Store
	keys []string // sorted
	vals map[string][]byte
}

// NewOverlay begins an overlay in which nothing is written yet.
func NewOverlay(s *Store) *Overlay { return &Overlay{s: s, vals: map[string][]byte{}} }

// Get is [Store.Get] of what the overlay shows.
func (o *Overlay) Get(key string) ([]byte, bool, error) {
	if v, ok := o.vals[key]; ok {
		return v, v != nil, nil
	}
	return o.s.Get(key)
}

// Put is [Store.Put] into the overlay.
func (o *Overlay) Put(key string, value []byte) error {
	o.set(key, append(make([]byte, 0, len(value)), value...))
	return nil
}

// Delete is [Store.Delete] in the overlay.
func (o *Overlay) Delete(key string) (bool, error) {
	_, found, err := o.Get(key)
	if err != nil || !found {
		return false, err
	}
	o.set(key, nil)
	return true, nil
}

func (o *Overlay) set(key string, value []byte) {
	if _, ok := o.vals[key]; !ok {
		i := sort.SearchStrings(o.keys, key)
		o.keys = slices.Insert(o.keys, i, key)
	}
	o.vals[key] = value
}

// Written reports whether the overlay itself says what key holds.
func (o *Overlay) Written(key string) bool {
	_, ok := o.vals[key]
	return ok
}

// Entries returns the entries that opts selects, in order.
func (o *Overlay) Entries(opts ListOptions) ([]Entry, error) {
	b, limit := opts.bounds(), opts.Limit
	var mine []Entry
	for _, k := range o.keys {
		if b.contains(k) {
			mine = append(mine, Entry{k, o.vals[k]})
		}
	}
	order := 1
	if opts.Reverse {
		order = -1
		slices.Reverse(mine)
	}
	opts.Limit = 0 // some of the store's may be deleted here
	it := o.s.List(opts)
	more := it.Next()
	var out []Entry
	for (more || len(mine) > 0) && (limit <= 0 || len(out) < limit) {
		c := -1
		if !more {
			c = 1
		} else if len(mine) > 0 {
			c = order * cmp.Compare(it.Key(), mine[0].Key)
		}
		if c < 0 {
			out = append(out, Entry{it.Key(), it.Value()})
		} else {
			if mine[0].Value != nil {
				out = append(out, mine[0])
			}
			mine = mine[1:]
		}
		if more && c <= 0 {
			more = it.Next()
		}
	}
	return out, it.Err()
}

// Apply makes the overlay's writes in the store, all of them or, on an error,
// none.
func (o *Overlay) Apply() error {
	return o.s.atomically(func() error {
		for _, k := range o.keys {
			if v := o.vals[k]; v != nil {
				if err := o.s.kv.put(k, v); err != nil {
					return err
				}
			} else if _, err := o.s.kv.del(k); err != nil {
				return err
			}
		}
		return nil
	})
}
