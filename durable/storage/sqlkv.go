package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

const (
	// The tables of the real runtime, its spelling and white space included:
	// SQLite keeps the text, and a file written by either is to look the same.
	createKV = `CREATE TABLE _cf_KV (
        key TEXT PRIMARY KEY,
        value BLOB
      ) WITHOUT ROWID`
	createMetadata = `CREATE TABLE _cf_METADATA (
        key INTEGER PRIMARY KEY,
        value BLOB
      )`

	sqlGet      = `SELECT value FROM _cf_KV WHERE key = ?`
	sqlPut      = `INSERT INTO _cf_KV VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`
	sqlDelete   = `DELETE FROM _cf_KV WHERE key = ?`
	sqlTables   = `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('_cf_KV', '_cf_METADATA')`
	sqlExists   = `SELECT 1 FROM _cf_KV WHERE key = ?`
	sqlBegin    = `BEGIN`
	sqlCommit   = `COMMIT`
	sqlRollback = `ROLLBACK`
)

// scanSQL holds the listing statements by [exclusive lower bound][upper
// bound][reverse]. Bounds are compared as bytes (collation BINARY). The upper
// one is always bound as parameter 2, the limit as 3.
var scanSQL = func() (out [2][2][2]string) {
	for i, lo := range []string{"key >= ?1", "key > ?1"} {
		for j, hi := range []string{"", " AND key < ?2"} {
			for k, order := range []string{"", " DESC"} {
				out[i][j][k] = "SELECT key, value FROM _cf_KV WHERE " + lo + hi + " ORDER BY key" + order + " LIMIT ?3"
			}
		}
	}
	return out
}()

// sqlKV is the engine on an SQLite database, in a file or in memory. Its
// connection is opened when it is needed and, for a file, closed by the handle
// cache when it is not.
type sqlKV struct {
	s    *Store
	path string    // "" for a database in memory
	mem  *memPages // the database in memory

	conn  *sqlite3.Conn
	stmts map[string]*sqlite3.Stmt

	absent   bool // the file is known not to exist
	hasKV    bool // _cf_KV exists
	hasMeta  bool // _cf_METADATA exists
	created  bool // one of them was created by the open transaction
	inTx     bool // BEGIN has been executed
	wrote    bool // KV or alarm was written in the open transaction
	shared   bool // the connection was lent in the open transaction
	lent     int  // holders of the connection, see Store.Conn
	recently bool // used since the handle cache last looked
	slot     int  // place in the handle cache

	lastRowID int64 // last_insert_rowid(), across connections

	alarm alarmChange
}

// name is what errors call the database.
func (k *sqlKV) name() string {
	if k.path == "" {
		return "in-memory database of object " + k.s.id
	}
	return k.path
}

// fail wraps an error, and finds out whether SQLite took the opportunity to
// roll the whole transaction back (https://sqlite.org/lang_transaction.html,
// "Response To Errors Within A Transaction").
func (k *sqlKV) fail(op string, err error) error {
	err = fileError(k.name(), op, err)
	if k.inTx && k.conn.GetAutocommit() {
		k.lose(err)
	}
	return err
}

// lose makes the store refuse everything until it is rolled back.
func (k *sqlKV) lose(cause error) {
	if cause == nil {
		k.s.lost = fmt.Errorf("%w: %s", ErrLost, k.name())
		return
	}
	k.s.lost = fmt.Errorf("%w: %w", ErrLost, cause)
}

// open makes the connection ready. Without create it reports false if there is
// no database, and creates none.
func (k *sqlKV) open(create bool) (bool, error) {
	if k.conn != nil {
		k.recently = true
		return true, nil
	}
	exists := false
	if k.mem != nil {
		exists = k.mem.size > 0
	} else if !k.absent {
		_, err := os.Stat(k.path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, fileError(k.path, "open", err)
		}
		exists = err == nil
		k.absent = !exists
	}
	if !exists && !create {
		return false, nil
	}
	k.s.b.handles.makeRoom()
	var conn *sqlite3.Conn
	var err error
	if k.mem != nil {
		conn, err = openMem(k.mem)
	} else {
		conn, err = openConn(k.path, exists, k.s.b.opts.synchronous)
	}
	if err != nil {
		return false, fileError(k.name(), "open", err)
	}
	k.conn, k.stmts, k.absent = conn, map[string]*sqlite3.Stmt{}, false
	k.hasKV, k.hasMeta = false, false
	if exists {
		if err := k.loadTables(); err != nil {
			k.closeConn(false)
			return false, fileError(k.name(), "open", err)
		}
	}
	if init := k.s.b.opts.connInit; init != nil {
		if err := init(conn); err != nil {
			k.closeConn(false)
			return false, fileError(k.name(), "set up", err)
		}
	}
	if k.lastRowID != 0 {
		conn.SetLastInsertRowID(k.lastRowID)
	}
	k.recently = true
	k.s.b.handles.add(k)
	return true, nil
}

// Every connection: the real runtime has foreign keys on; the cache bounds the
// memory of an open handle.
const commonPragmas = "; PRAGMA foreign_keys = ON; PRAGMA cache_size = -1024"

// openMem opens a database in memory.
func openMem(m *memPages) (*sqlite3.Conn, error) {
	name := m.register()
	c, err := open("file:/db?vfs="+name, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; "+
		"PRAGMA temp_store = MEMORY; PRAGMA synchronous = OFF")
	if err != nil {
		m.unregister()
	}
	return c, err
}

// openConn opens a database file. The directory is ours alone (see disk.go), so a
// file is locked once for as long as it is open: that saves the lock calls of
// every transaction and the shared-memory file, two thirds of the time of a put (13 and 5 µs).
func openConn(path string, exists bool, synchronous string) (*sqlite3.Conn, error) {
	if exists {
		return open(path, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = "+synchronous)
	}
	// There is nothing yet that a power cut could damage, so the header is
	// written without waiting for the disk. So is the header of the log, by a
	// first transaction that changes nothing: the log is flushed before anything
	// is copied from it, and until then only its own loss is at stake, which
	// synchronous=NORMAL does not prevent anyway.
	return open(path, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; "+
		"PRAGMA journal_mode = WAL; PRAGMA user_version = 0; PRAGMA synchronous = "+synchronous)
}

func open(name, pragmas string) (*sqlite3.Conn, error) {
	flags := sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE
	if strings.HasPrefix(name, "file:") { // a path of ours is absolute
		flags |= sqlite3.OPEN_URI
	}
	c, err := sqlite3.OpenFlags(name, flags)
	if err != nil {
		return nil, err
	}
	if err := c.Exec(pragmas + commonPragmas); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (k *sqlKV) loadTables() error {
	k.hasKV, k.hasMeta = false, false
	st, err := k.stmt(sqlTables)
	if err != nil {
		return err
	}
	for st.Step() {
		switch st.ColumnText(0) {
		case "_cf_KV":
			k.hasKV = true
		case "_cf_METADATA":
			k.hasMeta = true
		}
	}
	return errors.Join(st.Err(), st.Reset())
}

// stmt returns the prepared statement for sql, which is one of a few constants.
func (k *sqlKV) stmt(sql string) (*sqlite3.Stmt, error) {
	if st := k.stmts[sql]; st != nil {
		return st, nil
	}
	st, _, err := k.conn.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT)
	if err != nil {
		return nil, err
	}
	k.stmts[sql] = st
	return st, nil
}

func (k *sqlKV) exec(sql string) error {
	st, err := k.stmt(sql)
	if err != nil {
		return err
	}
	return st.Exec()
}

// begin is lazy: the savepoint is made by the first write inside, so that an
// empty transaction costs nothing and creates no file.
func (k *sqlKV) begin(tx *Tx) error { tx.saved = false; return nil }

// startTx opens the implicit transaction and all savepoints that are due.
func (k *sqlKV) startTx() error {
	if _, err := k.open(true); err != nil {
		return err
	}
	if k.inTx && k.conn.GetAutocommit() {
		// A statement of the application failed in such a way.
		k.lose(nil)
		return k.s.lost
	}
	if !k.inTx {
		if err := k.exec(sqlBegin); err != nil {
			return k.fail("begin", err)
		}
		k.inTx = true
	}
	if n := len(k.s.txs); n == 0 || k.s.txs[n-1].saved {
		return nil
	}
	for _, tx := range k.s.txs {
		if !tx.saved {
			if err := k.exec("SAVEPOINT t" + strconv.Itoa(tx.depth)); err != nil {
				return k.fail("begin", err)
			}
			tx.saved = true
		}
	}
	return nil
}

func (k *sqlKV) release(tx *Tx) error {
	if !tx.saved {
		return nil
	}
	if err := k.exec("RELEASE t" + strconv.Itoa(tx.depth)); err != nil {
		return k.fail("commit", err)
	}
	return nil
}

func (k *sqlKV) rollbackTo(tx *Tx) error {
	if !tx.saved {
		return nil
	}
	depth := strconv.Itoa(tx.depth)
	err := k.exec("ROLLBACK TO t" + depth)
	if err == nil {
		err = k.exec("RELEASE t" + depth)
	}
	if err == nil && k.created {
		err = k.loadTables()
	}
	if err != nil {
		return k.fail("rollback", err)
	}
	return nil
}

func (k *sqlKV) dirty() bool {
	return k.inTx && (k.wrote || k.shared && k.conn.TxnState("main") == sqlite3.TXN_WRITE)
}

func (k *sqlKV) commit() error {
	if !k.inTx {
		return nil
	}
	if k.conn.GetAutocommit() {
		k.lose(nil)
		return k.s.lost
	}
	late, err := k.alarmBeforeCommit()
	if err == nil {
		if err = k.exec(sqlCommit); err != nil {
			err = fileError(k.name(), "commit", err)
		}
	}
	if err != nil {
		k.lose(err)
		return err
	}
	k.ended()
	if late != nil {
		if err := late(); err != nil {
			return fmt.Errorf("%w: %w", ErrAlarmIndex, err)
		}
	}
	return nil
}

// ended forgets the transaction that has just ended.
func (k *sqlKV) ended() {
	k.inTx, k.wrote, k.shared, k.created = false, false, false, false
	k.alarm = alarmChange{}
}

func (k *sqlKV) rollback() error {
	if !k.inTx {
		return nil
	}
	if !k.conn.GetAutocommit() {
		if err := k.exec(sqlRollback); err != nil {
			return fileError(k.name(), "rollback", err)
		}
	}
	k.ended()
	if err := k.loadTables(); err != nil {
		return fileError(k.name(), "rollback", err)
	}
	return nil
}

// pinned reports whether the connection must stay open.
func (k *sqlKV) pinned() bool { return k.inTx || k.lent > 0 }

// closeConn closes the connection. With checkpoint the write-ahead log is
// copied into the file and removed, which waits for the disk.
func (k *sqlKV) closeConn(checkpoint bool) error {
	if k.conn == nil {
		return nil
	}
	for _, st := range collect(k.conn.Stmts()) {
		st.Close()
	}
	if !checkpoint {
		k.conn.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, true)
	}
	k.lastRowID = k.conn.LastInsertRowID()
	err := k.conn.Close()
	if k.mem != nil {
		k.mem.unregister()
	}
	k.conn, k.stmts = nil, nil
	k.ended()
	if err != nil {
		return fileError(k.name(), "close", err)
	}
	return nil
}
