package storage

import (
	"slices"
	"sort"
	"strings"
)

// chunkMax bounds a chunk of memKV: large enough that the list of chunks stays
// short, small enough that an insertion moves at most 5 KiB.
const chunkMax = 128

// memKV is an ordered map in plain Go with an undo log. It is a sorted list of
// sorted chunks: as compact as a slice for the usual handful of keys, and
// without a slice's quadratic insertion for many.
type memKV struct {
	s      *Store
	chunks [][]Entry // none is empty
	undo   []undoEntry
	alarm  *alarmState // nil: none
}

// undoEntry says how to take one write back.
type undoEntry struct {
	key string
	old []byte // nil: the key did not exist

	isAlarm bool // this was a change of the alarm instead
	alarm   *alarmState
}

// find returns where key is, or where it would be inserted.
func (m *memKV) find(key string) (c, i int, ok bool) {
	// The chunk is the last whose first key is <= key, or the first chunk.
	c = sort.Search(len(m.chunks), func(n int) bool { return m.chunks[n][0].Key > key }) - 1
	if c < 0 {
		return 0, 0, false
	}
	i, ok = slices.BinarySearchFunc(m.chunks[c], key, func(e Entry, k string) int {
		return strings.Compare(e.Key, k)
	})
	return c, i, ok
}

func (m *memKV) get(key string) ([]byte, bool, error) {
	if c, i, ok := m.find(key); ok {
		return m.chunks[c][i].Value, true, nil
	}
	return nil, false, nil
}

func (m *memKV) put(key string, value []byte) error {
	// Never nil: nil means "absent" in the undo log. Copied: the caller may
	// reuse its buffer.
	v := make([]byte, len(value))
	copy(v, value)
	m.undo = append(m.undo, undoEntry{key: key, old: m.set(key, v)})
	return nil
}

func (m *memKV) del(key string) (bool, error) {
	old := m.set(key, nil)
	if old == nil {
		return false, nil
	}
	m.undo = append(m.undo, undoEntry{key: key, old: old})
	return true, nil
}

// set stores v, or removes the key if v is nil, and returns what was there.
func (m *memKV) set(key string, v []byte) (old []byte) {
	c, i, ok := m.find(key)
	switch {
	case ok && v != nil:
		e := &m.chunks[c][i]
		old, e.Value = e.Value, v
	case ok:
		old = m.chunks[c][i].Value
		if m.chunks[c] = slices.Delete(m.chunks[c], i, i+1); len(m.chunks[c]) == 0 {
			m.chunks = slices.Delete(m.chunks, c, c+1)
		}
	case v == nil:
	case len(m.chunks) == 0:
		m.chunks = [][]Entry{{{key, v}}}
	default:
		ch := slices.Insert(m.chunks[c], i, Entry{key, v})
		if len(ch) > chunkMax {
			// Keys often arrive in order: then leave full chunks behind.
			at := len(ch) / 2
			if i == len(ch)-1 {
				at = i
			}
			right := append(make([]Entry, 0, max(4, len(ch)-at)), ch[at:]...)
			clear(ch[at:])
			ch = ch[:at]
			m.chunks = slices.Insert(m.chunks, c+1, right)
		}
		m.chunks[c] = ch
	}
	return old
}

func (m *memKV) scan(b bounds, reverse bool, n int) ([]Entry, error) {
	var out []Entry
	if reverse {
		c, i := len(m.chunks)-1, 0
		if c < 0 {
			return nil, nil
		}
		i = len(m.chunks[c])
		if !b.hiOpen {
			c, i, _ = m.find(b.hi)
		}
		for ; c >= 0; c-- {
			if i < 0 {
				i = len(m.chunks[c])
			}
			for i--; i >= 0; i-- {
				e := m.chunks[c][i]
				if len(out) == n || !b.contains(e.Key) {
					return out, nil
				}
				out = append(out, e)
			}
		}
		return out, nil
	}
	c, i, ok := m.find(b.lo)
	if ok && b.loExcl {
		i++
	}
	for ; c < len(m.chunks); c, i = c+1, 0 {
		for ; i < len(m.chunks[c]); i++ {
			e := m.chunks[c][i]
			if len(out) == n || !b.contains(e.Key) {
				return out, nil
			}
			out = append(out, e)
		}
	}
	return out, nil
}

func (m *memKV) deleteAll(keepAlarm bool) error {
	m.chunks = nil
	if !keepAlarm {
		m.alarm = nil
	}
	m.undo = nil
	return m.publishAlarm()
}

func (m *memKV) getAlarm() (alarmState, error) {
	if m.alarm == nil {
		return alarmState{}, nil
	}
	return *m.alarm, nil
}

func (m *memKV) setAlarm(a alarmState) error {
	m.undo = append(m.undo, undoEntry{isAlarm: true, alarm: m.alarm})
	m.alarm = nil
	if a.set {
		m.alarm = &a
	}
	return nil
}

// publishAlarm enters the alarm into the Backend's index.
func (m *memKV) publishAlarm() error {
	if m.alarm == nil {
		return m.s.b.alarms.delete(m.s.id)
	}
	return m.s.b.alarms.set(Alarm{ID: m.s.id, Name: m.alarm.name, Time: m.alarm.ns})
}

func (m *memKV) commit() error {
	if slices.ContainsFunc(m.undo, func(u undoEntry) bool { return u.isAlarm }) {
		if err := m.publishAlarm(); err != nil {
			return err
		}
	}
	m.forget()
	return nil
}

// forget empties the undo log.
func (m *memKV) forget() {
	if cap(m.undo) > 64 {
		m.undo = nil
	} else {
		clear(m.undo) // let go of the old values
		m.undo = m.undo[:0]
	}
}

func (m *memKV) rollback() error {
	m.undoTo(0)
	m.forget()
	return nil
}

func (m *memKV) undoTo(mark int) {
	for i := len(m.undo) - 1; i >= mark; i-- {
		m.swap(&m.undo[i])
	}
	clear(m.undo[mark:])
	m.undo = m.undo[:mark]
}

// swap takes a write back and makes u the entry that would redo it.
func (m *memKV) swap(u *undoEntry) {
	if u.isAlarm {
		m.alarm, u.alarm = u.alarm, m.alarm
	} else {
		u.old = m.set(u.key, u.old)
	}
}

func (m *memKV) dirty() bool { return len(m.undo) > 0 }

func (m *memKV) begin(tx *Tx) error      { tx.mark = len(m.undo); return nil }
func (m *memKV) release(*Tx) error       { return nil }
func (m *memKV) rollbackTo(tx *Tx) error { m.undoTo(tx.mark); return nil }
