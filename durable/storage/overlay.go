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
	if err != nil {
		return false, err
	}
	o.set(key, nil)
	return found, nil
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

// Entries returns the entries that opts selects, in order. With a limit there may
// be more than that: as in the real runtime's cache, the limit holds for the
// overlay's own entries and for the store's, each by themselves (measured on
// workerd).
func (o *Overlay) Entries(opts ListOptions) ([]Entry, error) {
	b, limit := opts.bounds(), opts.Limit
	keys, order := o.keys, 1
	if opts.Reverse {
		keys, order = slices.Clone(keys), -1
		slices.Reverse(keys)
	}
	var mine []Entry
	puts := 0
	for _, k := range keys {
		if !b.contains(k) {
			continue
		}
		v := o.vals[k]
		mine = append(mine, Entry{k, v})
		if v == nil && opts.Limit > 0 {
			opts.Limit++ // an entry of the store that may not count
		}
		if v != nil {
			if puts++; puts == limit {
				break
			}
		}
	}
	theirs, err := o.s.Entries(opts)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for len(mine) > 0 || len(theirs) > 0 {
		c := -1
		switch {
		case len(theirs) == 0:
			c = 1
		case len(mine) > 0:
			c = order * cmp.Compare(theirs[0].Key, mine[0].Key)
		}
		if c < 0 {
			out = append(out, theirs[0])
		} else {
			if mine[0].Value != nil {
				out = append(out, mine[0])
			}
			mine = mine[1:]
		}
		if c <= 0 {
			theirs = theirs[1:]
		}
	}
	return out, nil
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
