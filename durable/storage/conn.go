package storage

import "github.com/ncruces/go-sqlite3"

// Conn lends the object's SQLite connection, for SQL, until release is called;
// release it when the last cursor is done, and do not use it afterwards. What
// is written with it belongs to the store's open transaction, and [Store.Dirty]
// knows of it; so call Conn anew for every statement after a Commit or Rollback,
// keep transaction statements (BEGIN, SAVEPOINT, ...) and the tables with the
// prefix _cf_ away from it, and do not close it.
//
// A loan pins the connection; without one it may be closed, its statements with
// it, and another *Conn is lent the next time. So statements may be kept for as
// long as the same *Conn is returned, and whoever has changed a setting of the
// connection that must last (PRAGMA foreign_keys) keeps a loan.
//
// An object whose data is in memory moves from plain
// Go structures to SQLite at the first call; a file is created if there is none.
func (s *Store) Conn() (conn *sqlite3.Conn, release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(); err != nil {
		return nil, nil, err
	}
	k, ok := s.kv.(*sqlKV)
	if !ok {
		if k, err = s.kv.(*memKV).toSQL(); err != nil {
			return nil, nil, err
		}
		s.kv = k
		s.version++
	}
	if err := k.startTx(); err != nil {
		return nil, nil, err
	}
	k.shared = true
	k.lent++
	conn, released := k.conn, false
	return conn, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if released || k.conn != conn {
			return
		}
		released = true
		k.lent--
		k.endReadOnly()
	}, nil
}

// endReadOnly ends a transaction in which nothing was written, so that it does
// not pin the connection: nobody commits a store that is not dirty.
func (k *sqlKV) endReadOnly() {
	if k.inTx && k.lent == 0 && len(k.s.txs) == 0 && !k.dirty() && !k.conn.GetAutocommit() {
		if k.exec(sqlCommit) == nil {
			k.ended()
		}
	}
}

// toSQL moves the data into an SQLite database in memory, uncommitted writes
// and open transactions included. On an error m is as it was.
func (m *memKV) toSQL() (*sqlKV, error) {
	k := &sqlKV{s: m.s, mem: &memPages{}}
	if _, err := k.open(true); err != nil {
		return nil, err
	}
	// Turn the undo log into a redo log; what is left is the committed state.
	for i := len(m.undo) - 1; i >= 0; i-- {
		m.swap(&m.undo[i])
	}
	err := m.copyTo(k)
	// And back again: also on success, if only so that this has one way out.
	for i := range m.undo {
		m.swap(&m.undo[i])
	}
	if err != nil {
		err = fileError(k.name(), "fill", err)
		k.closeConn(false)
		k.s.b.handles.remove(k)
		for _, tx := range m.s.txs {
			tx.saved = false
		}
		return nil, err
	}
	return k, nil
}

// copyTo writes the committed state, and then, in a transaction, the redo log.
func (m *memKV) copyTo(k *sqlKV) error {
	for _, chunk := range m.chunks {
		for _, e := range chunk {
			if err := k.insert(e.Key, e.Value); err != nil {
				return err
			}
		}
	}
	if m.alarm != nil {
		if err := k.writeAlarm(*m.alarm); err != nil {
			return err
		}
	}
	k.ended()

	txs := m.s.txs
	all := txs
	defer func() { m.s.txs = all }()
	next := 0
	for i := 0; i <= len(m.undo); i++ {
		for next < len(all) && all[next].mark <= i {
			next++
		}
		// startTx makes the savepoints of the transactions it sees: show it
		// those that were open when this write was made.
		m.s.txs = all[:next]
		if i == len(m.undo) {
			break
		}
		if err := k.startTx(); err != nil {
			return err
		}
		if err := m.redo(k, &m.undo[i]); err != nil {
			return err
		}
	}
	return nil
}

func (m *memKV) redo(k *sqlKV, u *undoEntry) error {
	switch {
	case u.isAlarm && u.alarm != nil:
		return k.setAlarm(*u.alarm)
	case u.isAlarm:
		return k.setAlarm(alarmState{})
	case u.old != nil:
		return k.insert(u.key, u.old)
	}
	_, err := k.del(u.key)
	return err
}
