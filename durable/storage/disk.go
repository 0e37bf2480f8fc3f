package storage

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ncruces/go-sqlite3"
)

const (
	createAlarm = `CREATE TABLE IF NOT EXISTS _cf_ALARM (
      actor_id TEXT PRIMARY KEY,
      scheduled_time INTEGER,
      actor_name TEXT
    ) WITHOUT ROWID`
	sqlIndexSet    = `INSERT INTO _cf_ALARM VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET scheduled_time = excluded.scheduled_time, actor_name = COALESCE(excluded.actor_name, actor_name)`
	sqlIndexDelete = `DELETE FROM _cf_ALARM WHERE actor_id = ?`
	sqlIndexAll    = `SELECT actor_id, scheduled_time, actor_name FROM _cf_ALARM`
)

// diskAlarms is the index of a Backend on disk, metadata.sqlite. Its open
// connection is also what keeps other processes out of the directory: SQLite's
// exclusive locking mode holds a write lock on the bytes of the file on which a
// running real runtime holds a read lock, and each fails to get its own.
type diskAlarms struct {
	mu                sync.Mutex
	path              string
	conn              *sqlite3.Conn
	put, delOne, list *sqlite3.Stmt
}

func openDiskAlarms(dir, synchronous string) (*diskAlarms, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("storage: cannot create directory %s: %w", dir, err)
	}
	x := &diskAlarms{path: filepath.Join(dir, "metadata.sqlite")}
	if err := checkWritable(dir); err != nil {
		return nil, err
	}
	_, statErr := os.Stat(x.path)
	conn, err := openConn(x.path, statErr == nil, synchronous)
	if err == nil {
		x.conn = conn
		err = x.prepare()
	}
	if errors.Is(err, sqlite3.BUSY) {
		err = fmt.Errorf("%w: %s (it holds a lock on metadata.sqlite): %w", ErrInUse, dir, err)
	} else {
		err = fileError(x.path, "open", err)
	}
	if err != nil {
		x.close()
		return nil, err
	}
	return x, nil
}

// checkWritable tries, as permission bits do not tell (ACLs, read-only mounts).
func checkWritable(dir string) error {
	f, err := os.CreateTemp(dir, ".durashim-*")
	if err != nil {
		return fmt.Errorf("storage: directory %s is not writable: %w", dir, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

func (x *diskAlarms) prepare() error {
	// A write, so that the exclusive lock is taken now and not at the first
	// alarm: in WAL mode reading alone would leave the file shared.
	if err := x.conn.Exec("BEGIN IMMEDIATE; " + createAlarm + "; COMMIT"); err != nil {
		return err
	}
	for _, p := range []struct {
		st  **sqlite3.Stmt
		sql string
	}{{&x.put, sqlIndexSet}, {&x.delOne, sqlIndexDelete}, {&x.list, sqlIndexAll}} {
		st, _, err := x.conn.Prepare(p.sql)
		if err != nil {
			return err
		}
		*p.st = st
	}
	return nil
}

func (x *diskAlarms) set(a Alarm) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.conn == nil {
		return ErrClosed
	}
	err := errors.Join(x.put.BindText(1, a.ID), x.put.BindInt64(2, a.Time))
	if a.Name != nil {
		err = errors.Join(err, x.put.BindText(3, *a.Name))
	} else {
		err = errors.Join(err, x.put.BindNull(3))
	}
	if err == nil {
		err = x.put.Exec()
	}
	return fileError(x.path, "write alarm", err)
}

func (x *diskAlarms) delete(id string) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.conn == nil {
		return ErrClosed
	}
	err := x.delOne.BindText(1, id)
	if err == nil {
		err = x.delOne.Exec()
	}
	return fileError(x.path, "delete alarm", err)
}

func (x *diskAlarms) all() ([]Alarm, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.conn == nil {
		return nil, ErrClosed
	}
	var out []Alarm
	for x.list.Step() {
		a := Alarm{ID: x.list.ColumnText(0), Time: x.list.ColumnInt64(1)}
		if x.list.ColumnType(2) != sqlite3.NULL {
			name := x.list.ColumnText(2)
			a.Name = &name
		}
		out = append(out, a)
	}
	if err := errors.Join(x.list.Err(), x.list.Reset()); err != nil {
		return nil, fileError(x.path, "read alarms", err)
	}
	sortAlarms(out)
	return out, nil
}

func (x *diskAlarms) close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.conn == nil {
		return nil
	}
	for _, st := range collect(x.conn.Stmts()) {
		st.Close()
	}
	err := x.conn.Close()
	x.conn = nil
	return fileError(x.path, "close", err)
}

func sortAlarms(a []Alarm) {
	slices.SortFunc(a, func(p, q Alarm) int {
		return cmp.Or(cmp.Compare(p.Time, q.Time), cmp.Compare(p.ID, q.ID))
	})
}

// removeFiles deletes an object's files. The database goes first: a log without
// its database is discarded by SQLite, while a database without its log would
// be an old state of the object.
func removeFiles(path string) error {
	var errs []error
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, fmt.Errorf("storage: delete: %w", err))
		}
	}
	return errors.Join(errs...)
}
