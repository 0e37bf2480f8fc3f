package storage

// ListOptions selects keys, in the order of their UTF-8 bytes. The zero value
// selects all. Bounds combine: a key must satisfy every one that is given, and
// they keep their meaning under Reverse.
type ListOptions struct {
	Start      string  // first key, inclusive; "" is before every key
	StartAfter *string // first key, exclusive
	End        *string // last key, exclusive
	Prefix     string  // keys that begin with it, of any length
	Reverse    bool    // last key first
	Limit      int     // at most so many entries; 0 or less: all
}

// Entry is one key with its value.
type Entry struct {
	Key   string
	Value []byte
}

// bounds is ListOptions boiled down to an interval: lo <= key < hi.
type bounds struct {
	lo     string
	loExcl bool   // lo < key
	hi     string // exclusive, unless hiOpen
	hiOpen bool   // no upper bound
}

func (o *ListOptions) bounds() bounds {
	b := bounds{lo: o.Start, hiOpen: true}
	if o.StartAfter != nil && *o.StartAfter >= b.lo {
		b.lo, b.loExcl = *o.StartAfter, true
	}
	if o.End != nil {
		b.hi, b.hiOpen = *o.End, false
	}
	if o.Prefix != "" {
		if o.Prefix > b.lo {
			b.lo, b.loExcl = o.Prefix, false
		}
		if end, ok := prefixEnd(o.Prefix); ok && (b.hiOpen || end < b.hi) {
			b.hi, b.hiOpen = end, false
		}
	}
	return b
}

// contains reports whether key lies in the interval.
func (b *bounds) contains(key string) bool {
	if key < b.lo || b.loExcl && key == b.lo {
		return false
	}
	return b.hiOpen || key < b.hi
}

// prefixEnd returns the least byte string greater than every string that
// begins with p: p with its last byte that is not 0xFF incremented and the rest
// cut off. It is in general not valid UTF-8, which byte comparison (SQLite's
// BINARY collation included) does not mind. There is none if all bytes are
// 0xFF.
func prefixEnd(p string) (string, bool) {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] != 0xFF {
			return p[:i] + string([]byte{p[i] + 1}), true
		}
	}
	return "", false
}

// Iter walks a listing. It is live: a write made while it is open is seen if it
// lies ahead, like a cursor of the database. It holds no resources between
// calls, so it need not be closed, pins nothing, and survives transactions,
// rollbacks and DeleteAll. Like its Store it is for one goroutine at a time.
//
//	it := store.List(storage.ListOptions{Prefix: "user:"})
//	for it.Next() {
//		use(it.Key(), it.Value())
//	}
//	if err := it.Err(); err != nil { ... }
type Iter struct {
	s       *Store
	b       bounds
	reverse bool
	left    int // entries still allowed, negative: no limit
	batch   []Entry
	pos     int // of the current entry in batch
	version uint64
	err     error
	done    bool
}

const (
	firstBatch = 16
	maxBatch   = 256
)

// Next moves to the next entry and reports whether there is one. After it has
// returned false, Err tells the end from a failure.
func (it *Iter) Next() bool {
	if it.done || it.left == 0 {
		it.done = true
		return false
	}
	it.s.mu.Lock()
	defer it.s.mu.Unlock()
	it.pos++
	// Entries read ahead are stale after any write to the store: read again.
	if it.pos >= len(it.batch) || it.version != it.s.version {
		if !it.fill() {
			it.done = true
			return false
		}
	}
	e := &it.batch[it.pos]
	if it.reverse {
		it.b.hi, it.b.hiOpen = e.Key, false
	} else {
		it.b.lo, it.b.loExcl = e.Key, true
	}
	if it.left > 0 {
		it.left--
	}
	return true
}

func (it *Iter) fill() bool {
	n := min(max(2*len(it.batch), firstBatch), maxBatch)
	if it.left >= 0 && it.left < n {
		n = it.left
	}
	// A fresh slice every time: entries handed out stay valid.
	it.batch, it.pos, it.version = nil, 0, it.s.version
	if it.err = it.s.usable(); it.err != nil {
		return false
	}
	if !it.b.hiOpen && it.b.lo >= it.b.hi {
		return false
	}
	it.batch, it.err = it.s.kv.scan(it.b, it.reverse, n)
	return it.err == nil && len(it.batch) > 0
}

// Key is the current key; call it only after Next has returned true.
func (it *Iter) Key() string { return it.batch[it.pos].Key }

// Value is the current value, which must not be modified; call it only after
// Next has returned true.
func (it *Iter) Value() []byte { return it.batch[it.pos].Value }

// Err is the error that ended the walk, nil at an ordinary end.
func (it *Iter) Err() error { return it.err }
