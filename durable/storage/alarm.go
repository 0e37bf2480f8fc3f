package storage

import (
	"errors"
	"sync"

	"github.com/ncruces/go-sqlite3"
)

// Alarm is an entry of a Backend's index of alarms.
type Alarm struct {
	ID   string  // of the object
	Name *string // of the object, nil if it has none
	Time int64   // when it is due, in nanoseconds since 1970
}

// alarmState is the alarm of one object.
type alarmState struct {
	ns   int64
	set  bool
	name *string
}

// Alarm returns when the object's alarm is due, in nanoseconds since 1970, and
// whether it has one.
func (s *Store) Alarm() (ns int64, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return 0, false, err
	}
	a, err := s.kv.getAlarm()
	return a.ns, a.set, err
}

// SetAlarm sets the object's only alarm to ns, nanoseconds since 1970. name is
// the object's name for the index, nil if it has none. Like every write it
// belongs to the open transaction and takes effect, the index included, with
// [Store.Commit].
func (s *Store) SetAlarm(ns int64, name *string) error {
	return s.changeAlarm(alarmState{ns: ns, set: true, name: name})
}

// DeleteAlarm removes the object's alarm, if it has one; see [Store.SetAlarm].
func (s *Store) DeleteAlarm() error {
	return s.changeAlarm(alarmState{})
}

func (s *Store) changeAlarm(a alarmState) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return err
	}
	s.version++
	return s.kv.setAlarm(a)
}

// Alarms returns the index of all alarms of the Backend, soonest first, at equal
// times by id. It holds no alarm later than the object's own record does: after
// a crash between the two writes an entry may be too early or stale, so whoever
// fires one compares it with [Store.Alarm] first.
func (b *Backend) Alarms() ([]Alarm, error) {
	b.mu.Lock()
	closed := b.closed
	b.mu.Unlock()
	if closed {
		return nil, ErrClosed
	}
	return b.alarms.all()
}

const (
	sqlAlarmGet = `SELECT value FROM _cf_METADATA WHERE key = 1`
	// The real runtime keeps the row and sets it to NULL when there is no alarm.
	sqlAlarmSet = `INSERT INTO _cf_METADATA VALUES (1, ?) ON CONFLICT DO UPDATE SET value = excluded.value`
)

// alarmChange notes a change of the alarm within the open transaction.
type alarmChange struct {
	changed bool
	before  alarmState // committed
	name    *string
}

func (k *sqlKV) getAlarm() (alarmState, error) {
	if ok, err := k.open(false); !ok || err != nil || !k.hasMeta {
		return alarmState{}, err
	}
	st, err := k.stmt(sqlAlarmGet)
	if err != nil {
		return alarmState{}, k.fail("read alarm", err)
	}
	var a alarmState
	if st.Step() && st.ColumnType(0) != sqlite3.NULL {
		a = alarmState{ns: st.ColumnInt64(0), set: true, name: k.alarm.name}
	}
	if err := errors.Join(st.Err(), st.Reset()); err != nil {
		return alarmState{}, k.fail("read alarm", err)
	}
	return a, nil
}

func (k *sqlKV) setAlarm(a alarmState) error {
	before, err := k.getAlarm()
	if err != nil {
		return err
	}
	if !a.set && !before.set {
		return nil
	}
	if err := k.startTx(); err != nil {
		return err
	}
	if !k.alarm.changed {
		k.alarm = alarmChange{changed: true, before: before}
	}
	if a.set {
		k.alarm.name = a.name
	}
	if err := k.writeAlarm(a); err != nil {
		return k.fail("write alarm", err)
	}
	return nil
}

// writeAlarm is setAlarm without the transaction around it.
func (k *sqlKV) writeAlarm(a alarmState) error {
	if !k.hasMeta {
		if err := k.conn.Exec(createMetadata); err != nil {
			return err
		}
		k.hasMeta, k.created = true, true
	}
	st, err := k.stmt(sqlAlarmSet)
	if err != nil {
		return err
	}
	k.wrote = true
	if a.set {
		err = st.BindInt64(1, a.ns)
	} else {
		err = st.BindNull(1)
	}
	if err != nil {
		return err
	}
	return st.Exec()
}

// alarmBeforeCommit brings the index up to date with the alarm that is about to
// be committed. The index must never be later than the object's record, or a
// crash in between would lose the alarm: an earlier alarm is entered first, a
// later one, or none, only after the commit, by the function that is returned.
func (k *sqlKV) alarmBeforeCommit() (late func() error, err error) {
	if !k.alarm.changed {
		return nil, nil
	}
	now, err := k.getAlarm()
	if err != nil {
		return nil, err
	}
	index, id, before := k.s.b.alarms, k.s.id, k.alarm.before
	entry := Alarm{ID: id, Name: k.alarm.name, Time: now.ns}
	switch {
	case now.set && (!before.set || now.ns <= before.ns):
		return nil, index.set(entry)
	case now.set:
		return func() error { return index.set(entry) }, nil
	case before.set:
		return func() error { return index.delete(id) }, nil
	}
	return nil, nil
}

// alarmIndex holds the alarms of all objects of a Backend. It is safe for use
// by several goroutines.
type alarmIndex interface {
	set(Alarm) error
	delete(id string) error
	all() ([]Alarm, error)
	close() error
}

// memAlarms is the index of a Backend in memory.
type memAlarms struct {
	mu sync.Mutex
	m  map[string]Alarm
}

func (x *memAlarms) set(a Alarm) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.m == nil {
		x.m = map[string]Alarm{}
	}
	if a.Name == nil { // keep the name that is known
		a.Name = x.m[a.ID].Name
	}
	x.m[a.ID] = a
	return nil
}

func (x *memAlarms) delete(id string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.m, id)
	return nil
}

func (x *memAlarms) all() ([]Alarm, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := make([]Alarm, 0, len(x.m))
	for _, a := range x.m {
		out = append(out, a)
	}
	sortAlarms(out)
	return out, nil
}

func (x *memAlarms) close() error { return nil }
