package loader

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"
)

// cacheSize bounds the bundles kept. A bundle of a small project takes about a
// megabyte; a test binary rarely has more than a handful of projects.
const cacheSize = 32

// shared keeps the bundles of this process, so that a test which opens a
// thousand worlds of one directory compiles it once. A bundle is a function of
// its inputs alone, so sharing it cannot be observed except by speed.
var shared cache

type cache struct {
	mu      sync.Mutex
	entries map[[sha256.Size]byte]*entry
	order   []*entry // least recently used first
}

// entry serialises the builds of one set of options, so that many tests that
// start at once wait for one build.
type entry struct {
	key    [sha256.Size]byte
	mu     sync.Mutex
	bundle *Bundle
	state  inputs
}

func (c *cache) get(key [sha256.Size]byte) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		if c.entries == nil {
			c.entries = map[[sha256.Size]byte]*entry{}
		}
		e = &entry{key: key}
		c.entries[key] = e
	} else {
		c.order = slices.DeleteFunc(c.order, func(x *entry) bool { return x == e })
	}
	c.order = append(c.order, e)
	if len(c.order) > cacheSize {
		delete(c.entries, c.order[0].key)
		c.order = slices.Delete(c.order, 0, 1)
	}
	return e
}

func (c *cache) build(o Options) (*Bundle, error) {
	e := c.get(optionsKey(&o))
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.bundle != nil && e.state.unchanged() {
		return e.bundle, nil
	}
	b, in, err := build(o)
	if err != nil {
		e.bundle, e.state = nil, nil // errors are not kept: they are rare and cheap
		return nil, err
	}
	e.bundle, e.state = b, in
	return b, nil
}

// optionsKey hashes everything in the options that the bundle depends on.
func optionsKey(o *Options) [sha256.Size]byte {
	l := listing(make([]byte, 0, 8<<10))
	l.texts(o.Dir, o.Entry, o.Tsconfig)
	l.number(len(o.Modules))
	for _, m := range o.Modules {
		l.number(int(m.Kind))
		l.texts(m.Name)
		sum := sha256.Sum256(m.Contents)
		l = append(l, sum[:]...)
	}
	l.number(len(o.Builtins))
	for _, k := range sortedKeys(o.Builtins) {
		names := o.Builtins[k]
		if !slices.IsSorted(names) {
			names = slices.Clone(names)
			slices.Sort(names)
		}
		l.texts(k)
		l.texts(names...)
	}
	l.number(len(o.Rules))
	for _, r := range o.Rules {
		l.number(int(r.Kind))
		l.texts(r.Globs...)
		l.number(b2i(r.Fallthrough))
	}
	for _, m := range []map[string]string{o.Define, o.Alias} {
		l.number(len(m))
		for _, k := range sortedKeys(m) {
			l.texts(k, m[k])
		}
	}
	l.number(b2i(o.LowerFields))
	l.number(b2i(o.LowerAsync))
	return sha256.Sum256(l)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// listing is what is hashed, written so that different lists are different bytes:
// with every length before its text.
type listing []byte

func (l *listing) number(n int) { *l = binary.LittleEndian.AppendUint64(*l, uint64(n)) }

func (l *listing) texts(ss ...string) {
	l.number(len(ss))
	for _, s := range ss {
		l.number(len(s))
		*l = append(*l, s...)
	}
}
