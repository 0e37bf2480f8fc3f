package storage

import (
	"errors"
	"iter"
	"slices"

	"github.com/ncruces/go-sqlite3"
)

// largeValue is the size from which a bound value is released at once instead
// of with the next use of its statement.
const largeValue = 16 << 10

// read makes ready to read KV and reports whether there is anything to read.
func (k *sqlKV) read() (bool, error) {
	if ok, err := k.open(false); !ok || err != nil {
		return false, err
	}
	return k.hasKV, nil
}

func (k *sqlKV) get(key string) ([]byte, bool, error) {
	if ok, err := k.read(); !ok || err != nil {
		return nil, false, err
	}
	st, err := k.stmt(sqlGet)
	if err == nil {
		err = st.BindText(1, key)
	}
	if err != nil {
		return nil, false, k.fail("read", err)
	}
	var v []byte
	ok := st.Step()
	if ok {
		v = cloneBlob(st, 0)
	}
	if err := errors.Join(st.Err(), st.Reset()); err != nil {
		return nil, false, k.fail("read", err)
	}
	return v, ok, nil
}

// cloneBlob copies a column out of SQLite's memory; never nil.
func cloneBlob(st *sqlite3.Stmt, col int) []byte {
	raw := st.ColumnRawBlob(col)
	v := make([]byte, len(raw))
	copy(v, raw)
	return v
}

func (k *sqlKV) put(key string, value []byte) error {
	if err := k.startTx(); err != nil {
		return err
	}
	if err := k.insert(key, value); err != nil {
		return k.fail("write", err)
	}
	return nil
}

// insert is put without the transaction around it.
func (k *sqlKV) insert(key string, value []byte) error {
	if !k.hasKV {
		if err := k.conn.Exec(createKV); err != nil {
			return err
		}
		k.hasKV, k.created = true, true
	}
	st, err := k.stmt(sqlPut)
	if err != nil {
		return err
	}
	if value == nil {
		value = []byte{} // nil would be stored as NULL
	}
	if err := errors.Join(st.BindText(1, key), st.BindBlob(2, value)); err != nil {
		return err
	}
	k.wrote = true
	err = st.Exec()
	if len(value) >= largeValue {
		err = errors.Join(err, st.ClearBindings())
	}
	return err
}

func (k *sqlKV) del(key string) (bool, error) {
	// Deleting what is not there is no write: it creates no file and leaves
	// nothing to flush.
	if ok, err := k.read(); !ok || err != nil {
		return false, err
	}
	st, err := k.stmt(sqlExists)
	if err == nil {
		err = st.BindText(1, key)
	}
	if err != nil {
		return false, k.fail("read", err)
	}
	ok := st.Step()
	if err := errors.Join(st.Err(), st.Reset()); err != nil {
		return false, k.fail("read", err)
	}
	if !ok {
		return false, nil
	}
	if err := k.startTx(); err != nil {
		return false, err
	}
	st, err = k.stmt(sqlDelete)
	if err == nil {
		err = st.BindText(1, key)
	}
	if err == nil {
		k.wrote = true
		err = st.Exec()
	}
	if err != nil {
		return false, k.fail("write", err)
	}
	return true, nil
}

func (k *sqlKV) scan(b bounds, reverse bool, n int) ([]Entry, error) {
	if ok, err := k.read(); !ok || err != nil {
		return nil, err
	}
	flag := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	st, err := k.stmt(scanSQL[flag(b.loExcl)][flag(!b.hiOpen)][flag(reverse)])
	if err == nil {
		err = errors.Join(st.BindText(1, b.lo), st.BindInt(3, n))
	}
	if err == nil && !b.hiOpen {
		err = st.BindText(2, b.hi)
	}
	if err != nil {
		return nil, k.fail("list", err)
	}
	var out []Entry
	// Rows read ahead are held in memory: many small ones, few large ones.
	for size := 0; size < 1<<20 && st.Step(); {
		e := Entry{Key: st.ColumnText(0), Value: cloneBlob(st, 1)}
		size += len(e.Value)
		out = append(out, e)
	}
	if err := errors.Join(st.Err(), st.Reset()); err != nil {
		return nil, k.fail("list", err)
	}
	return out, nil
}

// deleteAll empties the database as the real runtime does: user tables and all,
// at once, durable. https://sqlite.org/c3ref/c_dbconfig_defensive.html
// (SQLITE_DBCONFIG_RESET_DATABASE) makes it one atomic step.
func (k *sqlKV) deleteAll(keepAlarm bool) error {
	alarm, err := k.getAlarm()
	if err != nil {
		return err
	}
	if err := k.rollback(); err != nil {
		return err
	}
	ok, err := k.open(false)
	if err != nil {
		return err
	}
	if !ok {
		return nil
	}
	for _, st := range collect(k.conn.Stmts()) {
		st.Close()
	}
	clear(k.stmts)
	_, err = k.conn.Config(sqlite3.DBCONFIG_RESET_DATABASE, true)
	if err == nil {
		err = k.conn.Exec("VACUUM")
		if _, cerr := k.conn.Config(sqlite3.DBCONFIG_RESET_DATABASE, false); err == nil {
			err = cerr
		}
	}
	if err == nil {
		err = k.loadTables()
	}
	if err != nil {
		return k.fail("delete all", err)
	}
	if !keepAlarm || !alarm.set {
		return k.s.b.alarms.delete(k.s.id)
	}
	if err := k.setAlarm(alarm); err != nil {
		return err
	}
	return k.commit()
}

// collect copies the list, which closing a statement changes.
func collect(seq iter.Seq[*sqlite3.Stmt]) []*sqlite3.Stmt { return slices.Collect(seq) }
